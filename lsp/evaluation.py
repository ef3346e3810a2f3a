"""What the pieces of a document come to: evaluated when asked for, and again only if something they name changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.cli.checks.sources import windows
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.scope import Scope, Settings
from laycalc.grammar.run.statements import Outcome, run

from .pieces import Piece, Pieces

__all__ = ["Evaluated", "Evaluation"]

OUTCOMES = 1000
"""Outcomes of one piece that are kept: the combinations of a loop."""
INCLUDES = 100
"""Files that a document includes, directly and through others."""


class Evaluated(Record):
    """What a piece came to: its outcomes, the names that it binds, what is assumed from there on."""

    outcomes: tuple[Outcome, ...]
    names: dict[str, Any]
    facts: Any
    given: dict[str, Any]


class Evaluation:
    """The values of a document.

    A piece is evaluated in a scope with just the names that it mentions, each from the last piece above that binds it;
    so an answer about one line costs what that line needs, however long the document is.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.version = 0
        self._binders: dict[str, list[Piece]] | None = None
        self._serial = 0

    def changed(self) -> None:
        """The pieces are others now."""
        self.version += 1
        self._binders = None

    def of(self, piece: Piece) -> Evaluated:
        """What a piece came to."""
        waiting = [piece]
        while waiting:
            top = waiting[-1]
            needed = [] if top.seen == self.version else [p for p in self._needs(top) if p.seen != self.version]
            if needed:
                waiting += needed
                continue
            waiting.pop()
            if top.seen != self.version:
                self._settle(top)
        found: Evaluated = piece.found
        return found

    def scope(self, piece: Piece) -> Scope:
        """A scope for what stands in a piece, with what it binds itself."""
        found = self.of(piece)
        return Scope(self._settings(), {**found.given, **found.names}, None, found.facts)

    def binder(self, name: str, before: Piece) -> Piece | None:
        """The last piece above another that binds a name."""
        return _last_above(self._index().get(name, []), before)

    def names(self, before: Piece | None, line: int) -> list[str]:
        """Every name that is bound above a line."""
        return [name for name, found in self._index().items() if name[0] != " " and found[0].first < line]

    # -- what a piece needs ----------------------------------------------------------------------------------------

    def _index(self) -> dict[str, list[Piece]]:
        """The pieces that bind each name; `` assume`` and `` include`` stand for those of everything below them."""
        if self._binders is None:
            self._binders = {}
            for piece in self.pieces.pieces:
                for name in piece.binds:
                    self._binders.setdefault(name, []).append(piece)
                if piece.assumes:
                    self._binders.setdefault(" assume", []).append(piece)
                if piece.includes:
                    self._binders.setdefault(" include", []).append(piece)
        return self._binders

    def _needs(self, piece: Piece) -> list[Piece]:
        """The pieces above that this one stands on, each once."""
        index = self._index()
        found = [_last_above(index.get(name, []), piece) for name in piece.mentions]
        found.append(_last_above(index.get(" assume", []), piece))
        found += [p for p in index.get(" include", []) if p.first < piece.first]
        return sorted({p.first: p for p in found if p is not None}.values(), key=lambda p: p.first)

    def _settle(self, piece: Piece) -> None:
        needs = self._needs(piece)
        key = tuple(p.key[0] for p in needs)
        if piece.key is None or piece.key[1] != key:
            self._serial += 1
            piece.found = self._run(piece, needs)
            piece.key = self._serial, key
        piece.seen = self.version

    def _run(self, piece: Piece, needs: list[Piece]) -> Evaluated:
        given: dict[str, Any] = {}
        facts = None
        for above in needs:
            names = above.found.names
            given |= names if above.includes else {name: names[name] for name in above.binds if name in names}
            facts = above.found.facts if above.assumes else facts
        scope = Scope(self._settings(), dict(given), None, facts)
        outcomes = () if piece.blank else tuple(islice(_guarded(piece.text, scope), OUTCOMES))
        bound = {name: value for name, value in scope.names.items() if name not in given or name in piece.binds}
        return Evaluated(outcomes, bound, scope.facts, given)

    def _settings(self) -> Settings:
        return Settings(loader=_Loader(self.pieces.path))


def _last_above(found: list[Piece], piece: Piece) -> Piece | None:
    low, high = 0, len(found)
    while low < high:
        middle = (low + high) // 2
        if found[middle].first < piece.first:
            low = middle + 1
        else:
            high = middle
    return found[low - 1] if low else None


def _guarded(text: str, scope: Scope) -> Iterator[Outcome]:
    """The outcomes of a text; our own fault is told as one and leaves the other pieces their answers."""
    try:
        yield from run(text, scope)
    except Exception as error:
        fault = Diagnostic("LC901", f"laycalc failed: {type(error).__name__}: {error}", text)
        yield Outcome(None, error=fault, source=text)


class _Loader:
    """Runs the text of an included file; each file once in a chain."""

    def __init__(self, path: str, chain: tuple[str, ...] = ()) -> None:
        self.path = path
        self.chain = (*chain, os.path.realpath(path))

    def __call__(self, path: str, scope: Scope) -> Iterator[Outcome]:
        full = os.path.normpath(os.path.join(os.path.dirname(self.path), path))
        if os.path.realpath(full) in self.chain:
            raise Failure(Diagnostic("LC103", f"{path} includes itself"))
        if len(self.chain) > INCLUDES:
            raise Failure(Diagnostic("LC104", f"more than {INCLUDES} files are included"))
        inner = Scope(scope.settings.replace(loader=_Loader(full, self.chain)), scope.names, scope.outer, scope.facts)
        for text in windows(full):
            yield from run(text, inner)
        scope.facts = inner.facts
