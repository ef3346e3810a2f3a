"""Runs the cells of docs/library.ipynb in order and keeps what they show.

python docs/notebook.py           write the notebook with its outputs
python docs/notebook.py --check   exit 1 if a cell shows something else than what is kept
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).with_name("library.ipynb")


def executed() -> Any:
    """The notebook after a run; a cell that fails ends it."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    place = {"metadata": {"path": str(NOTEBOOK.parent)}}
    NotebookClient(notebook, timeout=120, record_timing=False, resources=place).execute()
    for cell in notebook.cells:
        cell.metadata.clear()
    return notebook


def shown(notebook: Any) -> list[tuple[str, list[Any]]]:
    """The source of each cell and what it shows: text of streams, data of results, names of errors."""
    return [
        (cell.source, [x.get("text") or x.get("evalue") or dict(x.data) for x in cell.get("outputs", ())])
        for cell in notebook.cells
    ]


def main() -> int:
    kept, found = nbformat.read(NOTEBOOK, as_version=4), executed()
    if "--check" in sys.argv:
        return int(shown(kept) != shown(found))
    # The version of Python that ran the cells says nothing about them.
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    found.metadata = nbformat.from_dict({"kernelspec": kernel})
    nbformat.write(found, NOTEBOOK)
    return 0


if __name__ == "__main__":
    sys.exit(main())
