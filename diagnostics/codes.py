"""The codes. A code is one file, ``pages/LCnnn.md``: its name, what is said at its labels, and its page."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from laycalc.algebra.base.record import Record

_PAGES = os.path.join(os.path.dirname(__file__), "pages")
_LAYOUT = re.compile(r"^```layout\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Code(Record):
    """One code.

    ``left`` and ``right`` are templates over the facts of the error, shown under the guilty modes of the operands; of
    several, separated by ``|``, the first counts for which all facts are there. ``{this}`` is "this mode", or which
    mode of a name it is. ``cutlass`` is what CUTLASS does with the same input, where that is always the same.
    ``repairs`` names the ways in which calls that work are looked for.
    """

    code: str
    name: str
    title: str
    severity: str
    left: str = ""
    right: str = ""
    cutlass: str = ""
    repairs: tuple[str, ...] = ()
    about: str = ""

    @property
    def page(self) -> str:
        """The page of the manual, as Markdown."""
        return f"# {self.code} {self.name}\n\n{self.title}.\n\n{self.about}"

    @property
    def example(self) -> str:
        """A text of the language that fails with the code."""
        return self._section("Example")

    @property
    def repair(self) -> str:
        """The example as it should be."""
        return self._section("Repair")

    def _section(self, title: str) -> str:
        _, _, rest = self.about.partition(f"\n## {title}\n")
        block = _LAYOUT.search(rest.partition("\n## ")[0])
        return block[1].strip() if block else ""

    def label(self, side: str, facts: Mapping[str, Any], this: str = "") -> str:
        """The remark for ``left`` or ``right``, perhaps none; ``this`` names a mode that is not written out."""
        for template in (self.left if side == "left" else self.right).split(" | "):
            try:
                text = template.format(this=this or "this mode", **facts)
            except (KeyError, IndexError):
                continue
            return f"{this}: {text}" if this and text and "{this}" not in template else text or this
        return this


@cache
def code_of(code: str) -> Code:
    """The entry of a code, read when it is asked for; KeyError if there is none."""
    try:
        with open(os.path.join(_PAGES, f"{code}.md"), encoding="utf-8") as file:
            _, head, about = file.read().split("---\n", 2)
    except FileNotFoundError:
        raise KeyError(code) from None
    entries = (line.partition(": ") for line in head.splitlines())
    fields: dict[str, Any] = {key: value.strip('"') for key, _, value in entries}
    if "repairs" in fields:
        fields["repairs"] = tuple(fields["repairs"].split(", "))
    return Code(code, about=about.lstrip("\n"), **fields)


@cache
def codes() -> Mapping[str, Code]:
    """Every code, in order; the start of the program does without."""
    found = sorted(file.removesuffix(".md") for file in os.listdir(_PAGES))
    return {code: code_of(code) for code in found}


def exit_of(code: str) -> int:
    """The exit code of an error: 1 for a finding, 2 for bad text, 3 for our own fault."""
    return {"LC1": 2, "LC9": 3}.get(code[:3], 1)
