"""What to add to a diagnostic: a witness, what CUTLASS does, and operands that work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.errors import LayoutError
from laycalc.diagnostics.model import Suggestion

from . import nodes

__all__ = ["advise"]


def advise(
    error: LayoutError, source: str, node: nodes.Expression, operands: Sequence[nodes.Expression], values: Sequence[Any]
) -> tuple[tuple[str, ...], str, tuple[Suggestion, ...]]:
    """(notes, witness, suggestions) of an error."""
    return (), "", ()
