"""The palettes: every text has contrast enough in every theme, and colours that tell things apart differ."""

import pytest
from rich.color import Color, ColorSystem

from companion.dashboard.themes import (
    COLOURS,
    CONTRAST,
    HUES,
    LEAST_CONTRAST,
    PALETTES,
    PLAYER_SIGNS,
    Palette,
    contrast,
    pairs,
    theme_of,
    variables,
)

THEMED = pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)


@THEMED
def test_every_text_has_enough_contrast(palette: Palette) -> None:
    colours = variables(palette)
    poor = {
        (ink, ground): round(contrast(colours[ink], colours[ground]), 2)
        for ink, ground in pairs()
        if contrast(colours[ink], colours[ground]) < LEAST_CONTRAST
    }
    assert not poor


def test_every_text_of_the_theme_for_consoles_has_enough_contrast_in_sixteen_colours() -> None:
    colours = variables(CONTRAST)

    def shown(name: str) -> str:
        return Color.parse(colours[name]).downgrade(ColorSystem.STANDARD).get_truecolor().hex

    poor = [pair for pair in pairs() if contrast(*map(shown, pair)) < LEAST_CONTRAST]
    assert not poor


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#abc123", "#abc123", 1.0)],
)
def test_contrast_is_that_of_the_standard(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio, abs=0.005)


@THEMED
def test_players_and_cards_differ(palette: Palette) -> None:
    colours = variables(palette)
    for names in ([f"p{number}" for number in range(1, 6)], COLOURS, ("awake", "asleep", "out")):
        assert len({colours[name] for name in names}) == len(names)
    assert len(set(PLAYER_SIGNS)) == len(palette.players) == len(palette.player_texts)


@THEMED
def test_every_theme_has_every_variable(palette: Palette) -> None:
    assert variables(palette).keys() == variables(PALETTES[0]).keys()
    assert theme_of(palette).variables.items() >= variables(palette).items()


def test_sixteen_colours_still_tell_players_apart_and_cards_from_white_paper() -> None:
    colours = variables(CONTRAST)

    def shown(name: str) -> int | None:
        return Color.parse(colours[name]).downgrade(ColorSystem.STANDARD).number

    assert len({shown(f"p{player}") for player in range(1, 6)}) == 5
    cards = {shown(name) for name in HUES}
    assert len(cards) == 6
    assert shown("plain") not in cards
    assert shown("no") not in (shown("yes"), shown("perhaps"))
