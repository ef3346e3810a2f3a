"""Nested tuples (HTuples): a leaf, or a tuple of nested tuples (CuTe paper, section 2.1).

Every pair of parentheses is a tuple level: ``(8,)`` has depth 1 and is not the leaf ``8``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import index
from typing import Any, SupportsIndex, TypeAlias

from ..base.above import above
from ..base.errors import refuse
from ..base.words import word

HTuple: TypeAlias = "int | tuple[HTuple, ...]"
"""A nested tuple of integers: a shape, a coordinate, an index."""

Pattern: TypeAlias = "int | tuple[Pattern, ...] | None"
"""The same with None for what is left alone, or left free."""

Sizes: TypeAlias = "SupportsIndex | tuple[Sizes, ...] | list[Sizes]"
"""What is taken for a nested tuple of integers: those of any type, alone or in tuples and lists."""

ShapeLike: TypeAlias = "Sizes | str"
"""What a layout is made of: sizes, or text."""

Nested: TypeAlias = Any
"""A nested tuple of anything, such as strides; a leaf is what is no tuple."""


def plain(x: Any) -> Any:
    """Sequences as tuples and whole numbers of any type as integers, all the way down; the rest stays as it is.

    Lists, named tuples, sizes of arrays; integers of numpy and torch, and their arrays as nested tuples.

    >>> plain([4, [8]])
    (4, (8,))
    """
    if type(x) is int or x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, (tuple, list)):
        return tuple([e if type(e) is int else plain(e) for e in x])
    if hasattr(x, "symbols") or not hasattr(type(x), "__index__"):
        return x
    if hasattr(x, "tolist"):
        listed = x.tolist()
        return plain(listed) if isinstance(listed, (int, list)) else x
    try:
        return index(x)
    except TypeError:
        return x


def is_sliced(index: Any) -> bool:
    """Are modes of a coordinate left free, by None or ``:``?"""
    return any(map(is_sliced, index)) if isinstance(index, tuple) else index is None or isinstance(index, slice)


def is_special(coordinate: Any) -> bool:
    """Has a coordinate free modes, arrays, or integers that are not Python's own?"""
    if isinstance(coordinate, (tuple, list)):
        return isinstance(coordinate, list) or any(map(is_special, coordinate))
    if coordinate is None or isinstance(coordinate, slice):
        return True
    # A number of the algebra, or what is none of any library.
    if type(coordinate) in (int, bool) or hasattr(coordinate, "symbols"):
        return False
    return hasattr(coordinate, "__index__")


def path_of(index: Any, shape: HTuple) -> tuple[int, ...]:
    """The path that an index names; a negative one counts from the end. LC103 if a shape has no such mode."""
    path = plain(index if isinstance(index, tuple) else (index,))
    found = []
    for i in path:
        count = len(shape) if isinstance(shape, tuple) else 1
        if type(i) is not int or not -count <= i < count:
            given = format_htuple(path)
            raise refuse(
                "LC103", "there is no mode {index} in {shape}", op="mode", index=given, shape=format_htuple(shape)
            )
        found.append(i % count)
        shape = shape[i] if isinstance(shape, tuple) else shape
    return tuple(found)


def told(x: Any) -> Any:
    """What a constructor is given, `plain`; a text is the value that it denotes."""
    if isinstance(x, str):
        return above("value")(x)
    try:
        return plain(x)
    except RecursionError:
        raise refuse("LC104", "tuples are nested too deeply", op="value") from None


@word("""
    modes: rank(x: tuple)
    the number of modes
    rank((4,(3,2)):(2,(8,1)))
    over: shape
""")
def rank(x: Nested) -> int:
    """The number of modes: 1 for a leaf (paper 2.1).

    >>> rank(31), rank((2, (4, 1), -1))
    (1, 3)
    """
    return len(x) if isinstance(x, tuple) else 1


@word("""
    modes: depth(x: tuple)
    the depth of nesting
    depth((4,(3,2)):(2,(8,1)))
    over: shape
""")
def depth(x: Nested) -> int:
    """0 for a leaf, else 1 + the greatest depth of a mode (paper 2.1).

    >>> depth(31), depth(((4, 6), (3, (2, 2), 8)))
    (0, 3)
    """
    if not isinstance(x, tuple):
        return 0
    return 1 + max((depth(e) for e in x), default=0)


def flatten(x: Nested) -> tuple[Any, ...]:
    """The leaves from left to right.

    >>> flatten((2, (4, (1,)), 3))
    (2, 4, 1, 3)
    """
    if type(x) is not tuple:
        return (x,)
    for e in x:
        if type(e) is tuple:
            break
    else:
        return x
    leaves: list[Any] = []
    for e in x:
        if type(e) is tuple:
            leaves += flatten(e)
        else:
            leaves.append(e)
    return tuple(leaves)


def map_leaves(f: Callable[..., Any], x: Nested, *others: Nested) -> Nested:
    """Apply ``f`` leaf by leaf to congruent nested tuples."""
    if isinstance(x, tuple):
        return tuple(map_leaves(f, *modes) for modes in zip(x, *others, strict=True))
    return f(x, *others)


def unflatten(leaves: Iterable[Any], profile: Nested) -> Nested:
    """Lay ``leaves`` out in the profile of ``profile``: the inverse of `flatten`.

    >>> unflatten([1, 2, 3], (0, (0, 0)))
    (1, (2, 3))
    """
    return _laid_out(iter(leaves).__next__, profile)


def _laid_out(following: Callable[[], Any], profile: Nested) -> Nested:
    if not isinstance(profile, tuple):
        return following()
    return tuple([_laid_out(following, x) if isinstance(x, tuple) else following() for x in profile])


def leaf_paths(x: Nested) -> Iterator[tuple[int, ...]]:
    """The path of every leaf, left to right; the path of a bare leaf is ().

    >>> list(leaf_paths((2, (4, 1))))
    [(0,), (1, 0), (1, 1)]
    """
    if not isinstance(x, tuple):
        yield ()
    else:
        for i, e in enumerate(x):
            for path in leaf_paths(e):
                yield (i, *path)


def nth_leaf_path(x: Nested, n: int) -> tuple[int, ...]:
    """The path of leaf number ``n``.

    >>> nth_leaf_path((2, (4, 1)), 2)
    (1, 1)
    """
    return next(islice(leaf_paths(x), n, None))


def at_path(x: Nested, path: Iterable[int]) -> Nested:
    """The sub-tuple at a path of mode indices; mode 0 of a leaf is the leaf itself."""
    for i in path:
        if isinstance(x, tuple) and 0 <= i < len(x):
            x = x[i]
        elif isinstance(x, tuple) or i != 0:
            raise refuse("LC103", "{value} has no mode {index}", op="mode", value=format_htuple(x), index=i)
    return x


def entries(x: Nested) -> tuple[Any, ...]:
    """The modes of a nested tuple; a leaf is its own only mode.

    >>> entries((2, (3, 4))), entries(5)
    ((2, (3, 4)), (5,))
    """
    return x if isinstance(x, tuple) else (x,)


@word("""
    coordinates: congruent(a: tuple, b: tuple)
    the same nesting
    congruent((4,(2,4)), (7,(3,2)))
    over: shape
""")
def congruent(a: Nested, b: Nested) -> bool:
    """Equal profiles: the same nesting (paper 2.1).

    >>> congruent((4, (2, 4)), (7, (3, 2))), congruent((4, 8), (4, (2, 4)))
    (True, False)
    """
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(congruent, a, b))
    return not isinstance(b, tuple)


@word("""
    coordinates: weakly_congruent(a: tuple, b: tuple)
    the nesting of a reaches into that of b
    weakly_congruent(30, (2,15))
    over: shape
""")
def weakly_congruent(a: Nested, b: Nested) -> bool:
    """``a`` is a leaf, or both are tuples of equal rank and weakly congruent mode by mode (paper 2.1).

    >>> weakly_congruent(30, (1, 2)), weakly_congruent((1, 2), (1, 2, 3))
    (True, False)
    """
    if not isinstance(a, tuple):
        return True
    return isinstance(b, tuple) and len(a) == len(b) and all(map(weakly_congruent, a, b))


def format_htuple(x: Nested) -> str:
    """The text that reads back as ``x``: no blanks, ``(8)`` for a 1-tuple.

    >>> format_htuple((2, (4,), ()))
    '(2,(4),())'
    """
    if not isinstance(x, tuple):
        return "_" if x is None else str(x)
    inside = ",".join([str(e) if type(e) is int else format_htuple(e) for e in x])
    return f"({inside},)" if len(x) == 1 and _is_expression(x[0], inside) else f"({inside})"


def _is_expression(x: Any, text: str) -> bool:
    """Would brackets around an entry with unknown numbers only group it? A comma makes them a tuple."""
    if isinstance(x, (int, tuple)):
        return False
    return any(mark in text for mark in ("*/+-(" if hasattr(x, "symbols") else "*"))
