"""Gluon's layout classes, ``BlockedLayout(size_per_thread=[1, 4], ...)``, as the encodings that they become."""

from __future__ import annotations

import ast
from typing import Any

from ..reading.attributes import INTERVALS, Attribute
from ..reading.pytext import at, call_name, literal, parse, position, right_hand_side
from ..reading.signatures import Argument, Signature, bind_call, signature

# The constructor, the encoding, and the parameters whose field has another name.
_CLASSES: dict[str, tuple[Signature, str, dict[str, str]]] = {
    to.name: (to, encoding, renamed)
    for to, encoding, renamed in (
        (
            signature("BlockedLayout(size_per_thread, threads_per_warp, warps_per_cta, order, cga_layout=[])"),
            "ttg.blocked",
            {"size_per_thread": "sizePerThread", "threads_per_warp": "threadsPerWarp"},
        ),
        (signature("SliceLayout(dim, parent)"), "ttg.slice", {}),
        (
            signature("NVMMADistributedLayout(version, warps_per_cta, instr_shape, cga_layout=[])"),
            "ttg.nvidia_mma",
            {"version": "version[]"},
        ),
        (
            signature("DotOperandLayout(operand_index, parent, k_width)"),
            "ttg.dot_op",
            {"operand_index": "opIdx", "k_width": "kWidth"},
        ),
        (
            signature("DistributedLinearLayout(reg_bases, lane_bases, warp_bases, block_bases, shape)"),
            "ttg.linear",
            {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block"},
        ),
        (
            signature("SwizzledSharedLayout(vec, per_phase, max_phase, order, cga_layout=[])"),
            "ttg.swizzled_shared",
            {"per_phase": "perPhase", "max_phase": "maxPhase"},
        ),
        (
            signature(
                "NVMMASharedLayout(swizzle_byte_width, element_bitwidth, rank=2, transposed=False, fp4_padded=False, "
                "cga_layout=[])"
            ),
            "ttg.nvmma_shared",
            {"swizzle_byte_width": "swizzlingByteWidth", "fp4_padded": "fp4Padded"},
        ),
        (
            signature("SharedLinearLayout(offset_bases, block_bases=[], alignment=16)"),
            "ttg.shared_linear",
            {"offset_bases": "offset", "block_bases": "block"},
        ),
        (
            signature("PaddedSharedLayout(interval_padding_pairs, offset_bases, cga_layout, shape)"),
            "ttg.padded_shared",
            {"interval_padding_pairs": INTERVALS, "offset_bases": "offset", "cga_layout": "block"},
        ),
        (
            signature("with_identity_for(interval_padding_pairs, shape, order, cga_layout=[])"),
            "ttg.padded_shared",
            {"interval_padding_pairs": INTERVALS},
        ),
        (
            signature(
                "AMDWMMALayout(version, transposed, warp_bases, reg_bases=None, instr_shape=None, cga_layout=[], "
                "rank=None)"
            ),
            "ttg.amd_wmma",
            {"transposed": "isTransposed", "warp_bases": "ctaLayout.warp", "reg_bases": "ctaLayout.register"},
        ),
        (
            signature(
                "AMDMFMALayout(version, instr_shape, transposed, warps_per_cta, element_bitwidth=None, "
                "tiles_per_warp=None, cga_layout=[])"
            ),
            "ttg.amd_mfma",
            {"transposed": "isTransposed", "tiles_per_warp": "tilesPerWarp"},
        ),
        (
            signature("TensorMemoryLayout(block, col_stride, cga_layout=[], two_ctas=False, fp4_padded=False)"),
            "ttng.tensor_memory_encoding",
            {"block": "block[]", "col_stride": "colStride", "two_ctas": "twoCTAs", "fp4_padded": "fp4Padded"},
        ),
    )
}
_FIELDS = {
    "warps_per_cta": "warpsPerCTA", "instr_shape": "instrShape", "cga_layout": "CGALayout",
    "element_bitwidth": "elementBitWidth",
}  # fmt: skip
_PARTS = {"version[]": ("versionMajor", "versionMinor"), "block[]": ("blockM", "blockN")}

CLASSES = [name for name in _CLASSES if name[0].isupper()]
"""The names of the classes."""


def encoding_of(text: str) -> Attribute:
    """The encoding of one constructor call."""
    body = right_hand_side(text)
    return _encoding(body, parse(body))


def _encoding(text: str, node: ast.expr) -> Attribute:
    name = call_name(node)
    last = name.rpartition(".")[2]
    if not isinstance(node, ast.Call) or last not in _CLASSES:
        raise at(text, node, f"{name or 'this'} is no layout class that is covered")
    to, encoding, renamed = _CLASSES[last]
    fields: list[Argument] = []
    for parameter, given in bind_call(to, text, node).items():
        value = _encoding(text, given) if parameter == "parent" else _lists(literal(text, given))
        if value is None or (parameter in ("cga_layout", "reg_bases") and value == []):
            continue  # what the default is
        fields += _fields(text, given, renamed.get(parameter) or _FIELDS.get(parameter, parameter), value)
    start, end = position(text, node)
    tiles = [f._replace(name=f.name.partition(".")[2]) for f in fields if "." in f.name]
    if tiles:
        fields = [f for f in fields if "." not in f.name]
        fields.append(Argument("ctaLayout", Attribute("", start, end, tuple(tiles)), start, end))
    return Attribute(encoding, start, end, tuple(fields))


def _fields(text: str, given: ast.expr, field: str, value: Any) -> list[Argument]:
    """One field, or the parts of a list that are fields of their own."""
    place = position(text, given)
    if field not in _PARTS:
        return [Argument(field, value, *place)]
    parts = _PARTS[field]
    if not isinstance(value, list) or len(value) != len(parts):
        raise at(text, given, f"a list of {len(parts)} integers is expected")
    return [Argument(part, v, *place) for part, v in zip(parts, value, strict=True)]


def _lists(x: Any) -> Any:
    return [_lists(e) for e in x] if isinstance(x, (list, tuple)) else x
