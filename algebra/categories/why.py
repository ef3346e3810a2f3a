"""How far a composition gets, and what stops it: five levels from morphisms that compose to a mere table of values."""

from __future__ import annotations

from typing import Any

from ..base.errors import LayoutError, observing, refuse
from ..base.words import word
from ..operations.coincidence import unknown
from ..operations.composition import composition
from ..operations.image import cosize
from ..values.coalesce import coalesce, open_modes
from ..values.htuple import flatten, leaf_paths, unflatten
from ..values.layout import Layout, uniform
from ..values.shape import size
from ..values.tiler import Operand, Tiler, as_operand, by_mode
from .cute import boundaries, crossing_of, cutlass_answer, dsl_answer, in_bounds
from .diagnosis import Carry, Overlap, Why
from .fault import Fault, boundary_fault
from .layouts import resize
from .mutual import MutualRefinement, find_refinement
from .tractable import is_tractable, nullify, plain_modes, to_morphism
from .values import layout_by_values

_NO_FUNCTION = {"LC103", "LC104", "LC106", "LC203", "LC205", "LC304", "LC305", "LC315"}
"""Errors that say that there is nothing to diagnose: the values themselves do not exist."""


@word("""
    categories: why(A: layout, B: operand)
    how far A o B gets, and what stops it
    why((4,3):(1,5), 3:2)
""")
def why(outer: Layout, inner: Operand) -> Why:
    """How far ``outer o inner`` gets: the level, the mode at fault, the nearest modes that work, the engines' answers.

    Levels, each implying the next: 1 the morphisms f_A, f_B compose as they stand; 2 after the mutual refinement of
    (T, shape of the coalesced B); 3 after resizing B's last mode; 4 some layout whose shape refines that of A has the
    values; 5 none has. The answer never depends on a table where the exact composition decides. LC103 for operands
    that are no layouts, LC106 for unknown numbers, LC305 as in `composition`. Source: Categorical Foundations §4.2 and
    its notes on admissibility.

    >>> print(why(Layout((4, 3), (1, 5)), Layout(3, 2)))
    level 5 of 5: no layout has the values, only the table exists
    mode 3:2: its extent 3*2 = 6 straddles the boundary 4 (gcd 2); 2:2 and 4:2 would work
    CUTLASS refuses (shape-divisibility)
    DSL 4.2.1 refuses (crosses-boundary)
    """
    operand = as_operand(inner)
    if not isinstance(outer, Layout) or not isinstance(operand, (Layout, Tiler)):
        raise refuse(
            "LC103", "why needs two layouts, not {outer} and {inner}", op="why", outer=str(outer), inner=str(inner)
        )
    if isinstance(operand, Tiler):
        return _by_mode(outer, operand)
    if unknown(outer, operand):
        # How far it gets differs from number to number.
        raise refuse("LC106", "why needs the values of the unknowns", op="why", left_path=(), right_path=())
    with observing():
        return _diagnose(outer, operand)


def _diagnose(outer: Layout, inner: Layout) -> Why:
    composed, error = _composed(outer, inner)
    facts: dict[str, Any] = {
        "outer": outer,
        "inner": inner,
        "composed": composed is not None,
        "error": error.code if error else "",
        "cutlass": cutlass_answer(outer, inner),
        "witness": _witness(error),
    }
    if not _has_plain_modes(inner):
        # Strides that are no numbers >= 0: there is no morphism to speak of, only a layout or a table.
        return _by_values(composed, facts | {"in_bounds": True})
    inside = in_bounds(outer, inner)
    u = coalesce(outer).flat()[0] if inside else tuple(s for s, _ in open_modes(outer))
    facts |= {
        "in_bounds": inside,
        "U": u,
        "dsl": dsl_answer(outer, inner),
        "reach": (cosize(inner), size(outer.shape)),
    }
    a = nullify(inner)
    if is_tractable(a):
        facts["T"] = to_morphism(a).targets
        if (level := _level(outer, inner, facts["T"], u, inside=inside)) is not None:
            return Why(layout=composed, **level, **facts)
    facts |= {"fault": _fault(outer, inner, u, error), "overlap": _overlap(a), "carry": _carry(inner, error)}
    return _by_values(composed, facts)


def _composed(outer: Layout, inner: Layout) -> tuple[Layout | None, LayoutError | None]:
    """The composition, or why there is none."""
    try:
        return composition(outer, inner), None
    except LayoutError as refusal:
        if refusal.code in _NO_FUNCTION:
            raise
        return None, refusal


def _has_plain_modes(inner: Layout) -> bool:
    try:
        plain_modes(inner, "why")
    except LayoutError as refusal:
        if refusal.code != "LC103":
            raise
        return False
    return True


def _level(
    outer: Layout, inner: Layout, t: tuple[int, ...], u: tuple[int, ...], *, inside: bool
) -> dict[str, Any] | None:
    """Levels 1 to 3, where a refinement composes the morphisms; None where there is none."""
    if inside and (refinement := _refined(t, u)) is not None:
        as_they_stand = t in (u, flatten(outer.shape)) and _has_morphism(outer)
        return {"level": 1 if as_they_stand else 2, "refinement": refinement}
    if (refinement := _refined(t, resize(t, u))) is not None:
        fault = _ragged(outer, inner, u) if inside else None
        return {"level": 3, "refinement": refinement, "resized": True, "fault": fault}
    return None


def _by_values(composed: Layout | None, facts: dict[str, Any]) -> Why:
    """Levels 4 and 5: a layout has the values, or none has."""
    found = (composed, True) if composed is not None else layout_by_values(facts["outer"], facts["inner"])
    layout, decided = found
    return Why(level=5 if layout is None else 4, decided=decided, layout=layout, **facts)


def _refined(t: tuple[int, ...], u: tuple[int, ...]) -> MutualRefinement | None:
    found = find_refinement(t, u)
    return None if found is None else MutualRefinement(t, u, unflatten(found[0], t), unflatten(found[1], u))


def _has_morphism(outer: Layout) -> bool:
    try:
        return is_tractable(coalesce(outer))
    except LayoutError:
        return False


def _fault(outer: Layout, inner: Layout, u: tuple[int, ...], error: LayoutError | None) -> Fault | None:
    """The boundary that the composition trips over; where it does not, the first one that any mode crosses."""
    chain = boundaries(u)[:-1]
    if error is not None and error.code == "LC303":
        return None
    if error is not None and error.code in ("LC301", "LC302"):
        leaf = list(leaf_paths(inner.shape)).index(error.facts["right_path"])
        part = "start" if error.code == "LC301" else "extent"
        return boundary_fault(outer, inner, leaf, part, error.facts["prefix"], chain, ragged=False)
    crossed = crossing_of(chain, inner)
    if crossed is None:
        return None
    return boundary_fault(outer, inner, crossed.leaf, crossed.part, crossed.boundary, chain, ragged=False)


def _ragged(outer: Layout, inner: Layout, u: tuple[int, ...]) -> Fault | None:
    chain = boundaries(u)
    crossed = crossing_of(chain[-1:], inner)
    if crossed is None:
        return None
    return boundary_fault(outer, inner, crossed.leaf, crossed.part, crossed.boundary, chain[:-1], ragged=True)


def _overlap(inner: Layout) -> Overlap | None:
    try:
        to_morphism(inner)
    except LayoutError as error:
        facts = error.facts
        return Overlap(*(facts[k] for k in ("mode", "next", "extent", "remainder", "overlap")))
    return None


def _carry(inner: Layout, error: LayoutError | None) -> Carry | None:
    if error is None or error.code != "LC303" or "right_paths" not in error.facts:
        return None
    facts = error.facts
    paths = tuple(dict.fromkeys(facts["right_paths"]))
    modes = tuple(str(inner[path]) for path in paths)
    return Carry(facts["mode"] + 1, facts["mode_extent"], facts["reach"], modes, paths)


def _witness(error: LayoutError | None) -> tuple[str, str, Any, Any] | None:
    if error is None or "coordinate" not in error.facts:
        return None
    facts = error.facts
    return facts["coordinate"], facts["at"], facts["value"], facts["modewise"]


def _by_mode(outer: Layout, tiler: Tiler) -> Why:
    """One diagnosis a mode that the tiler names; the whole gets as far as its worst mode."""
    found: list[Why] = []

    def diagnose(mode: Layout, operand: Operand) -> Layout:
        found.append(why(mode, operand))
        return found[-1].layout or mode

    result = by_mode("why", outer, tiler, diagnose, keep_surplus=False)
    level = max((w.level for w in found), default=1)
    return Why(
        outer,
        tiler,
        level,
        in_bounds=all(w.in_bounds for w in found),
        decided=all(w.decided for w in found),
        layout=uniform(result) if level < 5 else None,
        composed=all(w.composed for w in found),
        error=next((w.error for w in found if w.error), ""),
        modes=tuple(found),
    )
