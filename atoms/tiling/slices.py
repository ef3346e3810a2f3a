"""One thread of a tiled MMA or copy, ``mma.get_slice(i)``: what `partition` needs to know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.record import Record
from laycalc.algebra.base.words import word

from ..instructions.refusal import argument

if TYPE_CHECKING:
    from .copy_tiling import TiledCopy
    from .mma_tiling import TiledMMA

__all__ = ["ThreadSlice", "get_slice"]


class ThreadSlice(Record):
    """A tiled MMA or copy and the number of a thread; make one with `get_slice`."""

    tiled: TiledMMA | TiledCopy
    thread: int

    def __str__(self) -> str:
        return f"get_slice({self.tiled}, {self.thread})"


@word("""
    atoms: get_slice(tiled: tiled-whole, thread: integer)
    one thread of a tiled MMA or copy, to be given to partition
    get_slice(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), 5)
""")
def get_slice(tiled: TiledMMA | TiledCopy, thread: int) -> ThreadSlice:
    """The thread of a number; LC103 if there is none."""
    if not 0 <= thread < tiled.threads:
        raise argument(
            "get_slice", "thread {thread} does not take part in {tiled}", thread=thread, tiled=str(tiled)
        )  # fmt: skip
    return ThreadSlice(tiled, thread)
