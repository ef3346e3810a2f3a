"""A o X = C, the right factor of a composition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.algebra.equations.asking import factor

from ..base.layouts import layout_of
from ..base.task import Read, Task
from ..base.verdicts import verdict


def _answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    return verdict(factor(layout_of(task, "A", read), layout_of(task, "C", read)))


TASK = Task("left", "X with A o X = C", ("A", "C"), _answer)
