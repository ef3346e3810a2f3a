"""Why an assertion of the code is false: the numbers of both sides, the mode that does not divide."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.shape import size
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ..advice.relations import why_false
from ..forms.dialects.kinds import RunTime
from ..language.values import text_of
from ..run.evaluator import Evaluator
from ..syntax import nodes
from ..syntax.nodes import Expression
from .definitions import Definition
from .frames import Frame, Step
from .symbols import Symbols

__all__ = ["broken"]

_RELATIONS = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""What holds where a relation does not."""
_CUT = 100


def broken(symbols: Symbols, frame: Frame, definition: Definition) -> Diagnostic:
    """LC501 for an assertion that is false in a frame, with its numbers."""
    text = frame.file.text
    written = " ".join(text[definition.text.start : definition.text.end].split())
    tree, steps = symbols.explained(frame, definition)
    reason = _of_numbers(steps) or _of_call(symbols, frame, tree)
    message = f"the assertion is false: {written[:_CUT]}" + (f": {reason}" if reason else "")
    where = ", ".join(f"{name} = {_shown(node)}" for name, node in frame.bound.items() if _shown(node))
    notes = (f"at {where}",) if where else ()
    return Diagnostic("LC501", message, text, (Label(*definition.text, reason),), notes)


def _shown(node: Expression) -> str:
    return text_of(node.value) if isinstance(node, (nodes.Integer, nodes.Truth)) else ""


def _of_numbers(steps: list[Step]) -> str:
    """``96 % 64 = 32``, ``256 != 128``: the last relation that does not hold."""
    for step in reversed(steps):
        if step.symbol == "is_static":
            return f"{_written(step.left)} has a run-time extent"
        if step.symbol not in _RELATIONS or not isinstance(step.result, nodes.Truth) or step.result.value:
            continue
        if step.symbol == "==":
            for side, other in ((step.left, step.right), (step.right, step.left)):
                division = next((s for s in steps if s.symbol == "%" and s.result == side and _at(s, side)), None)
                if division is not None and _shown(other) == "0":
                    return f"{_shown(division.left)} % {_shown(division.right)} = {_shown(side)}"
        return f"{_shown(step.left)} {_RELATIONS[step.symbol]} {_shown(step.right)}"
    return ""


def _at(step: Step, side: Expression) -> bool:
    return step.result.span == side.span


def _of_call(symbols: Symbols, frame: Frame, tree: Expression | None) -> str:
    """Why a question about shapes and layouts is answered with no."""
    if not isinstance(tree, nodes.Call) or not isinstance(tree.function, nodes.Name):
        return ""
    try:
        evaluator = Evaluator(frame.file.text, symbols.scope)
        values = [evaluator.value(argument) for argument in tree.arguments]
    except Failure:
        return ""
    name = tree.function.name
    if name == "evenly_divides" and len(values) == 2:
        return _undivided(*values)
    relations = {"compatible": "<=", "congruent": "~", "weakly_congruent": "<~"}
    return why_false(relations[name], *values).witness if name in relations and len(values) == 2 else ""


def _undivided(shape: Any, tiler: Any) -> str:
    """The first mode that a tile does not divide."""
    shapes = shape if isinstance(shape, tuple) else (shape,)
    tiles = tiler if isinstance(tiler, tuple) else (tiler,)
    for index, (extent, tile) in enumerate(zip(shapes, tiles, strict=False)):
        whole, part = size(extent), size(tile)
        if whole % part:
            return f"mode {index}: {whole} % {part} = {whole % part}"
    return ""


def _written(node: Expression) -> str:
    """A layout with the names of the numbers that are known when the program runs."""
    if isinstance(node, nodes.Pair):
        return f"{_written(node.shape)}:{_written(node.stride)}"
    if isinstance(node, nodes.Tuple):
        return "(" + ",".join(map(_written, node.items)) + ")"
    if isinstance(node, RunTime):
        return node.name
    return _shown(node) or "?"
