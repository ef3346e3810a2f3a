"""``laycalc explain``: the derivation of an expression, or the page of a code."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from laycalc.diagnostics.codes import code_of, codes
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.explain.derivation import Derivation, derive
from laycalc.grammar.run.scope import Scope

from ..streams import completion
from ..streams.command import command
from ..streams.inputs import expressions, scope_of
from ..streams.options import AsJson, Define, Files
from ..streams.outfile import writing
from ..streams.output import complain, worst, write_json, write_line

__all__ = ["explained", "run"]


@command(
    50,
    "The derivation of a value, step by step; or the page of a code: LC301.",
    "laycalc explain '(4,6,8):(2,3,5) o 6:1'",
    "laycalc explain LC301",
)
def run(
    expr: Annotated[
        list[str] | None,
        typer.Argument(
            help="Expressions, or codes such as LC301.", show_default=False, autocompletion=completion.codes
        ),
    ] = None,
    file: Files = None,
    define: Define = None,
    as_json: AsJson = False,
    draw: Annotated[
        str, typer.Option("--draw", help="A file for the steps of a composition, divide or complement as panels.")
    ] = "",
    plain: Annotated[bool, typer.Option("--plain", help="Indented text on a terminal, too.")] = False,
) -> int:
    """Derive a value step by step, with the conditions and their numbers; or show the page of a code.

    A derivation that fails shows how far it got, then the reason. Exit codes are those of eval.
    """
    scope = scope_of(define)
    exits = []
    for text in expressions(expr or (), file or ()):
        exits.append(explained(text, scope, as_json=as_json, plain=plain, draw=draw))
    if not exits:
        raise Failure(Diagnostic("LC103", "an expression or a code is missing: laycalc explain LC301"))
    return worst(exits)


def explained(text: str, scope: Scope, *, as_json: bool = False, plain: bool = False, draw: str = "") -> int:
    """The page of a code, or the derivation of an expression with the names of a scope."""
    code = _code(text)
    return _page(code) if code else _derivation(text, scope, as_json, plain, draw)


def _code(text: str) -> str:
    """The code that a text names, by its number or by its name; empty if it is an expression."""
    word = text.strip()
    if re.fullmatch(r"[Ll][Cc]\d+", word):
        return word.upper()
    if not re.fullmatch(r"[a-z]+(-[a-z]+)+", word):
        return ""
    return next((c.code for c in codes().values() if c.name == word), "")


def _page(code: str) -> int:
    if code not in codes():
        from difflib import get_close_matches

        near = get_close_matches(code, codes(), n=3)
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise Failure(Diagnostic("LC103", f"there is no code {code}{hint}"))
    text = code_of(code).page
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text, hyperlinks=False))
    else:
        write_line(text.rstrip("\n"))
    return 0


def _derivation(text: str, scope: Scope, as_json: bool, plain: bool, picture: str) -> int:
    from laycalc.render.reports.derivation import derivation_object, derivation_text, derivation_tree

    code, last = 0, None
    for found in derive(text, scope):
        code = worst((code, found.error.exit_code if found.error is not None else 0))
        if as_json:
            write_json(derivation_object(found))
        elif sys.stdout.isatty() and not plain:
            from rich.console import Console

            Console().print(derivation_tree(found))
        elif found.text:
            write_line(derivation_text(found))
        if not as_json:
            complain([*found.warnings, *([found.error] if found.error is not None else [])])
        last = found
    if picture and last is not None and last.error is None:
        _draw(last, picture)
    return code


def _draw(found: Derivation, path: str) -> None:
    """The steps of the last operation as a picture."""
    from laycalc.render.draw import save
    from laycalc.render.kinds.steps import STEPS

    name, operands = found.call
    if name not in STEPS:
        said = f"--draw shows the steps of a {', '.join(STEPS)}; {found.text} ends with {name or 'none of them'}"
        raise Failure(Diagnostic("LC103", said))
    with writing(path):
        save(list(operands), path, kind=STEPS[name])
