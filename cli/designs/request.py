"""What ``laycalc design`` was asked: the words behind it, the options that were given, and the scope of names."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.swizzle import Composed
from laycalc.atoms.memory.walks import Tile
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.scope import Scope

from ..streams.inputs import shape_of
from ..streams.output import write_line
from ..streams.value import value_of

__all__ = ["Request", "refuse", "tell_kernel_text", "tile_of"]


def refuse(message: str) -> Failure:
    """LC103 for a request that cannot be met."""
    return Failure(Diagnostic("LC103", message))


class Request(Record):
    """The words behind the kind, the options by name, and the names that -D binds."""

    words: tuple[str, ...]
    options: dict[str, Any]
    scope: Scope

    def allow(self, kind: str, *names: str) -> None:
        """LC103 for an option that was given and means nothing here."""
        if strange := [name for name, value in self.options.items() if value and name not in names]:
            given = [f"--{name.replace('_', '-')}" for name in (strange[0], *names)]
            raise refuse(f"design {kind} has no {given[0]}; its options are {', '.join(given[1:])}")

    def value(self, text: str) -> Any:
        """The value of a text in the scope."""
        return value_of(text, self.scope)

    def layout(self, text: str) -> Any:
        """The layout of a text; LC103 for anything else."""
        from laycalc.algebra.values.layout import Layout

        found = self.value(text)
        if not isinstance(found, (Layout, Composed)):
            raise refuse(f"{text} is no layout")
        return found


def tile_of(text: str) -> Tile:
    """``128x64`` as rows and columns."""
    shape = shape_of(text)
    if shape is None or len(shape) != 2:
        raise refuse(f"a tile is written 128x64, rows and columns, not {text}")
    return Tile(*shape)


def tell_kernel_text(value: Any) -> None:
    """The value as C++ and as DSL, where these can write it."""
    from laycalc.grammar.forms import write

    for name, form in (("C++", "cpp"), ("DSL", "dsl")):
        write_line(f"{name:<5} {write(value, form)}")
