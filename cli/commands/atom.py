"""``laycalc atom``: the catalogue of hardware instructions."""

from __future__ import annotations

import csv
import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.coerce import coerce
from laycalc.grammar.run.scope import Scope

from ..streams.command import command
from ..streams.completion import atoms
from ..streams.options import AsJson
from ..streams.outfile import writing
from ..streams.output import write_json, write_line
from ..streams.value import value_of

if TYPE_CHECKING:
    from laycalc.atoms.instructions.record import Atom, Entry

__all__ = ["run"]


@command(
    70,
    "Hardware instructions: list, show, draw, who owns an element.",
    "laycalc atom SM80_16x8x16_F32F16F16F32_TN",
    "laycalc atom 'SM90_64x*x16_F32*' --type f16",
    "laycalc atom SM80_16x8x16_F32F16F16F32_TN --owner 'C 5,3'",
    "laycalc atom 'tiled_mma(\"SM80_16x8x16_F32F16F16F32_TN\", (2,2,1))' --owner 'C 5,3'",
    "laycalc atom mma.sync.aligned.m16n8k16",
)
def run(
    name: Annotated[
        str,
        typer.Argument(
            help="A name, a part of one, or a pattern such as 'SM80_16x8x*'.",
            autocompletion=atoms,
        ),
    ] = "",
    arch: Annotated[str, typer.Option(help="SM90, sm_90a, CDNA3, gfx942, ...")] = "",
    type_: Annotated[str, typer.Option("--type", help="An element type or a group: f16, f8, i8, f4.")] = "",
    shape: Annotated[str, typer.Option(help="M x N x K, with wildcards: 64x*x16.")] = "",
    kind: Annotated[str, typer.Option(help="mma or copy.")] = "",
    vendor: Annotated[str, typer.Option(help="nvidia, amd or intel.")] = "",
    owner: Annotated[str, typer.Option(help="Who holds an element: 'C 5,3'.")] = "",
    csv_of: Annotated[
        str, typer.Option("--csv", metavar="OPERAND", help="The lane and register table of an operand.")
    ] = "",
    output: Annotated[str, typer.Option("--output", "-o", help="Draw A, B and C into this file.")] = "",
    picture: Annotated[
        bool | None,
        typer.Option("--picture/--no-picture", help="Pictures below the facts.", show_default="on a terminal"),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List hardware instructions, or show one: its layouts, types, instruction, and how they were confirmed."""
    filters = {"arch": arch, "type": type_, "shape": shape, "kind": kind, "vendor": vendor}
    wanted = {key: value for key, value in filters.items() if value}
    if "(" in name and owner and not wanted:
        return _owner(value_of(name, Scope()), owner, as_json)
    one = _exact(name) if name and not wanted else None
    if one is not None:
        return _one(one, owner, csv_of, output, as_json, sys.stdout.isatty() if picture is None else picture)
    if owner or csv_of or output:
        _exact(name, required=True)
    return _list(_found(name, wanted), as_json)


def _found(name: str, wanted: dict[str, str]) -> list[Entry]:
    """The instructions of a name or pattern that pass the filters; LC102 if there are none."""
    from laycalc.atoms.instructions.catalogue import search

    found = search(name or None, **wanted)
    if not found:
        _exact(name, required=bool(name) and not wanted)
        raise Failure(Diagnostic("LC102", "no instruction passes these filters"))
    return found


def _exact(name: str, *, required: bool = False) -> Atom | None:
    """The atom of a whole name; with ``required`` its absence is an error with suggestions."""
    from laycalc.algebra.base.errors import LayoutError
    from laycalc.atoms.instructions.catalogue import atom

    if not required and re.search(r"[*?\[]", name):
        return None
    try:
        return atom(name)
    except LayoutError:
        if required:
            raise
        return None


def _list(found: list[Entry], as_json: bool) -> int:
    if as_json:
        from laycalc.atoms.instructions.facts import entry_facts

        write_json({"schema": 1, "atoms": [entry_facts(entry) for entry in found]})
        return 0
    sys.stdout.write("".join(f"{entry.name}\n" for entry in found))
    if sys.stdout.isatty():
        sys.stderr.write(f"{len(found)} instructions; laycalc atom NAME shows one\n")
    return 0


def _one(atom: Atom, owner: str, csv_of: str, output: str, as_json: bool, picture: bool) -> int:
    if owner:
        return _owner(atom, owner, as_json)
    if csv_of:
        return _csv(atom, csv_of)
    if output:
        from laycalc.render.draw import save

        with writing(output):
            save(atom, output)
        return 0
    from laycalc.atoms.instructions.facts import atom_facts

    facts = atom_facts(atom)
    if as_json:
        write_json({"schema": 1, **facts})
        return 0
    width = max(map(len, facts))
    for key, value in facts.items():
        write_line(f"{key:<{width}}  {_words(value)}")
    if picture:
        _picture(atom)
    return 0


def _picture(atom: Atom) -> None:
    """A, B and C (or source and destination) as text; an atom that is too large for it is left to a file."""
    from laycalc.algebra.base.errors import LayoutError
    from laycalc.render.draw import draw

    try:
        write_line("\n" + str(draw(atom, format="txt")).rstrip("\n"))
    except LayoutError as error:
        write_line(f"\nno picture here ({error}); -o FILE.svg draws one")


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_words(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        between = "x" if value and all(isinstance(v, int) for v in value) else ", "
        return between.join(map(str, value))
    return str(value)


def _owner(holder: Any, text: str, as_json: bool) -> int:
    from laycalc.atoms.tiling.ownership import owner

    found = re.fullmatch(r"\s*(\w+)[\s(]+(\d+)\s*,\s*(\d+)\s*\)?\s*", text)
    if found is None:
        raise Failure(Diagnostic("LC103", f"--owner wants an operand and a coordinate, as 'C 5,3', not {text}"))
    holders = owner(coerce(holder, "holder", "owner", "x"), found[1], (int(found[2]), int(found[3])))
    if as_json:
        write_json({"schema": 1, "owners": [{"thread": o.thread, "value": o.value} for o in holders]})
    else:
        write_line(" ".join(f"T{o.thread}V{o.value}" for o in holders) or "nobody")
    return 0


def _csv(atom: Atom, operand: str) -> int:
    from laycalc.atoms.tiling.lanes import COLUMNS, lane_table

    rows = lane_table(atom, operand)
    names = COLUMNS.get(operand.upper(), tuple(f"x{i}" for i in range(len(rows[0].coordinate))))
    extra = ("block",) * (len(rows[0].coordinate) - len(names))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["operand", "lane", "value", "register", *names, *extra])
    out.writerows([row.operand, row.lane, row.value, row.register, *row.coordinate] for row in rows)
    return 0
