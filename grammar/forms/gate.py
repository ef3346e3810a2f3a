"""Is a text worth a closer look? A text of the language is told from a foreign one by the marks of the forms."""

from __future__ import annotations

from .index import GROUPS

__all__ = ["is_marked"]


def is_marked(text: str) -> bool:
    """Is there something that no text of the language holds by itself? A few microseconds, and nothing is imported."""
    for letter, marks in GROUPS:
        if letter in text:
            for mark in marks:
                if mark in text:
                    return True
    if text.endswith((",", ",\n")) or text.startswith("'") or (":" in text and _has_label(text)):
        return True
    return "=" in text and _has_labelled_mode(text)


def _has_label(text: str) -> bool:
    """Does a line begin with ``name :`` and have another colon or a string behind it?"""
    for line in text.split("\n"):
        name, colon, rest = line.partition(":")
        if colon and name.strip().replace(" ", "_").isidentifier() and (":" in rest or '"' in rest):
            return True
    return False


def _has_labelled_mode(text: str) -> bool:
    """Is there a ``(NAME=``, as labelled modes have it and neither a call nor a comparison does?"""
    position = text.find("=")
    while position >= 0:
        before, bracket, name = text[max(0, position - 64) : position].rpartition("(")
        if bracket and name.strip().isidentifier() and text[position + 1 : position + 2] != "=":
            last = before.rstrip()[-1:]
            if not (last.isalnum() or (last and last in "_])>")):
                return True
        position = text.find("=", position + 1)
    return False
