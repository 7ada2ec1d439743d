"""What presses on the pressure matrix tell, through the board's code and the link."""

from collections import Counter
from random import Random
from typing import Any

import click
import msgspec

from companion.core.clock import ManualClock
from companion.core.printable import say
from companion.fusion.parameters.reading_costs import COSTS
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import Texture
from companion.sensing.press_recogniser import TextureBook
from companion.virtual.parameters import PRESS
from companion.virtual.rig.board_readings import Rig, enrol
from companion.virtual.rig.noise_profiles import PROFILES, profile
from firmware.host.link import Link
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd

ROUND_S = 0.02
FIRST_S, PRESSED_S, APART_S = 3.0, 0.8, 0.6
"""Until the link is up; how long a card is pressed; until the next one."""
GAME = 25
"""So many presses are of one set of cards, one matrix and one age of it."""
VARIANT = "basic"
TEXTURES = {
    card.code: card.texture for card in load_game(DEFAULT_GAME).cards(VARIANT) if card.texture is not None
}
"""Code of a card that is pressed -> class of its texture, empty for a smooth one."""
CODES = list(TEXTURES)
SMOOTH, UNTOLD = "smooth", "untold"
PAIRS = 0.2
"""Share of the presses of two cards at once."""


class _Pad:
    """A board with a pad and a host that knows these cards, `aged` seconds into a game."""

    def __init__(self, noise: str, seed: int, aged: float) -> None:
        self._clock, end = ManualClock(aged), MemoryEnd()
        self._board = VirtualBoard(clock=self._clock, seed=seed, end=end)
        link = Link(end.path, self._clock, opener=end.open, session=seed | 1)
        plan = load_virtual(DEFAULT_GAME).rig(VARIANT)
        tags = enrol(CODES, Random(f"{seed} tags"))
        self._rig = Rig(self._board, tags, plan, profile(noise), Random(f"{seed} rig"))
        self._source = BoardSource(link, {}, book=TextureBook(plan.raised.enrolled(seed)))
        self._live(FIRST_S)

    def _live(self, seconds: float) -> list[Texture]:
        """What is felt in so many seconds."""
        heard: list[Texture] = []
        until = self._clock.now() + seconds
        while self._clock.now() < until:
            self._clock.sleep(ROUND_S)
            self._rig.step(self._clock.now())
            heard += [one for one in self._source.poll() if isinstance(one, Texture)]
        return heard

    def press(self, codes: list[str]) -> str:
        """What is told of cards that are pressed together: a class, "smooth" or "untold"."""
        for code in codes:
            self._rig.tag_on(code)
        heard = self._live(PRESSED_S)
        for code in codes:
            self._rig.tag_off(code)
        heard += self._live(APART_S)
        sure = [one.cls or SMOOTH for one in heard if one.p >= COSTS.sure_texture]
        return sure[-1] if sure else UNTOLD

    def close(self) -> None:
        self._source.close()
        self._board.close()


def told_of(noise: str, presses: int, seed: int) -> Counter[tuple[str, str]]:
    """How often what lay there (classes joined by "+") was told as what, under a noise profile."""
    told: Counter[tuple[str, str]] = Counter()
    chance = Random(f"{seed} {noise}")
    pad: _Pad | None = None
    for number in range(presses):
        if pad is None or number % GAME == 0:
            if pad is not None:
                pad.close()
            pad = _Pad(noise, chance.randrange(1 << 30), chance.uniform(0, PRESS.drift_s))
        codes = chance.sample(CODES, 2 if chance.random() < PAIRS else 1)
        told["+".join(_class_of(code) for code in codes), pad.press(codes)] += 1
    if pad is not None:
        pad.close()
    return told


def _class_of(code: str) -> str:
    return TEXTURES[code] or SMOOTH


def in_short(told: Counter[tuple[str, str]]) -> dict[str, Any]:
    """Counts by what lay there: one textured card, a smooth one, two at once; and what was taken for what."""
    found: dict[str, Any] = {}
    for lay, word in (("textured", "t"), (SMOOTH, SMOOTH)):
        those = {pair: n for pair, n in told.items() if "+" not in pair[0] and pair[0].endswith(word)}
        found[lay] = {
            "presses": sum(those.values()),
            "right": sum(n for (there, said), n in those.items() if there == said),
            "wrong": sum(n for (there, said), n in those.items() if said not in (there, UNTOLD)),
        }
    pairs = {pair: n for pair, n in told.items() if "+" in pair[0]}
    found["two at once"] = {
        "presses": sum(pairs.values()),
        "one of them": sum(n for (there, said), n in pairs.items() if said in there.split("+")),
        "wrong": sum(n for (there, said), n in pairs.items() if said not in (*there.split("+"), UNTOLD)),
    }
    found["confused"] = {
        f"{there} as {said}": n
        for (there, said), n in sorted(told.items())
        if said not in (*there.split("+"), UNTOLD)
    }
    return found


@click.command()
@click.option(
    "--presses", type=click.IntRange(1), default=500, show_default=True, help="How many for each profile."
)
@click.option("--seed", type=click.IntRange(0), default=7, show_default=True, help="Of cards and accidents.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def texture(presses: int, seed: int, as_json: bool) -> None:
    """Which raised pictures are told apart by pressing cards on the pad, under each noise profile."""
    result = {noise: in_short(told_of(noise, presses, seed)) for noise in PROFILES}
    if as_json:
        click.echo(msgspec.json.encode({"bench": "texture", "presses": presses, "seed": seed, **result}))
        return
    for noise, found in result.items():
        for lay, counts in found.items():
            said = ", ".join(f"{name} {n}" for name, n in counts.items()) or "none"
            say(f"{noise:8} {lay:12} {said}")
