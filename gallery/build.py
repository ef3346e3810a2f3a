"""Rebuilds the gallery: every ``*.layout`` beside this file becomes ``figures/*.svg``, and README.md shows them.

    python gallery/build.py            rebuild what changed
    python gallery/build.py --check    say what is stale, exit 1 if anything is
    python gallery/build.py --paper F  draw the figures of paper.tex as PDF into a folder, and compile it where TeX is

A file begins with header lines: ``# title: ...``, ``# note: ...`` and ``# draw: kind=slice tile=8x8 ...``, the keywords
of `laycalc.render.draw.scene_of`. The expressions below them, one a line, are what is drawn.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laycalc.grammar.run.statements import run
from laycalc.grammar.syntax import nodes
from laycalc.render.draw import draw, save

HERE = Path(__file__).parent
FIGURES = HERE / "figures"
FORMATS = """## Formats

The ending of the file is the format. SVG and HTML have a tooltip for every cell; a PDF has real text in an embedded
font; TeX is a document, or with `--fragment` a picture to input, which shares its colours with the others; Typst is a
block to include. Without a file a terminal shows the picture itself, in half-blocks where its texts have no room.

```text
laycalc draw '((4,8),2):((16,1),8)' --tile 8x8 --width 3.3in -o fig06.pdf
laycalc draw '((4,8),2):((16,1),8)' --tile 8x8 --fragment -o fig06.tikz     # \\input{fig06.tikz}
laycalc draw '((4,8),2):((16,1),8)' --tile 8x8 -o fig06.typ                 # #figure(include "fig06.typ")
laycalc draw '((4,8),2):((16,1),8)' --tile 8x8 -o fig06.html
laycalc draw '((4,8),2):((16,1),8)' --tile 8x8
```
"""
SWITCHES = {"True": True, "False": False}
LINE = 100
"""Longer commands of the page are broken."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A file of expressions and what its header asks for."""

    name: str
    title: str
    note: str
    wishes: dict[str, Any]
    text: str

    def svg(self) -> str:
        """The picture."""
        made = draw(values(self.text), format="svg", title=self.title, **self.wishes)
        assert isinstance(made, str)
        return made

    def command(self) -> str:
        """The command that draws it, broken where it would be longer than a line."""
        lines = (line.strip() for line in self.text.splitlines())
        words = [shlex.quote(line) for line in lines if line and not line.startswith("#")]
        words += [_option(key.replace("_", "-"), value) for key, value in self.wishes.items()]
        words += [f"--title {shlex.quote(self.title)}", f"-o {self.name}.svg"]
        whole = " ".join(["laycalc draw", *words])
        return whole if len(whole) <= LINE else " \\\n  ".join(["laycalc draw", *words])


def _option(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name} {shlex.quote(str(value))}"


def values(text: str) -> Any:
    """The value of the only expression of a text, or the list of all; an error is raised with its message."""
    found = []
    for outcome in run(text):
        if outcome.error is not None:
            raise SystemExit(f"{outcome.error.code}: {outcome.error.message}")
        if isinstance(outcome.statement, nodes.Evaluate):
            found.append(outcome.value)
    return found[0] if len(found) == 1 else found


def read(path: Path) -> Figure:
    """A figure from its file."""
    text = path.read_text(encoding="utf-8")
    header = dict(
        line[1:].strip().split(": ", 1) for line in text.splitlines() if line.startswith("#") and ": " in line
    )
    wishes: dict[str, Any] = {}
    for word in shlex.split(header.get("draw", "")):
        key, value = word.split("=", 1)
        wishes[key.replace("-", "_")] = int(value) if value.isdecimal() else SWITCHES.get(value, value)
    return Figure(path.stem, header.get("title", path.stem), header.get("note", ""), wishes, text)


def figures() -> list[Figure]:
    """All figures: those of the paper first, then the others by name."""
    return sorted(map(read, HERE.glob("*.layout")), key=lambda f: (not f.name.startswith("fig"), f.name))


def readme(all_figures: list[Figure]) -> str:
    """The page that shows the figures with the commands that draw them."""
    parts = [
        "# Gallery\n",
        "Every figure is drawn from the file beside it; the command below a figure draws it too.\n"
        "`python gallery/build.py` rebuilds them all, each at the width that it is for: a column of a paper has 3.3\n"
        "inches, a page 7. `python gallery/build.py --paper FOLDER` puts four of them on a page of two columns.\n",
        "Figures are numbered as in *CuTe Layout Representation and Algebra* (arXiv:2603.02298).\n",
    ]
    parts.append(FORMATS)
    for f in all_figures:
        parts.append(f"## {f.title}\n\n{f.note}\n\n![{f.title}](figures/{f.name}.svg)\n\n```text\n{f.command()}\n```\n")
    return "\n".join(parts)


def outputs() -> dict[Path, str]:
    """Every file of the gallery that is made, and what it ought to hold."""
    all_figures = figures()
    made = {HERE / "README.md": readme(all_figures)}
    for k, figure in enumerate(all_figures):
        _progress(k, len(all_figures), figure.name)
        made[FIGURES / f"{figure.name}.svg"] = figure.svg()
    _progress(len(all_figures), len(all_figures), "")
    return made


def stale(made: dict[Path, str]) -> list[str]:
    """The files that do not hold what they ought to, and figures that nothing draws."""
    found = [p for p, text in made.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    found += [p for p in FIGURES.glob("*") if p not in made]
    return sorted(p.relative_to(HERE).as_posix() for p in found)


def paper(folder: Path) -> Path | None:
    """The figures of the paper-like page and the page itself; None where there is no pdflatex."""
    folder.mkdir(parents=True, exist_ok=True)
    text = (HERE / "paper.tex").read_text(encoding="utf-8")
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    for figure in figures():
        if f"{{{figure.name}.pdf}}" in text:
            # The caption below a figure says what its title would.
            save(values(figure.text), folder / f"{figure.name}.pdf", **figure.wishes)
    latex = shutil.which("pdflatex")
    if latex is None:
        return None
    command = [latex, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "paper.pdf"


def _progress(done: int, total: int, name: str) -> None:
    if sys.stderr.isatty():
        bar = "#" * (24 * done // total)
        sys.stderr.write(f"\r\x1b[K[{bar:<24}] {done}/{total} {name}" + ("\n" if done == total else ""))
        sys.stderr.flush()


def main(arguments: list[str]) -> int:
    """Rebuild, or with ``--check`` only compare."""
    if "--paper" in arguments:
        print(paper(Path(arguments[-1])) or "no pdflatex: the figures are there, the page is not")
        return 0
    made = outputs()
    found = stale(made)
    if "--check" in arguments:
        for name in found:
            print(f"stale: {name}")
        return 1 if found else 0
    FIGURES.mkdir(exist_ok=True)
    for path, text in made.items():
        if path.relative_to(HERE).as_posix() in found:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"written: {path.relative_to(HERE).as_posix()}")
    for path in FIGURES.glob("*"):
        if path not in made:
            path.unlink()
            print(f"removed: {path.relative_to(HERE).as_posix()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
