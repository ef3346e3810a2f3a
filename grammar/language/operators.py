"""What the operators mean for each kind of operand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laycalc.algebra.base.decide import divides
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.words import word
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import logical_divide
from laycalc.algebra.operations.product import logical_product
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.lifting import lift
from laycalc.algebra.values.semimodule import Coordinate, semimodule, semimodule_of
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor

from .access import offset_of
from .arithmetic import add, exact_quotient, multiply, remainder, subtract
from .comparisons import (
    above,
    at_least,
    at_most_,
    below,
    contains,
    equal,
    equivalent,
    same_profile,
    unequal,
    weaker_profile,
)
from .kinds import LAYOUTS, is_element, is_number, is_operand
from .values import Partial, kind_of, text_of

Operation = Callable[[Any, Any], Any]

_DIVIDE, _PRODUCT = lift(logical_divide), lift(logical_product)


def compose(left: Any, right: Any) -> Any:
    """``left o right``, with the swizzles and offsets that stand before a layout."""
    if isinstance(left, Partial):
        return _complete(left, right)
    if isinstance(left, Swizzle) and is_number(right):
        return Partial(None, left, right)
    if isinstance(left, Tensor) and left.layout is None:
        if isinstance(right, Swizzle):
            return Partial(left.offset, right, 0)
        if isinstance(right, Partial):
            return Partial(left.offset, right.swizzle, right.offset)
        if isinstance(right, Tensor):
            semimodule_of((left.offset, right.offset))
            return Tensor(left.offset + right.offset, right.layout)
        return _placed(left.offset, right)
    if isinstance(left, tuple):
        return _placed(offset_of(left), right)
    return _composed(left, right)


def _placed(offset: Any, right: Any) -> Tensor:
    """``{offset} o right``; LC203 if the offset is not of the kind of the strides."""
    inner = right
    while isinstance(inner, (Composed, Tensor)):
        inner = inner.layout
    if isinstance(inner, Layout) and offset not in (0, Coordinate(())):
        kinds = semimodule(offset), inner.semimodule
        if kinds[0] != kinds[1] and any(type(d) is not int or d for d in flatten(inner.stride)):
            raise refuse(
                "LC203", "offset {offset} and the strides of {layout} mix the semimodules {left} and {right}",
                op="composition", offset=str(offset), layout=str(right), left=kinds[0], right=kinds[1],
            )  # fmt: skip
    return Tensor(offset, right)


@word("""
    algebra: composition(A: outer, B: any...) alias compose
    A o B, the layout that reads A at the places of B
    law: R(c) = A(B(c))
    composition((4,6,8,10):(2,3,5,7), 6:12)
""")
def compose_all(first: Any, *rest: Any) -> Any:
    """``composition(A, B, C)`` is A o B o C.

    >>> compose_all(Layout(24, 1), Layout((4, 3), (3, 1)), Layout(4, 1))
    Layout('4:3')
    """
    result = first
    for operand in rest:
        result = composition(result, operand) if _is_simple(result, operand) else compose(result, operand)
    return result


def _is_simple(left: Any, right: Any) -> bool:
    """Plain layouts, for which the core operation is meant; swizzles and offsets need the lifted one."""
    return isinstance(left, Layout) and not isinstance(right, (Composed, Tensor, Swizzle, Partial))


def _complete(left: Partial, right: Any) -> Any:
    if is_number(right) and left.offset == 0:
        return Partial(left.outside, left.swizzle, right)
    if not isinstance(right, Layout):
        raise refuse(
            "LC103", "{left} wants a layout after it, not the {kind} {value}",
            op="composition", left=str(left), kind=kind_of(right), value=text_of(right), right_path=(),
        )  # fmt: skip
    composed: Any = Composed(left.swizzle, left.offset, right)
    if not left.swizzle.bits:
        # A swizzle of no bits is the identity.
        composed = Tensor(left.offset, right) if left.offset else right
    return composed if left.outside is None else Tensor(left.outside, composed)


def choose(operator: str, left: Any, right: Any) -> Operation | None:
    """The operation that an operator is, for these operands; None if it does not apply."""
    chosen = _CHOICES.get(operator)
    return None if chosen is None else chosen(left, right)


def _composing(left: Any, right: Any) -> Operation | None:
    outer = isinstance(left, (*LAYOUTS, Swizzle, Partial, tuple))
    if isinstance(left, tuple):
        # A tuple before coordinate strides is an offset.
        outer = isinstance(right, Layout) and right.semimodule == "Z^P"
    if outer and (is_operand(right) or isinstance(right, Partial)):
        return _direct(composition, compose, left, right)
    return _morphism_operator("composition", left, right)


def _dividing(left: Any, right: Any) -> Operation | None:
    if _are_numbers(left, right):
        return exact_quotient
    if isinstance(left, LAYOUTS) and is_operand(right):
        return _direct(logical_divide, _DIVIDE, left, right)
    return _morphism_operator("logical_divide", left, right)


def _multiplying(left: Any, right: Any) -> Operation | None:
    if is_element(left) and is_element(right) and (is_number(left) or is_number(right)):
        return multiply
    if isinstance(left, LAYOUTS) and is_operand(right):
        return _direct(logical_product, _PRODUCT, left, right)
    return _morphism_operator("logical_product", left, right)


def _are_numbers(left: Any, right: Any) -> bool:
    return is_number(left) and is_number(right)


def _are_elements(left: Any, right: Any) -> bool:
    return is_element(left) and is_element(right)


def _are_shapes(left: Any, right: Any) -> bool:
    shapes = (int, tuple, *LAYOUTS)
    return _are_numbers(left, right) or (isinstance(left, shapes) and isinstance(right, shapes))


def _where(holds: Callable[[Any, Any], bool], operation: Operation) -> Callable[[Any, Any], Operation | None]:
    return lambda left, right: operation if holds(left, right) else None


def _always(operation: Operation) -> Callable[[Any, Any], Operation | None]:
    return lambda left, right: operation


_CHOICES: dict[str, Callable[[Any, Any], Operation | None]] = {
    "o": _composing,
    "/": _dividing,
    "*": _multiplying,
    "+": _where(_are_elements, add),
    "-": _where(_are_elements, subtract),
    "%": _where(_are_numbers, remainder),
    "|": _where(_are_numbers, divides),
    "<": _where(_are_numbers, below),
    ">": _where(_are_numbers, above),
    "<=": _where(_are_shapes, at_most_),
    ">=": _where(_are_shapes, at_least),
    "~": _always(same_profile),
    "<~": _always(weaker_profile),
    "===": lambda left, right: equivalent if isinstance(left, LAYOUTS) and isinstance(right, LAYOUTS) else equal,
    "==": _always(equal),
    "!=": _always(unequal),
    "in": _always(contains),
}
"""What each operator is, by its operands."""


def _direct(plain: Operation, lifted: Operation, left: Any, right: Any) -> Operation:
    """The core operation for plain layouts, the lifted one for swizzled and offset operands."""
    return plain if _is_simple(left, right) else lifted


def _composed(left: Any, right: Any) -> Any:
    """Composition of swizzled layouts and tensors; imported when it is called."""
    from laycalc.algebra.operations import on_swizzled

    return on_swizzled.compose(left, right)


def _morphism_operator(name: str, left: Any, right: Any) -> Operation | None:
    if kind_of(left) == "morphism" and kind_of(right) == "morphism":
        from laycalc.algebra.categories.operations import MORPHISM_OPERATORS

        return MORPHISM_OPERATORS[name]
    return None


def hint(operator: str, left: Any, right: Any) -> str:
    """What was probably meant."""
    if operator in ("o", "/", "*") and isinstance(left, tuple):
        return f"; a layout has strides, as in {text_of(left)}:(...)"
    if operator == "o" and is_number(left) and isinstance(right, Layout):
        return "; an offset is written {" + text_of(left) + "} o " + text_of(right)
    return ""
