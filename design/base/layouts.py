"""The layouts of a task, from their texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.lifting import Lifted
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from .task import Read

__all__ = ["layout_of"]


def layout_of(task: Mapping[str, Any], name: str, read: Read) -> Lifted:
    """The layout, swizzled layout or tensor of a field; LC103 if it is anything else."""
    value = read(task[name])
    if not isinstance(value, (Layout, Composed, Tensor)):
        raise refuse("LC103", "{name} is no layout: {value}", op="design", name=name, value=str(value))
    return value
