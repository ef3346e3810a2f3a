"""``laycalc version``."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from ..streams.command import command
from ..streams.output import write_line

__all__ = ["run"]


@command(170, "The version of laycalc and what it runs on.", "laycalc version")
def run() -> int:
    """Print the version of laycalc, of Python, and of the packages that it stands on."""
    write_line(f"laycalc {_version('laycalc')}")
    write_line(f"python {platform.python_version()} on {platform.system().lower()}")
    for name in ("typer", "lark", "rich", "matplotlib"):
        write_line(f"{name} {_version(name)}")
    return 0


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
