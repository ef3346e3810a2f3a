"""X o B = C, the left factor of a composition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.algebra.equations.asking import factor

from ..base.layouts import layout_of
from ..base.task import Read, Task
from ..base.verdicts import verdict


def _answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    return verdict(factor(layout_of(task, "B", read), layout_of(task, "C", read), on_left=True))


TASK = Task("right", "X with X o B = C", ("B", "C"), _answer)
