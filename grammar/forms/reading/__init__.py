"""What all readers of foreign notations share: tokens, Python and MLIR as data, integer expressions. No notation."""
