"""The role of every cell of a layout grid, for each choice of ``color_by``, with the legend that explains it."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import at_path, flatten
from laycalc.algebra.values.shape import crd2idx, size
from laycalc.algebra.values.swizzle import Composed

from ..scene.palette import GROUPS, SERIES, theme_of
from ..scene.roles import QUAD, bank_keys, bank_of, bank_role, chunk_keys, chunk_of, group_role, offset_roles
from ..scene.scene import Key

if TYPE_CHECKING:
    from ..scene.options import Options
    from ..scene.sample import Samples


@dataclass(frozen=True, slots=True)
class Colouring:
    """Which group a cell belongs to, by its row, its column and the number of its value (arrays of them too), which
    role a group has, and the legend.
    """

    group: Callable[[Any, Any, Any], Any]
    role: Callable[[int], str]
    keys: tuple[Key, ...] = ()

    def __call__(self, row: int, column: int, number: int) -> str:
        return self.role(self.group(row, column, number))


def only(cells: Container[tuple[int, int]], role: Callable[[int, int, int], str]) -> Callable[[int, int, int], str]:
    """The role of the given cells; all others are plain."""
    return lambda i, j, n: role(i, j, n) if (i, j) in cells else "plain"


def numbers_of(values: Sequence[Any]) -> list[int]:
    """A number for every value: itself, or the colexicographic rank of a coordinate among those that occur."""
    if not values or type(values[0]) is int:
        return list(values)
    entries = [flatten(v) for v in values]
    low = [min(e) for e in zip(*entries, strict=True)]
    shape = tuple(max(e) - a + 1 for e, a in zip(zip(*entries, strict=True), low, strict=True))
    return [crd2idx(tuple(x - a for x, a in zip(e, low, strict=True)), shape) for e in entries]


def tile_extent(mode: Any) -> int:
    """The extent of the inner part of a mode: its first entry if it has several, else all of it."""
    return int(size(mode[0] if isinstance(mode, tuple) and len(mode) > 1 else mode))


def colouring(samples: Samples, options: Options, numbers: Sequence[int]) -> Colouring:
    """The roles of cells; LC103 for a mode that the layout does not have."""
    by = options.color_by or _default(samples, options, numbers)
    if by == "none":
        return Colouring(lambda i, j, n: 0, lambda k: "plain")
    if by == "offset":
        return Colouring(lambda i, j, n: n, *offset_roles(numbers, theme_of(options.theme)))
    if by == "chunk":
        swizzle = samples.value.swizzle
        return Colouring(lambda i, j, n: chunk_of(swizzle, n), group_role, chunk_keys(swizzle))
    if by == "bank":
        bits = options.bits or 32
        return Colouring(lambda i, j, n: bank_of(n, bits), bank_role, bank_keys())
    if by == "tile":
        return _by_tile(samples)
    if by.startswith("mode"):
        return _by_mode(samples, by)
    # A layout of threads and values as a grid: mode 0 counts threads, mode 1 values.
    if by == "value":
        return Colouring(lambda i, j, n: j, group_role, _keys("V", samples.columns))
    step = {"thread": 1, "quad": QUAD, "warp": options.warp}[by]
    name = "T" if by == "thread" else f"{by} "
    return Colouring(lambda i, j, n: i // step, group_role, _keys(name, -(-samples.rows // step)))


def _default(samples: Samples, options: Options, numbers: Sequence[int]) -> str:
    """Coordinates name their cells by themselves; a swizzle moves chunks, if the layout has several of them."""
    value = samples.value
    if getattr(value, "semimodule", "") == "Z^P":
        return "none"
    if isinstance(value, Composed) and value.swizzle.bits > 0 and 1 << value.swizzle.bits <= SERIES:
        several = len({n & value.swizzle.target for n in numbers}) > 1
        return "chunk" if several and not theme_of(options.theme).bare else "offset"
    return "offset"


def _keys(what: str, n: int) -> tuple[Key, ...]:
    return tuple(Key(group_role(k), f"{what}{k}") for k in range(n)) if n <= SERIES else ()


def _by_tile(samples: Samples) -> Colouring:
    down, across = tile_extent(samples.row_shape), tile_extent(samples.column_shape)
    tall, total = samples.rows // down, samples.rows // down * (samples.columns // across)
    if total <= SERIES:
        return Colouring(lambda i, j, n: i // down + tall * (j // across), group_role, _keys("tile ", total))
    # Three further for each column of tiles: neighbours differ whichever way the eye goes.
    return Colouring(lambda i, j, n: (i // down + 3 * (j // across)) % GROUPS, group_role)


def _by_mode(samples: Samples, by: str) -> Colouring:
    digits = by[4:].split(".") if by[4:] else ["0"]
    if not all(d.isdecimal() and len(d) < 6 for d in digits):
        raise refuse("LC103", "color-by names a mode as in mode1.0, not {given}", op="draw", given=by)
    path = tuple(map(int, digits))
    modes = (samples.row_shape, samples.column_shape) if samples.rank > 1 else (samples.column_shape,)
    mode = at_path(modes, path)
    before = 1
    for depth in range(1, len(path)):
        for k in range(path[depth]):
            before *= size(at_path(modes, (*path[:depth], k)))
    extent = size(mode)
    along_rows = samples.rank > 1 and path[0] == 0

    return Colouring(
        lambda i, j, n: (i if along_rows else j) // before % extent, group_role, _keys("coordinate ", extent)
    )
