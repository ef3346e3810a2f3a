"""The rows of the function table.

A row is ``name | parameters | result | help | law | example``. A parameter is ``name: kind``, with ``?`` after the kind if it may be left out
and ``...`` if it may be repeated. Kinds are those of `coerce`; results name the printed form (``values``, ``image``, ``grid``).
"""

from __future__ import annotations

from .functions import Function, Parameter

__all__ = ["ROWS"]

_LAYOUT_ALGEBRA = """
composition | A: outer, B: any... | | A o B, the layout that reads A at the places of B | R(c) = A(B(c)) | composition((4,6,8,10):(2,3,5,7), 6:12)
coalesce | L: any-layout, profile: profile? | | the same function with the fewest modes; by mode with a profile | R(i) = L(i) | coalesce((2,(1,6)):(1,(6,2)))
complement | L: layout, codomain: shape? | | the layout that counts the places L leaves free | (L, L*) is injective | complement(4:1, 8)
right_inverse | L: any-layout | | R with L(R(k)) = k | L(R(k)) = k | right_inverse((4,8):(8,1))
left_inverse | L: any-layout | | R with L(R(L(k))) = L(k): it undoes L, stride-0 modes apart | L(R(L(k))) = L(k) | left_inverse((4,8):(1,5))
inverse | L: layout | | the two-sided inverse of a compact layout | L(R(k)) = R(L(k)) = k | inverse((4,8):(8,1))
logical_divide | A: any-layout, B: operand | | A o (B, B*): the tile, then the count of tiles | R(c) = A(C(c)), C = (B, B*) | logical_divide((8,16):(20,1), <4:1,8:2>)
zipped_divide | A: any-layout, B: operand | | the divide as (tiles, rests) | mode 0 is A o B | zipped_divide((8,16):(20,1), (4,8))
tiled_divide | A: any-layout, B: operand | | the divide as (tiles, rest, rest, ...) | | tiled_divide((8,16):(20,1), (4,8))
flat_divide | A: any-layout, B: operand | | the divide as (tile, tile, ..., rest, rest, ...) | | flat_divide((8,16):(20,1), (4,8))
logical_product | A: any-layout, B: operand | | A repeated in the pattern of B | R(a,b) = A(a) + A*(B(b)) | logical_product((3,4):(4,1), (2,5):(1,2))
zipped_product | A: any-layout, B: operand | | the by-mode product as (blocks, rests) | | zipped_product((2,5):(5,1), (3,4):(1,3))
tiled_product | A: any-layout, B: operand | | the by-mode product as (blocks, rest, rest, ...) | | tiled_product((2,5):(5,1), (3,4):(1,3))
flat_product | A: any-layout, B: operand | | the by-mode product as (block, ..., rest, ...) | | flat_product((2,5):(5,1), (3,4):(1,3))
blocked_product | A: layout, B: operand | | the product with modes (A_i, B_i): blocks side by side | | blocked_product((3,4):(4,1), (2,5):(1,2))
raked_product | A: layout, B: operand | | the product with modes (B_i, A_i): blocks interleaved | | raked_product((3,4):(4,1), (2,5):(1,2))
slice | L: any-layout, c: coordinate | | fix the given entries, keep the free (_) modes | slice(L,c)(free) = L(c) | slice((4,8):(1,4), (2,_))
eval | L: any-layout, c: coordinate | | the value at a coordinate | L(c) = sum c_i*d_i | eval((4,8):(1,4), (2,5))
apply | i: integer, L: layout... | | the layouts applied from the right | L1(L2(...(i))) | apply(3, (2,2,2):(20,9,25), (3,1):(1,4))
"""

_MODES = """
rank | x: tuple | | the number of modes | | rank((4,(3,2)):(2,(8,1)))
depth | x: tuple | | the depth of nesting | | depth((4,(3,2)):(2,(8,1)))
size | x: tuple | | the number of coordinates | | size((4,(3,2)):(2,(8,1)))
cosize | L: any-layout | | the largest value + 1 | | cosize((4,8):(1,5))
coshape | L: any-layout | | the shape of the codomain | | coshape((4,8):(e0,e1))
shape | L: any-layout | | the shape | | shape((4,8):(1,4))
stride | L: layout | | the strides | | stride((4,8):(1,4))
mode | L: any, i: integer | | one mode | | mode((4,(3,2)):(2,(8,1)), 1)
concat | L: layout... | | the layout with the given modes | | concat(4:1, 8:4)
flatten | L: any | | all leaves as modes of one level | | flatten((2,(4,1)):(1,(2,8)))
group | L: any-layout, begin: integer, end: integer | | modes begin..end-1 as one mode | | group((4,3,2):(1,4,12), 1, 3)
select | L: any-layout, i: integer... | | the modes with the given indices | | select((16,8,2):(4,16,2), 0, 2)
take | L: any-layout, begin: integer, end: integer | | the modes begin..end-1 | | take((8,8,2):(1,8,64), 1, 3)
append | L: layout, mode: layout | | L with a mode after it | | append((4,8):(1,4), 2:32)
prepend | L: layout, mode: layout | | L with a mode before it | | prepend((4,8):(1,4), 2:32)
replace | L: layout, i: integer, mode: layout | | L with mode i replaced | | replace((4,8):(1,4), 1, 2:4)
with_shape | L: layout, shape: shape | | the same function over another shape | R(c) = L(crd2idx(c)) | with_shape(16:1, (8,2))
filter | L: layout, profile: profile? | | without size-1 and stride-0 modes, coalesced | | filter((2,(2,1),4):(10,(0,5),4))
filter_zeros | L: layout, profile: profile? | | stride-0 modes get extent 1 | | filter_zeros((4,8):(0,1))
make_layout | shape: any, stride: any...? | | a layout from shape and stride (or LayoutLeft, LayoutRight), or from layouts | | make_layout((4,8), LayoutRight)
make_ordered_layout | shape: shape, order: tuple | | compact, modes in the given order | | make_ordered_layout((8,16), (1,0))
make_layout_like | L: layout | | compact, in the order of L's strides | | make_layout_like((4,8):(0,3))
make_identity_layout | shape: shape | | coordinates to themselves | L(c) = c | make_identity_layout((4,8))
make_layout_tv | thr: layout, val: layout | | the thread-value layout of a thread and a value layout | | make_layout_tv((4,8):(8,1), (2,2):(1,2))
tile_to_shape | block: any-layout, shape: shape, order: any? | | the block repeated to fill a shape | | tile_to_shape((2,2):(1,2), (8,8))
upcast | L: any-layout, n: integer | | the layout in units n times larger | | upcast(8:1, 4)
downcast | L: any-layout, n: integer | | the layout in units n times smaller | | downcast((2,2):(1,2), 2)
recast_layout | L: any-layout, old: integer, new: integer | | the layout of elements of another width in bits | | recast_layout((8,4):(1,8), 32, 16)
local_tile | L: any-layout, tiler: operand, c: coordinate | | the tile at a coordinate | | local_tile((8,16):(20,1), (4,8), (1,0))
local_partition | L: any-layout, thr: layout, i: integer | | what one thread of a thread layout gets | | local_partition((8,16):(1,8), (2,4):(1,2), 3)
"""

_COORDINATES = """
idx2crd | i: integer, shape: shape, stride: tuple? | | the coordinate of an index, one level | | idx2crd(22, ((2,2),(4,2)))
crd2idx | c: coordinate, shape: shape, stride: tuple? | | the index of a coordinate | | crd2idx((2,5), (4,8))
crd2crd | c: coordinate, from: shape, to: shape | | the coordinate of another shape with the same index | | crd2crd((1,2), (4,6), ((2,2),6))
natural | c: coordinate, shape: shape | | the coordinate in the profile of the shape | | natural(22, ((2,2),(4,2)))
coords | shape: shape | values | all coordinates, first mode fastest | | coords((2,3))
colexicographic | shape: shape | values | all coordinates, first mode fastest | | colexicographic((2,3))
lexicographic | shape: shape | values | all coordinates, last mode fastest, as in PyTorch | | lexicographic((2,3))
congruent | a: tuple, b: tuple | | the same nesting | | congruent((4,(2,4)), (7,(3,2)))
weakly_congruent | a: tuple, b: tuple | | the nesting of a reaches into that of b | | weakly_congruent(30, (2,15))
compatible | a: tuple, b: tuple | | every coordinate of a is one of b | | compatible(24, (4,6))
make_basis_like | shape: shape | | the basis elements of a shape | | make_basis_like((10,(20,30)))
tiler_to_layout | T: operand | | the coordinate layout that a tiler acts as | A o T = A o R | tiler_to_layout(<4:2,8>)
prefix_products | shape: shape | | the compact column-major strides of a shape | | prefix_products((4,(3,2)))
sum | a: element, b: element | | the sum of stride elements | | sum(f5, f10)
scale | n: integer, d: element | | a multiple of a stride element | | scale(3, f3)
"""

_VALUES = """
values | L: any-layout | values | all values in order of the index | | values((2,2):(1,4))
image | L: any-layout | image | the set of values | | image((2,2):(8,2))
table | L: any-layout | grid | the values of a rank-2 layout, row by row | | table((2,3):(1,2))
tv_table | TV: layout, shape: shape | owners | who owns each cell of a tile | | tv_table(((2,2),2):((2,1),4), (2,4))
tile_table | T: operand, shape: shape | grid | the tile number of each cell | | tile_table(<2:1,2:1>, (4,4))
mark_table | L: layout, shape: shape | marks | the cells that a coordinate layout selects | | mark_table((4,4):(e0,e1) o <2,2>, (4,4))
layout_of | v: element... | | the smallest layout with these values | L(i) = v_i | layout_of(0,15,30,100,115,130)
linear_form | L: layout | grid | the matrix of the strides | | linear_form((4,(4,2)):(e1,(e0,6e1)))
equal | A: any-layout, B: any-layout | | the same size and the same integer function | A(i) = B(i) | equal((4,2):(1,4), 8:1)
injective | L: any-layout | | no value twice | | injective((4,8):(1,5))
surjective | L: any-layout, n: shape? | | every value below n (the cosize) is taken | | surjective((4,8):(1,4))
bijective | L: any-layout | | injective and surjective | | bijective((4,8):(8,1))
compact | L: any-layout | | a bijection onto 0..size-1 | | compact((4,8):(8,1))
disjoint | A: any-layout, B: any-layout | | no common value | | disjoint((2,4):(4,1), (2,2):(1,2))
is_identity | L: layout, shape: shape | | the identity of a shape | | is_identity((4,6):(1,4), (4,6))
admissible | T: layout, A: layout | | every value of T is a value of A | | admissible((2,128):(1,16384), (128,64):(16384,1))
max_common_vector | A: any-layout, B: any-layout | | how many elements both layouts hold contiguously alike | | max_common_vector((4,4):(1,4), ((2,2),4):((1,8),2))
max_common_layout | A: any-layout, B: any-layout | | the coordinates of those elements | | max_common_layout((4,4):(1,4), ((2,2),4):((1,8),2))
max_alignment | L: layout | | the largest power of two that divides all strides past the contiguous part | | max_alignment((8,8):(1,16))
nullspace | L: layout | | the layout of the indices that L sends to 0 by stride 0 | | nullspace((4,8):(0,1))
layout_add | A: layout, B: layout | | the sum of two layouts of one size | R(i) = A(i) + B(i) | layout_add(4:1, (2,2):(10,0))
common_refinement | A: any, B: any | values | both over the coarsest common shape | | common_refinement((4,6):(1,4), (2,12):(12,1))
common_coarsening | A: any, B: any | | both over the finest common coarser shape | | common_coarsening((4,6):(1,4), (2,12):(12,1))
greatest_common_domain | A: layout, B: layout | | the largest initial domain on which both are defined alike | | greatest_common_domain((4,6):(1,4), (4,6):(1,8))
copy_map | src: layout, dst: layout | pairs | source and destination offset of every element | | copy_map(4:1, 4:2)
gemm_mnk | A: layout, B: layout, C: layout | | M, N and K of a matrix product | | gemm_mnk((4,8):(1,4), (6,8):(1,6), (4,6):(1,4))
as_xor | S: any-layout | | a swizzled layout with XOR strides | as_xor(S)(i) = S(i) | as_xor(Sw<2,0,2> o 0 o (4,4):(4,1))
as_swizzle | L: layout | | a layout with XOR strides as a swizzled one, where it is one | as_swizzle(L)(i) = L(i) | as_swizzle((4,4):(f5,f1))
to_bytes | L: any-layout, bits: integer | | a layout of elements of so many bits, in bytes | R(c) = L(c)*bits/8 | to_bytes(Sw<3,3,3> o 0 o (8,64):(64,1), 16)
to_elements | L: any-layout, bits: integer | | a layout in bytes, in elements of so many bits | R(c) = L(c)*8/bits | to_elements((4,8):(2,8), 16)
swizzle | S: any, i: any | | a swizzle at an index, or a swizzle of given bits | | swizzle(Sw<1,0,1>, 3)
"""

_CATEGORIES = """
is_tractable | L: layout | | has the layout a diagram? | | is_tractable((4,8):(8,1))
layout_properties | L: layout | | what the categorical view says of a layout | | layout_properties((4,3,2):(6,1,3))
to_morphism | L: layout | | the standard form of a tractable layout | layout(f) = L | to_morphism((4,8):(8,1))
realize | f: morphism | | the layout of a morphism | | realize(to_morphism((4,8):(8,1)))
layout | f: morphism | | the layout of a morphism as a value | | layout(to_morphism((4,8):(8,1)))
standardise | f: morphism | | the standard form of the layout of a morphism | | standardise(to_morphism((4,8):(8,1)))
make_morphism | domain: shape, map: tuple, codomain: shape | | the morphism domain --(map)--> codomain | | make_morphism((4,2), (2,1), (2,4))
properties | f: morphism | | non-degenerate, standard, complementable, ... | | properties(to_morphism((4,8):(8,1)))
refines | S: shape, T: shape | | is S a refinement of T? | | refines(((2,2),16), (4,16))
relative_modes | S: shape, T: shape | | the modes of S relative to T | | relative_modes(((2,3),(4,2)), (6,8))
mutual_refinement | T: shape, U: shape | | the coarsest refinements of both that agree | | mutual_refinement((6,6), (12,3,6))
coalesce_layout | L: layout | | coal(L) | | coalesce_layout((8,8,3):(1,8,64))
coalesce_relative | L: layout, S: shape | | coal(L, S) | | coalesce_relative(((2,2),3):((1,2),4), (4,3))
complement_layout | L: layout, N: integer | | comp(L, N) | | complement_layout((6):(8), 48)
sort_layout | L: layout | | modes in order of stride | | sort_layout((4,8):(8,1))
squeeze_layout | L: layout | | without modes of extent 1 | | squeeze_layout((4,1,8):(1,0,4))
compose_morphisms | f: morphism, g: morphism | | g o f | layout(g o f) = layout(g) o layout(f) | compose_morphisms(make_morphism((2),(1),(2,4)), make_morphism((2,4),(2,1),(4,2)))
concat_nested | f: morphism... | | (f, g) with images apart | | concat_nested(make_morphism((6,3),(1,3),(6,4,3,2)), make_morphism((4,2),(2,4),(6,4,3,2)))
concat_flat | f: morphism... | | the flat concatenation | | concat_flat(make_morphism((6),(1),(6,4)), make_morphism((4),(2),(6,4)))
sum_flat | f: morphism, g: morphism | | f (+) g on both sides | | sum_flat(make_morphism((6),(1),(6)), make_morphism((4),(1),(4)))
restrict | f: morphism, positions: tuple | | f on some entries of its domain | | restrict(make_morphism((2,4),(2,1),(4,2)), (1))
factorize | f: morphism, positions: tuple | | f through some entries of its codomain | | factorize(make_morphism((2),(1),(2,4)), (1))
sort_flat | f: morphism | | f with its domain sorted | | sort_flat(make_morphism((4,3,8),(3,1,0),(3,4,4)))
squeeze_flat | f: morphism | | f without entries of 1 | | squeeze_flat(make_morphism((2,1,8),(1,0,2),(2,8)))
coalesce_flat | f: morphism | | coalesced, flat | | coalesce_flat(make_morphism((2,4),(1,2),(2,4)))
coalesce_morphism | f: morphism | | coal(f) | | coalesce_morphism(make_morphism((2,4),(1,2),(2,4)))
coalesce_morphism_relative | f: morphism, S: shape | | coal(f, S) | | coalesce_morphism_relative(make_morphism(((2,4)),(1,2),(2,4)), (8))
complement_morphism | f: morphism | | the entries that f leaves out | | complement_morphism(make_morphism((5,3),(1,3),(5,2,3)))
is_complementary | f: morphism, g: morphism | | do they cover the codomain, apart? | | is_complementary(make_morphism((5),(1),(5,3)), make_morphism((3),(2),(5,3)))
logical_divide_morphisms | f: morphism, g: morphism | | f / g | | logical_divide_morphisms(make_morphism((4,2),(1,2),(4,2)), make_morphism((4),(1),(4,2)))
divide_flat | f: morphism, g: morphism | | the flat divide | | divide_flat(make_morphism((4,2),(1,2),(4,2)), make_morphism((4),(1),(4,2)))
logical_product_morphisms | f: morphism, g: morphism | | f * g | | logical_product_morphisms(make_morphism((5),(1),(5)), make_morphism((),(),()))
product_flat | f: morphism, g: morphism | | the flat product | | product_flat(make_morphism((5),(1),(5)), make_morphism((),(),()))
pullback | f: morphism, S: shape | | f over a refinement of its codomain | | pullback(make_morphism((8,3),(1,0),8), 8)
pushforward | f: morphism, S: shape | | f over a refinement of its domain | | pushforward(make_morphism((4,3),(0,4),(6,16,3,3)), ((2,2),3))
weak_composite | f: morphism, g: morphism | | g o f after mutual refinement | | weak_composite(make_morphism((20),(2),(2,20,6)), make_morphism((240,2),(1,0),(240)))
compose_layouts | A: layout, B: layout | | A o B by morphisms, with its stages | | compose_layouts((2,2):(2,1), 4:1)
compose_layouts_general | A: layout, B: layout | | the same for more operands | | compose_layouts_general((2,2):(2,1), 4:1)
compose_layouts_resized | A: layout, B: layout | | with the last mode of A resized | | compose_layouts_resized((6):(6), (5,8):(1,0))
classify_composition | A: layout, B: layout | | which conditions of A o B hold | | classify_composition((2,2,2):(6,4,1), (2):(1))
logical_divide_layouts | A: layout, B: layout | | A / B by morphisms | | logical_divide_layouts((16):(2), 16:1)
why | A: layout, B: operand | | how far A o B gets, and what stops it | | why((4,3):(1,5), 3:2)
logical_product_layouts | A: layout, B: layout | | A * B by morphisms | | logical_product_layouts((2,4):(20,1), (5):(1))
"""

_ATOMS = """
atom | name: string | | a hardware instruction by name | | atom("SM80_16x8x16_F32F16F16F32_TN")
tiled_mma | atom: atom, atoms: plain-operand?, permutation: plain-operand? | | a matrix instruction over groups of threads and values | | tiled_mma(atom("SM80_16x8x16_F32F16F16F32_TN"), (2,2,1):(1,2,0))
tiled_copy | atom: atom, thr: plain-operand, val: plain-operand?, bits: integer? | | a copy instruction over threads and values | | tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)
tiled_copy_A | atom: atom, mma: tiled, bits: integer? | | the tiled copy that feeds operand A | | tiled_copy_A("SM75_U32x4_LDSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN"))
tiled_copy_B | atom: atom, mma: tiled, bits: integer? | | the tiled copy that feeds operand B | | tiled_copy_B("SM75_U32x2_LDSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN"))
tiled_copy_C | atom: atom, mma: tiled, bits: integer? | | the tiled copy that moves the result | | tiled_copy_C("SM90_U32x2_STSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), 16)
partition | tiled: tiled, operand: string, tensor: tensor, thread: integer? | | what a thread works on | P(v,r,r') = tensor(x,y) | partition(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), "C", (16,8):(1,16), 5)
fragment | tiled: tiled, operand: string, tensor: tensor | | the registers of one thread | | fragment(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), "A", (32,64))
owner | x: holder, operand: string, c: coordinate | owned | who holds the element at a coordinate | | owner(atom("SM80_16x8x16_F32F16F16F32_TN"), "C", (5,3))
elements | x: holder, operand: string, thread: integer | held | what a thread holds | | elements(atom("SM80_16x8x16_F32F16F16F32_TN"), "C", 21)
"""

_FAMILIES = {
    "algebra": ("grammar.language.vocabulary", _LAYOUT_ALGEBRA),
    "modes": ("grammar.language.vocabulary", _MODES),
    "coordinates": ("grammar.language.vocabulary", _COORDINATES),
    "values": ("grammar.language.vocabulary", _VALUES),
    "atoms": ("atoms", _ATOMS),
    "categories": ("algebra.categories.operations", _CATEGORIES),
}

_ELSEWHERE = {
    "composition": "grammar.language.operators:compose_all",
    "atom": "atoms.instructions.catalogue:atom",
    "tiled_mma": "atoms.tiling.mma_tiling:tiled_mma",
    "tiled_copy": "atoms.tiling.copy_tiling:tiled_copy",
    "tiled_copy_A": "atoms.tiling.copy_tiling:tiled_copy_A",
    "tiled_copy_B": "atoms.tiling.copy_tiling:tiled_copy_B",
    "tiled_copy_C": "atoms.tiling.copy_tiling:tiled_copy_C",
    "partition": "atoms.tiling.partitioning:partition",
    "fragment": "atoms.tiling.partitioning:fragment",
    "owner": "atoms.tiling.ownership:owner",
    "elements": "atoms.tiling.ownership:elements",
}
"""Functions that are not in the module of their family."""

_ALIASES = {
    "realize": ("realise",),
    "to_morphism": ("morphism",),
    "is_tractable": ("tractable",),
    "mutual_refinement": ("refine",),
    "standardise": ("standard",),
    "composition": ("compose",),
    "logical_divide": ("divide",),
    "logical_product": ("product",),
    "concat": ("concatenate",),
    "slice": ("slice_and_offset",),
    "equal": ("equivalent",),
    "coords": ("coordinates",),
    "recast_layout": ("recast",),
    "linear_form": ("matrix",),
    "values": ("offsets",),
}


def _parameters(text: str) -> tuple[Parameter, ...]:
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, kind = map(str.strip, part.partition(":"))
        many, optional = "..." in kind, kind.endswith("?")
        found.append(Parameter(name, kind.rstrip("?."), optional, many))
    return tuple(found)


def _rows() -> list[Function]:
    rows = []
    for family, (module, text) in _FAMILIES.items():
        for line in text.strip().splitlines():
            name, parameters, result, help_, law, example = (part.strip() for part in line.split("|"))
            rows.append(
                Function(
                    name,
                    _parameters(parameters),
                    _ELSEWHERE.get(name, f"{module}:{name}"),
                    help_,
                    law,
                    example,
                    result,
                    family,
                    _ALIASES.get(name, ()),
                )
            )
    return rows


ROWS = _rows()
