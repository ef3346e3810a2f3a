"""Nested tuples of positive integers and their refinement order (Categorical Foundations, section 2)."""

from __future__ import annotations

from typing import Any

from ..base.errors import refuse
from ..base.words import word
from ..values.htuple import HTuple, entries, flatten, format_htuple
from ..values.shape import compatible


def check_nested(x: HTuple, op: str) -> tuple[int, ...]:
    """The leaves of ``x``; LC202 unless each is a positive integer, LC106 if one is not known."""
    leaves = flatten(x)
    for leaf in leaves:
        # bool is an int only to Python.
        if type(leaf) is int:
            if leaf >= 1:
                continue
        elif hasattr(leaf, "symbols"):
            raise refuse("LC106", "{op} needs the value of {entry}", op=op, entry=str(leaf), tuple=format_htuple(x))
        raise refuse(
            "LC202",
            "entry {entry} of {tuple} is not a positive integer",
            op=op,
            kind="bad_entry",
            entry=format_htuple(leaf),
            tuple=format_htuple(x),
        )
    return leaves


@word("""
    categories: refines(S: shape, T: shape)
    is S a refinement of T?
    refines(((2,2),16), (4,16))
""")
def refines(fine: HTuple, coarse: HTuple) -> bool:
    """``fine`` replaces each leaf of ``coarse`` by a nested tuple of that size: a partial order.

    Law: ``coarse`` is an integer equal to the size of ``fine``, or both are tuples of one rank and refine mode by mode.
    Source: Categorical Foundations §2.

    >>> refines(((2, 2), (2, 4)), (4, 8)), refines(6, (6,)), refines((6,), 6), refines((), 1)
    (True, False, True, True)
    """
    return compatible(coarse, fine)


@word("""
    categories: relative_modes(S: shape, T: shape)
    the modes of S relative to T
    relative_modes(((2,3),(4,2)), (6,8))
""")
def relative_modes(fine: HTuple, coarse: HTuple, *, op: str = "relative_modes") -> tuple[HTuple, ...]:
    """The nested tuples that replace the leaves of ``coarse`` in ``fine``, left to right.

    Law: substituting them into the profile of ``coarse`` gives ``fine``; the size of mode i is leaf i. LC310 if
    ``fine`` does not refine ``coarse``. Source: Categorical Foundations §2.

    >>> relative_modes(((2, 2), ((3, 3), 25)), (4, (9, 25)))
    ((2, 2), (3, 3), 25)
    """
    check_nested(fine, op)
    check_nested(coarse, op)
    if not refines(fine, coarse):
        raise refuse(
            "LC310",
            "{given} is no refinement of {of}",
            op=op,
            kind="not_a_refinement",
            of=format_htuple(coarse),
            given=format_htuple(fine),
        )
    modes: list[HTuple] = []
    _collect(fine, coarse, modes)
    return tuple(modes)


def _collect(fine: HTuple, coarse: HTuple, modes: list[Any]) -> None:
    if isinstance(coarse, tuple):
        for f, c in zip(entries(fine), coarse, strict=True):
            _collect(f, c, modes)
    else:
        modes.append(fine)


def offsets(modes: tuple[HTuple, ...]) -> list[int]:
    """How many leaves stand before each mode; one entry more than there are modes.

    >>> offsets(((2, 2), (3, 3), 25))
    [0, 2, 4, 5]
    """
    total, found = 0, [0]
    for mode in modes:
        total += len(flatten(mode))
        found.append(total)
    return found
