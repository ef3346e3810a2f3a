"""What a reader of pieces of text offers to those who know one construct: tokens, notes, expressions in brackets."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...syntax.nodes import Expression
from ..reading.tokens import Token, Tokens
from ..reading.trees import Items
from .seen import Seen

__all__ = ["Reader"]


class Reader(Tokens, Seen, ABC):
    """A cursor over foreign text that remembers what it saw."""

    @abstractmethod
    def items(self, closing: str, opened: Token, level: int = 0) -> Items:
        """Expressions up to the closing bracket."""

    @abstractmethod
    def inside(self, start: int, end: int) -> Expression:
        """Read a part of the text on its own."""
