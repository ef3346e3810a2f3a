"""What the shell completes: values of options and names, each list made when the tab key asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = ["atoms", "check_formats", "codes", "forms", "functions", "kinds", "picture_formats", "themes"]

MOST = 400
"""Names that are offered; there are some thousand atoms."""

Complete = Callable[[str], list[str]]


def _beginning(names: Callable[[], Iterable[str]]) -> Complete:
    """Those names that begin with what is typed, whatever the case of its letters."""

    def complete(incomplete: str) -> list[str]:
        start = incomplete.casefold()
        return [name for name in names() if name.casefold().startswith(start)][:MOST]

    return complete


def _atoms() -> Iterable[str]:
    from laycalc.atoms.instructions.catalogue import entries

    return (entry.name for entry in entries())


def _codes() -> Iterable[str]:
    from laycalc.diagnostics.codes import codes as known

    return known()


def _functions() -> Iterable[str]:
    from laycalc.grammar.language.functions import functions as known

    return (row.name for row in known())


def _forms() -> Iterable[str]:
    from laycalc.grammar.forms import forms as known

    return known()


def _kinds() -> Iterable[str]:
    from laycalc.render.index import PICTURES

    return PICTURES


def _picture_formats() -> Iterable[str]:
    from laycalc.render.index import FORMATS

    return FORMATS


def _check_formats() -> Iterable[str]:
    from laycalc.render.reports.checks import FORMATS

    return FORMATS


def _themes() -> Iterable[str]:
    from laycalc.render.scene.palette import THEMES

    return THEMES


atoms = _beginning(_atoms)
codes = _beginning(_codes)
functions = _beginning(_functions)
forms = _beginning(_forms)
kinds = _beginning(_kinds)
picture_formats = _beginning(_picture_formats)
check_formats = _beginning(_check_formats)
themes = _beginning(_themes)
