"""Foreign pieces in a text: each is read by the reader of its dialect, and the language goes on around it.

How a piece begins says what it is in: C++ and prints are read by `Terms`, Python by `Python`. A piece of C++ is an
operand with all that follows it; Python takes the whole statement if that is Python, so that its operators keep their
meaning there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from laycalc.diagnostics.model import Failure

from ...language.functions import find
from ...syntax import nodes
from ...syntax.lexer import Foreign
from ...syntax.nodes import Expression, Span
from ..reading.reading import Reading, Segment
from ..reading.spell import spelled
from ..reading.trees import layout
from .cpp_names import CPP
from .extents import operand_end, statement_at
from .python import Python
from .python_names import CLASSES, MODULES
from .rows import Row, rows_of
from .seen import Seen
from .terms import Terms

__all__ = ["Piece", "foreign_calls", "pieces", "reading", "several", "template_heads"]

# After one of these, and before one of those, a composition needs no brackets.
_LOOSE_BEFORE = "(,;=[{<\n"
_LOOSE_AFTER = "),;=]}>\n!"
_DECLARING = (
    "static|constexpr|const|inline|typename|using|auto|alias|var|Layout|ComposedLayout|Tensor|Swizzle|Shape|Stride|Tile"
    "|int|unsigned|bool|size_t|u?int(?:8|16|32|64)_t"
)
# The beginning of a statement, and a printed value that may stand behind a label there: no stride looks like it.
_LINE = r"(?:^|(?<=[;\n]))[ \t]*+(?!(?:assert|assume|for|let|include)\b)"
_VALUE = (
    r"\([^\n]*\)[ \t]*+:[ \t]*+[(\d_?]|_?\d++[ \t]*+:[ \t]*+_?\d|(?:S|Sw|Swizzle)<|\w*ptr[\[(<_]|\{[^\n]*\}[ \t]+o\b"
    r"|(?:cute::)?(?:Layout|ComposedLayout|[Tt]ensor|Shape|Tile)<|!cute\.|ArithTuple|Tile\b"
)
_WRITTEN_OUT = ("@layout", "@ordered", "@identity")
"""What the language computes too, and a reader only writes out."""
_RESERVED = frozenset({"o", "not", "and", "or", "assert", "assume", "given", "let", "for", "in", "include"})
_FAMILIES = {"mlir": "mlir", "printed": "printed", "tensor": "printed"}
_HALVES = re.compile(r"\s*+(?:cute::)?make_shape\(.*\)\s*+,\s*+(?:cute::)?make_stride\(.*\)\s*+;?\s*+", re.DOTALL)


class Piece(NamedTuple):
    """``text[start:end]`` is the node; without one it is ``words`` of the language, often none."""

    start: int
    end: int
    node: Expression | None
    words: str = ""


# ---- where pieces begin ----


@cache
def _heads() -> re.Pattern[str]:
    """How pieces begin; the groups are named by what reads them."""
    rows = rows_of(CPP)
    types = _any(name for name in _templates() if _is_value(name) and len(name) > 1 and name != "Swizzle")
    functions = _any(name for name in _templates() if not _is_value(name))
    calls = _any(foreign_calls())
    members = _any(name[1:] for name, found in rows.items() if name[0] == "." and any(row.call for row in found))
    classes = _any(name for name in rows_of(CLASSES) if "::" not in name)
    space = r"(?:gmem|smem|rmem|tmem|lmem|dsmem|raw|trans|sub|sparse<\d+>)"
    pointer = (
        rf"(?:{space}_)*(?:sub)?ptr(?:_\d+b|\[|\(0x|\(\(?nil|(?=\s+o\s)|<)|(?:{space}_)\["
        r"|(?:\w+::)*\w*Iterator(?=\s+o\s)|0[xX][0-9a-fA-F]+(?:@\w+)?(?=\s+o\s)|(?:ArithTuple\w*|counting_iter)\("
    )
    return re.compile(
        rf"""
          (?P<skip>"(?:[^"\\\n]|\\.)*"|\#[^\n]*|(?<!\S)//[^\n]*)
        | (?P<comment>/\*.*?\*/|\btypename\s++)
        | (?P<declared>{_LINE}(?:(?:{_DECLARING})\b(?:[ \t]+const\b)?[ \t]*+(?:&{{1,2}}[ \t]*+|(?<=[ \t])))+
            (?=[A-Za-z_]\w*\s*+=(?!=)))
        | (?P<label>{_LINE}(?P<name>[A-Za-z_]\w*(?:[ ][A-Za-z_]\w*){{0,3}})[ \t]*+:[ \t]*+(?={_VALUE}))
        | (?P<printed>\bS(?:w|wizzle)?<[^<>\n]*>(?:\s+o\s+|_)(?:{pointer})|(?<![\w.])(?:{pointer})
            |\bS<[^<>\n]*>(?=\s*+o\s))
        | (?P<tensor>\b[Tt]ensor<)
        | (?P<mlir>!cute\.[\w.]+<)
        | (?P<quoted><\s*+"(?=[^"\n]*"\s*>))
        | (?P<labelled>(?<![\w\])>])\(\s*+[A-Za-z_]\w*\s*+=(?!=))
        | (?P<python>(?<![\w.])(?:{_any(MODULES)})\.(?=[A-Za-z_])
            |(?<![\w.])(?:{classes})(?:\.(?:row|col)_major)?\s*+[(\[])
        | (?P<cpp>(?<![\w.])(?:::)?[A-Za-z_]\w*::(?=[A-Za-z_])|\b(?:{types})<|(?<![\w.])(?:{calls})\s*+\(
            |\b(?:SM\d+_\w+|UniversalFMA|DefaultCopy|AutoVectorizingCopy)(?=[<{{])|\b[A-Z]\w+<(?=[^;\n]{{0,400}}>\s*+\{{\s*+\}})|(?<![\w.])(?:{functions})(?=<[^;\n]{{0,400}}?>\s*+[({{:]|<[^;\n<>]++>)<
            |\bC(?=<\s*+(?:\(\w+\))?\s*+-?\d+\w*\s*+>)<|\b(?:E|Swizzle)(?=<[^<>]*+>\s*+\{{)<
            |(?<!\w)(?:_-?\d+|Layout(?:Left|Right)|Gen(?:Row|Col)Major)\s*+\{{\}}|(?<!\w)_-\d+
            |(?<![\w.])[A-Za-z_]\w*\.(?:{members})[(<])
        | (?P<either>(?<![\w.])(?:{_any(_shared())})\s*+\()
        """,
        re.VERBOSE | re.DOTALL,
    )


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(name) for name in names), key=len, reverse=True))


def template_heads() -> tuple[str, ...]:
    """How templates begin, ``Layout<``; a single letter may be any name."""
    return tuple(f"{name}<" for name in _templates() if len(name) > 1)


def _shared() -> list[str]:
    """The calls that C++ and the language have both, perhaps with another meaning."""
    return [name for name in rows_of(CPP) if name[0] not in ".:" and name not in foreign_calls() and find(name)]


def foreign_calls() -> tuple[str, ...]:
    """The calls of C++ that the language has not."""
    return tuple(
        name
        for name, found in rows_of(CPP).items()
        if name[0] != "." and find(name) is None and any(row.call and not row.template for row in found)
    )


def _is_value(name: str) -> bool:
    """Is a name with its template arguments complete, like a type?"""
    return any(row.call is None for row in rows_of(CPP)[name])


def _templates() -> list[str]:
    return [name for name, found in rows_of(CPP).items() if name[0] != "." and any(row.template for row in found)]


# ---- reading them ----


def found_in(text: str, seen: Seen) -> list[Piece]:
    """The foreign pieces of a text, from left to right; the statement of one that cannot be read is `nodes.Unread`."""
    found: list[Piece] = []
    position = 0
    while head := _heads().search(text, position):
        kind, start, position = head.lastgroup or "", head.start(), head.end()
        if kind == "skip":
            continue
        if kind == "either" and not _is_cpp(text, head):
            continue
        if kind in ("declared", "comment", "label"):
            found.append(Piece(start, position, None, _named(head["name"] or "") if kind == "label" else ""))
            continue
        try:
            piece, part = _python(text, start) if kind == "python" else _terms(text, start, head)
        except Failure as failure:
            piece, part = _unread(text, start, failure), Seen()
        while found and found[-1].end > piece.start:
            found.pop()  # Python takes its statement whole, and so does what cannot be read
        position = max(piece.end, position)
        seen.learn(part)
        found.append(piece)
    return found


def _unread(text: str, start: int, failure: Failure) -> Piece:
    """The statement around what cannot be read: the others keep their values."""
    span = statement_at(text, start)
    node = nodes.Unread(span, text[span.start : span.end], failure.diagnostic.replace(source=text))
    return Piece(*span, node)


def _is_cpp(text: str, head: re.Match[str]) -> bool:
    """Is a call that both have C++? If C++ stands in its brackets, and it means something else or a member follows."""
    end = operand_end(text, head.start())
    within = _heads().search(text, head.end(), end)
    while within is not None and within.lastgroup in ("skip", "either"):
        within = _heads().search(text, within.end(), end)
    if within is None or within.lastgroup != "cpp":
        return False
    name = head[0].rstrip("( \t\n")
    return text[end - 1] != ")" or "." in text[head.start() : end] or not _means_the_same(name)


@cache
def _means_the_same(name: str) -> bool:
    """Does each row of a name say what the language means by it?"""
    rows = [row for row in rows_of(CPP)[name] if row.template is None]
    return all(row.made.startswith((f"{name}(", *_WRITTEN_OUT)) and _keeps_order(row) for row in rows)


def _keeps_order(row: Row) -> bool:
    named = re.findall(r"\w+", row.made)[1:]
    return row.builder != "" or row.call is None or named == [*row.call.positions, *filter(None, [row.call.rest])]


def _named(name: str) -> str:
    """A label binds its name, unless that is one of the language."""
    return "" if not name.isidentifier() or name in _RESERVED or find(name) is not None else f"{name} = "


def _terms(text: str, start: int, head: re.Match[str]) -> tuple[Piece, Seen]:
    terms = Terms(text, start)
    node = terms.piece()
    kind = head.lastgroup or ""
    if kind == "printed" and re.match(r"S<[^>]*>\s*\Z", head[0]):
        terms.note(f"{head[0].strip()} has no element type beside it: its units are kept as written")
    terms.is_from(_FAMILIES.get(kind, "cpp" if kind == "cpp" else ""))
    return Piece(start, terms.end, node), terms


def _python(text: str, start: int) -> tuple[Piece, Seen]:
    """The whole statement if it is Python, else the operand that begins here."""
    statement = statement_at(text, start)
    whole = Python(text, *statement)
    try:
        whole.parse()
    except Failure:
        operand = Python(text, start, operand_end(text, start))
        operand.parse()
        if "//" in text[operand.end : statement.end]:
            raise  # what divides in Python is a comment of the language
        return Piece(start, operand.end, operand.whole()), operand
    return Piece(*statement, whole.whole()), whole


class _Rewriting:
    """A text whose foreign pieces are being replaced by text of the language, which carries their nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[str] = []
        self.segments: list[Segment] = []
        self.foreign: dict[int, Foreign] = {}
        self.copied = self.length = 0
        """How far the text is dealt with, and how long its replacement is."""

    def replace(self, piece: Piece) -> None:
        """Put the text of a node for a piece; nothing without one."""
        self.keep(piece.start)
        self.copied = piece.end
        if piece.node is None:
            self._put(piece.words)
            return
        chain = isinstance(piece.node, (nodes.Binary, nodes.Unary)) and not self._is_loose(piece)
        self.add("(" if chain else "", piece.node, ")" if chain else "")

    def add(self, before: str, node: Expression, after: str = "") -> None:
        """Put the text of a node, and what stands around it."""
        self._put(before)
        found = spelled(node, self.length)
        self.foreign[self.length] = Foreign.of(found.text, found.node)
        self.segments += found.segments
        self._put(found.text + after)

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def keep(self, end: int) -> None:
        """Keep the text of the language as it stands."""
        if end > self.copied:
            self.segments.append(Segment(self.length, self.length + end - self.copied, self.copied, end))
            self._put(self.text[self.copied : end])

    def _is_loose(self, piece: Piece) -> bool:
        """Do the neighbours of a piece bind less tightly than a composition?"""
        before, after = self.text[: piece.start].rstrip(" \t"), self.text[piece.end :].lstrip(" \t")
        return (not before or before[-1] in _LOOSE_BEFORE) and (not after or after[0] in _LOOSE_AFTER)

    def reading(self, form: str, seen: Seen) -> Reading:
        """The whole text with its pieces replaced."""
        return _reading("".join(self.parts), self.text, form or seen.family or "foreign", seen).replace(
            segments=tuple(self.segments), foreign=self.foreign
        )


def _reading(expression: str, source: str, form: str, seen: Seen) -> Reading:
    return Reading(
        form,
        expression,
        tuple(seen.notes),
        tuple(seen.titles),
        tuple((name, spelled(node).text) for name, node in seen.named),
        {"element_bits": seen.bits} if seen.bits else {},
        source=source,
    )


def reading(text: str, node: Expression, seen: Seen, form: str) -> Reading:
    """The reading of a node that all of the text is."""
    found = spelled(node)
    return _reading(found.text, text, form or seen.family, seen).replace(
        segments=found.segments, foreign={0: Foreign.of(found.text, found.node)}
    )


def several(text: str, found: Iterable[Expression], seen: Seen, form: str) -> Reading:
    """The reading of a text that has several layouts: as many results."""
    rewriting = _Rewriting(text)
    for node in found:
        rewriting.add("\n" if rewriting.length else "", node)
    return rewriting.reading(form, seen)


def pieces(text: str, form: str = "") -> Reading | None:
    """A text of the language with foreign pieces in it; None if there are none."""
    if len(text) < 5000 and _HALVES.fullmatch(text):
        return _halves(text)
    seen = Seen()
    rewriting = _Rewriting(text)
    for piece in found_in(text, seen):
        rewriting.replace(piece)
    if not rewriting.copied:
        return None
    rewriting.keep(len(text))
    return rewriting.reading(form, seen)


def _halves(text: str) -> Reading | None:
    """``make_shape(m, k), make_stride(k, Int<1>{})``: the two halves of a layout."""
    terms = Terms(text)
    first = terms.expression()
    if not terms.accept(","):
        return None
    node = layout(Span(0, len(text)), first, terms.whole())
    return reading(text, node, terms, "cpp")
