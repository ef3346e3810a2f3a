"""What is given beside a text: definitions NAME=EXPR, and the shape of a tensor."""

from __future__ import annotations

from collections.abc import Iterable

from laycalc.diagnostics.model import Diagnostic, Failure

from .scope import Scope, Settings
from .statements import evaluate

__all__ = ["define", "scope_of", "shape_of"]


def scope_of(
    definitions: Iterable[str] | None = None,
    *,
    verify: int = 256,
    strict: bool = False,
    ragged: bool = False,
    written: bool = False,
) -> Scope:
    """A scope with the names that -D NAME=EXPR binds; with ``written`` their texts are kept for another language."""
    given = tuple(definitions or ())
    scope = Scope(Settings(verify=verify, strict=strict, ragged=ragged, given=given if written else ()))
    for text in () if written else given:
        define(scope, text)
    return scope


def define(scope: Scope, text: str) -> None:
    """Bind one NAME=EXPR; LC103 if it is not of that form."""
    name, equals, expression = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise Failure(Diagnostic("LC103", f"-D wants NAME=VALUE, not {text}"))
    value = evaluate(expression, scope)
    if value is None:
        raise Failure(Diagnostic("LC103", f"-D wants NAME=VALUE, not {text}"))
    scope.names[name.strip()] = value


def shape_of(text: str) -> tuple[int, ...] | None:
    """``128x64`` as a shape, None for an empty text; LC103 for anything else."""
    if not text:
        return None
    try:
        shape = tuple(int(part) for part in text.lower().strip("() ").replace(",", "x").split("x"))
    except ValueError:
        shape = ()
    if not shape or min(shape) < 1:
        raise Failure(Diagnostic("LC103", f"a shape is written 128x64, not {text}"))
    return shape
