"""Composition with an XOR stride in the right operand: bit by bit, then checked against every value."""

from __future__ import annotations

from typing import Any

from ..base.effort import COMPARED
from ..base.errors import refuse
from ..finding.synthesis import layout_of
from ..values.coalesce import merged, unwrap
from ..values.layout import Layout
from ..values.semimodule import Xor


def xor_leaf(left: Layout, s: Any, d: Xor, path: tuple[int, ...]) -> Layout:
    """A o s:f_k, the layout with the values A(c*f_k), 0 <= c < s; LC303 if no layout has them.

    The paper leaves this case open ("special handling", 3.3); the values themselves decide.
    """
    if type(s) is not int or s > COMPARED:
        raise refuse(
            "LC104",
            "composition with {extent} values of an XOR stride; the limit is {limit}",
            op="composition",
            extent=s,
            limit=COMPARED,
            right_path=path,
        )
    values = [left.element(c * d) for c in range(s)]
    if s & (s - 1) == 0:
        bits = [(2, values[1 << b]) for b in range(s.bit_length() - 1)]
        candidate = unwrap(merged(tuple(n for n, _ in bits), tuple(v for _, v in bits)))
        if s == 1 or candidate.elements() == values:
            return candidate
    found = layout_of(values)
    if found is None:
        raise refuse(
            "LC303",
            "the right operand does not distribute over the shape of the left one (eq 12): no layout has the values of"
            " {left} at the multiples of {stride}",
            op="composition",
            left=str(left),
            stride=str(d),
            extent=s,
            left_path=(),
            right_path=path,
        )
    return found
