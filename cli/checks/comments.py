"""What a scanner of another language finds: comments, and a string that has no end."""

from __future__ import annotations

from typing import NamedTuple


class Comment(NamedTuple):
    """The text of a comment without its marks, from ``start`` to ``end``.

    ``kind`` is "line" for one that ends with its line, "block" for one that may have several. "unended" is no comment
    but a string without an end: nothing behind its beginning was looked at.
    """

    start: int
    end: int
    kind: str = "line"
