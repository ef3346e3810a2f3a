"""Diagnostics as data: what went wrong, where, by which numbers, and what would work."""
