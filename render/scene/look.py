"""The sizes of a picture: of its texts, and of the room around them."""

from __future__ import annotations

from dataclasses import dataclass

INCH = 72.0


@dataclass(frozen=True, slots=True)
class Look:
    """Lengths in points: ``font`` is that of cells, ``small`` of axes, ``text`` of legend and captions.

    ``padding`` is the room beside the text of a cell, ``least`` the smallest cell. A picture for a ``width`` is exactly
    as wide: its titles wrap, and its cells grow by at most ``growth``.
    """

    font: float = 11.0
    small: float = 9.5
    text: float = 11.0
    heading: float = 11.0
    title: float = 14.0
    padding: float = 8.0
    least: float = 24.0
    margin: float = 12.0
    gap: float = 28.0
    width: float | None = None
    growth: float = 1.0

    @property
    def leading(self) -> float:
        """From line to line in a cell."""
        return self.font * 13 / 11

    @property
    def header(self) -> float:
        """Height of a level of labels above a panel."""
        return self.small + 4.5

    @property
    def swatch(self) -> float:
        """Side of a square of the legend."""
        return self.text + 3


NATURAL = Look()
"""A picture as large as it needs."""


def tight(width: float, font: float, least: float) -> Look:
    """The look of a picture for a width, with cells of a font and no text smaller than ``least``."""
    ease = max(0.0, min(1.0, (font - least) / 2))
    return Look(
        font=font,
        small=max(least, 0.86 * font),
        text=max(least, 8.0),
        heading=max(least, min(font, 8.0)),
        title=max(least, 10.0),
        padding=1.5 + 4.0 * ease,
        least=1.6 * font,
        margin=2.0,
        gap=12.0,
        width=width,
        growth=1.5,
    )
