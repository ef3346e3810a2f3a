"""The face of pictures without a browser: DejaVu Sans, as matplotlib brings it; its widths, and a subset to embed."""

from __future__ import annotations

import struct
from functools import cache
from importlib.util import find_spec
from pathlib import Path

KEPT = (b"cvt ", b"fpgm", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"prep")
"""The tables of an embedded TrueType font."""
MISSING = "\ufffd"


def font_path(*, bold: bool = False) -> Path:
    """The file of the face; matplotlib is asked where its fonts are only if they are not in the usual place."""
    name = f"fonts/ttf/DejaVuSans{'-Bold' if bold else ''}.ttf"
    spec = find_spec("matplotlib")
    for place in (spec and spec.submodule_search_locations) or ():
        path = Path(place) / "mpl-data" / name
        if path.exists():
            return path
    from matplotlib import get_data_path

    return Path(get_data_path()) / name


@cache
def face(*, bold: bool = False) -> Face:
    """The face, read once."""
    return Face(font_path(bold=bold).read_bytes(), "DejaVuSans-Bold" if bold else "DejaVuSans")


class Face:
    """A TrueType font: glyphs by number, lengths in thousandths of the size."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.tables = {
            tag: data[start : start + length]
            for tag, _, start, length in struct.iter_unpack(">4sIII", data[12 : 12 + 16 * self._short(data, 4)])
        }
        self.units = self._short(self.tables[b"head"], 18)
        self.box = [self._scaled(v) for v in struct.unpack_from(">4h", self.tables[b"head"], 36)]
        self.ascent, self.descent = (self._scaled(v) for v in struct.unpack_from(">2h", self.tables[b"hhea"], 4))
        count = self._short(self.tables[b"maxp"], 4)
        wide = self._short(self.tables[b"head"], 50)
        self.starts = (
            struct.unpack_from(f">{count + 1}I", self.tables[b"loca"])
            if wide
            else [2 * s for s in struct.unpack_from(f">{count + 1}H", self.tables[b"loca"])]
        )
        metrics = self._short(self.tables[b"hhea"], 34)
        self.advances = struct.unpack_from(">" + "Hh" * metrics, self.tables[b"hmtx"])[::2]
        self.glyphs = self._cmap()

    @staticmethod
    def _short(data: bytes, at: int) -> int:
        return int.from_bytes(data[at : at + 2], "big")

    def _scaled(self, length: int) -> int:
        return round(length * 1000 / self.units)

    def _cmap(self) -> dict[int, int]:
        """Unicode to glyph, from the table of segments (format 4) that every font of this kind has."""
        table = self.tables[b"cmap"]
        for _, _, start in struct.iter_unpack(">HHI", table[4 : 4 + 8 * self._short(table, 2)]):
            if self._short(table, start) == 4:
                return self._segments(table[start:])
        return {}

    def _segments(self, table: bytes) -> dict[int, int]:
        count = self._short(table, 6) // 2
        row = f">{count}H"
        ends, starts, deltas, ranges = (
            struct.unpack_from(row, table, 14 + 2 * count * k + (2 if k else 0)) for k in range(4)
        )
        found = {}
        for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
            for code in range(start, min(end, 0xFFFE) + 1):
                if ranges[k]:
                    glyph = self._short(table, 16 + 6 * count + 2 * k + ranges[k] + 2 * (code - start))
                    glyph = glyph and (glyph + deltas[k]) % 65536
                else:
                    glyph = (code + deltas[k]) % 65536
                if glyph:
                    found[code] = glyph
        return found

    def glyph(self, character: str) -> int:
        """The number of a character's glyph, or that of the sign for one that the face does not have."""
        return self.glyphs.get(ord(character)) or self.glyphs.get(ord(MISSING), 0)

    def advance(self, glyph: int) -> int:
        """The width of a glyph."""
        return self._scaled(self.advances[min(glyph, len(self.advances) - 1)])

    def subset(self, glyphs: set[int]) -> bytes:
        """A font file with these glyphs alone, under their own numbers."""
        kept = self._with_parts(glyphs)
        outlines, starts, metrics = bytearray(), [], bytearray(len(self.tables[b"hmtx"]))
        for glyph, (start, end) in enumerate(zip(self.starts, self.starts[1:], strict=False)):
            starts.append(len(outlines))
            if glyph in kept:
                outlines += self.tables[b"glyf"][start:end]
                outlines += bytes(-len(outlines) % 4)
                metrics[4 * glyph : 4 * glyph + 4] = self.tables[b"hmtx"][4 * glyph : 4 * glyph + 4]
        starts.append(len(outlines))
        head = bytearray(self.tables[b"head"])
        head[50:52] = b"\0\1"
        changed = {
            b"glyf": bytes(outlines),
            b"loca": struct.pack(f">{len(starts)}I", *starts),
            b"hmtx": bytes(metrics),
            b"head": bytes(head),
        }
        return _file({tag: (self.tables | changed)[tag] for tag in KEPT if tag in self.tables})

    def _with_parts(self, glyphs: set[int]) -> set[int]:
        """The glyphs, and those that composite ones are made of; glyph 0 belongs to every font."""
        found, open_ = set[int](), {0, *glyphs}
        while open_:
            glyph = open_.pop()
            found.add(glyph)
            outline = self.tables[b"glyf"][self.starts[glyph] : self.starts[glyph + 1]]
            if outline[:2] == b"\xff\xff":
                open_ |= set(_parts(outline)) - found
        return found


def _parts(outline: bytes) -> list[int]:
    """The glyphs of a composite one."""
    found, at, more = [], 10, True
    while more:
        flags, glyph = struct.unpack_from(">HH", outline, at)
        found.append(glyph)
        # Two bytes or four of offsets, then a scale, two of them, or a matrix.
        at += 4 + (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
        more = bool(flags & 0x20)
    return found


def _file(tables: dict[bytes, bytes]) -> bytes:
    power = len(tables).bit_length() - 1
    head = struct.pack(">IHHHH", 0x10000, len(tables), 16 << power, power, 16 * len(tables) - (16 << power))
    directory, body = b"", b""
    for tag, data in sorted(tables.items()):
        padded = data + bytes(-len(data) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) % (1 << 32)
        directory += struct.pack(">4sIII", tag, total, 12 + 16 * len(tables) + len(body), len(data))
        body += padded
    return head + directory + body
