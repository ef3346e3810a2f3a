"""The application: command names, the default command, and what every command shares on its way out."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

__all__ = ["COMMANDS", "app", "main"]

COMMANDS: dict[str, tuple[str, str]] = {
    "eval": ("evaluate", "Evaluate expressions (the default command)."),
    "info": ("info", "Everything about one layout."),
    "table": ("table", "The offsets of a layout as a table."),
    "draw": ("draw", "Draw a layout, a thread-value layout or a tiler."),
    "explain": ("explain", "The derivation of a value, step by step; or the page of a code: LC301."),
    "check": ("check", "Check the assertions of files; made for CI."),
    "atom": ("atom", "Hardware instructions: list, show, draw, who owns an element."),
    "banks": ("banks", "Bank conflicts, wavefronts, coalescing; --suggest a swizzle."),
    "vector": ("vector", "The widest legal vector of a copy between two layouts."),
    "to": ("forms:write", "Write a value as C++, DSL, numpy, torch, LaTeX, Triton, ..."),
    "from": ("forms:read", "Read a pasted text of another system."),
    "fit": ("fit", "From a table of offsets to a layout."),
    "diff": ("diff", "Where two layouts differ."),
    "why": ("why", "How far a composition gets, and what stops it."),
    "help": ("help", "What a function of the language does."),
    "repl": ("repl", "The language at a prompt."),
    "version": ("version", "The version of laycalc and what it runs on."),
}
"""Name -> (module of this package, with its function if that is not ``run``; one-line help).

A command's module is imported when the command runs.
"""


_SETTINGS = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, help_ = COMMANDS[cmd_name]
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        module, _, function = module.partition(":")
        run = getattr(import_module(f"laycalc.cli.commands.{module}"), function or "run")
        single.command(
            cmd_name,
            help=run.__doc__ or help_,
            context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
        )(run)
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for name, (_, help_) in COMMANDS.items()])


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
    first = args[0]
    if first in COMMANDS or first in ("-h", "--help", "--install-completion", "--show-completion"):
        return args
    if first == "--version":
        return ["version"]
    return ["eval", *args]


def main(argv: Sequence[str] | None = None) -> None:
    """The console script; the process ends with exit code 0 clean, 1 findings, 2 usage or text, 3 our own failure."""
    given = sys.argv[1:] if argv is None else list(argv)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell: >&-
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it lives as long as the process
    if "_LAYCALC_COMPLETE" not in os.environ:
        given = arguments(given)
    sys.exit(_run(given))


def _last_words(text: str) -> None:
    """A line on standard error, if there is one."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        print(f"error: {text}", file=sys.stderr)
    # What is still buffered cannot be written either; the interpreter must not try again.
    with contextlib.suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _run(given: list[str]) -> int:
    try:
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
        # A full disk below standard output, or a stream that is not there.
        _last_words(f"cannot write: {error.strerror or error}")
        return 2
    except Exception as error:
        # typer carries its own click, whose usage errors have no public name.
        if hasattr(error, "format_message") and hasattr(error, "show"):
            error.show()
            return 2
        if os.environ.get("LAYCALC_DEBUG"):
            raise
        print(
            f"error[LC901]: laycalc failed: {type(error).__name__}: {error}\n"
            "  note: this is our fault; LAYCALC_DEBUG=1 shows where",
            file=sys.stderr,
        )
        return 3
