"""What is known of one layout, as rows of (label, text) and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.categories.tractable import is_tractable
from laycalc.algebra.questions.analysis import Analysis
from laycalc.algebra.questions.permutation import Permutation
from laycalc.algebra.symbolic.values import is_symbolic
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout


def analysis_rows(found: Analysis, *, tractable: bool | None = None) -> Iterator[tuple[str, str]]:
    """The report of ``laycalc info``, one (label, text) a line; what does not apply is left out."""
    yield "layout", found.layout
    yield "strides over", {"Z": "integers", "Z^P": "coordinates", "F2": "XOR"}.get(found.semimodule, found.semimodule)
    yield "rank, depth", f"{found.rank}, {found.depth}"
    yield "size", _text(found.size)
    yield "coalesced", found.coalesced
    yield "cosize", _text(found.cosize)
    if found.image is not None:
        yield "image", f"{found.image.count} values, {_text(found.image.least)} to {_text(found.image.greatest)}"
    for label, truth in (
        ("injective", found.injective),
        ("surjective", found.surjective),
        ("compact", found.compact),
        ("tractable", tractable),
    ):
        if truth is not None:
            yield label, "yes" if truth else "no"
    yield from _places(found)
    if found.contiguous is not None:
        run = "" if found.longest_run is None else f"; values 0 to {_text(found.longest_run - 1)} all occur"
        yield "contiguous", f"{_text(found.contiguous)} in a row{run if type(found.longest_run) is int else ''}"
    if found.alignment is not None:
        yield "alignment", _text(found.alignment)
    for mode in found.modes:
        still = ", broadcast" if mode.broadcast else ""
        yield f"mode {mode.mode}", f"{mode.coalesced}, {_text(mode.contiguous)} contiguous{still}"
    if found.threads is not None:
        threads = found.threads
        yield (
            "as thread-value",
            (
                f"{_text(threads.threads)} threads of {_text(threads.values)} values {threads.per_thread},"
                f" vectors of {_text(threads.vector)}; across lanes {threads.across}"
            ),
        )
    if found.permutation is not None:
        yield "permutation", _cycles(found.permutation)
    for note in found.notes:
        yield "note", note


def _cycles(found: Permutation) -> str:
    """Order, parity, the lengths of the cycles, and the first ones."""
    lengths = ", ".join(f"{count} of {length}" if length > 1 else f"{count} fixed" for length, count in found.cycles)
    first = "".join(f"({' '.join(map(str, cycle))})" for cycle in found.first)
    return f"order {found.order}, {'even' if found.even else 'odd'}; cycles: {lengths}; {first or 'the identity'}"


def _places(found: Analysis) -> Iterator[tuple[str, str]]:
    if found.gaps is not None:
        stretches = ", ".join(
            _text(first) if first == last else f"{_text(first)}..{_text(last)}" for first, last in found.gaps.first
        )
        yield "gaps", f"{found.gaps.count}: {stretches}" if found.gaps.count else "none"
    if found.aliasing is not None and found.aliasing.count:
        value, owners = found.aliasing.first[0]
        yield (
            "aliasing",
            (
                f"{found.aliasing.count} values at several coordinates, up to {found.aliasing.most};"
                f" {_text(value)} at {', '.join(map(_text, owners[:4]))}"
            ),
        )
    if found.footprint is not None:
        share = "" if found.density is None else f", {found.density:.1%} used"
        yield "footprint", f"{_text(found.footprint)}{share}"


def analysis_lines(found: Analysis, tractable: bool | None) -> Iterator[str]:
    """The rows as lines."""
    for label, text in analysis_rows(found, tractable=tractable):
        yield f"{label:<16}{text}"


def tractable_of(value: Any) -> bool | None:
    """Is a layout that of a morphism? None for what has no strides over the integers."""
    if not isinstance(value, Layout) or value.semimodule != "Z" or is_symbolic(value):
        return None
    # A diagram has no arrows that run back.
    return min(value.flat()[1], default=0) >= 0 and is_tractable(value)


def analysis_object(found: Analysis) -> dict[str, Any]:
    """The same as plain data."""
    data = _plain(found)
    return {key: value for key, value in data.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return {name: _plain(getattr(value, name)) for name in value.fields}
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    return str(value)


def _text(value: Any) -> str:
    return "unknown" if value is None else format_htuple(value)
