"""Hardware instructions, one family a file: which thread holds which element. The catalogue finds them."""
