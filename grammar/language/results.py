"""What the algebra returns, as values that print; and results held against their laws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor

from .values import Grid, Image, Listing, Text, text_of

__all__ = ["verify", "wrap"]


def wrap(result: Any, kind: str) -> Any:
    """Lists that the algebra returns, as the value kinds that print them."""
    if kind == "values":
        return Listing(tuple(result))
    if kind == "pair":
        # A tuple of layouts would read back as their concatenation.
        return Listing(result) if isinstance(result, tuple) and isinstance(result[0], Layout) else result
    if kind == "image":
        return Image(tuple(_ascending(result)))
    if kind == "owned":
        return Listing(tuple(Text(f"T{o.thread}V{o.value}", bare=True) for o in result))
    if kind == "held":
        return Listing(tuple(h.coordinate for h in result))
    if kind == "pairs":
        return Listing(tuple(Text(f"{text_of(a)}->{text_of(b)}", bare=True) for a, b in result))
    if kind in ("grid", "owners", "marks"):
        cell = {"grid": lambda x: x, "owners": _owners, "marks": bool}[kind]
        return Grid(tuple(tuple(map(cell, row)) for row in result), "" if kind == "marks" else " ")
    return tuple(result) if isinstance(result, list) else result


def _owners(owners: Any) -> Text:
    """The owners of a cell: T0V1, several joined by +, a dot for none."""
    return Text("+".join(f"T{t}V{v}" for t, v in owners) or ".", bare=True)


def _ascending(values: Any) -> Any:
    """Integers by size, coordinates in colexicographic order."""
    return sorted(values, key=lambda v: flatten(v)[::-1] if isinstance(v, tuple) else v)


_ARITY = {
    "coalesce": 1, "composition": 2, "logical_divide": 2, "logical_product": 2, "right_inverse": 1, "left_inverse": 1
}  # fmt: skip


def verify(op: str, operands: Sequence[Any], result: Layout, limit: int) -> Any:
    """A witness against the law of ``op``, or None; only plain layouts have their laws here."""
    # A profile is no operand of the law; a chain of compositions is checked by its exact criterion alone.
    if op not in _ARITY or (op == "composition" and len(operands) > 2):
        return None
    operands = operands[: _ARITY[op]]
    from laycalc.algebra.questions.witness import LAWS

    plain = [Layout(x, 1) if type(x) is int and (x > 1 or op == "composition") else x for x in operands]
    if any(not isinstance(x, Layout) for x in plain) or any(type(x.size) is not int for x in plain):
        return None
    if result.size > limit:
        return None
    if op in ("right_inverse", "left_inverse") and plain[0].semimodule == "Z^P":
        return None
    if op == "logical_divide" and any(isinstance(d, (Coordinate, Xor)) for d in plain[1].flat()[1]):
        return None
    return LAWS[op](*plain, result, limit)
