"""TileLang's two kinds of map, tabulated: coordinate to offset, and coordinate (and replica) to (thread, register)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.finding.fit import fit

from ..reading.affine import Tree, axes, box, evaluate, sizes_of
from ..reading.cells import fit_cells
from ..reading.reading import cannot

REPLICA = "_rep"
_COPIES = 1 << 16


def coordinates(rank: int) -> list[str]:
    """The names of the coordinates as TileLang prints them."""
    return [f"_{n}" for n in axes(rank)]


class LayoutMap(Record):
    """Coordinates to outputs; the offset is row-major over the extents of the outputs."""

    sizes: tuple[int, ...]
    outputs: tuple[Tree, ...]
    extents: tuple[int, ...] = ()
    """Of the outputs where they are told, else as far as the values reach."""

    def columns(self, text: str) -> list[list[int]]:
        """The outputs at every point, first coordinate fastest."""
        count = prod(sizes_of(self.sizes, text))
        env = dict(zip(coordinates(len(self.sizes)), box(self.sizes), strict=True))
        found = [evaluate(tree, env, count) for tree in self.outputs]
        if any(min(c) < 0 for c in found):
            raise cannot("the transform has negative results")
        return found

    def value(self, text: str) -> Any:
        """The layout, coordinate to offset; LC103 if there is none."""
        columns = self.columns(text)
        reach = _reach(columns)
        extents = self.extents or reach
        if any(n > told for n, told in zip(reach, extents, strict=True)):
            raise cannot(f"the transform reaches {reach}, beyond its output {extents}", source=text)
        found = fit(_row_major(columns, extents), self.sizes)
        if found.value is None:
            raise cannot(found.reason, source=text, facts={"reason": found.reason})
        return found.value

    def bounded(self, text: str) -> LayoutMap:
        """The same with the extents of its outputs."""
        return self if self.extents else self.replace(extents=_reach(self.columns(text)))


def _reach(columns: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(max(c) + 1 for c in columns)


class FragmentMap(Record):
    """Coordinates and a replica to a thread and a register (row-major over ``extents`` if it has several indices)."""

    sizes: tuple[int, ...]
    thread: Tree
    index: tuple[Tree, ...]
    replicate: int = 1
    threads: int = 0
    """At least so many, where it is told."""
    extents: tuple[int, ...] = ()

    def places(self, text: str) -> tuple[list[list[int]], list[int], list[int]]:
        """The cells of all replicas, a column an axis; the thread and the register of each."""
        if not 1 <= self.replicate <= _COPIES:
            raise cannot(f"replicate is a positive integer up to {_COPIES}, not {self.replicate}", source=text)
        points = sizes_of((*self.sizes, self.replicate), text)
        *cells, replica = box(points)
        env = dict(zip(coordinates(len(cells)), cells, strict=True)) | {REPLICA: replica}
        owner = evaluate(self.thread, env, prod(points))
        index = [evaluate(tree, env, prod(points)) for tree in self.index]
        if min(owner) < 0 or any(min(c) < 0 for c in index):
            raise cannot("a thread or register is negative")
        return cells, owner, _row_major(index, self.extents or [1] * len(index))

    def pitches(self) -> list[int]:
        """Weights of the coordinates in one integer, in which each has bits of its own."""
        found = [1]
        for n in self.sizes[:-1]:
            found.append(found[-1] << (n - 1).bit_length())
        return found

    def value(self, text: str) -> tuple[Any, int, bool]:
        """The inverse (thread, register) to coordinate, the number of threads, and whether its values are integers.

        A replica is the same cell in another thread. What only XOR strides tell has integers as values, the sum of
        the coordinates times their `pitches`, as coordinates have no XOR strides.
        """
        columns, owner, register = self.places(text)
        extents = (max(self.threads, max(owner) + 1), max(register) + 1)
        cells = _inverted(columns, owner, register, extents)
        found = fit_cells(cells, extents)
        if found.value is not None:
            return found.value, extents[0], False
        pitches = self.pitches()
        flat = [sum(c * w for c, w in zip(cell, pitches, strict=True)) for cell in zip(*cells, strict=True)]
        xor = fit(flat, extents)
        if xor.value is None:
            what = "the inverse (thread, register) -> element has neither strides nor XOR strides"
            raise cannot(f"rotation: {what}", source=text, notes=(found.reason,))
        return xor.value, extents[0], True


def _row_major(columns: Sequence[Sequence[int]], extents: Sequence[int]) -> list[int]:
    """The flat index of several, the last fastest."""
    flat = [0] * len(columns[0])
    for column, n in zip(columns, extents, strict=True):
        flat = [a * n + c for a, c in zip(flat, column, strict=True)]
    return flat


def _inverted(
    columns: list[list[int]], owner: list[int], register: list[int], extents: tuple[int, int]
) -> list[list[int]]:
    """The cell of every (thread, register), thread fastest; LC103 unless each holds exactly one."""
    count = len(owner)
    if prod(extents) > count:
        raise cannot(f"{prod(extents)} registers for {count} elements: not every (thread, register) holds one")
    places = [t + extents[0] * v for t, v in zip(owner, register, strict=True)]
    held = {place: i for i, place in enumerate(places)}
    if len(held) < prod(extents):
        raise cannot("not every (thread, register) holds an element")
    cells = [[column[held[place]] for place in range(prod(extents))] for column in columns]
    for column, cell in zip(columns, cells, strict=True):
        # Replicas lie in other threads: two cells in one register are a conflict.
        i = next((i for i, place in enumerate(places) if column[i] != cell[place]), None)
        if i is not None:
            raise cannot(f"thread {owner[i]} holds two elements in register {register[i]}")
    return cells
