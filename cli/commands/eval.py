"""``laycalc eval``: evaluate expressions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure, our_fault
from laycalc.grammar.language.values import kind_of, text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome, evaluate
from laycalc.grammar.run.statements import run as run_text
from laycalc.grammar.syntax import nodes
from laycalc.render.reports.json import result_object

from ..streams.command import command
from ..streams.inputs import expressions, lines_of, names_a_file, scope_of
from ..streams.options import AsJson, Assume, Define, Files
from ..streams.output import complain, remark, worst, write_json, write_line

__all__ = ["run"]


@command(
    10,
    "Evaluate expressions (the default command).",
    "laycalc eval '((2,2),(4,2)):((1,8),(2,16)) / <4:1,8:2>'",
    "laycalc eval --json '(4,8):(1,4) o 8:2'",
    "laycalc eval --sweep M=128..512:128 '(M,64):(64,1) / <128,64>'",
)
def run(
    expr: Annotated[
        list[str] | None, typer.Argument(help="Expressions; - reads one from standard input.", show_default=False)
    ] = None,
    file: Files = None,
    define: Define = None,
    as_json: AsJson = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="An expression a line in, an object a line out.")] = False,
    assume: Assume = None,
    ragged: Annotated[
        bool, typer.Option("--ragged", help="Accept tiles of unknown extents that reach outside.")
    ] = False,
    sweep: Annotated[
        list[str] | None, typer.Option("--sweep", help="Try all values: --sweep M=128..4096:128 --sweep K=64,96.")
    ] = None,
    verify: Annotated[int, typer.Option(help="Compare results value by value up to so many points.")] = 256,
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Rely on the exact criteria alone.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse what is only customary, such as padding.")] = False,
) -> int:
    """Evaluate expressions and print their values.

    Results go to standard output, diagnostics to standard error. Exit code 0 is clean, 1 a finding, 2 a usage or
    text error.
    """
    texts, files = expr or [], file or []
    scope = scope_of(
        define, verify=0 if no_verify else verify, strict=strict, ragged=ragged, written=any(map(names_a_file, texts))
    )
    for fact in assume or ():
        evaluate(f"assume {fact}", scope)
    if jsonl:
        return _lines(texts or ["-"], scope)
    if not texts and not files:
        raise Failure(Diagnostic("LC103", "an expression is missing; laycalc --help shows examples"))
    if sweep:
        return _sweep(list(expressions(texts, files)), scope, sweep, as_json)
    return _all(expressions(texts, files), scope, as_json)


def _all(texts: Iterable[str], scope: Scope, as_json: bool) -> int:
    """Evaluate each text; with --json one object for one text, a list for several."""
    found = [_one(text, scope, as_json) for text in texts]
    if as_json:
        objects = [each for _, some in found for each in some]
        write_json(objects[0] if len(objects) == 1 else objects)
    return worst(code for code, _ in found)


def _sweep(texts: list[str], scope: Scope, ranges: list[str], as_json: bool) -> int:
    """``--sweep``: each text at every combination of values; exit code 1 unless all are clean."""
    from laycalc.grammar.run.sweep import read_range, sweep

    code = 0
    for text in texts:
        found = sweep(text, scope, map(read_range, ranges))
        if as_json:
            write_json({"schema": 1, "expr": text, **found.as_json()})
        else:
            write_line(str(found))
            complain([found.diagnostic] if found.diagnostic is not None else [])
        code = worst((code, 0 if found.clean == found.total else 1))
    return code


def _run(text: str, scope: Scope) -> Iterator[Outcome]:
    """The outcomes of a text, or of ``FILE:NAME``."""
    if names_a_file(text):
        from ..streams.kernels import outcome_of

        yield outcome_of(text, scope)
    else:
        yield from run_text(text, scope)


def _one(text: str, scope: Scope, as_json: bool) -> tuple[int, list[dict[str, Any]]]:
    """Evaluate one text: print its values, or give its JSON object."""
    if as_json:
        found = _collected(text, scope)
        return _exit_of(found), [found]
    code = 0
    last: Outcome | None = None
    for last in _run(text, scope):
        remark(last.notes)
        complain([*last.warnings, *([last.error] if last.error is not None else [])])
        code = worst((code, 0 if last.error is None else last.error.exit_code))
        if last.error is None and isinstance(last.statement, nodes.Evaluate):
            _show(last)
    if last is None:
        complain([_EMPTY.replace(source=text)])
        return _EMPTY.exit_code, []
    if code == 0 and isinstance(last.statement, nodes.Let):
        _show(last)
    return code, []


_EMPTY = Diagnostic("LC101", "the expression is empty")


def _collected(text: str, scope: Scope) -> dict[str, Any]:
    """The JSON object of a text: the value of its last statement, or the first error; warnings and notes of all."""
    warnings: list[Diagnostic] = []
    notes: list[str] = []
    last: Outcome | None = None
    for last in _run(text, scope):
        warnings += last.warnings
        notes += last.notes
        if last.error is not None:
            return result_object(text, "", "", last.error, warnings, notes=notes)
    if last is None:
        return result_object(text, "", "", _EMPTY.replace(source=text), ())
    return _object(text, last, warnings, notes)


def _exit_of(found: dict[str, Any]) -> int:
    return 0 if found["ok"] else Diagnostic(found["error"]["code"], "").exit_code


def _object(text: str, outcome: Outcome, warnings: list[Diagnostic], notes: list[str]) -> dict[str, Any]:
    """The JSON object of a value; structured results come as data, unknowns with their verdict and obligations."""
    value, report = outcome.value, outcome.report
    data = value.as_json() if hasattr(value, "as_json") else None
    symbolic = {} if report is None else report.as_json()
    for key in ("value", "notes"):
        symbolic.pop(key, None)
    return result_object(text, kind_of(value), text_of(value), None, warnings, notes=notes, data=data, **symbolic)


def _show(outcome: Outcome) -> None:
    if outcome.report is not None:
        write_line(str(outcome.report))
        return
    value = outcome.value
    write_line(text_of(value))
    if sys.stdout.isatty():
        from ..streams.summary import measures, small_table

        for line in (*measures(value), *small_table(value)):
            write_line(line)


def _lines(given: list[str], scope: Scope) -> int:
    """``--jsonl``: each line an expression or ``{"id":..,"expr":..}``; one bad line never stops the rest."""
    code = 0
    for number, line in enumerate(_input_lines(given), 1):
        if line.strip():
            found = _answer(line, number, scope)
            code = worst((code, _exit_of(found)))
            write_json(found)
    return code


def _input_lines(given: list[str]) -> Iterator[str]:
    for text in given:
        if text == "-":
            for raw in lines_of(text):
                yield raw.decode("utf-8", "replace").rstrip("\r\n")
        else:
            yield text.removeprefix(" ")


def _answer(line: str, number: int, scope: Scope) -> dict[str, Any]:
    """What --json says of the line, with its id; our own fault is told and leaves the other lines their answers."""
    expr, ident = line, number
    if line.lstrip().startswith("{") and '"expr"' in line:
        try:
            wrapped = json.loads(line)
            expr, ident = str(wrapped["expr"]), wrapped.get("id", number)
        except (ValueError, KeyError, TypeError, RecursionError) as reason:
            bad = Diagnostic("LC101", f"no JSON object with an expr: {reason}", line)
            return {"id": number, **result_object(line, "", "", bad, ())}
    try:
        # A line sees the names of -D, not those of the lines before it.
        found = _collected(expr, scope.inner({}))
    except Exception as reason:
        fault = our_fault(reason, expr)
        found = result_object(expr, "", "", fault, ())
    return {"id": ident, **found}
