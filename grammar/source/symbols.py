"""What the names of a file denote: parameters bound or not, values found on demand.

A frame is a block at certain arguments: a struct with its template arguments, a function with those of a call. What
nobody says stays a symbol if it is a number, and is lacking otherwise; each outcome names what it still needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ..forms.dialects.around import Declared, Lacking
from ..forms.dialects.kinds import is_run_time
from ..run.context import Unbound
from ..run.scope import Deferred, Scope, Settings
from ..run.unknowns import investigate
from ..syntax import nodes
from ..syntax.nodes import Expression, Span
from .definitions import Block, Condition, Definition, Extent, Parameter
from .entities import Declaration
from .frames import Frame, Needs, Outcome, SourceFile, Step, Table
from .literals import literal
from .surroundings import Surroundings, first_thread

__all__ = ["Symbols"]

CHAIN = 48
"""Definitions that wait for one another."""
WORK = 200_000
"""Definitions that are evaluated for a file, in all frames."""
SEARCHES = 100
"""Expressions with unknown numbers that are explored over all values."""


class Symbols(Table):
    """The names of the files of a scan. ``given`` are the texts of the names that are bound from outside."""

    def __init__(self, files: Mapping[str, SourceFile], given: Mapping[str, str], verify: int = 256) -> None:
        self.files = files
        self.given = given
        self._given: dict[str, Expression] = {}
        self._asked: set[str] = set()
        """The names of ``given`` whose text is being read."""
        self.used: set[str] = set()
        """The names of ``given`` that something asked for."""
        self.scope = Scope(Settings(verify=verify))
        self.numbers: set[str] = set()
        self.broken: dict[str, str] = {}
        """Why a name that others need has no value, where that is not for want of other names."""
        self.written: dict[str, Expression] = {}
        """The expressions of the values that the scope keeps."""
        self._roots = {id(file): Frame(file.root, file, None, {}) for file in files.values()}
        self._frames: dict[Any, Frame] = {}
        self._open: list[Any] = []
        self._work = 0
        self._searches = 0

    # ---- frames ----

    def root(self, file: SourceFile) -> Frame:
        """The frame of a file."""
        return self._roots[id(file)]

    def frame(self, block: Block, outer: Frame, bound: Mapping[str, Expression]) -> Frame:
        """The frame of a block at arguments, the same one each time."""
        key = (id(block), id(outer), tuple(bound.items()))
        if key not in self._frames:
            if len(self._frames) > WORK:
                raise Failure(Diagnostic("LC104", "the file has too many template instances"))
            self._frames[key] = Frame(block, outer.file, outer, bound)
        return self._frames[key]

    # ---- names ----

    def lookup(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """What stands for a name at a place of a frame."""
        here: Frame | None = frame
        while here is not None:
            found = self.local(here, name, at, needs, span)
            if found is not None:
                return found
            at = here.block.extent.start
            here = here.outer
        return self._elsewhere(frame, name, needs, span)

    def local(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """What a name stands for in one frame alone."""
        block = frame.block
        if (outside := self._named_outside(frame, name)) is not None:
            return outside.replace(span=span)
        # A function may bind its parameter anew.
        ways = (self._defined, self._bound) if block.kind == "function" else (self._bound, self._defined)
        for way in ways:
            found = way(frame, name, at, needs, span)
            if found is not None:
                return found
        own = name.removeprefix("self.") if block.kind == "class" else name
        if own in block.blocks:
            return Declared(span, Declaration(self, frame, own))
        return self._inherited(frame, name, needs, span)

    def member(self, frame: Frame, name: str, span: Span) -> Expression | None:
        """What a struct calls by a name; what is lacking says what it waits for."""
        needs = Needs()
        found = self.local(frame, name, len(frame.file.text), needs, span)
        return found.replace(needs=frozenset(needs.names)) if isinstance(found, Lacking) else found

    def _named_outside(self, frame: Frame, name: str) -> Expression | None:
        """What -D binds a name of a block to, unless the block stands at arguments."""
        block = frame.block
        if frame.explicit or not (_parameter(block, name) or name in block.definitions or not frame.outer):
            return None
        return self._from_outside(name)

    def _defined(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        return self._chosen(frame, name, at, needs, span) if name in frame.block.definitions else None

    def _bound(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """A name that arguments bind in a frame, or that is a parameter of its block."""
        block = frame.block
        if name in frame.bound and block.kind != "class":
            return frame.bound[name]
        parameter = _parameter(block, name)
        if parameter is None:
            return None
        if block.name == "__init__" and frame.outer is not None and name in frame.outer.bound:
            return frame.outer.bound[name]
        return self._unbound(frame, parameter, needs, span)

    def _from_outside(self, name: str) -> Expression | None:
        """The node of a name that is bound from outside, read in the file that knows its words."""
        name = name if name in self.given else name.removeprefix("self.")
        if name not in self.given or name in self._asked:
            return None
        self.used.add(name)
        if name not in self._given:
            found = self._read_given(name)
            good = next((outcome for outcome in found if outcome.node is not None and not outcome.needs), None)
            if good is None or good.node is None:
                failure = found[0].failure or Diagnostic("LC103", f"-D {name}: {self.given[name]} is no value")
                raise Failure(failure.replace(code="LC103"))
            self._given[name] = good.node
        return self._given[name]

    def _read_given(self, name: str) -> list[Outcome]:
        """The text of a name from outside in each file, where the name itself has the file's own meaning."""
        self._asked.add(name)
        found = [self.ask(root, self.given[name], len(root.file.text)) for root in self._roots.values()]
        self._asked.discard(name)
        return found

    def structs_given(self) -> Iterator[tuple[str, Declared]]:
        """The names from outside that stand for structs of the files, at their arguments."""
        for name, text in self.given.items():
            if name not in self._given and re.match(r"\s*[A-Za-z_][\w:]*\s*<", text):
                struct = next(
                    (o.node for o in self._read_given(name) if isinstance(o.node, Declared) and not o.needs), None
                )
                if struct is not None:
                    self.used.add(name)
                    self._given[name] = struct
            node = self._given.get(name)
            if isinstance(node, Declared):
                yield name, node

    def _elsewhere(self, frame: Frame, name: str, needs: Needs, span: Span) -> Expression | None:
        """A name of another namespace of the file, or of a file that it includes."""
        for root in self._visible(frame.file):
            for inside in (root, *self._namespaces(root)):
                if inside is not frame and (name in inside.block.definitions or name in inside.block.blocks):
                    found = self.local(inside, name, len(inside.file.text), needs, span)
                    if found is not None:
                        return found
        return None

    def _visible(self, file: SourceFile) -> Iterator[Frame]:
        """The frames of a file and of those that it includes and that are given."""
        waiting, seen = [file], {id(file)}
        while waiting:
            file = waiting.pop(0)
            yield self.root(file)
            for path in file.includes:
                for name, other in self.files.items():
                    if id(other) not in seen and f"/{name}".endswith("/" + path.removeprefix("./").lstrip("./")):
                        seen.add(id(other))
                        waiting.append(other)

    def namesake(self, frame: Frame, name: str, span: Span) -> Expression | None:
        """What a namespace of the same name calls so in another file."""
        for root in self._visible(frame.file):
            for other in self._namespaces(root):
                if other is not frame and other.block.path == frame.block.path:
                    found = self.member(other, name, span)
                    if found is not None:
                        return found
        return None

    def _namespaces(self, frame: Frame) -> Iterator[Frame]:
        for blocks in frame.block.blocks.values():
            for block in blocks:
                if block.kind == "namespace":
                    inner = self.frame(block, frame, {})
                    yield inner
                    yield from self._namespaces(inner)

    def _unbound(self, frame: Frame, parameter: Parameter, needs: Needs, span: Span) -> Expression:
        """A parameter that nobody binds: its default, a symbol if it is a number, else what its type says."""
        if parameter.default is not None and not parameter.many:
            found = self.evaluate(frame, parameter.default)
            needs.learn(found)
            needs.defaults = True
            if found.node is not None:
                return found.node
        if parameter.kind == "number":
            return first_thread(parameter.name, needs, span) or self.symbol(parameter.name, needs, span)
        if parameter.kind == "value" and parameter.type is not None:
            found = self.evaluate(frame, parameter.type)
            if found.value is not None and found.node is not None:
                return found.node
        needs.add(parameter.name)
        return Lacking(span, parameter.name)

    def symbol(self, name: str, needs: Needs, span: Span) -> Expression:
        """An unknown number."""
        needs.add(name)
        self.numbers.add(name)
        return nodes.Name(span, name)

    def _chosen(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """The definition of a name that counts at a place."""
        in_function = frame.block.kind == "function"
        for definition in reversed(frame.block.definitions[name]):
            reach = definition.reach
            if in_function and not (reach.start <= at <= reach.end and definition.text.end <= at):
                continue
            unknown = Needs()
            holds = self.holds(self.home(frame, definition), definition.when, unknown, at)
            if holds is None:
                needs.learn(unknown, name)
                return Lacking(span, name)
            if holds:
                found = self._stands_for(frame, definition, needs, span)
                if not (isinstance(found, nodes.Wildcard) and name.startswith("self.")):
                    return found
        return None

    def home(self, frame: Frame, definition: Definition) -> Frame:
        """The frame whose names a definition sees: that of a method, for what it sets of its object."""
        return frame if definition.within is None else self._below(frame, definition.within)

    def _below(self, frame: Frame, block: Block) -> Frame:
        if block is frame.block or block.parent is None:
            return frame
        return self.frame(block, self._below(frame, block.parent), {})

    def _stands_for(self, frame: Frame, definition: Definition, needs: Needs, span: Span) -> Expression:
        if definition.changes or definition.text.start == definition.text.end:
            if definition.kind == "number":
                return self.symbol(definition.name, needs, span)
            needs.add(definition.name)
            return Lacking(span, definition.name)
        found = self.outcome(frame, definition)
        if found.node is not None:
            needs.learn(found)
            # The places of what goes wrong with it are where it is used.
            told = found.value is not None and found.report is None and not is_run_time(found.node)
            return (literal(found.value, span) if told else None) or found.node
        if found.failure is not None and not found.needs:
            self.broken.setdefault(definition.name, found.failure.message)
        needs.learn(found, definition.name)
        return Lacking(span, definition.name)

    def _inherited(self, frame: Frame, name: str, needs: Needs, span: Span) -> Expression | None:
        for base in frame.block.bases:
            found = self.evaluate(frame, base)
            if isinstance(found.node, Declared):
                member = found.node.entity.member(name, span)
                if member is not None:
                    return member
        return None

    def holds(self, frame: Frame, conditions: Sequence[Condition], needs: Needs, at: int) -> bool | None:
        """Do all conditions on the way to a definition hold? None if nobody knows, and what that needs.

        Who asks from inside the branch takes it that its condition holds, unless it is known not to.
        """
        known: bool | None = True
        for condition in conditions:
            found = self.evaluate(frame, condition.text)
            if isinstance(found.node, (nodes.Truth, nodes.Integer)):
                if bool(found.node.value) is not condition.truth:
                    return False
            elif not condition.branch.start <= at <= condition.branch.end:
                needs.learn(found)
                known = None
        return known

    # ---- values ----

    def outcome(self, frame: Frame, definition: Definition) -> Outcome:
        """What a definition comes to in a frame."""
        key = id(definition)
        if key not in frame.outcomes:
            frame.outcomes[key] = self.evaluate(self.home(frame, definition), definition.text, definition.entry)
        return frame.outcomes[key]

    def evaluate(self, frame: Frame, extent: Extent, entry: int | None = None) -> Outcome:
        """What an expression of a file comes to in a frame."""
        key = (id(frame), extent)
        self._work += 1
        if key in self._open:
            return self._refused(frame, extent, "LC103", "it is defined by itself")
        if len(self._open) >= CHAIN or self._work > WORK:
            return self._refused(frame, extent, "LC104", "too many definitions wait for one another")
        self._open.append(key)
        around = Surroundings(self, frame, extent.start)
        try:
            node = frame.file.expression(extent, around)
            found = around.settle(node if entry is None else _entry(node, entry))
            if around.needs.assumed or around.needs.defaults:
                found = found.replace(assumed=frozenset(around.needs.assumed), defaults=around.needs.defaults)
            return found
        except Failure as failure:
            return Outcome(
                failure=failure.diagnostic, needs=frozenset(around.needs.names), warnings=tuple(around.warnings)
            )
        except RecursionError:
            return self._refused(frame, extent, "LC104", "the expression is nested too deeply")
        finally:
            self._open.pop()

    def ask(self, frame: Frame, text: str, at: int) -> Outcome:
        """What an expression that stands in no file comes to in a frame."""
        around = Surroundings(self, frame, at, text)
        try:
            return around.settle(frame.file.foreign(text, around))
        except Failure as failure:
            return Outcome(failure=failure.diagnostic, needs=frozenset(around.needs.names))

    def wanted(self, needs: Iterable[str]) -> str:
        """What an expression needs, in words, with the reason of a name that was not read."""
        names = sorted(needs)
        reasons = [f"{name}: {self.broken[name]}" for name in names if name in self.broken]
        return f"needs {', '.join(names)}" + (f" ({reasons[0]})" if reasons else "")

    def explained(self, frame: Frame, definition: Definition) -> tuple[Expression | None, list[Step]]:
        """The tree of an expression and the operations on the way to its value."""
        around = Surroundings(self, frame, definition.text.start)
        try:
            return frame.file.expression(definition.text, around), around.steps
        except Failure:
            return None, around.steps

    def instances(self) -> list[Frame]:
        """The frames with arguments that somebody asked for."""
        return [frame for frame in self._frames.values() if frame.explicit]

    def frames_below(self, frame: Frame) -> Iterator[Frame]:
        """A frame and those of the blocks in it, with their parameters unbound."""
        yield frame
        for block in frame.block.inner():
            if block.kind != "alias" and block.patterns is None:
                yield from self.frames_below(self.frame(block, frame, {}))

    def _refused(self, frame: Frame, extent: Extent, code: str, message: str) -> Outcome:
        return Outcome(failure=Diagnostic(code, message, frame.file.text, (Label(*extent),)))

    def keep(self, value: Any, node: Expression) -> str:
        """A name in the scope for a value that has no literal; ``node`` is the expression that it comes from."""
        name = f"#{len(self.scope.names)}"
        self.scope.names[name] = value
        self.written[name] = node
        return name

    def open(self, node: Expression, text: str, unbound: Unbound, needs: Needs) -> Outcome:
        """An expression with unknown numbers, which stands for itself; `explored` finds out more."""
        kept = node
        if not isinstance(node, nodes.Name):
            kept = nodes.Name(node.span, self.keep(Deferred(node, text, self.scope), node))
        return Outcome(kept, None, None, needs.frozen(), question=(node, text, unbound))

    def explored(self, outcome: Outcome) -> Outcome:
        """An expression with unknown numbers, over all their values."""
        if outcome.question is None:
            return outcome
        node, text, unbound = outcome.question
        if isinstance(node, nodes.Name):
            kept = self.scope.names.get(node.name)
            if not isinstance(kept, Deferred):
                return outcome
            # The name of an expression that was put off: it is explored as it was written.
            node, text = kept.node, kept.source
        self._searches += 1
        if self._searches > SEARCHES:
            failure = Diagnostic("LC104", "too many expressions with unknown numbers", text, (Label(*node.span),))
            return outcome.replace(failure=failure)
        found = investigate(node, text, self.scope, unbound)
        if found.error is not None:
            return outcome.replace(failure=found.error)
        if found.report is None or found.report.value is None:
            failure = found.finding or Diagnostic("LC106", "", text, (Label(*node.span),))
            return outcome.replace(failure=failure.replace(code="LC106") if failure.code == "LC504" else failure)
        return outcome.replace(
            value=found.report, warnings=found.warnings, report=found.report, finding=found.finding
        )  # fmt: skip


def _parameter(block: Block, name: str) -> Parameter | None:
    """The parameter of a template or function by its name."""
    return next((p for p in (*(block.template or ()), *block.parameters) if p.name == name), None)


def _entry(node: Expression, entry: int) -> Expression:
    """An entry of a tuple that is written out, or of what will be one."""
    if isinstance(node, nodes.Tuple) and entry < len(node.items):
        return node.items[entry]
    return nodes.Index(node.span, node, (nodes.Integer(node.span, entry),))
