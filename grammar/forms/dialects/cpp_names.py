"""The names of CuTe C++, one a line: how they are used, and what that is in the language (see `rows`)."""

from __future__ import annotations

__all__ = ["CPP"]

CPP = """
# numbers
Int<value>                                  @constant
C<value>                                    @constant
constant<type, value>                       @constant
constant<value>                             @constant
Constant<value>                             @constant
integral_constant<type, value>              @constant
R<numerator, denominator>                   @rational
ScaledBasis<scale, *axes>                   @scaled_basis
E<*axes>                                    @basis
uint_byte_t<count>                          @bytes
uint_bit_t<count>                           @bits_type
sizeof<T>                                   T.bits / 8
sizeof(T)                                   T.bits / 8
sizeof_bits<T>                              T.bits
sizeof_bits_v<T>                            T.bits
min(*x)                                     @least
max(*x)                                     @greatest
ceil_div(a, b)                              ceil_div(a, b)
round_up(a, b)                              round_up(a, b)
shape_div(a, b)                             shape_div(a, b)
elem_scale(a, b)                            elem_scale(a, b)
evenly_divides(a, b)                        evenly_divides(a, b)
product(x)                                  size(x)
product_each(x)                             product_each(x)
conditional_t<condition, a, b>              @choose
conditional<condition, a, b>                @choose
conditional_return<condition>(a, b)         @choose
CUTE_STATIC_V(x)                            x
domain_offset(coord, x)                     @domain_offset
remove_cvref_t<x>                           x
remove_reference_t<x>                       x
remove_const_t<x>                           x
remove_cv_t<x>                              x
decay_t<x>                                  x
is_same_v<a, b>                             @same
is_same<a, b>                               @same
decltype(x)                                 x
is_static<x>                                @static
is_static_v<x>                              @static
static_cast<T>(x)                           x
::value                                     self
::type                                      self

# tuples
Shape<*items>                               (items,)
Stride<*items>                              (items,)
Coord<*items>                               (items,)
Step<*items>                                (items,)
IntTuple<*items>                            (items,)
tuple<*items>                               (items,)
ArithmeticTuple<*items>                     (items,)
ArithTuple<*items>                          (items,)
Tile<*items>                                <items>
make_shape(*items)                          (items,)
make_stride(*items)                         (items,)
make_coord(*items)                          (items,)
make_step(*items)                           (items,)
make_tuple(*items)                          (items,)
make_int_tuple(*items)                      (items,)
make_arithmetic_tuple(*items)               (items,)
make_tile(*items)                           <items>

# layouts
Layout<*parts>                              @layout
make_layout(*parts)                         @layout
make_ordered_layout(shape, order)           @ordered
make_layout_like(x)                         make_layout_like(x)
make_fragment_like(x)                       make_fragment_like(x)
make_fragment_like<T>(x)                    make_fragment_like(x)
make_identity_layout(shape)                 @identity
make_identity_tensor(shape)                 @identity
make_tensor_like(x)                         make_layout_like(x)
make_tensor_like<T>(x)                      make_layout_like(x)
make_coord_tensor(x)                        x
LayoutLeft::Apply<shape>                    @left
LayoutRight::Apply<shape>                   @right
Swizzle<bits, base=None, shift=None>        @swizzle
make_swizzle(bits, base, shift)             @swizzle
ComposedLayout<outer, offset, inner>        @composed
make_composed_layout(outer, offset, inner)  @composed
make_tensor(pointer, *parts)                @tensor
make_tensor<T>(*parts)                      @layout parts
as_position_independent_swizzle_layout(x)   x
as_position_independent_swizzle_tensor(x)   x
get_nonswizzle_portion(x)                   x.layout
get_swizzle_portion(x)                      x.swizzle

# pointers
make_gmem_ptr(pointer)                      @pointer
make_smem_ptr(pointer)                      @pointer
make_rmem_ptr(pointer)                      @pointer
make_gmem_ptr<T>(pointer)                   @pointer
make_smem_ptr<T>(pointer)                   @pointer
make_rmem_ptr<T>(pointer)                   @pointer
counting_iterator<type>(*start)             @iterator
counting_iterator(*start)                   @iterator
make_inttuple_iter(*start)                  @iterator
make_coord_iter(*start)                     @iterator
smem_ptr_flag_bits<bits>                    @flag

# the algebra
composition(*x)                             composition(x)
complement(x, size=None)                    complement(x, size)
right_inverse(x)                            right_inverse(x)
left_inverse(x)                             left_inverse(x)
logical_divide(x, tiler)                    @divided
zipped_divide(x, tiler)                     zipped_divide(x, tiler)
tiled_divide(x, tiler)                      tiled_divide(x, tiler)
flat_divide(x, tiler)                       flat_divide(x, tiler)
logical_product(x, tiler)                   logical_product(x, tiler)
zipped_product(x, tiler)                    zipped_product(x, tiler)
tiled_product(x, tiler)                     tiled_product(x, tiler)
flat_product(x, tiler)                      flat_product(x, tiler)
blocked_product(x, tiler)                   blocked_product(x, tiler)
raked_product(x, tiler)                     raked_product(x, tiler)
max_common_vector(a, b)                     max_common_vector(a, b)
max_common_layout(a, b)                     max_common_layout(a, b)
coalesce(x, profile=None)                   coalesce(x, profile)
filter(x, profile=None)                     filter(x, profile)
filter_zeros(x, profile=None)               filter_zeros(x, profile)
flatten(x)                                  flatten(x)

# parts
get<*i>(x)                                  x[i]
layout<*i>(x)                               x[i]
layout(x)                                   @inside
size<*i>(x)                                 size(x[i])
shape<*i>(x)                                @shape_part
stride<*i>(x)                               stride(x[i])
rank<*i>(x)                                 rank(x[i])
depth<*i>(x)                                depth(x[i])
cosize<*i>(x)                               cosize(x[i])
size_v<x>                                   size(x)
rank_v<x>                                   rank(x)
cosize_v<x>                                 cosize(x)
select<*i>(x)                               select(x, i)
take<begin, end>(x)                         take(x, begin, end)
group<begin, end>(x)                        group(x, begin, end)
group_modes<begin, end>(x)                  group(x, begin, end)
append<n>(x)                                append(x, 1, n)
append<n>(x, y)                             append(x, y, n)
append(x, y)                                append(x, y)
prepend<n>(x)                               prepend(x, 1, n)
prepend<n>(x, y)                            prepend(x, y, n)
prepend(x, y)                               prepend(x, y)
replace<i>(x, y)                            replace(x, i, y)
crd2idx(c, shape)                           @crd2idx
crd2idx(c, shape, stride)                   crd2idx(c, shape, stride)
slice(c, x)                                 @kept x c
dice(c, x)                                  dice(c, x)
upcast<n>(x)                                upcast(x, n)
downcast<n>(x)                              downcast(x, n)
recast_layout<old, new>(x)                  recast_layout(x, old.bits, new.bits)
.layout()                                   @inside
.data()                                     @data
.shape()                                    shape(self)
.stride()                                   stride(self)
.shape<*i>()                                shape(self[i])
.stride<*i>()                               stride(self[i])
.size()                                     size(self)
.with_shape(shape)                          with_shape(self, shape)
.with_shape(*shape)                         with_shape(self, (shape,))
.compose(tiler)                             composition(self, tiler)
.get_hier_coord(i)                          idx2crd(i, shape(self), stride(self))
.get_flat_coord(i)                          @flat_coordinate
.get_1d_coord(i)                            crd2idx(idx2crd(i, shape(self), stride(self)), shape(self))

# tiles of tensors
local_tile(x, tiler, coord, proj=None)      local_tile(x, tiler, coord, proj)
inner_partition(x, tiler, coord)            local_tile(x, tiler, coord)
outer_partition(x, tiler, coord)            slice(zipped_divide(x, tiler), (coord, _))
local_partition(x, thr, i, proj=None)       local_partition(x, thr, i, proj)
tile_to_shape(block, shape, order=None)     tile_to_shape(block, shape, order)
tile_to_mma_shape(block, shape, order=None)   tile_to_mma_shape(block, shape, order)

# shared memory
Layout_K_INTER_Atom<T>                      smem_atom("K_INTER", T.bits)
Layout_K_SW32_Atom<T>                       smem_atom("K_SW32", T.bits)
Layout_K_SW64_Atom<T>                       smem_atom("K_SW64", T.bits)
Layout_K_SW128_Atom<T>                      smem_atom("K_SW128", T.bits)
Layout_MN_INTER_Atom<T>                     smem_atom("MN_INTER", T.bits)
Layout_MN_SW32_Atom<T>                      smem_atom("MN_SW32", T.bits)
Layout_MN_SW64_Atom<T>                      smem_atom("MN_SW64", T.bits)
Layout_MN_SW128_Atom<T>                     smem_atom("MN_SW128", T.bits)
Layout_MN_SW128_32B_Atom<T>                 smem_atom("MN_SW128_32B", T.bits)
Layout_INTER_Atom<T, major>                 @smem_atom
Layout_SW32_Atom<T, major>                  @smem_atom
Layout_SW64_Atom<T, major>                  @smem_atom
Layout_SW128_Atom<T, major>                 @smem_atom
ss_smem_selector<major, T, mn, k>()         @smem_selector

# instructions, tiled
MMA_Atom<op>                                atom(op)
MMA_Traits<op>                              atom(op)
Copy_Atom<op, T>                            @copy_atom
UniversalFMA<D, A=None, B=None, C=None>     @fma
ss_op_selector<A, B, C, tile, a=None, b=None>()   @ss_op
rs_op_selector<A, B, C, tile, a=None, b=None>()   @rs_op
UniversalCopy<S, D=None>                    @copy_op
SM80_CP_ASYNC_CACHEALWAYS<S, D=None>        @copy_op
SM80_CP_ASYNC_CACHEGLOBAL<S, D=None>        @copy_op
SM80_CP_ASYNC_CACHEALWAYS_ZFILL<S, D=None>  @copy_op
SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<S, D=None>  @copy_op
AutoVectorizingCopyWithAssumedAlignment<n>  @element_copy
make_tiled_mma(op, *parts)                  tiled_mma(op, parts)
TiledMMA<op, *parts>                        tiled_mma(op, parts)
make_tiled_copy(atom, thr, val=None)        tiled_copy(atom, thr, val)
make_tiled_copy_A(atom, mma)                tiled_copy_A(atom, mma)
make_tiled_copy_B(atom, mma)                tiled_copy_B(atom, mma)
make_tiled_copy_C(atom, mma)                tiled_copy_C(atom, mma)
make_tiled_copy_C_atom(atom, mma)           tiled_copy_C_atom(atom, mma)
make_cotiled_copy(atom, tv, data)           cotiled_copy(atom, tv, data)
make_tiled_copy_S(atom, copy)               tiled_copy_tv(atom, copy.S, copy.tiler)
make_tiled_copy_D(atom, copy)               tiled_copy_tv(atom, copy.D, copy.tiler)
make_tiled_copy_impl(atom, tv, tiler)       tiled_copy_tv(atom, tv, tiler)
TiledCopy<atom, tv, tiler>                  tiled_copy_tv(atom, tv, tiler)
.get_slice(i)                               get_slice(self, i)
.get_thread_slice(i)                        get_slice(self, i)
.partition_A(x)                             partition(self, "A", x)
.partition_B(x)                             partition(self, "B", x)
.partition_C(x)                             partition(self, "C", x)
.partition_S(x)                             partition(self, "S", x)
.partition_D(x)                             partition(self, "D", x)
.retile_S(x)                                retile(self, "S", x)
.retile_D(x)                                retile(self, "D", x)
.partition_fragment_A(x)                    fragment(self, "A", x)
.partition_fragment_B(x)                    fragment(self, "B", x)
.partition_fragment_C(x)                    fragment(self, "C", x)
.make_fragment_A(x)                         make_fragment_like(x)
.make_fragment_B(x)                         make_fragment_like(x)
.make_fragment_C(x)                         make_layout(shape(x))
partition_fragment_C(mma, shape)            fragment(mma, "C", shape)
partition_shape_A(mma, extents)             shape(fragment(mma, "A", extents))
partition_shape_B(mma, extents)             shape(fragment(mma, "B", extents))
partition_shape_C(mma, extents)             shape(fragment(mma, "C", extents))
.get_thr_layout_vmnk()                      self.thr_vmnk
.get_layoutA_TV()                           self.A
.get_layoutB_TV()                           self.B
.get_layoutC_TV()                           self.C
.get_layoutS_TV()                           self.S
.get_layoutD_TV()                           self.D
tile_size<i>(mma)                           mma.tile[i]
tile_shape(mma)                             mma.tile
::num_bits                                  self.bits
::num_base                                  self.base
::num_shft                                  self.shift
::TiledLayout_TV                            self.layout_tv
::Tiler_MN                                  self.tiler
::Shape_MNK                                 self.shape
::ThrID                                     self.thr_id
::ALayout                                   self.A
::BLayout                                   self.B
::CLayout                                   self.C
::LayoutA_TV                                self.A
::LayoutB_TV                                self.B
::LayoutC_TV                                self.C
"""
