"""Hardware atoms, tiled MMA and copy, bank conflicts: what a layout means to a GPU.

Names are imported when they are first used, and the catalogue's data is read when the first atom is looked up.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "record": ("Atom", "Entry", "Types", "read_layout"),
    "catalogue": ("atom", "entries", "entry", "search"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
