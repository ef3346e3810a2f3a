"""Rearranging modes: flatten, group, select, take, append, prepend, replace, of layouts and of nested tuples alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.effort import check_listed
from ..base.errors import refuse
from ..base.words import word
from ..values.htuple import Nested, flatten, format_htuple
from ..values.layout import Layout, concat, make
from ..values.swizzle import Composed
from ..values.tensor import Tensor


def _reshape(operand: Any, f: Callable[[Nested], Nested]) -> Any:
    """Apply ``f`` to a tuple, or to shape and stride of what is inside a layout of any kind."""
    if isinstance(operand, Layout):
        return make(f(operand.shape), f(operand.stride))
    if isinstance(operand, Composed):
        return Composed(operand.swizzle, operand.offset, _reshape(operand.layout, f))
    if isinstance(operand, Tensor):
        return Tensor(operand.offset, _reshape(operand.layout or Layout(()), f))
    return f(operand)


def _modes(x: Nested) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


@word("""
    modes: flatten(L: any)
    all leaves as modes of one level
    flatten((2,(4,1)):(1,(2,8)))
""")
def flatten_modes(operand: Any) -> Any:
    """The same function with all leaves at depth 1; a leaf stays a leaf.

    >>> flatten_modes(Layout(((2, 2), (4,)), ((1, 8), (2,))))
    Layout('(2,2,4):(1,8,2)')
    """
    return _reshape(operand, lambda x: flatten(x) if isinstance(x, tuple) else x)


@word("""
    modes: group(L: modes, begin: integer, end: integer)
    modes begin..end-1 as one mode
    group((4,3,2):(1,4,12), 1, 3)
""")
def group(operand: Any, begin: int, end: int) -> Any:
    """Modes ``begin`` to ``end`` (exclusive) become one mode.

    >>> group(Layout((2, 3, 4), (1, 2, 6)), 0, 2)
    Layout('((2,3),4):((1,2),6)')
    """
    _check_range("group", operand, begin, end)
    return _reshape(operand, lambda x: (*_modes(x)[:begin], _modes(x)[begin:end], *_modes(x)[end:]))


@word("""
    modes: take(L: modes, begin: integer, end: integer)
    the modes begin..end-1
    take((8,8,2):(1,8,64), 1, 3)
""")
def take(operand: Any, begin: int, end: int) -> Any:
    """Modes ``begin`` to ``end`` (exclusive).

    >>> take(Layout((2, 3, 4), (1, 2, 6)), 1, 3)
    Layout('(3,4):(2,6)')
    """
    _check_range("take", operand, begin, end)
    return _reshape(operand, lambda x: _modes(x)[begin:end])


@word("""
    modes: select(L: modes, i: integer...)
    the modes with the given indices
    select((16,8,2):(4,16,2), 0, 2)
""")
def select(operand: Any, *indices: int) -> Any:
    """The named modes, in the order named.

    >>> select(Layout((2, 3, 4), (1, 2, 6)), 2, 0)
    Layout('(4,2):(6,1)')
    """
    for i in indices:
        _check_index("select", operand, i)
    return _reshape(operand, lambda x: tuple(_modes(x)[i] for i in indices))


@word("""
    modes: mode(L: parts, i: integer)
    one mode
    mode((4,(3,2)):(2,(8,1)), 1)
""")
def mode(operand: Any, *path: int) -> Any:
    """The mode at a path of indices; of the layout itself without one.

    >>> mode(Layout((4, (3, 2)), (2, (8, 1))), 1, 0)
    Layout('3:8')
    """
    for i in path:
        _check_index("mode", operand, i)
        operand = operand[i] if not isinstance(operand, int) else operand
    return operand


@word("""
    modes: append(L: modes, mode: modes?, n: integer?)
    L with a mode after it
    append((4,8):(1,4), 2:32)
""")
def append(operand: Any, mode: Any = None, rank: int | None = None) -> Any:
    """``mode`` (1:0 if none is given) behind the others, so often that there are ``rank`` modes; once without a rank.

    Law: the values of ``(L, M)`` are L(a) + M(b).

    >>> append(Layout(4, 1), Layout(8, 4))
    Layout('(4,8):(1,4)')
    """
    return _extended(operand, mode, _count(operand, rank), lambda x, m: (*x, *m))


@word("""
    modes: prepend(L: modes, mode: modes?, n: integer?)
    L with a mode before it
    prepend((4,8):(1,4), 2:32)
""")
def prepend(operand: Any, mode: Any = None, rank: int | None = None) -> Any:
    """``mode`` in front of the others, like `append`.

    >>> prepend(Layout(4, 1), Layout(8, 4))
    Layout('(8,4):(4,1)')
    """
    return _extended(operand, mode, _count(operand, rank), lambda x, m: (*m, *x))


Join = Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]]


def _count(operand: Any, rank: int | None) -> int:
    """How many modes are missing."""
    if rank is None:
        return 1
    check_listed("append", rank, "modes", name="rank")
    return max(0, rank - _rank(operand))


def _extended(operand: Any, mode: Any, count: int, join: Join) -> Any:
    if isinstance(operand, Layout):
        made = mode if isinstance(mode, Layout) else Layout(1, 0) if mode in (None, 1) else Layout(mode)
        return concat(*join(operand.modes(), (made,) * count))
    if isinstance(operand, Composed):
        return Composed(operand.swizzle, operand.offset, _extended(operand.layout, mode, count, join))
    if isinstance(operand, Tensor):
        return Tensor(operand.offset, _extended(operand.layout or Layout(()), mode, count, join))
    return join(_modes(operand), (1 if mode is None else mode,) * count)


@word("""
    modes: replace(L: modes, i: integer, mode: modes)
    L with mode i replaced
    replace((4,8):(1,4), 1, 2:4)
""")
def replace(operand: Any, where: int | tuple[int, ...], mode: Any) -> Any:
    """The layout or tuple with the mode at an index, or a path of indices, replaced.

    >>> replace(Layout((2, 3), (1, 2)), 1, Layout((3, 3), (2, 0)))
    Layout('(2,(3,3)):(1,(2,0))')
    """
    path = where if isinstance(where, tuple) else (where,)
    if not path:
        return mode
    if isinstance(mode, Layout) is isinstance(operand, tuple) or isinstance(mode, (Composed, Tensor)):
        raise refuse(
            "LC103", "replace: {mode} is no mode of {operand}",
            op="replace", mode=_text(mode), operand=_text(operand), right_path=(),
        )  # fmt: skip
    _check_index("replace", operand, path[0])
    if isinstance(operand, Layout):
        modes = list(operand.modes())
        modes[path[0]] = replace(modes[path[0]], path[1:], mode)
        return concat(*modes)
    if isinstance(operand, Composed):
        return Composed(operand.swizzle, operand.offset, replace(operand.layout, path, mode))
    if isinstance(operand, Tensor):
        return Tensor(operand.offset, replace(operand.layout or Layout(()), path, mode))
    entries = list(_modes(operand))
    entries[path[0]] = replace(entries[path[0]], path[1:], mode)
    return tuple(entries)


def _rank(operand: Any) -> int:
    return len(operand) if isinstance(operand, tuple) else getattr(operand, "rank", 1)


def _check_index(op: str, operand: Any, index: int) -> None:
    if not 0 <= index < _rank(operand):
        raise refuse(
            "LC103", "{op}: {operand} has no mode {index}", op=op, operand=_text(operand), index=index, left_path=()
        )


def _check_range(op: str, operand: Any, begin: int, end: int) -> None:
    if not 0 <= begin <= end <= _rank(operand):
        raise refuse(
            "LC103",
            "{op}: {begin} to {end} is no range of modes of {operand}, which has {rank}",
            op=op,
            operand=_text(operand),
            begin=begin,
            end=end,
            rank=_rank(operand),
            left_path=(),
        )


def _text(operand: Any) -> str:
    return format_htuple(operand) if isinstance(operand, tuple) else str(operand)
