"""How a kind of picture and a format say what they are; `laycalc.render.collect` gathers what the modules say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .options import Options
    from .scene import Scene


@dataclass(frozen=True, slots=True)
class Picture:
    """A kind of picture: ``scene`` draws a value, or with ``several`` a list of values.

    ``takes`` says in words what it draws; ``options`` are the wishes that it grants beside those of the look, "name" or
    "name=one,other".
    ``asked_by`` are the values, in the words of `laycalc.render.described`, that become this picture by themselves.
    """

    name: str
    takes: str
    scene: Callable[[Any, Options], Scene]
    several: bool = False
    options: tuple[str, ...] = ()
    asked_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format, named like the ending of its files: ``write`` makes its text or bytes of a scene."""

    name: str
    write: Callable[[Scene], str | bytes]
