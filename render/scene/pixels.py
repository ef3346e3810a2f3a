"""A raster as an indexed PNG, written with zlib alone: one pixel for each cell."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def png_of(rows: int, columns: int, levels: bytes, colours: Sequence[tuple[int, int, int]]) -> bytes:
    """An indexed PNG of the numbers of its ``colours``."""
    data = b"".join(b"\0" + levels[i * columns : (i + 1) * columns] for i in range(rows))
    palette = b"".join(map(bytes, colours))
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", palette)
        + _chunk(b"IDAT", zlib.compress(data, 6))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
