"""Gathers the gallery into examples.json, which the page offers; part of `python -m laycalc.generate`."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

__all__ = ["FILE", "gathered"]

FILE = Path(__file__).resolve().parent / "page" / "examples.json"
GALLERY = Path(__file__).resolve().parents[1] / "gallery"

_HEADER = re.compile(r"#\s*(\w+): (.*)")
_WORDS: dict[str, Any] = {"True": True, "False": False}


def gathered() -> str:
    """Every figure of the gallery: its title, what is said of it, its expressions and the options of its picture."""
    paths = sorted(GALLERY.glob("*.layout"), key=lambda path: (not path.stem.startswith("fig"), path.stem))
    return (
        json.dumps([_example(path.read_text(encoding="utf-8")) for path in paths], indent=1, ensure_ascii=False) + "\n"
    )


def _example(text: str) -> dict[str, Any]:
    header = {found[1]: found[2] for line in text.splitlines() if (found := _HEADER.match(line))}
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    options = dict(_option(word) for word in shlex.split(header.get("draw", "")))
    return {"title": header["title"], "note": header.get("note", ""), "text": body, "options": options}


def _option(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    return name.replace("-", "_"), int(value) if value.isdecimal() else _WORDS.get(value, value)
