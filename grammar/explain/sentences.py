"""The steps of a derivation in words, with the numbers that were compared (CuTe paper, sections 3.3, 4 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from operator import mul
from typing import Any

from laycalc.algebra.base.derivations import Step
from laycalc.algebra.values.coalesce import merged
from laycalc.algebra.values.htuple import flatten, format_htuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import continues
from laycalc.algebra.values.shape import natural

from ..language.values import text_of
from .accesses import ACCESSES
from .equations import EQUATIONS
from .hardware import HARDWARE

__all__ = ["narrate", "simple_steps"]

Detail = list[tuple[str, str]]
"""Lines below a step that it implies: (rule, words)."""


def narrate(step: Step) -> tuple[str, Detail]:
    """The words of a step, and of what it implies."""
    say = _SAY.get(step.rule)
    if say is None:
        facts = ", ".join(f"{key} {text_of(value)}" for key, value in step.facts.items())
        return f"{step.rule}: {facts}", []
    return say(step.facts)


def _call(facts: dict[str, Any]) -> tuple[str, Detail]:
    value = facts.get("value")
    return facts["text"] + (f" = {text_of(value)}" if "value" in facts else ""), []


def _composition(facts: dict[str, Any]) -> tuple[str, Detail]:
    result = f" = {facts['result']}" if "result" in facts else ""
    return f"compose A = {facts['left']} with B = {facts['right']}{result}", []


def _leaf(facts: dict[str, Any]) -> tuple[str, Detail]:
    """One leaf s:d of B against the coalesced modes of A: truncate, equations 9 and 10."""
    s, d, modes = facts["extent"], facts["stride"], facts["modes"]
    where = f" on mode {'.'.join(map(str, facts['path']))} of A" if facts["path"] else ""
    title = f"leaf {s}:{text_of(d)} of B{where}"
    coalesced = " ".join(f"{e}:{text_of(x)}" for e, x in modes)
    detail: Detail = [("coalesce", f"A coalesced: {coalesced}")]
    if not all(type(n) is int for n in (s, d, *(e for e, _ in modes))):
        return title, detail
    if d == 0:
        return title, [("still", f"stride 0 stays: {s}:0")]
    if s == 1:
        return title, [*detail, ("single", "size 1: only the value at 0 matters, there are no conditions")]
    if len(modes) == 1:
        return title, [("linear", f"A is one mode, {coalesced}, so there are no conditions")]
    return title, [*detail, *_conditions(s, d, [e for e, _ in modes])]


def _conditions(s: int, d: int, extents: list[int]) -> Detail:
    """The prefix products that a leaf s:d reaches, and equations 9 and 10 with their numbers."""
    products = list(accumulate(extents[:-1], mul, initial=1))
    reach = (s - 1) * d
    last = max((r for r, p in enumerate(products) if p <= reach), default=0)
    kept = products[: last + 1]
    detail: Detail = [
        ("prefix", f"prefix products P_r = {_list(products)}"),
        ("truncate", f"truncate: (s-1)*d = {reach} reaches mode {last}; {_beyond(products, last, reach)}"),
    ]
    if last == 0:
        return [*detail, ("linear", "one mode is left, so there are no conditions")]
    rho = [-(-p // d) for p in kept]
    return [
        *detail,
        ("delta", f"delta_r = ceil({d}/P_r) = {_list([-(-d // p) for p in kept])}"),
        ("rho", f"rho_r = ceil(P_r/{d}) = {_list(rho)}"),
        ("eq9", "(9) " + "; ".join(_nine(d, p) for p in kept)),
        ("eq10", "(10) " + "; ".join(_ten(s, r) for r in rho)),
    ]


def _beyond(products: list[int], last: int, reach: int) -> str:
    if last + 1 < len(products):
        return f"P_{last + 1} = {products[last + 1]} > {reach}, so modes from {last + 1} on are not reached"
    return "no mode is left out"


def _nine(d: int, p: int) -> str:
    if d % p == 0:
        return f"{p} divides {d}"
    return f"{d} divides {p}" if p % d == 0 else f"{d} and {p}: NEITHER DIVIDES THE OTHER"


def _ten(s: int, rho: int) -> str:
    return f"{rho} divides {s}" if s % rho == 0 else f"{rho} DOES NOT DIVIDE {s}"


def _skip(facts: dict[str, Any]) -> tuple[str, Detail]:
    mode, extent = facts["mode"], text_of(facts["extent"])
    return f"mode {mode} ({_mode(facts)}): drop, the stride passes all {extent}; {facts['step']} is left of it", []


def _take(facts: dict[str, Any]) -> tuple[str, Detail]:
    digits, step = facts["digits"], facts["step"]
    if digits == 1:
        return f"mode {facts['mode']} ({_mode(facts)}): one digit, nothing to keep", []
    apart = f", {step} apart" if step != 1 else ""
    kept = f"{text_of(digits)}:{_step(step, facts['stride'])}"
    return f"mode {facts['mode']} ({_mode(facts)}): keep {text_of(digits)} digits{apart}: {kept}", []


def _mode(facts: dict[str, Any]) -> str:
    return f"{text_of(facts['extent'])}:{text_of(facts['stride'])}"


def _step(step: Any, stride: Any) -> str:
    return text_of(step * stride)


def _digits(facts: dict[str, Any]) -> tuple[str, Detail]:
    reach, extent = facts["reach"], facts["extent"]
    verdict = "no carry" if reach < extent else "THEY CARRY INTO THE NEXT MODE"
    sign = "<" if reach < extent else ">="
    return f"(12) mode {facts['mode']}: the digits of all leaves reach {reach} {sign} {extent}, {verdict}", []


def _divide(facts: dict[str, Any]) -> tuple[str, Detail]:
    result = f" = {facts['result']}" if "result" in facts else ""
    return f"divide A = {facts['left']} by B = {facts['right']}: A o (B, B*){result}", []


def _complement(facts: dict[str, Any]) -> tuple[str, Detail]:
    return f"{facts['of']}*, block by block in the order of strides", []


def _cover(facts: dict[str, Any]) -> tuple[str, Detail]:
    return f"(B, B*) = {facts['cover']}, with B* relative to the size {text_of(facts['size'])} of A", []


def _product(facts: dict[str, Any]) -> tuple[str, Detail]:
    result = f" = {facts['result']}" if "result" in facts else ""
    return f"multiply A = {facts['left']} by B = {facts['right']}: (A, A* o B){result}", []


def _free(facts: dict[str, Any]) -> tuple[str, Detail]:
    return f"A* = {facts['free']}", []


def _gap(facts: dict[str, Any]) -> tuple[str, Detail]:
    s, d, current, gap = (facts[key] for key in ("extent", "stride", "current", "gap"))
    lead = f"mode {text_of(s)}:{text_of(d)}: {d}/{current} = {gap}"
    if "weight" in facts:
        kept = f"the mode before it becomes {gap} long" if gap != 1 else "nothing is left out below it"
        return f"{lead}, {kept}; its index weight is {facts['weight']}", []
    kept = f"free below it {gap}:{current}" if gap != 1 else "no place is free below it"
    return f"{lead}, {kept}; the block ends at {facts['next']}", []


def _tail(facts: dict[str, Any]) -> tuple[str, Detail]:
    current, limit = facts["current"], facts["limit"]
    if limit is None:
        return f"1:{current} goes on behind the last block", []
    return f"behind the last block ceil({limit}/{current}) = {facts['extent']}: {facts['extent']}:{current}", []


def _chain(facts: dict[str, Any]) -> tuple[str, Detail]:
    s, d, weight, current = (text_of(facts[key]) for key in ("extent", "stride", "weight", "current"))
    if facts["taken"]:
        return f"mode {s}:{d} continues the chain at {current}: keep {s}:{weight}, its index weight", []
    return f"mode {s}:{d} does not continue the chain at {current}: leave it out", []


def _words(facts: dict[str, Any]) -> tuple[str, Detail]:
    return facts["words"], []


_SAY: dict[str, Callable[[dict[str, Any]], tuple[str, Detail]]] = {
    "call": _call,
    "composition": _composition,
    "leaf": _leaf,
    "skip": _skip,
    "take": _take,
    "digits": _digits,
    "divide": _divide,
    "complement": _complement,
    "cover": _cover,
    "product": _product,
    "free": _free,
    "gap": _gap,
    "tail": _tail,
    "chain": _chain,
    **ACCESSES,
    **EQUATIONS,
    **HARDWARE,
    "words": _words,
}


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


# -- operations that are one rule, and record nothing -----------------------------------------------------------


def simple_steps(name: str, arguments: Sequence[Any], result: Any) -> list[Step]:
    """Steps for coalesce and for the value at a coordinate."""
    steps: Iterator[str] = iter(())
    if name == "coalesce" and len(arguments) == 1 and isinstance(arguments[0], Layout):
        steps = _coalesced(arguments[0])
    elif name == "at" and isinstance(arguments[0], Layout) and not isinstance(result, Layout):
        steps = _evaluated(arguments[0], arguments[1])
    return [Step("words", {"words": words}) for words in steps]


def _coalesced(layout: Layout) -> Iterator[str]:
    """The merge rule at each neighbour (paper 3.1): s0:d0, s1:d1 merge where d1 = s0*d0."""
    shape, stride = layout.flat()
    for i, (s, d) in enumerate(zip(shape, stride, strict=True)):
        before = merged(shape[:i], stride[:i])
        if s == 1:
            yield f"1:{text_of(d)} has one element: drop"
        elif not before:
            yield f"{text_of(s)}:{text_of(d)} begins"
        else:
            s0, d0 = before[-1]
            product = f"{text_of(s0)}*{text_of(d0)} = {text_of(s0 * d0)}"
            if continues(s0, d0, d):
                yield f"{text_of(s)}:{text_of(d)} continues it, {product}: merge to {text_of(s0 * s)}:{text_of(d0)}"
            else:
                yield f"{text_of(s)}:{text_of(d)} does not continue it, {product} is not {text_of(d)}: keep"


def _evaluated(layout: Layout, coordinate: Any) -> Iterator[str]:
    """The natural coordinate and its inner product with the strides (paper, equations 1 and 3)."""
    if not _fixed(coordinate):
        return
    at = natural(coordinate, layout.shape)
    if at != coordinate:
        yield f"coordinate {text_of(coordinate)} is {format_htuple(at)} in the shape {format_htuple(layout.shape)}"
    terms = " + ".join(f"{text_of(c)}*{text_of(d)}" for c, d in zip(flatten(at), layout.flat()[1], strict=True))
    yield f"{terms} = {text_of(layout.element(coordinate))}"


def _fixed(coordinate: Any) -> bool:
    return all(type(c) is int for c in flatten(coordinate))
