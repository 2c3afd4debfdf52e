"""The bots at a Differenzler."""
