"""Builds the page for any host of files: python -m laycalc.playground.build FOLDER [--pyodide FOLDER]

The folder then has the page, Pyodide and laycalc itself; nothing else is asked of a network. Pyodide comes from its
package in the registry of npm unless a folder has it unpacked.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["archive", "build", "main"]

PYODIDE = "pyodide@314.0.7"
"""The package that the page was tried with."""
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of it that a browser loads."""
ROOMS = ("algebra", "atoms", "design", "diagnostics", "grammar", "render", "playground")
"""The rooms of laycalc that answer questions; commands and servers stay at home."""
LEFT = frozenset({"__pycache__", "page", "browser"})

HERE = Path(__file__).resolve().parent
WRITTEN = '{"name": "", "files": []}'
"""What stands in offline.js for what the build knows."""


def build(folder: Path, pyodide: Path) -> list[str]:
    """Write the whole page into a folder that is not there yet, or is empty; its files in order."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty")
    for source in (*(HERE / "page").iterdir(), HERE / "browser" / "worker.js"):
        shutil.copyfile(source, folder / source.name)
    (folder / "pyodide").mkdir()
    for name in PARTS:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    (folder / "laycalc.zip").write_bytes(archive())
    (folder / "engine.json").write_text(json.dumps({"engine": "pyodide"}) + "\n")
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    known = json.dumps({"name": f"laycalc-{_digest(folder, files)}", "files": ["./", *files]})
    offline = (HERE / "browser" / "offline.js").read_text(encoding="utf-8")
    (folder / "offline.js").write_text(offline.replace(WRITTEN, known), encoding="utf-8")
    return [*files, "offline.js"]


def archive() -> bytes:
    """laycalc as a zip file, the same bytes on every machine."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in sorted(_sources()):
            entry = zipfile.ZipInfo(f"laycalc/{name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes())
    return made.getvalue()


def _sources() -> Iterator[tuple[str, Path]]:
    """The files of the package below laycalc/, and where each lies."""
    package = HERE.parent if (HERE.parent / "py.typed").exists() else HERE.parent / "laycalc"
    for path in package.glob("*.py"):
        yield path.name, path
    for room in ROOMS:
        for path in (package / room).rglob("*"):
            name = path.relative_to(package).as_posix()
            if path.is_file() and not LEFT.intersection(path.relative_to(package).parts):
                yield name, path
    yield "playground/page/examples.json", HERE / "page" / "examples.json"


def _digest(folder: Path, files: list[str]) -> str:
    """The name of these files: another text has another."""
    digest = hashlib.sha256()
    for name in files:
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes())
    return digest.hexdigest()[:16]


def fetched(folder: Path) -> Path:
    """Pyodide from the registry of npm, unpacked into a folder."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm fetches Pyodide; or say --pyodide FOLDER, where its package is unpacked")
    done = subprocess.run([npm, "pack", "--silent", PYODIDE], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"npm cannot fetch {PYODIDE}:\n{done.stderr.strip()}")
    with tarfile.open(next(folder.glob("*.tgz"))) as packed:
        packed.extractall(folder, filter="data")
    return folder / "package"


def main(arguments: list[str]) -> int:
    """Build, and say how large it became."""
    parser = argparse.ArgumentParser(prog="python -m laycalc.playground.build", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the page goes: a new or an empty folder")
    parser.add_argument("--pyodide", type=Path, help="the unpacked package of Pyodide")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as there:
        files = build(given.folder, given.pyodide or fetched(Path(there)))
    size = sum((given.folder / name).stat().st_size for name in files)
    print(f"{given.folder}: {len(files)} files, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
