"""Heat maps: sheets too large to label, a pixel for each cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed

from ..scene.axes import tick_axis
from ..scene.options import HEAT_LIMIT, HEAT_SIDE, Options
from ..scene.sample import extent_text
from ..scene.scene import Frame, Key, Panel, Raster, Scene, outline
from .colouring import colouring, numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.sample import Samples

BORDERED = 1 << 18
"""Heat maps of more cells have no borders between their groups."""
HUGE = 1 << 60
"""Larger numbers do not fit the 64 bits of an array."""


def check_heat(rows: int, columns: int) -> None:
    """LC104 if a heat map would have too many cells, or too long a side."""
    if rows * columns > HEAT_LIMIT or max(rows, columns) > HEAT_SIDE:
        raise refuse(
            "LC104",
            "{rows} x {columns} cells are too many: a heat map holds {limit} of them and {side} along a side; crop it",
            op="draw",
            rows=extent_text(rows),
            columns=extent_text(columns),
            limit=HEAT_LIMIT,
            side=HEAT_SIDE,
        )


def heat_scene(samples: Samples, rows: range, columns: range, options: Options, notes: tuple[str, ...]) -> Scene:
    """The first sheet of a value as a heat map of its offsets, or of the groups that ``color_by`` names.

    A value of rank 1 is folded into rows.
    """
    height, width = rows.stop - rows.start, columns.stop - columns.start
    if samples.rank < 2:
        width = options.wrap or 1 << (width.bit_length() + 1) // 2
        height = -(-(columns.stop - columns.start) // width)
    check_heat(height, width)
    if samples.sheets > 1:
        notes = (*notes, f"the first of {extent_text(samples.sheets)} sheets")
    frames: tuple[Frame, ...] = ()
    keys: tuple[Key, ...] = ()
    if options.color_by in (None, "offset"):
        raster = _raster(samples, rows, columns, height, width)
        shown = f"offsets from {raster.low} to {raster.high}"
    else:
        raster, frames, keys = _grouped(samples, rows, columns, height, width, options)
        shown = f"each cell in the colour of its {options.color_by}"
    if samples.rank > 1:
        axes = tick_axis(rows, "mode 0"), tick_axis(columns, "mode 1")
    else:
        axes = tick_axis(range(0, height * width, width)), tick_axis(range(width))
    panel = Panel(height, width, row_axis=axes[0], column_axis=axes[1], frames=frames, raster=raster)
    barred = not raster.roles and options.legend is not False
    return options.scene(
        "heat",
        [panel],
        f"{samples.value} as a heat map of {height} rows and {width} columns: {shown}.",
        caption=str(samples.value),
        legend=keys,
        notes=notes,
        ends=(extent_text(raster.low), extent_text(raster.high)) if barred else (),
    )


def _grouped(
    samples: Samples, rows: range, columns: range, height: int, width: int, options: Options
) -> tuple[Raster, tuple[Frame, ...], tuple[Key, ...]]:
    """The groups of a window with the borders between them and their legend."""
    import numpy as np

    colours = colouring(samples, options, ())
    numbers = _numbers(samples, rows, columns)[0]
    down = np.arange(rows.start, rows.stop)[:, None] if samples.rank > 1 else np.zeros((1, 1), dtype=np.int64)
    across = np.arange(columns.start, columns.stop)[None, :]
    found = np.broadcast_to(colours.group(down, across, numbers), numbers.shape).ravel()
    names, where = np.unique(found, return_inverse=True)
    roles = [colours.role(int(k)) for k in names]
    kinds = list(dict.fromkeys(roles))
    levels = np.zeros(height * width, dtype=np.uint8)
    levels[: where.size] = np.array([1 + kinds.index(role) for role in roles], dtype=np.uint8)[where]
    groups = np.full(height * width, -1)
    groups[: where.size] = where
    return Raster(levels.tobytes(), 0, 0, roles=tuple(kinds)), borders(groups.tolist(), height, width), colours.keys


def borders(groups: Sequence[int], rows: int, columns: int) -> tuple[Frame, ...]:
    """Borders between the groups of a heat map, where they are few enough to be seen."""
    if rows * columns > BORDERED:
        return ()
    segments = outline(rows, columns, lambda i, j: groups[i * columns + j])
    return (Frame("tile", segments),) if 2 * len(segments) <= rows + columns else ()


def raster_of(numbers: Any, rows: int, columns: int, *, hole: int | None = None) -> Raster:
    """Numbers (an array, row by row) as palette indices; ``hole`` marks cells that stay white."""
    import numpy as np

    numbers = np.asarray(numbers).ravel()
    known = numbers if hole is None else numbers[numbers != hole]
    low, high = (int(known.min()), int(known.max())) if known.size else (0, 0)
    levels = np.zeros(rows * columns, dtype=np.uint8)
    step = 1 << 20
    for at in range(0, numbers.size, step):
        # Piece by piece: the intermediate numbers are eight times as large as the result.
        part = numbers[at : at + step]
        index = 1 + (part - low) / max(high - low, 1) * 254
        levels[at : at + part.size] = index if hole is None else np.where(part == hole, 0, index)
    return Raster(levels.tobytes(), low, high)


def _raster(samples: Samples, rows: range, columns: range, height: int, width: int) -> Raster:
    """The offsets of a window as a raster."""
    numbers, left, right, shift = _numbers(samples, rows, columns)
    raster = raster_of(numbers, height, width)
    return replace(raster, rows=left, columns=right, low=raster.low << shift, high=raster.high << shift)


def _numbers(samples: Samples, rows: range, columns: range) -> tuple[Any, tuple[int, ...], tuple[int, ...], int]:
    """The numbers of a window as an array, and where they are sums the parts of its rows and columns.

    Numbers beyond 64 bits have lost as many of their lowest bits as the last result says.
    """
    value, swizzle, offset = samples.value, None, 0
    if isinstance(value, Composed):
        swizzle, offset, value = value.swizzle, value.offset, value.layout
    if not isinstance(value, Layout):
        flat = chain.from_iterable(samples.block(rows, columns) if samples.rank > 1 else samples.block([0], columns))
        return _array(numbers_of(list(flat))).reshape(-1, len(columns)), (), (), 0
    left, right = _parts(value, rows, columns)
    most = max(map(abs, chain(left, right, [offset])), default=0)
    shift = max(0, most.bit_length() - HUGE.bit_length())
    if swizzle is not None and shift:
        raise refuse("LC104", "offsets of {bits} bits are too large for a heat map", op="draw", bits=most.bit_length())
    one, other = (_array([v >> shift for v in part])[:, None] for part in (left, right))
    found = one ^ other.T if value.semimodule == "F2" else one + other.T
    if swizzle is not None:
        # A swizzle is shifts and XORs: it takes an array as well as a number.
        return swizzle(found + offset), (), (), 0
    summed = value.semimodule == "Z" and samples.rank > 1
    return found, tuple(left) if summed else (), tuple(right) if summed else (), shift


def _array(numbers: Sequence[int]) -> Any:
    import numpy as np

    return np.array(numbers, dtype=np.int64)


def _parts(layout: Layout, rows: range, columns: range) -> tuple[list[int], list[int]]:
    """What the rows and what the columns of a window contribute; a layout of rank 1 has no rows."""
    modes = layout.modes()
    downs = [modes[0].element(i) for i in rows] if len(modes) > 1 else [0]
    across = modes[1] if len(modes) > 1 else layout
    return _summands(downs, across.elements() if len(columns) == across.size else list(map(across.element, columns)))


def _summands(downs: Sequence[Any], acrosses: Sequence[Any]) -> tuple[list[int], list[int]]:
    """Integers whose sums (XORs) order the cells: the parts themselves, coordinates in colexicographic order."""
    if not any(isinstance(v, Coordinate) for v in chain(downs, acrosses)):
        return [_integer(v) for v in downs], [_integer(v) for v in acrosses]
    paths = sorted({p for v in chain(downs, acrosses) if isinstance(v, Coordinate) for p, _ in v.terms})
    weight, weights = 1, {}
    for path in paths:
        weights[path] = weight
        weight *= 1 + sum(max(abs(_axis(v, path)) for v in part) for part in (downs, acrosses))
    left, right = ([sum(_axis(v, p) * w for p, w in weights.items()) for v in x] for x in (downs, acrosses))
    return left, right


def _integer(value: Any) -> int:
    return int(value.value if isinstance(value, Xor) else value)


def _axis(value: Any, path: tuple[int, ...]) -> int:
    return int(value.axis(path)) if isinstance(value, Coordinate) else 0
