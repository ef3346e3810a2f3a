"""The language in a cell of a notebook: ``%load_ext laycalc.magic``, then ``%%laycalc``.

    %%laycalc tile=8x8 theme=dark
    A = ((4,8),2):((16,1),8)
    A

The line behind the magic has options of the picture, as `laycalc draw` has them, and ``-D NAME=EXPR``. Values of Python
are there under their names; what the cell binds is bound in Python afterwards. The last expression is the cell's value,
with its picture where it has one.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.given import define
from laycalc.grammar.run.scope import Deferred, Scope
from laycalc.grammar.run.statements import run
from laycalc.grammar.syntax import nodes
from laycalc.render.reports.style import style_for
from laycalc.render.reports.text import diagnostic_text

from .notebook import picture

__all__ = ["Shown", "evaluate_cell", "load_ipython_extension"]

_VALUES = (int, tuple, Layout, Composed, Tensor, Tiler, Swizzle)
"""The values of Python that a cell sees."""
_NUMBERS = frozenset({"wrap", "bits", "access", "vector", "limit", "warp"})
_SWITCHES = {"true": True, "yes": True, "false": False, "no": False}


class Shown:
    """The value of a cell: its text, and the picture that goes with it."""

    def __init__(self, value: Any, text: str, svg: str = "") -> None:
        self.value = value
        self.text = text
        self.svg = svg

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """What a notebook chooses from."""
        return {"text/plain": self.text} | ({"image/svg+xml": self.svg} if self.svg else {})


def load_ipython_extension(shell: Any) -> None:
    """What ``%load_ext`` calls."""

    def magic(line: str, cell: str) -> Shown | None:
        """Evaluate a cell of layouts."""
        return evaluate_cell(line, cell, shell.user_ns)

    shell.register_magic_function(magic, "cell", "laycalc")


def evaluate_cell(line: str, cell: str, names: dict[str, Any]) -> Shown | None:
    """The value of a cell; diagnostics go to standard error, what the cell binds into ``names``."""
    try:
        definitions, wishes = _options(line)
        scope = Scope(names={name: value for name, value in names.items() if _seen(name, value)})
        for text in definitions:
            define(scope, text)
        return _run(cell, scope, wishes, names)
    except Failure as failure:
        _complain(failure.diagnostic)
    except LayoutError as error:
        _complain(Diagnostic(error.code, str(error)))
    return None


def _seen(name: str, value: Any) -> bool:
    return not name.startswith("_") and isinstance(value, _VALUES)


def _options(line: str) -> tuple[list[str], dict[str, Any]]:
    """The definitions and the options of the picture behind the magic; LC103 for anything else."""
    definitions: list[str] = []
    wishes: dict[str, Any] = {}
    words = iter(shlex.split(line))
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        if word == "-D":
            definitions.append(next(words, ""))
        elif equals and name.replace("-", "_").isidentifier():
            wishes[name.replace("-", "_")] = _wish(name, value)
        else:
            raise Failure(Diagnostic("LC103", f"%%laycalc takes options such as tile=8x8 and -D M=4, not {word}"))
    return definitions, wishes


def _wish(name: str, value: str) -> Any:
    if name in _NUMBERS and value.isdecimal():
        return int(value)
    return _SWITCHES.get(value.lower(), value)


def _run(cell: str, scope: Scope, wishes: Mapping[str, Any], names: dict[str, Any]) -> Shown | None:
    shown: list[Any] = []
    for outcome in run(cell, scope):
        for note in outcome.notes:
            print(f"note: {note}", file=sys.stderr)
        for warning in outcome.warnings:
            _complain(warning)
        if outcome.error is not None:
            _complain(outcome.error)
        elif isinstance(outcome.statement, nodes.Let):
            _bind(outcome.statement.name, scope, names)
        elif isinstance(outcome.statement, nodes.Evaluate):
            shown.append(outcome.value if outcome.report is None else outcome.report)
    return _shown(shown, wishes) if shown else None


def _bind(name: str, scope: Scope, names: dict[str, Any]) -> None:
    value = scope.names.get(name)
    if not isinstance(value, Deferred):
        names[name] = value


def _shown(values: list[Any], wishes: Mapping[str, Any]) -> Shown:
    """The last value with its picture; all values together where the kind of picture takes several."""
    from laycalc.render.draw import draw

    value = values[-1]
    text = text_of(value) if not hasattr(value, "verdict") else str(value)
    if not wishes:
        return Shown(value, text, picture(value) or "")
    try:
        return Shown(value, text, str(draw(values if "kind" in wishes and len(values) > 1 else value, **wishes)))
    except (LayoutError, TypeError) as error:
        _complain(Diagnostic("LC103", f"there is no such picture: {error}"))
    return Shown(value, text)


def _complain(diagnostic: Diagnostic) -> None:
    print(diagnostic_text(diagnostic, style_for(sys.stderr)), file=sys.stderr)
