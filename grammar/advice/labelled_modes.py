"""Which modes of which operands an error is about: from the facts of the algebra to places of the written call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.htuple import flatten, leaf_paths
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..language.values import text_of
from .locate import at_mode

__all__ = ["Guilty", "basis_names", "guilty"]

Path = tuple[int, ...]


class Guilty(Record):
    """A mode of an operand and the half of it that counts.

    The remark there is that of a ``side`` of the code, ``left`` or ``right``, unless ``text`` says something else.
    """

    operand: int
    path: Path
    part: str
    side: str
    text: str = ""


# Which half of `shape:stride` the condition is about, left and right.
_PARTS = {
    "LC301": ("shape", "stride"),
    "LC302": ("shape", "shape"),
    "LC303": ("shape", "both"),
    "LC304": ("both", "stride"),
    "LC306": ("stride", "both"),
    "LC305": ("shape", "both"),
    "LC307": ("stride", "stride"),
    "LC308": ("stride", "both"),
    "LC311": ("shape", "both"),
    "LC312": ("stride", "both"),
    "LC313": ("stride", "both"),
    "LC401": ("shape", "both"),
    "LC402": ("shape", "both"),
    "LC404": ("stride", "both"),
}

_DIVIDES = frozenset({"logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "local_tile"})
_PRODUCTS = frozenset({"logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product"})
# Operations whose paths lead into the operands that were written; others make operands of their own.
_DIRECT = _DIVIDES | _PRODUCTS | {
    "compose", "composition", "compose_all", "raked_product", "complement", "right_inverse", "left_inverse", "inverse",
    "inverse_of", "coalesce", "upcast", "downcast", "recast_layout", "filter_layout",
}  # fmt: skip


def guilty(code: str, facts: dict[str, Any], function: str, values: Sequence[Any]) -> list[Guilty]:
    """The guilty modes, those of the left operand first."""
    left, right = _PARTS.get(code, ("both", "both"))
    if facts.get("in_rest"):
        # The complement of the tile fails, and all of the tile makes it.
        right = "both"
    if code == "LC310" and len(values) > 1 and "left_path" not in facts:
        return [Guilty(0, (), "shape", "left"), Guilty(1, (), "shape", "right")]
    if code == "LC305":
        facts = {"left_path": (), **facts}
    special = _SPECIAL.get(code)
    if special is not None and (found := list(special(facts, values))):
        return found
    if code in ("LC306", "LC404") and values:
        return _collision(function, facts, values, left)
    return _by_path(code, facts, function, values, (left, right))


def _by_path(
    code: str, facts: dict[str, Any], function: str, values: Sequence[Any], parts: tuple[str, str]
) -> list[Guilty]:
    """The modes at the paths that the facts name, and what else the code points at."""
    lefts, rights = _named(code, facts, values)
    direct = function in _DIRECT
    found = [Guilty(0, path if direct else (), parts[0], "left") for path in lefts if values]
    found += [Guilty(1, path if direct else (), parts[1], "right") for path in rights if len(values) > 1]
    return [*found, *_others(code, facts, values, found, one_sided=bool(lefts) and not rights)]


def _named(code: str, facts: dict[str, Any], values: Sequence[Any]) -> tuple[list[Path], list[Path]]:
    """The paths of the modes that the facts name, in the left and in the right operand."""
    if code in ("LC401", "LC402") and len(values) > 1:
        tiled = [_tiled_mode(facts, values[0], values[1])]
        return tiled, tiled
    lefts = [facts["left_path"]] if "left_path" in facts else []
    return lefts, list(facts.get("right_paths") or ([facts["right_path"]] if "right_path" in facts else []))


def _collision(function: str, facts: dict[str, Any], values: Sequence[Any], part: str) -> list[Guilty]:
    """The mode that runs into another, and that one; the complement of a divide is that of its right operand."""
    at = 1 if function in _DIVIDES and len(values) > 1 else 0
    path = facts.get("left_path", ()) if function in _DIRECT else ()
    return [Guilty(at, path, part, "left"), *_below(at, values[at], path, facts)]


def _others(
    code: str, facts: dict[str, Any], values: Sequence[Any], found: list[Guilty], *, one_sided: bool
) -> list[Guilty]:
    """What else a code points at: the stride below in a chain, the factor of a recast, the whole other operand."""
    if code == "LC307" and found:
        return _below(0, values[0], found[0].path, facts, "stride")
    if code in ("LC312", "LC313"):
        return [Guilty(i, (), "both", "right") for i in range(1, min(len(values), 3))]
    if one_sided and len(values) > 1 and code in ("LC303", "LC304", "LC310"):
        return [Guilty(1, (), "both", "right")]
    return []


def _below(at: int, value: Any, path: Path, facts: dict[str, Any], part: str = "both") -> list[Guilty]:
    """The mode that the guilty one collides with: the one below it in the order of strides."""
    cut = 1 if isinstance(value, Tiler) else 0
    head, tail = path[:cut], path[cut:]
    leaves = _moving(at_mode(value, head))
    own = next((x for x in leaves if x[2] == tail), None)
    others = [x for x in leaves if x is not own and own is not None and x[0] <= own[0]]
    if not others:
        return []
    exact = [x for x in others if x[0] * x[1] == facts.get("extent") or x[0] == facts.get("first")]
    return [Guilty(at, (*head, *max(exact or others)[2]), part, "right")]


def _moving(mode: Any) -> list[tuple[int, int, Path]]:
    """(stride, extent, path) of the leaves that step forward by a known number."""
    mode = mode.layout if isinstance(mode, Tensor) else mode
    if not isinstance(mode, Layout):
        return []
    leaves = zip(*mode.flat(), leaf_paths(mode.shape), strict=True)
    return [(d, s, p) for s, d, p in leaves if type(s) is int and type(d) is int and s != 1 and d > 0]


def _tiled_mode(facts: dict[str, Any], layout: Any, tiler: Any) -> Path:
    """The mode of a by-mode divide that a remark is about: the first with its layout and its tile."""
    if isinstance(tiler, Tiler):
        for i, tile in enumerate(tiler.modes):
            mode = at_mode(layout, (i,))
            if isinstance(tile, Tiler):
                if inner := _tiled_mode(facts, mode, tile):
                    return (i, *inner)
            elif str(mode) == facts.get("layout") and facts.get("tile") in (str(tile), f"{tile}:1"):
                return (i,)
    return ()


def _halves(facts: dict[str, Any], values: Sequence[Any]) -> Iterator[Guilty]:
    """LC201 of a literal: operand 0 is the shape, operand 1 the stride."""
    if len(values) == 2 and "stride" in facts:
        yield Guilty(0, (), "both", "left")
        yield Guilty(1, (), "both", "right")


def _entry(facts: dict[str, Any], values: Sequence[Any]) -> Iterator[Guilty]:
    """LC202: the entry itself."""
    for i, value in enumerate(values[:1]):
        for path, leaf in zip(leaf_paths(value), flatten(value), strict=True):
            if text_of(leaf) == facts.get("entry"):
                yield Guilty(i, path, "shape", "left")
                return


def _two_strides(facts: dict[str, Any], values: Sequence[Any]) -> Iterator[Guilty]:
    """LC203 and LC315: the two strides that do not go together."""
    wanted = {"left": text_of(facts.get("first")), "right": text_of(facts.get("second"))}
    for i, value in enumerate(values):
        # A literal has its strides as operand 1; a concatenation has layouts.
        stride = value.stride if isinstance(value, Layout) else value if i == 1 else 0
        for path, leaf in zip(leaf_paths(stride), flatten(stride), strict=True):
            names = {text_of(leaf), *basis_names(leaf)}
            side = next((s for s, text in wanted.items() if text in names), None)
            if side is not None:
                del wanted[side]
                yield Guilty(i, path, "stride", side)


def basis_names(stride: Any) -> list[str]:
    """The basis elements of a coordinate stride: ``e0`` and ``e1.0`` of ``2e0+3e1.0``."""
    terms = stride.terms if isinstance(stride, Coordinate) else ()
    return ["e" + ".".join(map(str, path)) for path, _ in terms]


def _coordinate(facts: dict[str, Any], values: Sequence[Any]) -> Iterator[Guilty]:
    """LC205: the coordinate and what it should fit."""
    if len(values) < 2 or "coordinate" not in facts:
        return
    at = next((i for i, v in enumerate(values) if isinstance(v, tuple) and text_of(v) == facts["coordinate"]), 1)
    yield Guilty(1 if at == 0 else 0, (), "shape", "left")
    yield Guilty(at, (), "both", "right")


def _tiles(facts: dict[str, Any], values: Sequence[Any]) -> Iterator[Guilty]:
    """LC314: the first mode of the block that does not divide its mode of the shape."""
    block, shape = values[0], values[1] if len(values) > 1 else None
    if not isinstance(block, Layout) or not isinstance(shape, (int, tuple)):
        return
    extents = shape if isinstance(shape, tuple) else (shape,)
    if block.rank > len(extents):
        yield Guilty(0, (), "shape", "left", f"rank {block.rank}")
        yield Guilty(1, (), "both", "right", f"rank {len(extents)}")
        return
    for i, mode in enumerate(block.modes()):
        whole = size(extents[i])
        if type(whole) is int and type(mode.size) is int and whole % mode.size:
            path = (i,) if isinstance(shape, tuple) else ()
            yield Guilty(0, (i,) if isinstance(block.shape, tuple) else (), "shape", "left", f"size {mode.size}")
            yield Guilty(1, path, "both", "right", f"{whole} is no multiple of {mode.size}")
            return


_SPECIAL: dict[str, Any] = {
    "LC201": _halves,
    "LC202": _entry,
    "LC203": _two_strides,
    "LC205": _coordinate,
    "LC314": _tiles,
    "LC315": _two_strides,
}
