"""Element types: their widths in bits, their C++ names, and the groups that people filter by."""

from __future__ import annotations

from .refusal import unknown

__all__ = ["CPP", "GROUPS", "WIDTHS", "type_matches", "width"]

WIDTHS: dict[str, int] = {
    "b1": 1,
    **dict.fromkeys(("s4", "u4", "iu4", "e2m1"), 4),
    **dict.fromkeys(("e2m3", "e3m2"), 6),
    **dict.fromkeys(("s8", "u8", "iu8", "e4m3", "e5m2", "ue8m0", "ue4m3"), 8),
    **dict.fromkeys(("fp8_e4m3", "bf8_e5m2", "fp8_e4m3fnuz", "bf8_e5m2fnuz"), 8),
    **dict.fromkeys(("f16", "bf16", "s16", "u16"), 16),
    **dict.fromkeys(("f32", "tf32", "xf32", "s32", "u32", "cf16"), 32),
    **dict.fromkeys(("f64", "s64", "u64", "ctf32"), 64),
    "c64(2xf64)": 128,
    "gc64(3xf64)": 192,
}
"""Bits of one element."""

CPP: dict[str, str] = {
    "f64": "double",
    "f32": "float",
    "f16": "half_t",
    "s32": "int32_t",
    "s8": "int8_t",
    "u8": "uint8_t",
    "bf16": "cutlass::bfloat16_t",
    "tf32": "cutlass::tfloat32_t",
    "cf16": "cutlass::complex<cutlass::half_t>",
    **{f: f"cutlass::float_{f}_t" for f in ("e2m1", "e2m3", "e3m2", "e4m3", "e5m2", "ue8m0", "ue4m3")},
}
"""The C++ type that CUTLASS writes for an element."""

_F8 = ("e4m3", "e5m2", "fp8_e4m3", "bf8_e5m2", "fp8_e4m3fnuz", "bf8_e5m2fnuz")
_I8, _I4 = ("s8", "u8", "iu8"), ("s4", "u4", "iu4")

GROUPS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("f8", "fp8", "float8"), _F8),
    **dict.fromkeys(("f6", "fp6", "float6"), ("e2m3", "e3m2")),
    **dict.fromkeys(("f4", "fp4", "float4"), ("e2m1",)),
    **dict.fromkeys(("i8", "int8"), _I8),
    **dict.fromkeys(("i4", "int4"), _I4),
    **dict.fromkeys(("i32", "int32"), ("s32",)),
    **dict.fromkeys(("half", "fp16", "float16"), ("f16",)),
    **dict.fromkeys(("float", "fp32", "float32"), ("f32",)),
    **dict.fromkeys(("double", "fp64", "float64"), ("f64",)),
    "bfloat16": ("bf16",),
}
"""Names that stand for several types, or for one under another name."""


def width(element: str) -> int:
    """The width of an element type in bits; LC102 for a type that is not known.

    >>> width("bf16"), width("e2m1")
    (16, 4)
    """
    found = WIDTHS.get(element.lower())
    if found is None:
        raise unknown("element type", element, WIDTHS)
    return found


def type_matches(wanted: str, element: str) -> bool:
    """Does an element type answer to a name, the name of a group, or one of its own parts?

    >>> type_matches("f8", "e4m3"), type_matches("bf8", "bf8_e5m2fnuz"), type_matches("f8", "f16")
    (True, True, False)
    """
    wanted = wanted.lower()
    return wanted == element or element in GROUPS.get(wanted, ()) or wanted in element.split("_")
