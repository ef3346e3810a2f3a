"""The shift-reduce machine that runs lark's tables. It builds nodes as it goes, and it does not recurse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .builders import BUILDERS, FLAT
from .lexer import END, Foreign, Lexer, Token
from .limits import DEPTH, LimitExceeded
from .nodes import Span, Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .lalr_tables import Tables

__all__ = ["Machine", "Unexpected"]


class Unexpected(Exception):
    """``token`` does not fit after what led to ``states``, in the statement that begins at ``start``."""

    def __init__(self, token: Token, states: list[int], start: int) -> None:
        super().__init__(token)
        self.token = token
        self.states = states
        self.start = start


class Action(NamedTuple):
    """A `Rule` with its builder at hand; ``levels`` is what that adds to the depth of the tree.

    Without a builder one symbol takes the place of another, which `Machine._settle` passes over.
    """

    symbol: str
    size: int
    builder: Callable[..., Any] | None
    kept: tuple[int, ...]
    levels: int


class Machine:
    """Reads statements as ``tables`` say."""

    def __init__(self, tables: Tables) -> None:
        self._pattern = re.compile(tables.pattern, re.MULTILINE)
        self._literals = tables.literals
        self._rows = tables.rows
        self._start = tables.start
        self._actions = [
            Action(rule.symbol, rule.size, BUILDERS.get(rule.builder), rule.kept, int(rule.builder not in FLAT))
            for rule in tables.rules
        ]
        self._settled: dict[tuple[int, str, str], int] = {}
        self.texts = {kind: text for text, kind in tables.literals.items()}
        """How tokens are written that are always written alike, by kind."""

    def lexer(self, text: str, position: int = 0, foreign: Mapping[int, Foreign] | None = None) -> Lexer:
        """The tokens of a text; ``foreign`` has its pieces of other notations by where they begin."""
        return Lexer(self._pattern, self._literals, text, position, foreign)

    def statements(self, tokens: Iterator[Token]) -> Iterator[Statement]:
        """The statements that ``tokens`` make up.

        Raises:
            Unexpected: where a token fits no statement.
            LimitExceeded: where a limit ends the reading.
        """
        for token in tokens:
            if token[0] != END:
                yield self._statement(token, tokens)

    def _statement(self, token: Token, tokens: Iterator[Token]) -> Statement:
        """The statement that begins with ``token``, read up to its END."""
        rows, actions, settled = self._rows, self._actions, self._settled
        states, row = [self._start], rows[self._start]
        # One entry a symbol; of its end the last is enough, for no symbol is empty.
        values: list[Any] = []
        starts: list[int] = []
        depths: list[int] = []
        end = token[2]
        while True:
            kind = token[0]
            while (step := row.get(kind)) is not None and step < 0:
                symbol, size, builder, kept, levels = actions[~step]
                assert builder
                span = Span(starts[-size], end)
                if size == 1:  # half of all cases, and nothing moves
                    values[-1] = builder(span, values[-1])
                    depths[-1] += levels
                    del states[-1]
                else:
                    values[-size:] = [builder(span, *[values[i] for i in kept])]
                    depths[-size:] = [depth := max(depths[-size:]) + levels]
                    if depth > DEPTH:
                        raise LimitExceeded(span, f"operators and brackets make more than {DEPTH} levels", "too deep")
                    del starts[1 - size :], states[-size:]
                key = states[-1], symbol, kind
                step = settled.get(key)
                if step is None:
                    step = settled[key] = self._settle(*key)
                states.append(step)
                row = rows[step]
            if step is None:
                raise Unexpected(token, states, starts[0] if starts else token[2])
            if kind == END:
                statement: Statement = values[0]
                return statement
            states.append(step)
            row = rows[step]
            values.append(token)
            starts.append(token[2])
            depths.append(0)
            end = token[3]
            token = next(tokens)

    def _settle(self, state: int, symbol: str, kind: str) -> int:
        """The state after ``symbol`` on top of ``state``, when a token of ``kind`` is ahead.

        Most symbols only take the place of another: an integer becomes an atom, an operand, ..., an expression.
        Such a chain is the same each time, so it is walked once.
        """
        while True:
            after = self._rows[state][symbol]
            step = self._rows[after].get(kind, 0)
            if step >= 0 or self._actions[~step].builder:
                return after
            symbol = self._actions[~step].symbol

    def accepts(self, states: list[int]) -> set[str]:
        """The kinds of tokens that fit after what led to ``states``."""
        return {kind for kind in self._rows[states[-1]] if not kind.islower() and self._fits(kind, states)}

    def _fits(self, kind: str, states: list[int]) -> bool:
        """Whether a token would be shifted at last; a row alone promises reductions that may lead nowhere."""
        states = states.copy()
        while (step := self._rows[states[-1]].get(kind, 0)) < 0:
            action = self._actions[~step]
            del states[-action.size :]
            states.append(self._rows[states[-1]][action.symbol])
        return kind in self._rows[states[-1]]
