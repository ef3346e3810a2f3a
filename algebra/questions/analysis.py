"""Everything an analyst asks of one layout: size, image, gaps, aliasing, contiguity, permutation - each bounded."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import gcd, prod
from typing import Any

from ..base.effort import VALUES
from ..base.errors import LayoutError
from ..base.record import Record
from ..operations.image import compact, coshape, cosize, injective, surjective
from ..operations.inverse import right_inverse
from ..operations.vector import max_alignment
from ..values.coalesce import coalesce
from ..values.htuple import HTuple, flatten, unflatten
from ..values.layout import Layout
from ..values.lifting import Lifted, lift
from ..values.shape import coordinates, natural
from .permutation import Permutation, permutation_of

SHOW = 16
"""How many gaps and shared values are named."""


class Image(Record):
    """How many different values there are, and the least and the greatest (per axis for coordinates)."""

    count: int
    least: HTuple
    greatest: HTuple


class Gaps(Record):
    """Places between the least and the greatest value that are no values: how many, and the first stretches.

    A stretch is (first, last) for integers, (coordinate, coordinate) for coordinates.
    """

    count: int
    first: tuple[tuple[HTuple, HTuple], ...]


class Aliasing(Record):
    """Values that several coordinates have: how many values, how many coordinates the commonest has, the first ones."""

    count: int
    most: int
    first: tuple[tuple[HTuple, tuple[HTuple, ...]], ...]


class ModeProfile(Record):
    """One mode: its coalesced form, how many neighbours are contiguous, and whether it stands still somewhere."""

    mode: int
    size: Any
    coalesced: str
    contiguous: Any
    broadcast: bool


class ThreadProfile(Record):
    """A layout of rank 2 read as thread-value: how a thread's values lie, how neighbouring threads lie.

    ``vector`` is how many values a thread has in a row, ``lanes`` how many threads in a row have neighbouring first
    values.
    """

    threads: Any
    values: Any
    per_thread: str
    vector: Any
    across: str
    lanes: Any


class Analysis(Record):
    """The answers of `analyse`; None where a question was not answered, ``notes`` says why."""

    layout: str
    semimodule: str
    shape: HTuple
    rank: int
    depth: int
    size: Any
    coalesced: str
    cosize: Any
    coshape: HTuple
    injective: bool | None
    surjective: bool | None
    compact: bool | None
    image: Image | None
    gaps: Gaps | None
    aliasing: Aliasing | None
    footprint: Any
    density: float | None
    contiguous: Any
    """How many indices in a row, from 0 and in every further run, have values in a row."""
    longest_run: Any
    """The greatest K such that 0..K-1 are values, found from the strides: the size of the right inverse."""
    alignment: Any
    modes: tuple[ModeProfile, ...]
    threads: ThreadProfile | None
    permutation: Permutation | None
    notes: tuple[str, ...]


def analyse(layout: Lifted, limit: int = VALUES) -> Analysis:
    """The properties of a layout, swizzled layout or tensor.

    Strides answer where they decide, at most ``limit`` values elsewhere; what neither answers is None, and noted.

    >>> report = analyse(Layout((4, 8), (1, 5)))
    >>> report.injective, report.gaps.first[:2], report.contiguous, report.longest_run
    (True, ((4, 4), (9, 9)), 4, 4)
    >>> analyse(Layout((2, 2), (2, 1))).permutation.order
    2
    """
    inner, plain = _inner(layout), isinstance(layout, Layout)
    known = type(layout.size) is int and layout.size <= limit
    values = layout.values() if known else None
    notes = [] if known else [f"values: {layout.size} of them, more than the limit {limit}"]
    return Analysis(
        layout=str(layout),
        semimodule=inner.semimodule,
        shape=layout.shape,
        rank=layout.rank,
        depth=inner.depth,
        size=layout.size,
        coalesced=str(lift(coalesce)(layout)),
        contiguous=_contiguous(inner) if plain else _contiguous_values(values),
        modes=_modes(inner, None if plain else values),
        threads=_threads(inner, None if plain else values) if inner.rank == 2 and (plain or known) else None,
        **_asked(layout, inner, notes),
        **_seen(values, layout.shape, limit),
        notes=tuple(notes),
    )


def _asked(layout: Lifted, inner: Layout, notes: list[str]) -> dict[str, Any]:
    """The answers of the questions about an image; a refusal is noted."""
    questions: dict[str, tuple[Callable[..., Any], Any]] = {
        "cosize": (cosize, layout),
        "coshape": (coshape, layout),
        "injective": (injective, layout),
        "surjective": (surjective, layout),
        "compact": (compact, layout),
    }
    if isinstance(layout, Layout):
        questions["longest_run"] = (lambda x: right_inverse(x).size), inner
        if inner.semimodule != "Z^P":
            questions["alignment"] = max_alignment, inner
    answers: dict[str, Any] = {"longest_run": None, "alignment": None}
    for question, (answer, about) in questions.items():
        try:
            answers[question] = answer(about)
        except LayoutError as error:
            answers[question] = None
            notes.append(f"{question.replace('_', ' ')}: {error}")
    return answers


def _seen(values: list[Any] | None, shape: HTuple, limit: int) -> dict[str, Any]:
    """What the values themselves say, if they were listed."""
    if values is None:
        return dict.fromkeys(("image", "gaps", "aliasing", "footprint", "density", "permutation"))
    image = _image(values)
    footprint = prod(_extents(image))
    return {
        "image": image,
        "gaps": _gaps(values, image, limit),
        "aliasing": _aliasing(values, shape),
        "footprint": footprint,
        "density": round(image.count / footprint, 6) if footprint else None,
        "permutation": permutation_of(values) if _integers(values) else None,
    }


def _inner(layout: Lifted) -> Layout:
    """The layout inside swizzles and offsets."""
    if isinstance(layout, Layout):
        return layout
    return Layout((), ()) if layout.layout is None else _inner(layout.layout)


def _integers(values: list[Any]) -> bool:
    return type(values[0]) is int


def _image(values: list[Any]) -> Image:
    different = set(values)
    if _integers(values):
        return Image(len(different), min(different), max(different))
    columns = list(zip(*map(flatten, different), strict=True))
    least, greatest = map(min, columns), map(max, columns)
    return Image(len(different), unflatten(least, values[0]), unflatten(greatest, values[0]))


def _extents(image: Image) -> tuple[int, ...]:
    """How far the values reach, axis by axis."""
    return tuple(g - s + 1 for s, g in zip(flatten(image.least), flatten(image.greatest), strict=True))


def _gaps(values: list[Any], image: Image, limit: int) -> Gaps:
    footprint = prod(_extents(image))
    missing = footprint - image.count
    if not missing:
        return Gaps(0, ())
    first: list[tuple[HTuple, HTuple]] = []
    if _integers(values):
        taken = sorted(set(values))
        for below, above in pairwise(taken):
            if above - below > 1 and len(first) < SHOW:
                first.append((below + 1, above - 1))
    elif footprint <= limit:
        different = set(values)
        for c in coordinates(_extents(image)):
            place = unflatten((s + k for s, k in zip(flatten(image.least), flatten(c), strict=True)), image.least)
            if place not in different:
                first.append((place, place))
                if len(first) == SHOW:
                    break
    return Gaps(missing, tuple(first))


def _aliasing(values: list[Any], shape: HTuple) -> Aliasing:
    owners: dict[Any, list[int]] = {}
    for i, value in enumerate(values):
        owners.setdefault(value, []).append(i)
    shared = [(value, indices) for value, indices in owners.items() if len(indices) > 1]
    named = tuple((value, tuple(natural(i, shape) for i in indices[:SHOW])) for value, indices in shared[:SHOW])
    return Aliasing(len(shared), max(map(len, owners.values())), named)


def _contiguous(layout: Layout) -> Any:
    """The extent of a first mode of stride 1 when coalesced; 1 without one."""
    shape, stride = coalesce(layout).flat()
    unit = bool(stride) and (stride[0] == 1 or getattr(stride[0], "value", 0) == 1)
    return shape[0] if unit else 1


def _contiguous_values(values: list[Any] | None) -> int | None:
    """The greatest divisor K of the size such that every run of K indices has values in a row."""
    if values is None or not _integers(values):
        return None
    run = 1
    while run < len(values) and values[run] == values[0] + run:
        run += 1
    divisors = (k for k in range(run, 1, -1) if len(values) % k == 0)
    return next((k for k in divisors if all(v == values[i - i % k] + i % k for i, v in enumerate(values))), 1)


def _threads(layout: Layout, values: list[Any] | None) -> ThreadProfile:
    """``values`` are those of a layout that is no plain one: they decide, not the strides inside a swizzle."""
    threads, held = layout.modes()
    vector, lanes = _contiguous(held), _contiguous(threads)
    if values is not None:
        vector = _along(values, threads.size, held.size)
        lanes = _contiguous_values(values[: threads.size])
    return ThreadProfile(threads.size, held.size, str(coalesce(held)), vector, str(coalesce(threads)), lanes)


def _modes(layout: Layout, values: list[Any] | None) -> tuple[ModeProfile, ...]:
    profiles, before = [], 1
    for index, mode in enumerate(layout.modes()):
        stands = any(d == 0 and s != 1 for s, d in zip(*mode.flat(), strict=True))
        contiguous = _contiguous(mode) if values is None else _along(values, before, mode.size)
        profiles.append(ModeProfile(index, mode.size, str(coalesce(mode)), contiguous, stands))
        before = before * mode.size
    return tuple(profiles)


def _along(values: list[Any], before: int, extent: int) -> int:
    """How many neighbours along a mode are contiguous wherever one looks: every line of values along it counts."""
    block = before * extent
    runs = (
        _contiguous_values(values[start + offset : start + block : before]) or 1
        for start in range(0, len(values), block)
        for offset in range(before)
    )
    return gcd(*runs)
