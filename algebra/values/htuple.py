"""Nested tuples (HTuples): a leaf, or a tuple of nested tuples (CuTe paper, section 2.1).

Every pair of parentheses is a tuple level: ``(8,)`` has depth 1 and is not the leaf ``8``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from ..base.errors import refuse
from ..base.words import word

HTuple: TypeAlias = Any
"""A leaf or a (nested) tuple of leaves."""


@word("""
    modes: rank(x: tuple)
    the number of modes
    rank((4,(3,2)):(2,(8,1)))
    over: shape
""")
def rank(x: HTuple) -> int:
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
def depth(x: HTuple) -> int:
    """0 for a leaf, else 1 + the greatest depth of a mode (paper 2.1).

    >>> depth(31), depth(((4, 6), (3, (2, 2), 8)))
    (0, 3)
    """
    if not isinstance(x, tuple):
        return 0
    return 1 + max((depth(e) for e in x), default=0)


def flatten(x: HTuple) -> tuple[Any, ...]:
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


def map_leaves(f: Callable[..., Any], x: HTuple, *others: HTuple) -> HTuple:
    """Apply ``f`` leaf by leaf to congruent nested tuples."""
    if isinstance(x, tuple):
        return tuple(map_leaves(f, *modes) for modes in zip(x, *others, strict=True))
    return f(x, *others)


def unflatten(leaves: Iterable[Any], profile: HTuple) -> HTuple:
    """Lay ``leaves`` out in the profile of ``profile``: the inverse of `flatten`.

    >>> unflatten([1, 2, 3], (0, (0, 0)))
    (1, (2, 3))
    """
    return _laid_out(iter(leaves).__next__, profile)


def _laid_out(following: Callable[[], Any], profile: HTuple) -> HTuple:
    if not isinstance(profile, tuple):
        return following()
    return tuple([_laid_out(following, x) if isinstance(x, tuple) else following() for x in profile])


def leaf_paths(x: HTuple) -> Iterator[tuple[int, ...]]:
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


def nth_leaf_path(x: HTuple, n: int) -> tuple[int, ...]:
    """The path of leaf number ``n``.

    >>> nth_leaf_path((2, (4, 1)), 2)
    (1, 1)
    """
    return next(islice(leaf_paths(x), n, None))


def at_path(x: HTuple, path: Iterable[int]) -> HTuple:
    """The sub-tuple at a path of mode indices; mode 0 of a leaf is the leaf itself."""
    for i in path:
        if isinstance(x, tuple) and 0 <= i < len(x):
            x = x[i]
        elif isinstance(x, tuple) or i != 0:
            raise refuse("LC103", "{value} has no mode {index}", op="mode", value=format_htuple(x), index=i)
    return x


@word("""
    coordinates: congruent(a: tuple, b: tuple)
    the same nesting
    congruent((4,(2,4)), (7,(3,2)))
    over: shape
""")
def congruent(a: HTuple, b: HTuple) -> bool:
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
def weakly_congruent(a: HTuple, b: HTuple) -> bool:
    """``a`` is a leaf, or both are tuples of equal rank and weakly congruent mode by mode (paper 2.1).

    >>> weakly_congruent(30, (1, 2)), weakly_congruent((1, 2), (1, 2, 3))
    (True, False)
    """
    if not isinstance(a, tuple):
        return True
    return isinstance(b, tuple) and len(a) == len(b) and all(map(weakly_congruent, a, b))


def format_htuple(x: HTuple) -> str:
    """The text that reads back as ``x``: no blanks, ``(8)`` for a 1-tuple.

    >>> format_htuple((2, (4,), ()))
    '(2,(4),())'
    """
    if isinstance(x, tuple):
        return "(" + ",".join(map(format_htuple, x)) + ")"
    return "_" if x is None else str(x)
