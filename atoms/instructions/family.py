"""What a family of instructions says of itself."""

from __future__ import annotations

from laycalc.algebra.base.record import Record


class Family(Record):
    """``FAMILY = Family(place=3)`` in a module of `families`, beside its ``entries()``, ``atom(entry)`` and
    ``aliases(entry)``.

    ``place`` orders the list of the catalogue. Families that are ``sought`` first, small and common ones, answer to a
    name without the entries of the others being made.
    """

    place: int
    sought: int = 100
