"""What a text says beside its layout, collected while it is read."""

from __future__ import annotations

from ...syntax.nodes import Expression
from .around import NOTHING, Names

__all__ = ["Seen"]


class Seen:
    """``notes`` in sentences, axis ``titles``, the ``bits`` of an element, all layouts ``named`` beside the main one.

    ``family`` is the form that names the reading. ``names`` are those that the text around binds.
    """

    def __init__(self) -> None:
        self.family = ""
        self.names: Names = NOTHING
        self.notes: list[str] = []
        self.bits: int | None = None
        self.titles: list[tuple[tuple[int, ...], str]] = []
        self.named: list[tuple[str, Expression]] = []

    def note(self, text: str) -> None:
        """Remember a sentence once."""
        if text not in self.notes:
            self.notes.append(text)

    def is_from(self, family: str) -> None:
        """The construct at hand is of this form; the first one names the reading."""
        self.family = self.family or family

    def learn(self, other: Seen) -> None:
        """Add what was seen in another part."""
        for note in other.notes:
            self.note(note)
        self.titles += other.titles
        self.named += other.named
        self.bits = self.bits or other.bits
        self.is_from(other.family)
