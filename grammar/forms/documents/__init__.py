"""Whole documents around layouts: error messages, dumps, LaTeX, share links, JSON."""
