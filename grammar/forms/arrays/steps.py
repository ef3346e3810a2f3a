"""What the functions of a library do to views: each a signature and a function from a view to a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ..reading.signatures import Signature, signature

_Function = Callable[..., Any]
_F = TypeVar("_F", bound=_Function)


class Step(NamedTuple):
    """What a function takes, and what it gives: a view, or several."""

    text: str
    apply: _Function
    views: tuple[str, ...] = ()
    """Arguments that are arrays too."""

    @property
    def to(self) -> Signature:
        """The signature, which is compiled when the function is first called."""
        return signature(self.text)


class Library:
    """The functions of a library by name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.makers: dict[str, Step] = {}
        """Functions of the module that make an array."""
        self.methods: dict[str, Step] = {}
        """Methods of an array."""
        self.functions: dict[str, Step] = {}
        """Functions of the module that take an array first."""
        self.attributes: dict[str, _Function] = {}

    def maker(self, *texts: str) -> Callable[[_F], _F]:
        """Functions that make an array, by their signatures."""
        return self._put(self.makers, texts, ())

    def method(self, *texts: str, views: tuple[str, ...] = ()) -> Callable[[_F], _F]:
        """Methods, by their signatures without the array."""
        return self._put(self.methods, texts, views)

    def function(self, *texts: str, views: tuple[str, ...] = ()) -> Callable[[_F], _F]:
        """Functions of the module whose first parameter is the array."""
        return self._put(self.functions, texts, views)

    def both(self, *texts: str, first: str = "input, ", views: tuple[str, ...] = ()) -> Callable[[_F], _F]:
        """Methods that are functions of the module too, with the array in front."""

        def put(apply: _F) -> _F:
            self.method(*texts, views=views)(apply)
            return self.function(*(text.replace("(", f"({first}", 1) for text in texts), views=views)(apply)

        return put

    def attribute(self, *names: str) -> Callable[[_F], _F]:
        """Attributes that are views."""

        def put(apply: _F) -> _F:
            self.attributes.update(dict.fromkeys(names, apply))
            return apply

        return put

    def _put(self, into: dict[str, Step], texts: tuple[str, ...], views: tuple[str, ...]) -> Callable[[_F], _F]:
        def put(apply: _F) -> _F:
            into.update({text.partition("(")[0]: Step(text, apply, views) for text in texts})
            return apply

        return put


def listed(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """``(2, 3)`` and ``((2, 3),)`` are the same sizes."""
    if len(given) == 1 and isinstance(given[0], (list, tuple)):
        return tuple(given[0])
    return given


def axes(given: Any) -> tuple[Any, ...]:
    """One dimension or several."""
    return tuple(given) if isinstance(given, (list, tuple)) else (given,)
