"""``laycalc draw``: a picture of a value."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.render.reports.style import style_for

from ..streams.command import command
from ..streams.completion import kinds, picture_formats, themes
from ..streams.inputs import names_a_file, scope_of, shape_of
from ..streams.options import Define, Shape
from ..streams.outfile import writing
from ..streams.output import remark, show, terminal_width, write_line
from ..streams.value import value_of

if TYPE_CHECKING:
    from laycalc.render.scene.scene import Scene


_WISHES = {
    "kind", "tile", "color_by", "highlight", "label", "theme", "title", "legend", "crop", "wrap", "bits", "lanes",
    "access", "vector", "limit", "warp", "fold", "order", "top_down", "width", "min_font",
}  # fmt: skip
"""The options that are keywords of `scene_of`; what is not said is left to the picture."""
_PICTURE = re.compile(r"[^\s:(]+\.(svg|png|pdf|tex|typ|html|txt)")


Form = Annotated[
    str,
    typer.Option(
        help="The format, where the file does not say it.",
        autocompletion=picture_formats,
    ),
]
Kind = Annotated[
    str,
    typer.Option(help="The kind of picture; 'list' names them.", show_default="from the value", autocompletion=kinds),
]
Theme = Annotated[
    str,
    typer.Option(help="laycalc, dark, print, cute (as print_latex) or auto (as the page is).", autocompletion=themes),
]


@command(
    40,
    "Draw a layout, a thread-value layout or a tiler.",
    "laycalc draw '(4,8):(8,1)' -o layout.svg",
    "laycalc draw '((4,8),2):((16,1),8)' --tile 8x8 -o threads.svg",
    "laycalc draw '(8,16):(e0,e1)' '<4:1,8:2>' --kind tiler -o tiler.svg",
)
def run(
    expr: Annotated[
        list[str] | None, typer.Argument(help="What to draw; - reads standard input. Some kinds take several.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file; its ending is the format: svg png pdf tex typ html txt.")
    ] = "-",
    format: Form = "",
    kind: Kind = "",
    tile: Annotated[str, typer.Option(help="The tile that a thread-value layout fills: 8x8.")] = "",
    color_by: Annotated[str, typer.Option(help="offset, thread, value, warp, bank, tile or mode.")] = "",
    highlight: Annotated[list[str] | None, typer.Option(help="T11, V3, (2,5), 'B (2,5)' or 'offset 26'.")] = None,
    label: Annotated[str, typer.Option(help="offset, coord, index or thread-value.")] = "",
    theme: Theme = "laycalc",
    title: Annotated[str, typer.Option(help="The title of the figure.")] = "",
    legend: Annotated[bool | None, typer.Option("--legend/--no-legend", help="Show a legend.")] = None,
    crop: Annotated[str, typer.Option(help="Rows and columns to show: 0:16,0:32.")] = "",
    wrap: Annotated[int | None, typer.Option(help="Fold a rank-1 layout after so many cells.")] = None,
    bits: Annotated[int | None, typer.Option(help="Element width in bits, for banks (32) and copies (16).")] = None,
    lanes: Annotated[
        str, typer.Option(help="How a warp reads shared memory: row, column, ldmatrix, stmatrix or tv.")
    ] = "",
    access: Annotated[int | None, typer.Option(help="Which of its instructions, from 0; else the dearest.")] = None,
    vector: Annotated[int | None, typer.Option(help="Elements a lane; matrices for ldmatrix and stmatrix.")] = None,
    limit: Annotated[int | None, typer.Option(help="Labelled cells before a heat map takes over (8192).")] = None,
    warp: Annotated[int, typer.Option(help="Lanes of a warp: 64 on CDNA.")] = 32,
    top_down: Annotated[bool, typer.Option("--top-down", help="Diagrams of morphisms read downwards.")] = False,
    fold: Annotated[
        bool | None, typer.Option("--fold/--no-fold", help="Draw once what repeats itself; else only beyond the limit.")
    ] = None,
    width: Annotated[str, typer.Option(help="The width of the whole, as of a column: 3.3in, 84mm.")] = "",
    min_font: Annotated[str, typer.Option(help="No text smaller than this at that width.")] = "7pt",
    order: Annotated[bool, typer.Option("--order", help="A line through the cells by their offsets.")] = False,
    fragment: Annotated[bool, typer.Option("--fragment", help="TeX without a document around it.")] = False,
    shape: Shape = "",
    define: Define = None,
) -> int:
    """Draw a layout, a thread-value layout (--tile), an atom, a morphism; several values with --kind."""
    wishes = {name: wish for name, wish in locals().items() if name in _WISHES and wish not in ("", None)}

    if kind == "list":
        from laycalc.render.index import PICTURES

        write_line(" ".join(PICTURES))
        return 0
    if not expr:
        raise Failure(Diagnostic("LC103", "draw what? laycalc draw '(4,8):(8,1)' -o x.svg"))
    from laycalc.render.draw import scene_of

    _no_picture(expr)
    scope = scope_of(define, written=any(map(names_a_file, expr)))
    values = [value_of(text, scope, shape_of(shape)) for text in expr]
    scene = scene_of(values[0] if len(values) == 1 else values, **wishes)
    remark(scene.notes)
    _write(scene, output, "tikz" if fragment else format)
    return 0


def _no_picture(texts: Sequence[str]) -> None:
    """LC103 for the name of a picture among the expressions: it belongs to -o."""
    for text in texts:
        if _PICTURE.fullmatch(text):
            raise Failure(Diagnostic("LC103", f"{text} is a file to draw into: -o {text}"))


def _show(scene: Scene) -> None:
    """The picture in the terminal, in colours where it has them."""
    from laycalc.render.formats.terminal import coloured, plain

    show(coloured(scene, terminal_width() or 80) if style_for(sys.stdout).colour else plain(scene))


def _write(scene: Scene, output: str, format: str) -> None:
    """The picture to a file, or to standard output where that is no terminal."""
    from laycalc.render.draw import render, write

    if output != "-":
        with writing(output):
            write(scene, output, format=format or None)
        return
    if sys.stdout.isatty() and format in ("", "txt"):
        _show(scene)
        return
    if sys.stdout.isatty() and format in ("png", "pdf", "svg", "html"):
        raise Failure(Diagnostic("LC103", "a picture goes to a file: -o figure.svg"))
    drawn = render(scene, format or "svg")
    sys.stdout.buffer.write(drawn if isinstance(drawn, bytes) else drawn.rstrip("\n").encode() + b"\n")
