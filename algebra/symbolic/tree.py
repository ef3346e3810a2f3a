"""The tree of cases: questions inside, outcomes at the leaves, and the questions that make no difference dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ..base.errors import Remark
from .closure import learn
from .condition import Condition
from .facts import Facts
from .poly import Poly
from .values import same_function, well_defined

RAGGED = frozenset({"LC401", "LC402", "LC404"})
"""The warnings that a clean result does not have."""

CLEAN, WARNED, REFUSED, OPEN = "clean", "warned", "refused", "open"


class Leaf(NamedTuple):
    """The outcome of a run: ``status`` is clean, warned (ragged or with holes), refused, or open (cut, given up).

    ``codes`` are the codes that are certain, ``perhaps`` those that depend on more than the conditions of the case;
    LC402 counts as LC401. ``error`` is what was raised; ``why`` says it in words.
    """

    status: str
    value: Any = None
    codes: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    remarks: tuple[Remark, ...] = ()
    error: Exception | None = None
    why: str = ""
    notes: tuple[Condition, ...] = ()


class Node(NamedTuple):
    """A question and what follows from either answer."""

    question: Condition
    yes: Tree
    no: Tree


Tree = Leaf | Node


def leaves(tree: Tree, facts: Facts, path: tuple[Condition, ...] = ()) -> Iterator[tuple[Leaf, Facts, Any]]:
    """Every leaf with the facts of its case and the conditions on the way to it."""
    if isinstance(tree, Leaf):
        yield tree, facts, path
        return
    for answer, side in ((tree.question, tree.yes), (tree.question.negated(), tree.no)):
        known = learn(facts, answer)
        if known is not None:
            yield from leaves(side, known, (*path, answer))


def count(tree: Tree) -> int:
    """The number of leaves."""
    return 1 if isinstance(tree, Leaf) else count(tree.yes) + count(tree.no)


Same = Callable[[Any, Any, Facts], bool]
"""Are two values the same as far as facts tell?"""


def join(question: Condition, facts: Facts, yes: Tree, no: Tree, same: Same) -> Tree:
    """The tree of a question, or one of its sides alone where that says the same on the other side."""
    loose = isinstance(question.poly, Poly) and bool(question.poly.roundings())
    sides = [(no, yes, question), (yes, no, question.negated())]
    # An equality is the special case of its opposite; otherwise the side with a yes is the usual one.
    for general, special, condition in sides if question.kind == "is_zero" else reversed(sides):
        known = learn(facts, condition)
        if known is not None and (merged := _absorb(general, special, known, loose, same)) is not None:
            return merged
    return Node(question, yes, no)


def _absorb(general: Tree, special: Tree, facts: Facts, loose: bool, same: Same) -> Tree | None:
    """``general`` if it gives the outcomes of ``special`` wherever these facts hold."""
    if isinstance(general, Leaf) and isinstance(special, Leaf):
        return agree(general, special, facts, loose=loose, same=same)
    if not _kinds(special) <= _kinds(general):
        return None
    for leaf, known, _ in leaves(special, facts):
        for other in _reachable(general, known):
            both = agree(other[0], leaf, other[1], same=same)
            if both is None or both.perhaps != other[0].perhaps:
                return None
    return general


def _kinds(tree: Tree) -> set[Any]:
    if isinstance(tree, Leaf):
        return {tree.status if tree.status != REFUSED else tree.codes}
    return _kinds(tree.yes) | _kinds(tree.no)


def _reachable(tree: Tree, facts: Facts) -> Iterator[tuple[Leaf, Facts]]:
    """The leaves that these facts allow, each with what is then known."""
    if isinstance(tree, Leaf):
        yield tree, facts
        return
    known = facts.decide(tree.question)
    if known is not None:
        yield from _reachable(tree.yes if known else tree.no, facts)
        return
    for answer, side in ((tree.question, tree.yes), (tree.question.negated(), tree.no)):
        found = learn(facts, answer)
        if found is not None:
            yield from _reachable(side, found)


def agree(
    general: Leaf, special: Leaf, facts: Facts, *, loose: bool = False, same: Same = same_function
) -> Leaf | None:
    """The general outcome, if the special one is the same under the facts of the special case."""
    if general.status != special.status or general.status == OPEN:
        return None
    if general.status == REFUSED:
        if general.codes != special.codes:
            return None
        return general._replace(perhaps=general.perhaps | special.perhaps)
    codes = (general.codes, general.perhaps) == (special.codes, special.perhaps)
    if not codes and not (loose and general.status == WARNED):
        return None
    if not (same(general.value, special.value, facts) and well_defined(general.value, facts)):
        return None
    general = _both(general, special)
    if codes:
        return general
    # The question is about roundings: which warning it is depends on more than can be said shortly.
    certain = general.codes & special.codes
    every = general.codes | special.codes | general.perhaps | special.perhaps
    return general._replace(codes=certain, perhaps=every - certain)


def _both(general: Leaf, special: Leaf) -> Leaf:
    """The general outcome with the remarks that both make."""
    if general.remarks == special.remarks:
        return general
    others = set(map(_about, special.remarks))
    kept = tuple(made for made in general.remarks if _about(made) in others)
    return general._replace(remarks=kept, why=why(kept)) if kept else general


def _about(made: Remark) -> Any:
    """What a remark is about; a tile that covers more is one thing, whether it alone does (LC402) or the last one."""
    facts = made.facts
    return "LC401" if made.code == "LC402" else made.code, *(
        str(facts.get(key)) for key in ("layout", "tile", "left_path")
    )


def why(remarks: Iterable[Remark]) -> str:
    """What makes a result less than clean, in words."""
    return "; ".join(dict.fromkeys(str(made) for made in remarks if made.code in RAGGED))
