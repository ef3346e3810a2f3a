"""A copy instruction for elements of one width, CuTe's ``Copy_Atom<Op, T>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.above import Pictured, written
from laycalc.algebra.base.record import Record
from laycalc.algebra.base.words import word
from laycalc.algebra.values.layout import Layout

from ..instructions.bits import sides
from ..instructions.refusal import argument

if TYPE_CHECKING:
    from ..instructions.record import Atom

__all__ = ["CopyAtom", "copy_atom"]


class CopyAtom(Pictured, Record):
    """A copy instruction and the width of its elements; make one with `copy_atom`."""

    atom: Atom
    bits: int

    __repr__ = written

    def __str__(self) -> str:
        return f"copy_atom({self.atom}, {self.bits})"

    @property
    def thr_id(self) -> Layout:
        """The threads of the instruction."""
        return self.atom.thr_id

    @property
    def threads(self) -> int:
        """How many threads take part."""
        return self.atom.threads

    @property
    def src(self) -> Layout:
        """(thread, value) -> element of the source."""
        return sides(self.atom, self.bits)[0]

    @property
    def dst(self) -> Layout:
        """(thread, value) -> element of the destination."""
        return sides(self.atom, self.bits)[1]

    @property
    def ref(self) -> Layout:
        """(thread, value) -> element, of the side that tiles speak of."""
        return sides(self.atom, self.bits)[2]


@word("""
    atoms: copy_atom(atom: atom, bits: positive)
    a copy instruction for elements of so many bits
    copy_atom("SM75_U32x4_LDSM_N", 16)
""")
def copy_atom(atom: Atom | str, bits: int) -> CopyAtom:
    """A copy instruction whose layouts count elements; LC103 for another instruction, LC312 if it would cut elements.

    >>> str(copy_atom("SM75_U32x4_LDSM_N", 16).dst)
    '(32,(2,4)):(2,(1,64))'
    """
    if isinstance(atom, str):
        from ..instructions.catalogue import atom as find

        atom = find(atom)
    if atom.kind != "copy":
        raise argument("copy_atom", "{atom} is no copy instruction", atom=atom.name)
    made = CopyAtom(atom, bits)
    sides(atom, bits)
    return made
