"""Hardware atoms, tiled MMA and copy, bank conflicts: what a layout means to a GPU.

Names are imported when they are first used, and the catalogue's data is read when the first atom is looked up.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "patterns": "Pattern Survey accesses bank_survey survey",
    "banks": "Access BankReport Collision Operation Phase Request bank_conflicts operation read_access",
    "bits": "in_elements sides",
    "catalogue": "atom entries entry search",
    "copy_tiling": "TiledCopy tiled_copy tiled_copy_A tiled_copy_B tiled_copy_C",
    "facts": "atom_facts entry_facts",
    "lanes": "Row lane_table registers",
    "mma_tiling": "TiledMMA tiled_mma",
    "ownership": "Held Owner View elements owner view",
    "partitioning": "fragment partition",
    "record": "Atom Entry Types read_layout",
    "sectors": "SectorReport coalescing",
    "swizzle_search": "Padding Suggestion SwizzleFix WrongUnits smallest_swizzle suggest wrong_units",
    "tcgen05": "accumulator tensor_memory",
    "vector": "Limit Vector widest_vector",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
