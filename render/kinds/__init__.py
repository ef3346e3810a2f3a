"""One kind of picture a file: from a value and options to a scene."""
