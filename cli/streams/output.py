"""Where commands write: results to standard output, diagnostics to standard error."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from typing import Any

from laycalc.diagnostics.model import Diagnostic
from laycalc.render.reports.style import style_for
from laycalc.render.reports.text import diagnostic_text
from laycalc.render.reports.visible import visible_json

__all__ = ["complain", "remark", "show", "terminal_width", "worst", "write_json", "write_line"]


def write_line(text: str) -> None:
    """One line of result."""
    try:
        sys.stdout.write(text + "\n")
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def terminal_width() -> int | None:
    """The columns of the terminal, None where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def show(made: Any) -> None:
    """A text, or a styled one of rich, without a trailing blank line."""
    if isinstance(made, str):
        write_line(made.rstrip("\n"))
        return
    from rich.console import Console

    Console(soft_wrap=True, highlight=False).print(made)


def write_json(value: Any) -> None:
    """One JSON document on one line."""
    import json

    sys.stdout.write(visible_json(json.dumps(value, ensure_ascii=False)) + "\n")


def complain(diagnostics: Iterable[Diagnostic], *, file: str = "") -> None:
    """Show diagnostics on standard error."""
    style = style_for(sys.stderr)
    for diagnostic in diagnostics:
        text = diagnostic_text(diagnostic, style, file=file)
        encoding = sys.stderr.encoding or "ascii"
        sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def remark(notes: Iterable[str]) -> None:
    """Show how a pasted text was read, on standard error."""
    style = style_for(sys.stderr)
    for note in notes:
        sys.stderr.write(f"{style.dim('note:')} {note}\n")


def worst(codes: Iterable[int]) -> int:
    """The exit code of a run: the greatest of its parts."""
    return max(codes, default=0)
