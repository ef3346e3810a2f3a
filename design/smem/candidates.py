"""The layouts that are tried: bases, swizzles, paddings.

For a tile of R rows and C columns: row-major (R,C):(C,1), column-major (R,C):(1,R), tiles of W columns
(R,(W,C/W)):(W,(1,R*W)) and of W rows ((W,R/W),C):((1,C*W),W) with W of 16, 32, 64 and 128 bytes; each with every
Sw<B,M,S> of B <= 5, M <= 7, |S| <= 7 that maps the tile onto itself, and rows or columns 1 to 32 elements apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.atoms.memory.walks import Tile

from .passes import fault

__all__ = ["BASES", "PADDINGS", "Candidate", "base_names", "bases_of", "padded", "swizzles_of"]

BASES = ("row", "col", "ktile", "mntile")
WIDTHS = (16, 32, 64, 128)
"""Bytes of a row (or column) of a tiled base."""
BITS, BASE, SHIFT, PADDINGS = 5, 7, 7, 32


class Candidate(Record):
    """A base with a swizzle, or a padded one: ``surplus`` counts the elements that no index has."""

    plain: Layout
    swizzle: Swizzle | None = None
    surplus: int = 0

    @property
    def layout(self) -> Layout | Composed:
        """The layout itself, in elements."""
        return Composed(self.swizzle, 0, self.plain) if self.swizzle else self.plain

    @property
    def price(self) -> int:
        """What breaks the last tie: bits of the swizzle, or elements of padding."""
        return self.swizzle.bits if self.swizzle else self.surplus


def base_names(words: Sequence[str]) -> tuple[str, ...]:
    """The bases that words mean: row or row-major, col or column-major, ktile or K-tiled, mntile or MN-tiled, tiled.

    LC103 for a word that is none.

    >>> base_names(["row-major", "tiled"])
    ('row', 'ktile', 'mntile')
    """
    found: list[str] = []
    for word in words:
        short = str(word).lower().replace("-", "").removesuffix("major").removesuffix("d").removesuffix("umn")
        meant = ("ktile", "mntile") if short == "tile" else (short,)
        if strange := [name for name in meant if name not in BASES]:
            raise fault("no base is called {name}; there are {known}", name=strange[0], known=", ".join(BASES))
        found += meant
    return tuple(dict.fromkeys(found))


def bases_of(tile: Tile, bits: int, names: Sequence[str] = BASES) -> Iterator[Layout]:
    """The layouts of a tile without swizzle and padding, each function once."""
    seen = set()
    for name in names:
        for layout in _bases(name, tile, bits):
            values = tuple(layout.values())
            if values not in seen:
                seen.add(values)
                yield layout


def _bases(name: str, tile: Tile, bits: int) -> Iterator[Layout]:
    rows, columns = tile.rows, tile.columns
    if name == "row":
        yield Layout((rows, columns), (columns, 1))
    elif name == "col":
        yield Layout((rows, columns), (1, rows))
    for wide in (8 * w // bits for w in WIDTHS):
        if name == "ktile" and columns % wide == 0 and 1 < wide < columns:
            yield Layout((rows, (wide, columns // wide)), (wide, (1, rows * wide)))
        if name == "mntile" and rows % wide == 0 and 1 < wide < rows:
            yield Layout(((wide, rows // wide), columns), ((1, columns * wide), wide))


def swizzles_of(size: int) -> list[Swizzle]:
    """The swizzles that map 0..size-1 onto itself, each function once, fewest bits first."""
    top = (size - 1).bit_length()
    return [
        swizzle
        for bits in range(1, BITS + 1)
        for base in range(BASE + 1)
        for distance in range(bits, min(SHIFT, top - base - bits) + 1)
        for swizzle in (Swizzle(bits, base, distance), Swizzle(bits, base, -distance))
        if _keeps(swizzle, size)
    ]


def _keeps(swizzle: Swizzle, size: int) -> bool:
    """Whole periods are mapped onto themselves: only what is left of one may leave the tile."""
    rest = size % swizzle.period
    return max(swizzle.images(range(size - rest, size)), default=0) < size


def padded(tile: Tile, names: Sequence[str] = BASES) -> Iterator[Candidate]:
    """Row-major and column-major with 1 to 32 elements after every row or column, least first."""
    rows, columns = tile.rows, tile.columns
    for extra in range(1, PADDINGS + 1):
        if "row" in names:
            yield Candidate(Layout((rows, columns), (columns + extra, 1)), None, (rows - 1) * extra)
        if "col" in names:
            yield Candidate(Layout((rows, columns), (1, rows + extra)), None, (columns - 1) * extra)
