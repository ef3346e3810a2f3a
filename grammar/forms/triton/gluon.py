"""Gluon's layout classes, ``BlockedLayout(size_per_thread=[1, 4], ...)``, as the encodings that they become."""

from __future__ import annotations

import ast
from typing import Any

from ..reading.attributes import Attribute
from ..reading.pytext import at, call_name, literal, parse
from ..reading.reading import bad

__all__ = ["encoding_of"]

# class -> (encoding, ((parameter, field), ..)) in the order of the constructor.
_CLASSES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "BlockedLayout": (
        "ttg.blocked",
        (
            ("size_per_thread", "sizePerThread"),
            ("threads_per_warp", "threadsPerWarp"),
            ("warps_per_cta", "warpsPerCTA"),
            ("order", "order"),
            ("cga_layout", "CGALayout"),
        ),
    ),
    "SliceLayout": ("ttg.slice", (("dim", "dim"), ("parent", "parent"))),
    "NVMMADistributedLayout": (
        "ttg.nvidia_mma",
        (
            ("version", "version"),
            ("warps_per_cta", "warpsPerCTA"),
            ("instr_shape", "instrShape"),
            ("cga_layout", "CGALayout"),
        ),
    ),
    "DotOperandLayout": ("ttg.dot_op", (("operand_index", "opIdx"), ("parent", "parent"), ("k_width", "kWidth"))),
    "DistributedLinearLayout": (
        "ttg.linear",
        (
            ("reg_bases", "register"),
            ("lane_bases", "lane"),
            ("warp_bases", "warp"),
            ("block_bases", "block"),
            ("shape", "shape"),
        ),
    ),
    "SwizzledSharedLayout": (
        "ttg.swizzled_shared",
        (
            ("vec", "vec"),
            ("per_phase", "perPhase"),
            ("max_phase", "maxPhase"),
            ("order", "order"),
            ("cga_layout", "CGALayout"),
        ),
    ),
    "NVMMASharedLayout": (
        "ttg.nvmma_shared",
        (
            ("swizzle_byte_width", "swizzlingByteWidth"),
            ("element_bitwidth", "elementBitWidth"),
            ("rank", "rank"),
            ("transposed", "transposed"),
            ("fp4_padded", "fp4Padded"),
            ("cga_layout", "CGALayout"),
        ),
    ),
    "SharedLinearLayout": (
        "ttg.shared_linear",
        (("offset_bases", "offset"), ("block_bases", "block"), ("alignment", "alignment")),
    ),
    "AMDWMMALayout": (
        "ttg.amd_wmma",
        (
            ("version", "version"),
            ("transposed", "isTransposed"),
            ("warp_bases", "warp"),
            ("reg_bases", "register"),
            ("instr_shape", "instrShape"),
            ("cga_layout", "CGALayout"),
        ),
    ),
    "AMDMFMALayout": (
        "ttg.amd_mfma",
        (
            ("version", "version"),
            ("instr_shape", "instrShape"),
            ("transposed", "isTransposed"),
            ("warps_per_cta", "warpsPerCTA"),
            ("element_bitwidth", "elementBitWidth"),
            ("tiles_per_warp", "tilesPerWarp"),
            ("cga_layout", "CGALayout"),
        ),
    ),
}


def encoding_of(text: str) -> Attribute:
    """The encoding of one constructor call."""
    body = text
    head, equals, rest = text.partition("=")
    if equals and head.strip().isidentifier():
        body = " " * (len(text) - len(rest)) + rest
    return _encoding(body, parse(body))


def _encoding(text: str, node: ast.expr) -> Attribute:
    name = call_name(node)
    last = name.rpartition(".")[2]
    if last == "with_identity_for" and isinstance(node, ast.Call):
        return _padded(text, node)
    if not isinstance(node, ast.Call) or last not in _CLASSES:
        raise at(text, node, f"{name or 'this'} is no layout class that is covered")
    encoding, parameters = _CLASSES[last]
    names = dict(parameters)
    if len(node.args) > len(parameters):
        raise at(text, node, f"{last} takes {len(parameters)} arguments, {len(node.args)} were given")
    given = [(parameters[i][1], a) for i, a in enumerate(node.args)]
    given += [(names.get(k.arg or "", k.arg or ""), k.value) for k in node.keywords]
    fields: dict[str, Any] = {}
    for field, value in given:
        fields[field] = _encoding(text, value) if field == "parent" else _lists(literal(text, value))
    if field_version := fields.pop("version", None):
        fields["versionMajor"] = (
            field_version[0] if isinstance(field_version, list) and field_version else field_version
        )
        fields["version"] = field_version
    if last == "AMDWMMALayout":
        fields["ctaLayout"] = {k: fields.pop(k) for k in ("warp", "register") if fields.get(k)}
    if not fields.get("CGALayout"):
        fields.pop("CGALayout", None)
    return Attribute(encoding, 0, len(text), fields)


def _padded(text: str, node: ast.Call) -> Attribute:
    """``PaddedSharedLayout.with_identity_for([[2, 1], [4, 2]], [8], [0])``."""
    values = [_lists(literal(text, a)) for a in node.args]
    pairs = values[0] if values and isinstance(values[0], list) else None
    if (
        len(values) < 3
        or pairs is None
        or not all(isinstance(p, list) and len(p) == 2 and all(type(x) is int for x in p) for p in pairs)
    ):
        raise bad(text, 0, len(text), "with_identity_for takes [[interval, padding], ..], shape, order")
    fields = {"shape": values[1], "order": values[2]}
    return Attribute("ttg.padded_shared", 0, len(text), fields, tuple((p[0], p[1]) for p in pairs))


def _lists(x: Any) -> Any:
    return [_lists(e) for e in x] if isinstance(x, (list, tuple)) else x
