"""The plan that a machine calls for: wgmma where it has it, else the instructions of a warp."""

from __future__ import annotations

from ..smem.passes import check_threads, check_tile
from . import warpgroups, warps
from .plan import Gemm, Plan

__all__ = ["plan_of"]


def plan_of(gemm: Gemm) -> Plan:
    """The plan of a matrix multiplication; LC103 for what the machine or the extents do not allow.

    Each part is the best that the searches of shared memory, copies and tiled MMAs find for what is before it.
    """
    check_threads(gemm.threads)
    m, n, k = gemm.extents
    check_tile(max(m * n, m * k, n * k), gemm.types.bits)
    return warpgroups.plan(gemm) if gemm.arch == "sm90" else warps.plan(gemm)
