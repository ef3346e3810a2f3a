"""The catalogue: 3,449 hardware atoms, found by name, alias or pattern, listed without building a layout."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.words import word

from . import families
from .element_types import type_matches
from .refusal import nearest, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .record import Atom, Entry

__all__ = ["aliases", "atom", "entries", "entry", "search"]

LONGEST = 1000
"""Letters of a name; the longest C++ spelling has some 250."""


def _source(name: str) -> Any:
    return import_module(f".families.{name}", __package__)


@cache
def _sources() -> tuple[str, ...]:
    """The modules of the families, in the order of the catalogue."""
    names = (module.name for module in iter_modules(families.__path__))
    return tuple(sorted(names, key=lambda name: _source(name).FAMILY.place))


@cache
def _sought() -> tuple[str, ...]:
    """The same, in the order in which a name is looked for."""
    return tuple(sorted(_sources(), key=lambda name: _source(name).FAMILY.sought))


@cache
def _entries(source: str) -> tuple[Entry, ...]:
    return tuple(_source(source).entries())


@cache
def entries() -> tuple[Entry, ...]:
    """Every entry of the catalogue."""
    return tuple(chain.from_iterable(map(_entries, _sources())))


def aliases(entry: Entry) -> tuple[str, ...]:
    """The other names under which an entry is found: C++ spellings, names in other tools, instructions."""
    found: tuple[str, ...] = _source(entry.source).aliases(entry)
    return found


@cache
def _names(source: str) -> dict[str, Entry]:
    return {e.name.casefold(): e for e in _entries(source)}


def _named(spelling: str) -> Entry | None:
    return next((_names(source)[spelling] for source in _sought() if spelling in _names(source)), None)


@cache
def _aliases() -> dict[str, tuple[Entry, ...]]:
    """Entries by alias. Real names win, an alias may be shared."""
    found: dict[str, tuple[Entry, ...]] = {}
    for e in entries():
        folded = [_folded(alias) for alias in aliases(e)]
        for spelling in dict.fromkeys((*folded, *map(_bare, folded))):
            found[spelling] = (*found.get(spelling, ()), e)
    return found


def _folded(name: str) -> str:
    """A name as it is looked up: no blanks, no case, no namespace that CUTLASS code leaves out as often as not."""
    return name.replace("cute::", "").replace("cutlass::", "").replace(" ", "").casefold()


def _bare(folded: str) -> str:
    """``GMMA::SPARSE::GMMA_64x..`` without its namespaces."""
    return re.sub(r"^(?:\w+::)+", "", folded)


@word("""
    atoms: atom(name: string)
    a hardware instruction by name
    atom("SM80_16x8x16_F32F16F16F32_TN")
""")
def atom(name: str) -> Atom:
    """The atom of a name; case does not matter, C++ spellings, aliases and instructions are names too.

    LC102 for a name that is not in the catalogue, with the nearest ones in ``facts["suggestions"]``, and for one that
    several atoms share or that is a pattern.

    >>> str(atom("sm80_16x8x16_f32f16f16f32_tn").C)
    '((4,8),(2,2)):((32,1),(16,8))'
    """
    found = entry(name)
    made: Atom = _source(found.source).atom(found)
    return made


def entry(name: str) -> Entry:
    """The entry of a name; see `atom`."""
    if len(name) > LONGEST:
        raise refuse(
            "LC102", "unknown atom of {length} letters", op="atom", name=name, length=len(name), suggestions=[]
        )
    folded = _unwrapped(_folded(name))
    # Operations are keyed with their template arguments in C++ and without them in conversation.
    plain = folded.split("<", 1)[0] if folded.endswith(">") else folded
    for spelling in (folded, plain, _bare(folded), _bare(plain)):
        if named := _named(spelling):
            return named
        if len(shared := _aliases().get(spelling, ())) == 1:
            return shared[0]
        if shared:
            raise _ambiguous(name, shared)
    if made := _source("tcgen05").instance(folded):
        instance: Entry = made
        return instance
    if found := _by_instruction(name, folded):
        if len(found) == 1:
            return found[0]
        raise _ambiguous(name, found)
    if any(c in name for c in "*?["):
        raise _ambiguous(name, tuple(search(name)))
    raise _unknown(name)


def _by_instruction(name: str, folded: str) -> tuple[Entry, ...]:
    """The entries that are made of an instruction of AMD, or of PTX."""
    amd = tuple(e for e in entries() if e.source == "amd" and folded in e.key[5].split())
    return amd or tuple(_instructed(entries(), name))


def _unwrapped(folded: str) -> str:
    """The operation inside MMA_Atom<...>, MMA_Traits<...>, Copy_Atom<..., type>."""
    head, _, rest = folded.partition("<")
    if head not in ("mma_atom", "mma_traits", "copy_atom", "copy_traits"):
        return folded
    depth = 0
    for i, c in enumerate(rest):
        depth += (c == "<") - (c == ">")
        if (c == "," and depth == 0) or depth < 0:
            return rest[:i]
    return rest


def _ambiguous(name: str, found: tuple[Entry, ...]) -> Exception:
    if not found:
        return refuse("LC102", "no atom matches {name!r}", op="atom", what="atom", name=name, suggestions=[])
    return refuse(
        "LC102",
        "{name!r} names {count} atoms: {listed}",
        op="atom",
        what="atom",
        name=name,
        count=len(found),
        suggestions=[e.name for e in found[:8]],
        listed=", ".join(e.name for e in found[:4]) + (", ..." if len(found) > 4 else ""),
    )


def _unknown(name: str) -> Exception:
    """The nearest names: of those with the same head, else those that have every part of the name, else of all."""
    head, *parts = name.casefold().split("_")
    alike = [e.name for e in entries() if e.name.casefold().startswith(head)]
    if suggestions := nearest(name, alike):
        return unknown("atom", name, suggestions)
    if having := [e.name for e in entries() if all(part in e.name.casefold() for part in (head, *parts))]:
        return unknown("atom", name, having[:3], ranked=True)
    if suggestions := nearest(name, (e.name for e in entries())):
        return unknown("atom", name, suggestions, ranked=True)
    heads = sorted({e.name.split("_")[0] for e in entries()})
    return unknown("atom", name, [h for h in heads if h.casefold() == head] or nearest(head, heads), ranked=True)


def search(
    pattern: str | None = None,
    *,
    arch: str | None = None,
    type: str | None = None,
    shape: str | None = None,
    kind: str | None = None,
    vendor: str | None = None,
) -> list[Entry]:
    """The entries that pass every filter given, in the order of the catalogue.

    ``pattern`` is a glob over names and aliases, or a part of a name; ``arch`` SM90, sm_90a, CDNA3, gfx942; ``type`` an
    element type of any operand or a group (f8, i8, f4); ``shape`` a glob such as ``64x*x*``; ``kind`` mma or copy;
    ``vendor`` nvidia, amd or intel.

    >>> len(search("*LDSM_N", arch="SM75"))
    3
    """
    wishes = {"vendor": vendor, "kind": kind, "arch": arch, "shape": shape, "type": type}
    tests = [_FILTERS[name](wish) for name, wish in wishes.items() if wish is not None]
    found = [e for e in entries() if all(test(e) for test in tests)]
    return found if pattern is None else _matching(found, pattern) or _instructed(found, pattern)


def _of_architecture(arch: str) -> Callable[[Entry], bool]:
    wanted = _architecture(arch)
    return lambda e: wanted in map(_architecture, e.architectures)


def _of_shape(shape: str) -> Callable[[Entry], bool]:
    glob = shape.lower().replace("×", "x")
    return lambda e: e.shape is not None and fnmatchcase("{}x{}x{}".format(*e.shape), glob)


def _of_type(wanted: str) -> Callable[[Entry], bool]:
    return lambda e: e.types is not None and any(t and type_matches(wanted, t) for t in e.types)


_FILTERS: dict[str, Callable[[str], Callable[[Entry], bool]]] = {
    "vendor": lambda vendor: lambda e: e.vendor == vendor.lower(),
    "kind": lambda kind: lambda e: e.kind == kind.lower(),
    "arch": _of_architecture,
    "shape": _of_shape,
    "type": _of_type,
}
"""What each wish of a search asks of an entry."""


def _matching(found: list[Entry], pattern: str) -> list[Entry]:
    glob = _folded(pattern)
    matches: Callable[[str], bool]
    if any(c in glob for c in "*?["):
        matches = lambda name: fnmatchcase(name, glob)  # noqa: E731
    else:
        matches = lambda name: glob in name  # noqa: E731
    return [e for e in found if matches(e.name.casefold())] or [
        e for e in found if any(matches(_folded(alias)) for alias in aliases(e))
    ]


_PTX = re.compile(r"(?:mma|wgmma|tcgen05|cp|ld|st|red|wmma)\.[\w.:]+|(?:ld|st|mov)matrix[\w.:]*|m\d+n\d+k\d+")
"""Names of PTX, or the shape as they say it."""
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")


def _instructed(found: Iterable[Entry], pattern: str) -> list[Entry]:
    """The entries with an instruction of PTX, of which a beginning or the shape is enough."""
    name = pattern.casefold().rstrip(".…")
    if not _PTX.fullmatch(name):
        return []
    shape = _SHAPE.search(name)
    wanted = shape and tuple(map(int, shape.groups()))
    alike = [e for e in found if e.vendor == "nvidia" and (e.shape == wanted if wanted else e.kind == "copy")]
    if wanted and shape is not None and shape[0] == name:
        return alike
    return [e for e in alike if any(name in text for text in _source(e.source).atom(e).ptx)]


@cache
def _architecture(text: str) -> str:
    """One spelling for an architecture: sm_90a is SM90, gfx942 is CDNA3."""
    from .families.amd import TARGETS

    name = text.upper().replace("_", "")
    by_target = {target.upper(): arch for arch, target in TARGETS.items()}
    if name.startswith("GFX"):
        return next((arch for target, arch in by_target.items() if name.startswith(target.rstrip("X"))), name)
    return name.rstrip("AF") if name.startswith("SM") else name
