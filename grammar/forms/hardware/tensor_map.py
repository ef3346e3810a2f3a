"""Calls of ``cuTensorMapEncodeTiled`` with the arrays that they take, written and read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from laycalc.atoms.memory.tensor_map import TYPES, TensorMap

from ...language.values import text_of
from ..reading.form import Form
from ..reading.reading import Reading, argument_error, bad, cannot

__all__ = ["FORM", "read", "recognise", "write_kernel"]

_NAME = "cuTensorMapEncodeTiled"

_ENUMERATORS = {
    "u8": "UINT8", "u16": "UINT16", "u32": "UINT32", "s32": "INT32", "u64": "UINT64", "s64": "INT64",
    "f16": "FLOAT16", "f32": "FLOAT32", "f64": "FLOAT64", "bf16": "BFLOAT16", "f32_ftz": "FLOAT32_FTZ",
    "tf32": "TFLOAT32", "tf32_ftz": "TFLOAT32_FTZ",
}  # fmt: skip
_TYPE = {f"CU_TENSOR_MAP_DATA_TYPE_{name}": dtype for dtype, name in _ENUMERATORS.items()}
_SWIZZLE = {f"CU_TENSOR_MAP_SWIZZLE_{name}": mode for name, mode in (
    ("NONE", "none"), ("32B", "32B"), ("64B", "64B"), ("128B", "128B")
)}  # fmt: skip

_ONLY = {
    "interleave": "CU_TENSOR_MAP_INTERLEAVE_NONE",
    "promotion": "CU_TENSOR_MAP_L2_PROMOTION_NONE",
    "fill": "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE",
}
"""What a map of the language has by itself, and has to have here."""

_ARRAYS = ("gdim", "gstrides", "box", "estrides")
_ARGUMENTS = ("map", "type", "rank", "address", *_ARRAYS, "interleave", "swizzle", "promotion", "fill")

_ARRAY = re.compile(
    r"(?:const\s++)?cuuint(?:32|64)_t\s++(?P<name>\w++)\s*+\[\d*+\]\s*+=\s*+\{(?P<items>[^{}]*+)\}\s*+;"
)
_CALL = re.compile(rf"(?:\w++\s*+\(\s*+)?{_NAME}\s*+\((?P<given>[^()]*+)\)\s*+\)?\s*+;?")
_NUMBER = re.compile(r"[\w\s*+-]++")


def write_kernel(value: Any) -> str:
    """The arrays and the call; LC103 for anything that is no tensor map."""
    if not isinstance(value, TensorMap):
        hint = 'tensor_map((M,K):(K,1), (64,128), 16, "128B")'
        raise cannot(f"tma writes a tensor map, as {hint} is one, not {text_of(value)}")
    arrays = [
        f"cuuint{width}_t {name}[] = {{{', '.join(map(str, getattr(value, name)))}}};"
        for name, width in zip(_ARRAYS, (64, 64, 32, 32), strict=True)
        if getattr(value, name)
    ]
    swizzle = next(name for name, mode in _SWIZZLE.items() if mode == value.swizzle)
    first = f"&map, CU_TENSOR_MAP_DATA_TYPE_{_ENUMERATORS[value.dtype]}, {len(value.gdim)}, {_address(value)}, gdim"
    strides = "gstrides" if value.gstrides else "nullptr"
    last = f"{_ONLY['interleave']}, {swizzle}, {_ONLY['promotion']}, {_ONLY['fill']}"
    return "\n".join([*arrays, f"{_NAME}({first}, {strides}, box, estrides, {last});"])


def _address(m: TensorMap) -> str:
    return f"address + {m.address}" if m.address else "address"


def _write(value: Any, shape: Any = None) -> str:
    return write_kernel(value)


def recognise(text: str) -> bool:
    """Does the call occur?"""
    return re.search(rf"\b{_NAME}\s*+\(", text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """The tensor map of a call, as `tensor_map` makes it; its arrays stand before it."""
    if shape is not None:
        raise cannot("a call says the shape of the tensor itself", source=text)
    arrays: dict[str, list[str]] = {}
    position = 0
    while found := _ARRAY.match(text, position + _blank(text, position)):
        arrays[found["name"]] = _items(text, found)
        position = found.end()
    call = _CALL.match(text, position + _blank(text, position))
    if call is None or text[call.end() :].strip():
        raise bad(text, position, len(text), f"arrays and a call of {_NAME} are expected", "not understood")
    given = [item.strip() for item in call["given"].split(",")]
    if len(given) != len(_ARGUMENTS):
        raise argument_error(text, *call.span(), f"{_NAME} takes {len(_ARGUMENTS)} arguments, not {len(given)}")
    named = dict(zip(_ARGUMENTS, given, strict=True))
    for name, only in _ONLY.items():
        if named[name] != only:
            raise argument_error(text, *call.span(), f"a tensor map of the language has {only}, not {named[name]}")
    try:
        return Reading("tma", _expression(text, call, arrays, named), (f"address: {named['address']}",))
    except KeyError as missing:
        raise argument_error(text, *call.span(), f"{missing.args[0]} is not known here") from None


def _blank(text: str, position: int) -> int:
    """How much white space stands at a position."""
    rest = text[position:]
    return len(rest) - len(rest.lstrip())


def _items(text: str, found: re.Match[str]) -> list[str]:
    items = [item.strip() for item in found["items"].split(",") if item.strip()]
    if not all(_NUMBER.fullmatch(item) for item in items):
        raise argument_error(text, *found.span("items"), "entries are numbers, names and their products")
    return items


def _expression(text: str, call: re.Match[str], arrays: Mapping[str, list[str]], named: Mapping[str, str]) -> str:
    """The call of `tensor_map`; KeyError for a name that is not known."""
    dtype, swizzle = _TYPE[named["type"]], _SWIZZLE[named["swizzle"]]
    known = {"nullptr": [], "NULL": [], **arrays}
    gdim, gstrides, box, estrides = (known[named[name]] for name in _ARRAYS)
    rank = len(gdim)
    if named["rank"] != str(rank) or (len(gstrides), len(box), len(estrides)) != (rank - 1, rank, rank):
        raise argument_error(text, *call.span(), f"rank {named['rank']} does not fit the arrays")
    if set(estrides) != {"1"}:
        raise argument_error(text, *call.span(), "a tensor map of the language has element strides 1")
    size = TYPES[dtype] // 8
    # A number alone in brackets would be a tuple of one.
    terms = [stride if stride.isalnum() else f"({stride})" for stride in gstrides]
    strides = ["1", *(f"{term}/{size}" for term in terms)]
    layout = f"({','.join(gdim)},):({','.join(strides)},)" if rank == 1 else f"({','.join(gdim)}):({','.join(strides)})"
    return f'tensor_map({layout}, ({",".join(box)},), {TYPES[dtype]}, "{swizzle}", "{dtype}")'


FORM = Form(
    name="tma",
    title="calls of cuTensorMapEncodeTiled",
    example="cuuint64_t gdim[] = {64, 512};\ncuuint64_t gstrides[] = {128};\ncuuint32_t box[] = {64, 128};\n"
    "cuuint32_t estrides[] = {1, 1};\ncuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, address, gdim, "
    "gstrides, box, estrides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, "
    "CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);",
    aliases=("tensor-map",),
    lost="the address",
    marks=(_NAME,),
    recognise=recognise,
    order=13,
    read=read,
    write=_write,
    write_kernel=write_kernel,
    kinds=("tensor map",),
    surplus=(
        "cuTensorMapEncodeTiled(&map)",
        "cuuint64_t gdim[] = {64};\ncuuint32_t box[] = {64};\ncuuint32_t estrides[] = {2};\n"
        "cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 1, address, gdim, nullptr, box, estrides, "
        "CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, "
        "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);",
        "cuuint64_t gdim[] = {64};\ncuuint32_t box[] = {64};\ncuuint32_t estrides[] = {1};\n"
        "cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 1, address, gdim, nullptr, box, estrides, "
        "CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, "
        "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);",
    ),
)
