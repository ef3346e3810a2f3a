"""``laycalc eval``: evaluate expressions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar import nodes
from laycalc.grammar.run import Outcome
from laycalc.grammar.run import run as run_text
from laycalc.grammar.scope import Scope
from laycalc.grammar.values import kind_of, text_of
from laycalc.render.reports.json import result_object

from .inputs import expressions, scope_of
from .output import complain, remark, worst, write_json, write_line

__all__ = ["run"]


def run(
    expr: Annotated[
        list[str] | None, typer.Argument(help="Expressions; - reads one from standard input.", show_default=False)
    ] = None,
    file: Annotated[list[str] | None, typer.Option("--file", "-f", help="Evaluate the text of a file.")] = None,
    define: Annotated[list[str] | None, typer.Option("-D", help="Bind a name: -D M=256.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object an expression.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="An expression a line in, an object a line out.")] = False,
    verify: Annotated[int, typer.Option(help="Compare results value by value up to so many points.")] = 256,
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Rely on the exact criteria alone.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse what is only customary, such as padding.")] = False,
) -> int:
    """Evaluate expressions and print their values.

    Results go to standard output, diagnostics to standard error. Exit code 0 is clean, 1 a finding, 2 a usage or
    text error.
    """
    try:
        scope = scope_of(define or (), verify=0 if no_verify else verify, strict=strict)
        if jsonl:
            return _lines(expr or ["-"], scope)
        if not expr and not file:
            raise Failure(Diagnostic("LC103", "argument", "an expression is missing; laycalc --help shows examples"))
        codes, objects = [], []
        for text in expressions(expr or (), file or ()):
            code, found = _one(text, scope, as_json)
            codes.append(code)
            objects += found
        if as_json:
            write_json(objects[0] if len(objects) == 1 else objects)
        return worst(codes)
    except Failure as failure:
        if as_json:
            write_json(result_object("", "", "", failure.diagnostic, ()))
        else:
            complain([failure.diagnostic])
        return failure.diagnostic.exit_code


def _one(text: str, scope: Scope, as_json: bool) -> tuple[int, list[dict[str, Any]]]:
    """Evaluate one text: print its values, or collect its JSON object."""
    code = 0
    shown: Outcome | None = None
    warnings: list[Diagnostic] = []
    notes: list[str] = []
    for outcome in run_text(text, scope):
        warnings += outcome.warnings
        notes += outcome.notes
        if not as_json:
            remark(outcome.notes)
        if outcome.error is not None:
            code = worst((code, outcome.error.exit_code))
            if as_json:
                return code, [result_object(text, "", "", outcome.error, warnings, notes=notes)]
            complain([*outcome.warnings, outcome.error])
            continue
        if not as_json:
            complain(outcome.warnings)
            if isinstance(outcome.statement, nodes.Evaluate):
                _show(outcome.value)
        shown = outcome
    if shown is None:
        if code == 0:
            missing = Diagnostic("LC101", "syntax", "the expression is empty", text)
            if as_json:
                return 2, [result_object(text, "", "", missing, ())]
            complain([missing])
            return 2, []
        return code, []
    if as_json:
        return code, [_object(text, shown.value, warnings, notes)]
    if isinstance(shown.statement, nodes.Let) and code == 0:
        _show(shown.value)
    return code, []


def _object(text: str, value: Any, warnings: list[Diagnostic], notes: list[str]) -> dict[str, Any]:
    """The JSON object of a value; structured results come as data too."""
    data = value.as_json() if hasattr(value, "as_json") else None
    return result_object(text, kind_of(value), text_of(value), None, warnings, notes=notes, data=data)


def _show(value: Any) -> None:
    write_line(text_of(value))
    if sys.stdout.isatty():
        from .summary import measures, small_table

        for line in (*measures(value), *small_table(value)):
            write_line(line)


def _lines(given: list[str], scope: Scope) -> int:
    """``--jsonl``: each line an expression or ``{"id":..,"expr":..}``; one bad line never stops the rest."""
    code = 0
    for number, line in enumerate(_input_lines(given), 1):
        if not line.strip():
            continue
        found = _answer(line, number, scope)
        if not found["ok"]:
            code = worst((code, _exit_of(found["error"]["code"])))
        write_json(found)
    return code


def _exit_of(code: str) -> int:
    return Diagnostic(code, "", "").exit_code


def _input_lines(given: list[str]) -> Iterator[str]:
    for text in given:
        if text == "-":
            for raw in sys.stdin.buffer:
                yield raw.decode("utf-8", "replace").rstrip("\r\n")
        else:
            yield text.removeprefix(" ")


def _answer(line: str, number: int, scope: Scope) -> dict[str, Any]:
    expr, ident = line, number
    if line.lstrip().startswith("{") and '"expr"' in line:
        try:
            wrapped = json.loads(line)
            expr, ident = str(wrapped["expr"]), wrapped.get("id", number)
        except (ValueError, KeyError, TypeError, RecursionError) as reason:
            bad = Diagnostic("LC101", "syntax", f"no JSON object with an expr: {reason}", line)
            return {"id": number, **result_object(line, "", "", bad, ())}
    warnings: list[Diagnostic] = []
    value: Any = None
    error: Diagnostic | None = None
    # A line sees the names of -D, not those of the lines before it.
    for outcome in run_text(expr, scope.inner({})):
        warnings += outcome.warnings
        if outcome.error is not None:
            error = outcome.error
            break
        value = outcome.value
    if error is None and value is None:
        error = Diagnostic("LC101", "syntax", "the expression is empty", expr)
    kind, text = ("", "") if error else (kind_of(value), text_of(value))
    return {"id": ident, **result_object(expr, kind, text, error, warnings)}
