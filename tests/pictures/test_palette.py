"""The palette: text can be read on every role, and legends can be told apart by every reader."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from laycalc.render.scene import palette
from laycalc.render.scene.palette import GROUPS, ramp, theme_of

from . import colour

THEMES = ("laycalc", "dark", "cute", "print")
LEGENDS = [
    (name, roles)
    for name in ("laycalc", "dark", "print")
    for roles in (
        [*(f"c{k}" for k in range(GROUPS)), "plain"],
        [*(f"c{k}" for k in range(GROUPS)), "mixed"],
        [f"o{k}" for k in range(8)],
        ["plain", "differs", "c0", "c1"],
        ["plain", "chosen"] if name != "print" else [],
    )
]


def test_ciede2000_agrees_with_its_published_examples() -> None:
    # Sharma, Wu and Dalal (2005), table 1, pairs 1, 7, 17, 19 and 25.
    examples = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ]
    for one, other, expected in examples:
        assert colour.ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", THEMES)
def test_text_has_a_contrast_of_4_5_on_every_role(name: str) -> None:
    for role, paint in theme_of(name).paints.items():
        assert colour.contrast(paint.fill, paint.text) >= 4.5, role


@pytest.mark.parametrize("name", THEMES)
def test_words_have_a_contrast_of_4_5_on_the_page(name: str) -> None:
    theme = theme_of(name)
    assert colour.contrast(theme.page, theme.ink) >= 4.5
    assert colour.contrast(theme.page, theme.muted) >= 4.5


@pytest.mark.parametrize(("name", "roles"), LEGENDS)
def test_roles_of_a_legend_differ_to_every_reader(name: str, roles: list[str]) -> None:
    fills = [theme_of(name).paint(role).fill for role in roles]
    for one, other in combinations(fills, 2):
        for sight in colour.SIGHT:
            least = 10 if sight == "normal" else 8
            assert colour.difference(one, other, sight) >= least, (name, one, other, sight)


def test_groups_of_print_differ_in_lightness_too() -> None:
    light = sorted(colour.lab(colour.linear(theme_of("print").paint(f"c{k}").fill))[0] for k in range(GROUPS))
    assert min(b - a for a, b in pairwise(light)) > 4


def test_second_tones_differ_from_the_first() -> None:
    for name in ("laycalc", "dark", "print"):
        theme = theme_of(name)
        for k in range(GROUPS):
            assert colour.difference(theme.paint(f"c{k}").fill, theme.paint(f"d{k}").fill) > 3


def test_contrast_is_that_of_wcag() -> None:
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert palette.contrast("#777777", "#ffffff") == pytest.approx(colour.contrast("#777777", "#ffffff"))


def test_the_ramp_of_heat_maps_grows_darker() -> None:
    lights = [colour.lab(colour.linear(f"#{r:02x}{g:02x}{b:02x}"))[0] for r, g, b in ramp(theme_of("laycalc"))]
    assert len(lights) == 255
    assert all(b <= a + 0.5 for a, b in pairwise(lights))


def test_unknown_roles_are_plain() -> None:
    theme = theme_of("laycalc")
    assert theme.paint("nothing") == theme.paint("plain")
    assert theme.pen("nothing") == theme.pen("cell")
