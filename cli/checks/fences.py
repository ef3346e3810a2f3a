"""Fenced blocks of Markdown, found as CommonMark finds them: a line at a time, through quotes, lists and HTML.

Only what decides where a fence begins and ends is kept: the containers that are open (block quotes and list items), and
the leaf in the innermost one. https://spec.commonmark.org/0.31.2, sections 4.3 to 5.2 and the appendix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

QUOTE = 0
"""A block quote among the open containers; a list item is there as the columns that its content is indented by."""

_FENCE = re.compile(r"(`{3,})[ \t]*([^`]*)$|(~{3,})[ \t]*(.*)$")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"([-+*]|(\d{1,9})[.)])(?=[ \t]|$)")
_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li"
    "|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th"
    "|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"""\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?"""
_HTML = tuple(
    (re.compile(begin, re.IGNORECASE), re.compile(end, re.IGNORECASE))
    for begin, end in (
        (r"<(?:script|pre|style|textarea)(?:\s|>|$)", r"</(?:script|pre|style|textarea)>"),
        (r"<!--", r"-->"),
        (r"<\?", r"\?>"),
        (r"<![A-Z]", r">"),
        (r"<!\[CDATA\[", r"\]\]>"),
        (rf"</?(?:{_BLOCK_TAGS})(?:\s|/?>|$)", r"^\s*$"),
        (
            rf"<(?:[A-Z][A-Z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|/[A-Z][A-Z0-9-]*\s*>)\s*$",
            r"^\s*$",
        ),
    )
)
"""What begins and what ends a block of HTML; the last kind never interrupts a paragraph."""


class Fence(NamedTuple):
    """An open fence: its characters, the columns that it is indented by, and what it says it holds."""

    mark: str
    indent: int
    info: str

    def closes(self, text: str) -> bool:
        """Is this line, without its containers, the end of the fence?"""
        line = text.strip(" \t")
        return len(line) >= len(self.mark) and not line.strip(self.mark[0]) and _columns(text) < 4


class Html(NamedTuple):
    """An open block of HTML and what ends it."""

    end: re.Pattern[str]


PARAGRAPH = "paragraph"


def fenced(lines: Sequence[str]) -> Iterator[tuple[int, int, str, int]]:
    """The lines inside of fences: number, the column where the text begins, the fence's info and number."""
    reader = _Reader()
    for number, line in enumerate(lines):
        start = reader.read(line)
        if start is not None and isinstance(reader.leaf, Fence):
            yield number, start, reader.leaf.info, reader.count


class _Reader:
    """The open containers, the leaf in the innermost of them, and how many fences were opened."""

    def __init__(self) -> None:
        self.containers: list[int] = []
        self.leaf: Fence | Html | str | None = None
        self.empty = False  # the innermost list item has nothing yet but its marker
        self.count = 0

    def read(self, line: str) -> int | None:
        """Take a line; where its text begins if it lies in a fence."""
        cursor = _Cursor(line)
        matched = self._matched(cursor)
        if matched == len(self.containers) and isinstance(self.leaf, (Fence, Html)):
            return self._inside(self.leaf, cursor)
        self._begin(cursor, matched)
        return None

    def _matched(self, cursor: _Cursor) -> int:
        """How many of the open containers go on in this line."""
        for k, container in enumerate(self.containers):
            if container == QUOTE:
                if not cursor.quote():
                    return k
            elif cursor.blank:
                if self.empty and k == len(self.containers) - 1:
                    return k
            elif not cursor.skip(container):
                return k
        return len(self.containers)

    def _inside(self, leaf: Fence | Html, cursor: _Cursor) -> int | None:
        if isinstance(leaf, Html):
            if leaf.end.search(cursor.rest):
                self.leaf = None
            return None
        if leaf.closes(cursor.rest):
            self.leaf = None
            return None
        cursor.skip_up_to(leaf.indent)
        return cursor.at

    def _begin(self, cursor: _Cursor, matched: int) -> None:
        """Open what begins in a line, or go on with the paragraph that is open."""
        lazy = self.leaf == PARAGRAPH and matched < len(self.containers)
        # What the line begins, it begins in the containers that it is in; a paragraph in them is interrupted.
        paragraph = self.leaf == PARAGRAPH and not lazy
        while not cursor.blank and cursor.indent < 4:
            if cursor.quote():
                self._close(matched)
                self.containers.append(QUOTE)
            elif self._is_leaf(cursor, matched, paragraph, lazy):
                return
            elif (item := cursor.item(paragraph)) is not None:
                self._close(matched)
                self.containers.append(item)
                self.empty = cursor.blank
            else:
                break
            matched, lazy, paragraph = len(self.containers), False, False
        if lazy and not cursor.blank:
            return
        self._close(matched)
        if cursor.blank:
            self.leaf = None
        else:
            self.empty = False
            self.leaf = PARAGRAPH if paragraph or cursor.indent < 4 else None

    def _close(self, matched: int) -> None:
        """Close the containers that the line is not in, with what is in them."""
        if matched < len(self.containers):
            del self.containers[matched:]
            self.leaf, self.empty = None, False

    def _is_leaf(self, cursor: _Cursor, matched: int, paragraph: bool, lazy: bool) -> bool:
        """Is the rest of the line a leaf of its own: a fence, HTML, a heading or a break?"""
        rest = cursor.rest.lstrip(" \t")
        leaf: Fence | Html | None = None
        if found := _FENCE.match(rest):
            leaf = Fence(found[1] or found[3], cursor.indent, (found[2] or found[4] or "").strip())
            self.count += 1
        elif (html := _html(rest, paragraph or lazy)) is not None:
            leaf = None if html.end.search(rest) else html
        elif not (_HEADING.match(rest) or _BREAK.match(rest) or (paragraph and _UNDERLINE.match(rest))):
            return False
        self._close(matched)
        self.leaf, self.empty = leaf, False
        return True


def _html(rest: str, paragraph: bool) -> Html | None:
    """The block of HTML that begins with a text."""
    if not rest.startswith("<"):
        return None
    kinds = _HTML[:-1] if paragraph else _HTML
    return next((Html(end) for begin, end in kinds if begin.match(rest)), None)


class _Cursor:
    """A place in a line, which counts columns: a tab goes on to the next multiple of four."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = self.column = 0
        self.left = 0  # columns of a tab that were not skipped with the others

    @property
    def rest(self) -> str:
        return " " * self.left + self.line[self.at :]

    @property
    def blank(self) -> bool:
        return not self.line[self.at :].strip(" \t")

    @property
    def indent(self) -> int:
        """The columns of white space here."""
        column = self.column + self.left
        for c in self.line[self.at :]:
            if c == " ":
                column += 1
            elif c == "\t":
                column += 4 - column % 4
            else:
                break
        return column - self.column

    def skip(self, columns: int) -> bool:
        """Go on by so many columns of white space, if they are there."""
        if self.indent < columns:
            return False
        self.skip_up_to(columns)
        return True

    def skip_up_to(self, columns: int) -> None:
        """Go on by so many columns of white space, or fewer."""
        while columns > 0:
            if self.left:
                step = min(columns, self.left)
                self.left -= step
                self.column += step
                columns -= step
            elif self.line[self.at : self.at + 1] == " ":
                self.at, self.column, columns = self.at + 1, self.column + 1, columns - 1
            elif self.line[self.at : self.at + 1] == "\t":
                self.at, self.left = self.at + 1, 4 - self.column % 4
            else:
                return

    def quote(self) -> bool:
        """Go on behind the mark of a block quote, if it is here."""
        if self.indent > 3 or self.line[self.at :].lstrip(" \t")[:1] != ">":
            return False
        self.skip_up_to(4)
        self.at, self.column = self.at + 1, self.column + 1
        self.skip_up_to(1)
        return True

    def item(self, paragraph: bool) -> int | None:
        """Go on behind the marker of a list item; the columns that its content is indented by."""
        indent = self.indent
        found = _ITEM.match(self.line[self.at :].lstrip(" \t"))
        if found is None:
            return None
        behind = self.line[self.at :].lstrip(" \t")[found.end() :]
        if paragraph and (not behind.strip(" \t") or found[2] not in (None, "1")):
            return None
        self.skip_up_to(indent)
        self.at, self.column = self.at + found.end(), self.column + found.end()
        spaces = 1 if self.blank or self.indent > 4 else self.indent
        self.skip_up_to(spaces)
        return indent + found.end() + spaces


def _columns(text: str) -> int:
    return _Cursor(text).indent
