"""An atom, or a line of the catalogue, as plain data for JSON and tables: layouts as text, what does not apply left
out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.values.layout import Layout

if TYPE_CHECKING:
    from .record import Atom, Entry

__all__ = ["atom_facts", "entry_facts"]


def entry_facts(entry: Entry) -> dict[str, Any]:
    """A line of the catalogue: name, vendor, architectures, kind, shape, threads, types.

    >>> from .catalogue import entry
    >>> entry_facts(entry("SM75_16x8x8_F32F16F16F32_TN"))["types"]
    {'A': 'f16', 'B': 'f16', 'C': 'f32', 'D': 'f32'}
    """
    facts = {
        "name": entry.name,
        "vendor": entry.vendor,
        "architectures": list(entry.architectures),
        "kind": entry.kind,
        "shape": list(entry.shape) if entry.shape else None,
        "threads": entry.threads,
        "types": _types(entry),
    }
    return {key: value for key, value in facts.items() if value is not None}


def atom_facts(atom: Atom) -> dict[str, Any]:
    """Everything that is known about an atom, in the order of a report.

    >>> from .catalogue import atom
    >>> atom_facts(atom("SM80_16x8x16_F32F16F16F32_TN"))["C"]
    '((4,8),(2,2)):((32,1),(16,8))'
    """
    facts: dict[str, Any] = {
        "name": atom.name,
        "aliases": atom.aliases,
        "vendor": atom.vendor,
        "architectures": atom.architectures,
        "target": atom.target,
        "kind": atom.kind,
        "shape": atom.shape,
        "blocks": atom.blocks if atom.blocks > 1 else None,
        "threads": atom.threads,
        "types": _types(atom),
        "value_bits": atom.value_bits,
        "containers": dict(zip("AB", atom.containers, strict=True)) if atom.containers else None,
        "sparse": atom.sparse,
        "scale_vector": atom.scale_vector,
        "thr_id": atom.thr_id,
        **{name: atom.operand(name) for name in atom.operands},
        "template": atom.template,
        "tmem": atom.tmem,
        "tile_order": dict(zip("ABC", map(str, atom.tile_order), strict=True)) if atom.tile_order else None,
        "hardware_dst": atom.hardware_dst,
        "places": dict(zip("ABC", atom.places, strict=True)) if atom.places else None,
        "broadcast": atom.broadcast,
        "instruction": atom.ptx,
        "cpp": atom.cpp,
        "family": atom.family,
        "status": atom.status,
        "evidence": atom.evidence,
        "note": atom.note,
    }
    return {key: _plain(value) for key, value in facts.items() if value not in (None, "", (), 0)}


def _types(holder: Atom | Entry) -> dict[str, str] | None:
    return {k: v for k, v in holder.types._asdict().items() if v} if holder.types else None


def _plain(value: Any) -> Any:
    if isinstance(value, Layout):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
