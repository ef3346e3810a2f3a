"""What a kind of design task says of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from laycalc.algebra.base.record import Record

Read: TypeAlias = Callable[[str], Any]
"""From a text of the language to its value."""

Answer: TypeAlias = Callable[[Mapping[str, Any], Read], Mapping[str, Any]]
"""From the object of a task to that of its answer; texts of layouts in it are read by ``Read``."""


class Task(Record):
    """``TASK = Task("left", "A o X = C", ("A", "C"), answer)`` in a module of `tasks`, whose file name is the kind.

    ``needs`` are the fields that a task of this kind must have.
    """

    kind: str
    title: str
    needs: tuple[str, ...]
    answer: Answer
