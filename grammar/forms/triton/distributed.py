"""Distributed encodings, ``blocked``, ``slice``, accumulators and operands of MMAs, as bases over F2."""

from __future__ import annotations

from ..reading.attributes import Attribute
from ..reading.reading import cannot, needs
from ..reading.signatures import signature
from . import linear
from .fields import Fields, block_bases
from .linear import Bases

KINDS = frozenset({"blocked", "slice", "nvidia_mma", "mma", "dot_op", "amd_mfma", "amd_wmma", "linear"})

_TILES = signature("ctaLayout(*, warp, register=None)")


def bases_of(text: str, encoding: Attribute, shape: tuple[int, ...] | None) -> Bases:
    """The bases of an encoding on a tensor of ``shape``."""
    fields = Fields(text, encoding)
    if encoding.kind == "linear":
        return _linear(fields, shape)
    if shape is None:
        notes = ("give it with --shape 128x64, or paste tensor<128x64xf16, ..>",)
        raise needs(text, f"#{encoding.name} needs the shape of the tensor", notes=notes)
    if encoding.kind == "slice":
        return _slice(fields, shape)
    if encoding.kind == "dot_op":
        return _operand(fields, shape)
    inner, blocks = block_bases(fields, shape)
    found = _blocked(fields, inner) if encoding.kind == "blocked" else _accumulator(fields, inner)
    return found.replace(shape=shape, block=blocks)


def _blocked(fields: Fields, shape: tuple[int, ...], whole: int | None = None) -> Bases:
    rank = len(shape)
    tables = (fields.integers(n, rank, powers=True) for n in ("sizePerThread", "threadsPerWarp", "warpsPerCTA"))
    own, lanes, warps = tables
    return linear.blocked(own, lanes, warps, fields.order(rank), shape, whole)


def _slice(fields: Fields, shape: tuple[int, ...]) -> Bases:
    parent = _parent(fields)
    dim = fields.integer("dim")
    if dim > len(shape):
        raise fields.fail(f"dim {dim} is beyond the {len(shape) + 1} dimensions of the parent")
    return linear.sliced(bases_of(fields.text, parent, (*shape[:dim], 1, *shape[dim:])), dim)


def _parent(fields: Fields) -> Attribute:
    parent = fields.body["parent"]
    if not isinstance(parent, Attribute) or parent.kind not in KINDS:
        raise fields.fail(f"a {fields.encoding.kind} has a distributed encoding as its parent")
    return parent


def _operand(fields: Fields, shape: tuple[int, ...]) -> Bases:
    """The operand of a dot: of an MMA, or of FMAs, where each thread has all of k."""
    parent = Fields(fields.text, _parent(fields))
    operand, k = fields.integer("opIdx"), fields.integer("kWidth", 0)
    if operand > 1:
        raise fields.fail("opIdx is 0 or 1")
    rank = len(shape)
    if rank < 2:
        raise fields.fail("the operand of a dot has two dimensions")
    inner_dim = rank - 1 if operand == 0 else rank - 2
    kind = parent.encoding.kind
    if kind not in ("blocked", "nvidia_mma", "mma"):
        raise cannot(f"a dot operand of a blocked or nvidia_mma parent is covered, not of #{parent.encoding.name}")
    inner, blocks = block_bases(parent, shape)
    # CTAs that are side by side along k hold the same part of an operand.
    inner = tuple(n if d == inner_dim else m for d, (n, m) in enumerate(zip(shape, inner, strict=True)))
    blocks = tuple(tuple(0 if d == inner_dim else x for d, x in enumerate(b)) for b in blocks)
    if kind == "blocked":
        if k:
            raise fields.refuse("kWidth", "the operand of a blocked parent has no kWidth")
        found = _blocked(parent, inner, inner_dim)
    else:
        if k < 1 or k & (k - 1):
            raise fields.fail("kWidth is a power of two")
        _flat(parent, rank)
        version, warps = parent.integer("versionMajor"), parent.integers("warpsPerCTA", 2, powers=True)
        found = linear.dot_operand(operand, version, warps, k, inner)
    return found.replace(shape=shape, block=blocks)


def _flat(fields: Fields, rank: int) -> None:
    if rank != 2:
        raise cannot(f"#{fields.encoding.name} is covered for tensors of rank 2, this one has rank {rank}")


def _accumulator(fields: Fields, shape: tuple[int, ...]) -> Bases:
    _flat(fields, len(shape))
    return {"amd_mfma": _mfma, "amd_wmma": _wmma}.get(fields.encoding.kind, _mma)(fields, shape)


def _mma(fields: Fields, shape: tuple[int, ...]) -> Bases:
    version, instruction = fields.integer("versionMajor"), fields.integers("instrShape", powers=True)
    fields.integer("versionMinor", 0)
    if version not in (2, 3):
        raise cannot(f"nvidia_mma of versions 2 and 3 is covered, not {version}")
    if len(instruction) not in (2, 3) or instruction[0] != 16:
        raise fields.refuse("instrShape", f"an instruction of 16 rows is covered, not {instruction}")
    if version == 2 and instruction[1] != 8:
        raise fields.refuse("instrShape", f"an instruction of version 2 has 8 columns, not {instruction[1]}")
    return linear.mma(version, fields.integers("warpsPerCTA", 2, powers=True), max(instruction[1], 8), shape)


def _mfma(fields: Fields, shape: tuple[int, ...]) -> Bases:
    instruction = fields.integers("instrShape")
    if any(n != 1 for n in fields.body.get("tilesPerWarp") or ()):
        raise fields.refuse("tilesPerWarp", "amd_mfma with several tiles a warp is not covered")
    if fields.integer("elementBitWidth", 32) != 32 or "elementType" in fields.body:
        name = "elementType" if "elementType" in fields.body else "elementBitWidth"
        raise fields.refuse(name, "amd_mfma with accumulators of 32 bits is covered")
    if instruction[:2] not in ([16, 16], [32, 32]) or len(instruction) > 3:
        raise fields.refuse("instrShape", f"amd_mfma of 16x16 and 32x32 is covered, not {instruction}")
    warps = fields.integers("warpsPerCTA", 2, powers=True)
    return linear.mfma(warps, instruction[0], fields.flag("isTransposed"), shape)


def _wmma(fields: Fields, shape: tuple[int, ...]) -> Bases:
    version, tiles = fields.integer("version"), fields.body["ctaLayout"]
    if version not in (1, 2) or not isinstance(tiles, Attribute):
        raise cannot("amd_wmma of versions 1 and 2 with a ctaLayout is covered")
    if "instrShape" in fields.body and fields.integers("instrShape")[:2] != [16, 16]:
        raise fields.refuse("instrShape", f"amd_wmma of 16x16 is covered, not {fields.body['instrShape']}")
    if fields.integer("rank", 2) != 2:
        raise fields.refuse("rank", "amd_wmma of rank 2 is covered")
    transposed = fields.flag("isTranspose") or fields.flag("isTransposed")
    of = Fields(fields.text, tiles.replace(start=fields.encoding.start, end=fields.encoding.end), _TILES)
    return linear.wmma(version, transposed, of.bases("warp", 2), of.bases("register", 2), shape)


def _linear(fields: Fields, shape: tuple[int, ...] | None) -> Bases:
    """Bases that are written out; they repeat over the rest of a larger tensor."""
    found = {name: fields.bases(name, None) for name in ("register", "lane", "warp", "block")}
    if "shape" in fields.body and shape is None:
        shape = tuple(fields.integers("shape", powers=True))
    columns = [b for bits in found.values() for b in bits]
    rank = len(shape) if shape else max(map(len, columns), default=1)
    if any(len(b) != rank for b in columns):
        raise fields.fail(f"the bases have {rank} coordinates, as the tensor")
    linear.check_permutation(found)
    own = tuple(1 << max((b[k].bit_length() for b in columns), default=0) for k in range(rank))
    bases = Bases(shape or own, found["register"], found["lane"], found["warp"], found["block"])
    if any(n > m for n, m in zip(own, bases.shape, strict=True)):
        raise cannot(f"the bases reach {own}, beyond a tensor of {shape}")
    return linear.repeated(bases, tuple(reversed(range(rank)))) if own != bases.shape else bases
