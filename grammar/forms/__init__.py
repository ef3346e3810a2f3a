"""Foreign notations: `recognise` what somebody pasted, `read_any` of a named form, `write` a value in one.

A text of the language itself costs `recognise` a few microseconds and imports nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .reading.reading import Reading
    from .registry import FORMS, Form

__all__ = ["FORMS", "Form", "Reading", "read_any", "recognise", "write"]

# What no text of the language holds by itself; one of them makes a closer look worth while.
_MARKS = (
    "{}", "_-", "::", "cute", "Shape<", "Layout<", "Stride<", "Int<", "Tile<", "tuple<", "ensor<", "S<", '<"',
    "ptr", "0x", "tmem_", "make_shape(", "make_stride(", "make_tile(", "make_coord(", "Layout(", "Layout.",
    "Swizzle(", "Tensor(", "Tile(", "LayoutLeft{", "stride=", "order=", "IntTuple(", "_major", "ArithTuple",
    "_iter(", "Iterator", "unable to", "ivisibility", "LShape", "Tiled", "Atom", "ermutation", "#ttg", "#triton",
    "!ttg", "register=", "memref<",
    "] ->", "]->", ") ->", ")->", "lambda", "transform:", "size=", "strides", "stride:", "torch.", "np.",
    "_strided", "_stride(", "reinterpret", "_sizes", "_bank_", "]{", "][", "f32[", "f16[", "s32[", "s8[", "u8[",
    "f64[",
    "s4[", "i32[", "i64[", "u32[", "pred[", "OrderBy(", "GroupBy(", "TTShape", "?key=", "\\", '"schema"', "using ",
    "auto ", "+--",
)  # fmt: skip


def recognise(text: str, shape: Any = None) -> Reading | None:
    """The reading of a pasted text that is no text of the language, else None.

    ``shape`` is that of the tensor, for forms that do not say it. Foreign pieces inside an expression are replaced
    where they stand, so that ``size(Layout<Shape<_4,_8>>{})`` is read too.

    Raises:
        Failure: if the text begins like a foreign form and is none (LC101), or denotes no layout (LC103).
    """
    for mark in _MARKS:
        if mark in text:
            break
    else:
        if "=" not in text or not _labelled(text):
            return None
    from .detect import detect

    return detect(text, shape)


def _labelled(text: str) -> bool:
    """Is there a ``(NAME=``, as labelled modes have it and neither a call nor a comparison does?"""
    position = text.find("=")
    while position >= 0:
        before, bracket, name = text[max(0, position - 64) : position].rpartition("(")
        if bracket and name.strip().isidentifier() and text[position + 1 : position + 2] != "=":
            last = before.rstrip()[-1:]
            if not (last.isalnum() or (last and last in "_])>")):
                return True
        position = text.find("=", position + 1)
    return False


def read_any(text: str, form: str | None = None, shape: Any = None) -> Reading:
    """Read a text of a form, or of whichever form it is; what `laycalc from` does.

    Beyond `recognise` it takes what is ambiguous in an expression: `` @ `` for composition, ``/`` with symbolic
    strides, one entry a line, and the forms that look like text of the language.

    >>> read_any("Layout((4, 8), (8, 1))").expression
    '(4,8):(8,1)'

    Raises:
        Failure: with the reason, if it is no text of the form.
    """
    from .detect import anything
    from .registry import find

    return anything(text, shape) if form is None else find(form).read(text, shape)


def write(value: Any, form: str, shape: Any = None) -> str:
    """The text of a value in a form; what `laycalc to` does.

    >>> from laycalc.algebra.values.layout import Layout
    >>> write(Layout((4, 8), (8, 1)), "cpp")
    'Layout<Shape<_4,_8>,Stride<_8,_1>>{}'

    Raises:
        Failure: LC103 with the reason, if the form has no such value.
    """
    from .registry import find

    return find(form).write(value, shape)


def __getattr__(name: str) -> Any:
    if name in ("FORMS", "Form"):
        from . import registry

        return getattr(registry, name)
    if name == "Reading":
        from .reading.reading import Reading

        return Reading
    raise AttributeError(name)
