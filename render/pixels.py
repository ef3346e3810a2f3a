"""A raster as an indexed PNG, written with zlib alone: one pixel a cell."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .scene import Raster

__all__ = ["levels", "png_of"]


def levels(raster: Raster) -> bytes:
    """The raster as palette indices 1..255, 0 where nothing is drawn."""
    import numpy as np

    values = np.asarray(raster.values, dtype=np.int64)
    span = max(raster.high - raster.low, 1)
    scaled = 1 + (values - raster.low) * 254 // span
    return bytes(np.where(values < raster.low, 0, np.clip(scaled, 1, 255)).astype(np.uint8).tobytes())


def png_of(rows: int, columns: int, raster: Raster, colours: Sequence[tuple[int, int, int]]) -> bytes:
    """An indexed PNG; index 0 is white, 1..255 the colours from low to high."""
    indices = levels(raster)
    data = b"".join(b"\0" + indices[i * columns : (i + 1) * columns] for i in range(rows))
    palette = b"\xff\xff\xff" + b"".join(bytes(colours[k * (len(colours) - 1) // 254]) for k in range(255))
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", palette)
        + _chunk(b"IDAT", zlib.compress(data, 6))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
