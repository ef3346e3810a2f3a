"""A value of a file with its name and place."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record

from .frames import Outcome

__all__ = ["Found"]


class Found(Record):
    """A name with its value, where it is defined, and the outcome that has all else that is known."""

    name: str
    line: int
    value: Any
    outcome: Outcome
    frame: Any = None
    definition: Any = None
    remarks: tuple[str, ...] = ()
