"""The options that commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

__all__ = ["AsJson", "Assume", "Bits", "Define", "Files", "LayoutText", "Shape"]

Define: TypeAlias = Annotated[list[str] | None, typer.Option("-D", help="Bind a name: -D M=256.")]
Assume: TypeAlias = Annotated[list[str] | None, typer.Option("--assume", help="A fact about unknowns: 'M % 128 == 0'.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="The answer as one JSON object.")]
Files: TypeAlias = Annotated[list[str] | None, typer.Option("--file", "-f", help="Read the text of a file.")]
Bits: TypeAlias = Annotated[int, typer.Option(help="The width of an element in bits.")]
Shape: TypeAlias = Annotated[str, typer.Option(help="The shape of the tensor, where a pasted form needs one: 128x64.")]
LayoutText: TypeAlias = Annotated[
    str, typer.Argument(help="A layout, a swizzled layout or a tensor; - reads standard input.")
]
