"""From a task to its answer: the kinds that lie in `tasks`, each a module with its record."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from laycalc.algebra.base.errors import refuse

from . import tasks
from .base.task import Read, Task

__all__ = ["KINDS", "answer", "task_of"]

KINDS = tuple(name for _, name, _ in iter_modules(tasks.__path__))
"""The kinds of tasks, each the name of its module."""


def task_of(kind: Any) -> Task:
    """The record of a kind; LC103 if there is none."""
    if kind not in KINDS:
        raise refuse("LC103", "no kind of task is {kind}; there are {kinds}", op="design", kind=kind, kinds=KINDS)
    found: Task = import_module(f"{tasks.__name__}.{kind}").TASK
    return found


def answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    """The answer object of a task; LC103 for a kind that is not known and a field that is not there."""
    found = task_of(task.get("kind"))
    if missing := [name for name in found.needs if name not in task]:
        raise refuse(
            "LC103", "a task of kind {kind} needs {missing}", op="design", kind=found.kind, missing=", ".join(missing)
        )
    return found.answer(task, read)
