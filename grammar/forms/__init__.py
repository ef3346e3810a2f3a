"""Foreign notations: `recognise` what somebody pasted, `read_any` of a named form, `write` a value in one.

A text of the language itself costs `recognise` a few microseconds and imports nothing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .gate import is_marked

if TYPE_CHECKING:
    from .reading.form import Form
    from .reading.reading import Reading

__all__ = ["forms", "read_any", "recognise", "write"]


def recognise(text: str, shape: Any = None) -> Reading | None:
    """The reading of a pasted text that is no text of the language, else None.

    ``shape`` is that of the tensor, for forms that do not say it. Foreign pieces inside an expression are replaced
    where they stand, so that ``size(Layout<Shape<_4,_8>>{})`` is read too.

    Raises:
        Failure: if the text begins like a foreign form and is none (LC101), or denotes no layout (LC103).
    """
    if not is_marked(text):
        return None
    from .detect import detect

    return detect(text, shape)


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
    from .registry import find, read_as

    return anything(text, shape) if form is None else read_as(find(form), text, shape)


def write(value: Any, form: str, shape: Any = None) -> str:
    """The text of a value in a form; what `laycalc to` does.

    >>> from laycalc.algebra.values.layout import Layout
    >>> write(Layout((4, 8), (8, 1)), "cpp")
    'Layout<Shape<_4,_8>,Stride<_8,_1>>{}'

    Raises:
        Failure: LC103 with the reason, if the form has no such value.
    """
    from .registry import find, write_as

    return write_as(find(form), value, shape)


def forms() -> dict[str, Form]:
    """Every form by its name, the modules of all of them imported."""
    from .index import INDEX
    from .registry import load

    return {entry.name: load(entry) for entry in INDEX}
