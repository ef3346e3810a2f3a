"""MLIR attributes as data: ``#ttg.blocked<{sizePerThread = [1, 4]}>`` with its alias lines."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record

from .reading import bad
from .tokens import Tokens

__all__ = ["Attribute", "Attributes"]


class Attribute(Record):
    """``#name<{key = value, ..}>``; ``intervals`` holds the ``[128:+4]`` of a padded encoding."""

    name: str
    start: int
    end: int
    body: dict[str, Any]
    intervals: tuple[tuple[int, int], ...] = ()


class Attributes(Tokens):
    """Reads attributes; ``aliases`` are the ``#name = #ttg..`` lines seen so far."""

    def __init__(self, text: str, position: int = 0, end: int | None = None) -> None:
        self.aliases: dict[str, Attribute] = {}
        super().__init__(text, position, end)

    def attribute(self) -> Attribute:
        """An attribute, or the one that an alias names."""
        start = self.expect("#").start
        name = self._name()
        if name in self.aliases and not self.at("<"):
            return self.aliases[name].replace(start=start, end=self.end)
        if not self.at("<"):
            if "." not in name:
                raise bad(
                    self.text,
                    start,
                    self.end,
                    f"#{name} is defined nowhere in the text",
                    "its line #name = .. is missing",
                )
            return Attribute(name, start, self.end, {})
        opened = self.take()
        self.deeper()
        fields: dict[str, Any] = {}
        intervals: tuple[tuple[int, int], ...] = ()
        while not self.at(">"):
            if self.at("{"):
                fields.update(self._fields())
            elif self.at("["):
                intervals = self._intervals()
            elif self.token.kind == "name":
                key = self._name()
                self.expect("=")
                fields[key] = self.value()
            else:
                raise self.unexpected() if self.token.kind != "end" else self.expect_closed(opened)
            self.accept(",")
        self.expect(">", opened)
        self.depth -= 1
        return Attribute(name, start, self.end, fields, intervals)

    def expect_closed(self, opened: Any) -> Exception:
        """LC101: the text ends inside an attribute."""
        return bad(self.text, opened.start, opened.end, "'<' is never closed", "a '>' is missing")

    def alias(self) -> str:
        """``#name = #ttg..``: remember it."""
        self.expect("#")
        name = self._name()
        self.expect("=")
        self.aliases[name] = self.attribute()
        return name

    def _name(self) -> str:
        parts = []
        while True:
            if self.token.kind not in ("name", "integer", "coordinate"):
                raise self.unexpected("a name is expected")
            parts.append(self.take().text)
            if not (self.at(".") and self.text[self.token.end : self.token.end + 1].isalpha()):
                return ".".join(parts)
            self.take()

    def _fields(self) -> dict[str, Any]:
        opened = self.take()
        self.deeper()
        found: dict[str, Any] = {}
        while not self.at("}"):
            key = self._name()
            self.expect("=")
            found[key] = self.value()
            if not self.accept(","):
                break
        self.expect("}", opened)
        self.depth -= 1
        return found

    def value(self) -> Any:
        """An integer, a word, a list, a dictionary or an attribute."""
        token = self.token
        if token.kind == "integer":
            self.take()
            found = int(token.text.lstrip("_").rstrip("uUlL"))
            if self.accept(":"):
                self._name()  # the type of the integer: `8 : i32`
            return found
        if self.accept("-"):
            return -self._integer()
        if self.at("#"):
            return self.attribute()
        if self.at("{"):
            return self._fields()
        if self.at("["):
            opened = self.take()
            self.deeper()
            items = []
            while not self.at("]"):
                items.append(self.value())
                if not self.accept(","):
                    break
            self.expect("]", opened)
            self.depth -= 1
            return items
        if token.kind == "name":
            name = self._name()
            return {"true": True, "false": False}.get(name, name)
        if token.kind == "string":
            return self.take().text[1:-1]
        raise self.unexpected("a value is expected")

    def _integer(self) -> int:
        found = self.value()
        if type(found) is not int:
            raise self.unexpected("an integer is expected")
        return found

    def _intervals(self) -> tuple[tuple[int, int], ...]:
        """``[256:+8, 1024:+16]``: after so many elements, so much padding."""
        opened = self.take()
        found = []
        while not self.at("]"):
            if self.token.kind != "integer":
                raise self.unexpected("an interval is expected")
            every = int(self.take().text.lstrip("_").rstrip("uUlL"))
            self.expect(":")
            self.expect("+")
            found.append((every, self._integer()))
            if not self.accept(","):
                break
        self.expect("]", opened)
        return tuple(found)
