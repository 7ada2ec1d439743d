"""Noise profiles: how imperfect the virtual table is, one frozen row of numbers for each profile.

Applied everywhere: the camera, weights, badly placed tags, presses on the pressure matrix, touches, cards laid
askew, glare, flipped bits and stalls. Applied by rehearsals through bytes and observations: two cards on the
pad at once, hands on a scale, unplugging. Through bytes alone: missed and phantom tags. Through observations
and pixels: a nudged camera. Through observations alone: a switched light, and player slips. The noise of a load
cell's samples is the same everywhere: at 0.9 card the board's filter finds neither zero nor rest.
"""

from dataclasses import dataclass, replace

from companion.core.errors import BadInputError
from companion.core.language import text


@dataclass(frozen=True, slots=True)
class Noise:
    """Probabilities per opportunity, unless a unit is named."""

    name: str
    sensor_sigma: float = 2.0
    """Grey levels of noise, sigma, on every pixel of every frame."""
    light: float = 1.0
    """Share of the light (0 to 1) that reaches the sensor; its noise stays as it is."""
    lens_blur: float = 0.6
    """Blur of the lens, sigma in px."""
    lens_k1: float = 0.0
    """First distortion coefficient of the lens, at a focal length of 0.72 picture widths."""
    other_light: bool = False
    """Lamp, shadows and ink are those of another day than that of the pictures to enrol from."""
    flicker: float = 0.0
    """Relative change of the light from frame to frame, sigma."""
    jpeg: int = 0
    """Quality (1 to 100) of the camera's own JPEG compression; 0 for none."""
    glare: float = 0.0
    """A card comes to rest with a reflection over its sticker, which stays for some seconds."""
    askew: float = 0.0
    """A card is laid turned and off its place."""
    weight_sigma: float = 0.0
    """Noise of each load cell sample, sigma in cards."""
    weight_drift: float = 0.0
    """Drift of a load cell, in cards an hour."""
    tag_badly_placed: float = 0.0
    """A tag is laid on the pad so badly that nothing is read until it moves."""
    touch_missed: float = 0.0
    touch_ghost: float = 0.0
    """An untouched electrode reports a touch, per touch of another electrode."""
    linger: float = 0.0
    """Longest time (s) for which a hand stays over the table after an action."""
    flip_rate: float = 0.0
    """Flipped bits on the serial line, per bit."""
    stalls_per_minute: float = 0.0
    """Number of times a minute at which the board is silent for 0.2 s."""
    tag_scan_miss: float = 0.0
    """A scan misses the only tag in the field."""
    pair_scan_miss: float = 0.0
    """A scan misses one of two tags, each of them."""
    phantom_uid: float = 0.0
    """A tag answers with shifted bytes, per scan."""
    two_on_pad: float = 0.0
    """A card is laid on the pad together with another one."""
    reach_missed: float = 0.0
    """The camera misses a hand over the deck or a station."""
    count_blips_per_minute: float = 0.0
    """Times a minute at which any scale shows a card more or less for a moment: a scale halfway between two
    counts. Seen through bytes: about once in twelve minutes under `home`, seven times in sixteen under
    `rough`."""
    hand_on_scale: float = 0.0
    """Share of the load cells' samples that carry a resting hand."""
    nudges_per_game: float = 0.0
    light_switches_per_game: float = 0.0
    unplugs_per_game: float = 0.0
    player_slips: float = 0.0
    texture_off_centre: float = 0.0
    """A card is pressed on the pad far off its middle."""
    texture_half: float = 0.0
    """A card is pressed on the pad by a part of it alone."""
    texture_drift: float = 0.0
    """Greatest change of the pressure matrix over a game, as a share of its reading."""
    texture_sigma: float = 0.0
    """Noise of each reading of a crossing, sigma as a share of full scale."""


def _worse(name: str, factor: float) -> Noise:
    """The home profile with every probability multiplied by `factor`; at most 0.5."""

    def p(value: float) -> float:
        return min(0.5, value * factor)

    return Noise(
        name,
        sensor_sigma=2.5 + factor / 2,
        lens_blur=0.65 + factor / 100,
        lens_k1=-0.12,
        flicker=0.004 * factor,
        jpeg=90 if factor < 5 else 80,
        glare=p(0.05),
        askew=p(0.05),
        weight_sigma=0.3,
        weight_drift=0.2 * factor,
        tag_badly_placed=p(0.02),
        touch_missed=p(0.01),
        touch_ghost=p(0.005),
        linger=min(3.0, 0.6 * factor),
        flip_rate=1e-5 * factor,
        stalls_per_minute=factor,
        tag_scan_miss=p(0.005),
        pair_scan_miss=p(0.07),
        phantom_uid=p(0.001),
        two_on_pad=p(0.01),
        reach_missed=p(0.01),
        count_blips_per_minute=min(1.0, 0.1 * factor),
        hand_on_scale=p(0.02),
        nudges_per_game=0.2 * factor,
        light_switches_per_game=0.33 * factor,
        unplugs_per_game=0.1 * factor,
        player_slips=p(0.03),
        texture_off_centre=p(0.1),
        texture_half=p(0.05),
        texture_drift=p(0.15),
        texture_sigma=0.01,
    )


_HOME = _worse("home", 1.0)
_EVENING = replace(_HOME, name="evening", light=0.5, sensor_sigma=5.0, askew=0.15)
"""_EVENING: a family's table under one weak lamp, on which cards are laid less carefully. The numbers are a
guess: a webcam in a dim room has half the level and twice the noise."""

_UNKIND = replace(_HOME, name="unkind", other_light=True)
"""_UNKIND: a family's table on another day than that of the set-up, see `lamp_light`."""

PROFILES = {
    noise.name: noise
    for noise in (Noise("clean"), _HOME, _UNKIND, _EVENING, _worse("rough", 3.0), _worse("hostile", 10.0))
}
"""Profiles by name; `home` is what is expected of a family's table."""


def profile(name: str) -> Noise:
    """The profile of that name; BadInputError lists all names."""
    found = PROFILES.get(name)
    if found is None:
        raise BadInputError(
            text("no noise profile {name}", name=repr(name)),
            where="noise",
            next_step=text("use {names}", names=", ".join(PROFILES)),
        )
    return found
