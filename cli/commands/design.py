"""``laycalc design``: layouts that are searched for."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams.command import command
from ..streams.inputs import scope_of
from ..streams.options import AsJson, Define

__all__ = ["run"]

KINDS = ("smem", "copy", "mma", "gemm")
"""What is designed, each a function of its name in a module of `designs`."""


_APART = ("what", "words", "jsonl", "define")
"""The arguments that no kind takes as an option."""
_KEYS = {"as_json": "json"}


@command(
    125,
    "Find layouts: shared memory for several accesses, tiled copies, tiled MMAs, a GEMM.",
    "laycalc design smem 128x64 --access 'write: row, 16 B' --access 'read: ldmatrix.x4'",
    "laycalc design copy 128x64 --src 'global row 4096' --dst 'shared Sw<3,3,3> o 0 o (128,64):(64,1)' --threads 256",
    "laycalc design mma 128x128x64 --warps 4 --acc f16 --store 8",
    "laycalc design gemm 128x128x64 --arch sm90 --threads 128",
    "laycalc design --jsonl tasks.jsonl",
)
def run(
    what: Annotated[str, typer.Argument(metavar="KIND", help="What to find: smem, copy, mma or gemm.")] = "",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="EXTENTS", help="The tile, 128x64; for mma and gemm M, N, K of a block, 128x128x64."),
    ] = None,
    bits: Annotated[int, typer.Option(help="The width of an element in bits.", show_default="16")] = 0,
    access: Annotated[
        list[str] | None, typer.Option(help="An access to the tile: 'write: row, 16 B', 'read: ldmatrix.x4', 'tma'.")
    ] = None,
    base: Annotated[list[str] | None, typer.Option(help="Only these: row, col, ktile, mntile.")] = None,
    src: Annotated[str, typer.Option(help="Where a copy reads: 'global row 4096', 'shared LAYOUT'.")] = "",
    dst: Annotated[str, typer.Option(help="Where it writes: 'shared LAYOUT', 'register'.")] = "",
    threads: Annotated[int, typer.Option(help="Threads that take part.", show_default="128")] = 0,
    arch: Annotated[str, typer.Option(help="The machine, sm70 to sm120.", show_default="sm80")] = "",
    mma: Annotated[str, typer.Option(help="A tiled MMA, whose operand a copy carries to or from registers.")] = "",
    operand: Annotated[str, typer.Option(help="Which operand: A, B or C.", show_default="A")] = "",
    type: Annotated[str, typer.Option(help="The type of A and B: f16, bf16, tf32, s8, e4m3.", show_default="f16")] = "",
    acc: Annotated[str, typer.Option(help="The type of the accumulators.", show_default="f32, for integers s32")] = "",
    warps: Annotated[int, typer.Option(help="Warps that share the block.", show_default="4")] = 0,
    smem_a: Annotated[str, typer.Option(help="A in shared memory, (M,K).", show_default="the best")] = "",
    smem_b: Annotated[str, typer.Option(help="B in shared memory, (N,K).", show_default="the best")] = "",
    store: Annotated[int, typer.Option(help="Bytes of C that a thread stores at once.", show_default="one")] = 0,
    order: Annotated[str, typer.Option(help="How C lies: row or col.", show_default="row")] = "",
    stages: Annotated[int, typer.Option(help="Stages of A and B.", show_default="as many as fit, at most 4")] = 0,
    pitch: Annotated[int, typer.Option(help="Elements between rows of global memory.", show_default="4096")] = 0,
    output: Annotated[
        list[str] | None, typer.Option("--output", "-o", help="A file for a plan: .html, .md, .txt, .layout.")
    ] = None,
    draw: Annotated[str, typer.Option(help="A file for the picture of smem: the layout with its accesses.")] = "",
    jsonl: Annotated[
        str, typer.Option("--jsonl", metavar="FILE", help="Tasks, an object a line; - is standard input.")
    ] = "",
    as_json: AsJson = False,
    define: Define = None,
) -> int:
    """Find the best layout for what is asked, say what it costs and why nothing is cheaper, and how a kernel writes it.

    With --jsonl design tasks are answered, an object a line: {"id": 1, "kind": "left", "A": "(4,8):(1,8)", "C":
    "(2,2):(1,16)"} asks for X with A o X = C; "right" has B and C, "tiler" has L, T and op; "smem", "copy" and "mma"
    ask for layouts.
    """
    options = {_KEYS.get(name, name): wish for name, wish in locals().items() if name not in _APART}
    from ..streams.tasks import answer_lines

    if jsonl:
        _alone(what, options, define)
        return answer_lines(jsonl)
    if what not in KINDS:
        raise Failure(Diagnostic("LC103", _which(what)))
    from ..designs.request import Request

    found: int = getattr(import_module(f"..designs.{what}", __package__), what)(
        Request(tuple(words or ()), options, scope_of(define))
    )
    return found


def _which(what: str) -> str:
    """What a word that is no kind of design was meant to be."""
    from laycalc.atoms.instructions.refusal import nearest

    close = nearest(what, KINDS, 1)
    if close:
        return f"{what} is nothing to design; did you mean laycalc design {close[0]}?"
    return f"design what? {', '.join(KINDS)}, or the tasks of --jsonl FILE"


def _alone(what: str, options: dict[str, Any], define: list[str] | None) -> None:
    """LC103 for what stands beside --jsonl: its tasks say all themselves."""
    given = [what, *(f"--{name.replace('_', '-')}" for name, wish in options.items() if wish), "-D" if define else ""]
    if surplus := [word for word in given if word]:
        raise Failure(Diagnostic("LC103", f"--jsonl reads its tasks from a file; {surplus[0]} is one too many"))
