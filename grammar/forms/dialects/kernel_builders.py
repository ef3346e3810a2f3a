"""What rows build of the names that only kernels have: instructions by their parts, shared memory, coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ...syntax import nodes
from ...syntax.nodes import Expression
from ..reading.reading import argument_error, needs, refused
from ..reading.trees import call, is_layout, leaves, modes, number
from .arithmetic import operated
from .around import Lacking
from .builders import LAYOUTS, Holes, given, tensor
from .instructions import CPP_TYPES
from .kinds import ElementType, IntegerType, Pointer, RunTime
from .rows import Builder, Use

__all__ = ["BUILDERS"]


# ---- types and words ----


def _bits(use: Use, element: Expression) -> Expression:
    if isinstance(element, (ElementType, IntegerType)):
        return nodes.Integer(element.span, element.bits)
    if isinstance(element, (nodes.Integer, nodes.Name)):
        return element
    raise argument_error(use.text, *element.span, "an element type is expected")


def _type(use: Use, element: Expression) -> str:
    """The name of an element type as instructions have it, ``F16``."""
    if isinstance(element, (ElementType, IntegerType)):
        return element.name.upper()
    raise argument_error(use.text, *element.span, "an element type is expected")


def _word(use: Use, node: Expression, *words: str) -> str:
    """The word of an enumeration."""
    if isinstance(node, nodes.String) and node.value in words:
        return node.value
    raise argument_error(use.text, *node.span, f"{' or '.join(words)} is expected")


def _extents(use: Use, node: Expression) -> list[int]:
    """The numbers of a tuple."""
    found = [number(leaf) for leaf in leaves(node)]
    if None in found:
        raise argument_error(use.text, *node.span, "numbers are expected")
    return [n for n in found if n is not None]


def _atom(use: Use, name: str) -> Expression:
    return nodes.String(use.span, name)


# ---- questions and coordinates ----


def _static(use: Use, holes: Holes) -> Expression:
    """Is nothing in a type known only when the program runs?"""
    dynamic = [part for part in given(holes) for leaf in _leaves(part) if isinstance(leaf, (nodes.Unknown, RunTime))]
    found = nodes.Truth(use.span, not dynamic)
    if dynamic:
        use.seen.names.met("is_static", dynamic[0], found, found)
    return found


def _same(use: Use, holes: Holes) -> Expression:
    """Are two types the same? Both must be known; what is still to be computed is compared when it is."""
    left, right = given(holes)
    for side in (left, right):
        if isinstance(side, (Lacking, nodes.Name)):
            raise needs(use.text, f"needs {side.name}")
    if left != right and any(isinstance(side, (nodes.Call, nodes.Binary)) for side in (left, right)):
        return operated(use.text, use.span, "==", left, right)
    return nodes.Truth(use.span, left == right)


def _leaves(node: Expression) -> Iterator[Expression]:
    parts = [getattr(node, field) for field in node.fields]
    inside = [x for part in parts for x in (part if isinstance(part, tuple) else (part,)) if isinstance(x, Expression)]
    if not inside:
        yield node
    for part in inside:
        yield from _leaves(part)


def _divided(use: Use, holes: Holes) -> Expression:
    """``logical_divide(L, Tile<_2>{})``: a tiler divides mode by mode, so that a layout of one extent has one mode."""
    of, tiler = given(holes)
    by_mode = isinstance(tiler, nodes.Tiler) and len(tiler.items) == 1
    if by_mode and isinstance(of, nodes.Pair) and isinstance(of.shape, nodes.Integer):
        sides = (nodes.Tuple(side.span, (side,)) for side in (of.shape, of.stride))
        of = nodes.Pair(of.span, *sides)
    return call(use.span, "logical_divide", of, tiler)


def _domain_offset(use: Use, holes: Holes) -> Expression:
    """``domain_offset(c, t)``: the tensor that begins at a coordinate of another one."""
    coordinate, of = given(holes)
    placed = isinstance(of, nodes.Binary) and isinstance(of.left, nodes.Offset)
    inner = of.right if placed else of  # type: ignore[attr-defined]
    return tensor(nodes.Call(use.span, of, (coordinate,), ()), inner)


def _bits_wide(unit: int) -> Builder:
    """``uint_byte_t<16>``, ``uint_bit_t<128>``."""

    def build(use: Use, holes: Holes) -> Expression:
        """The unsigned integer of so many bits."""
        count = number(given(holes)[0])
        if count is None:
            raise argument_error(use.text, *use.span, "the width of the type is not known")
        return ElementType(use.span, f"u{count * unit}", count * unit)

    return build


def _data(use: Use, holes: Holes) -> Expression:
    """``t.data()``: where a tensor begins, which only its offset says."""
    (of,) = given(holes)
    if isinstance(of, nodes.Binary) and isinstance(of.left, nodes.Offset):
        return Pointer(use.span, None, None, of.left.item)
    if is_layout(of):
        return Pointer(use.span)
    raise argument_error(use.text, *of.span, "a tensor is expected")


def _crd2idx(use: Use, holes: Holes) -> Expression:
    """The offset that a layout gives a coordinate, or the index of a coordinate of a shape."""
    coordinate, of = given(holes)
    if is_layout(of):
        return nodes.Call(use.span, of, (coordinate,), ())
    return call(use.span, "crd2idx", coordinate, of)


def _inside(use: Use, holes: Holes) -> Expression:
    """``t.layout()``: of a layout the layout itself."""
    (of,) = given(holes)
    if isinstance(of, nodes.Binary) and isinstance(of.left, nodes.Offset):
        return of.right
    return of if is_layout(of) else nodes.Attribute(use.span, of, "layout")


def _flat_coordinate(use: Use, holes: Holes) -> Expression:
    """Where an offset is: the coordinate with one index a mode."""
    index, of = given({"i": holes["i"], "self": holes["self"]})
    shape = call(use.span, "shape", of)
    found = call(use.span, "idx2crd", index, shape, call(use.span, "stride", of))
    return call(use.span, "crd2crd", found, shape, call(use.span, "product_each", shape))


def _extreme(chosen: Callable[[Iterable[int]], int]) -> Builder:
    """``cute::min(a, b)``, ``max(a, b)`` of numbers."""

    def build(use: Use, holes: Holes) -> Expression:
        """The least or the greatest of numbers that are known."""
        parts = given(holes)
        numbers = [n for n in map(number, parts) if n is not None]
        if len(numbers) != len(parts) or not parts:
            raise argument_error(use.text, *use.span, f"{use.name} wants numbers that are known")
        return nodes.Integer(use.span, chosen(numbers))

    return build


def _thread(use: Use, holes: Holes) -> Expression:
    """``cute.arch.thread_idx()``: the first thread stands for all of them."""
    zero = nodes.Integer(use.span, 0)
    use.seen.note(f"{use.name.rpartition('::')[2]} is taken for (0,0,0)")
    return nodes.Tuple(use.span, (zero, zero, zero))


def _joined(use: Use, holes: Holes) -> Expression:
    """``tuple_cat``: the entries of all."""
    found: list[Expression] = []
    for part in given(holes):
        items = modes(part)
        if items is None:
            raise argument_error(use.text, *part.span, "a tuple is expected")
        found += items
    return nodes.Tuple(use.span, tuple(found))


def _shape_of(use: Use, holes: Holes) -> Expression:
    """The shape of a tensor or layout, or of one of its modes; a tuple is its own shape."""
    of, path = holes["input"], holes["mode"]
    whole = of if modes(of) is not None and not is_layout(of) else call(use.span, "shape", of)
    return nodes.Index(use.span, whole, path) if path else whole


def _shape_part(use: Use, holes: Holes) -> Expression:
    """``shape<1>(x)``: of a layout the shape of a mode, of a tuple its entry."""
    of, path = holes["x"], tuple(holes["i"] or ())
    part = nodes.Index(use.span, of, path) if path else of
    return part if modes(of) is not None and not is_layout(of) else call(use.span, "shape", part)


def _kept(use: Use, holes: Holes) -> Expression:
    """``slice_``, ``slice`` of C++: of a tuple its free entries, of a layout its free modes without the offset."""
    of, coordinate = given(holes)
    entries, places = modes(of), modes(coordinate)
    if entries is not None and places is not None and not is_layout(of) and len(entries) == len(places):
        free = [e for e, c in zip(entries, places, strict=True) if isinstance(c, nodes.Wildcard)]
        return nodes.Tuple(use.span, tuple(free))
    return nodes.Attribute(use.span, call(use.span, "slice", of, coordinate), "layout")


def _product_like(use: Use, holes: Holes) -> Expression:
    """``product_like(a, profile)``: each part of a tuple that stands at a leaf of the profile, as one size."""
    return _sizes_at(use, holes["a"], holes["target_profile"])


def _sizes_at(use: Use, of: Expression, profile: Expression) -> Expression:
    inside = modes(profile)
    if inside is None:
        return call(use.span, "size", of)
    parts = modes(of)
    if parts is None or len(parts) != len(inside):
        raise argument_error(use.text, *of.span, "a tuple with the profile's number of entries is expected")
    return nodes.Tuple(use.span, tuple(_sizes_at(use, *pair) for pair in zip(parts, inside, strict=True)))


def _accumulator(use: Use, holes: Holes) -> Expression:
    """``mma.make_fragment_C(x)``: compact registers for a partition, or for the shape of one."""
    of = holes["x"]
    is_shape = isinstance(of, nodes.Call) and isinstance(of.function, nodes.Name) and of.function.name == "shape"
    return call(use.span, "make_layout", of if is_shape else _shape_of(use, {"input": of, "mode": None}))


def _fragment_of(use: Use, holes: Holes) -> Expression:
    """``mma.make_fragment_A(x)``: the registers for a partition, or for the shape of one."""
    of = holes["x"]
    is_tuple = modes(of) is not None and not is_layout(of)
    return call(use.span, "make_fragment_like", call(use.span, "make_layout", of) if is_tuple else of)


def _is_major(use: Use, holes: Holes) -> Expression:
    """Is the stride of a mode 1?"""
    mode, stride = given(holes)
    steps, at = modes(stride), number(mode)
    if steps is None or at is None or not 0 <= at < len(steps):
        raise argument_error(use.text, *use.span, "a mode and a tuple of strides are expected")
    return nodes.Truth(use.span, number(steps[at]) == 1)


def _leading(use: Use, holes: Holes) -> Expression:
    """The mode whose stride is 1."""
    _, stride = given(holes)
    found = [i for i, step in enumerate(modes(stride) or ()) if number(step) == 1]
    if len(found) != 1:
        raise argument_error(use.text, *stride.span, "one stride of 1 is expected")
    return nodes.Integer(use.span, found[0])


# ---- shared memory ----


def _smem_atom(use: Use, holes: Holes) -> Expression:
    """``Layout_SW128_Atom<T, Major::K>``: the kind in two words."""
    element, major = given(holes)
    if not isinstance(major, nodes.String):
        raise argument_error(use.text, *major.span, "K or MN is expected")
    swizzle = use.name.removeprefix("Layout_").removesuffix("_Atom")
    return call(use.span, "smem_atom", nodes.String(use.span, f"{major.value}_{swizzle}"), _bits(use, element))


def _smem_selector(use: Use, holes: Holes) -> Expression:
    """The widest atom whose row divides the tile along the contiguous mode."""
    major, element, mn, k = given(holes)
    if not isinstance(major, nodes.String):
        raise argument_error(use.text, *major.span, "K or MN is expected")
    extent = k if major.value == "K" else mn
    if isinstance(extent, nodes.Tuple) and extent.items:
        extent = extent.items[0]
    return call(use.span, "smem_atom_for", major, _bits(use, element), extent)


def _umma_atom(use: Use, holes: Holes) -> Expression:
    """``tcgen05.make_smem_layout_atom``, which has eight rows of ``MN_SW128_32B``."""
    kind, element = given(holes)
    bits = _bits(use, element)
    atom = call(use.span, "smem_atom", kind, bits)
    width = number(bits)
    if not isinstance(kind, nodes.String) or kind.value != "MN_SW128_32B" or width is None:
        return atom
    extents = (nodes.Integer(use.span, 1024 // width), nodes.Integer(use.span, 8))
    return call(use.span, "tile_to_shape", atom, nodes.Tuple(use.span, extents))


def _major(use: Use, layout: Expression) -> str:
    """A row-major tile is K-major."""
    return "K" if _word(use, layout, "ROW_MAJOR", "COL_MAJOR") == "ROW_MAJOR" else "MN"


def _smem_kind(use: Use, holes: Holes) -> Expression:
    """The kind of the widest atom whose row divides the contiguous extent."""
    layout, element, extent = given(holes)
    bits, count = number(_bits(use, element)), number(extent)
    if bits is None or count is None:
        raise argument_error(use.text, *use.span, "a type and an extent are expected")
    swizzle = next((s for s, row in _ROWS.items() if count * bits % row == 0), "INTER")
    return nodes.String(use.span, f"{_major(use, layout)}_{swizzle}")


_ROWS = {"SW128": 1024, "SW64": 512, "SW32": 256}
"""The bits of a row of each kind, widest first."""


def _staged(operand: int) -> Builder:
    """``make_smem_layout_a``: the widest atom tiled to (M, K, stages)."""

    def build(use: Use, holes: Holes) -> Expression:
        """The widest atom that fits, tiled to the operand and its stages."""
        layout, tiler, element, stages = given(holes)
        entries = modes(tiler) or ()
        if len(entries) != 3:
            raise argument_error(use.text, *tiler.span, "a tile (M, N, K) is expected")
        shape = nodes.Tuple(tiler.span, (entries[operand], entries[2], stages))
        major = nodes.String(layout.span, _major(use, layout))
        return call(use.span, "smem_layout", major, _bits(use, element), shape)

    return build


def _umma_staged(operand: str) -> Builder:
    """``sm100_utils.make_smem_layout_a``: the atom tiled to the operand of a tiled MMA and its stages."""

    def build(use: Use, holes: Holes) -> Expression:
        """The widest atom that fits an operand of this MMA; its major is that of the instruction."""
        mma, tiler, element, stages = given(holes)[:4]
        entries = modes(tiler) or ()
        if len(entries) != 3:
            raise argument_error(use.text, *tiler.span, "a tile (M, N, K) is expected")
        shape = nodes.Tuple(tiler.span, (entries[operand == "B"], entries[2]))
        major = _major_of(use, mma, operand)
        if isinstance(holes["is_k_major"], nodes.Truth):
            major = "K" if holes["is_k_major"].value else "MN"
        arguments = (nodes.String(use.span, operand), shape, nodes.String(use.span, major), _bits(use, element), stages)
        return call(use.span, "smem_layout_of", mma, *arguments)

    return build


def _major_of(use: Use, mma: Expression, operand: str) -> str:
    """The major of an operand, which the instruction's C++ name tells."""
    written = use.seen.names.written(mma)
    op = written.arguments[0] if isinstance(written, nodes.Call) and written.arguments else written
    named = re.findall(r"Major::(K|MN)", op.value) if isinstance(op, nodes.String) else []
    if len(named) != 2:
        raise argument_error(use.text, *mma.span, f"the major of operand {operand} is not known: is_k_major says it")
    return str(named[operand == "B"])


def _epilogue(use: Use, holes: Holes) -> Expression:
    """``make_smem_layout_epi``: the same for a tile of the epilogue."""
    names = ("epi_dtype", "epi_layout", "epi_tile", "epi_stage")
    element, layout, tile, stages = (holes[name] for name in names)
    entries = modes(tile) or (tile,)
    shape, order = holes.get("smem_trg_shape"), holes.get("smem_order")
    filled = nodes.Tuple(tile.span, (*entries, stages))
    major = nodes.String(layout.span, _major(use, layout))
    if shape is None and order is None:
        return call(use.span, "smem_layout", major, _bits(use, element), filled)
    atom = call(use.span, "smem_atom_for", major, _bits(use, element), entries[major.value == "K"])
    if order is None:
        places = (0, 1, 2) if major.value == "K" else (1, 0, 2)
        order = nodes.Tuple(use.span, tuple(nodes.Integer(use.span, place) for place in places))
    return call(use.span, "tile_to_shape", atom, filled if shape is None else shape, order)


# ---- instructions ----


def _fma(use: Use, holes: Holes) -> Expression:
    """``UniversalFMA<D, A, B, C>``: one thread, one element, whatever the types."""
    return _atom(use, f"UniversalFMA_{_type(use, given(holes)[0])}")


def _mma_sync(use: Use, holes: Holes) -> Expression:
    """``warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))``."""
    operand, accumulator, extents = given(holes)
    m, n, k = _shape(use, extents)
    ab, acc = _type(use, operand), _type(use, accumulator)
    arch = "SM89" if ab.startswith("E") else "SM80"
    return _atom(use, f"{arch}_{m}x{n}x{k}_{acc}{ab}{ab}{acc}_TN")


def _mma_tf32(use: Use, holes: Holes) -> Expression:
    """The instruction of this shape for TF32."""
    m, n, k = _shape(use, given(holes)[0])
    return _atom(use, f"SM80_{m}x{n}x{k}_F32TF32TF32F32_TN")


def _shape(use: Use, extents: Expression) -> list[int]:
    found = _extents(use, extents)
    if len(found) != 3:
        raise argument_error(use.text, *extents.span, "a shape (M, N, K) is expected")
    return found


def _wgmma(use: Use, holes: Holes) -> Expression:
    """``warpgroup.MmaF16BF16Op``: both operands of one type."""
    ab, acc, extents, source, a, b = given(holes)
    return _wgmma_of(use, ab, ab, acc, _shape(use, extents), source, (a, b))


def _wgmma_pair(use: Use, holes: Holes) -> Expression:
    """The instruction of this shape, operands of two types."""
    left, right, acc, extents, source, a, b = given(holes)
    return _wgmma_of(use, left, right, acc, _shape(use, extents), source, (a, b))


def _wgmma_of(
    use: Use,
    left: Expression,
    right: Expression,
    accumulator: Expression,
    extents: list[int],
    source: Expression | None,
    majors: tuple[Expression, ...],
) -> Expression:
    """The name of a wgmma; where the operands stand and their majors do not change its layouts."""
    for major in majors:
        _word(use, major, "K", "MN")
    from_registers = source is not None and _word(use, source, "SMEM", "RMEM") == "RMEM"
    m, n, k = extents
    a, b, c = (_type(use, t) for t in (left, right, accumulator))
    only_tn = "" if a in ("F16", "BF16") else "_TN"
    return _atom(use, f"SM90_{m}x{n}x{k}_{c}{a}{b}_{'RS' if from_registers else 'SS'}{only_tn}")


_WIDEST = (256, 192, 128, 96, 64, 32, 16, 8)
"""The extents N of a wgmma that CUTLASS chooses from, widest first."""


def _selected(source: str) -> Builder:
    """``GMMA::ss_op_selector<A, B, C, TileMNK>()``: the widest N that divides the tile."""

    def build(use: Use, holes: Holes) -> Expression:
        """The widest instruction whose N divides the tile."""
        left, right, accumulator, tile, *majors = given(holes)
        m, n, _ = _shape(use, tile)
        if m % 64 or n % 8:
            told = f"Tile_M must be a multiple of 64: {m} % 64 = {m % 64}"
            if m % 64 == 0:
                told = f"Tile_N must be a multiple of 8: {n} % 8 = {n % 8}"
            raise refused(use.text, *tile.span, told)
        bits = number(_bits(use, left))
        widest = next(w for w in _WIDEST if n % w == 0)
        extents = [64, widest, 256 // (bits or 16)]
        where = nodes.String(use.span, source)
        return _wgmma_of(use, left, right, accumulator, extents, where, tuple(majors))

    return build


def _wgmma_tiled(use: Use, holes: Holes) -> Expression:
    """``make_trivial_tiled_mma`` of Hopper: an instruction 64 x tiler_mn[1] x (256 / bits)."""
    left, right, a, b, accumulator, atoms, tiler, *source = given(holes)
    bits, extents = number(_bits(use, left)), _extents(use, tiler)
    shape = [64, extents[-1], 256 // (bits or 16)]
    op = _wgmma_of(use, left, right, accumulator, shape, source[0] if source else None, (a, b))
    return call(use.span, "tiled_mma", op, atoms)


def _umma(use: Use, holes: Holes) -> Expression:
    """The instruction of this shape for one thread block or two."""
    ab, acc, extents, group, _, a, b = given(holes)
    return _umma_of(use, ab, acc, _extents(use, extents), group, (a, b))


def _umma_tiled(use: Use, holes: Holes) -> Expression:
    """``make_trivial_tiled_mma`` of Blackwell."""
    names = ("ab_dtype", "a_leading_mode", "b_leading_mode", "acc_dtype", "cta_group", "mma_tiler_mn")
    ab, a, b, acc, group, tiler = (holes[name] for name in names)
    other: Expression | None = holes.get("b_dtype")
    if other is not None and _type(use, other) != _type(use, ab):
        raise argument_error(use.text, *other.span, "operands of two types are not read here")
    return call(use.span, "tiled_mma", _umma_of(use, ab, acc, _extents(use, tiler), group, (a, b)))


def _umma_of(
    use: Use, ab: Expression, acc: Expression, extents: list[int], group: Expression, majors: tuple[Expression, ...]
) -> Expression:
    """``SM100_MMA_F16BF16_SS<A, B, C, M, N, MajorA, MajorB>``, of one thread block or of two."""
    pair = _word(use, group, "ONE", "TWO") == "TWO"
    kind = {"F16": "F16BF16", "BF16": "F16BF16", "TF32": "TF32"}.get(_type(use, ab), "F8F6F4")
    a, b = (_word(use, major, "K", "MN") for major in majors)
    ab_name, c_name = CPP_TYPES[_type(use, ab)], CPP_TYPES[_type(use, acc)]
    m, n = extents[:2]
    where = f"{ab_name},{ab_name},{c_name},{m},{n},UMMA::Major::{a},UMMA::Major::{b}"
    return _atom(use, f"SM100_MMA_{kind}_{'2x1SM_' if pair else ''}SS<{where}>")


# ---- copies ----


def _copy_op(use: Use, holes: Holes) -> Expression:
    """``UniversalCopy<uint128_t>``, ``SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>``: an instruction of so many bits."""
    bits = _bits(use, given(holes)[0])
    if not isinstance(bits, nodes.Integer):
        raise argument_error(use.text, *bits.span, "the width of the copy is not known")
    width = f"{bits.value}b" if use.name == "UniversalCopy" else f"{bits.value // 8}B"
    return nodes.String(use.span, f"{use.name}_{width}")


def _element_copy(use: Use, holes: Holes) -> Expression:
    """A copy whose width is chosen when it runs: it counts as one element."""
    return nodes.String(use.span, "element")


def _copy_atom(use: Use, holes: Holes) -> Expression:
    """A copy instruction for elements of one type."""
    op, element = given(holes)
    bits = _bits(use, element)
    single = isinstance(op, nodes.String) and op.value in ("element", "DefaultCopy", "AutoVectorizingCopy")
    if single and isinstance(bits, nodes.Integer):
        op = nodes.String(op.span, f"UniversalCopy_{bits.value}b")
    return call(use.span, "copy_atom", op, bits)


def _copy_universal(use: Use, holes: Holes) -> Expression:
    """A copy of as many bits as `make_copy_atom` says."""
    return _atom(use, "UniversalCopy")


def _copy_async(use: Use, holes: Holes) -> Expression:
    """``cpasync.CopyG2SOp(cache_mode=LoadCacheMode.GLOBAL)``."""
    mode = given(holes)
    return _atom(use, f"SM80_CP_ASYNC_CACHE{_word(use, mode[0], 'ALWAYS', 'GLOBAL') if mode else 'ALWAYS'}")


def _matrices(names: Callable[[int, bool], str]) -> Builder:
    """``LdMatrix8x8x16bOp(transpose=False, num_matrices=4)``."""

    def build(use: Use, holes: Holes) -> Expression:
        """The instruction that moves so many 8x8 matrices."""
        transpose, count = holes["transpose"], holes["num_matrices"]
        turned = isinstance(transpose, nodes.Truth) and transpose.value
        return _atom(use, names(1 if count is None else number(count) or 1, turned))

    return build


def _copy_of_bits(use: Use, holes: Holes) -> Expression:
    """``make_copy_atom(op, dtype, num_bits_per_copy=128)``: without a number of bits, one element."""
    op, element, *width = given(holes)
    bits = _bits(use, element)
    wide = number(width[0] if width else bits)
    if isinstance(op, nodes.String) and wide is not None:
        if op.value == "UniversalCopy":
            op = nodes.String(op.span, f"UniversalCopy_{wide}b")
        elif op.value.startswith("SM80_CP_ASYNC_CACHE"):
            op = nodes.String(op.span, f"{op.value}_{wide // 8}B")
        elif width:
            raise argument_error(use.text, *width[0].span, f"{op.value} has a width of its own")
    return call(use.span, "copy_atom", op, bits)


BUILDERS: dict[str, Builder] = {
    **LAYOUTS,
    "copy_async": _copy_async,
    "copy_atom": _copy_atom,
    "copy_of_bits": _copy_of_bits,
    "copy_op": _copy_op,
    "copy_universal": _copy_universal,
    "bits_type": _bits_wide(1),
    "bytes": _bits_wide(8),
    "data": _data,
    "divided": _divided,
    "domain_offset": _domain_offset,
    "crd2idx": _crd2idx,
    "element_copy": _element_copy,
    "flat_coordinate": _flat_coordinate,
    "accumulator": _accumulator,
    "fma": _fma,
    "fragment_of": _fragment_of,
    "inside": _inside,
    "is_major": _is_major,
    "joined": _joined,
    "kept": _kept,
    "ldmatrix": _matrices(lambda n, turned: f"SM75_U16x{2 * n}_LDSM_T" if turned else f"SM75_U32x{n}_LDSM_N"),
    "leading": _leading,
    "mma_sync": _mma_sync,
    "mma_tf32": _mma_tf32,
    "product_like": _product_like,
    "rs_op": _selected("RMEM"),
    "same": _same,
    "shape_of": _shape_of,
    "shape_part": _shape_part,
    "greatest": _extreme(max),
    "least": _extreme(min),
    "thread": _thread,
    "umma_smem_a": _umma_staged("A"),
    "umma_smem_b": _umma_staged("B"),
    "smem_a": _staged(0),
    "smem_atom": _smem_atom,
    "smem_b": _staged(1),
    "smem_epi": _epilogue,
    "smem_kind": _smem_kind,
    "smem_selector": _smem_selector,
    "ss_op": _selected("SMEM"),
    "static": _static,
    "stmatrix": _matrices(lambda n, turned: f"SM90_U16x{2 * n}_STSM_T" if turned else f"SM90_U32x{n}_STSM_N"),
    "umma": _umma,
    "umma_atom": _umma_atom,
    "umma_tiled": _umma_tiled,
    "wgmma": _wgmma,
    "wgmma_pair": _wgmma_pair,
    "wgmma_tiled": _wgmma_tiled,
}
"""All builders by the names that rows have for them."""
