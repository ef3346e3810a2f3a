"""A foreign notation as one record, ``FORM = Form(..)``, which stands at the end of the module that reads it.

`registry` finds every such record and writes down in `index.py` what must be known before a module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laycalc.algebra.base.record import Record

from .reading import Reading

__all__ = ["Form"]


class Form(Record):
    """How a notation is called, what it is, one line of it, and how it is recognised, read and written.

    ``read(text, shape)`` takes the shape of the tensor, or None; so does ``write(value, shape)``, and
    ``write_kernel(value)`` writes values of ``kinds``: instructions and tilings of them, unless it says otherwise.
    ``lost`` says what a reading drops. A text in which one of the ``marks`` stands gets a closer look, so a mark is
    something that no text of the language has by itself. `recognise` then says whether all of the text is of this form.
    Without it the marks are those of pieces that may stand inside an expression, which `cute.pieces` reads. `guess`
    says the same of a text that resembles an expression, and is asked by ``laycalc from`` alone.

    Each text of ``surplus`` has one argument, keyword, attribute, field or constraint more than the form knows; a test
    finds every one refused.

    Forms are tried by rising ``order``: the narrower the heads of a form, the earlier.
    """

    name: str
    title: str
    example: str
    read: Callable[[str, Any], Reading]
    write: Callable[[Any, Any], str] | None = None
    write_kernel: Callable[[Any], str] | None = None
    kinds: tuple[str, ...] = ("atom", "copy atom", "tiled MMA", "tiled copy")
    recognise: Callable[[str], bool] | None = None
    guess: Callable[[str], bool] | None = None
    marks: tuple[str, ...] = ()
    order: int = 100
    aliases: tuple[str, ...] = ()
    lost: str = ""
    surplus: tuple[str, ...] = ()
