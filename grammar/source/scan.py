"""All values of a file: every definition in every frame of it, what could not be read and why, and what is wrong."""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Diagnostic

from ..forms.dialects.around import Declared
from .assertions import broken
from .definitions import Definition, Unread
from .findings import looked_at
from .frames import Frame, Needs, Outcome, SourceFile
from .symbols import Symbols
from .values import Found

__all__ = ["Found", "Scanned", "is_layout", "scanned"]

_PLAIN = (bool, int, tuple)
_LAYOUTS = (Layout, Composed, Tensor, Tiler, Swizzle)
_TILED = frozenset({"TiledMMA", "TiledCopy", "Atom", "CopyAtom", "ThreadSlice"})
_SAYS_LAYOUT = re.compile(
    r"\b(?:make_(?:ordered_|identity_|composed_)?layout|make_\w*tensor|Layout|ComposedLayout|Swizzle|make_swizzle|composition"
    r"|tile_to_shape|tile_to_mma_shape|TiledMMA|TiledCopy|MMA_Atom|Copy_Atom|make_tiled_\w+|make_\w*atom|make_cotiled_copy"
    r"|\w+_(?:divide|product)|partition_\w+|local_(?:tile|partition)|retile_?\w*|recast_layout|right_inverse|left_inverse"
    r"|complement|coalesce|make_fragment_\w+|make_layout_like|make_smem_layout\w*|get_slice|get_thread_slice)\b"
)
_NAMES_LAYOUT = re.compile(r"(?i)layout|swizzle|tiled_?(?:mma|copy)|tiler")
_ANOTHER = re.compile(r"\s*(?:decltype\(\s*)?(\w+)\s*(?:[)({\[]|$)")
"""The name that a definition gives another name, or a slice of it."""
MEMBERS = 2000
"""Members of struct instances that one file may list."""


class Scanned(Record):
    """What a scan found in a file: values, pieces that were not read, and findings about the code."""

    file: str
    text: str
    values: tuple[Found, ...]
    unread: tuple[Unread, ...]
    findings: tuple[Diagnostic, ...]

    @property
    def layouts(self) -> int:
        """How many of the values are layouts, swizzles, tilers, tiled MMAs and copies."""
        return sum(is_layout(found.value) for found in self.values)


def is_layout(value: Any) -> bool:
    """Is a value one of those that a scan is about, rather than a number or a shape?"""
    if isinstance(value, _PLAIN) or value is None:
        return False
    return isinstance(value, _LAYOUTS) or type(value).__name__ in _TILED or hasattr(value, "verdict")


def scanned(name: str, file: SourceFile, symbols: Symbols) -> Scanned:
    """Everything that a file defines, in the order of its lines."""
    walk = _Walk(file, symbols)
    walk.block(symbols.root(file), "")
    walk.given()
    walk.instances()
    values = sorted(walk.values, key=lambda found: found.line)
    remarks, findings = looked_at(values, symbols, file.text)
    values = [found.replace(remarks=tuple(remarks.get(i, ()))) for i, found in enumerate(values)]
    unread = sorted([*walk.unread, *file.unread], key=lambda piece: piece.line)
    # Repairs are those of an expression; here they would rewrite what another line defines.
    told = [finding.replace(suggestions=()) for finding in (*walk.findings, *findings)]
    return Scanned(name, file.text, tuple(values), tuple(unread), tuple(told))


class _Walk:
    """The frames of a file one after another."""

    def __init__(self, file: SourceFile, symbols: Symbols) -> None:
        self.file = file
        self.symbols = symbols
        self.values: list[Found] = []
        self.unread: list[Unread] = []
        self._about: set[str] = set()
        """The names of definitions that are about layouts, whether they were read or not."""
        self.findings: list[Diagnostic] = []
        self._listed = 0
        self._checked: set[tuple[Frame, Definition]] = set()

    def block(self, frame: Frame, prefix: str) -> None:
        """The definitions of a frame, and of the blocks in it with their parameters unbound."""
        for definition in frame.block.all_definitions():
            self.definition(frame, definition, prefix)
        for block in frame.block.inner():
            if block.kind != "alias" and block.patterns is None:
                self.block(self.symbols.frame(block, frame, {}), "")

    def definition(self, frame: Frame, definition: Definition, prefix: str) -> None:
        home = self.symbols.home(frame, definition)
        if definition.text.start == definition.text.end or (
            self.symbols.holds(home, definition.when, Needs(), definition.text.start) is False
        ):
            return
        outcome = self.symbols.outcome(frame, definition)
        if definition.kind == "assertion":
            self._asserted(home, definition, outcome)
        elif definition.kind != "return":
            self._named(frame, definition, outcome, prefix)

    def _named(self, frame: Frame, definition: Definition, outcome: Outcome, prefix: str) -> None:
        name = prefix + definition.name
        about = self._is_about_layouts(definition)
        if about and outcome.question is not None:
            outcome = self.symbols.explored(outcome)
        if definition.changes:
            outcome = outcome.replace(value=None) if isinstance(outcome.value, _PLAIN) else outcome
        if outcome.finding is not None and outcome.finding.code not in ("LC503", "LC504"):
            self.findings.append(outcome.finding)
        self.findings += [warning for warning in outcome.warnings if warning.code != "LC504"]
        if outcome.failure is not None:
            if is_fault(outcome.failure):
                self.findings.append(outcome.failure)
            if about:
                self._not_read(definition, name, outcome)
        elif isinstance(outcome.node, Declared) and frame.block.kind in ("file", "namespace"):
            self._instance(outcome.node, name)
        elif outcome.value is not None:
            self.values.append(Found(name, definition.line, outcome.value, outcome, frame, definition))

    def _instance(self, node: Declared, name: str) -> None:
        """The members of a struct at the arguments that an alias gives it."""
        inside = getattr(node.entity, "inside", None)
        if inside is None or not node.entity.blocks or self._listed > MEMBERS:  # type: ignore[attr-defined]
            return
        frame = inside()
        if frame.block.kind not in ("struct", "class") or frame.file is not self.file:
            return
        for definition in frame.block.all_definitions():
            self._listed += 1
            self.definition(frame, definition, f"{name}::")

    def _is_about_layouts(self, definition: Definition) -> bool:
        written = self.file.text[definition.text.start : definition.text.end]
        other = _ANOTHER.match(written)
        about = bool(
            _SAYS_LAYOUT.search(written)
            or _NAMES_LAYOUT.search(definition.name)
            or (other is not None and other[1] in self._about)
        )
        if about:
            self._about.add(definition.name)
        return about

    def _not_read(self, definition: Definition, name: str, outcome: Outcome) -> None:
        self.unread.append(Unread(definition.line, self._shown(definition), self._reason(outcome), name))

    def _reason(self, outcome: Outcome) -> str:
        """Why a definition has no value: what it needs, or what is wrong with it."""
        failure = outcome.failure
        if outcome.needs and (failure is None or not is_fault(failure)):
            return self.symbols.wanted(outcome.needs)
        return "it has no value" if failure is None else failure.message

    def _shown(self, definition: Definition) -> str:
        written = self.file.text[definition.text.start : definition.text.end]
        return " ".join(written.split())

    def _asserted(self, frame: Frame, definition: Definition, outcome: Outcome) -> None:
        if outcome.value is None or bool(outcome.value) or outcome.defaults or (frame, definition) in self._checked:
            return
        self._checked.add((frame, definition))
        self.findings.append(broken(self.symbols, frame, definition))

    def given(self) -> None:
        """The members of the structs that names from outside are bound to."""
        for name, node in self.symbols.structs_given():
            self._instance(node, name)

    def instances(self) -> None:
        """The assertions of structs at the arguments that the file gives them somewhere."""
        for frame in self.symbols.instances():
            if frame.file is self.file and frame.block.kind == "struct":
                for definition in frame.block.definitions.get("", ()):
                    if definition.kind == "assertion":
                        self.definition(frame, definition, "")


def is_fault(failure: Diagnostic) -> bool:
    """Does CuTe refuse it too: a condition that does not hold, a mode that is not there?"""
    return failure.code[:3] in ("LC2", "LC3") or (failure.code == "LC103" and "index" in failure.facts)
