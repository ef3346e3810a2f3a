"""Machines of the bank model, several accesses at once, tiled copies and engines as accesses, the best suggestion."""

from __future__ import annotations

import json
from typing import Any

import pytest
from program import laycalc as program

import laycalc
from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.symbolic.values import at
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.atoms.accesses.access_words import read_pattern
from laycalc.atoms.accesses.engine_fit import engine_fit
from laycalc.atoms.accesses.swizzle_search import suggest
from laycalc.atoms.accesses.unknown import sampled
from laycalc.atoms.memory.banks import Access, bank_conflicts, operation
from laycalc.atoms.memory.cost import wavefronts
from laycalc.atoms.memory.machines import machine, phases
from laycalc.atoms.memory.pattern import Engine, Pattern
from laycalc.atoms.memory.patterns import bank_survey, copies
from laycalc.grammar.run.scope import Scope, Settings
from laycalc.grammar.run.statements import evaluate


def unknown(text: str) -> Any:
    """A layout with unknown numbers."""
    return evaluate(text, Scope(Settings(unknowns=True))).value


def fault(call: object, *arguments: object, **keywords: object) -> LayoutError:
    with pytest.raises(LayoutError) as caught:
        call(*arguments, **keywords)  # type: ignore[operator]
    assert caught.value.code == "LC103" and str(caught.value)
    return caught.value


def test_machines_are_known_by_name() -> None:
    assert [m.name for m in map(machine, ("sm90", "SM_90a", "sm100f", "MI300X", "gfx950"))] == [
        "sm90",
        "sm90",
        "sm100",
        "gfx942",
        "gfx950",
    ]
    assert [machine(f"sm{n}").measured for n in (70, 80, 90, 100, 120)] == [False, False, True, False, False]
    assert (machine("gfx942").banks, machine("gfx950").banks) == (32, 64)
    for name in ("gfx90a", "sm35", "sm99", "xe", "", "sm90x"):
        fault(machine, name)


@pytest.mark.parametrize("name", ["gfx942", "gfx950"])
@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_the_phases_of_a_wave_serve_each_lane_once(name: str, width: int) -> None:
    served = phases(name, width, True)
    assert sorted(lane for lanes in served for lane in lanes) == list(range(64))
    # Each phase moves what the banks give: 128 bytes on gfx942, 256 on gfx950.
    assert {len(lanes) * max(width, 4) for lanes in served} == {4 * machine(name).banks}


def test_documented_phases_of_16_bytes() -> None:
    assert [tuple(p) for p in phases("gfx942", 16, True)][:2] == [
        (0, 1, 2, 3, 20, 21, 22, 23),
        (32, 33, 34, 35, 52, 53, 54, 55),
    ]
    assert [tuple(p) for p in phases("gfx942", 16, False)][1] == tuple(range(8, 16))
    assert tuple(phases("gfx950", 16, True)[0]) == (0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27)
    assert len(phases("gfx950", 16, False)) == 8
    fault(phases, "gfx950", 4, False)


def test_amd_counts_its_own_banks() -> None:
    rows = tuple(128 * t for t in range(64))
    assert bank_conflicts(Access("gfx942.ds_read_b32", rows)).per_phase == [32, 32]
    # 64 banks: rows of 128 bytes alternate between two halves.
    assert bank_conflicts(Access("gfx950.ds_read_b32", rows)).per_phase == [32]
    # Equal neighbours do not merge phases, as NVIDIA's wide loads do.
    pairs = bank_conflicts(Access("gfx942.ds_read_b128", tuple(16 * (t // 2) for t in range(64))))
    assert pairs.wavefronts == 8 and not pairs.merged
    assert operation("gfx942.ds_read_b128").matrices == 0
    fault(Access, "gfx942.ds_read_b32", (0,) * 65)
    fault(operation, "gfx90a.ds_read_b32")


def test_the_fast_count_of_waves() -> None:
    for arch in ("gfx942", "gfx950"):
        for text in (
            "(64,64):(64,1)",
            "Sw<3,3,3> o 0 o (64,64):(64,1)",
            "(64,64):(72,1)",
            "Sw<4,3,4> o 0 o (64,128):(128,1)",
        ):
            for vector, lanes in ((8, "row"), (8, "column"), (4, "column"), (2, "row"), (1, "column")):
                pattern = Pattern(16, vector, lanes, arch=arch)
                layout = laycalc.eval(text)
                assert wavefronts(layout, pattern)[0] == bank_survey(layout, pattern).wavefronts, (arch, text, lanes)


def test_lds_of_both_machines() -> None:
    # 64 x 64 of f16, 16 bytes a lane, rows; with and without the customary swizzle.
    plain, swizzled = Layout((64, 64), (64, 1)), laycalc.eval("Sw<3,3,3> o 0 o (64,64):(64,1)")
    for arch, ideal in (("gfx942", 64), ("gfx950", 32)):
        row, column = (Pattern(16, 8, lanes, arch=arch) for lanes in ("row", "column"))
        assert wavefronts(plain, row) == (ideal, ideal)
        assert wavefronts(plain, column) == (512 if arch == "gfx942" else 256, ideal)
        # A phase of gfx950 holds rows that are equal modulo 8: this swizzle leaves 2-way conflicts there.
        assert wavefronts(swizzled, column)[0] == 64


def test_machines_refuse_what_they_lack() -> None:
    fault(Pattern, 16, lanes="ldmatrix", arch="sm70")
    fault(Pattern, 16, lanes="stmatrix", arch="sm80")
    fault(Pattern, 16, 8, store=True, copy="ca", arch="sm75")
    fault(Pattern, 16, lanes="ldmatrix", arch="gfx942")
    fault(Pattern, 16, 8, store=True, copy="cg", arch="gfx950")
    assert Pattern(16, lanes="ldmatrix", arch="sm75").op == "ldm4"
    assert Pattern(16, 8, store=True, arch="gfx942").op == "gfx942.ds_write_b128"


def test_tiled_copies_are_accesses() -> None:
    tile = laycalc.eval("Sw<3,3,3> o 0 o (64,64):(64,1)")

    def read(text: str) -> Pattern:
        found = read_pattern(text, 16, laycalc.eval)
        assert isinstance(found, Pattern)
        return found

    load = read('read: tiled_copy_A("SM75_U32x4_LDSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN"))')
    assert (load.op, load.block, load.run) == ("ldm4", (16, 16), 8)
    assert wavefronts(tile, load) == (64, 64) == wavefronts(tile, Pattern(16, lanes="ldmatrix"))
    assert wavefronts(Layout((64, 64), (64, 1)), load) == (512, 64)
    write = read('tiled_copy("SM80_CP_ASYNC_CACHEALWAYS_16B", (16,8):(8,1), (1,8):(8,1), 16)')
    assert (write.copy, write.store, write.block) == ("ca", True, (16, 64))
    assert wavefronts(tile, write) == (64, 64)
    plain = read('write: tiled_copy("UniversalCopy_128b", (16,8):(8,1), (1,8):(8,1), 16)')
    assert plain.op == "st16" and wavefronts(tile, plain) == (64, 64)
    for wrong in (
        'write: tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)',
        'read: tiled_copy("SM80_CP_ASYNC_CACHEALWAYS_16B", (16,8):(8,1), (1,8):(8,1), 16)',
        'tiled_copy("UniversalCopy_128b", (16,8):(8,1), (1,4):(4,1), 32)',
        'row, tiled_copy("UniversalCopy_128b", (16,8):(8,1), (1,8):(8,1), 16)',
    ):
        fault(read_pattern, wrong, 16, laycalc.eval)


def test_cp_async_has_a_source() -> None:
    tile = Layout((64, 32), (32, 1))
    dense = read_pattern("write: cp.async.ca row", 16, laycalc.eval)
    wide = read_pattern("write: cp.async.ca row, from (64,32):(2048,1)", 16, laycalc.eval)
    assert isinstance(dense, Pattern) and isinstance(wide, Pattern)
    # Rows of 64 bytes at a pitch of 4096: two rows of a pass want the same source banks.
    assert wavefronts(tile, dense) == (32, 32) and wavefronts(tile, wide) == (64, 32)
    assert bank_survey(tile, dense).wavefronts == 32 and bank_survey(tile, wide).degree == 2
    assert copies(tile, wide)[0].global_offsets[:5] == (0, 16, 32, 48, 4096)
    fault(wavefronts, tile, wide.replace(source=Layout((32, 32), (32, 1))))
    fault(read_pattern, "write: row, from (64,32):(2048,1)", 16, laycalc.eval)
    padded = bank_survey(Layout((64, 64), (72, 1)), Pattern(16, 8, store=True, copy="cg"))
    assert (padded.wavefronts, padded.sectors, padded.ideal_sectors, padded.free) == (0, 384, 256, False)


def test_engines_ask_for_a_layout() -> None:
    swizzled, plain = laycalc.eval("Sw<3,3,3> o 0 o (64,64):(64,1)"), Layout((64, 64), (64, 1))
    assert engine_fit(swizzled, Engine("wgmma"), 16).fits and not engine_fit(plain, Engine("wgmma"), 16).fits
    assert engine_fit(swizzled, Engine("wgmma", major="MN", mn="columns"), 16).fits
    assert engine_fit(swizzled, Engine("tma"), 16).fits and engine_fit(plain, Engine("tma"), 16).fits
    assert not engine_fit(laycalc.eval("Sw<3,2,3> o 0 o (64,64):(64,1)"), Engine("tma"), 16).fits
    assert not engine_fit(Layout((64, 64), (72, 1)), Engine("tma"), 16).fits
    assert not engine_fit(plain, Engine("tma", inner="rows"), 16).fits


@pytest.mark.parametrize(
    "layout, bits, before, after",
    [(Layout((48, 48), (48, 1)), 32, 960, 96), (Layout((80, 80), (80, 1)), 16, 1600, 240)],
)
def test_the_best_of_what_is_not_free(layout: Layout, bits: int, before: int, after: int) -> None:
    pattern = Pattern(bits, lanes="column")
    found = suggest(layout, [pattern])
    assert found.before.wavefronts == before and found.whole
    for fix in (found.swizzle, found.padding):
        assert fix is not None and fix.wavefronts == after and not fix.free and found.gain(fix) == before - after
        assert wavefronts(fix.layout, pattern)[0] == after
    assert isinstance(found.swizzle, object) and found.swizzle is not None
    values = found.swizzle.layout.elements() if isinstance(found.swizzle.layout, Composed) else []
    assert sorted(values) == list(range(layout.size))


def test_one_suggestion_serves_all_accesses() -> None:
    options = ["--access", "write: row, 16 B", "--access", "read: ldmatrix.x4", "--access", "read: column, 2 B"]
    done = program("banks", "(64,64):(64,1)", "--bits", "16", *options, "--suggest", "--json")
    found = json.loads(done.stdout)
    assert [a["wavefronts"] for a in found["accesses"]] == [64, 512, 4096]
    assert [a["ideal"] for a in found["accesses"]] == [64, 64, 128]
    swizzle = found["suggestion"]["swizzle"]
    assert swizzle["layout"] == "Sw<3,3,3> o 0 o (64,64):(64,1)" and swizzle["gain"] == 4032 and not swizzle["free"]
    assert [a["wavefronts"] for a in swizzle["accesses"]] == [64, 64, 512]
    assert found["arch"] == "sm90" and found["measured"] and done.returncode == 1
    # An engine keeps what it can read: no padding, and a swizzle of TMA's.
    done = program("banks", "(64,64):(64,1)", "--bits", "16", *options, "--access", "write: tma", "--suggest")
    assert "swizzle: Sw<3,3,3>" in done.stdout and "padding" not in done.stdout


def test_waves_are_named_and_machines_refused() -> None:
    tile = ("banks", "(64,64):(64,1)", "--bits", "16", "--vector", "8")
    done = program(*tile, "--threads", "64")
    assert "--arch gfx942" in done.stderr and "64 wavefronts" in done.stdout
    done = program(*tile, "--threads", "64", "--arch", "gfx950", "--json")
    found = json.loads(done.stdout)
    assert (found["arch"], found["measured"], found["accesses"][0]["wavefronts"]) == ("gfx950", False, 32)
    assert "gfx" not in done.stderr
    assert "AMD's documentation" in program(*tile, "--arch", "gfx942").stdout
    for arch in ("gfx90a", "sm60", "m1"):
        done = program(*tile, "--arch", arch)
        assert done.returncode == 2 and "LC103" in done.stderr


def test_an_option_that_changes_nothing_is_refused() -> None:
    done = program("banks", "(64,64):(64,1)", "--bits", "16", "--vector", "8", "--access", "read: row, 16 B")
    assert done.returncode == 2 and "the option vector" in done.stderr
    done = program("banks", "(64,64):(64,1)", "--bits", "16", "--vector", "8", "--access", "write: row")
    assert "st16" in done.stdout
    done = program("banks", "(64,64):(64,1)", "--access", "read: rwo")
    assert done.returncode == 2 and "did you mean row" in done.stderr


@pytest.mark.parametrize(
    "text, bits, access",
    [
        ("(M,64):(64,1)", 16, "read: ldmatrix.x4"),
        ("(M,K):(K,1)", 16, "read: ldmatrix.x4"),
        ("(M,K):(1,M)", 32, "read: column, 16 B"),
        ("Sw<3,3,3> o 0 o (M,64):(64,1)", 16, "write: row, 16 B"),
        ("(32,64):(LD,1)", 16, "read: column, 2 B"),
        ("(M,72):(72,1)", 16, "read: column, 16 B"),
        ("(8,(8,K)):(8,(1,64))", 16, "write: cp.async.ca row"),
    ],
)
def test_unknown_extents_are_counted_in_proportion(text: str, bits: int, access: str) -> None:
    """Law: at every multiple, wavefronts and size are in the proportion of the one that was counted."""
    layout, pattern = unknown(text), read_pattern(access, bits)
    assert isinstance(pattern, Pattern)
    found = sampled(layout, [pattern])
    assert found is not None and found.names
    cost, ideal = wavefronts(found.layout, pattern)
    for times in (2, 3, 5):
        made = at(layout, dict.fromkeys(found.names, times * found.multiple))
        if made.size <= 1 << 18:
            more, least = wavefronts(made, pattern)
            assert (more * found.layout.size, least * found.layout.size) == (cost * made.size, ideal * made.size)


def test_what_is_known_is_not_sampled() -> None:
    assert sampled(Layout((8, 8), (8, 1)), [Pattern(16)]) is None
    with pytest.raises(LayoutError) as caught:
        sampled(unknown("(M,16384):(16384,1)"), [Pattern(16)])
    assert caught.value.code == "LC104"
    done = program("banks", "(M,64):(64,1)", "--bits", "16", "--access", "read: ldmatrix", "--json")
    assert json.loads(done.stdout)["unknown"] == {"names": ["M"], "multiple": 64, "layout": "(64,64):(64,1)"}
    assert program("banks", "(M,64):(64,1)", "--access", "read: wgmma K").returncode == 2


def test_large_tiles_are_searched_by_a_part() -> None:
    """A sample of the instructions chooses what is counted whole; that the search was not complete is told."""
    patterns = [Pattern(32, lanes=lanes) for lanes in ("column", "row")]
    found = suggest(Layout((62, 250), (250, 1)), patterns)
    assert found.swizzle is not None and not found.whole and found.gain(found.swizzle) > 0
    assert found.swizzle.wavefronts == sum(wavefronts(found.swizzle.layout, p)[0] for p in patterns)
    assert not found.as_dict()["whole"]


def test_a_list_stays_in_its_tile() -> None:
    inside = read_pattern("[[[0,0],[1,0],null]], 16 B", 16)
    assert isinstance(inside, Pattern) and wavefronts(Layout((8, 8), (8, 1)), inside) == (1, 1)
    for text in ("[[[0,1]]], 16 B", "[[[8,0]]], 2 B", "[[[-1,0]]], 2 B", "[[[1,4]]], 16 B, along rows"):
        wrong = read_pattern(text, 16)
        assert isinstance(wrong, Pattern)
        fault(wavefronts, Layout((8, 8), (8, 1)), wrong)
