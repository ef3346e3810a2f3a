"""Text to syntax tree. lark is imported here, and only when the tables of layout.lark must be computed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from laycalc.diagnostics.model import Diagnostic, Failure, Label

from .lexer import BAD, END, Lexer, Token
from .limits import DEPTH, TEXT, LimitExceeded
from .nodes import Evaluate, Expression, Program, Span, Statement
from .tables import Rule, Tables, load
from .tree import BUILDERS, FLAT

__all__ = ["parse", "parse_expression", "statements"]


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
    """Read a text statement by statement; for a bad one yield its diagnostic and go on after it."""
    if len(text) > TEXT:
        yield _limit(text, LimitExceeded(Span(TEXT, TEXT), f"the text has more than {TEXT:,} characters", ""))
        return
    machine = _machine()
    position = 1 if text.startswith("\ufeff") else 0  # a byte order mark
    while True:
        lexer = Lexer(machine.pattern, machine.literals, text, position)
        tokens = iter(lexer)
        try:
            for token in tokens:
                if token[0] != END:
                    yield machine.statement(token, tokens)
            return
        except Unexpected as unexpected:
            yield Diagnostic("LC101", "syntax", "this does not fit here", source=text, labels=(Label(*unexpected.token[2:], ""),))
            return
        except LimitExceeded as limit:
            yield _limit(text, limit)
            return


def _limit(text: str, limit: LimitExceeded) -> Diagnostic:
    return Diagnostic("LC104", "limit", limit.message, source=text, labels=(Label(*limit.span, limit.label),))


class Unexpected(Exception):
    """``token`` does not fit after what led to ``states``."""

    def __init__(self, token: Token, states: list[int]) -> None:
        super().__init__(token)
        self.token = token
        self.states = states


class Action(NamedTuple):
    """A `Rule` with its builder bound; ``levels`` is what the builder adds to the depth of the tree."""

    symbol: str
    size: int
    builder: Callable[..., Any] | None
    kept: tuple[int, ...]
    levels: int


class Machine(NamedTuple):
    """The shift-reduce machine that lark's tables describe. It builds nodes as it goes and does not recurse."""

    pattern: re.Pattern[str]
    literals: dict[str, str]
    rows: list[dict[str, int]]
    actions: list[Action]
    start: int

    def statement(self, token: Token, tokens: Iterator[Token]) -> Any:
        """Read one statement that begins with ``token``, up to its END."""
        rows, actions = self.rows, self.actions
        states, row = [self.start], rows[self.start]
        values: list[Any] = []
        starts: list[int] = []
        depths: list[int] = []
        end = 0
        while True:
            kind = token[0]
            while True:
                step = row.get(kind)
                if step is None:
                    raise Unexpected(token, states)
                if step >= 0:
                    break
                symbol, size, builder, kept, levels = actions[~step]
                if builder is None:  # one symbol for another
                    states.pop()
                else:
                    span = Span(starts[-size], end)
                    values[-size:] = [builder(span, *[values[i] for i in kept])]
                    depth = max(depths[-size:]) + levels
                    if depth > DEPTH:
                        raise LimitExceeded(span, f"the expression has more than {DEPTH} levels", "")
                    depths[-size:] = [depth]
                    del starts[len(starts) - size + 1 :], states[-size:]
                step = rows[states[-1]][symbol]
                states.append(step)
                row = rows[step]
            if kind == END:
                return values[0]
            states.append(step)
            row = rows[step]
            values.append(token)
            starts.append(token[2])
            depths.append(0)
            end = token[3]
            token = next(tokens)


@cache
def _machine() -> Machine:
    path = os.path.join(os.path.dirname(__file__), "layout.lark")
    grammar = __spec__.loader.get_data(path).decode()  # type: ignore[union-attr]  # also reads from a zip file
    tables = load(grammar, _build)
    actions = [
        Action(rule.symbol, rule.size, BUILDERS.get(rule.builder), rule.kept, rule.builder not in FLAT)
        for rule in tables.rules
    ]
    return Machine(re.compile(tables.pattern, re.M), tables.literals, tables.rows, actions, tables.start)


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
