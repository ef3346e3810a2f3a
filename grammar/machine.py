"""The shift-reduce machine that runs lark's tables. It builds nodes as it goes, and it does not recurse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .lexer import END, Lexer, Token
from .limits import DEPTH, LimitExceeded
from .nodes import Span, Statement
from .tables import Tables
from .tree import BUILDERS, FLAT

__all__ = ["Machine", "Unexpected"]


class Unexpected(Exception):
    """``token`` does not fit after what led to ``states``, in the statement that begins at ``start``."""

    def __init__(self, token: Token, states: list[int], start: int) -> None:
        super().__init__(token)
        self.token = token
        self.states = states
        self.start = start


class Action(NamedTuple):
    """A `Rule` with its builder at hand; ``levels`` is what that adds to the depth of the tree."""

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
        self.texts = {kind: text for text, kind in tables.literals.items()}
        """How the tokens are written that are always written alike."""

    def lexer(self, text: str, position: int = 0) -> Lexer:
        """The tokens of a text."""
        return Lexer(self._pattern, self._literals, text, position)

    def statements(self, tokens: Iterator[Token]) -> Iterator[Statement]:
        """The statements that ``tokens`` make up.

        Raises:
            Unexpected: where they make up none.
            LimitExceeded: where they are too many.
        """
        for token in tokens:
            if token[0] != END:
                yield self._statement(token, tokens)

    def _statement(self, token: Token, tokens: Iterator[Token]) -> Statement:
        """The statement that begins with ``token``, read up to its END."""
        rows, actions = self._rows, self._actions
        states, row = [self._start], rows[self._start]
        # Four stacks, one entry a symbol; of ends the last is enough, for no symbol is empty.
        values: list[Any] = []
        starts: list[int] = []
        depths: list[int] = []
        end = token[2]
        while True:
            kind = token[0]
            while True:
                step = row.get(kind)
                if step is None:
                    raise Unexpected(token, states, starts[0] if starts else token[2])
                if step >= 0:
                    break
                symbol, size, builder, kept, levels = actions[~step]
                if builder is None:  # one symbol in place of another
                    states.pop()
                else:
                    span = Span(starts[-size], end)
                    depth = max(depths[-size:]) + levels
                    if depth > DEPTH:
                        message = f"operators and brackets make more than {DEPTH} levels"
                        raise LimitExceeded(span, message, f"{depth} levels")
                    values[-size:] = [builder(span, *[values[i] for i in kept])]
                    depths[-size:] = [depth]
                    del starts[len(starts) - size + 1 :], states[-size:]
                step = rows[states[-1]][symbol]
                states.append(step)
                row = rows[step]
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

    def accepts(self, states: list[int]) -> set[str]:
        """The kinds of tokens that fit after what led to ``states``."""
        return {kind for kind in self._rows[states[-1]] if not kind.islower() and self._fits(kind, states)}

    def _fits(self, kind: str, states: list[int]) -> bool:
        """Whether a token would be shifted at last; a row alone promises reductions that may lead nowhere."""
        states = states.copy()
        while (step := self._rows[states[-1]].get(kind)) is not None:
            if step >= 0:
                return True
            action = self._actions[~step]
            del states[-action.size :]
            states.append(self._rows[states[-1]][action.symbol])
        return False
