"""Swizzles and composed layouts ``Sw<B,M,S> o offset o L`` (CUTLASS swizzle.hpp; CuTe paper, section 4.3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex, overload

from ..base.above import Operators, Pictured, above
from ..base.errors import LayoutError, refuse
from ..base.record import Value
from .coalesce import merged, unwrap
from .htuple import HTuple, format_htuple, is_sliced, is_special, told
from .layout import Layout
from .semimodule import Xor

BITS = 1 << 12
"""Bits that a swizzle may reach."""


class Swizzle(Pictured, Value):
    """``Sw<B,M,S>``: B bits at position M + max(0, S) are XORed onto the B bits |S| away.

    B >= 0 bits, M >= 0 the number of bits kept below, |S| >= B the distance; LC204 otherwise. Law: a swizzle is its own
    inverse.

    >>> [Swizzle(1, 0, 1)(i) for i in range(4)]
    [0, 1, 3, 2]
    """

    __slots__ = ("base", "bits", "shift", "source", "target")
    __match_args__ = ("bits", "base", "shift")
    bits: int
    base: int
    shift: int
    source: int
    """The mask of the bits that are read (YYY)."""
    target: int
    """The mask of the bits that change (ZZZ)."""

    @overload
    def __init__(self, bits: str) -> None: ...
    @overload
    def __init__(self, bits: SupportsIndex, base: SupportsIndex, shift: SupportsIndex) -> None: ...

    def __init__(self, bits: Any, base: Any = None, shift: Any = None) -> None:
        if not type(bits) is type(base) is type(shift) is int:
            bits, base, shift = _numbers(bits, base, shift)
        if bits < 0 or base < 0 or abs(shift) < bits:
            reason = "B and M must not be negative" if bits < 0 or base < 0 else "|S| must be at least B"
            raise refuse(
                "LC204",
                "Sw<{bits},{base},{shift}> is not a swizzle: {reason}",
                op="swizzle",
                bits=bits,
                base=base,
                shift=shift,
                reason=reason,
            )
        if base + bits + abs(shift) > BITS:
            template = "a swizzle reaches bit {bit}; the limit is {limit}"
            raise refuse("LC104", template, op="swizzle", bit=base + bits + abs(shift), limit=BITS)
        object.__setattr__(self, "bits", bits)
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "shift", shift)
        mask = (1 << bits) - 1
        object.__setattr__(self, "source", mask << (base + max(0, shift)))
        object.__setattr__(self, "target", mask << (base - min(0, shift)))

    def __str__(self) -> str:
        return f"Sw<{self.bits},{self.base},{self.shift}>"

    @property
    def period(self) -> int:
        """The values repeat with this period: ``Sw(i + k*period) = Sw(i) + k*period``."""
        return 1 << (self.bits + self.base + abs(self.shift)) if self.bits else 1

    def __matmul__(self, inner: Layout | Composed) -> Composed:
        """``Sw @ L``: the swizzled layout."""
        found: Composed = above("composition")(self, inner)
        return found

    def __call__(self, index: int) -> int:
        """The swizzled index; negative indices keep their upper bits, as in two's complement."""
        read = index & self.source
        return index ^ (read >> self.shift if self.shift >= 0 else read << -self.shift)

    def images(self, indices: Iterable[int]) -> list[int]:
        """The swizzled indices, all at once."""
        source, shift = self.source, self.shift
        if shift >= 0:
            return [i ^ ((i & source) >> shift) for i in indices]
        return [i ^ ((i & source) << -shift) for i in indices]

    def scaled(self, factor: int, *, up: bool) -> Swizzle:
        """The swizzle in units ``factor`` (a power of two) times larger (``up``) or smaller; LC312 if bits would be
        cut.
        """
        by = factor.bit_length() - 1
        if factor != 1 << by:
            raise refuse(
                "LC312",
                "{swizzle} cannot be recast by {factor}, which is no power of two",
                op="recast",
                swizzle=str(self),
                factor=factor,
                left_path=(),
            )
        base = self.base - by if up else self.base + by
        if base >= 0:
            return Swizzle(self.bits, base, self.shift)
        # Bits below the new unit are gone: only those that still reach above it are swizzled.
        bits = max(0, self.bits + base)
        return Swizzle(bits, 0, self.shift)

    def linear(self, values: int) -> Layout:
        """The swizzle of 0..values-1 as an XOR layout: law ``linear(n)(i) = Sw(i)``; values a power of two."""
        if values & (values - 1):
            raise refuse(
                "LC312",
                "{swizzle} over {values} values is no XOR layout: not a power of two",
                op="linear",
                swizzle=str(self),
                values=values,
            )
        bits = values.bit_length() - 1
        return unwrap(merged((2,) * bits, tuple(Xor(self(1 << b)) for b in range(bits))))


def _numbers(bits: Any, base: Any, shift: Any) -> tuple[int, int, int]:
    """The three numbers of a swizzle, or of its text; LC103 for anything else."""
    read = told(bits)
    if isinstance(read, Swizzle) and base is shift is None:
        return read.bits, read.base, read.shift
    numbers = read, told(base), told(shift)
    if any(type(n) is not int for n in numbers):
        given = ",".join(map(format_htuple, numbers))
        raise refuse("LC103", "a swizzle has three numbers, not {given}", op="swizzle", given=given)
    return numbers


class Composed(Operators["Layout | Composed"]):
    """``Sw o offset o L``: the function c -> Sw(offset + L(c)).

    ``layout`` has integer strides; ``offset`` is an integer in the same units.

    >>> str(Composed(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1))))
    'Sw<3,0,3> o 0 o (8,8):(8,1)'
    """

    __slots__ = ("layout", "offset", "swizzle")
    __match_args__ = ("swizzle", "offset", "layout")
    swizzle: Swizzle
    offset: int
    layout: Layout

    @overload
    def __init__(self, swizzle: str) -> None: ...
    @overload
    def __init__(self, swizzle: Swizzle, offset: SupportsIndex, layout: Layout) -> None: ...

    def __init__(self, swizzle: Any, offset: Any = None, layout: Any = None) -> None:
        if not (type(swizzle) is Swizzle and type(offset) is int and type(layout) is Layout):
            swizzle, offset, layout = _behind(swizzle, offset, layout)
        object.__setattr__(self, "swizzle", swizzle)
        object.__setattr__(self, "offset", offset)
        object.__setattr__(self, "layout", layout)

    def __str__(self) -> str:
        return f"{self.swizzle} o {self.offset} o {self.layout}"

    @property
    def shape(self) -> HTuple:
        """The shape of the inner layout."""
        return self.layout.shape

    @property
    def rank(self) -> int:
        """The rank of the inner layout."""
        return self.layout.rank

    @property
    def depth(self) -> int:
        """The depth of the inner layout."""
        return self.layout.depth

    @property
    def size(self) -> int:
        """The size of the inner layout."""
        return self.layout.size

    @overload
    def __getitem__(self, index: SupportsIndex | tuple[SupportsIndex, ...]) -> Composed: ...
    @overload
    def __getitem__(self, index: Any) -> Any: ...

    def __getitem__(self, index: Any) -> Any:
        """The mode at an index, swizzled alike; with None or ``:`` the slice."""
        return above("at")(self, index) if is_sliced(index) else Composed(self.swizzle, self.offset, self.layout[index])

    def element(self, coordinate: Any) -> Any:
        """Sw(offset + L(c))."""
        inner = self.layout.element(coordinate)
        return self.swizzle(self.offset + (inner.value if isinstance(inner, Xor) else inner))

    @overload
    def __call__(self, *coordinate: SupportsIndex | tuple[Any, ...]) -> int: ...
    @overload
    def __call__(self, *coordinate: Any) -> Any: ...

    def __call__(self, *coordinate: Any) -> Any:
        """The value at a coordinate weakly congruent with the shape; slices and arrays as a `Layout` has them."""
        c = coordinate[0] if len(coordinate) == 1 else coordinate
        try:
            return int(self.element(c))
        except LayoutError:
            if is_special(c):
                return above("at")(self, c)
            raise

    def elements(self) -> list[int]:
        """All values in order of the index."""
        values: list[int] = self.layout.values()
        return self.swizzle.images([self.offset + v for v in values] if self.offset else values)

    values = elements


def _behind(swizzle: Any, offset: Any, layout: Any) -> tuple[Swizzle, Any, Layout]:
    """The parts of a swizzled layout, or of its text; LC103 for anything else."""
    read = told(swizzle)
    if isinstance(read, Composed) and offset is layout is None:
        return read.swizzle, read.offset, read.layout
    parts = read, told(offset), told(layout)
    if not (isinstance(read, Swizzle) and isinstance(parts[2], Layout)) or _is_no_offset(parts[1]):
        given = " o ".join(map(format_htuple, parts))
        raise refuse("LC103", "{given} is no swizzled layout: Sw<B,M,S> o offset o layout", op="swizzle", given=given)
    return parts


def _is_no_offset(offset: Any) -> bool:
    return type(offset) is not int and not hasattr(offset, "symbols")
