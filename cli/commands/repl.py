"""``laycalc repl``: the language at a prompt, with history, completion and help."""

from __future__ import annotations

import cmd
import os
import re
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.functions import functions, nearest
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import run as run_text
from laycalc.grammar.syntax import nodes

from ..streams.command import command, guarded
from ..streams.inputs import scope_of
from ..streams.options import Define
from ..streams.outfile import writing
from ..streams.output import complain, write_line
from ..streams.summary import measures
from ..streams.value import value_of
from .help import run as help_on

__all__ = ["Prompt", "run"]

_BANNER = "laycalc: type an expression, ?coalesce for help on a function, :help for commands, ctrl-D to leave"


@command(160, "The language at a prompt.", "laycalc repl -D M=256")
def run(
    define: Define = None,
    history: Annotated[str, typer.Option(help="The history file.", show_default="in the user's state folder")] = "",
) -> int:
    """Evaluate expressions at a prompt.

    Bindings last for the session. An open bracket continues on the next line; ctrl-C cancels the line, ctrl-D leaves.
    """
    prompt = Prompt(scope_of(define))
    _remember(history or _history_file())
    write_line(_BANNER)
    while True:
        try:
            prompt.cmdloop()
            return 0
        except KeyboardInterrupt:
            prompt.forget_line()


class Prompt(cmd.Cmd):
    """Reads lines until a statement is complete, then evaluates it in the session's scope."""

    prompt = "> "
    identchars = cmd.Cmd.identchars + ":?"

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope
        self.pending: list[str] = []
        self.tables = True

    # -- lines ---------------------------------------------------------------------------------------------------

    def onecmd(self, line: str) -> bool:
        if line == "EOF":
            write_line("")
            return True
        if not self.pending and (word := self._bare_command(line)):
            line = f":{word}"
        text = "".join(self.pending) + line
        if line.strip() and _open_brackets(text) > 0:
            return self.wait(f"{line}\n")
        bare = _ASIDE.sub("", line)
        if not text.startswith("?") and _WAITING.search(bare):
            # The end of a line is the end of a statement, but for that in brackets.
            return self.wait(f"{bare} ")
        self.forget_line(quiet=True)
        if text.lstrip().startswith((":", "?")):
            return self.command(" ".join(text.split()))
        if text.strip():
            self.evaluate(text)
        return False

    def wait(self, part: str) -> bool:
        """Keep a part of a statement until the rest of it comes."""
        self.pending.append(part)
        self.prompt = ". "
        return False

    def _bare_command(self, line: str) -> str:
        """A command written without its colon, as at the shell, unless its name is bound or an operator follows."""
        word, _, rest = line.strip().partition(" ")
        if word.removesuffix("()") in ("quit", "exit", "help") and not rest and word not in self.scope:
            return word.removesuffix("()")
        if (
            word in ("table", "draw", "info", "explain")
            and rest
            and rest[0] not in "=:(+-*/<>|"
            and word not in self.scope
        ):
            return line.strip()
        return ""

    def forget_line(self, *, quiet: bool = False) -> None:
        """Drop a half-typed statement."""
        if not quiet:
            write_line("")
        self.pending = []
        self.prompt = "> "

    def emptyline(self) -> bool:
        return False

    def evaluate(self, text: str) -> None:
        """Run a statement and show what it came to; ``_`` of other calculators is called ``ans`` here."""
        for outcome in run_text(text, self.scope):
            complain(outcome.warnings)
            if outcome.error is not None:
                complain([outcome.error])
                continue
            if isinstance(outcome.statement, nodes.Evaluate):
                self.scope.names["ans"] = outcome.value
            write_line(text_of(outcome.value))
            if self.tables:
                for line in measures(outcome.value):
                    write_line(line)

    # -- commands ------------------------------------------------------------------------------------------------

    def command(self, line: str) -> bool:
        """``:name argument`` and ``?name``."""
        if line.startswith("?"):
            self.help_on(line[1:].strip())
            return False
        name, _, argument = line[1:].partition(" ")
        if name in ("quit", "q", "exit"):
            return True
        action = self.actions().get(name)
        if action is None:
            guess = nearest(name, list(self.actions()))
            hint = f"; did you mean :{guess}?" if guess in self.actions() else ""
            complain([Diagnostic("LC102", f"no command :{name}{hint}; :help lists them")])
            return False
        try:
            guarded(lambda: action(argument.strip()))
        except KeyboardInterrupt:
            write_line("")
        return False

    def actions(self) -> dict[str, Callable[[str], int]]:
        """The commands that take an argument."""
        return {
            "help": self.list_help,
            "table": self.table,
            "draw": self.draw,
            "explain": self.explain,
            "info": self.info,
            "set": self.set_option,
            "names": self.names_,
        }

    def list_help(self, _: str) -> int:
        write_line(":table EXPR           the offsets as a table")
        write_line(":draw EXPR FILE.svg   a picture; the ending says the format")
        write_line(":explain EXPR|LC301   the derivation, or the page of a code")
        write_line(":info EXPR            everything about one layout")
        write_line(":set summary on|off   measures below each value")
        write_line(":names                what is bound; ans is the last value")
        write_line("?NAME                 help on a function; ? lists them")
        write_line(":quit                 leave")
        return 0

    def help_on(self, name: str) -> None:
        """One function, or the names of all."""
        help_on([name] if name else [])

    def table(self, argument: str) -> int:
        from laycalc.render.kinds.table import table

        write_line(table(value_of(argument, self.scope)).rstrip("\n"))
        return 0

    def draw(self, argument: str) -> int:
        from laycalc.render.draw import save

        expression, _, path = argument.rpartition(" ")
        if not expression:
            raise Failure(Diagnostic("LC103", ":draw wants an expression and a file"))
        with writing(path):
            save(value_of(expression, self.scope), path)
        write_line(f"wrote {path}")
        return 0

    def explain(self, argument: str) -> int:
        from .explain import explained

        return explained(argument, self.scope)

    def info(self, argument: str) -> int:
        from laycalc.algebra.questions.analysis import analyse
        from laycalc.render.reports.analysis import analysis_rows

        for label, text in analysis_rows(analyse(value_of(argument, self.scope))):
            write_line(f"{label:<16}{text}")
        return 0

    def set_option(self, argument: str) -> int:
        name, _, value = argument.partition(" ")
        if name != "summary" or value.strip() not in ("on", "off"):
            raise Failure(Diagnostic("LC103", ":set summary on, or :set summary off"))
        self.tables = value.strip() == "on"
        return 0

    def names_(self, _: str) -> int:
        for name, value in self.scope.names.items():
            write_line(f"{name} = {text_of(value)}")
        return 0

    # -- completion ----------------------------------------------------------------------------------------------

    def completenames(self, text: str, *_: object) -> list[str]:
        return self.complete_word(text)

    def completedefault(self, text: str, *_: object) -> list[str]:
        return self.complete_word(text)

    def complete_word(self, text: str) -> list[str]:
        """Functions, names and commands that begin with ``text``."""
        if text.startswith(":"):
            return [f":{name}" for name in self.actions() if name.startswith(text[1:])]
        names = [f.name for f in functions()] + list(self.scope.names)
        return [name for name in names if name.startswith(text.removeprefix("?"))]


_WAITING = re.compile(r"(?:[,<+/%:=∘⊗⊘]|(?<!\^)[*-]|\b(?:o|and|or|not|in))\s*$")

"""What ends a line that goes on."""
_ASIDE = re.compile(r"(?:#|(?<!\S)//).*")


def _open_brackets(text: str) -> int:
    """How many brackets are still open, strings and comments apart."""
    bare = re.sub(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*|(?<!\S)//[^\n]*', "", text)
    return sum(bare.count(c) for c in "([{") - sum(bare.count(c) for c in ")]}")


def _history_file() -> str:
    folder = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(folder, "laycalc", "history")


def _remember(path: str) -> None:
    """Load the history, and save it at the end; without readline, or in a folder that is read-only, there is none."""
    try:
        import readline
    except ImportError:
        return
    if not sys.stdin.isatty():
        return
    import atexit

    readline.set_completer_delims(" \t\n()[]{}<>,;=*/+-|")
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if os.path.exists(path):
            readline.read_history_file(path)
    except OSError:
        return
    readline.set_history_length(2000)
    atexit.register(_save, path)


def _save(path: str) -> None:
    import contextlib
    import readline

    with contextlib.suppress(OSError):
        readline.write_history_file(path)
