"""Frozen values without generated code: `Record` for several named parts, `Value` for what the algebra makes in bulk.

The rule for every class of the house that holds values:

- A `Record` is what results, findings and pieces of pictures are made of: frozen, its fields are annotations.
- A `Value` is one of the few kinds that the algebra makes in bulk, such as layouts and strides: slots, and a
  constructor of its own.
- A `NamedTuple` is a tuple to its users: unpacked, sorted, a key of a table; or made for every token, cell or row.
- State that changes is a plain class with ``__slots__``.
- A dataclass compiles its methods when the module is imported, half a millisecond a class; the syntax tree alone would
  add fifteen to a start of fifty. It is for modules that no start imports: the scenes of pictures.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


class Value:
    """Base of frozen values with slots, equal if they are of one kind and the parts in ``__match_args__`` are equal.

    The constructor takes these parts in order, and sets them by the descriptors of the slots.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; cannot delete {name!r}")

    def _key(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._key()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self}')"


@dataclass_transform(frozen_default=True)
class Record:
    """Base of frozen records: fields are the annotations of the class, in order, defaults its class attributes.

    Two records are equal if they are of one class and all fields but ``ignored`` ones are equal. TypeError if an
    argument is missing, given twice, or one too many.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    ignored: ClassVar[frozenset[str]] = frozenset()
    _known: ClassVar[frozenset[str]] = frozenset()
    _required: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        own = tuple(
            name
            # inspect.get_annotations would cost every start the import of inspect.
            for name, kind in cls.__dict__.get("__annotations__", {}).items()  # noqa: RUF063
            if not str(kind).startswith("ClassVar")
        )
        cls.fields = cls.fields + own
        cls._known = frozenset(cls.fields)
        cls._required = frozenset(name for name in cls.fields if not hasattr(cls, name))

    def __init__(self, *values: Any, **keywords: Any) -> None:
        found = self.__dict__
        found.update(zip(self.fields, values, strict=False))
        if keywords:
            found.update(keywords)
        # A name that is given twice, and a value without a name, are one entry less than there are arguments.
        if not self._required <= found.keys() <= self._known or len(found) < len(values) + len(keywords):
            raise TypeError(self._misfit(values, keywords))

    def _misfit(self, values: tuple[Any, ...], keywords: dict[str, Any]) -> str:
        """What is wrong with the arguments."""
        placed = self.fields[: len(values)]
        wrong = {
            "has no": [name for name in keywords if name not in self._known],
            "is given twice its": [name for name in keywords if name in placed],
            "lacks": [name for name in self.fields if name in self._required and name not in self.__dict__],
        }
        said = [f"{words} {', '.join(names)}" for words, names in wrong.items() if names]
        if len(values) > len(self.fields):
            said.append(f"takes {len(self.fields)} values, not {len(values)}")
        return f"{type(self).__name__}({', '.join(self.fields)}) {' and '.join(said)}"

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
