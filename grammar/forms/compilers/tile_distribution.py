"""Composable Kernel: ``tile_distribution_encoding<..>``, which partitions hold which elements of a tile.

Each dimension of the tile is cut into digits, the slowest first, and R are digits of replicas. The partitions P (warp,
lane) and the dimensions Y of a thread's buffer are digits merged, the last one fastest. We give (T,V) to coordinates,
T = lane + lanes*warp, V the place in the buffer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeVar

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.coalesce import merged, unwrap
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate

from ..reading.form import Form
from ..reading.reading import RANK_LIMIT, Reading, argument_error, bad, limit, needs
from ..reading.tokens import Tokens

_Item = TypeVar("_Item")

_NAME = "tile_distribution_encoding"
_HEAD = re.compile(
    r"\s*+(?:(?:using|constexpr|const|static|auto|typename)\s++|\w++\s*+=\s*+)*+"
    r"(?:(?:ck_tile::)?make_static_tile_distribution\s*+\(\s*+)?(?:typename\s++)?(?:ck_tile::)?" + _NAME + r"\s*+<"
)
_TAIL = re.compile(r"\s*+(?:\{\s*+\}|\(\s*+\))?\s*+\)?\s*+;?\s*+")
_LARGEST = 1 << 40

Digit = tuple[int, int]
"""Major (0: R, k + 1: dimension k) and minor."""


class Encoding(Record):
    """Digits of replicas and dimensions, and which of them make the partitions and the buffer."""

    replicas: tuple[int, ...]
    dims: tuple[tuple[int, ...], ...]
    partitions: tuple[tuple[Digit, ...], ...]
    buffer: tuple[Digit, ...]

    def count(self, digits: Sequence[Digit]) -> int:
        """How many values some digits have together."""
        return prod(self._leaf(*d)[0] for d in digits)

    def layout(self) -> Layout:
        """(T,V) to coordinates."""
        threads = [d for partition in reversed(self.partitions) for d in reversed(partition)]
        modes = [self._mode(threads), self._mode(self.buffer[::-1])]
        return Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes))

    def _mode(self, digits: Sequence[Digit]) -> Layout:
        """A mode of digits from the fastest on."""
        leaves = [self._leaf(*digit) for digit in digits]
        return unwrap(merged(tuple(n for n, _ in leaves), tuple(d for _, d in leaves)))

    def _leaf(self, major: int, minor: int) -> tuple[int, Any]:
        if major == 0:
            return self.replicas[minor], 0
        digits = self.dims[major - 1]
        return digits[minor], Coordinate.of((((major - 1,), prod(digits[minor + 1 :])),))


def recognise(text: str) -> bool:
    """Does an encoding begin here?"""
    return _HEAD.match(text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """One encoding, bare or in the call that makes a distribution of it."""
    head = _HEAD.match(text)
    if head is None:
        raise bad(text, 0, len(text), f"{_NAME}<..> is expected")
    parser = _Parser(text, head.end())
    encoding = parser.encoding()
    if not _TAIL.fullmatch(text, parser.end):
        raise bad(text, parser.end, len(text), "this belongs to no encoding")
    value = encoding.layout()
    note = "(T,V) to coordinates"
    if len(encoding.partitions) == 2:
        note += f", T = lane + {encoding.count(encoding.partitions[1])}*warp"
    facts = {
        "direction": "(thread, value) -> coordinate",
        "shape": [prod(digits) for digits in encoding.dims],
        "lost": "which digits make which dimension of the buffer",
    }
    return Reading("ck", str(value), (note,), facts=facts, value=value, source=text)


class _Parser(Tokens):
    """Reads the template arguments; every digit belongs to one partition or to the buffer."""

    def encoding(self) -> Encoding:
        replicas = self._sequence()
        dims = self._next(self._tuple)
        majors, minors = self._next(self._tuple), self._next(self._tuple)
        major, minor = self._next(self._sequence), self._next(self._sequence)
        self.expect(">")
        partitions = self._paired(majors, minors, lambda a, b: self._paired(a, b, lambda x, y: (x, y)))
        found = Encoding(replicas, dims, partitions, self._paired(major, minor, lambda x, y: (x, y)))
        self._check(found)
        return found

    def _next(self, item: Callable[[], _Item]) -> _Item:
        self.expect(",")
        return item()

    def _paired(self, a: Sequence[Any], b: Sequence[Any], pair: Callable[[Any, Any], _Item]) -> tuple[_Item, ...]:
        if len(a) != len(b):
            raise bad(self.text, 0, self.end, f"{len(a)} majors and {len(b)} minors", "their numbers differ")
        return tuple(pair(x, y) for x, y in zip(a, b, strict=True))

    def _tuple(self) -> tuple[tuple[int, ...], ...]:
        return self._list("tuple", self._sequence)

    def _sequence(self) -> tuple[int, ...]:
        return self._list("sequence", self._number)

    def _list(self, name: str, item: Callable[[], _Item]) -> tuple[_Item, ...]:
        """``name<item, ..>``."""
        if self.token.kind != "name" or self.token.text.rpartition("::")[2] != name:
            raise self.unexpected(f"{name}<..> is expected")
        self.take()
        opened = self.expect("<")
        found: list[_Item] = []
        while not self.at(">"):
            found.append(item())
            if len(found) > RANK_LIMIT:
                raise limit(self.text, opened.start, self.end, f"more than {RANK_LIMIT} entries")
            if not self.accept(","):
                break
        self.expect(">", opened)
        return tuple(found)

    def _number(self) -> int:
        token = self.token
        if token.kind == "name":
            raise needs(self.text, f"{token.text} is a name: the digits are numbers")
        if token.kind != "integer" or int(token.text.lstrip("_").rstrip("uUlL")) > _LARGEST:
            raise self.unexpected("an integer is expected")
        return int(self.take().text.lstrip("_").rstrip("uUlL"))

    def _check(self, found: Encoding) -> None:
        lengths = (found.replicas, *found.dims)
        if any(n < 1 for digits in lengths for n in digits):
            raise bad(self.text, 0, self.end, "a digit has a length of at least 1")
        taken = [d for digits in (*found.partitions, found.buffer) for d in digits]
        for major, minor in taken:
            if major >= len(lengths) or minor >= len(lengths[major]):
                raise argument_error(self.text, 0, self.end, f"there is no digit {minor} of {_place(major)}")
        if any(major == 0 for major, _ in found.buffer):
            raise argument_error(self.text, 0, self.end, "a replica belongs to a partition, not to the buffer")
        for major, digits in enumerate(lengths):
            for minor in range(len(digits)):
                if (count := taken.count((major, minor))) != 1:
                    what = f"digit {minor} of {_place(major)} belongs to {count} of the partitions and the buffer"
                    raise argument_error(self.text, 0, self.end, what)


def _place(major: int) -> str:
    return f"dimension {major - 1}" if major else "R"


FORM = Form(
    name="ck",
    title="Composable Kernel's tile distributions",
    example="tile_distribution_encoding<sequence<>, tuple<sequence<4, 8>, sequence<8, 4>>, "
    "tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<0>, sequence<1, 0>>, sequence<2>, sequence<1>>",
    aliases=("ck-tile", "composable-kernel"),
    lost="which digits make which dimension of the buffer",
    marks=(_NAME,),
    recognise=recognise,
    order=25,
    read=read,
    surplus=(
        "tile_distribution_encoding<sequence<>, tuple<sequence<4, 8>>, tuple<sequence<1>>, tuple<sequence<0>>, "
        "sequence<1>, sequence<1>, sequence<3>>",
        "tile_distribution_encoding<sequence<>, tuple<sequence<4, 8>>, tuple<sequence<1>>, tuple<sequence<0>>, "
        "sequence<1, 1>, sequence<1, 1>>",
        "tile_distribution_encoding<sequence<>, tuple<sequence<4, 8>>, tuple<sequence<1>>, tuple<sequence<0>>, "
        "sequence<1>, sequence<1>>{} colour",
    ),
)
