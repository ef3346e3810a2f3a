"""What names mean in foreign text: every family's templates and calls in one place."""

from __future__ import annotations

from . import constructors, python_constructors
from .mlir_types import cute_type
from .pointers import pointer
from .primaries import Vocabulary
from .terms import Terms

__all__ = ["VOCABULARY", "terms_of"]

VOCABULARY = Vocabulary(
    templates=constructors.TEMPLATES,
    calls={**constructors.CALLS, **python_constructors.CALLS},
    pointer=pointer,
    bracketed=cute_type,
    constructed=python_constructors.constructed,
)


def terms_of(text: str, start: int = 0, end: int | None = None, *, python: bool = False) -> Terms:
    """A reader of a part of a text with these names."""
    return Terms(text, start, end, vocabulary=VOCABULARY, python=python)
