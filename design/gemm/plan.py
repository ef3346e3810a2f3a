"""A plan as data: what is asked, and parts that each have sentences, statements of the language and a picture."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record

from ..mma.atoms import Types
from ..smem.passes import fault

__all__ = ["SHARED", "Gemm", "Part", "Picture", "Plan", "stages_of"]

SHARED = {
    "sm70": 96, "sm75": 64, "sm80": 163, "sm86": 99, "sm89": 99, "sm90": 227, "sm100": 227, "sm120": 99,
}  # fmt: skip
"""KiB of shared memory that a thread block can have (CUDA C++ Programming Guide, technical specifications)."""
MOST = 4
"""Stages that are taken where nothing is said, if they fit."""


class Gemm(Record):
    """What is asked: C of M x N by A of M x K and B of N x K, both K-major in global memory, for a thread block.

    ``pitch`` is the elements from one row of global memory to the next, ``stages`` how many copies of A and B are in
    flight (0: as many as fit, at most 4).
    """

    extents: tuple[int, int, int]
    types: Types
    arch: str
    threads: int
    pitch: int
    stages: int = 0

    @property
    def out_bits(self) -> int:
        """The bits of an element of C as it is stored: 16 where A has 16, else those of the accumulators."""
        return 16 if self.types.bits == 16 else self.types.bits_of_accumulator

    @property
    def stage_bytes(self) -> int:
        """The bytes of A and B in shared memory."""
        m, n, k = self.extents
        return (m + n) * k * self.types.bits // 8


class Picture(Record):
    """A picture of an expression, with the keywords of the drawing."""

    expression: str
    title: str
    wishes: tuple[tuple[str, Any], ...] = ()


class Part(Record):
    """One part of a plan: sentences for people, statements that a check runs, and a picture."""

    title: str
    told: tuple[str, ...]
    statements: tuple[str, ...]
    picture: Picture | None = None


class Plan(Record):
    """The parts of a plan, in the order in which data goes through them."""

    title: str
    parts: tuple[Part, ...]

    def layout_file(self) -> str:
        """All statements with comments, as a file for ``laycalc check``."""
        lines = [f"# {self.title}"]
        for part in self.parts:
            lines += ["", f"# {part.title}", *(f"# {line}" for line in part.told), *part.statements]
        return "\n".join(lines) + "\n"


def stages_of(gemm: Gemm) -> int:
    """The stages that are taken; LC103 if they do not fit into the machine's shared memory."""
    room = SHARED[gemm.arch] * 1024
    most = room // gemm.stage_bytes
    wanted = gemm.stages or min(MOST, most)
    if not 1 <= wanted <= most:
        template = (
            "{count} stages of {bytes} bytes do not fit into the {room} bytes of a thread block on {arch}; {most} do"
        )
        raise fault(template, count=gemm.stages or 1, bytes=gemm.stage_bytes, room=room, arch=gemm.arch, most=most)
    return wanted
