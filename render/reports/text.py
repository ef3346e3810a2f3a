"""A diagnostic for people: the message, the source with its labels, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

from laycalc.diagnostics.source import position

from .visible import visible

if TYPE_CHECKING:
    from laycalc.diagnostics.model import Diagnostic, Label

    from .style import Style

WIDTH = 160
"""Longest source line shown whole; of a longer one the part around the label is shown."""


def headline(diagnostic: Diagnostic, style: Style, *, where: str = "", case: str = "") -> str:
    """The first line of a diagnostic; ``case`` names the values of loop variables."""
    tone = style.error if diagnostic.severity == "error" else style.warning
    lead = f" {case}:" if case else ""
    place = f"{visible(where)}: " if where else ""
    return (
        place
        + tone(f"{diagnostic.severity}[{diagnostic.code}]")
        + style.strong(visible(f":{lead} {diagnostic.message}"))
    )


def diagnostic_text(diagnostic: Diagnostic, style: Style, *, file: str = "", case: str = "") -> str:
    """The lines of a diagnostic for people; the source says where it stands, or ``file`` does."""
    lines = [headline(diagnostic, style, case=case)]
    if diagnostic.source and diagnostic.labels:
        lines += _excerpt(diagnostic, style, file or getattr(diagnostic.source, "file", ""))
    elif where := file or getattr(diagnostic.source, "file", ""):
        lines.append(f"  {style.dim('-->')} {visible(where)}")
    margin = "  "
    if diagnostic.witness:
        lines.append(f"{margin}{style.dim('witness:')} {visible(diagnostic.witness)}")
    lines += [f"{margin}{style.dim('note:')} {visible(note)}" for note in diagnostic.notes]
    for suggestion in diagnostic.suggestions:
        value = f" = {suggestion.value}" if suggestion.value else ""
        change = f"  ({suggestion.change})" if suggestion.change else ""
        lines.append(f"{margin}{style.good('works:')} {visible(suggestion.expr + value)}{style.dim(visible(change))}")
    if diagnostic.code[:3] not in ("LC1", "LC9"):
        lines.append(f"{margin}{style.dim('see:')} laycalc explain {diagnostic.code}")
    return "\n".join(lines)


def _excerpt(diagnostic: Diagnostic, style: Style, file: str) -> list[str]:
    source = diagnostic.source
    before = getattr(source, "before", 0)
    by_line: dict[int, list[tuple[int, int, str]]] = {}
    for label in diagnostic.labels:
        number, start, end = _on_line(source, label)
        by_line.setdefault(number, []).append((start, end, label.text))
    texts = getattr(source, "shown", source).split("\n")
    gutter = len(str(before + max(by_line)))
    line, column = position(source, min(label.start for label in diagnostic.labels))
    lines = []
    if file:
        lines.append(f"{' ' * gutter}{style.dim('-->')} {visible(file)}:{line}:{column}")
    for number in sorted(by_line):
        text, shift = _window(texts[number - 1], min(s for s, _, _ in by_line[number]))
        lines.append(f"{style.dim(f'{before + number:>{gutter}} |')} {_line(text)}")
        for row, remark in _rows(sorted(by_line[number])):
            marks = ""
            for start, end in row:
                marks = marks.ljust(_columns(text[: start - shift]))
                marks += "^" * max(1, _columns(text[max(0, start - shift) : max(0, end - shift)]))
            mark = f"{marks} {visible(remark)}" if remark else marks
            lines.append(f"{style.dim(' ' * gutter + ' |')} {style.mark(mark)}")
    return lines


def _rows(marks: list[tuple[int, int, str]]) -> list[tuple[list[tuple[int, int]], str]]:
    """The marks of a line by rows: those without a remark of their own stand in the row of the one before."""
    rows: list[tuple[list[tuple[int, int]], str]] = []
    for start, end, remark in marks:
        if rows and remark in ("", rows[-1][1]) and start >= rows[-1][0][-1][1]:
            rows[-1][0].append((start, end))
        else:
            rows.append(([(start, end)], remark))
    return rows


def _on_line(source: str, label: Label) -> tuple[int, int, int]:
    """(line from 1, start column, end column) of a label, cut at the end of its first line."""
    start = min(label.start, len(source))
    begin = source.rfind("\n", 0, start) + 1
    stop = source.find("\n", start)
    stop = len(source) if stop < 0 else stop
    return source.count("\n", 0, start) + 1, start - begin, max(start, min(label.end, stop)) - begin


def _window(text: str, around: int) -> tuple[str, int]:
    """The part of a long line around a column, and how many characters were cut in front."""
    if len(text) <= WIDTH:
        return text, 0
    begin = max(0, min(around - WIDTH // 3, len(text) - WIDTH))
    return text[begin : begin + WIDTH], begin


def _line(text: str) -> str:
    """A source line as it is shown: a tab as its picture, so that the marks stand below what they mark."""
    return visible(text).replace("\t", "\u2409")


def _columns(text: str) -> int:
    return sum(0 if category(c) == "Mn" else 2 if east_asian_width(c) in "WF" else 1 for c in text)
