"""The tree of a checked file: what it includes stays inside."""

from __future__ import annotations

import os

from laycalc.diagnostics.model import Diagnostic, Failure

__all__ = ["included", "leads_outside", "root_of"]

_MARKS = ("pyproject.toml", ".git")
"""What stands in the folder of a project."""


def root_of(file: str) -> str:
    """The folder of the project of a file; without one the current folder, if the file is in it, else its own."""
    own = os.path.dirname(os.path.realpath(file)) if file != "-" else os.path.realpath(os.getcwd())
    folder = own
    while not any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS):
        parent = os.path.dirname(folder)
        if parent == folder:
            here = os.path.realpath(os.getcwd())
            return here if _is_in(own, here) else own
        folder = parent
    return folder


def included(path: str, file: str, root: str) -> str:
    """The path of what ``file`` includes; LC103 if it leads outside the root, before anything of it is read.

    A check reads what others send: a comment must not have it print a file of the machine, nor a hidden one of the
    tree, such as .git/config.
    """
    found = os.path.normpath(os.path.join(os.path.dirname(file), path))
    where = os.path.realpath(found)
    if not _is_in(where, root):
        raise Failure(Diagnostic("LC103", f'include "{path}" leads outside the checked tree'))
    if any(part.startswith(".") for part in os.path.relpath(where, root).split(os.sep)):
        raise Failure(Diagnostic("LC103", f'include "{path}" leads to a hidden file'))
    return found


def leads_outside(path: str, folder: str) -> bool:
    """Is a file of a folder a symbolic link to one that is not in it?"""
    return os.path.islink(path) and not _is_in(os.path.realpath(path), os.path.realpath(folder))


def _is_in(path: str, folder: str) -> bool:
    try:
        return os.path.commonpath((path, folder)) == folder
    except ValueError:  # another drive
        return False
