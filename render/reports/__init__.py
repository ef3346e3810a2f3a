"""Diagnostics and results as text for people and for machines: one short file a format."""
