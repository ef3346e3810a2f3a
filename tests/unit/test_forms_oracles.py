"""Foreign layouts as their own systems computed them: torch, numpy, isl, Triton, TileLang, Composable Kernel."""

from __future__ import annotations

from typing import Any

import pytest
from golden.facts import load, same_function

from laycalc.algebra.finding.fit import fit
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.shape import coordinates
from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any
from laycalc.grammar.forms.arrays.chains import view_of
from laycalc.grammar.run.statements import evaluate

VIEWS = load("array_views.jsonl")
MAPS = load("isl_maps.jsonl")
ENCODINGS = load("triton_encodings.jsonl")
PRINTS = load("tilelang_maps.jsonl")
DISTRIBUTIONS = load("ck_distributions.jsonl")


# ---- torch and numpy ----


def large(sizes: Any, strides: Any) -> list[Any]:
    """The strides that say something: a dimension of size 1 may have any."""
    return [d for n, d in zip(sizes, strides, strict=True) if n > 1]


@pytest.mark.parametrize("library", ["torch", "numpy"])
def test_views_have_the_strides_of_the_library(library: str) -> None:
    for row in (r for r in VIEWS if r["library"] == library and "error" not in r):
        view, of = view_of(row["text"])
        assert of == library
        assert list(view.sizes) == row["sizes"], row
        assert large(view.sizes, view.strides) == large(row["sizes"], row["strides"]), row
        assert view.offset == row["offset"], row
        assert view.element is None or view.element.itemsize == row["itemsize"], row


@pytest.mark.parametrize("row", [r for r in VIEWS if "error" in r], ids=lambda r: r["text"])
def test_what_the_library_refuses_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(Failure):
        view_of(row["text"])


# ---- isl ----


def tuple_of(value: Any, count: int) -> list[int]:
    """The numbers of a value, axis by axis."""
    if isinstance(value, Coordinate):
        return [value.axis((k,)) for k in range(count)]
    found = list(flatten(value)) if isinstance(value, tuple) else [getattr(value, "value", value)]
    return found + [0] * (count - len(found))


def test_maps_have_the_values_of_isl() -> None:
    for row in (r for r in MAPS if "refused" not in r):
        count = len(row["values"][0])
        try:
            reading = read_any(row["text"], "isl")
        except Failure:
            cells = [Coordinate.of(((k,), c) for k, c in enumerate(v)) if count > 1 else v[0] for v in row["values"]]
            assert fit(cells, row["sizes"]).value is None, row["text"]
            continue
        value = evaluate(reading.expression)
        assert [tuple_of(v, count) for v in value.values()] == row["values"], row["text"]
        if count > 1 and not any(v[-1] for v in row["values"]) and f"e{count - 1}" not in reading.expression:
            assert any("0 everywhere" in note for note in reading.notes)


@pytest.mark.parametrize("row", [r for r in MAPS if "refused" in r], ids=lambda r: r["text"])
def test_a_relation_on_no_box_or_of_several_values_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(Failure) as caught:
        read_any(row["text"], "isl")
    assert caught.value.diagnostic.code in ("LC103", "LC104")


# ---- Triton ----


def text_of(row: dict[str, Any]) -> str:
    return f"#smem = #ttg.shared_memory\n#e = {row['encoding']}\n%0 = some.op : {row['type']}"


def image(bases: list[list[int]], index: int, rank: int) -> tuple[int, ...]:
    """The XOR of the bases of the bits of an index."""
    found = [0] * rank
    for k, basis in enumerate(bases):
        if index >> k & 1:
            found = [a ^ b for a, b in zip(found, basis, strict=True)]
    return tuple(found)


@pytest.mark.parametrize("kind", sorted({r["kind"] for r in ENCODINGS}))
def test_encodings_are_those_of_triton(kind: str) -> None:
    for row in (r for r in ENCODINGS if r["kind"] == kind and "refused" not in r):
        reading = read_any(text_of(row), "triton")
        linear = row["linear"]
        if "reg_bases" in linear:
            names = {"register": "reg_bases", "lane": "lane_bases", "warp": "warp_bases", "block": "block_bases"}
            assert reading.facts["bases"] == {ours: linear[theirs] for ours, theirs in names.items()}, row
        elif "offset_bases" in linear:
            check_memory(row, reading)
        else:
            check_tensor_memory(row, reading)


def check_memory(row: dict[str, Any], reading: Any) -> None:
    """An offset comes back from the coordinate that Triton gives it, in every buffer."""
    shape, bases = reading.facts["shape"], row["linear"]["offset_bases"]
    own, buffers = row["own"], shape[: len(shape) - len(row["own"])]
    for offset in range(0, 1 << len(bases), 1 + (1 << len(bases)) // 97):
        at = image(bases, offset, len(own))
        for buffer in range(buffers[0] if buffers else 1):
            point = (buffer, *at) if buffers else at
            assert reading.value(point if len(point) > 1 else point[0]) == offset + (buffer << len(bases)), row


def check_tensor_memory(row: dict[str, Any], reading: Any) -> None:
    linear = row["linear"]
    for m in range(0, row["own"][0], 7):
        for n in range(0, row["own"][1], 5):
            line, column = tuple_of(reading.value((m, n)), 2)
            sides = image(linear["rows"], line, 2), image(linear["cols"], column, 2)
            assert tuple(a ^ b for a, b in zip(*sides, strict=True)) == (m, n), row


@pytest.mark.parametrize("row", [r for r in ENCODINGS if "refused" in r], ids=lambda r: r["type"] + r["encoding"])
def test_encodings_that_triton_refuses(row: dict[str, Any]) -> None:
    with pytest.raises(Failure) as caught:
        read_any(text_of(row), "triton")
    assert caught.value.diagnostic.code == "LC103"


# The tables of the documentation of amd_rotating_shared: which element lies at each place of a row of four.
ROTATING = {
    "vec = 1, perPhase = 1, maxPhase = 2": [0, 1, 2, 3, 5, 4, 7, 6, 9, 8, 11, 10, 12, 13, 14, 15],
    "vec = 1, perPhase = 2, maxPhase = 2": [0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 11, 10, 13, 12, 15, 14, 17, 16, 19, 18],
    "vec = 1, perPhase = 1, maxPhase = 4": [
        0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12,
        17, 16, 19, 18, 20, 21, 22, 23, 27, 26, 25, 24, 30, 31, 28, 29,
    ],
}  # fmt: skip


@pytest.mark.parametrize("fields", ROTATING)
def test_a_rotating_encoding_is_that_of_its_documentation(fields: str) -> None:
    reading = read_any(f"#ttg.amd_rotating_shared<{{{fields}, order = [1, 0]}}>", "triton", (8, 4))
    elements = ROTATING[fields]
    at = {reading.value((e // 4, e % 4)): e for e in elements}
    assert [at[offset] for offset in range(len(elements))] == elements


def test_padding_with_bases_that_permute() -> None:
    """Elements after every interval, once the bases have put the rows into their order."""
    bases = [[0, 1], [0, 2], [2, 0], [4, 0], [1, 0]]
    text = f"#p = #ttg.padded_shared<[8:+1] {{offset = {bases}, block = []}}>\n!ttg.memdesc<8x4xf16, #p, #smem>"
    reading = read_any(text, "triton")
    for offset in range(32):
        assert reading.value(image(bases, offset, 2)) == offset + offset // 8
    both = read_any("#ttg.padded_shared<[2:+1, 4:+2] {order = [1, 0], shape = [8, 4]}>", "triton")
    assert [both.value((x // 4, x % 4)) for x in range(32)] == [x + x // 2 + 2 * (x // 4) for x in range(32)]


# ---- TileLang ----


@pytest.mark.parametrize("row", PRINTS, ids=lambda r: r["text"])
def test_a_constructor_and_its_print_are_one_layout(row: dict[str, Any]) -> None:
    made, printed = (evaluate(read_any(row[key], "tilelang").expression) for key in ("text", "printed"))
    assert same_function(made, printed)


def test_a_fragment_with_xor_counts_its_cells() -> None:
    """(T,V) to dim0 + 8*dim1 where thread i^j holds (i, j) in register j."""
    reading = read_any("Fragment([8, 8], forward_fn=lambda i, j: (i ^ j, j))")
    value = evaluate(reading.expression)
    assert all(value((t, v)) == (t ^ v) + 8 * v for t, v in coordinates((8, 8)))
    assert any("dim0 + 8*dim1" in note for note in reading.notes)


# ---- Composable Kernel ----


@pytest.mark.parametrize("row", DISTRIBUTIONS, ids=lambda r: r["text"].partition("<")[2])
def test_distributions_are_those_of_composable_kernel(row: dict[str, Any]) -> None:
    """(partition, place in the buffer, coordinates)."""
    value = read_any(row["text"]).value
    for thread, register, *cell in row["cells"]:
        assert tuple_of(value((thread, register)), len(cell)) == cell
