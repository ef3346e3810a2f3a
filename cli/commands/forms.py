"""``laycalc to`` and ``laycalc from``: values in the notations of other systems."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import kind_of, text_of
from laycalc.grammar.run.statements import run_reading
from laycalc.grammar.syntax.nodes import Assume
from laycalc.render.reports.json import result_object

from ..streams.inputs import expressions, scope_of, shape_of
from ..streams.options import AsJson, Define
from ..streams.output import complain, remark, write_json, write_line
from ..streams.value import guarded, value_of

__all__ = ["read", "write"]


def write(
    form: Annotated[str, typer.Argument(help="The form; 'list' names them all.")],
    expr: Annotated[str, typer.Argument(help="What to write in it.")] = "",
    shape: Annotated[str, typer.Option(help="The shape of the tensor, where the form needs one: 128x64.")] = "",
    define: Define = None,
) -> int:
    """Write a value in another notation: cpp, dsl, pycute, numpy, torch, latex, triton, ..."""

    def work() -> int:
        from laycalc.grammar.forms import write as write_form

        if form == "list" and not expr:
            return _list()
        if not expr:
            raise Failure(Diagnostic("LC103", "what to write is missing: laycalc to cpp '(4,8):(1,4)'"))
        write_line(write_form(value_of(expr, scope_of(define or ())), form, shape_of(shape)))
        return 0

    return guarded(work)


def read(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    form: Annotated[str, typer.Option("--form", help="Its form.", show_default="found out")] = "",
    shape: Annotated[str, typer.Option(help="The shape of the tensor, where the text does not say it: 128x64.")] = "",
    as_json: AsJson = False,
) -> int:
    """Read a text of another notation and print the layout that it denotes."""

    def work() -> int:
        from laycalc.grammar.forms import read_any

        (source,) = expressions([text], ())
        reading = read_any(source, form or None, shape_of(shape))
        outcomes = list(run_reading(reading, scope_of(())))
        told = [x for x in outcomes if x.error is None and not isinstance(x.statement, Assume)]
        values = [x.value if x.report is None else x.report for x in told]
        errors = [x.error for x in outcomes if x.error is not None]
        if not outcomes:
            raise Failure(Diagnostic("LC101", "the text has no layout, only a comment", source))
        if as_json and values and not errors:
            facts: dict[str, Any] = {"form": reading.form, "notes": list(reading.notes), "facts": dict(reading.facts)}
            facts |= {"named": dict(reading.named)} if reading.named else {}
            facts |= {"values": list(map(text_of, values))} if len(values) > 1 else {}
            write_json(result_object(source, kind_of(values[-1]), text_of(values[-1]), None, (), **facts))
            return 0
        if not as_json:
            remark(reading.notes)
            for value in values:
                write_line(text_of(value))
            for name, expression in reading.named:
                write_line(f"{name} = {expression}")
        for error in errors[:-1]:
            complain([error])
        if errors:
            raise Failure(errors[-1])
        return 0

    return guarded(work, as_json=as_json)


def _list() -> int:
    from laycalc.grammar.forms import forms

    known = sorted(forms().values(), key=lambda form: form.name)
    width = max(len(form.name) for form in known)
    for form in known:
        write_line(f"{form.name:<{width}}  {form.title}")
    return 0
