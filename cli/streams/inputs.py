"""What commands read: expressions from arguments, files and standard input, and definitions from -D."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.scope import Scope, Settings

__all__ = ["define", "expressions", "read_text", "scope_of", "shape_of"]

LIMIT = 1 << 20
"""A text of more bytes than this is refused."""


def read_text(path: str) -> str:
    """The text of a file, ``-`` for standard input; LC103 or LC104 if it cannot be read."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(LIMIT + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(LIMIT + 1)
    except OSError as error:
        raise Failure(Diagnostic("LC103", f"cannot read {path}: {error.strerror}")) from None
    if len(data) > LIMIT:
        raise Failure(Diagnostic("LC104", f"{path} has more than {LIMIT:,} bytes"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(Diagnostic("LC101", f"{path} is not UTF-8 text (byte {error.start})")) from None


def expressions(given: Iterable[str], files: Iterable[str]) -> Iterable[str]:
    """The texts to evaluate, in order: arguments (``-`` is standard input), then files."""
    for text in given:
        yield read_text("-") if text == "-" else unquoted(text.removeprefix(" "))
    for path in files:
        yield read_text(path)


def unquoted(text: str) -> str:
    """The text without quotes around all of it, which some shells pass on and some editors make round."""
    for first, last in ("''", "\u2018\u2019", "\u201c\u201d"):
        inside = text[1:-1]
        if len(text) > 1 and text[0] == first and text[-1] == last and first not in inside and last not in inside:
            return inside
    return text


def scope_of(definitions: Iterable[str], *, verify: int = 256, strict: bool = False, ragged: bool = False) -> Scope:
    """A scope with the names that -D NAME=EXPR binds."""
    scope = Scope(Settings(verify=verify, strict=strict, ragged=ragged))
    for text in definitions:
        define(scope, text)
    return scope


def define(scope: Scope, text: str) -> None:
    """Bind one NAME=EXPR; LC103 if it is not of that form."""
    from laycalc.grammar.run.statements import evaluate

    name, equals, expression = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise Failure(Diagnostic("LC103", f"-D wants NAME=VALUE, not {text}"))
    value = evaluate(expression, scope)
    if value is None:
        raise Failure(Diagnostic("LC103", f"-D wants NAME=VALUE, not {text}"))
    scope.names[name.strip()] = value


def shape_of(text: str) -> tuple[int, ...] | None:
    """``128x64`` as a shape, None for an empty text; LC103 for anything else."""
    if not text:
        return None
    try:
        shape = tuple(int(part) for part in text.lower().strip("() ").replace(",", "x").split("x"))
    except ValueError:
        shape = ()
    if not shape or min(shape) < 1:
        raise Failure(Diagnostic("LC103", f"a shape is written 128x64, not {text}"))
    return shape
