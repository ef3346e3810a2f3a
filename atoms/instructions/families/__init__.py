"""The families of instructions, one a file: what is put here is in the catalogue."""
