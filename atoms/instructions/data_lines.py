"""The compact data of the catalogue: tab-separated lines, ``#`` starts a comment, read when they are first needed."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["integers", "rows"]


def rows(name: str, columns: int) -> Iterator[tuple[str, ...]]:
    """The lines of a data file as tuples of ``columns`` fields; fields missing at the end are empty."""
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            fields = line.split("\t")
            yield (*fields, *[""] * (columns - len(fields)))


def integers(text: str) -> tuple[int, ...]:
    """Integers separated by blanks."""
    return tuple(map(int, text.split()))
