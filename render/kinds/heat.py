"""Heat maps: sheets too large to label, a pixel for each cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed

from ..scene.options import HEAT_LIMIT, HEAT_SIDE, Options
from ..scene.sample import extent_text
from ..scene.scene import Axis, Panel, Raster, Scene, Span
from .colouring import numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.sample import Samples

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
    """The first sheet of a value as a heat map; a value of rank 1 is folded into rows."""
    height, width = rows.stop - rows.start, columns.stop - columns.start
    if samples.rank < 2:
        width = options.wrap or 1 << (width.bit_length() + 1) // 2
        height = -(-(columns.stop - columns.start) // width)
    check_heat(height, width)
    raster = _raster(samples, rows, columns, height, width)
    panel = Panel(
        height,
        width,
        row_axis=_ticks(rows if samples.rank > 1 else range(0, height * width, width)),
        column_axis=_ticks(columns if samples.rank > 1 else range(width)),
        raster=raster,
    )
    if samples.sheets > 1:
        notes = (*notes, f"the first of {extent_text(samples.sheets)} sheets")
    return options.scene(
        "heat",
        [panel],
        f"{samples.value} as a heat map of {height} rows and {width} columns: the darker, the larger the offset, "
        f"from {raster.low} to {raster.high}.",
        caption=str(samples.value),
        notes=notes,
        ends=(extent_text(raster.low), extent_text(raster.high)) if options.legend is not False else (),
    )


def _ticks(indices: range) -> Axis:
    """Some eight round numbers along a side."""
    step = 1
    while len(indices) > 8 * step:
        step *= 2
    return Axis((tuple(Span(k, 1, str(indices[k])) for k in range(0, len(indices), step)),))


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
    """A window as a raster; the values of a layout are sums of a row's and a column's part."""
    value, swizzle, offset = samples.value, None, 0
    if isinstance(value, Composed):
        swizzle, offset, value = value.swizzle, value.offset, value.layout
    if not isinstance(value, Layout):
        flat = chain.from_iterable(samples.block(rows, columns) if samples.rank > 1 else samples.block([0], columns))
        return raster_of(_array(numbers_of(list(flat))), height, width)
    left, right = _parts(value, rows, columns)
    most = max(map(abs, chain(left, right, [offset])), default=0)
    shift = max(0, most.bit_length() - HUGE.bit_length())
    if swizzle is not None and shift:
        raise refuse("LC104", "offsets of {bits} bits are too large for a heat map", op="draw", bits=most.bit_length())
    # Numbers beyond 64 bits lose their lowest bits: the colours stay right.
    one, other = (_array([v >> shift for v in part])[:, None] for part in (left, right))
    found = one ^ other.T if value.semimodule == "F2" else one + other.T
    # A swizzle is shifts and XORs: it takes an array as well as a number.
    raster = raster_of(found if swizzle is None else swizzle(found + offset), height, width)
    if value.semimodule == "Z" and swizzle is None and samples.rank > 1:
        raster = replace(raster, rows=tuple(left), columns=tuple(right))
    return replace(raster, low=raster.low << shift, high=raster.high << shift)


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
