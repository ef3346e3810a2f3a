"""The text of index.py: which module holds which kind of picture and which format; `laycalc.generate` writes it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TypeVar

from .scene.records import Format, Picture

HERE = Path(__file__).parent
FILE = HERE / "index.py"
Record = TypeVar("Record", Picture, Format)


def index() -> str:
    """The text of index.py."""
    pictures = _records(Picture, "kinds", "diagrams")
    asked = {word: record.name for record, _ in pictures.values() for word in record.asked_by}
    return (
        '"""Where the kinds of picture and the formats stand; written by `python -m laycalc.generate`."""\n\n'
        + _table("PICTURES", {name: place for name, (_, place) in pictures.items()})
        + _table("ASKED", dict(sorted(asked.items())))
        + _table("FORMATS", {name: place for name, (_, place) in _records(Format, "formats").items()})
    ).rstrip("\n") + "\n"


def _records(kind: type[Record], *folders: str) -> dict[str, tuple[Record, str]]:
    """All records of the modules in some folders, by name, with "module:variable"."""
    found = {}
    for path in sorted(path for folder in folders for path in (HERE / folder).glob("*.py")):
        module = f"{path.parent.name}.{path.stem}"
        for variable, value in vars(import_module(f".{module}", __package__)).items():
            if isinstance(value, kind):
                found[value.name] = value, f"{module}:{variable}"
    return dict(sorted(found.items()))


def _table(name: str, rows: dict[str, str]) -> str:
    return "\n".join([f"{name} = {{", *(f'    "{key}": "{value}",' for key, value in rows.items()), "}", "", ""])
