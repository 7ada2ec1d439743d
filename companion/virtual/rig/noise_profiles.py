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
from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class Noise:
    """Noise profile: how often the virtual table's sensors and people err.

    A field is a probability (0 to 1) per opportunity, unless it names another unit. 0 means never.
    """

    name: str
    sensor_sigma: float = parameter(2.0, unit="grey levels", source="guess")
    """Noise of every pixel of every frame: sigma in grey levels (0 to 255)."""
    light: float = parameter(1.0, unit="1", source="guess")
    """Share (0 to 1) of the usual light that reaches the image sensor; its noise stays."""
    lens_blur: float = parameter(0.6, unit="px", source="guess")
    """Blur of the lens: sigma in px."""
    lens_k1: float = parameter(0.0, unit="1", source="guess")
    """First distortion coefficient of the lens, at a focal length of 0.72 picture widths."""
    other_light: bool = False
    """Whether lamp, shadows and ink differ from those in the enrolment pictures, as on another day."""
    flicker: float = parameter(0.0, unit="1", source="guess")
    """Sigma of the light's change from frame to frame, as a share of the light."""
    jpeg: int = parameter(0, unit="1", source="guess")
    """Quality (1 to 100) of the camera's own JPEG compression. 0 for none."""
    glare: float = parameter(0.0, unit="1", source="guess")
    """Probability that a card comes to rest under a reflection that hides its sticker."""
    askew: float = parameter(0.0, unit="1", source="guess")
    """Probability that a card is laid turned and away from its place."""
    weight_sigma: float = parameter(0.0, unit="cards", source="guess")
    """Noise of each load cell sample: sigma in cards."""
    weight_drift: float = parameter(0.0, unit="cards/h", source="guess")
    """Greatest drift of a load cell: cards an hour."""
    tag_badly_placed: float = parameter(0.0, unit="1", source="guess")
    """Probability that a tag is laid on the pad unreadably, until it moves."""
    touch_missed: float = parameter(0.0, unit="1", source="guess")
    """Probability that an electrode does not report a touch."""
    touch_ghost: float = parameter(0.0, unit="1", source="guess")
    """Probability that another electrode reports a touch at the moment of a real one."""
    linger: float = parameter(0.0, unit="s", source="guess")
    """Longest time (s) for which a hand stays over the table after an action."""
    flip_rate: float = parameter(0.0, unit="1", source="guess")
    """Probability that a bit on the serial line flips."""
    stalls_per_minute: float = parameter(0.0, unit="1/min", source="guess")
    """How often per minute the board is silent for 0.2 s."""
    tag_scan_miss: float = parameter(0.0, unit="1", source="guess")
    """Probability that a scan misses a tag which lies alone on the reader."""
    pair_scan_miss: float = parameter(0.0, unit="1", source="guess")
    """Probability, for each of two tags on the reader, that a scan misses it."""
    phantom_uid: float = parameter(0.0, unit="1", source="guess")
    """Probability that a scan reads a tag with shifted bytes."""
    two_on_pad: float = parameter(0.0, unit="1", source="guess")
    """Probability that a second card sticks to a card laid on the pad."""
    reach_missed: float = parameter(0.0, unit="1", source="guess")
    """Probability that the camera misses a hand over a zone or a station."""
    count_blips_per_minute: float = parameter(
        0.0, unit="1/min", source="counted: once in 12 min through bytes under `home`, 7 in 16 under `rough`"
    )
    """How often per minute a scale counts one card too many or too few.

    The cause is a load halfway between two counts.
    """
    hand_on_scale: float = parameter(0.0, unit="1", source="guess")
    """Share (0 to 1) of the load cells' samples that carry a resting hand."""
    nudges_per_game: float = parameter(0.0, unit="1/game", source="guess")
    """How often per game somebody pushes the camera."""
    light_switches_per_game: float = parameter(0.0, unit="1/game", source="guess")
    """How often per game somebody switches the light."""
    unplugs_per_game: float = parameter(0.0, unit="1/game", source="guess")
    """How often per game somebody pulls the board's cable."""
    player_slips: float = parameter(0.0, unit="1", source="guess")
    """Probability that a player puts a card back, skips a step, tidies up or does two things at once."""
    texture_off_centre: float = parameter(0.0, unit="1", source="guess")
    """Probability that a card is pressed far off the pad's middle."""
    texture_half: float = parameter(0.0, unit="1", source="guess")
    """Probability that only a part of a card is pressed on the pad."""
    texture_drift: float = parameter(0.0, unit="1", source="guess")
    """Greatest change of the pressure matrix over a game, as a share of its reading."""
    texture_sigma: float = parameter(0.0, unit="1", source="guess")
    """Noise of each reading of a matrix crossing: sigma as a share of full scale."""


def _worse(name: str, factor: float) -> Noise:
    """Make a noise profile: `home`'s rates times `factor`.

    Probabilities are at most 0.5.
    """

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
"""Profile of a family's table under one weak lamp, with less carefully laid cards.

A guess: a webcam in a dim room has half the level and twice the noise.
"""

_UNKIND = replace(_HOME, name="unkind", other_light=True)
"""Profile of a family's table on another day than its setup.

Lamp, shadows and ink differ (see `lamp_light`).
"""

PROFILES = {
    noise.name: noise
    for noise in (Noise("clean"), _HOME, _UNKIND, _EVENING, _worse("rough", 3.0), _worse("hostile", 10.0))
}
"""Name -> noise profile; `home` is expected of a family's table."""


def profile(name: str) -> Noise:
    """Look up the noise profile called `name`.

    BadInputError, which lists all names, if it does not exist.
    """
    found = PROFILES.get(name)
    if found is None:
        raise BadInputError(
            text("no noise profile {name}", name=repr(name)),
            where="noise",
            next_step=text("use {names}", names=", ".join(PROFILES)),
        )
    return found
