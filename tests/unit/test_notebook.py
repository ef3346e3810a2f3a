"""The notebook of the documents: its cells run, and show what is kept with them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_notebook_runs_and_shows_what_is_kept() -> None:
    pytest.importorskip("nbclient", reason="nbclient is in the test extra")
    pytest.importorskip("ipykernel", reason="ipykernel is in the test extra")
    import nbformat

    place = importlib.util.spec_from_file_location("notebook", ROOT / "docs" / "notebook.py")
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    kept = module.shown(nbformat.read(module.NOTEBOOK, as_version=4))
    assert module.shown(module.executed()) == kept, "stale: python docs/notebook.py"
    shown = [data for _, outputs in kept for data in outputs if isinstance(data, dict)]
    pictures = [data["image/svg+xml"] for data in shown if "image/svg+xml" in data]
    assert len(pictures) >= 5
    assert all(len(svg) < 200_000 for svg in pictures)
