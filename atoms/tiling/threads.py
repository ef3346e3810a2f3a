"""Layouts that number things: each thread, atom or value once, none left out."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout

from ..instructions.refusal import argument, concrete

__all__ = ["as_layout", "bijective"]


LIMIT = 1 << 20
"""Numbers that are counted one by one."""


def as_layout(op: str, what: str, value: Any) -> Layout:
    """A layout, or a shape or integer as the compact column-major one; LC103 for anything else."""
    if isinstance(value, Layout):
        return value
    if isinstance(value, (int, tuple, list)) and not isinstance(value, bool):
        return Layout(value)
    raise argument(op, "{what} {value} is no layout and no shape", what=what, value=str(value))


def bijective(op: str, what: str, layout: Layout, counted: str) -> None:
    """LC306 unless a layout reaches each of 0..size-1 exactly once.

    ``what`` names the layout and ``counted`` what it numbers, for the message.
    """
    concrete(op, layout)
    if layout.size > LIMIT:
        raise refuse(
            "LC104", "{size} {counted}s are more than {limit}", op=op, size=layout.size, counted=counted, limit=LIMIT
        )
    values = layout.values()
    if not all(isinstance(v, int) for v in values):
        raise refuse(
            "LC103", "{what} {layout} does not count {counted}s", op=op, what=what, layout=str(layout), counted=counted
        )
    seen: dict[int, int] = {}
    for i, v in enumerate(values):
        if v in seen:
            raise refuse(
                "LC306",
                "{what} {layout} is not injective: indices {first} and {second} are both {counted} {value}",
                op=op,
                what=what,
                layout=str(layout),
                counted=counted,
                first=seen[v],
                second=i,
                value=v,
                right_path=(),
            )
        seen[v] = i
    if (least := min(values)) < 0:
        raise refuse(
            "LC306", "{what} {layout} gives a {counted} the number {least}",
            op=op, what=what, layout=str(layout), counted=counted, least=least, right_path=(),
        )  # fmt: skip
    reach = max(values) + 1
    if reach > len(values):
        missing = next(v for v in range(reach) if v not in seen)
        raise refuse(
            "LC306",
            "{what} {layout} has holes: its {size} {counted}s are numbered up to {last}, and {missing} is missing",
            op=op,
            what=what,
            layout=str(layout),
            counted=counted,
            size=len(values),
            last=reach - 1,
            missing=missing,
            right_path=(),
        )
