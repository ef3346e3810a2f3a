"""PyCuTe's own vocabulary, read from its text and expressed through this package's functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any

from vocabulary import VOCABULARY

from laycalc.algebra.operations.complement import complement
from laycalc.algebra.operations.modes import replace, select, take
from laycalc.algebra.operations.recast import downcast, upcast
from laycalc.algebra.values.coalesce import open_modes, unwrap
from laycalc.algebra.values.codomain import as_coordinate
from laycalc.algebra.values.htuple import at_path, flatten, map_leaves, unflatten
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.lifting import lift
from laycalc.algebra.values.semimodule import Coordinate, Xor, clmul
from laycalc.algebra.values.shape import coordinates, crd2idx, natural, prefix_products, size
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.algebra.values.tiler import Tiler, as_operand, tiler_to_layout

TOKEN = re.compile(r"\s*(Sw<[-\d,]+>|-?\d*[ef]\d[\d.]*|[A-Za-z_]\w*|-?\d+|[][()<>:,+*/=])")


class Reader:
    """One expression of a fact; names that are no function are looked up in ``symbols``."""

    def __init__(self, text: str, symbols: dict[str, int] | None = None) -> None:
        self.tokens = TOKEN.findall(text)
        self.at = 0
        self.symbols = symbols or {}

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return str(self.tokens[self.at - 1])

    def items(self, close: str) -> list[Any]:
        found = []
        while self.peek() != close:
            found.append(self.expression())
            if self.peek() == ",":
                self.take()
        self.take()
        return found

    def expression(self) -> Any:
        value = self.sum()
        if self.peek() == ":":
            self.take()
            return Layout(value, self.sum())
        return value

    def sum(self) -> Any:
        value = self.atom()
        while self.peek() in ("+", "/", "*"):
            operator, right = self.take(), self.atom()
            value = value + right if operator == "+" else value * right if operator == "*" else Fraction(value, right)
        return value

    def atom(self) -> Any:
        token = self.take()
        if token == "(":
            return tuple(self.items(")"))
        if token == "<":
            return Tiler(self.items(">"))
        if token == "_":
            return None
        if token.startswith("Sw<"):
            return Swizzle(*map(int, token[3:-1].split(",")))
        if element := re.fullmatch(r"(-?\d*)([ef])([\d.]+)", token):
            factor, kind, rest = element.groups()
            n = int(factor or 1) if factor != "-" else -1
            if kind == "f":
                return n * Xor.of(int(rest))
            return Coordinate.of([(tuple(map(int, rest.split("."))), n)])
        if re.fullmatch(r"-?\d+", token):
            return int(token)
        return self.name(token)

    def name(self, token: str) -> Any:
        path: list[Any] = []
        targeted = False
        while self.peek() == "[":
            self.take()
            path += self.items("]")
            targeted = True
        if self.peek() == "=":
            self.take()
            return {token: self.expression()}
        if self.peek() != "(":
            return self.symbols[token] if token in self.symbols else NAMES[token]
        self.take()
        arguments = self.items(")")
        keywords = {k: v for a in arguments if isinstance(a, dict) for k, v in a.items()}
        arguments = [a for a in arguments if not isinstance(a, dict)]
        function = NAMES[token]
        if token in TARGETED:
            return function(tuple(path), *arguments, **keywords)
        if targeted:
            return at_mode(function, token, tuple(path), *arguments)
        return function(*arguments, **keywords)


def read(text: str, symbols: dict[str, int] | None = None) -> Any:
    """The value of an expression in PyCuTe's vocabulary."""
    return Reader(text, symbols).expression()


# -- operations aimed at a mode, and lifting over nothing --------------------------------------------------------


def at_mode(function: Callable[..., Any], name: str, path: tuple[int, ...], first: Any, *rest: Any) -> Any:
    """``f[m](x, ..)``: a question about a mode, or an operation on it with the others kept."""
    if name in ("shape", "stride", "size", "rank", "depth", "coshape"):
        whole = first.stride if name == "stride" else first.shape
        mode = at_path(whole, path)
        return {"shape": mode, "stride": mode}.get(name) if name in ("shape", "stride") else function(mode, *rest)
    if first is None:
        return lifted(path, function(None, *rest), pad=Layout(1, 0))
    if isinstance(first, Layout) and path == (0,) and not isinstance(first.shape, tuple):
        first = Layout((first.shape,), (first.stride,))
    return replace(first, path, function(first[path], *rest)) if path else function(first, *rest)


def lifted(path: tuple[int, ...], x: Any, pad: Any = None) -> Any:
    """``x`` at a path of an otherwise padded tuple; layouts are put side by side, a padding of None makes a tiler."""
    for i in reversed(path):
        modes = [pad] * i + [x]
        if isinstance(pad, Layout):
            x = concat(*modes)
        else:
            x = Tiler(modes) if isinstance(x, (Layout, Tiler)) else tuple(modes)
    return x


def promoted(x: Any) -> Any:
    """A tiler, shape or integer as the layout it acts as."""
    return x if isinstance(x, Layout) else tiler_to_layout(x)


def composition(a: Any, b: Any) -> Any:
    if a is None:
        return tiler_to_layout(b) if b is not None else None
    return VOCABULARY["composition"](promoted(a), b)


def _unbounded(operation: str) -> Callable[[Any, Any], Any]:
    def apply(a: Any, b: Any) -> Any:
        if a is not None:
            return VOCABULARY[operation](promoted(a), b)
        operand = as_operand(b)
        if isinstance(operand, Layout):
            return concat(operand, complement(operand))
        parts = [(promoted(t), complement(promoted(t))) if t is not None else (None, None) for t in operand.modes]
        tiles = [tile or Layout(1, 1) for tile, _ in parts]
        rests = [rest or Layout(1, 1) for _, rest in parts]
        tiles, rests = ([tiler_to_layout(Tiler(x))[i] for i in range(len(x))] for x in (tiles, rests))
        if operation == "zipped_divide":
            return concat(concat(*tiles), concat(*rests))
        return concat(*(concat(t, r) for t, r in zip(tiles, rests, strict=True)))

    return apply


def recast(layout: Layout, ratio: Any) -> Layout:
    """New width over old."""
    ratio = Fraction(ratio)
    wide = upcast(layout, ratio.numerator) if ratio.numerator > 1 else layout
    return downcast(wide, ratio.denominator) if ratio.denominator > 1 else wide


def layout(shape: Any, factor: Any = 1) -> Layout:
    return Layout(shape, map_leaves(lambda d: factor * d, prefix_products(shape)))


def value(layout_: Layout, coordinate: Any) -> Any:
    return layout_.element(coordinate)


def divmod_(a: Any, b: int) -> Any:
    """Carry-less division for XOR values."""
    if not isinstance(a, Xor):
        return divmod(a, b)
    quotient, rest = 0, a.value
    while rest.bit_length() >= b.bit_length():
        shift = rest.bit_length() - b.bit_length()
        quotient, rest = quotient | 1 << shift, rest ^ b << shift
    assert clmul(quotient, b) ^ rest == a.value
    return Xor.of(quotient), Xor.of(rest)


def unit(x: Any) -> Any:
    return Coordinate.of([(x.basis[0], 1)]) if isinstance(x, Coordinate) else type(x)(1) if isinstance(x, Xor) else 1


def slice_(coordinate: Any, x: Any) -> Any:
    """The entries of x where the coordinate is open, as one tuple."""
    if coordinate is None:
        return (x,)
    if not isinstance(coordinate, tuple):
        return ()
    return sum((slice_(c, e) for c, e in zip(coordinate, x, strict=True)), ())


def dice_(coordinate: Any, x: Any) -> Any:
    """The entries of x where the coordinate is given, as one tuple."""
    if coordinate is None:
        return ()
    if not isinstance(coordinate, tuple):
        return (x,)
    return sum((dice_(c, e) for c, e in zip(coordinate, x, strict=True)), ())


def meet(a: Any, b: Any) -> Any:
    return VOCABULARY["common_refinement"](getattr(a, "shape", a), getattr(b, "shape", b))


def zip_leaves(a: Any, b: Any) -> tuple[Any, ...]:
    if not isinstance(a, tuple):
        return ((a, b),)
    return sum((zip_leaves(x, y) for x, y in zip(a, b, strict=True)), ())


def prefix_product(shape: Any, start: Any = 1) -> Any:
    if isinstance(start, tuple):
        return tuple(map(prefix_products, shape, start))
    return prefix_products(shape, start)


def idx2crd(index: Any, shape: Any) -> Any:
    """All levels at once; an open index counts as 0, an XOR value gives XOR values."""
    if isinstance(index, Xor):
        return map_leaves(Xor.of, natural(index.value, shape))
    return natural(as_coordinate(0 if index is None else index, shape), shape)


def select_(path: tuple[int, ...], x: Any) -> Any:
    return Tiler(select(x, *path).modes()) if isinstance(x, Layout) else select(x, *path)


def make_layout(*parts: Any) -> Any:
    if not parts:
        return Layout((), ())
    if len(parts) == 1 and isinstance(parts[0], Tiler):
        return concat(*parts[0].modes)
    return VOCABULARY["make_layout"](*parts)


def flatten_(x: Any, make: Any = tuple) -> Any:
    return make(*x.modes) if isinstance(x, Tiler) else VOCABULARY["flatten"](x)


def take_(path: tuple[int, ...], x: Any) -> Any:
    begin, end = path
    if begin > end:
        raise ValueError("reversed range")
    return take(x, begin, end)


def common_domain(a: Any, b: Any) -> Layout:
    return VOCABULARY["greatest_common_domain"](a, b)


TARGETED = {"get", "lift", "replace", "select", "take"}
"""Names whose subscript is an argument."""

NAMES: dict[str, Any] = dict(VOCABULARY) | {
    "add": lambda a, b: a + b,
    "basis_repr": lambda x: tuple((c, p) for p, c in x.terms) if isinstance(x, Coordinate) else ((x, ()),),
    "coalesce_z": lambda x: unwrap(open_modes(x)),
    "common_refinement": meet,
    "composition": composition,
    "complement": lambda x, extend=None: complement(x, extend),
    "coordinates": lambda shape: tuple(coordinates(shape)),
    "crd2idx": lambda c, shape: crd2idx(c.value if isinstance(c, Xor) else c, shape),
    "dice_": dice_,
    "divmod": divmod_,
    "equal_scalar": lambda a, b: a == b,
    "equal_structure": lambda a, b: a == b,
    "eval": value,
    "flatten": flatten_,
    "fold_leaf": lambda f, start, x: sum(flatten(x), start),
    "get": lambda path, x: at_path(x, path),
    "greatest_common_domain": common_domain,
    "idx2crd": idx2crd,
    "inner_product": lambda a, b: sum(x * y for x, y in zip(flatten(a), flatten(b), strict=True)),
    "is_basis": lambda x: not isinstance(x, Coordinate) or x.basis is not None,
    "is_int": lambda x: type(x) is int,
    "is_layout": lambda x: isinstance(x, Layout),
    "is_tuple": lambda x: isinstance(x, tuple),
    "layout": layout,
    "less": lambda a, b: a < b,
    "lift": lambda path, x, pad=None: lifted(path, x, pad),
    "logical_divide": _unbounded("logical_divide"),
    "logical_product": lambda a, b: VOCABULARY["logical_product"](promoted(a), b),
    "make_layout": make_layout,
    "offset_and_slice": VOCABULARY["slice"],
    "prefix_product": prefix_product,
    "product": size,
    "product_each": lambda x: tuple(map(size, x)) if isinstance(x, tuple) else size(x),
    "profile": lambda x: x,
    "proj": lambda x, e: x.axis(e.basis[0]),
    "recast": lift(recast),
    "repeat_like": lambda x, shape: map_leaves(lambda _: x, shape),
    "replace": lambda path, x, new: replace(x, path, new),
    "select": select_,
    "slice_": slice_,
    "sub": lambda a, b: a + b if isinstance(b, Xor) else a - b,
    "take": take_,
    "unflatten": unflatten,
    "unit": unit,
    "unwrap": lambda x: x[0] if isinstance(x, tuple) and len(x) == 1 else x,
    "wrap": lambda x: x if isinstance(x, tuple) else (x,),
    "zip_leaves": zip_leaves,
    "zipped_divide": _unbounded("zipped_divide"),
    "sum": sum,
    "prod": prod,
}
