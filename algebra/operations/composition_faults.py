"""Why a composition is refused: the numbers that the walk compared, in the terms of equations 9, 10 and 12."""

from __future__ import annotations

from typing import Any, Protocol

from ..base.decide import ceil_quotient, known_same
from ..base.effort import COMPARED
from ..base.errors import LayoutError, refuse
from ..values.coalesce import Modes, coalesce
from ..values.htuple import flatten, format_htuple, leaf_paths, nth_leaf_path
from ..values.layout import Layout
from ..values.shape import natural, size
from .coincidence import unknown

WITNESS_LIMIT = 1 << 14
"""How many coordinates are tried to show a failure of equation 12 by example."""

_EQ_12 = "the right operand does not distribute over the shape of the left one (eq 12): "
_WITNESS = "at coordinate {coordinate} A(B(c)) = {value} but the mode-wise sum is {modewise}"

Path = tuple[int, ...]


class Axis(Protocol):
    """The part of the left operand that a leaf walks over."""

    layout: Layout
    modes: Modes
    path: Path
    taken: list[tuple[int, Any, Any, int]]


class Faults:
    """The refusals of one composition; leaves of B are named by their number, modes of A by their number when
    coalesced.
    """

    __slots__ = ("left", "right")

    def __init__(self, left: Layout, right: Layout) -> None:
        self.left = left
        self.right = right

    def right_path(self, leaf: int) -> Path:
        """The path of a leaf of B."""
        return nth_leaf_path(self.right.shape, leaf)

    def fault(self, code: str, template: str, leaf: int, **facts: Any) -> LayoutError:
        """A refusal that points at one leaf of B."""
        return refuse(
            code,
            template,
            op="composition",
            A=self.left,
            B=self.right,
            right_path=self.right_path(leaf),
            **facts,
        )

    def no_mode(self, path: Path, stride: Any, leaf: int) -> LayoutError:
        """A basis element of B names a mode that A does not have."""
        return self.fault(
            "LC304",
            "the left operand {left} has no mode {mode} for stride {stride}",
            leaf,
            left=str(self.left),
            mode=".".join(map(str, path)),
            stride=str(stride),
            left_path=(),
        )

    def negative(self, path: Path, stride: Any, leaf: int) -> LayoutError:
        """A negative stride leaves the domain of a left operand that is more than one mode."""
        return self.fault(
            "LC304",
            "negative stride {stride} of the right operand leads outside the domain of the left one",
            leaf,
            stride=stride,
            left_path=path,
        )

    def stride(self, axis: Axis, k: int, s: Any, d: Any, leaf: int) -> LayoutError:
        """Equation 9."""
        return self.fault(
            "LC301",
            "stride {stride} of the right operand neither divides nor is divided by prefix product {prefix}"
            " of the left one (Stride Divisibility Condition)",
            leaf,
            extent=s,
            stride=d,
            **_mode_facts(axis, k),
        )

    def shape(self, axis: Axis, k: int, s: Any, d: Any, leaf: int) -> LayoutError:
        """Equation 10."""
        facts = _mode_facts(axis, k)
        return self.fault(
            "LC302",
            "size {extent} of the right operand is not divisible by ceil({prefix}/{stride}) = {digits}"
            " (Shape Divisibility Condition)",
            leaf,
            extent=s,
            stride=d,
            digits=ceil_quotient(facts["prefix"], d),
            **facts,
        )

    def carry(self, axis: Axis, k: int, step: int, carry: int, leaf: int) -> LayoutError:
        """The step of an XOR stride carries."""
        stride = axis.modes[k][1]
        return self.fault(
            "LC308",
            "an XOR stride cannot be stepped by {step} beyond coordinate {good}: {product}*{stride} = {true}"
            " but {carry}*({step}*{stride}) = {sum} (eq 12 over XOR)",
            leaf,
            step=step,
            good=carry - 1,
            carry=carry,
            product=carry * step,
            stride=str(stride),
            true=str(carry * step * stride),
            sum=str(carry * (step * stride)),
            mode=k,
            left_path=_origin(axis, k),
        )

    def distribution(self, axis: Axis, k: int, result: Layout) -> LayoutError:
        """Equation 12: the leaves that meet in mode k carry."""
        leaves = [(digits, step, self.right_path(leaf)) for mode, digits, step, leaf in axis.taken if mode == k]
        facts: dict[str, Any] = {
            "mode": k,
            "mode_extent": axis.modes[k][0],
            "reach": sum((digits - 1) * step for digits, step, _ in leaves),
            "leaves": [format_htuple(path) for _, _, path in leaves],
            "right_paths": [path for _, _, path in leaves],
            "left_path": _origin(axis, k),
        }
        witness = self._counterexample(result, WITNESS_LIMIT)
        text = _WITNESS if witness else "the digits of its leaves reach {reach} in a mode of extent {mode_extent}"
        facts |= _witness_facts(witness)
        return self.fault("LC303", _EQ_12 + text, max(leaf for mode, *_, leaf in axis.taken if mode == k), **facts)

    def check_values(self, result: Layout) -> None:
        """LC303 unless R(c) = A(B(c)) for every c, LC106 where that hangs on unknowns; LC104 above the limit."""
        if type(result.size) is not int or result.size > COMPARED:
            raise self.fault(
                "LC104",
                "composition with {size} values of XOR strides; the limit is {limit}",
                0,
                size=result.size,
                limit=COMPARED,
            )
        if result.elements() != [self.left.element(v) for v in self.right.elements()]:
            witness = self._counterexample(result, COMPARED)
            if witness is None:
                raise self.fault(
                    "LC106", "composition with XOR strides needs the values of the unknowns", 0, left_path=()
                )
            raise self.fault("LC303", _EQ_12 + _WITNESS, 0, left_path=(), **_witness_facts(witness))

    def _counterexample(self, result: Layout, limit: int) -> tuple[str, str, Any, Any] | None:
        """The first coordinate at which the mode-wise result is wrong, (c, B(c), A(B(c)), sum)."""
        total = result.size
        if type(total) is not int or unknown(self.left, self.right):
            return None
        for i in range(min(total, limit)):
            at = self.right.element(i)
            value, modewise = self.left.element(at), result.element(i)
            if value != modewise:
                return format_htuple(natural(i, self.right.shape)), str(at), value, modewise
        return None


def _witness_facts(witness: tuple[str, str, Any, Any] | None) -> dict[str, Any]:
    return dict(zip(("coordinate", "at", "value", "modewise"), witness or (), strict=False))


def _mode_facts(axis: Axis, k: int) -> dict[str, Any]:
    return {
        "prefix": size(tuple(extent for extent, _ in axis.modes[: k + 1])),
        "mode": k,
        "mode_extent": axis.modes[k][0],
        "coalesced": coalesce(axis.layout),
        "left_path": _origin(axis, k),
    }


def _origin(axis: Axis, k: int) -> Path:
    """The path of the leaf of A at whose end the coalesced mode ends; merging keeps prefix products."""
    boundary = size(tuple(extent for extent, _ in axis.modes[: k + 1]))
    product: Any = 1
    for path, extent in zip(leaf_paths(axis.layout.shape), flatten(axis.layout.shape), strict=True):
        product = product * extent
        if known_same(product, boundary):
            return (*axis.path, *path)
    return axis.path
