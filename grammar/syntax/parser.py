"""Text to syntax tree. lark is imported here, and only when the tables of layout.lark must be computed."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from laycalc.diagnostics.model import Diagnostic, Failure, Label

from .lalr_tables import Rule, Tables, load
from .lexer import BAD, END, Foreign
from .limits import MISTAKES, TEXT, LimitExceeded
from .machine import Machine, Unexpected
from .nodes import Evaluate, Expression, Program, Span, Statement
from .recovery import Recovery

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["parse", "parse_expression", "statements"]

REST = r'"[^\n]*|_?[0-9][\w@]*|(?s:.)'
"""What fits no terminal; in whole pieces, for nothing may be looked at over and over."""


def parse(text: str) -> Program:
    """The statements of a text.

    >>> parse("(4,8):(1,4); size(L)").statements[0].span
    Span(start=0, end=11)

    Raises:
        Failure: at the first statement that the language does not have.
    """
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
    path = os.path.join(os.path.dirname(__file__), "layout.lark")
    grammar = __spec__.loader.get_data(path).decode()  # type: ignore[union-attr]  # also reads from a zip file
    return Machine(load(grammar, _build))


def _build(grammar: str) -> Tables:
    """Let lark compute the tables, and put them into plain form."""
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import Lexer, TerminalDef

    class NoLexer(Lexer):
        """lark's own would compile all terminals, and compare each with each where interegular is installed."""

        def __init__(self, conf: object) -> None: ...

        def lex(self, *_: object) -> Iterator[Any]:
            raise NotImplementedError

    lark = Lark(grammar, parser="lalr", lexer=NoLexer, start="statement", maybe_placeholders=False)
    data, memo = lark.memo_serialize([TerminalDef, LarkRule])

    numbers: dict[int, int] = {}
    rules: list[Rule] = []
    for key, rule in memo.items():
        if rule["__type__"] == "Rule":
            size = len(rule["expansion"])
            kept = tuple(i - size for i, symbol in enumerate(rule["expansion"]) if not symbol.get("filter_out"))
            numbers[key] = len(rules)
            rules.append(Rule(rule["origin"]["name"], size, rule["alias"] or "", kept))

    table = data["parser"]["parser"]
    names = {number: END if name == "$END" else name for number, name in table["tokens"].items()}
    order = {state: i for i, state in enumerate(table["states"])}
    rows = [
        {names[symbol]: ~numbers[to["@"]] if reduces else order[to] for symbol, (reduces, to) in row.items()}
        for row in table["states"].values()
    ]
    rows[order[table["end_states"]["statement"]]][END] = 0  # where lark accepts; the machine stops at a shift of END

    lexer = data["parser"]["lexer_conf"]
    terminals = [memo[reference["@"]] for reference in lexer["terminals"]]
    pattern, literals = _pattern(terminals, set(lexer["ignore"]))
    return Tables(pattern, literals, rows, rules, order[table["start_states"]["statement"]])


def _pattern(terminals: list[dict[str, Any]], ignored: set[str]) -> tuple[str, dict[str, str]]:
    """One regular expression for all terminals, a named group each, and what the words and marks among them mean."""
    expressions: dict[str, str] = {}
    literals: dict[str, str] = {}
    for terminal in sorted(terminals, key=lambda terminal: -int(terminal["priority"])):
        value = terminal["pattern"]["value"]
        if terminal["pattern"]["__type__"] == "PatternStr":
            literals[value] = terminal["name"]
        else:
            expressions[terminal["name"]] = value
    newline = expressions.pop("NEWLINE")  # a blank to lark, but the end of a statement outside of brackets
    blank = "|".join(value for name, value in expressions.items() if name in ignored)
    groups = {name: value for name, value in expressions.items() if name not in ignored}
    marks = sorted((text for text in literals if not text.isalpha()), key=len, reverse=True)
    groups |= {"LITERAL": "|".join(map(re.escape, marks)), "NEWLINE": newline, END: r"\Z", BAD: REST}
    tokens = "|".join(f"(?P<{name}>{value})" for name, value in groups.items())
    return f"(?:{blank})*(?:{tokens})", literals
