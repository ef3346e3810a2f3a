"""``[tool.laycalc]`` of pyproject.toml: defaults of a check, overruled by the command line."""

from __future__ import annotations

import os
import tomllib
from difflib import get_close_matches
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.codes import codes
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.diagnostics.report import Policy
from laycalc.render.reports.checks import FORMATS

__all__ = ["Config", "configuration"]


class Config(Record):
    """What a check is told, by the command line or by a file; None and () mean that nothing was said."""

    files: tuple[str, ...] = ()
    form: str | None = None
    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    strict: bool | None = None
    define: tuple[str, ...] = ()
    jobs: int | None = None
    verify: int | None = None
    exclude: tuple[str, ...] = ()

    def policy(self) -> Policy:
        """The policy that the codes make."""
        return Policy(frozenset(self.deny), frozenset(self.allow), bool(self.strict))

    def workers(self) -> int:
        """How many processes to use."""
        return (os.cpu_count() or 1) if self.jobs == 0 else self.jobs or 1


def configuration(given: Config, path: str | None = None) -> Config:
    """The command line over the nearest pyproject.toml, or over the one at ``path``; LC103 for what makes no sense."""
    given = _checked(given, "the command line")
    found = path or _nearest()
    if found is None:
        return given
    file = _checked(_read(found), found)
    # A code named on the command line is taken out of the other list of the file.
    deny = given.deny + tuple(c for c in file.deny if c not in given.allow)
    allow = given.allow + tuple(c for c in file.allow if c not in given.deny)
    files = given.files or tuple(os.path.normpath(os.path.join(os.path.dirname(found), f)) for f in file.files)
    return Config(
        files=files,
        form=given.form or file.form,
        deny=deny,
        allow=allow,
        strict=file.strict if given.strict is None else given.strict,
        define=file.define + given.define,
        jobs=file.jobs if given.jobs is None else given.jobs,
        verify=file.verify if given.verify is None else given.verify,
        exclude=file.exclude + given.exclude,
    )


def _nearest() -> str | None:
    folder = os.getcwd()
    while True:
        path = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(path):
            return os.path.relpath(path)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


KEYS: dict[str, type] = {
    "files": list,
    "format": str,
    "deny": list,
    "allow": list,
    "strict": bool,
    "define": dict,
    "jobs": int,
    "verify": int,
    "exclude": list,
}


def _read(path: str) -> Config:
    try:
        with open(path, "rb") as file:
            table: Any = tomllib.load(file).get("tool", {}).get("laycalc", {})
    except OSError as error:
        raise _refuse(f"cannot read {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refuse(f"{path}: {error}") from None
    return Config(**dict(_entry(path, key, value) for key, value in table.items()))


_WANTED: dict[Any, str] = {
    list: "a list of strings",
    str: "a string",
    dict: "a table",
    int: "an integer",
    bool: "a truth",
}


def _entry(path: str, key: str, value: Any) -> tuple[str, Any]:
    """A key of [tool.laycalc] and its value as `Config` has them; LC103 if it is none or of another kind."""
    if key not in KEYS:
        raise _refuse(f"{path}: [tool.laycalc] has no {key}{_nearest_of(key, KEYS)}")
    kind: Any = KEYS[key]
    if type(value) is not kind or (kind is list and not all(isinstance(v, str) for v in value)):
        raise _refuse(f"{path}: {key} in [tool.laycalc] is {_WANTED[kind]}, not {value!r}")
    if kind is dict:
        value = [f"{name}={'true' if v is True else 'false' if v is False else v}" for name, v in value.items()]
    return "form" if key == "format" else key, tuple(value) if isinstance(value, list) else value


def _checked(config: Config, where: str) -> Config:
    """The same with codes in capitals; names of codes serve as well."""
    deny, allow = (tuple(_code(c, where) for c in given) for given in (config.deny, config.allow))
    for code in allow:
        if codes()[code].severity != "warning" and code not in ("LC503", "LC504"):
            raise _refuse(f"{where} allows {code}, which is an error; warnings (LC4xx), LC503 and LC504 can be allowed")
        if code in deny:
            raise _refuse(f"{where} both denies and allows {code}")
    if config.form is not None and config.form not in FORMATS:
        raise _refuse(f"{where} asks for the format {config.form}; there are {', '.join(FORMATS)}")
    if (config.jobs or 0) < 0:
        raise _refuse(f"{where} asks for {config.jobs} jobs")
    return config.replace(deny=deny, allow=allow)


def _code(text: str, where: str) -> str:
    code = text.upper()
    named = {c.name: c.code for c in codes().values()}
    if code in codes():
        return code
    if text.lower() not in named:
        raise _refuse(f"{where} names {text}, which is no code{_nearest_of(text, [*codes(), *named])}")
    return named[text.lower()]


def _nearest_of(word: str, words: Any) -> str:
    found = get_close_matches(word, list(words), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def _refuse(message: str) -> Failure:
    return Failure(Diagnostic("LC103", message))
