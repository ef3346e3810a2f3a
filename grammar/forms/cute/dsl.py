"""CuTe DSL in Python: ``cute.make_layout((4, 8), stride=(1, 4))`` and what its ``print`` writes."""

from __future__ import annotations

from typing import Any

from ..dialects.python_names import MODULES
from ..dialects.whole import read_python
from ..reading.form import Form
from ..reading.reading import Reading
from .dsl_write import write

__all__ = ["FORM"]


def read(text: str, shape: Any = None) -> Reading:
    """Calls of the DSL, as in source; a Python tuple with a layout in it is a tiler."""
    return read_python(text, "dsl")


def write_kernel(value: Any) -> str:
    """Tiled MMAs and copies and their atoms."""
    from .kernel_write import write_dsl

    return write_dsl(value)


FORM = Form(
    name="dsl",
    title="CuTe DSL in Python",
    example="cute.make_layout((4, 8), stride=(1, 4))",
    aliases=("cute-dsl", "python"),
    marks=("cute", "stride=", *(f"{module}." for module in MODULES)),
    read=read,
    write=write,
    write_kernel=write_kernel,
    surplus=(
        "cute.make_layout((4, 8), stride=(1, 4), colour=3)",
        "cute.make_layout((4, 8), (1, 4))",
        "cute.size((4, 8), [0], 3)",
    ),
)
