"""What the expression language knows of a function, said at its definition.

    @word('''
        algebra: logical_divide(A: any-layout, B: operand) alias divide
        A o (B, B*): the tile, then the count of tiles
        law: R(c) = A(C(c)), C = (B, B*)
        logical_divide((8,16):(20,1), <4:1,8:2>)
        over: inside
    ''')
    def logical_divide(outer, tiler): ...

The first line, which may go on after a comma, has the family under which help and reference list the function, then the
signature with the kind of each argument: ``?`` if it may be left out, ``...`` if it may be repeated; after `` -> `` how
the result prints if not as a value, behind `` alias `` other names. Then come a sentence, the law, an example. ``over``
tells what the function sees where it is given more than a plain layout: the layout ``inside`` a swizzled layout or
tensor, or the ``shape`` of a layout.

The text is kept as it is: grammar/language/words.tsv is made of it, and a start reads that. Here nothing is parsed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

WORDS: dict[str, tuple[Callable[..., Any], str]] = {}
"""The words of the modules that were imported: name -> (function, what it says of itself)."""


def word(text: str) -> Callable[[_F], _F]:
    """Enter a function into the language; the function itself stays as it is."""

    def enter(function: _F) -> _F:
        name = text.partition("(")[0].rpartition(" ")[2]
        WORDS[name] = function, text
        return function

    return enter
