"""Writes what is generated from the records beside the definitions: the indices of functions, forms and pictures, the
tables of the grammar, the types of the library, and the examples of the page.

python -m laycalc.generate
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

__all__ = ["generated"]


def generated() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Each generated file, and what computes its text."""
    from laycalc.grammar.forms import indexing
    from laycalc.grammar.language import gather
    from laycalc.grammar.syntax import compile_grammar, lalr_tables
    from laycalc.playground import gather as examples
    from laycalc.render import collect

    from . import stub

    yield Path(lalr_tables.TABLES), compile_grammar.kept
    yield gather.INDEX, gather.gathered
    yield indexing.FILE, indexing.index_text
    yield collect.FILE, collect.index
    yield stub.STUB, stub.stub
    yield examples.FILE, examples.gathered


if __name__ == "__main__":
    for path, text in generated():
        path.write_text(text(), encoding="utf-8", newline="\n")
