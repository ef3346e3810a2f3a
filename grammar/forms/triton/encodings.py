"""Triton and Gluon: encodings in MLIR and in Python, and printed linear layouts, each with the shape of its tensor.

A distributed encoding becomes ``(T,V)`` or ``(T,V,CTA)`` to coordinates, T = lane + lanes*warp; a shared one a layout
from coordinates to offsets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..reading.attributes import Attribute, Attributes
from ..reading.form import Form
from ..reading.reading import RANK_LIMIT, Reading, bad, cannot, limit, needs
from . import linear as linear
from . import shared as shared
from .fields import MAX_EXTENT, Fields, block_bases
from .linear import Bases

__all__ = ["FORM", "SPELLED_OUT"]

_ENCODING = re.compile(r"#(?:ttg|triton_gpu)\.(?!shared_memory)")
_TYPE = re.compile(
    r"(?:tensor|!(?:ttg|tt|triton_gpu)\.memdesc)<(?P<dims>(?:\d+x)*)(?P<type>[\w.!<>]{0,80}?)\s*+,\s*+(?=#)"
)
_ALIAS = re.compile(r"^[ \t]*+#\w++[ \t]*+=[ \t]*+(?=#)", re.MULTILINE)
_PRINTED = re.compile(
    r"^[ \t]*+-?[ \t]*+(?P<dim>\w++)=(?P<weight>\d+)[ \t]*+->[ \t]*+\((?P<basis>[\d, ]*)\)", re.MULTILINE
)
_OUT = re.compile(r"where out dims are:\s*+\[(?P<dims>[^\]]*)\]")
_INTEGER = re.compile(r"\d{1,12}")
_SIZE = re.compile(r"(?<!\w)(?P<name>\w++) \(size (?P<n>\d+)\)")
_PYTHON = re.compile(
    r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*(?:BlockedLayout|SliceLayout|NVMMADistributedLayout|DotOperandLayout|DistributedLinearLayout|"
    r"SwizzledSharedLayout|NVMMASharedLayout|SharedLinearLayout|PaddedSharedLayout|AMDMFMALayout|AMDWMMALayout)[.(]"
)


def recognise(text: str) -> bool:
    """Is there an encoding in the text?"""
    return (
        _ENCODING.search(text) is not None
        or _PYTHON.match(text) is not None
        or (_PRINTED.search(text) is not None and _OUT.search(text) is not None)
        or re.match(r"\s*+!ttg\.memdesc<", text) is not None
    )


def read(text: str, shape: Any = None) -> Reading:
    """An encoding with the shape of its tensor, from the text or from ``shape``."""
    if _OUT.search(text) and _PRINTED.search(text):
        return _printed(text)
    if _PYTHON.match(text):
        from .gluon import encoding_of

        return _reading(text, encoding_of(text), _checked(text, shape))
    attribute, found = _attribute(text)
    return _reading(text, attribute, _checked(text, shape or found))


def _checked(text: str, shape: Any) -> tuple[int, ...] | None:
    if shape is None:
        return None
    if len(shape) > RANK_LIMIT:
        raise limit(text, 0, len(text), f"more than {RANK_LIMIT} dimensions")
    for n in shape:
        if type(n) is not int or n < 1 or n & (n - 1):
            raise cannot(f"tensor extent {n} is not a power of two: no linear layout", source=text)
        if n > MAX_EXTENT:
            raise cannot(f"tensor extent {n} is beyond 2^30", source=text)
    return tuple(shape)


def _attribute(text: str) -> tuple[Attribute, tuple[int, ...] | None]:
    """The encoding that the text is about, and the shape of its tensor if it has one."""
    reader = Attributes(text)
    last = None
    for line in _ALIAS.finditer(text):
        reader.jump(line.start() + line[0].index("#"))
        last = reader.alias()
    if found := _TYPE.search(text):
        reader.jump(found.end())
        attribute = reader.attribute()
        # `tensor<1024x!tt.ptr<f16>, #blocked>`, `memdesc<64x64xf16, #shared, #smem, mutable>`
        dims = tuple(int(n) for n in found["dims"].split("x") if n) if len(found["dims"]) < 200 else ()
        if attribute.name in ("ttg.shared_memory", "smem"):
            raise bad(text, attribute.start, attribute.end, "this is a memory space, not an encoding")
        return attribute, dims or None
    if last is not None:
        return reader.aliases[last], None
    start = _ENCODING.search(text)
    if start is None:
        raise bad(text, 0, len(text), "an encoding #ttg... is expected")
    reader.jump(start.start())
    return reader.attribute(), None


def _printed(text: str) -> Reading:
    """What a LinearLayout prints: one line a basis, then the output dimensions."""
    out = _OUT.search(text)
    assert out is not None
    sizes = {m["name"]: int(m["n"]) for m in _SIZE.finditer(out["dims"]) if len(m["n"]) < 12}
    names = sorted(sizes, key=lambda name: (len(name), name))
    if not sizes:
        raise bad(text, *out.span("dims"), "output dimensions with their sizes are expected", "dim0 (size 16)")
    bases: dict[str, list[tuple[int, ...]]] = {}
    for line in _PRINTED.finditer(text):
        basis = [int(n) for n in _INTEGER.findall(line["basis"])] if len(line["basis"]) < 500 else []
        if len(basis) != len(sizes):
            raise bad(text, *line.span("basis"), f"{len(sizes)} coordinates are expected")
        by_name = dict(zip(sizes, basis, strict=True))
        bases.setdefault(line["dim"], []).append(tuple(by_name[name] for name in names))
    shape = _checked(text, tuple(sizes[n] for n in names))
    fields = {"offset": bases["offset"]} if "offset" in bases else bases
    kind = "ttg.shared_linear" if "offset" in bases else "ttg.linear"
    return _reading(text, Attribute(kind, 0, len(text), {k: [list(b) for b in v] for k, v in fields.items()}), shape)


# ---- encodings to values ----


def _reading(text: str, encoding: Attribute, shape: tuple[int, ...] | None) -> Reading:
    kind = encoding.name.rpartition(".")[2]
    notes: list[str] = []
    if kind in _SHARED:
        value = _shared(text, kind, encoding, shape, notes)
        facts: dict[str, Any] = {"direction": "coordinate -> offset"}
    elif kind in _DISTRIBUTED:
        bases = _bases(text, encoding, shape)
        value = bases.layout()
        shape = bases.shape
        lanes = 1 << len(bases.lane)
        notes.append(f"({'T,V,CTA' if bases.block else 'T,V'}) to coordinates, T = lane + {lanes}*warp")
        facts = {
            "direction": "(thread, value) -> coordinate",
            "bases": bases.table(),
            "matrix": bases.matrix(),
            "integer": str(integer_form(value, shape)),
        }
    else:
        raise bad(text, encoding.start, encoding.end, f"#{encoding.name} is no encoding that is covered", "")
    facts |= {"shape": list(shape or ()), "lost": "parameters that do not change the map, and the element type"}
    return Reading("triton", str(value), tuple(notes), facts=facts, value=value, source=text)


def integer_form(layout: Layout, shape: Sequence[int]) -> Layout:
    """The same with coordinates as integers, first axis fastest: ``a*e0 + b*e1`` becomes ``a + b*D0``."""
    from laycalc.algebra.values.htuple import map_leaves

    weights = [1]
    for n in shape:
        weights.append(weights[-1] * n)

    def leaf(d: Any) -> Any:
        return sum(c * weights[p[0]] for p, c in d.terms) if isinstance(d, Coordinate) else d

    return Layout(layout.shape, map_leaves(leaf, layout.stride))


def _bases(text: str, encoding: Attribute, shape: tuple[int, ...] | None) -> Bases:
    kind = encoding.name.rpartition(".")[2]
    if kind == "linear":
        return _linear(text, encoding, shape)
    if shape is None:
        raise needs(
            text,
            f"#{encoding.name} needs the shape of the tensor",
            notes=("give it with --shape 128x64, or paste tensor<128x64xf16, ..>",),
        )
    fields = Fields(text, encoding)
    parent = encoding.body.get("parent")
    if kind == "slice":
        if not isinstance(parent, Attribute):
            raise fields.fail("a slice has a parent encoding")
        dim = fields.integer("dim")
        if dim > len(shape):
            raise fields.fail(f"dim {dim} is beyond the {len(shape) + 1} dimensions of the parent")
        return linear.sliced(_bases(text, parent, (*shape[:dim], 1, *shape[dim:])), dim)
    inner, blocks = block_bases(fields, shape)
    rank = len(shape)
    if kind == "blocked":
        spt, tpw, wpc = (
            fields.integers(n, rank, powers=True) for n in ("sizePerThread", "threadsPerWarp", "warpsPerCTA")
        )
        found = linear.blocked(spt, tpw, wpc, fields.order(rank), inner)
    else:
        if rank != 2:
            raise cannot(f"#{encoding.name} is covered for tensors of rank 2, this one has rank {rank}")
        found = _accumulator(fields, kind, parent, inner)
    return found.replace(shape=shape, block=blocks)


def _accumulator(fields: Fields, kind: str, parent: Any, shape: tuple[int, ...]) -> Bases:
    if kind == "dot_op":
        if not isinstance(parent, Attribute) or parent.name.rpartition(".")[2] != "nvidia_mma":
            raise cannot("a dot operand of an nvidia_mma parent is covered, this one has another parent")
        of, operand, k = Fields(fields.text, parent), fields.integer("opIdx"), fields.integer("kWidth", 2)
        if operand > 1 or k < 1 or k & (k - 1):
            raise fields.fail("opIdx is 0 or 1, kWidth a power of two")
        return linear.dot_operand(
            operand, of.integer("versionMajor"), of.integers("warpsPerCTA", 2, powers=True), k, shape
        )
    if kind == "nvidia_mma":
        version, instruction = fields.integer("versionMajor"), fields.integers("instrShape", powers=True)
        if version not in (2, 3):
            raise cannot(f"nvidia_mma of versions 2 and 3 is covered, not {version}")
        n = 8 if version == 2 else instruction[1] if len(instruction) > 1 else 8
        return linear.mma(version, fields.integers("warpsPerCTA", 2, powers=True), max(n, 8), shape)
    if kind == "amd_mfma":
        size = fields.integers("instrShape")[:1]
        if any(n != 1 for n in fields.encoding.body.get("tilesPerWarp") or ()):
            raise cannot("amd_mfma with several tiles a warp is not covered")
        if size not in ([16], [32]):
            raise cannot(f"amd_mfma of 16x16 and 32x32 is covered, not {fields.integers('instrShape')}")
        return linear.mfma(fields.integers("warpsPerCTA", 2, powers=True), size[0], fields.flag("isTransposed"), shape)
    tiles = fields.encoding.body.get("ctaLayout")
    version = fields.integer("version")
    if version not in (1, 2) or not isinstance(tiles, dict):
        raise cannot("amd_wmma of versions 1 and 2 with a ctaLayout is covered")
    of = Fields(fields.text, fields.encoding.replace(body=tiles))
    return linear.wmma(
        version, fields.flag("isTranspose", "isTransposed"), of.bases("warp", 2), of.bases("register", 2), shape
    )


def _linear(text: str, encoding: Attribute, shape: tuple[int, ...] | None) -> Bases:
    fields = Fields(text, encoding)
    found = {name: fields.bases(name, None) for name in ("register", "lane", "warp", "block")}
    ranks = {len(b) for bits in found.values() for b in bits}
    rank = len(shape) if shape else max(ranks, default=1)
    if ranks - {rank}:
        raise fields.fail(f"the bases have {rank} coordinates, as the tensor")
    linear.check_permutation(found)
    columns = [b for bits in found.values() for b in bits]
    own = tuple(1 << max((b[k].bit_length() for b in columns), default=0) for k in range(rank))
    bases = Bases(shape or own, found["register"], found["lane"], found["warp"], found["block"])
    if shape is not None and any(n > m for n, m in zip(own, shape, strict=True)):
        raise cannot(f"the bases reach {own}, beyond a tensor of {shape}")
    return linear.repeated(bases, tuple(reversed(range(rank)))) if own != bases.shape else bases


_SHARED = frozenset({"swizzled_shared", "shared", "nvmma_shared", "shared_linear", "padded_shared"})
_DISTRIBUTED = frozenset({"blocked", "slice", "nvidia_mma", "mma", "dot_op", "amd_mfma", "amd_wmma", "linear"})


def _shared(
    text: str, kind: str, encoding: Attribute, shape: tuple[int, ...] | None, notes: list[str]
) -> Layout | Composed:
    fields = Fields(text, encoding)
    if kind == "shared_linear":
        bases = fields.bases("offset", len(shape) if shape else None)
        rank = len(shape) if shape else max(map(len, bases), default=1)
        if any(len(b) != rank for b in bases):
            raise fields.fail(f"the bases have {rank} coordinates")
        own = tuple(1 << max((b[k].bit_length() for b in bases), default=0) for k in range(rank))
        return shared.shared_linear(bases, shape or own)
    if kind == "padded_shared":
        intervals = encoding.intervals
        if any(e < 1 or e & (e - 1) for e, _ in intervals):
            raise fields.fail("the intervals of a padding are powers of two")
        own_shape = tuple(fields.integers("shape", powers=True)) if "shape" in encoding.body else shape
        if not own_shape:
            raise needs(text, f"#{encoding.name} needs the shape of the tensor")
        return shared.padded_shared(intervals, fields.order(len(own_shape)), own_shape)
    if shape is None:
        raise needs(
            text,
            f"#{encoding.name} needs the shape of the tensor",
            notes=("give it with --shape 128x64, or paste !ttg.memdesc<128x64xf16, ..>",),
        )
    if kind == "nvmma_shared":
        width, bits = fields.integer("swizzlingByteWidth"), fields.integer("elementBitWidth")
        if width not in (0, 32, 64, 128) or bits not in (4, 8, 16, 32, 64):
            raise fields.fail("swizzlingByteWidth is 0, 32, 64 or 128, elementBitWidth 4 to 64")
        return shared.nvmma_shared(width, fields.flag("transposed"), bits, shape)
    if fields.flag("hasLeadingOffset"):
        raise cannot("an old shared encoding with hasLeadingOffset is covered as #ttg.nvmma_shared only")
    phases = [fields.integer(n) for n in ("vec", "perPhase", "maxPhase")]
    if any(n < 1 or n & (n - 1) for n in phases):
        raise fields.fail("vec, perPhase and maxPhase are powers of two")
    value, note = shared.swizzled_shared(phases[0], phases[1], phases[2], fields.order(len(shape)), shape)
    if note:
        notes.append(note)
    return value


# ---- values to encodings ----


def write(value: Any, shape: Any = None) -> str:
    """``#ttg.linear`` for a thread-value layout; for memory ``#ttg.swizzled_shared``, else ``#ttg.shared_linear``."""
    if _is_distributed(value):
        return Bases.of(value, shape).text()
    swizzled = shared.write_swizzled(value)
    return swizzled if swizzled is not None else shared.write_linear(value, shape)


def write_linear(value: Any, shape: Any = None) -> str:
    """``#ttg.linear`` or ``#ttg.shared_linear``: every basis spelled out."""
    return Bases.of(value, shape).text() if _is_distributed(value) else shared.write_linear(value, shape)


def _is_distributed(value: Any) -> bool:
    if isinstance(value, Tensor):
        return False
    return isinstance(value, Layout) and value.semimodule == "Z^P"


FORM = Form(
    name="triton",
    title="Triton and Gluon encodings, with the shape of the tensor",
    example="#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
    aliases=("ttg", "gluon"),
    lost="parameters that do not change the map, the element type; written: the nesting of modes",
    marks=("#ttg", "#triton", "!ttg", "register=", "=1 ->", "Layout(", "Layout.", "tensor<"),
    recognise=recognise,
    order=30,
    read=read,
    write=write,
)

SPELLED_OUT = Form(
    name="triton-linear",
    title="Triton with every basis spelled out",
    example="#ttg.linear<{register = [[0, 1]], lane = [], warp = [], block = []}>",
    aliases=("ttg.linear", "ttg.shared_linear"),
    read=read,
    write=write_linear,
)
