"""The application: command names, the default command, and what every command shares on its way out."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import typer
from typer.core import TyperGroup

from . import commands
from .streams.command import Command

__all__ = ["COMMANDS", "app", "command_of", "main"]

COMMANDS = {name.removesuffix("_"): name for _, name, _ in iter_modules(commands.__path__)}
"""The commands and the module of each: what lies in commands/ is a command of its file's name.

A module is imported when its command runs, or when the list of all is shown; an underscore keeps a name from Python.
"""

_SETTINGS = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        found = command_of(cmd_name)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        examples = "\b\n" + "\n".join(("Examples:", *(f"  {example}" for example in found.examples)))
        single.command(cmd_name, help=found.work.__doc__, epilog=examples, context_settings=_SETTINGS)(
            found.as_function()
        )
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        found = sorted((command_of(name).place, name, command_of(name).help) for name in COMMANDS)
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for _, name, help_ in found])


def command_of(name: str) -> Command:
    """The command of a name, imported."""
    found: Command = import_module(f"{commands.__name__}.{COMMANDS[name]}").run
    return found


app = typer.Typer(
    context_settings=_SETTINGS,
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


@app.callback(epilog="A first argument that is no command is an expression: laycalc '(8,16):(20,1) / <4:1,8:2>'")
def _root() -> None:
    """A calculator, picture maker and checker for CuTe layouts."""


def arguments(argv: Sequence[str]) -> list[str]:
    """The arguments as typer should see them.

    The default command is put in front of expressions, and an expression that begins like an option, ``-(`` or ``-4``,
    gets a blank in front.
    """
    args = [f" {a}" if re.match(r"-[(\d]", a) else a for a in argv]
    if not args:
        return args
    args = _meant(args)
    first = args[0]
    if first in COMMANDS or first in ("-h", "--help", "--install-completion", "--show-completion"):
        return args
    if first == "--version":
        return ["version"]
    return ["eval", *args]


_CODE = re.compile(r"\??[Ll][Cc]\d+")
_WORD = re.compile(r"\??[\w./\\~-]+")
_FLAGS = frozenset({"--json", "--strict", "--no-verify", "--ragged"})
_OF_VALUES = frozenset({"banks", "draw", "explain", "info", "table", "vector"})
"""Commands that take one expression."""


def _meant(args: list[str]) -> list[str]:
    """The command that explains what is asked about: a code, a command, a function."""
    if len(args) == 1 and _CODE.fullmatch(args[0]):
        return ["explain", args[0].lstrip("?")]
    if len(args) != 2 or args[0] not in ("help", "explain"):
        return args
    asked = args[1]
    if args[0] == "help" and _CODE.fullmatch(asked):
        return ["explain", asked.lstrip("?")]
    if asked.isidentifier():
        from laycalc.grammar.language.functions import find

        if find(asked) is not None:
            return ["help", asked]
        if asked in COMMANDS:
            return [asked, "--help"]
    return args


def _slip(args: Sequence[str]) -> Any:
    """What to say of arguments that were not meant so, or None; most lines are told at a glance."""
    command, *rest = args or [""]
    if command != "eval" and command not in _OF_VALUES:
        return None
    while rest and rest[0] in _FLAGS:
        rest = rest[1:]
    texts = []
    for arg in rest:
        if arg.startswith("-") and arg != "-":
            break
        texts.append(arg)
    if {"-D", "--define", "--jsonl"} & set(rest) or (len(texts) < 2 and not (texts and _WORD.fullmatch(texts[0]))):
        return None
    from .slips import slip

    return slip(texts, COMMANDS, "" if command == "eval" else command)


def main(argv: Sequence[str] | None = None) -> None:
    """The console script; the process ends with exit code 0 clean, 1 findings, 2 usage or text, 3 our own failure."""
    given = sys.argv[1:] if argv is None else list(argv)
    if os.environ.get("COLUMNS") == "0":  # some editors say so; it is as if they said nothing
        del os.environ["COLUMNS"]
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell: >&-
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it lives as long as the process
    if "_LAYCALC_COMPLETE" not in os.environ:
        given = arguments(given)
    with _guarded("stdout"), _guarded("stderr"):
        code = _run(given)
    sys.exit(code)


@contextlib.contextmanager
def _guarded(name: str) -> Iterator[None]:
    """Nothing hidden is written to a stream, whoever writes: neither we nor what tells of wrong options."""
    from laycalc.render.reports.style import style_for
    from laycalc.render.reports.visible import Guarded

    stream = getattr(sys, name)
    guard = Guarded(stream, coloured=style_for(stream).colour)
    setattr(sys, name, guard)
    try:
        yield
    finally:
        if getattr(sys, name) is guard:
            setattr(sys, name, stream)


def _last_words(text: str) -> None:
    """A line on standard error, if there is one."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        print(f"error: {text}", file=sys.stderr)
    # What is still buffered cannot be written either; the interpreter must not try again.
    with contextlib.suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _run(given: list[str]) -> int:
    try:
        if (code := _at_once(given)) is not None:
            return code
        result: Any = app(given, prog_name="laycalc", standalone_mode=False)
        sys.stdout.flush()
        return int(result or 0)
    except typer.Exit as stop:
        return int(stop.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Nobody reads any more: end quietly, and keep the interpreter from flushing into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # A full disk below standard output, a stream that is not there, or a file that nobody expected to fail.
        what = f"cannot open {error.filename}" if error.filename is not None else "cannot write"
        _last_words(f"{what}: {error.strerror or error}")
        return 2
    except ModuleNotFoundError as error:
        if (error.name or "laycalc").partition(".")[0] == "laycalc":
            return _own_fault(error)
        _last_words(f"this needs {error.name}, which is not installed; pip install laycalc brings it")
        return 2
    except Exception as error:
        # typer carries its own click, whose usage errors have no public name.
        if hasattr(error, "format_message") and hasattr(error, "show"):
            error.show()
            return 2
        return _own_fault(error)


def _at_once(given: list[str]) -> int | None:
    """The exit code of what no command is needed for; None otherwise."""
    if len(given) == 2 and given[0] in ("--show-completion", "--install-completion"):
        return _completion(given[0], given[1])
    wrong = _slip(given)
    return None if wrong is None else _refused(wrong, as_json="--json" in given)


def _completion(wish: str, shell: str) -> int:
    """Completion for a shell that is named, which need not be the one that asks."""
    from typer._completion_shared import get_completion_script, install

    if shell not in ("bash", "zsh", "fish", "powershell", "pwsh"):
        _last_words(f"completion is for bash, zsh, fish, powershell and pwsh, not {shell}")
        return 2
    if wish == "--install-completion":
        print("{} completion installed in {}".format(*install(shell=shell, prog_name="laycalc")))
    else:
        print(get_completion_script(prog_name="laycalc", complete_var="_LAYCALC_COMPLETE", shell=shell))
    return 0


def _refused(wrong: Any, *, as_json: bool) -> int:
    from laycalc.render.reports.json import result_object

    from .streams.output import complain, write_json

    if as_json:
        write_json(result_object("", "", "", wrong, ()))
    else:
        complain([wrong])
    return int(wrong.exit_code)


def _own_fault(error: Exception) -> int:
    if os.environ.get("LAYCALC_DEBUG"):
        raise error
    from laycalc.diagnostics.model import our_fault

    found = our_fault(error)
    print(f"error[{found.code}]: {found.message}\n  note: {found.notes[0]}", file=sys.stderr)
    return 3
