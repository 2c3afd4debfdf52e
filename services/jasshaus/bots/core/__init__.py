"""What bots of every game use: what is proven of hidden hands, deals that fit it, playouts, search."""
