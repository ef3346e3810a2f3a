"""The manual: a page for each code, kept beside the code; its examples are executed by the tests."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from laycalc.algebra.base.record import Record

__all__ = ["Page", "page", "read"]

_FENCE = re.compile(r"^```layout\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Page(Record):
    """A page in parts: ``example`` fails with the code, ``repair`` does not; both are texts of the language."""

    text: str
    example: str = ""
    repair: str = ""


@cache
def page(code: str) -> str:
    """The page of a code as Markdown; empty if there is none."""
    try:
        return files(__package__).joinpath("pages", f"{code}.md").read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def read(code: str) -> Page:
    """The page of a code with the example and the repair taken out."""
    text = page(code)
    found = {title: _section(text, title) for title in ("Example", "Repair")}
    return Page(text, found["Example"], found["Repair"])


def _section(text: str, title: str) -> str:
    """The first block of the language below a heading."""
    _, _, rest = text.partition(f"\n## {title}\n")
    block = _FENCE.search(rest.partition("\n## ")[0])
    return block[1].strip() if block else ""
