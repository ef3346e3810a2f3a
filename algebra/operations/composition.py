"""Composition R = A o B, exact: the mode-wise result whenever it is right, a refusal otherwise (paper, section 3.3).

The left operand is read as its coalesced modes, whose prefix products cut the integers into digits. A leaf s:d of
B walks over those modes and is cut where a digit ends. The result is right if every cut is exact (equations 9 and 10)
and the digits of different leaves never carry into the next mode (equation 12); over positive strides only if.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from operator import mul
from typing import Any

from ..base.decide import ceil_quotient, divides, known_same, less, quotient, same
from ..base.derivations import derived, recorder
from ..base.errors import AdmissibilityError, remark
from ..values.coalesce import Modes, open_modes, pair
from ..values.htuple import Nested
from ..values.layout import Layout, make
from ..values.semimodule import Coordinate, Xor, continues, first_carry
from ..values.tiler import Operand, Tiler, as_operand, by_mode, surplus
from .coincidence import coincident
from .composition_faults import Faults
from .refinement import layout_add
from .xor_operand import xor_leaf

MANY = 16
"""Modes of the left operand from which on a leaf looks for its first mode instead of walking there."""


def composition(left: Layout, right: Operand) -> Layout:
    """R = A o B with R(c) = A(B(c)) for every c; B coarsens R.

    ``right`` is a layout, an integer n (n:1), a tiler or bare shape (by mode; surplus modes of A are dropped, LC407),
    or None (A itself). The profile of B is kept; each leaf becomes an integer mode or a flat tuple.

    Law: ``R(c) = A(B(c))``, sizes equal. Raises LC301 (a stride neither divides nor is divided by a prefix product),
    LC302 (an extent is no multiple of the digits left), LC303 (the leaves do not distribute), LC304 (B leaves the
    domain of A), LC305 (tiler rank), LC308 (an XOR stride carries). Source: paper 3.3, equations 5 to 12.

    >>> composition(Layout((4, 6, 8, 10), (2, 3, 5, 7)), Layout(6, 12))
    Layout('(2,3):(9,5)')
    """
    if type(right) is not Layout:
        operand = as_operand(right)
        if operand is None:
            return left
        if isinstance(operand, Tiler):
            return _by_mode(left, operand)
        right = operand
    return derived("composition", _composed, left, right)


def _by_mode(left: Layout, tiler: Tiler) -> Layout:
    result = by_mode("composition", left, tiler, composition, keep_surplus=False)
    if dropped := surplus(left, tiler):
        remark(
            "LC407",
            "the tiler has {right} modes for {left}; composition drops the last {dropped}",
            op="composition",
            left=left.rank,
            right=len(tiler),
            dropped=dropped,
            left_path=(),
            right_path=(),
        )
    return result


def _composed(left: Layout, right: Layout) -> Layout:
    try:
        return _Composer(left, right).result()
    except AdmissibilityError as error:
        # Strides that are 0, negative or XOR can make up for an inexact cut.
        found = coincident(left, right) if error.code in ("LC301", "LC302", "LC303", "LC308") else None
        if found is None:
            raise
        return found


class _Axis:
    """The left operand, or the sub-layout that one basis element of B addresses, with what the leaves take of it."""

    __slots__ = ("layout", "modes", "path", "products", "taken")

    def __init__(self, layout: Layout, path: tuple[int, ...]) -> None:
        self.layout = layout
        self.path = path
        self.modes = open_modes(layout)
        # The prefix products of many modes, by which a leaf finds its first mode; a few are faster walked over.
        self.products: list[int] = []
        if len(self.modes) > MANY and {type(extent) for extent, _ in self.modes} == {int}:
            self.products = list(accumulate([extent for extent, _ in self.modes], mul, initial=1))
        # (mode, digits, step, number of the leaf in B): the leaf reaches digit (digits - 1) * step of the mode.
        self.taken: list[tuple[int, Any, Any, int]] = []

    def first(self, d: Any) -> int:
        """The last mode before which a leaf of stride d takes nothing: the prefix products that divide d come first."""
        if type(d) is not int or d < 1:
            return 0
        low, high = 0, min(bisect_right(self.products, d), len(self.modes)) - 1
        if not d % self.products[high]:
            return high
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (low, middle - 1) if d % self.products[middle] else (middle, high)
        return low

    def past(self, d: Any) -> Any:
        """The stride in steps of the last mode, rounded up."""
        if self.products and type(d) is int:
            return -(-d // self.products[len(self.modes) - 1])
        for extent, _ in self.modes[:-1]:
            d = ceil_quotient(d, extent)
        return d


class _Composer:
    """One composition with a layout: the axes of A that B addresses, and the walk of each leaf."""

    __slots__ = ("axes", "has_xor", "leaf_number", "left", "right", "trace")

    def __init__(self, left: Layout, right: Layout) -> None:
        self.left = left
        self.right = right
        self.trace = recorder.get()
        self.axes: dict[tuple[int, ...], _Axis] = {}
        self.leaf_number = -1
        self.has_xor = False

    @property
    def faults(self) -> Faults:
        """What can be wrong with this composition."""
        return Faults(self.left, self.right)

    def result(self) -> Layout:
        """The mode-wise result, if it is right."""
        result = make(*self.modewise(self.right.shape, self.right.stride))
        if self.leaf_number:
            for axis in self.axes.values():
                self.check_digits(axis, result)
            if self.has_xor:
                # Sums of XOR strides say nothing about digits; the values decide.
                self.faults.check_values(result)
        return result

    def modewise(self, shape: Nested, stride: Nested) -> tuple[Nested, Nested]:
        """Shape and stride of the result, in the profile of B."""
        if type(shape) is not tuple:
            return self.leaf(shape, stride)
        shapes, strides = [], []
        for s, d in zip(shape, stride, strict=True):
            found = self.modewise(s, d)
            shapes.append(found[0])
            strides.append(found[1])
        return tuple(shapes), tuple(strides)

    def leaf(self, s: Any, d: Any) -> tuple[Nested, Nested]:
        """The composition of A with one leaf s:d of B."""
        self.leaf_number += 1
        if type(d) is int or not isinstance(d, (Coordinate, Xor)):
            return pair(self.walk(self.axes.get(()) or self.axis((), d), s, d))
        if isinstance(d, Xor):
            self.has_xor = True
            found = xor_leaf(self.left, s, d, self.faults.right_path(self.leaf_number))
            return found.shape, found.stride
        parts = [pair(self.walk(self.axes.get(path) or self.axis(path, d), s, c)) for path, c in d.terms]
        if len(parts) == 1:
            return parts[0]
        # A sum of basis elements addresses several axes at once: the values add up.
        total = make(*parts[0])
        for part in parts[1:]:
            total = layout_add(total, make(*part))
        return total.shape, total.stride

    def axis(self, path: tuple[int, ...], stride: Any) -> _Axis:
        """The axis at a path of A; LC304 if A has no such mode."""
        if not path:
            found = _Axis(self.left, path)
        else:
            shape = self.left.shape
            for i in path:
                if isinstance(shape, tuple) and i < len(shape):
                    shape = shape[i]
                elif isinstance(shape, tuple) or i:
                    raise self.faults.no_mode(path, stride, self.leaf_number)
            found = _Axis(self.left[path], path)
        self.axes[path] = found
        return found

    def walk(self, axis: _Axis, s: Any, d: Any) -> Modes:
        """What A makes of the leaf s:d along an axis, as flat modes."""
        if self.trace is not None:
            self.trace.step("leaf", leaf=self.leaf_number, path=axis.path, extent=s, stride=d, modes=tuple(axis.modes))
        if same(d, 0):
            return [(s, 0)]
        modes = axis.modes
        last = len(modes) - 1
        if not last and self.trace is None and not isinstance(modes[0][1], Xor):
            # A single mode is linear on all integers, negative ones included.
            return [(s, d * modes[0][1])]
        if last and type(d) is int and d < 0:
            raise self.faults.negative(axis.path, d, self.leaf_number)
        if known_same(s, 1):
            # Only the value at 0 matters inside the domain; the step past it is the one that C++ prints.
            return [(1, axis.past(d) * modes[last][1])]
        return self.cut(axis, s, d)

    def cut(self, axis: _Axis, s: Any, d: Any) -> Modes:
        """The digits of the modes that the leaf s:d takes, one mode after the other."""
        modes = axis.modes
        last = len(modes) - 1
        result: Modes = []
        first = axis.first(d) if axis.products and type(s) is int and self.trace is None else 0
        rest, step = s, d // axis.products[first] if first else d
        for k in range(first, last):
            extent, stride = modes[k]
            if less((rest - 1) * step, extent):
                self.take(axis, k, rest, step, result)
                return result
            if divides(extent, step):
                step = quotient(step, extent)
                if self.trace is not None:
                    self.trace.step("skip", mode=k, extent=extent, stride=stride, rest=rest, step=step)
                continue
            if not divides(step, extent):
                raise self.faults.stride(axis, k, s, d, self.leaf_number)
            digits = quotient(extent, step)
            if not divides(digits, rest):
                raise self.faults.shape(axis, k, s, d, self.leaf_number)
            self.take(axis, k, digits, step, result)
            rest = quotient(rest, digits)
            step = 1
        self.take(axis, last, rest, step, result)
        return result

    def take(self, axis: _Axis, k: int, digits: Any, step: Any, result: Modes) -> None:
        """The leaf takes ``digits`` digits, ``step`` apart, of mode k: append digits : step*D_k."""
        extent, stride = axis.modes[k]
        if self.trace is not None:
            self.trace.step("take", mode=k, digits=digits, step=step, stride=stride, extent=extent)
        if known_same(digits, 1):
            return
        axis.taken.append((k, digits, step, self.leaf_number))
        if isinstance(stride, Xor) and (carry := first_carry(digits, step)) is not None:
            raise self.faults.carry(axis, k, step, carry, self.leaf_number)
        scaled = step * stride
        if result and continues(*result[-1], scaled):
            result[-1] = (result[-1][0] * digits, result[-1][1])
        else:
            result.append((digits, scaled))

    def check_digits(self, axis: _Axis, result: Layout) -> None:
        """Equation 12: in every mode but the last the digits of all leaves must add up without a carry."""
        last = len(axis.modes) - 1
        reaches: dict[int, Any] = {}
        bits: dict[int, int] = {}
        for k, n, step, _ in axis.taken:
            extent, stride = axis.modes[k]
            if k < last:
                found = (n - 1) * step
                if k in reaches:
                    found = reaches[k] + found
                    if self.trace is not None:
                        self.trace.step("digits", mode=k, reach=found, extent=extent)
                    if not less(found, extent):
                        raise self.faults.distribution(axis, k, result)
                reaches[k] = found
            if isinstance(stride, Xor):
                # All bits that the multiples of step below n*step can have.
                mask = 0
                for j in range((n - 1).bit_length()):
                    mask |= step << j
                if bits.get(k, 0) & mask:
                    raise self.faults.distribution(axis, k, result)
                bits[k] = bits.get(k, 0) | mask
