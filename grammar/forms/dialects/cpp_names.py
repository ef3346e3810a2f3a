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
sizeof<T>                                   T.bits / 8
sizeof(T)                                   T.bits / 8
sizeof_bits<T>                              T.bits
sizeof_bits_v<T>                            T.bits
ceil_div(a, b)                              ceil(a / b)
round_up(a, b)                              b * ceil(a / b)
conditional_t<condition, a, b>              @choose
decltype(x)                                 x

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
make_layout_like(L)                         make_layout_like(L)
make_identity_layout(shape)                 @identity
make_identity_tensor(shape)                 @identity
LayoutLeft::Apply<shape>                    @left
LayoutRight::Apply<shape>                   @right
Swizzle<bits, base=None, shift=None>        @swizzle
make_swizzle(bits, base, shift)             @swizzle
ComposedLayout<outer, offset, inner>        @composed
make_composed_layout(outer, offset, inner)  @composed
make_tensor(pointer, *parts)                @tensor
make_tensor<T>(*parts)                      @layout parts

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

# parts
get<*i>(x)                                  x[i]
layout<*i>(x)                               x[i]
size<*i>(x)                                 size(x[i])
shape<*i>(x)                                shape(x[i])
stride<*i>(x)                               stride(x[i])
rank<*i>(x)                                 rank(x[i])
depth<*i>(x)                                depth(x[i])
cosize<*i>(x)                               cosize(x[i])
size_v<x>                                   size(x)
rank_v<x>                                   rank(x)
depth_v<x>                                  depth(x)
cosize_v<x>                                 cosize(x)
select<*i>(x)                               select(x, i)
take<begin, end>(x)                         take(x, begin, end)
group<begin, end>(x)                        group(x, begin, end)
group_modes<begin, end>(x)                  group(x, begin, end)
append<n>(x)                                append(x, 1, n)
"""
