"""The light of another day: tones, shadows by place, ink by copy, and none of it where nobody asks for it."""

from random import Random

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.virtual.games.sleepless_princess import printed_faces
from companion.virtual.render.camera_optics import Lens
from companion.virtual.render.lamp_light import MEASURED, OtherLight
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.world import Hand, World

PAPER = np.full((352, 252, 3), 200, np.uint8)


def fall(face):
    """Logarithm by which a printed face darkens from its upper to its lower edge."""
    rows = np.log(face.astype(float).mean(axis=(1, 2)))
    return rows[-40:].mean() - rows[:40].mean()


def shadowed(light):
    """A place (mm) of this table on which half a card lies in shadow."""
    places = [(x, y) for x in range(30, 900, 60) for y in range(30, 500, 60)]
    return min(places, key=lambda at: fall(light.on_card(PAPER, "A1", *at, 0.0)))


@pytest.mark.parametrize("seed", range(4))
def test_one_lamp_changes_all_tones_as_a_measured_pair_does(seed):
    levels = np.arange(256, dtype=np.uint8)[:, None].repeat(3, axis=1)[None]
    developed = OtherLight(Random(seed)).developed(levels)[0].astype(float)
    white = developed[-1] / 255
    assert white.max() <= 1
    assert (np.diff(developed, axis=0) >= 0).all()
    gamma = np.log(developed[128].max() / developed[-1].max()) / np.log(128 / 255)
    fits = [one for one in MEASURED if abs(one.gamma - gamma) < 0.02]
    assert any(white[0] / white[2] == pytest.approx(one.blue / one.red, abs=0.01) for one in fits)


def test_a_shadow_stays_on_the_table_when_the_card_is_turned():
    light = OtherLight(Random(3))
    at = shadowed(light)
    upright, turned = (fall(light.on_card(PAPER, "A1", *at, angle)) for angle in (0.0, 180.0))
    assert upright < -0.3
    assert turned == pytest.approx(-upright, abs=0.1)


def test_copies_of_a_card_differ_in_ink_and_one_copy_is_always_the_same():
    light = OtherLight(Random(5))
    first, again, other = (light.on_card(PAPER, code, 300, 200, 0.0).astype(int) for code in ("A1", "A1", "A2"))
    assert (first == again).all()
    assert 0.2 < np.abs(first - other).mean() < 30
    elsewhere = OtherLight(Random(6)).on_card(PAPER, "A1", 300, 200, 0.0)
    assert (first != elsewhere).any()


def test_other_light_is_a_matter_of_its_profile_and_changes_no_other_chance():
    mat = load_game("sleepless-princess").mat("basic")
    same, other = (Lens(mat, profile(name), Random(4)) for name in ("home", "unkind"))
    assert same.other_light is None
    assert other.other_light is not None
    assert same.key == other.key


def middle(noise, *codes, glare=True, hand=None):
    """Mean colour (BGR) of the table's middle, where cards lie on one another; the lowest reflects a lamp."""
    game, world = load_game("sleepless-princess"), World()
    mat = game.mat("basic")
    centre = (mat.w / 2, mat.h / 2)
    for number, code in enumerate(codes):
        world.put(code, centre, glare=glare and number == 0)
    world.hand = hand
    camera = TableCamera(world, mat, game.cards("basic"), printed_faces, profile(noise), Random(2))
    x, y = camera.lens.seen([centre])[0].astype(int)
    return camera.frame(1.0)[y - 6 : y + 7, x - 6 : x + 7].mean(axis=(0, 1))


@pytest.mark.parametrize("noise", ["home", "unkind", "evening"])
def test_a_reflected_lamp_is_white_in_every_light(noise):
    """It is much brighter than paper: the camera clips all its channels, whatever the lamp's colour."""
    assert middle(noise, "H05A").min() > 250
    assert middle(noise, "H05A", glare=False).min() < 200


@pytest.mark.parametrize("what", ["card", "hand"])
def test_what_lies_above_a_reflection_hides_it(what):
    codes = ("H05A", "H07A") if what == "card" else ("H05A",)
    hand = Hand(0, (480.0, 900.0), (480.0, 700.0), (480.0, 270.0), 0.0, 0.0) if what == "hand" else None
    lit, plain = (middle("unkind", *codes, hand=hand, glare=glare) for glare in (True, False))
    assert lit == pytest.approx(plain, abs=1)


def test_paper_reflects_no_lamp():
    assert middle("home", "P3") == pytest.approx(middle("home", "P3", glare=False), abs=1)
