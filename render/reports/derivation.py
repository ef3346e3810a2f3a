"""A derivation as indented text, as a tree on a terminal, and as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .json import SCHEMA, diagnostic_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from laycalc.grammar.explain.derivation import Derivation, Line


def _title(derivation: Derivation) -> str:
    return derivation.text + (f" = {derivation.value}" if derivation.value else "")


def derivation_text(derivation: Derivation) -> str:
    """Two blanks a level."""
    return "\n".join([_title(derivation), *_indented(derivation.lines, 1)])


def _indented(lines: Sequence[Line], level: int) -> Iterator[str]:
    for line in lines:
        yield "  " * level + line.text
        yield from _indented(line.lines, level + 1)


def derivation_tree(derivation: Derivation) -> Any:
    """A rich tree: titles stand out, failing conditions are red."""
    from rich.text import Text
    from rich.tree import Tree

    def grow(tree: Any, lines: Sequence[Line]) -> None:
        for line in lines:
            failed = line.rule in ("eq9", "eq10", "digits") and any(word.isupper() for word in line.text.split()[2:])
            style = "bold red" if failed else "bold" if line.lines else ""
            grow(tree.add(Text(line.text, style=style)), line.lines)

    root = Tree(Text(_title(derivation), style="bold"), guide_style="dim")
    grow(root, derivation.lines)
    return root


def derivation_object(derivation: Derivation) -> dict[str, Any]:
    """Plain data: every line with its rule and its numbers."""
    found: dict[str, Any] = {"schema": SCHEMA, "expr": derivation.text, "ok": derivation.error is None}
    if derivation.value:
        found["value"] = derivation.value
    found["derivation"] = [_line(line) for line in derivation.lines]
    if derivation.error is not None:
        found["error"] = diagnostic_object(derivation.error)
    found["warnings"] = [diagnostic_object(w) for w in derivation.warnings]
    return found


def _line(line: Line) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": line.rule, "text": line.text}
    if line.facts:
        found["facts"] = dict(line.facts)
    if line.lines:
        found["steps"] = [_line(inner) for inner in line.lines]
    return found
