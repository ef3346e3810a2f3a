"""What a LinearLayout prints: one line a basis, ``- register=1 -> (0, 1)``, then the output dimensions."""

from __future__ import annotations

import re

from ..reading.attributes import Attribute
from ..reading.reading import RANK_LIMIT, argument_error, bad
from ..reading.signatures import Argument

_BASIS = re.compile(r"\s*+-?\s*+(?P<dim>\w++)\s*+=\s*+(?P<weight>\d{1,12})\s*+->\s*+\((?P<basis>[\d, ]*)\)\s*+")
_ONE = re.compile(r"\s*+-?\s*+(?P<dim>\w++) is a size 1 dimension\s*+")
_OUT = re.compile(r"\s*+where out dims are:\s*+\[(?P<dims>[^\]]*)\]\s*+")
_SIZE = re.compile(r"(?P<name>\w++) \(size (?P<n>\d{1,12})\)")

_HARDWARE = ("register", "lane", "warp", "block")
_MEMORY = ("offset", "block")


def recognise(text: str) -> bool:
    """Is a basis printed, and what the outputs are?"""
    lines = text.splitlines()
    return any(map(_BASIS.fullmatch, lines)) and any(map(_OUT.fullmatch, lines))


class _Lines:
    """The lines of a print, sorted: bases by their dimension, and the line of the outputs with its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.bases: dict[str, list[Argument]] = {}
        self.out: tuple[int, re.Match[str]] | None = None
        start = 0
        for line in text.splitlines(keepends=True):
            self._put(start, line.rstrip("\r\n"))
            start += len(line)

    def _put(self, start: int, line: str) -> None:
        if found := _BASIS.fullmatch(line):
            known = self.bases.setdefault(found["dim"], [])
            place = start + found.start("dim"), start + len(line)
            if int(found["weight"]) != 1 << len(known):
                raise bad(self.text, *place, f"the basis of {found['dim']}={1 << len(known)} is expected")
            known.append(Argument("", [int(n) for n in re.findall(r"\d{1,12}", found["basis"])], *place))
        elif found := _ONE.fullmatch(line):
            self.bases.setdefault(found["dim"], [])
        elif (found := _OUT.fullmatch(line)) and self.out is None:
            self.out = start, found
        elif line.strip():
            raise bad(self.text, start, start + len(line), "this is no line of a printed linear layout")


def encoding_of(text: str) -> tuple[Attribute, tuple[int, ...]]:
    """The encoding that is printed, and the shape of its tensor; every line of it counts."""
    lines = _Lines(text)
    assert lines.out is not None
    sizes = _sizes(text, *lines.out)
    names = sorted(sizes, key=lambda name: (len(name), name))
    known = _MEMORY if "offset" in lines.bases else _HARDWARE
    fields = []
    for dim, bases in lines.bases.items():
        first = bases[0] if bases else Argument("", None, 0, len(text))
        if dim not in known:
            raise argument_error(text, first.start, first.end, f"{dim} is not one of {', '.join(known)}")
        fields.append(Argument(dim, [_ordered(text, b, sizes, names) for b in bases], first.start, first.end))
    kind = "ttg.shared_linear" if known is _MEMORY else "ttg.linear"
    return Attribute(kind, 0, len(text), tuple(fields)), tuple(sizes[n] for n in names)


def _sizes(text: str, start: int, out: re.Match[str]) -> dict[str, int]:
    """The output dimensions with their sizes, in the order in which the bases name them."""
    parts = [part.strip() for part in out["dims"].split(",")]
    found = [_SIZE.fullmatch(part) for part in parts]
    sizes = {m["name"]: int(m["n"]) for m in found if m is not None}
    if len(sizes) < len(parts) or len(sizes) > RANK_LIMIT:
        place = start + out.start("dims"), start + out.end("dims")
        raise bad(text, *place, "output dimensions with their sizes are expected", "dim0 (size 16)")
    return sizes


def _ordered(text: str, basis: Argument, sizes: dict[str, int], names: list[str]) -> list[int]:
    """The coordinates of a basis in the order dim0, dim1, .."""
    if len(basis.value) != len(sizes):
        raise bad(text, basis.start, basis.end, f"{len(sizes)} coordinates are expected")
    by_name = dict(zip(sizes, basis.value, strict=True))
    return [by_name[name] for name in names]
