"""Frozen value classes without generated code.

A dataclass compiles its methods when the module is imported, half a millisecond a class; the syntax tree alone would
add fifteen to a start of fifty. A `Record` is declared in the same way, and all records share their methods.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """Base of frozen records: fields are the annotations of the class, in order, defaults its class attributes.

    Two records are equal if they are of one class and all fields but ``ignored`` ones are equal.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    ignored: ClassVar[frozenset[str]] = frozenset()
    _required: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        own = tuple(
            name
            # inspect.get_annotations would cost every start the import of inspect.
            for name, kind in cls.__dict__.get("__annotations__", {}).items()  # noqa: RUF063
            if not str(kind).startswith("ClassVar")
        )
        cls.fields = cls.fields + own
        cls._required = sum(not hasattr(cls, name) for name in cls.fields)

    def __init__(self, *values: Any, **keywords: Any) -> None:
        found = self.__dict__
        found.update(zip(self.fields, values, strict=False))
        if keywords:
            found.update(keywords)
        if len(values) > len(self.fields) or len(found) < self._required or not found.keys() <= set(self.fields):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.fields)}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; cannot set {name!r}")

    def _key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.fields if name not in self.ignored)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.fields)})"

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return type(self)(**{name: getattr(self, name) for name in self.fields} | changes)
