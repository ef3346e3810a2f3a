"""``laycalc draw``: a picture of a value."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams.inputs import scope_of, shape_of
from ..streams.output import remark, write_line
from ..streams.value import guarded, value_of

__all__ = ["run"]


def run(
    expr: Annotated[
        list[str] | None, typer.Argument(help="What to draw; - reads standard input. Some kinds take several.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file; its ending is the format: svg png pdf tex html txt.")
    ] = "-",
    format: Annotated[str, typer.Option(help="The format, where the file does not say it.")] = "",
    kind: Annotated[
        str, typer.Option(help="The kind of picture; 'list' names them.", show_default="from the value")
    ] = "",
    tile: Annotated[str, typer.Option(help="The tile that a thread-value layout fills: 8x8.")] = "",
    color_by: Annotated[str, typer.Option(help="offset, thread, value, warp, bank, tile or mode.")] = "",
    highlight: Annotated[str, typer.Option(help="T11, V3, (2,5) or 'offset 26'.")] = "",
    label: Annotated[str, typer.Option(help="offset, coord, index or thread-value.")] = "",
    theme: Annotated[str, typer.Option(help="laycalc, cute (as print_latex) or print.")] = "laycalc",
    title: Annotated[str, typer.Option(help="The title of the figure.")] = "",
    legend: Annotated[bool | None, typer.Option("--legend/--no-legend", help="Show a legend.")] = None,
    crop: Annotated[str, typer.Option(help="Rows and columns to show: 0:16,0:32.")] = "",
    wrap: Annotated[int, typer.Option(help="Fold a rank-1 layout after so many cells.", show_default="fits")] = 0,
    bits: Annotated[int, typer.Option(help="Element width in bits, for banks and copies.", show_default="32")] = 0,
    limit: Annotated[int, typer.Option(help="Labelled cells before a heat map takes over.")] = 65536,
    warp: Annotated[int, typer.Option(help="Lanes of a warp: 64 on CDNA.")] = 32,
    top_down: Annotated[bool, typer.Option("--top-down", help="Diagrams of morphisms read downwards.")] = False,
    fragment: Annotated[bool, typer.Option("--fragment", help="TeX without a document around it.")] = False,
    shape: Annotated[str, typer.Option(help="The shape of the tensor, where a pasted form needs one: 128x64.")] = "",
    define: Annotated[list[str] | None, typer.Option("-D", help="Bind a name: -D M=256.")] = None,
) -> int:
    """Draw a layout, a thread-value layout (--tile), an atom, a morphism; several values with --kind.

    laycalc draw '(8,16):(e0,e1)' '<4:1,8:2>' --kind tiler -o tiler.svg
    """

    def work() -> int:
        from laycalc.render.draw import KINDS, render, scene_of, write

        if kind == "list":
            write_line(" ".join(KINDS))
            return 0
        if not expr:
            raise Failure(Diagnostic("LC103", "argument", "draw what? laycalc draw '(4,8):(8,1)' -o x.svg"))
        scope = scope_of(define or ())
        values = [value_of(text, scope, shape_of(shape)) for text in expr]
        value = values[0] if len(values) == 1 else values
        wishes: dict[str, Any] = {
            "kind": kind or None,
            "tile": tile or None,
            "color_by": color_by or None,
            "highlight": highlight or None,
            "label": label or None,
            "theme": theme,
            "title": title,
            "legend": legend,
            "crop": crop or None,
            "wrap": wrap or None,
            "bits": bits or None,
            "limit": limit,
            "warp": warp,
            "top_down": top_down,
        }
        chosen = "tikz" if fragment else format
        scene = scene_of(value, **wishes)
        remark(getattr(scene, "notes", ()))
        if output == "-" and sys.stdout.isatty() and chosen not in ("txt", "tex", "tikz"):
            raise Failure(Diagnostic("LC103", "argument", "a picture goes to a file: -o figure.svg"))
        if output == "-":
            drawn = render(scene, chosen or "svg")
            sys.stdout.buffer.write(drawn if isinstance(drawn, bytes) else drawn.rstrip("\n").encode() + b"\n")
            return 0
        try:
            write(scene, output, format=chosen or None)
        except OSError as error:
            raise Failure(Diagnostic("LC103", "argument", f"cannot write {output}: {error.strerror}")) from None
        return 0

    return guarded(work)
