"""What ``print`` writes: layouts with underscores, pointers of every kind before `` o ``, labelled modes, tables."""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ...syntax import nodes
from ..dialects.pieces import reading
from ..dialects.terms import Terms
from ..dialects.whole import read_terms
from ..reading.form import Form
from ..reading.reading import Reading, cannot, leaf_text

__all__ = ["FORM"]

_TABLE = re.compile(r"\n(?=[ \t]*+(?:\+-|[|]|-?(?:[0-9.]|nan|inf))[-+0-9.eE|nainf \t]*+$)", re.MULTILINE)
_NAMED = re.compile(r"\s*+(?P<name>[A-Za-z_][\w ]{0,60}?)\s*+(?::|=(?!=))\s*+(?=[(<\[]?[\s(<\[_?]*[0-9_?\"])")
_TILER = re.compile(r"(?i)permutation|tiler?")
_DATA = re.compile(r"\s*+tensor\((?P<inner>.*?)\bdata\s*+=", re.DOTALL)


def read(text: str, shape: Any = None) -> Reading:
    """A printed layout or tensor, with the pointer in front and the table behind it."""
    found = document(text)
    return found if found is not None else read_terms(text, "printed")


def document(text: str) -> Reading | None:
    """A whole print: a header line with its values below, ``tensor(.., data=``, ``PermutationMNK: (..)``."""
    if data := _DATA.match(text):
        inner = data["inner"].rstrip().removesuffix(",")
        start = data.start("inner")
        return _noted(text, Terms(text, start, start + len(inner)), "the printed values were not read")
    end, note = len(text), ""
    if (table := _TABLE.search(text)) and ":" in text[: table.start()] and "=" not in text[: table.start()]:
        end, note = table.start(), "the printed table was not read"
    named = _NAMED.match(text, 0, end)
    if named and text[named.end() - 1] != "=" and "\n" not in text[:end].strip():
        name = named["name"].replace(" ", "")
        if _TILER.match(name):
            return _labelled(text, named.end(), end, name, note)
        if not note:
            return None
    return _noted(text, Terms(text, 0, end), note) if note else None


def _noted(text: str, terms: Terms, note: str) -> Reading:
    node = terms.whole()
    terms.note(note)
    return reading(text, node, terms, "printed")


def _labelled(text: str, start: int, end: int, name: str, note: str) -> Reading:
    """``PermutationMNK: (..)``: a list in round brackets is a tiler here."""
    terms = Terms(text, start, end)
    node = terms.whole()
    if isinstance(node, nodes.Tuple):
        node = nodes.Tiler(node.span, node.items)
    terms.note(f"the name {name} was dropped")
    if note:
        terms.note(note)
    return reading(text, node, terms, "printed")


def write(value: Any, shape: Any = None) -> str:
    """As C++ ``print`` writes it: every static integer with an underscore."""
    if isinstance(value, Tensor) and value.layout is None:
        raise cannot("a tensor without free modes is a single value, which print has no layout for")
    if any(isinstance(d, Xor) for d in _strides(value)):
        raise cannot("C++ CuTe prints no XOR strides")
    return _printed(value)


def _strides(value: Any) -> tuple[Any, ...]:
    inner = getattr(value, "layout", value)
    return inner.flat()[1] if isinstance(inner, Layout) else ()


def _printed(x: Any) -> str:
    match x:
        case tuple():
            return "(" + ",".join(map(_printed, x)) + ")"
        case None:
            return "_"
        case bool():
            return str(x).lower()
        case int():
            return f"_{x}"
        case Coordinate():
            if x.basis is None:
                raise cannot(f"C++ CuTe scales one basis element a stride; {x} is a sum of several")
            path, factor = x.basis
            return _printed(factor) + "".join(f"@{i}" for i in reversed(path))
        case Layout():
            return f"{_printed(x.shape)}:{_printed(x.stride)}"
        case Swizzle():
            return str(x)
        case Composed():
            return f"{x.swizzle} o {_printed(x.offset)} o {_printed(x.layout)}"
        case Tensor():
            return _tensor(x)
        case Tiler(modes=modes):
            return _tiler(modes)
    return leaf_text(x)


def _tensor(x: Tensor) -> str:
    if isinstance(x.layout, Layout) and x.layout.semimodule == "Z^P":
        return f"ArithTuple{_underscored(x.offset_text())} o {_printed(x.layout)}"
    return f"counting_iter({x.offset}) o {_printed(x.layout)}"


def _tiler(modes: tuple[Any, ...]) -> str:
    """In round brackets, where only layouts beside integers tell a tiler from a tuple."""
    if not any(isinstance(m, Layout) for m in modes) or not any(type(m) is int or m is None for m in modes):
        raise cannot("print writes a tiler in round brackets, where only layouts beside integers tell it from a tuple")
    if any(isinstance(m, Tiler) for m in modes):
        raise cannot("print writes a tiler in round brackets, where a nested one reads as a tuple")
    return "(" + ",".join(map(_printed, modes)) + ")"


def _underscored(text: str) -> str:
    return re.sub(r"(?<![\w])(-?)([0-9]+)", r"\1_\2", text)


FORM = Form(
    name="printed",
    title="what CuTe C++ prints",
    example="gmem_ptr[16b](0x7f83a0000000) o (_4,_8):(_1,_4)",
    aliases=("print", "cute-print"),
    marks=(
        "S<", "ptr", "0x", "tmem_", "ArithTuple", "_iter(", "Iterator", "ermutation", '<"', "ensor<", "+--", "_-",
        "\x1b[", "`", "print(",
    ),
    recognise=lambda text: document(text) is not None,
    order=200,
    read=read,
    write=write,
    surplus=(
        "gmem_ptr[16b](0x7f00, padded) o (_4,_8):(_1,_4)",
        "ptr<f16, gmem, strided<3>> o 4:1",
        "ptr[16b](0x7f00) o (_4,_8):(_1,_4) aligned",
    ),
)  # fmt: skip
