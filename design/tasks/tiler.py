"""A tiler X with A o X = C or A / X = C; the task calls A and C L and T."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.equations.tilers import composing_tiler, dividing_tiler
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.lifting import Lifted
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..base.layouts import layout_of
from ..base.task import Read, Task
from ..base.verdicts import verdict

_EQUATIONS = {"compose": composing_tiler, "divide": dividing_tiler}


def _answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    op = task["op"]
    if op not in _EQUATIONS:
        raise refuse("LC103", "op is compose or divide, not {value}", op="design", value=op)
    outer = layout_of(task, "L", read)
    found = _EQUATIONS[op](outer, layout_of(task, "T", read))
    answer = verdict(found)
    if isinstance(found.value, Tiler):
        answer["X"] = [str(_tile(mode, i, outer)) for i, mode in enumerate(found.value.modes)]
    return answer


def _tile(mode: Any, number: int, outer: Lifted) -> Any:
    """The tile of a mode; one that is left alone is tiled by all of it, which has the same values."""
    layout = outer.layout if isinstance(outer, Tensor) else outer
    return Layout(layout[number].size, 1) if mode is None and layout is not None else mode


TASK = Task("tiler", "a tiler X with L o X = T, or L / X = T", ("L", "T", "op"), _answer)
