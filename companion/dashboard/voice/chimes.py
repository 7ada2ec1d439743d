"""Chimes of our own making, as WAV data: short tones like those of a music box."""

import io
import math
import sys
import wave
from array import array
from collections.abc import Mapping

RATE = 22050
"""RATE: samples a second in the sound of a chime."""
LOUD = 0.35
"""LOUD: amplitude of the loudest moment of a chime, as a share (0 to 1) of the greatest possible one."""
FADE_S, ATTACK_S = 0.12, 0.004
"""FADE_S, ATTACK_S: times (s) in which a tone falls to 1/e, and in which it rises at its beginning; without a
rise, it clicks."""
TAIL_S = 0.25
"""TAIL_S: additional time (s) in which a tone still fades after its nominal end."""
OVERTONES = ((1.0, 1.0), (2.0, 0.35), (3.0, 0.12))
"""OVERTONES: parts of a tone, each as (multiple of its frequency, relative amplitude). Chosen by ear."""

_C5, _D5, _E5, _G5, _A5, _C6 = 523.25, 587.33, 659.26, 783.99, 880.0, 1046.5
TURNS = (_C5, _D5, _E5, _G5, _A5)
"""TURNS: first tone (Hz) of the chime for each player's turn. Any two tones of this pentatonic scale sound
well together."""
CHIMES: Mapping[str, tuple[tuple[float, float], ...]] = {
    **{f"turn {player}": ((hertz, 0.14), (hertz * 1.5, 0.2)) for player, hertz in enumerate(TURNS, 1)},
    "heard": ((_E5, 0.1), (_E5, 0.1)),
    "proved": ((_C5, 0.12), (_E5, 0.12), (_G5, 0.12), (_C6, 0.3)),
    "refuted": ((_G5 / 2, 0.2), (_E5 / 2, 0.35)),
    "cannot tell": ((_D5, 0.16), (_D5, 0.3)),
    "asked": ((_G5, 0.12), (_A5, 0.25)),
    "end": ((_C5, 0.15), (_G5, 0.15), (_E5, 0.15), (_G5, 0.15), (_C6, 0.5)),
}
"""CHIMES: name of a chime -> its tones, as (frequency (Hz), time (s) until the next tone)."""


def chime(name: str) -> bytes:
    """Sound of a chime, as the content of a WAV file (mono, 16 bit, RATE).

    `name`: name in CHIMES; KeyError for another one.
    """
    tones = CHIMES[name]
    samples = array("d", bytes(8 * int(RATE * (sum(length for _, length in tones) + TAIL_S))))
    begin = 0.0
    for hertz, length in tones:
        first = int(begin * RATE)
        for at in range(first, min(len(samples), first + int((length + TAIL_S) * RATE))):
            samples[at] += _tone(hertz, (at - first) / RATE)
        begin += length
    top = max(map(abs, samples))
    data = array("h", (int(32767 * LOUD * one / top) for one in samples))
    if sys.byteorder == "big":
        data.byteswap()
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, RATE, len(data), "NONE", ""))
        file.writeframes(data.tobytes())
    return out.getvalue()


def _tone(hertz: float, t: float) -> float:
    """Sample (about -1.5 to 1.5) of a struck tone with frequency `hertz` (Hz).

    `t`: time (s) since its beginning.
    """
    fades = min(1.0, t / ATTACK_S) * math.exp(-t / FADE_S)
    return fades * sum(share * math.sin(2 * math.pi * hertz * times * t) for times, share in OVERTONES)
