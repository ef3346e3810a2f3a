"""Arguments bound to the parameters of a signature: one that is left over is an error, so none is dropped in silence.

A signature is written as Python writes one, and is compiled once:

    signature("RegP(dims, order)")
    signature("empty(*size, dtype=None, device=None, memory_format=None)")

`bind` takes arguments of any notation, `bind_call` those of a Python call. Both give the arguments by the name of their
parameter, only those that were given; ``*size`` is a tuple that may be empty (and takes one list by its name, as torch
and numpy allow), ``**sizes`` a dictionary. Positions before a ``/`` have no name, parameters behind a ``*`` have no
position, those without a default must be given. A parameter that changes nothing is still named in the signature: to be
known and to be ignored are two things.

    fields = bind(signature("tile(rows, columns=1)"), text, [Argument("", 4, 5, 6), Argument("columns", 8, 8, 17)])

Raises LC103 at the argument that has no parameter, that comes twice, or at the call that lacks one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from laycalc.algebra.base.record import Record

from .pytext import position
from .reading import argument_error


class Argument(NamedTuple):
    """One argument of a foreign text: its name (empty by position), its value and its place."""

    name: str
    value: Any
    start: int
    end: int


class Signature(Record):
    """What a function is called and takes: by position, by name, and what must be given."""

    name: str
    positions: tuple[str, ...]
    names: frozenset[str]
    required: tuple[str, ...]
    rest: str = ""
    further: str = ""

    def takes(self) -> str:
        """How many positions there are, in words."""
        n = len(self.positions)
        return "no arguments by position" if n == 0 else "1 argument" if n == 1 else f"{n} arguments"


@cache
def signature(text: str) -> Signature:
    """The signature that a text ``name(parameters)`` writes."""
    (definition,) = ast.parse(f"def {text}: ...").body
    assert isinstance(definition, ast.FunctionDef)
    found = definition.args
    positions = [a.arg for a in (*found.posonlyargs, *found.args)]
    required = positions[: len(positions) - len(found.defaults)]
    required += [a.arg for a, d in zip(found.kwonlyargs, found.kw_defaults, strict=True) if d is None]
    return Signature(
        definition.name,
        tuple(positions),
        frozenset([*(a.arg for a in found.args), *(a.arg for a in found.kwonlyargs)]),
        tuple(required),
        found.vararg.arg if found.vararg else "",
        found.kwarg.arg if found.kwarg else "",
    )


def bind(
    to: Signature, source: str, arguments: Iterable[Argument], span: tuple[int, int] | None = None
) -> dict[str, Any]:
    """The value of each parameter that is given; ``span`` is the place of the call."""
    bound: dict[str, Any] = {to.rest: ()} if to.rest else {}
    further: dict[str, Any] = {}
    positions = iter(to.positions)
    for argument in arguments:
        name = _parameter(to, source, argument, positions)
        if name == to.rest and not (argument.name and bound[name]):
            bound[name] += (argument.value,)
            continue
        into = further if to.further and name not in to.names and argument.name else bound
        if name in into:
            raise _at(source, argument, f"{to.name} is given {name} twice")
        into[name] = argument.value
    if to.further:
        bound[to.further] = further
    missing = [name for name in to.required if name not in bound]
    if missing:
        raise argument_error(source, *(span or (0, len(source))), f"{to.name} is given no {missing[0]}")
    return bound


def _parameter(to: Signature, source: str, argument: Argument, positions: Iterator[str]) -> str:
    """The parameter that an argument belongs to; LC103 if there is none."""
    name = argument.name or next(positions, to.rest)
    if not name:
        raise _at(source, argument, f"{to.name} takes {to.takes()}, this is one more")
    if argument.name and name not in to.names and name != to.rest and not to.further:
        raise _at(source, argument, f"{to.name} has no argument {name}")
    return name


def bind_call(to: Signature, source: str, node: ast.Call) -> dict[str, Any]:
    """The arguments of a Python call as nodes of its tree."""
    return bind(to, source, _arguments(source, node), position(source, node))


def _arguments(source: str, node: ast.Call) -> Iterable[Argument]:
    for value in node.args:
        if isinstance(value, ast.Starred):
            raise argument_error(source, *position(source, value), "what a * unpacks is not known here")
        yield Argument("", value, *position(source, value))
    for keyword in node.keywords:
        place = position(source, keyword)
        if keyword.arg is None:
            raise argument_error(source, *place, "what a ** unpacks is not known here")
        yield Argument(keyword.arg, keyword.value, *place)


def _at(source: str, argument: Argument, message: str) -> Exception:
    return argument_error(source, argument.start, argument.end, message)
