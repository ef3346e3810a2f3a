"""What a command is: a function of arguments with its place, its help and examples, and one guard around its work."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.render.reports.json import result_object

from .output import complain, write_json

__all__ = ["Command", "command", "guarded"]


class Command(Record):
    """One command: ``place`` orders the list of all, ``help`` is its line there, ``work`` has the arguments."""

    place: int
    help: str
    examples: tuple[str, ...]
    work: Callable[..., int]

    def __call__(self, *args: Any, **kwargs: Any) -> int:
        """Do the work with the guard around it."""
        return guarded(lambda: self.work(*args, **kwargs), as_json=bool(kwargs.get("as_json")))

    def as_function(self) -> Callable[..., int]:
        """The same as a function, whose arguments typer can read."""

        @wraps(self.work)
        def run(*args: Any, **kwargs: Any) -> int:
            return self(*args, **kwargs)

        return run


def command(place: int, help: str, *examples: str) -> Callable[[Callable[..., int]], Command]:
    """Make a function the command of its module, whose name is that of the command.

    The docstring is the command's own help, ``help`` its line in the list, and each example a command line that works.
    """
    return lambda work: Command(place, help, examples, work)


def guarded(work: Callable[[], int], *, as_json: bool = False) -> int:
    """Do a command's work; a failure is shown, with --json as the one object, and becomes the exit code."""
    try:
        return work()
    except Failure as failure:
        diagnostic = failure.diagnostic
    except LayoutError as error:
        diagnostic = Diagnostic(error.code, str(error))
    if as_json:
        write_json(result_object(diagnostic.source, "", "", diagnostic, ()))
    else:
        complain([diagnostic])
    return diagnostic.exit_code
