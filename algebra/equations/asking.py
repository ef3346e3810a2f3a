"""One equation of three forms: all that is known of its X, and whether X fulfils the law at every index."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product, zip_longest
from typing import Any

from ..operations.divide import logical_divide
from ..values.layout import make
from ..values.lifting import Lifted, lift
from ..values.semimodule import Xor
from ..values.tensor import Tensor
from ..values.tiler import Tiler
from .inverses import is_listed, left_factor_by_inverse, right_factor_by_inverse
from .left import right_factor
from .right import left_factor
from .solution import SOLVED, Solution
from .tilers import composing_tiler, dividing_tiler

__all__ = ["broken_at", "factor", "solution"]


UNSEEN = "not looked for: there are too many values to list"


def factor(known: Lifted, wanted: Lifted, *, on_left: bool = False) -> Solution:
    """All that is known of the layout X in ``known o X = wanted``, or in ``X o known = wanted`` if ``on_left``."""
    if not is_listed(known, wanted, on_left=on_left):
        found = (left_factor_by_inverse if on_left else right_factor_by_inverse)(known, wanted)
        return Solution(SOLVED, found, freedom=UNSEEN)
    return (left_factor if on_left else right_factor)(known, wanted)


def solution(operator: str, known: Lifted, wanted: Lifted, *, on_left: bool = False) -> Solution:
    """The same for the operator ``o``, and X in ``known / X = wanted`` for ``/``.

    X is a layout; where none composes, a tiler is tried, and it is one that divides.
    """
    if operator == "/":
        return dividing_tiler(known, wanted)
    found = factor(known, wanted, on_left=on_left)
    if found.verdict == SOLVED or on_left:
        return found
    tiled = composing_tiler(known, wanted)
    return tiled if isinstance(tiled.value, Tiler) else found


def broken_at(operator: str, known: Lifted, x: Any, wanted: Lifted, *, on_left: bool = False) -> int | None:
    """The first index where the law of an equation fails for X, None if it holds at all of them."""
    if operator == "/":
        found = lift(logical_divide)(known, x).elements()
    elif on_left:
        found = list(map(x.element, known.elements()))
    elif isinstance(x, Tiler):
        found = _by_mode(known, x)
    else:
        found = list(map(known.element, x.elements()))
    pairs = zip_longest(map(_plain, found), map(_plain, wanted.elements()))
    return next((c for c, (a, b) in enumerate(pairs) if a != b), None)


def _by_mode(known: Lifted, tiler: Tiler) -> list[Any]:
    """The values of A o <X0,X1,...>: A at the coordinates (X0(c0), X1(c1), ...)."""
    pairs = zip(tiler.modes, _modes(known), strict=True)
    tiles = [make(mode.size if x is None else x, 1) if x is None or type(x) is int else x for x, mode in pairs]
    # The first mode runs fastest.
    return [known.element(at[::-1]) for at in product(*[tile.elements() for tile in reversed(tiles)])]


def _modes(known: Lifted) -> Sequence[Lifted]:
    if isinstance(known, Tensor):
        return _modes(known.layout) if known.layout is not None else ()
    return [known[i] for i in range(known.rank)]


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Xor) else value
