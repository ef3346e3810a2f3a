"""What the operators mean for each kind of operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from laycalc.algebra.composition import composition
from laycalc.algebra.decide import at_most, ceil_quotient, divides, floor_quotient, less, same
from laycalc.algebra.divide import logical_divide
from laycalc.algebra.errors import refuse
from laycalc.algebra.htuple import congruent, flatten, weakly_congruent
from laycalc.algebra.layout import Layout
from laycalc.algebra.product import logical_product
from laycalc.algebra.semimodule import Coordinate, Xor
from laycalc.algebra.shape import compatible
from laycalc.algebra.swizzle import Composed, Swizzle
from laycalc.algebra.tensor import Tensor, slice_layout
from laycalc.algebra.tiler import Tiler

from .values import Grid, Image, Listing, Partial, Text, Verdict, kind_of, text_of

__all__ = ["at", "attribute", "choose", "hint", "mode", "offset_of", "swizzle_at", "verify", "wrap"]

Operation = Callable[[Any, Any], Any]

_LAYOUTS = (Layout, Composed, Tensor)


def _number(value: Any) -> bool:
    return type(value) is int or hasattr(value, "symbols")


def _element(value: Any) -> bool:
    return _number(value) or isinstance(value, (Coordinate, Xor))


def _operand(value: Any) -> bool:
    """May it stand to the right of o, / and *?"""
    return value is None or isinstance(value, (*_LAYOUTS, Tiler, tuple, Swizzle)) or _number(value)


# -- arithmetic ------------------------------------------------------------------------------------------------


def add(a: Any, b: Any) -> Any:
    return a + b


def subtract(a: Any, b: Any) -> Any:
    return a - b


def multiply(a: Any, b: Any) -> Any:
    return a * b


def exact_quotient(a: Any, b: Any) -> Any:
    """a/b for integers, exact: LC103 if b does not divide a."""
    from laycalc.algebra.decide import quotient

    if (type(b) is int and b == 0) or not divides(b, a):
        raise refuse(
            "LC103", "{b} does not divide {a}; between integers / is exact", op="/", a=text_of(a), b=text_of(b)
        )
    return quotient(a, b)


def _rounded(round_: Operation) -> Operation:
    def quotient(a: Any, b: Any) -> Any:
        if not (_number(a) and _number(b)) or (type(b) is int and b == 0):
            raise refuse("LC103", "{a} / {b} is no quotient of integers", op="/", a=text_of(a), b=text_of(b))
        return round_(a, b)

    return quotient


ROUNDED: dict[str, Operation] = {"ceil": _rounded(ceil_quotient), "floor": _rounded(floor_quotient)}
"""``ceil(a/b)`` and ``floor(a/b)``."""


def remainder(a: Any, b: Any) -> Any:
    if type(b) is int and b == 0:
        raise refuse("LC103", "{a} % 0 has no value", op="%", a=text_of(a))
    return a % b


# -- algebra ---------------------------------------------------------------------------------------------------


def compose(left: Any, right: Any) -> Any:
    """``left o right``, with the swizzles and offsets that stand before a layout."""
    if isinstance(left, Partial):
        return _complete(left, right)
    if isinstance(left, Swizzle) and _number(right):
        return Partial(None, left, right)
    if isinstance(left, Tensor) and left.layout is None:
        if isinstance(right, Swizzle):
            return Partial(left.offset, right, 0)
        if isinstance(right, Partial):
            return Partial(left.offset, right.swizzle, right.offset)
        if isinstance(right, Tensor):
            return Tensor(left.offset + right.offset, right.layout)
        return Tensor(left.offset, right)
    if isinstance(left, tuple):
        return Tensor(offset_of(left), right)
    from laycalc.algebra.vocabulary import VOCABULARY

    return VOCABULARY["composition"](left, right)


def compose_all(first: Any, *rest: Any) -> Any:
    """``composition(A, B, C)`` is A o B o C; ``composition(A, B)`` of plain layouts is A o B."""
    result = first
    for operand in rest:
        result = composition(result, operand) if _is_simple(result, operand) else compose(result, operand)
    return result


def _is_simple(left: Any, right: Any) -> bool:
    """Plain layouts, for which the core operation is meant; swizzles and offsets need the lifted one."""
    return isinstance(left, Layout) and not isinstance(right, (Composed, Tensor, Swizzle, Partial))


def _complete(left: Partial, right: Any) -> Any:
    if _number(right) and left.offset == 0:
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


def _vocabulary(name: str) -> Operation:
    from laycalc.algebra.vocabulary import VOCABULARY

    return VOCABULARY[name]


# -- relations -------------------------------------------------------------------------------------------------


def equal(a: Any, b: Any) -> bool:
    """The same value in the same form; different kinds are never equal."""
    if _number(a) and _number(b):
        return same(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    return bool(a == b)


def unequal(a: Any, b: Any) -> bool:
    return not equal(a, b)


def equivalent(a: Any, b: Any) -> Any:
    """Equal as functions on the integers 0..size-1."""
    return _vocabulary("equal")(a, b)


def at_most_(a: Any, b: Any) -> bool:
    """``a <= b``: integers by size, shapes by compatibility (``a`` coarsens ``b``)."""
    if _number(a) and _number(b):
        return at_most(a, b)
    return compatible(_shape(a), _shape(b))


def at_least(a: Any, b: Any) -> bool:
    return at_most(b, a) if _number(a) and _number(b) else compatible(_shape(b), _shape(a))


def below(a: Any, b: Any) -> bool:
    return less(a, b)


def above(a: Any, b: Any) -> bool:
    return less(b, a)


def contains(value: Any, values: Any) -> bool:
    return any(equal(value, v) for v in values)


def same_profile(a: Any, b: Any) -> bool:
    return congruent(_shape(a), _shape(b))


def weaker_profile(a: Any, b: Any) -> bool:
    return weakly_congruent(_shape(a), _shape(b))


def _shape(value: Any) -> Any:
    return value.shape if isinstance(value, _LAYOUTS) else value


def choose(operator: str, left: Any, right: Any) -> Operation | None:
    """The operation that an operator is, for these operands; None if it does not apply."""
    numbers = _number(left) and _number(right)
    if operator == "o":
        good = isinstance(left, (*_LAYOUTS, Swizzle, Partial, tuple)) and (
            _operand(right) or isinstance(right, Partial)
        )
        if isinstance(left, tuple) and not (isinstance(right, Layout) and right.semimodule == "Z^P"):
            return _morphism_operator("composition", left, right)
        return _direct(composition, compose, left, right) if good else _morphism_operator("composition", left, right)
    if operator == "/":
        if numbers:
            return exact_quotient
        if isinstance(left, _LAYOUTS) and _operand(right):
            return _direct(logical_divide, _vocabulary_lazy("logical_divide"), left, right)
        return _morphism_operator("logical_divide", left, right)
    if operator == "*":
        if _element(left) and _element(right) and (_number(left) or _number(right)):
            return multiply
        if isinstance(left, _LAYOUTS) and _operand(right):
            return _direct(logical_product, _vocabulary_lazy("logical_product"), left, right)
        return _morphism_operator("logical_product", left, right)
    if operator in ("+", "-"):
        return (add if operator == "+" else subtract) if _element(left) and _element(right) else None
    if operator in ("%", "|"):
        return ({"%": remainder, "|": divides}[operator]) if numbers else None
    if operator in ("<", ">"):
        return {"<": below, ">": above}[operator] if numbers else None
    if operator in ("<=", ">="):
        shapes = (int, tuple, *_LAYOUTS)
        if numbers or (isinstance(left, shapes) and isinstance(right, shapes)):
            return {"<=": at_most_, ">=": at_least}[operator]
        return None
    if operator in ("~", "<~"):
        return {"~": same_profile, "<~": weaker_profile}[operator]
    if operator == "===":
        return equivalent if isinstance(left, _LAYOUTS) and isinstance(right, _LAYOUTS) else equal
    return {"==": equal, "!=": unequal, "in": contains}.get(operator)


def _direct(plain: Operation, lifted: Operation, left: Any, right: Any) -> Operation:
    """The core operation for plain layouts, the lifted one for swizzled and offset operands."""
    return plain if _is_simple(left, right) else lifted


def _vocabulary_lazy(name: str) -> Operation:
    def lifted(left: Any, right: Any) -> Any:
        return _vocabulary(name)(left, right)

    lifted.__name__ = name
    return lifted


def _morphism_operator(name: str, left: Any, right: Any) -> Operation | None:
    if kind_of(left) == "morphism" and kind_of(right) == "morphism":
        from laycalc.algebra.categories.operations import MORPHISM_OPERATORS

        return MORPHISM_OPERATORS[name]
    return None


def hint(operator: str, left: Any, right: Any) -> str:
    """What was probably meant."""
    if operator in ("o", "/", "*") and isinstance(left, tuple):
        return f"; a layout has strides, as in {text_of(left)}:(...)"
    if operator == "o" and _number(left) and isinstance(right, Layout):
        return "; an offset is written {" + text_of(left) + "} o " + text_of(right)
    return ""


# -- evaluation and access -------------------------------------------------------------------------------------


def offset_of(value: Any) -> Any:
    """A tuple offset as a sum of basis elements: (0,2) is 2e1."""
    if not isinstance(value, tuple):
        return value
    terms: list[tuple[tuple[int, ...], Any]] = []

    def collect(x: Any, path: tuple[int, ...]) -> None:
        if isinstance(x, tuple):
            for i, entry in enumerate(x):
                collect(entry, (*path, i))
        elif not (type(x) is int and x == 0):
            terms.append((path, x))

    collect(value, ())
    return Coordinate.of(terms)


def at(layout: Any, coordinate: Any) -> Any:
    """``L(c)``: the value, or with free modes the slice."""
    if _has_free(coordinate):
        return slice_layout(layout, coordinate)
    return layout(coordinate)


def _has_free(value: Any) -> bool:
    return value is None or (isinstance(value, tuple) and any(map(_has_free, value)))


def swizzle_at(swizzle: Swizzle, index: Any) -> int:
    if type(index) is not int:
        raise refuse("LC103", "a swizzle takes an integer, not {value}", op="swizzle", value=text_of(index))
    return swizzle(index)


def mode(value: Any, path: tuple[Any, ...]) -> Any:
    """``L[i]``, ``L[i,j]``: the mode at a path of indices; entries of tuples and tilers alike."""
    for i in path:
        if type(i) is not int:
            raise refuse("LC103", "a mode is an integer, not {index}", op="mode", index=text_of(i))
        value = _one_mode(value, i)
    return value


def _one_mode(value: Any, i: int) -> Any:
    if isinstance(value, (Layout, Composed)):
        count = value.rank
        if not -count <= i < count:
            raise refuse(
                "LC103", "{value} has no mode {index}; its rank is {rank}",
                op="mode", value=text_of(value), index=i, rank=count, left_path=(),
            )  # fmt: skip
        return value[i % count] if isinstance(value.shape, tuple) else value
    entries = value if isinstance(value, tuple) else getattr(value, "modes", getattr(value, "items", None))
    if not isinstance(entries, tuple):
        raise refuse("LC103", "a {kind} has no modes", op="mode", kind=kind_of(value), left_path=())
    if not -len(entries) <= i < len(entries):
        raise refuse(
            "LC103", "{value} has no entry {index}; it has {rank}",
            op="mode", value=text_of(value), index=i, rank=len(entries), left_path=(),
        )  # fmt: skip
    return entries[i]


def attribute(value: Any, name: str) -> Any:
    """``L.shape``, ``T.layout``, ``atom.A``: the public attributes of a value."""
    allowed = _ATTRIBUTES.get(type(value)) or _attributes_elsewhere(value)
    if name not in allowed:
        raise refuse(
            "LC103", "a {kind} has no attribute {name}; it has {allowed}",
            op="attribute", kind=kind_of(value), name=name, allowed=", ".join(allowed) or "none", left_path=(),
        )  # fmt: skip
    found = getattr(value, name)
    return found() if callable(found) and not isinstance(found, (*_LAYOUTS, Swizzle)) else found


_ATTRIBUTES: dict[type, tuple[str, ...]] = {
    Layout: ("shape", "stride", "size", "rank", "depth"),
    Composed: ("swizzle", "offset", "layout", "shape", "size", "rank"),
    Tensor: ("offset", "layout", "shape", "size", "rank"),
    Swizzle: ("bits", "base", "shift"),
    Verdict: (),
}


def _attributes_elsewhere(value: Any) -> tuple[str, ...]:
    """The attributes of an atom are its operands and sizes, those of a tiled one its layouts."""
    kind = kind_of(value)
    if kind == "atom":
        return (*value.operands, "thr_id", "threads", *(("shape",) if value.shape else ()))
    tiled = {
        "tiled MMA": ("A", "B", "C", "atom", "atoms", "thr_vmnk", "threads", "tile"),
        "tiled copy": ("S", "D", "layout_tv", "atom", "bits", "threads", "tiler"),
        "morphism": ("domain", "map", "codomain"),
    }
    return tiled.get(kind, ())


# -- results ---------------------------------------------------------------------------------------------------


def wrap(result: Any, kind: str) -> Any:
    """Lists that the algebra returns, as the value kinds that print them."""
    if kind == "values":
        return Listing(tuple(result))
    if kind == "image":
        return Image(tuple(_ascending(result)))
    if kind == "owned":
        return Listing(tuple(Text(f"T{o.thread}V{o.value}", bare=True) for o in result))
    if kind == "held":
        return Listing(tuple(h.coordinate for h in result))
    if kind == "pairs":
        return Listing(tuple(Text(f"{text_of(a)}->{text_of(b)}", bare=True) for a, b in result))
    if kind in ("grid", "owners", "marks"):
        cell = {"grid": lambda x: x, "owners": _owners, "marks": bool}[kind]
        return Grid(tuple(tuple(map(cell, row)) for row in result), "" if kind == "marks" else " ")
    return tuple(result) if isinstance(result, list) else result


def _owners(owners: Any) -> Text:
    """The owners of a cell: T0V1, several joined by +, a dot for none."""
    return Text("+".join(f"T{t}V{v}" for t, v in owners) or ".", bare=True)


def _ascending(values: Any) -> Any:
    """Integers by size, coordinates in colexicographic order."""
    return sorted(values, key=lambda v: flatten(v)[::-1] if isinstance(v, tuple) else v)


def verify(op: str, operands: Sequence[Any], result: Layout, limit: int) -> Any:
    """A witness against the law of ``op``, or None; only plain layouts have their laws here."""
    if op not in ("coalesce", "composition", "logical_divide", "logical_product", "right_inverse", "left_inverse"):
        return None
    from laycalc.algebra.witness import LAWS

    plain = [Layout(x, 1) if type(x) is int and (x > 1 or op == "composition") else x for x in operands]
    if any(not isinstance(x, Layout) for x in plain) or any(type(x.size) is not int for x in plain):
        return None
    if result.size > limit:
        return None
    if op in ("right_inverse", "left_inverse") and plain[0].semimodule == "Z^P":
        return None
    if op == "logical_divide" and any(isinstance(d, (Coordinate, Xor)) for d in plain[1].flat()[1]):
        return None
    return LAWS[op](*plain, result, limit)
