"""Composition R = A o B, exact: the mode-wise result whenever it is right, a refusal otherwise (paper, section 3.3).

The left operand is read as its coalesced modes, whose prefix products cut the integers into digits. A leaf s:d of
B walks over those modes and is cut where a digit ends. The result is right if and only if every cut is exact
(equations 9 and 10) and the digits of different leaves never carry into the next mode (equation 12).
"""

from __future__ import annotations

from typing import Any

from .coalesce import Modes, coalesce, open_modes, unwrap
from .decide import ceil_quotient, divides, less, quotient, same
from .errors import refuse, remark
from .htuple import flatten, format_htuple, leaf_paths, map_leaves
from .layout import Layout, make
from .refinement import layout_add
from .semimodule import Coordinate, Xor, continues, first_carry
from .shape import size
from .tiler import Operand, Tiler, as_operand, by_mode, surplus
from .trace import Recorder, recorder

__all__ = ["composition"]

WITNESS_LIMIT = 1 << 14
"""How many coordinates are tried to show a failure of equation 12 by example."""


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
    operand = as_operand(right)
    if operand is None:
        return left
    if isinstance(operand, Tiler):
        results, _ = by_mode("composition", left, operand, composition, keep_surplus=False)
        if dropped := surplus(left, operand):
            remark(
                "LC407",
                "the tiler has {right} modes for {left}; composition drops the last {dropped}",
                op="composition",
                left=left.rank,
                right=len(operand),
                dropped=dropped,
                left_path=(),
                right_path=(),
            )
        return make(tuple(r.shape for r in results), tuple(r.stride for r in results))
    return _Composer(left, operand).result()


class _Axis:
    """The left operand, or the sub-layout that one basis element of B addresses, with what the leaves take of it."""

    __slots__ = ("layout", "modes", "path", "taken")

    def __init__(self, layout: Layout, path: tuple[int, ...]) -> None:
        self.layout = layout
        self.path = path
        self.modes = open_modes(layout)
        # Per mode: (digits, step, path of the leaf in B): the leaf reaches digit (digits - 1) * step there.
        self.taken: list[list[tuple[Any, Any, tuple[int, ...]]]] = [[] for _ in self.modes]

    def origin(self, mode: int) -> tuple[int, ...]:
        """The path of the leaf of A at whose end the coalesced mode ends; merging keeps prefix products."""
        boundary = size(tuple(s for s, _ in self.modes[: mode + 1]))
        product: Any = 1
        for path, extent in zip(leaf_paths(self.layout.shape), flatten(self.layout.shape), strict=True):
            product = product * extent
            if same(product, boundary):
                return (*self.path, *path)
        return self.path


class _Composer:
    """One composition with a layout: the axes of A that B addresses, and the walk of each leaf."""

    def __init__(self, left: Layout, right: Layout) -> None:
        self.left = left
        self.right = right
        self.axes: dict[tuple[int, ...], _Axis] = {}
        self.trace: Recorder | None = recorder.get()

    def result(self) -> Layout:
        right = self.right
        if self.trace is None:
            return self._result()
        with self.trace.section("composition", left=str(self.left), right=str(right)) as step:
            result = self._result()
            step.facts["result"] = str(result)
            return result

    def _result(self) -> Layout:
        shape, stride = self.right.shape, self.right.stride
        if not isinstance(shape, tuple):
            result = self.leaf(shape, stride, ())
        else:
            paths = leaf_paths(shape)
            leaves = map_leaves(lambda s, d: self.leaf(s, d, next(paths)), shape, stride)
            result = make(map_leaves(lambda x: x.shape, leaves), map_leaves(lambda x: x.stride, leaves))
        for axis in self.axes.values():
            self.check_digits(axis, result)
        return result

    def axis(self, path: tuple[int, ...], stride: Any, right_path: tuple[int, ...]) -> _Axis:
        """The axis at a path of A; LC304 if A has no such mode."""
        found = self.axes.get(path)
        if found is None:
            shape = self.left.shape
            for i in path:
                if isinstance(shape, tuple) and i < len(shape):
                    shape = shape[i]
                elif isinstance(shape, tuple) or i:
                    raise self.fault(
                        "LC304",
                        "the left operand {left} has no mode {mode} for stride {stride}",
                        right_path,
                        left=str(self.left),
                        mode=".".join(map(str, path)),
                        stride=str(stride),
                        left_path=(),
                    )
            found = self.axes[path] = _Axis(self.left[path] if path else self.left, path)
        return found

    def leaf(self, s: Any, d: Any, path: tuple[int, ...]) -> Layout:
        """The composition of A with one leaf s:d of B, which stands at ``path``."""
        if type(d) is int or not isinstance(d, (Coordinate, Xor)):
            return unwrap(self.walk(self.axis((), d, path), s, d, path))
        if isinstance(d, Xor):
            from .xor_operand import xor_leaf

            return xor_leaf(self.left, s, d, path)
        parts = [unwrap(self.walk(self.axis(p, d, path), s, c, path)) for p, c in d.terms]
        # A sum of basis elements addresses several axes at once: the values add up.
        total = parts[0]
        for part in parts[1:]:
            total = layout_add(total, part)
        return total

    def walk(self, axis: _Axis, s: Any, d: Any, path: tuple[int, ...]) -> Modes:
        """Cut the leaf s:d at the digits of the axis; the flat modes of the result."""
        if same(d, 0):
            return [(s, 0)]
        if type(d) is int and d < 0 and len(axis.modes) > 1:
            # A single mode is linear on all integers, negative ones included.
            raise self.fault(
                "LC304",
                "negative stride {stride} of the right operand leads outside the domain of the left one",
                path,
                stride=d,
                left_path=axis.path,
            )
        modes = axis.modes
        last = len(modes) - 1
        if same(s, 1):
            # Only the value at 0 matters inside the domain; the step past it is the one that C++ prints.
            for extent, _ in modes[:-1]:
                d = ceil_quotient(d, extent)
            return [(1, d * modes[-1][1])]
        result: Modes = []
        rest, step = s, d
        for k in range(last):
            extent, stride = modes[k]
            if less((rest - 1) * step, extent):
                self.take(axis, k, rest, step, path, result)
                return result
            if divides(extent, step):
                step = quotient(step, extent)
                self.note("skip", k, extent=extent, stride=stride, rest=rest, step=step)
                continue
            if not divides(step, extent):
                raise self.stride_fault(axis, k, s, d, path)
            digits = quotient(extent, step)
            if not divides(digits, rest):
                raise self.shape_fault(axis, k, s, d, path)
            self.take(axis, k, digits, step, path, result)
            rest = quotient(rest, digits)
            step = 1
        self.take(axis, last, rest, step, path, result)
        return result

    def take(self, axis: _Axis, k: int, digits: Any, step: Any, path: tuple[int, ...], result: Modes) -> None:
        """The leaf takes ``digits`` digits, ``step`` apart, of mode k: append digits : step*D_k."""
        stride = axis.modes[k][1]
        self.note("take", k, digits=digits, step=step, stride=stride, extent=axis.modes[k][0])
        if same(digits, 1):
            return
        axis.taken[k].append((digits, step, path))
        if isinstance(stride, Xor) and (carry := first_carry(digits, step)) is not None:
            raise self.carry_fault(axis, k, step, carry, path)
        scaled = step * stride
        if result and continues(*result[-1], scaled):
            result[-1] = (result[-1][0] * digits, result[-1][1])
        else:
            result.append((digits, scaled))

    def note(self, rule: str, mode: int, **facts: Any) -> None:
        if self.trace is not None:
            self.trace.step(rule, mode=mode, **facts)

    def check_digits(self, axis: _Axis, result: Layout) -> None:
        """Equation 12: in every mode but the last the digits of all leaves must add up without a carry."""
        last = len(axis.modes) - 1
        for k, taken in enumerate(axis.taken):
            if len(taken) < 2:
                continue
            extent, stride = axis.modes[k]
            if k < last:
                reach = sum((n - 1) * step for n, step, _ in taken)
                if not less(reach, extent):
                    raise self.distribution_fault(axis, k, reach, result)
            if isinstance(stride, Xor):
                seen = 0
                for n, step, _ in taken:
                    # All bits that the multiples of step below n*step can have.
                    bits = 0
                    for j in range((n - 1).bit_length()):
                        bits |= step << j
                    if seen & bits:
                        raise self.distribution_fault(axis, k, None, result)
                    seen |= bits

    # Errors: the same numbers that the walk compared, in the paper's terms.

    def fault(self, code: str, template: str, path: tuple[int, ...], **facts: Any) -> Exception:
        return refuse(
            code, template, op="composition", A=str(self.left), B=str(self.right), right_path=path, **facts
        )

    def stride_fault(self, axis: _Axis, k: int, s: Any, d: Any, path: tuple[int, ...]) -> Exception:
        return self.fault(
            "LC301",
            "stride {stride} of the right operand neither divides nor is divided by prefix product {prefix}"
            " of the left one (Stride Divisibility Condition)",
            path,
            extent=s,
            stride=d,
            prefix=size(tuple(e for e, _ in axis.modes[: k + 1])),
            mode=k,
            mode_extent=axis.modes[k][0],
            coalesced=str(coalesce(axis.layout)),
            left_path=axis.origin(k),
        )

    def shape_fault(self, axis: _Axis, k: int, s: Any, d: Any, path: tuple[int, ...]) -> Exception:
        prefix = size(tuple(e for e, _ in axis.modes[: k + 1]))
        return self.fault(
            "LC302",
            "size {extent} of the right operand is not divisible by ceil({prefix}/{stride}) = {digits}"
            " (Shape Divisibility Condition)",
            path,
            extent=s,
            stride=d,
            prefix=prefix,
            digits=ceil_quotient(prefix, d),
            mode=k,
            mode_extent=axis.modes[k][0],
            coalesced=str(coalesce(axis.layout)),
            left_path=axis.origin(k),
        )

    def carry_fault(self, axis: _Axis, k: int, step: int, carry: int, path: tuple[int, ...]) -> Exception:
        stride = axis.modes[k][1]
        return self.fault(
            "LC308",
            "an XOR stride cannot be stepped by {step} beyond coordinate {good}: {product}*{stride} = {true}"
            " but {carry}*({step}*{stride}) = {sum} (eq 12 over XOR)",
            path,
            step=step,
            good=carry - 1,
            carry=carry,
            product=carry * step,
            stride=str(stride),
            true=str(carry * step * stride),
            sum=str(carry * (step * stride)),
            mode=k,
            left_path=axis.origin(k),
        )

    def distribution_fault(self, axis: _Axis, k: int, reach: Any, result: Layout) -> Exception:
        witness = self.counterexample(result)
        facts: dict[str, Any] = {
            "mode": k,
            "mode_extent": axis.modes[k][0],
            "reach": reach,
            "leaves": [format_htuple(p) for _, _, p in axis.taken[k]],
            "right_paths": [p for _, _, p in axis.taken[k]],
            "left_path": axis.origin(k),
        }
        text = "the right operand does not distribute over the shape of the left one (eq 12): "
        if witness is not None:
            facts |= dict(zip(("coordinate", "at", "value", "modewise"), witness, strict=True))
            text += "at coordinate {coordinate} A(B(c)) = {value} but the mode-wise sum is {modewise}"
        else:
            text += "the digits of its leaves reach {reach} in a mode of extent {mode_extent}"
        return self.fault("LC303", text, axis.taken[k][-1][2], **facts)

    def counterexample(self, result: Layout) -> tuple[str, str, Any, Any] | None:
        """The first coordinate at which the mode-wise result is wrong, (c, B(c), A(B(c)), sum)."""
        total = result.size
        if type(total) is not int:
            return None
        from .shape import natural

        for i in range(min(total, WITNESS_LIMIT)):
            at = self.right.element(i)
            value, sum_ = self.left.element(at), result.element(natural(i, self.right.shape))
            if value != sum_:
                return format_htuple(natural(i, self.right.shape)), str(at), value, sum_
        return None
