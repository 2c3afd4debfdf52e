"""What every game shares: cards, tricks, Weis, dealing, options, refusals, and their words."""
