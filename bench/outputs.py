"""What the program answers, byte for byte, before and after a change that should change no answer.

python bench/outputs.py commands CORPUS           collect commands from the tests, the facts and the pages
python bench/outputs.py record CORPUS ANSWERS     run them with the laycalc of this checkout
python bench/outputs.py compare BEFORE AFTER      say which answers differ; exit code 1 if some do
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SHORT = 240
"""Longer texts are left to the tests."""


def texts() -> Iterator[str]:
    """Expressions: the strings of the facts and of the tests that look like one."""
    for path in sorted((ROOT / "tests" / "golden").glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for row in rows[:: max(1, len(rows) // 400)]:
            for key in ("expr", "input", "literal", "form", "emit", "laycalc"):
                if isinstance(row.get(key), str):
                    yield row[key]
            if isinstance(row.get("op"), str) and isinstance(row.get("args"), list):
                yield f"{row['op']}({', '.join(map(str, row['args']))})"
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and any(c in node.value for c in ":(/"):
                yield node.value


def pages() -> Iterator[list[str]]:
    """The commands of the pages, without pipes and redirections."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "gallery" / "README.md"]:
        for line in path.read_text().splitlines():
            if line.startswith("$ laycalc ") and not any(c in line for c in "|<>&;"):
                with contextlib.suppress(ValueError):
                    yield shlex.split(line[len("$ laycalc ") :])


def commands() -> Iterator[list[str]]:
    """The corpus: every text evaluated, one in a few also with each other command."""
    yield from pages()
    known = dict.fromkeys(t for t in texts() if 2 < len(t) < SHORT and "\0" not in t)
    others = [
        ["eval", "--json"], ["info"], ["table", "--format", "markdown"], ["draw", "--format", "svg"], ["explain"],
        ["to", "cpp"], ["draw", "--format", "tex"], ["from"], ["info", "--json"], ["draw", "--format", "html"],
        ["banks"], ["draw", "--format", "txt"],
    ]  # fmt: skip
    for i, text in enumerate(known):
        yield ["eval", "--", text]
        command = others[i % len(others)]
        yield [*command, "--", text]


def answer(argv: list[str]) -> dict[str, object]:
    """Exit code, standard output and standard error of one command, in this process."""
    from laycalc.cli.main import main

    # Pictures are written to the buffer below standard output.
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(argv)
        except SystemExit as stop:
            code = stop.code
    said = [stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err)]  # type: ignore[attr-defined]
    return {"argv": argv, "code": code, "out": said[0], "err": said[1]}


def record(corpus: Path, answers: Path) -> None:
    lines = corpus.read_text().splitlines()
    # Some commands write files.
    with answers.open("w") as file, TemporaryDirectory() as folder, contextlib.chdir(folder):
        for line in lines:
            file.write(json.dumps(answer(json.loads(line))) + "\n")


def compare(before: Path, after: Path) -> int:
    different = 0
    pairs = zip(before.read_text().splitlines(), after.read_text().splitlines(), strict=True)
    for old, new in pairs:
        if old != new:
            different += 1
            a, b = json.loads(old), json.loads(new)
            print(shlex.join(["laycalc", *a["argv"]]))
            for key in ("code", "out", "err"):
                if a[key] != b[key]:
                    print(f"  {key} before: {str(a[key])[:400]!r}\n  {key} after:  {str(b[key])[:400]!r}")
    print(f"{different} answers differ")
    return int(different > 0)


if __name__ == "__main__":
    verb, *paths = sys.argv[1:]
    if verb == "commands":
        Path(paths[0]).write_text("".join(json.dumps(c) + "\n" for c in commands()))
    elif verb == "record":
        record(Path(paths[0]), Path(paths[1]))
    elif verb == "compare":
        sys.exit(compare(Path(paths[0]), Path(paths[1])))
