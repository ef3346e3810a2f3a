"""Hardware atoms, tiled MMA and copy, bank conflicts: what a layout means to a GPU.

Names are imported when they are first used, and the catalogue's data is read when the first atom is looked up.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "memory.patterns": "Pattern Survey accesses bank_survey survey",
    "memory.banks": "Access BankReport Collision Operation Phase Request bank_conflicts operation read_access",
    "instructions.bits": "in_elements sides",
    "instructions.catalogue": "atom entries entry search",
    "tiling.copy_tiling": "TiledCopy tiled_copy tiled_copy_A tiled_copy_B tiled_copy_C",
    "instructions.facts": "atom_facts entry_facts",
    "tiling.lanes": "Row lane_table registers",
    "tiling.mma_tiling": "TiledMMA tiled_mma",
    "tiling.ownership": "Held Owner View elements owner view",
    "tiling.partitioning": "fragment partition",
    "instructions.record": "Atom Entry Types read_layout",
    "memory.sectors": "SectorReport coalescing",
    "accesses.swizzle_search": "Padding Suggestion SwizzleFix WrongUnits smallest_swizzle suggest wrong_units",
    "instructions.families.tcgen05": "accumulator tensor_memory",
    "memory.vector": "Limit Vector widest_vector",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
