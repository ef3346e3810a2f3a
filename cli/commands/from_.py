"""``laycalc from``: the layout that a text of another system denotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import kind_of, text_of
from laycalc.grammar.run.statements import run_reading
from laycalc.grammar.syntax.nodes import Assume
from laycalc.render.reports.json import result_object

from ..streams.command import command
from ..streams.inputs import expressions, scope_of, shape_of
from ..streams.options import AsJson, Shape
from ..streams.output import complain, remark, write_json, write_line

if TYPE_CHECKING:
    from laycalc.grammar.forms.reading.reading import Reading

__all__ = ["run"]


@command(110, "Read a pasted text of another system.", "laycalc from 'Layout<Shape<_4,_8>,Stride<_8,_1>>{}'")
def run(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    form: Annotated[str, typer.Option("--form", help="Its form.", show_default="found out")] = "",
    shape: Shape = "",
    as_json: AsJson = False,
) -> int:
    """Read a text of another notation and print the layout that it denotes."""
    from laycalc.grammar.forms import read_any

    (source,) = expressions([text], ())
    reading = read_any(source, form or None, shape_of(shape))
    outcomes = list(run_reading(reading, scope_of()))
    if not outcomes:
        raise Failure(Diagnostic("LC101", "the text has no layout, only a comment", source))
    told = [x for x in outcomes if x.error is None and not isinstance(x.statement, Assume)]
    values = [x.value if x.report is None else x.report for x in told]
    errors = [x.error for x in outcomes if x.error is not None]
    if not as_json:
        _show(reading, values)
    elif values and not errors:
        write_json(_object(source, reading, values))
    for error in errors[:-1]:
        complain([error])
    if errors:
        raise Failure(errors[-1])
    return 0


def _show(reading: Reading, values: Sequence[Any]) -> None:
    remark(reading.notes)
    for value in values:
        write_line(text_of(value))
    for name, expression in reading.named:
        write_line(f"{name} = {expression}")


def _object(source: str, reading: Reading, values: Sequence[Any]) -> dict[str, Any]:
    """The last value, with all of them if there are several, and how the text was read."""
    facts: dict[str, Any] = {"form": reading.form, "notes": list(reading.notes), "facts": dict(reading.facts)}
    facts |= {"named": dict(reading.named)} if reading.named else {}
    facts |= {"values": list(map(text_of, values))} if len(values) > 1 else {}
    return result_object(source, kind_of(values[-1]), text_of(values[-1]), None, (), **facts)
