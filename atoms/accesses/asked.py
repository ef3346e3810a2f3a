"""What is asked of a layout in shared memory: accesses by their words, what each costs, and what would help all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument
from ..memory.machines import DEFAULT, Machine, machine
from ..memory.pattern import ORDERS, Engine, Pattern
from ..memory.patterns import Survey, bank_survey
from .access_words import read_pattern
from .engine_fit import Fit, engine_fit
from .fixes import Suggestion
from .unknown import Sampled, sampled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Asked", "ask"]

Spoken = tuple[str, "Pattern | Engine"]
"""An access by its words and as a pattern."""


class Asked(Record):
    """The answer: for each access its words, its pattern and what it costs; for each engine whether the layout fits.

    ``named`` says that the machine was asked for by name, ``unknown`` at which numbers an unknown tile was counted.
    """

    layout: Any
    machine: Machine
    named: bool
    counted: tuple[tuple[str, Pattern, Survey], ...]
    engines: tuple[tuple[str, Fit], ...]
    fix: Suggestion | None
    unknown: Sampled | None = None

    @property
    def free(self) -> bool:
        """No access conflicts, and every engine can use the layout."""
        return all(survey.free for _, _, survey in self.counted) and all(fit.fits for _, fit in self.engines)

    @property
    def survey(self) -> Survey:
        """All instructions of all accesses."""
        return Survey(tuple(report for _, _, survey in self.counted for report in survey.reports))


def ask(
    layout: Any,
    texts: Sequence[str],
    bits: int,
    options: Mapping[str, Any],
    read: Callable[[str], Any],
    arch: str = "",
    suggest: bool = False,
) -> Asked:
    """What accesses cost on a layout; ``options`` (vector, threads, store) hold where a text does not say them itself.

    ``read`` makes a value of an expression. LC103 for words that are no access, an option that no access takes, and
    what a machine lacks.
    """
    spoken = _spoken(texts, bits, options, read, arch or DEFAULT)
    unknown = sampled(layout, [p for _, p in spoken if isinstance(p, Pattern)])
    layout = layout if unknown is None else unknown.layout
    counted = tuple((t, p, bank_survey(layout, p)) for t, p in spoken if isinstance(p, Pattern))
    engines = tuple((t, engine_fit(layout, e, bits)) for t, e in spoken if isinstance(e, Engine))
    fix = _fix(layout, spoken, bits) if suggest and counted else None
    return Asked(layout, machine(arch or DEFAULT), bool(arch), counted, engines, fix, unknown)


def _fix(layout: Any, spoken: Sequence[Spoken], bits: int) -> Suggestion:
    """What frees the accesses, or helps most, and meets what the engines ask."""
    from .swizzle_search import suggest

    engines = [engine for _, engine in spoken if isinstance(engine, Engine)]
    patterns = [pattern for _, pattern in spoken if isinstance(pattern, Pattern)]
    return suggest(layout, patterns, lambda made: all(engine_fit(made, e, bits).fits for e in engines))


def _spoken(
    texts: Sequence[str], bits: int, options: Mapping[str, Any], read: Callable[[str], Any], arch: str
) -> list[Spoken]:
    """The accesses by their words, each with the options that it does not say itself."""
    found: list[Spoken] = []
    unused = set(options)
    for text in texts:
        if text in ORDERS:
            found.append((text, Pattern(bits, lanes=text, arch=arch, **options)))
            unused.clear()
            continue
        pattern = read_pattern(text, bits, read, arch, options)
        found.append((text, pattern))
        unused -= {name for name in unused if _without(text, bits, read, arch, options, name) != pattern}
    if unused:
        template = "the option {name} changes no access: each says it itself, or has none"
        raise argument("banks", template, name=min(unused))
    return found


def _without(
    text: str, bits: int, read: Callable[[str], Any], arch: str, options: Mapping[str, Any], name: str
) -> Pattern | Engine | None:
    """The access without one of the options, None if it is none then."""
    try:
        return read_pattern(text, bits, read, arch, {n: value for n, value in options.items() if n != name})
    except LayoutError:
        return None
