"""Text to syntax tree."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from .lalr_tables import GRAMMAR, load, read
from .lexer import Foreign
from .limits import MISTAKES, TEXT, LimitExceeded
from .machine import Machine, Unexpected
from .nodes import Evaluate, Expression, Program, Span, Statement
from .recovery import Recovery

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["parse", "parse_expression", "statements"]


def parse(text: str) -> Program:
    """The statements of a text.

    >>> parse("(4,8):(1,4); size(L)").statements[0].span
    Span(start=0, end=11)

    Raises:
        Failure: at the first statement that the language does not have.
    """
    if not isinstance(text, str):
        raise refuse("LC103", "parse takes a text, not {given}", op="parse", given=type(text).__name__)
    found = []
    for item in statements(text):
        if isinstance(item, Diagnostic):
            raise Failure(item)
        found.append(item)
    return Program(tuple(found))


def parse_expression(text: str) -> Expression:
    """The one expression that a text consists of.

    >>> parse_expression(" 42 ").span
    Span(start=1, end=3)

    Raises:
        Failure: if there is none, more than one, or another statement.
    """
    found = parse(text).statements
    if len(found) == 1 and isinstance(found[0], Evaluate):
        return found[0].value
    if not found:
        label = Label(len(text), len(text), "expected an expression")
    elif isinstance(found[0], Evaluate):
        label = Label(*found[1].span, "this is a second statement")
    else:
        label = Label(*found[0].span, "this is a statement")
    raise Failure(Diagnostic("LC101", "one expression is expected", source=text, labels=(label,)))


def statements(text: str, foreign: Mapping[int, Foreign] | None = None) -> Iterator[Statement | Diagnostic]:
    """Read a text statement by statement; in place of a bad one yield its diagnostic, and go on after it.

    ``foreign`` has the pieces of other notations by where they begin, each with the node that it was read as.
    """
    if len(text) > TEXT:
        yield _limit(text, LimitExceeded(Span(TEXT, TEXT), f"the text has more than {TEXT:,} characters", "too long"))
        return
    machine = _machine()
    recovery = Recovery(text)
    position = 1 if text.startswith("\ufeff") else 0  # a byte order mark
    for _ in range(MISTAKES):
        lexer = machine.lexer(text, position, foreign)
        tokens = iter(lexer)
        try:
            yield from machine.statements(tokens)
            return
        except Unexpected as unexpected:
            from .explain_syntax import explain

            position = recovery.after(unexpected.token, tokens, lexer.brackets)
            yield explain(machine, text, position, unexpected)
        except LimitExceeded as limit:
            position = recovery.after_limit(limit.span.end)
            yield _limit(text, limit)
    many = LimitExceeded(Span(position, position), f"{MISTAKES} statements are wrong", "the rest was not read")
    yield _limit(text, many)


def _limit(text: str, limit: LimitExceeded) -> Diagnostic:
    return Diagnostic("LC104", limit.message, source=text, labels=(Label(*limit.span, limit.label),))


@cache
def _machine() -> Machine:
    grammar = read(GRAMMAR)
    tables = load(grammar)
    if tables is None:
        # layout.lark is being edited.
        from .compile_grammar import compiled

        tables = compiled(grammar)
    return Machine(tables)
