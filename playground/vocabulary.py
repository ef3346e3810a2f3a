"""What the page knows before the first question: words, kinds of picture, options and examples."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import laycalc.render.index as index
from laycalc.grammar.language.functions import functions
from laycalc.render.scene.options import CHOICES

from .drawn import OPTIONS
from .question import Question

__all__ = ["vocabulary"]


def vocabulary(_: Question) -> dict[str, Any]:
    """The functions with their help, the options of a picture with their choices, and the gallery."""
    choices = {name: [word for word in words if word != "none"] for name, words in CHOICES.items()}
    choices["kind"] = list(index.PICTURES)
    examples = (files("laycalc.playground") / "page" / "examples.json").read_text(encoding="utf-8")
    return {
        "functions": [
            {"name": f.name, "signature": f.signature, "help": f.help, "aliases": list(f.aliases)} for f in functions()
        ],
        "options": [{"name": name, "kind": kind, "choices": choices.get(name, [])} for name, kind in OPTIONS.items()],
        "examples": json.loads(examples),
    }
