"""A value in a few words for a table: what kind of tile, how many threads, how wide the vectors."""

from __future__ import annotations

from typing import Any

from ..language.values import kind_of, text_of
from .fits import width_of
from .frames import Outcome
from .values import Found

__all__ = ["data_of", "in_words", "kind_in_words", "remarks", "text_in_full"]


def in_words(outcome: Outcome) -> str:
    """The text of a value for people: what it does where its own text is long."""
    value = outcome.value
    if outcome.report is not None:
        return text_in_full(outcome)
    name = type(value).__name__
    if name == "TiledMMA":
        return f"tiled MMA {_by(value.tile)}, {value.threads} threads"
    if name == "TiledCopy":
        return f"tiled copy {_by(value.extents)}, {value.threads} threads, {_vectors(value)}"
    if name == "ThreadSlice":
        return f"thread {value.thread} of {type(value.tiled).__name__}"
    return text_of(value)


def _vectors(copy: Any) -> str:
    """How much a thread moves by one instruction; CuTe counts a copy that chooses its width as one element."""
    width = width_of(copy)
    return f"{width}-bit vectors" if width > copy.bits else f"elements of {copy.bits} bits"


def _by(extents: Any) -> str:
    return "x".join(str(text_of(extent)) for extent in extents)


def text_in_full(outcome: Outcome) -> str:
    """The text that reads back; with unknown numbers that of their expression."""
    if outcome.report is not None:
        return str(getattr(outcome.report, "value", outcome.report))
    return text_of(outcome.value)


def kind_in_words(outcome: Outcome) -> str:
    """The kind of a value, of one with unknown numbers as well."""
    return kind_of(outcome.value) if outcome.report is None else kind_of(outcome.report.value)


def data_of(outcome: Outcome) -> Any:
    """Plain data of a tiled MMA or copy, and what is known of a value with unknown numbers."""
    value = outcome.value
    if outcome.report is not None:
        return outcome.report.as_json()
    return value.as_json() if hasattr(value, "as_json") else None


def remarks(found: Found) -> list[str]:
    """What is said beside a value: when it holds, what was assumed."""
    report = found.outcome.report
    said = [f"valid iff {report.condition}"] if report is not None and report.condition else []
    return [*said, *found.remarks, *sorted(found.outcome.assumed)]
