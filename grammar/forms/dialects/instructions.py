"""Instructions whose name in C++ is a template: ``SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, ..>``."""

from __future__ import annotations

import re

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import needs, refused
from ..reading.trees import Items
from .around import Lacking
from .kinds import ElementType, IntegerType

__all__ = ["CPP_TYPES", "instruction"]

CPP_TYPES = {
    "F16": "half_t", "BF16": "bfloat16_t", "TF32": "tfloat32_t", "F32": "float", "E4M3": "float_e4m3_t",
    "E5M2": "float_e5m2_t", "S32": "int32_t", "S8": "int8_t", "U8": "uint8_t",
}  # fmt: skip
"""The C++ names of element types by their names in the catalogue."""
_TCGEN05 = re.compile(r"SM100_MMA_\w+?_(?P<pair>2x1SM_)?(?:SS|TS)(?:_\w+)?")


def instruction(text: str, name: str, span: Span, items: Items) -> Expression:
    """The instruction of a template at its arguments; LC106 if one lacks, LC314 for a shape that no instruction has."""
    lacking = next((item for item in items if isinstance(item, (Lacking, nodes.Name))), None)
    if lacking is not None:
        raise needs(text, f"needs {lacking.name}")
    name = name.removesuffix("_NOELECT")  # who issues an instruction does not change its layouts
    found = _TCGEN05.fullmatch(name)
    if found is not None and len(items) > 4:
        _check_shape(text, items, pair=found["pair"] is not None)
    scope = "UMMA" if name.startswith("SM100") else "GMMA"
    words = ",".join(_word(item, scope) for item in items)
    return nodes.String(span, f"{name}<{words}>" if items else name)


def _check_shape(text: str, items: Items, *, pair: bool) -> None:
    """M of a tcgen05 MMA is 64 or 128, of two thread blocks 128 or 256."""
    m = items[3]
    allowed = (128, 256) if pair else (64, 128)
    if isinstance(m, nodes.Integer) and m.value not in allowed:
        blocks = "two thread blocks" if pair else "one thread block"
        told = f"M = {m.value}: the M of an SM100 MMA is {allowed[0]} or {allowed[1]} for {blocks}"
        raise refused(text, *m.span, told)


def _word(item: Expression, scope: str) -> str:
    """An argument as the catalogue writes it."""
    if isinstance(item, (ElementType, IntegerType)):
        return CPP_TYPES.get(item.name.upper(), item.name)
    if isinstance(item, nodes.String):
        return f"{scope}::Major::{item.value}" if item.value in ("K", "MN") else item.value
    return str(getattr(item, "value", "?"))
