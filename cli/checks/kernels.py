"""The files of a scan: which they are, their text, the names that -D binds."""

from __future__ import annotations

from collections.abc import Iterable

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.source.project import Project

from ..streams.inputs import reading
from .sources import CPP, FILE_LIMIT, files_of, suffix_of

__all__ = ["project_of"]

SUFFIXES = frozenset({*CPP, ".py"})


def project_of(paths: Iterable[str], define: Iterable[str]) -> Project:
    """The files of these paths with the names that definitions ``NAME=TEXT`` bind."""
    found = [path for path in files_of(paths) if suffix_of(path) in SUFFIXES or path in paths]
    if not found:
        raise Failure(Diagnostic("LC103", "no C++, CUDA or Python file is named"))
    return Project({path: _text(path) for path in dict.fromkeys(found)}, [_defined(text) for text in define])


def _defined(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise Failure(Diagnostic("LC103", f"-D wants NAME=VALUE, not {text}"))
    return name.strip(), value.strip()


def _text(path: str) -> str:
    with reading(path) as file:
        data = file.read(FILE_LIMIT + 1)
    if len(data) > FILE_LIMIT:
        raise Failure(Diagnostic("LC104", f"{path} has more than {FILE_LIMIT:,} bytes"))
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
