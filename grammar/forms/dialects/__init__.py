"""Readers of C++, Python, prints and MLIR types, the vocabulary of their names, and the pieces of a text in them."""
