"""What foreign text has and the language has not: element types and pointers. They never leave a reader."""

from __future__ import annotations

import re

from ...syntax import nodes
from ...syntax.nodes import Expression, Span

__all__ = [
    "ElementType", "IntegerType", "Pointer", "RunTime", "element_bits", "element_type", "is_run_time",
]  # fmt: skip

_TYPE = re.compile(r"\b(?:b?f|tf|u?i|s|u|int|uint|float|bfloat|half|e[0-9]m)([0-9]{1,6})")


class ElementType(Expression):
    """``half_t``, ``cutlass.Float16``: its name in the catalogue of instructions, and its width in bits."""

    name: str
    bits: int


class IntegerType(nodes.Unknown):
    """``int``: an element type, and the extent of a shape that is known only when the program runs."""

    name: str = "s32"
    bits: int = 32


class RunTime(nodes.Integer):
    """A number that is known, of which the type says only that it is one: an ``int`` parameter of a function."""

    name: str = ""


def is_run_time(node: Expression) -> bool:
    """Is a number of a shape or layout known only when the program runs, as far as its type says?"""
    if isinstance(node, nodes.Pair):
        return is_run_time(node.shape) or is_run_time(node.stride)
    if isinstance(node, nodes.Tuple):
        return any(map(is_run_time, node.items))
    return isinstance(node, (RunTime, nodes.Unknown)) and not isinstance(node, IntegerType)


class Pointer(Expression):
    """A pointer or iterator before `` o ``: the bits of an element, a swizzle of its address, a constant offset."""

    bits: int | None = None
    swizzle: nodes.Swizzle | None = None
    offset: Expression | None = None


def element_bits(type_name: str) -> int | None:
    """The width of an element type in a print: ``f16``, ``bf16``, ``f8E4M3FN``, ``i32``."""
    found = _TYPE.search(type_name.strip())
    return int(found[1]) if found else None


def element_type(name: str, span: Span) -> Expression | None:
    """The type with this name in C++ or in the DSL."""
    found = _ELEMENTS.get(name)
    if found is None:
        return None
    kind, bits = found
    if name in _COUNTING:
        return IntegerType(span, 1, name=kind, bits=bits)
    return ElementType(span, kind, bits)


# C++ name, name in the DSL, name in the catalogue, bits.
_TABLE = """
half_t            Float16          f16   16
bfloat16_t        BFloat16         bf16  16
tfloat32_t        TFloat32         tf32  32
float             Float32          f32   32
double            Float64          f64   64
int8_t            Int8             s8    8
uint8_t           Uint8            u8    8
int16_t           Int16            s16   16
uint16_t          Uint16           u16   16
int32_t           Int32            s32   32
uint32_t          Uint32           u32   32
int64_t           Int64            s64   64
uint64_t          Uint64           u64   64
uint128_t         Uint128          u128  128
int               i32              s32   32
unsigned          u32              u32   32
long              i64              s64   64
size_t            u64              u64   64
ptrdiff_t         index            s64   64
short             i16              s16   16
char              i8               s8    8
float_e4m3_t      Float8E4M3FN     e4m3  8
float_e5m2_t      Float8E5M2       e5m2  8
float_ue8m0_t     Float8E8M0FNU    ue8m0 8
float_ue4m3_t     -                ue4m3 8
float_e2m3_t      Float6E2M3FN     e2m3  6
float_e3m2_t      Float6E3M2FN     e3m2  6
float_e2m1_t      Float4E2M1FN     e2m1  4
int4b_t           Int4             s4    4
uint4b_t          -                u4    4
uint1b_t          -                b1    1
bool              Boolean          b8    8
"""
_ELEMENTS = {
    name: (row[2], int(row[3]))
    for row in map(str.split, _TABLE.strip().splitlines())
    for name in row[:2]
    if name != "-"
}
_DSL_NAMES = {row[2]: row[1] for row in map(str.split, reversed(_TABLE.strip().splitlines())) if row[1][0].isupper()}


def dsl_name(kind: str) -> str | None:
    """The name in the DSL of a type of the catalogue: ``Float16`` for f16."""
    return _DSL_NAMES.get(kind)


_COUNTING = frozenset(name for name, (kind, _) in _ELEMENTS.items() if re.fullmatch(r"[su](8|16|32|64)", kind))
"""Integers of the language: as an extent they are known only when the program runs."""
