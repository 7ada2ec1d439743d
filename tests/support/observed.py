"""Plays whole games by the rules and feeds a tracker with what a perfect rig reports of them."""

import pickle
from collections.abc import Iterator
from math import log
from random import Random
from typing import Any

from companion.fusion.publisher import Change
from companion.fusion.tracker import Tracker
from companion.games.registry import load_game
from companion.games.sleepless_princess.rules.actions import Claim, Know, Play
from companion.games.sleepless_princess.rules.state import State
from companion.sensing.observation import Observation, Seen, Sighting
from tests.support.told_rig import ToldRig

GAME = load_game("sleepless-princess")


def sighting(zone: str, *codes: str, t: float) -> Sighting:
    """What lies in a zone, by the codes of its cards."""
    return Sighting(t, zone, tuple(Seen(code, 0, 0) for code in codes))


def nats(p: float) -> float:
    """The cost of what happens with probability `p`."""
    return -log(p)


def choose(state: State, chance: Random) -> Any:
    """Random play that checks when it can and claims now and then, so that games reach every phase."""
    legal = GAME.legal_actions(state)
    claims = [action for action in legal if isinstance(action, Claim)]
    others = [action for action in legal if not isinstance(action, Claim | Know)]
    plays = [action for action in others if isinstance(action, Play)]
    if claims and (not others or chance.random() < 0.02):
        return chance.choice(claims)
    return chance.choice(plays or others)


_LAID_OUT: dict[tuple[int, str, int], bytes] = {}
"""Games that this process has laid out once: following a deal takes eight times as long as reading it back."""


class SensedGame:
    """One game with its truth and its rig: what the rig reports is kept in `batches`, and nobody follows it."""

    def __init__(self, seed: int, variant: str = "basic", players: int = 3) -> None:
        self._dealt = (seed, variant, players)
        self.chance = Random(seed)
        self.state: State = GAME.setup(variant, players, self.chance)
        self.rig = ToldRig(GAME.cards(variant), Random(seed + 1))
        self.batches: list[tuple[float, list[Observation]]] = []

    def set_up(self) -> None:
        """Lay the game out."""
        for batch in self.rig.setup(self.state):
            self.feed(batch)

    def feed(self, batch: list[Observation]) -> Any:
        self.batches.append((self.rig.t, batch))

    def do(self, action: Any) -> None:
        """One action: the rig's batches, then a quiet moment."""
        after = GAME.apply(self.state, action)
        for batch in self.rig.notice(self.state, action, after):
            self.feed(batch)
        self.state = after
        self.rig.t += 2
        self.feed([])

    def play_on(self) -> Iterator[Any]:
        """Random play to the end, an action at a time."""
        while GAME.legal_actions(self.state):
            action = choose(self.state, self.chance)
            self.do(action)
            yield action


class ObservedGame(SensedGame):
    """A sensed game with the tracker that follows it."""

    def __init__(self, seed: int, variant: str = "basic", players: int = 3) -> None:
        super().__init__(seed, variant, players)
        self.tracker: Tracker[Any, Any] = Tracker(GAME, variant, GAME.empty_table(variant, players))

    def set_up(self) -> None:
        """Lay the game out and follow it. Later games of this deal read a copy: rig and tracker are new."""
        known = _LAID_OUT.get(self._dealt)
        if known is not None:
            vars(self).update(pickle.loads(known))
            return
        super().set_up()
        _LAID_OUT[self._dealt] = pickle.dumps(vars(self))

    def feed(self, batch: list[Observation]) -> Change[Any, Any]:
        super().feed(batch)
        return self.tracker.feed(self.rig.t, batch)
