"""layout.lark to the tables of the parser, which layout.json keeps (`laycalc.generate`). Only here is lark imported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .lalr_tables import GRAMMAR, Rule, Tables, plain, read
from .lexer import BAD, END

__all__ = ["compiled", "kept"]

REST = r'"[^\n]*|_?[0-9][\w@]*|(?s:.)'
"""What fits no terminal; in whole pieces, for nothing may be looked at over and over."""


def compiled(grammar: str) -> Tables:
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

    rules = {key: _rule(rule) for key, rule in memo.items() if rule["__type__"] == "Rule"}
    table = data["parser"]["parser"]
    names = {number: END if name == "$END" else name for number, name in table["tokens"].items()}
    states = {
        state: {names[symbol]: rules[to["@"]] if reduces else to for symbol, (reduces, to) in row.items()}
        for state, row in table["states"].items()
    }
    states[table["end_states"]["statement"]][END] = None  # where lark accepts; the machine stops at a shift of END
    numbered = sorted(set(rules.values()))
    rows = _numbered(states, table["start_states"]["statement"], numbered)

    lexer = data["parser"]["lexer_conf"]
    terminals = [memo[reference["@"]] for reference in lexer["terminals"]]
    pattern, literals = _pattern(terminals, set(lexer["ignore"]))
    return Tables(pattern, literals, rows, numbered, 0)


def _rule(rule: dict[str, Any]) -> Rule:
    """A rule of lark's in plain form."""
    size = len(rule["expansion"])
    kept = tuple(i - size for i, symbol in enumerate(rule["expansion"]) if not symbol.get("filter_out"))
    return Rule(rule["origin"]["name"], size, rule["alias"] or "", kept)


def _numbered(states: dict[Any, dict[str, Any]], start: Any, rules: list[Rule]) -> list[dict[str, int]]:
    """The rows in the order in which they are met from the start: lark numbers its states anew at every run."""
    order = [start]
    for state in order:
        for to in (states[state][symbol] for symbol in sorted(states[state])):
            if to is not None and not isinstance(to, Rule) and to not in order:
                order.append(to)

    def entry(to: Any) -> int:
        return 0 if to is None else ~rules.index(to) if isinstance(to, Rule) else order.index(to)

    return [{symbol: entry(states[state][symbol]) for symbol in sorted(states[state])} for state in order]


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


def kept() -> str:
    """The text of layout.json for layout.lark as it is."""
    grammar = read(GRAMMAR)
    return json.dumps(plain(grammar, compiled(grammar)), ensure_ascii=False, separators=(",", ":")) + "\n"
