"""The values of flat modes in order of the index (colexicographic, first mode fastest).

Integers are laid out as ranges, which cost no Python arithmetic per value; coordinates axis by axis, as integers; XOR
values by doubling.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from .htuple import HTuple
from .semimodule import Coordinate, Xor, clmul

Modes = list[tuple[Any, Any]]
Path = tuple[int, ...]


def elements(shape: Iterable[Any], stride: Iterable[Any]) -> list[Any]:
    """All values as semimodule elements: integers, `Coordinate` or `Xor`, 0 for the zero of each.

    >>> elements((2, 2), (Xor(1), Xor(2)))
    [0, Xor(1), Xor(2), Xor(3)]
    """
    modes = list(zip(shape, stride, strict=True))
    for _, d in modes:
        if isinstance(d, Coordinate):
            paths, columns = _axes(modes)
            return [_sum(paths, row) for row in zip(*columns, strict=True)]
        if isinstance(d, Xor):
            return [Xor.of(v) for v in xor_values(modes)]
    return _integers(_joined(modes))


def coordinate_values(shape: Iterable[Any], stride: Iterable[Any], profile: HTuple) -> list[Any]:
    """All values of coordinate strides as nested tuples of the codomain's profile.

    >>> coordinate_values((2, 2), (Coordinate((((1,), 1),)), Coordinate((((0,), 5),))), (0, 0))
    [(0, 0), (0, 1), (5, 0), (5, 1)]
    """
    paths, columns = _axes(list(zip(shape, stride, strict=True)))
    column = dict(zip(paths, columns, strict=True))
    still = [0] * len(columns[0])

    def rows(profile: HTuple, path: Path) -> list[Any]:
        if not isinstance(profile, tuple):
            return column.get(path, still)
        return list(zip(*(rows(mode, (*path, i)) for i, mode in enumerate(profile)), strict=True))

    return rows(profile, ())


def xor_values(modes: Modes) -> list[int]:
    """All values of XOR strides as integers."""
    values = [0]
    for s, d in modes:
        if s == 2:
            step = d.value if d else 0
            values += [v ^ step for v in values]
        elif s != 1:
            steps = [clmul(k, d.value) if d else 0 for k in range(s)]
            values = [v ^ step for step in steps for v in values]
    return values


def _joined(modes: Modes) -> Modes:
    """Without size-1 modes; integer neighbours that continue one another are one longer range."""
    joined: Modes = []
    for s, d in modes:
        if s == 1:
            continue
        if joined and type(d) is int and type(joined[-1][1]) is int and d == joined[-1][0] * joined[-1][1]:
            joined[-1] = (joined[-1][0] * s, joined[-1][1])
        else:
            joined.append((s, d))
    return joined


def _integers(modes: Modes) -> list[Any]:
    if not modes:
        return [0]
    s, d = modes[0]
    starts = [0]
    for extent, stride in reversed(modes[1:]):
        # The outer modes are unrolled from the last inwards: each start is one range of the first mode.
        starts = [base + k * stride for base in starts for k in range(extent)]
    if d == 0:
        return list(chain.from_iterable([v] * s for v in starts))
    return list(chain.from_iterable(range(v, v + s * d, d) for v in starts))


def _axes(modes: Modes) -> tuple[list[Path], list[list[Any]]]:
    """The axes that coordinate strides move along, in order, and the coefficients of all values along each."""
    paths = sorted({path for _, d in modes if isinstance(d, Coordinate) for path, _ in d.terms})
    along = [[(s, d.axis(path) if isinstance(d, Coordinate) else 0) for s, d in modes] for path in paths]
    return paths, [_integers(_joined(axis)) if _are_known(axis) else _sums(axis) for axis in along]


def _are_known(modes: Modes) -> bool:
    return all(type(d) is int for _, d in modes)


def _sums(modes: Modes) -> list[Any]:
    values: list[Any] = [0]
    for s, d in modes:
        values = [v + step for step in [k * d for k in range(s)] for v in values]
    return values


def _sum(paths: list[Path], coefficients: tuple[Any, ...]) -> Coordinate | int:
    terms = tuple([(path, c) for path, c in zip(paths, coefficients, strict=True) if type(c) is not int or c])
    return Coordinate(terms) if terms else 0
