"""A value in Markdown, for a hover: its text, measures, conditions, table or picture, and what reading it costs."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.symbolic.report import Report
from laycalc.algebra.symbolic.values import is_symbolic
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.grammar.language.functions import Function
from laycalc.grammar.language.values import kind_of, text_of
from laycalc.render.reports.measures import measures

__all__ = ["function_in_markdown", "in_markdown"]

TABLE, PICTURE = 64, 1024
"""Layouts of at most so many cells are shown as a table, larger ones up to so many as a picture."""
BYTES = 96 * 1024
"""No hover holds a larger picture."""

_SHARED = re.compile(r"(?i)smem|shared|^s[A-Z]\b|\bs[ABC]\b")


def in_markdown(value: Any, name: str = "", pictures: bool = True, bits: int = 16) -> str:
    """What is to be told of a value under a name."""
    parts = list(_report(value, name) if isinstance(value, Report) else _plain(value, name, pictures, bits))
    return "\n\n".join(parts)


def _report(report: Report, name: str) -> Iterator[str]:
    """A value with unknown sizes: under which conditions it holds."""
    yield _code(_named(name, text_of(report.value) if report.value is not None else "no value"))
    yield f"{kind_of(report.value) if report.value is not None else 'expression'} with unknown sizes: {report.verdict}"
    rows = [f"- `{one}` else {one.otherwise}" for one in report.obligations]
    if rows:
        yield "\n".join(["if", *rows])
    if report.why:
        yield f"_{_escaped(report.why)}_"


def _plain(value: Any, name: str, pictures: bool, bits: int) -> Iterator[str]:
    yield _code(_named(name, _short(text_of(value))))
    told = [line.strip() for line in measures(value)]
    yield told[0] if told else kind_of(value)
    if not isinstance(value, (Layout, Composed, Tensor, Swizzle)):
        yield from _picture(value) if pictures and _is_drawn(value) else ()
        return
    if isinstance(value, Swizzle) or is_symbolic(value):
        return
    if type(value.size) is int and value.size <= TABLE:
        yield from _table(value)
    elif pictures and type(value.size) is int and value.size <= PICTURE:
        yield from _picture(value)
    if isinstance(value, Composed) or _SHARED.search(name):
        yield from _banks(value, bits)


def _named(name: str, text: str) -> str:
    return f"{name} = {text}" if name else text


def _short(text: str) -> str:
    return text if len(text) <= 2000 else f"{text[:2000]}..."


def _code(text: str) -> str:
    return f"```layout\n{text}\n```"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#+!|-])", r"\\\1", text)


def _table(value: Any) -> Iterator[str]:
    from laycalc.render.kinds.table import table

    try:
        yield f"```text\n{str(table(value)).rstrip()}\n```"
    except LayoutError:
        return


def _is_drawn(value: Any) -> bool:
    return type(value).__name__ in ("TiledMMA", "TiledCopy", "Atom", "CopyAtom", "Tiler")


def _picture(value: Any) -> Iterator[str]:
    """The picture as an address of data, if it has room in a hover."""
    from laycalc.render.draw import draw

    try:
        drawn = draw(value, theme="laycalc")
    except LayoutError:
        return
    data = drawn.encode() if isinstance(drawn, str) else drawn
    if len(data) <= BYTES:
        yield f"![picture](data:image/svg+xml;base64,{b64encode(data).decode()})"


def _banks(value: Any, bits: int) -> Iterator[str]:
    """Bank conflicts of the two plain ways to read a tile."""
    from laycalc.atoms.memory.patterns import Pattern, bank_survey

    said = []
    for lanes in ("row", "column"):
        try:
            survey = bank_survey(value, Pattern(bits, lanes=lanes))
        except LayoutError:
            continue
        said.append(f"{lanes}: {'no conflict' if survey.free else f'{survey.degree}-way conflict'}")
    if said:
        yield f"shared memory, {bits}-bit elements, a warp along a {'; a '.join(said)}"


def function_in_markdown(function: Function) -> str:
    """What help says of a function."""
    law = f"\n\nlaw: `{function.law}`" if function.law else ""
    return f"{_code(function.signature)}\n\n{_escaped(function.help)}{law}\n\nexample: `{function.example}`"
