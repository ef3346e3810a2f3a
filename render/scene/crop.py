"""A window of a panel that was built whole."""

from __future__ import annotations

from dataclasses import replace

from laycalc.algebra.base.errors import refuse

from .scene import Axis, Frame, Panel, Raster, Segment, Span


def cropped(panel: Panel, window: tuple[range, range]) -> Panel:
    """The cells, labels and borders inside the window; LC103 if nothing is left."""
    rows, columns = (range(r.start, min(r.stop, n)) for r, n in zip(window, (panel.rows, panel.columns), strict=True))
    if not rows or not columns:
        raise refuse(
            "LC103",
            "the crop leaves nothing of {rows} rows and {columns} columns",
            op="draw",
            rows=panel.rows,
            columns=panel.columns,
        )
    return replace(
        panel,
        rows=len(rows),
        columns=len(columns),
        origin=(panel.origin[0] + rows.start, panel.origin[1] + columns.start),
        cells=tuple(
            c._replace(row=c.row - rows.start, column=c.column - columns.start)
            for c in panel.cells
            if c.row in rows and c.column in columns
        ),
        path=tuple((r - rows.start, c - columns.start) for r, c in panel.path if r in rows and c in columns),
        raster=panel.raster and _raster(panel.raster, panel.columns, rows, columns),
        row_axis=_axis(panel.row_axis, rows),
        column_axis=_axis(panel.column_axis, columns),
        frames=tuple(Frame(f.kind, _segments(f.segments, rows, columns)) for f in panel.frames),
    )


def _raster(raster: Raster, width: int, rows: range, columns: range) -> Raster:
    levels = b"".join(raster.levels[i * width + columns.start : i * width + columns.stop] for i in rows)
    kept = raster.rows[rows.start : rows.stop], raster.columns[columns.start : columns.stop]
    return replace(raster, levels=levels, rows=kept[0], columns=kept[1])


def _axis(axis: Axis | None, kept: range) -> Axis | None:
    if axis is None:
        return None
    levels = []
    for level in axis.levels:
        spans = []
        for span in level:
            start, stop = max(span.start, kept.start), min(span.start + span.length, kept.stop)
            if start < stop:
                spans.append(Span(start - kept.start, stop - start, span.text))
        levels.append(tuple(spans))
    return Axis(tuple(levels), axis.name)


def _segments(segments: tuple[Segment, ...], rows: range, columns: range) -> tuple[Segment, ...]:
    found = []
    for r0, c0, r1, c1 in segments:
        a, b = max(r0, rows.start), min(r1, rows.stop)
        c, d = max(c0, columns.start), min(c1, columns.stop)
        if (a < b and c == d) or (a == b and c < d):
            found.append((a - rows.start, c - columns.start, b - rows.start, d - columns.start))
    return tuple(found)
