"""Accesses to shared memory in words: what they ask of a layout, their cost, and what would help."""
