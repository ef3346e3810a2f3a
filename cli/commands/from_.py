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

from ..streams import completion
from ..streams.command import command
from ..streams.inputs import expressions, scope_of, shape_of
from ..streams.options import AsJson
from ..streams.output import complain, remark, write_json, write_line

if TYPE_CHECKING:
    from laycalc.grammar.forms.reading.reading import Reading

__all__ = ["run"]


@command(110, "Read a pasted text of another system.", "laycalc from 'Layout<Shape<_4,_8>,Stride<_8,_1>>{}'")
def run(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    form: Annotated[
        str,
        typer.Option(
            "--form",
            help="Its form.",
            show_default="found out",
            autocompletion=completion.forms,
        ),
    ] = "",
    shape: Annotated[
        str, typer.Option("--shape", "--tile", help="The shape of the tensor, where a pasted form needs one: 128x64.")
    ] = "",
    bits: Annotated[str, typer.Option(help="Of a descriptor: the width of an element.")] = "",
    major: Annotated[str, typer.Option(help="Of a descriptor: k or mn.")] = "",
    operand: Annotated[str, typer.Option(help="Of a descriptor: A or B.")] = "",
    arch: Annotated[str, typer.Option(help="Of a descriptor: sm90 or sm100.")] = "",
    base: Annotated[str, typer.Option(help="Of a descriptor: where the tile begins, for 'relative'.")] = "",
    as_json: AsJson = False,
) -> int:
    """Read a text of another notation and print the layout that it denotes.

    The bits of a descriptor do not say what they are for: --bits, --major and --operand do.
    """
    from laycalc.grammar.forms import read_any

    (source,) = expressions([text], ())
    meant = {"bits": bits, "major": major, "operand": operand, "arch": arch, "base": base}
    source, form = _meant(source, form, {name: value for name, value in meant.items() if value})
    reading = read_any(source, form or None, shape_of(shape))
    return _answer(source, reading, as_json)


def _answer(source: str, reading: Reading, as_json: bool) -> int:
    """Print what the reading denotes; a failure is raised."""
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


def _meant(source: str, form: str, settings: dict[str, str]) -> tuple[str, str]:
    """The text with the settings that options give, which only descriptors have, and its form."""
    if not settings:
        return source, form
    if form not in ("", "desc", "descriptor"):
        raise Failure(Diagnostic("LC103", f"--{next(iter(settings))} is for --form descriptor, not {form}"))
    return " ".join([source, *(f"{name}={value}" for name, value in settings.items())]), "descriptor"


def _show(reading: Reading, values: Sequence[Any]) -> None:
    remark(reading.notes)
    for value in values:
        write_line(text_of(value))
    for name, expression in reading.named:
        write_line(f"{name} = {expression}")


def _object(source: str, reading: Reading, values: Sequence[Any]) -> dict[str, Any]:
    """The last value, with all of them if there are several, and how the text was read."""
    facts: dict[str, Any] = {"form": reading.form, "notes": list(reading.notes), "facts": dict(reading.facts)}
    facts |= {"relative": reading.facts["relative"]} if "relative" in reading.facts else {}
    facts |= {"named": dict(reading.named)} if reading.named else {}
    facts |= {"values": list(map(text_of, values))} if len(values) > 1 else {}
    return result_object(source, kind_of(values[-1]), text_of(values[-1]), None, (), **facts)
