"""Layouts with unknown extents and strides: polynomials, facts about symbols, and a search over cases.

Nothing outside imports this package until a symbol occurs.
"""
