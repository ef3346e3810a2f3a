"""The functions of the language as functions of Python: arguments are checked, results are plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from sys import modules
from typing import Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.base.words import WORDS
from laycalc.algebra.values.htuple import plain
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.tiler import Tiler
from laycalc.grammar.language.coerce import coerce
from laycalc.grammar.language.functions import Function, Parameter, find
from laycalc.grammar.language.values import Text

__all__ = ["function"]

_AT_ONCE = frozenset({"layout", "any-layout", "outer", "operand", "plain-operand", "tensor", "modes", "any"})
"""Kinds that a plain layout is of as it stands."""

_SYMBOLIC = "laycalc.algebra.symbolic.poly"
"""The module of unknown numbers; as long as it is not imported there are none."""


def function(name: str) -> Callable[..., Any]:
    """The function of the language with this name or alias, for calls from Python.

    >>> function("cosize")(Layout((4, 8), (1, 5)))
    39
    """
    row = find(name)
    if row is None:
        raise refuse("LC102", "unknown name {name}", op="call", name=name)
    target, kinds, counts = row.load(), [p.kind for p in row.parameters], _counts(row.parameters)
    quick = _quick(row, kinds, counts)

    def call(*args: Any, **keywords: Any) -> Any:
        given = args
        try:
            if args and not keywords and type(args[0]) is Layout and _SYMBOLIC not in modules:
                found = quick(args)
                if found is not None:
                    return found
            given = _given(row, kinds, counts, args, keywords)
            return _answer(row.name, target, given)
        except LayoutError as error:
            error.call = error.call or (row.name, given)
            raise
        except (RecursionError, MemoryError, OverflowError):
            raise refuse("LC104", "{op} of these arguments is beyond what a machine holds", op=name) from None

    call.__name__ = call.__qualname__ = name
    call.__module__ = "laycalc"
    call.__doc__ = _said(row, target)
    return call


def _quick(row: Function, kinds: list[str], counts: range) -> Callable[[tuple[Any, ...]], Any]:
    """The function on layouts of known numbers, which need no conversion: what is called a million times comes first.

    It answers None for other arguments than a layout, or a layout with a second one or a bare shape.
    """
    direct = WORDS[row.name][0] if row.over == "inside" else row.load()
    one = 1 in counts and kinds[0] in _AT_ONCE
    two = 2 in counts and {kinds[0], kinds[min(1, len(kinds) - 1)]} <= _AT_ONCE
    tiled = two and kinds[1:2] == ["operand"]

    def answer(args: tuple[Any, ...]) -> Any:
        if len(args) == 1:
            return direct(args[0]) if one else None
        if not two or len(args) > 2:
            return None
        x, y = args
        if type(y) is Layout:
            return direct(x, y)
        return direct(x, Tiler(y)) if tiled and type(y) is tuple and set(map(type, y)) == {int} else None

    return answer


def _answer(name: str, target: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """What a function gives, for all values of unknown numbers among its arguments."""
    if _SYMBOLIC in modules and any(map(_is_symbolic, given)):
        from .unknowns import answer

        return answer(name, target, given)
    return target(*given)


def _given(row: Function, kinds: list[str], counts: range, args: tuple[Any, ...], keywords: Any) -> tuple[Any, ...]:
    """The arguments in order, each of its kind."""
    if keywords or len(args) not in counts:
        args = _placed(row, args, keywords)
    return tuple(
        x if type(x) is Layout and kind in _AT_ONCE else _argument(x, kind, row, i)
        for i, (x, kind) in enumerate(zip(args, _repeated(kinds, len(args)), strict=True))
    )


def _is_symbolic(value: Any) -> bool:
    from laycalc.algebra.symbolic.values import is_symbolic

    return is_symbolic(value)


def _counts(parameters: tuple[Parameter, ...]) -> range:
    """How many arguments a call may have by place."""
    least = sum(not p.optional for p in parameters)
    return range(least, 1 << 62 if parameters and parameters[-1].many else len(parameters) + 1)


def _repeated(kinds: list[str], count: int) -> list[str]:
    return kinds[:count] if count <= len(kinds) else [*kinds, *kinds[-1:] * (count - len(kinds))]


def _placed(row: Function, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments by place; LC103 if one is missing, unknown or given twice."""
    names = [p.name for p in row.parameters]
    left = {name.removesuffix("_"): value for name, value in keywords.items()}
    found = list(args)
    for p in row.parameters[len(args) :]:
        if p.name in left:
            found.append(left.pop(p.name))
        elif not p.optional:
            raise _misfit(row, f"needs {p.name}")
        elif any(name in left for name in names[len(found) :]):
            found.append(None)
        else:
            break
    if left:
        raise _misfit(row, f"has no argument {next(iter(left))}, or it is given twice")
    if len(found) not in _counts(row.parameters):
        raise _misfit(row, f"takes {len(names)} arguments, {len(found)} were given")
    return tuple(found)


def _misfit(row: Function, said: str) -> LayoutError:
    return refuse("LC103", "{signature} {said}", op=row.name, signature=row.signature, said=said)


def _argument(value: Any, kind: str, row: Function, place: int) -> Any:
    """A value of Python as an argument of a kind."""
    parameter = row.parameters[min(place, len(row.parameters) - 1)]
    if value is None and parameter.optional:
        return None
    if isinstance(value, str):
        value = Text(value)
    elif not isinstance(value, Layout):
        value = plain(value)
    return coerce(value, kind, row.name, parameter.name)


def _said(row: Function, target: Callable[..., Any]) -> str:
    """The docstring: the signature of the language, its law, and what the function says of itself."""
    law = f"\n\nLaw: {row.law}" if row.law else ""
    return f"{row.signature}: {row.help}.{law}\n\nIn the language: ``{row.example}``"
