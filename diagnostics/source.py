"""Where a source text stands: a `Source` is a string that knows its file and line."""

from __future__ import annotations


class Source(str):
    """A text as the parser reads it, with the file and line that it comes from.

    ``before`` is the number of lines of the file before it. ``shown`` has the same lines as they stand in the file;
    where the language is embedded in another one, the text has blanks or nothing for what is not ours.
    """

    file: str
    before: int
    shown: str

    def __new__(cls, text: str, file: str = "", before: int = 0, shown: str | None = None) -> Source:
        made = super().__new__(cls, text)
        made.file = file
        made.before = before
        made.shown = text if shown is None else shown
        return made


def position(source: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character offset; in the file if the source is a part of one."""
    line = source.count("\n", 0, offset) + 1
    return line + getattr(source, "before", 0), offset - (source.rfind("\n", 0, offset) + 1) + 1
