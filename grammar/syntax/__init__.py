"""Text to syntax tree, and what is wrong with a text that is none. Nothing is evaluated here."""
