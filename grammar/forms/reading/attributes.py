"""MLIR attributes as data: ``#ttg.blocked<{sizePerThread = [1, 4]}>`` with its alias lines."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Failure

from .reading import bad
from .signatures import Argument
from .tokens import Token, Tokens

INTERVALS = "intervals"
"""The name under which ``[128:+4, 1024:+16]`` is a field."""


class Attribute(Record):
    """``#name<{key = value, ..}>``: its fields in the order of the text, one as often as it is written."""

    name: str
    start: int
    end: int
    given: tuple[Argument, ...] = ()

    @property
    def kind(self) -> str:
        """The name without its dialect."""
        return self.name.rpartition(".")[2]

    def get(self, name: str) -> Any:
        """The value of a field that may be absent."""
        return next((f.value for f in self.given if f.name == name), None)


class Attributes(Tokens):
    """Reads attributes; ``aliases`` are the ``#name = #ttg..`` lines seen so far."""

    def __init__(self, text: str, position: int = 0, end: int | None = None) -> None:
        self.aliases: dict[str, Attribute] = {}
        super().__init__(text, position, end)

    def attribute(self) -> Attribute:
        """An attribute, or the one that an alias names."""
        start = self.expect("#").start
        name = self._name()
        if not self.at("<"):
            if name in self.aliases:
                return self.aliases[name].replace(start=start, end=self.end)
            if "." in name:
                return Attribute(name, start, self.end)
            what = f"#{name} is defined nowhere in the text"
            raise bad(self.text, start, self.end, what, "its line #name = .. is missing")
        opened = self.take()
        self.deeper()
        fields: list[Argument] = []
        while not self.at(">"):
            if self.at("{"):
                fields += self._fields()
            elif self.at("["):
                fields.append(self._intervals())
            elif self.token.kind == "name":
                fields.append(self._field())
            else:
                raise self.unexpected() if self.token.kind != "end" else self._unclosed(opened)
            if not self.accept(",") and not self.at(">", "{"):
                raise self.unexpected() if self.token.kind != "end" else self._unclosed(opened)
        self.expect(">", opened)
        self.depth -= 1
        return Attribute(name, start, self.end, tuple(fields))

    def _unclosed(self, opened: Token) -> Failure:
        return bad(self.text, opened.start, opened.end, "'<' is never closed", "a '>' is missing")

    def alias(self) -> str:
        """``#name = #ttg..``: remember it."""
        start = self.expect("#").start
        name = self._name()
        if name in self.aliases:
            raise bad(self.text, start, self.end, f"#{name} is defined twice")
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

    def _fields(self) -> list[Argument]:
        opened = self.take()
        self.deeper()
        found: list[Argument] = []
        while not self.at("}"):
            found.append(self._field())
            if not self.accept(","):
                break
        self.expect("}", opened)
        self.depth -= 1
        return found

    def _field(self) -> Argument:
        """``key = value``."""
        start = self.token.start
        key = self._name()
        self.expect("=")
        value = self.value()
        return Argument(key, value, start, self.end)

    def value(self) -> Any:
        """An integer, a word, a list, fields or an attribute."""
        token = self.token
        if token.kind == "integer":
            found = self._number()
            if self.accept(":"):
                self._name()  # the type of the integer: `8 : i32`
            return found
        if self.accept("-"):
            return -self._number()
        if self.at("#"):
            return self.attribute()
        if self.at("{"):
            start = self.token.start
            return Attribute("", start, start, tuple(self._fields()))
        if self.at("["):
            return self._list()
        if token.kind == "name":
            name = self._name()
            return {"true": True, "false": False}.get(name, name)
        if token.kind == "string":
            return self.take().text[1:-1]
        raise self.unexpected("a value is expected")

    def _list(self) -> list[Any]:
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

    def _number(self) -> int:
        if self.token.kind != "integer":
            raise self.unexpected("an integer is expected")
        return int(self.take().text.lstrip("_").rstrip("uUlL"))

    def _intervals(self) -> Argument:
        """``[256:+8, 1024:+16]``: after so many elements, so much padding."""
        opened = self.take()
        found = []
        while not self.at("]"):
            every = self._number()
            self.expect(":")
            self.expect("+")
            found.append([every, self._number()])
            if not self.accept(","):
                break
        self.expect("]", opened)
        return Argument(INTERVALS, found, opened.start, self.end)
