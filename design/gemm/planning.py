"""The plan that a machine calls for: wgmma where it has it, else the instructions of a warp."""

from __future__ import annotations

from . import warpgroups, warps
from .plan import Gemm, Plan

__all__ = ["plan_of"]


def plan_of(gemm: Gemm) -> Plan:
    """The plan of a matrix multiplication; LC103 for what the machine or the extents do not allow.

    Each part is the best that the searches of shared memory, copies and tiled MMAs find for what is before it.
    """
    return warpgroups.plan(gemm) if gemm.arch == "sm90" else warps.plan(gemm)
