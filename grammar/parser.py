"""Text to syntax tree. lark is imported here, and only when the tables of layout.lark must be computed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache

from laycalc.diagnostics.model import Diagnostic, Failure, Label

from .lexer import BAD, END, Bracket, Token
from .limits import MISTAKES, TEXT, LimitExceeded
from .machine import Machine, Unexpected
from .nodes import Evaluate, Expression, Program, Span, Statement
from .tables import Rule, Tables, load

__all__ = ["parse", "parse_expression", "statements"]

BEGINS = re.compile(r"^[ \t]*(?:(?:let|assert|assume|for|include)\b|[A-Za-z_]\w*[ \t]*=(?!=))", re.MULTILINE)


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

    >>> parse_expression(" 42 ").value
    42

    Raises:
        Failure: if there is none, more than one, or another statement.
    """
    found = parse(text).statements
    if len(found) == 1 and isinstance(found[0], Evaluate):
        return found[0].value
    if not found:
        label = Label(len(text), len(text), "an expression is expected here")
    elif isinstance(found[0], Evaluate):
        label = Label(*found[1].span, "this is a second statement")
    else:
        label = Label(*found[0].span, "this is a statement")
    raise Failure(Diagnostic("LC101", "syntax", "one expression is expected", source=text, labels=(label,)))


def statements(text: str) -> Iterator[Statement | Diagnostic]:
    """Read a text statement by statement; in place of a bad one yield its diagnostic, and go on after it."""
    if len(text) > TEXT:
        yield _limit(text, LimitExceeded(Span(TEXT, TEXT), f"the text has more than {TEXT:,} characters", "too long"))
        return
    machine = _machine()
    position = 1 if text.startswith("\ufeff") else 0  # a byte order mark
    recovery = Recovery(machine, text)
    for _ in range(MISTAKES):
        lexer = machine.lexer(text, position)
        tokens = iter(lexer)
        try:
            yield from machine.statements(tokens)
            return
        except Unexpected as unexpected:
            from .mistakes import explain

            position = recovery.after(unexpected.token, tokens, lexer.brackets)
            yield explain(machine, text, position, unexpected)
        except LimitExceeded as limit:
            position = recovery.after_limit(limit.span.end)
            yield _limit(text, limit)
    limit = LimitExceeded(Span(position, position), f"more than {MISTAKES} statements are wrong", "reading ends here")
    yield _limit(text, limit)


def _limit(text: str, limit: LimitExceeded) -> Diagnostic:
    return Diagnostic("LC104", "limit", limit.message, source=text, labels=(Label(*limit.span, limit.label),))


class Recovery:
    """Finds where to read on after a statement that is wrong."""

    def __init__(self, machine: Machine, text: str) -> None:
        self._machine = machine
        self._text = text
        self._upcoming = -1

    def after(self, found: Token, tokens: Iterator[Token], brackets: list[Bracket]) -> int:
        """Where the next statement begins: behind the END, or earlier if a bracket that is open swallowed it."""
        stop = len(self._text)
        if brackets:
            stop = self._begins(brackets[-1].position if found[0] == END else found[2])
        if found[0] == END:
            return min(stop, found[3])
        try:
            for kind, _, start, end in tokens:
                if start >= stop:
                    return stop
                if kind == END:
                    return end
        except LimitExceeded as limit:
            return self.after_limit(limit.span.end)
        return stop

    def after_limit(self, position: int) -> int:
        """The same where brackets do not count any more."""
        end = self._text.find("\n", position)
        return len(self._text) if end < 0 else end

    def _begins(self, position: int) -> int:
        """The first line from ``position`` on that begins like a statement. It is kept, to search each line once."""
        if self._upcoming < position:
            found = BEGINS.search(self._text, position)
            self._upcoming = found.start() if found else len(self._text)
        return self._upcoming


@cache
def _machine() -> Machine:
    path = os.path.join(os.path.dirname(__file__), "layout.lark")
    grammar = __spec__.loader.get_data(path).decode()  # type: ignore[union-attr]  # also reads from a zip file
    return Machine(load(grammar, _build))


def _build(grammar: str) -> Tables:
    """Let lark compute the tables, and put them into plain form."""
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    compiled = Lark(grammar, parser="lalr", lexer="basic", start="statement", maybe_placeholders=False)
    data, memo = compiled.memo_serialize([TerminalDef, LarkRule])
    number: dict[int, int] = {}
    rules: list[Rule] = []
    for key, rule in memo.items():
        if rule["__type__"] != "Rule":
            continue
        size = len(rule["expansion"])
        kept = tuple(i - size for i, symbol in enumerate(rule["expansion"]) if not symbol.get("filter_out"))
        number[key] = len(rules)
        rules.append(Rule(rule["origin"]["name"], size, rule["alias"] or "", kept))
    parser = data["parser"]["parser"]
    symbols = parser["tokens"]
    order = {state: i for i, state in enumerate(parser["states"])}
    rows: list[dict[str, int]] = []
    for row in parser["states"].values():
        rows.append(
            {
                symbols[symbol].replace("$", ""): ~number[target["@"]] if reduces else order[target]
                for symbol, (reduces, target) in row.items()
            }
        )
    rows[order[parser["end_states"]["statement"]]][END] = 0  # where lark accepts, the machine shifts END and stops
    terminals = [memo[item["@"]] for item in data["parser"]["lexer_conf"]["terminals"]]
    ignored = data["parser"]["lexer_conf"]["ignore"]
    expressions = sorted(
        (t for t in terminals if t["pattern"]["__type__"] == "PatternRE"), key=lambda t: -t["priority"]
    )
    literals = {t["pattern"]["value"]: t["name"] for t in terminals if t["pattern"]["__type__"] == "PatternStr"}
    blank = "|".join(t["pattern"]["value"] for t in expressions if t["name"] in ignored and t["name"] != "NEWLINE")
    groups = [f"(?P<{t['name']}>{t['pattern']['value']})" for t in expressions if t["name"] not in ignored]
    marks = sorted((re.escape(text) for text in literals if not text.isalpha()), key=len, reverse=True)
    pattern = f"(?:{blank})*(?:{'|'.join(groups)}|(?P<LITERAL>{'|'.join(marks)})|(?P<NEWLINE>\\n)|(?P<{END}>\\Z)|(?P<{BAD}>(?s:.)))"
    return Tables(pattern, literals, rows, rules, order[parser["start_states"]["statement"]])
