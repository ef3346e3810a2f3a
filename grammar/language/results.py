"""What the algebra returns, as values that print; and results held against their laws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor

from .values import Grid, Image, Listing, Text, text_of


def printed(function: Callable[..., Any], kind: str) -> Callable[..., Any]:
    """The function with its result as a value that prints, wherever it is called: for the answer and for repairs."""

    @wraps(function)
    def called(*arguments: Any, **keywords: Any) -> Any:
        result = function(*arguments, **keywords)
        made = _PRINTED.get(kind)
        if made is not None:
            return made(result)
        return tuple(result) if isinstance(result, list) else result

    return called


def _pair(result: Any) -> Any:
    """A pair of layouts, which as a tuple would read back as their concatenation; a shape is itself."""
    return Listing(result) if isinstance(result, tuple) and result and isinstance(result[0], Layout) else result


def _words(result: Any, text: Callable[[Any], str]) -> Listing:
    return Listing(tuple(Text(text(item), bare=True) for item in result))


def _grid(result: Any, cell: Callable[[Any], Any], between: str = " ") -> Grid:
    return Grid(tuple(tuple(map(cell, row)) for row in result), between)


_PRINTED: dict[str, Callable[[Any], Any]] = {
    "values": lambda result: Listing(tuple(result)),
    "pair": _pair,
    "image": lambda result: Image(tuple(_ascending(result))),
    "owned": lambda result: _words(result, lambda o: f"T{o.thread}V{o.value}"),
    "held": lambda result: Listing(tuple(h.coordinate for h in result)),
    "pairs": lambda result: _words(result, lambda pair: f"{text_of(pair[0])}->{text_of(pair[1])}"),
    "grid": lambda result: _grid(result, lambda x: x),
    "owners": lambda result: _grid(result, _owners),
    "marks": lambda result: _grid(result, bool, ""),
}
"""How a result is printed, by the word behind ``->`` in what a function says of itself."""


def _owners(owners: Any) -> Text:
    """The owners of a cell: T0V1, several joined by +, a dot for none."""
    return Text("+".join(f"T{t}V{v}" for t, v in owners) or ".", bare=True)


def _ascending(values: Any) -> Any:
    """Integers by size, coordinates in colexicographic order."""
    if not any(isinstance(v, tuple) for v in values):
        return sorted(values)
    if not any(isinstance(x, tuple) for v in values for x in v):
        return sorted(values, key=lambda v: v[::-1])
    return sorted(values, key=lambda v: flatten(v)[::-1])


_ARITY = {
    "coalesce": 1, "composition": 2, "logical_divide": 2, "logical_product": 2, "right_inverse": 1, "left_inverse": 1
}  # fmt: skip


def verify(op: str, operands: Sequence[Any], result: Layout, limit: int) -> Any:
    """A witness against the law of ``op``, or None; only plain layouts have their laws here.

    With unknown numbers the law waits for the points at which a report is checked.
    """
    # A profile is no operand of the law; a chain of compositions is checked by its exact criterion alone.
    if op not in _ARITY or (op == "composition" and len(operands) > 2):
        return None
    operands = operands[: _ARITY[op]]
    from laycalc.algebra.operations.coincidence import unknown
    from laycalc.algebra.questions.witness import LAWS

    plain = [Layout(x, 1) if type(x) is int and (x > 1 or op == "composition") else x for x in operands]
    if not all(isinstance(x, Layout) for x in plain) or unknown(result, *plain) or result.size > limit:
        return None
    return None if _is_by_axis(op, plain) else LAWS[op](*plain, result, limit)


def _is_by_axis(op: str, operands: Sequence[Layout]) -> bool:
    """Is the law one of axes, which is checked where the operation is defined?"""
    if op in ("right_inverse", "left_inverse"):
        return operands[0].semimodule == "Z^P"
    return op == "logical_divide" and any(isinstance(d, (Coordinate, Xor)) for d in operands[1].flat()[1])
