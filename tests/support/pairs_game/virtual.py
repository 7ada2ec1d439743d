"""Pairs on a virtual table: cards, hands, buttons beside the places, and what a perfect rig reports."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from companion.games.appearance import PhysicalCard
from companion.sensing.observation import Button, Observation, Seen, Sighting
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.game_api import Reins
from companion.virtual.hand_movements import Script, Stage
from companion.virtual.played_game import PlayedGame
from companion.virtual.rehearsal_api import ActedGame, Doing, RehearsedGame
from companion.virtual.render.looks import Looks
from companion.virtual.render.printed_marks import PX_MM, Picture, outline, paste_sticker
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.seated_players import Players
from companion.virtual.world import DOWN, UP
from tests.support.pairs_game.game import GAME, KINDS, NAMES, PLACES, Action, Call, Flip, State
from tests.support.pairs_game.players.policies import Attentive
from tests.support.pairs_game.players.simulation import play_out

CARD = (56, 87)


def codes_of(state: State) -> tuple[str, ...]:
    """The card at each place; of twins the first has the lower place."""
    count = dict.fromkeys(KINDS, 0)
    codes = []
    for kind in state.kinds:
        codes.append(f"{kind[0].upper()}{'AB'[count[kind]]}")
        count[kind] += 1
    return tuple(codes)


class PairsLooks(Looks):
    """Blue cards with stickers on their faces."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        return CARD

    def printed(self, card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
        picture = np.full((CARD[1] * PX_MM, CARD[0] * PX_MM, 3), (190, 140, 60), np.uint8)
        if card is not None and side == UP:
            paste_sticker(picture, card.payload, 30.0)
        return picture, outline(picture.shape[:2], 4, round_thing=False)


class PairsPlay(PlayedGame):
    """One game with hands on cards."""

    def _lay_out(self) -> Script:
        for code, name in zip(codes_of(self.state), NAMES, strict=True):
            yield from self._stage.lay_one(0, code, self._stage.mat.zone(name).centre, DOWN)
        yield from self._stage.withdraw()
        yield from self._stage.rest(1.5, 1.5)

    def _play(self, before: State, action: Action, after: State) -> Script:
        stage, codes = self._stage, codes_of(before)
        if isinstance(action, Call):
            stage.rig.button(NAMES[action.place], True)
            stage.claimed = stage.now
            yield from stage.rest(0.2, 0.2)
            stage.rig.button(NAMES[action.place], False)
            yield from stage.rest(2.0, 2.0)
            return
        turned = (action.place,) if isinstance(action, Flip) else before.up
        for place in turned:
            yield from stage.reach(before.turn, stage.mat.zone(NAMES[place]).centre)
            stage.world.turn(codes[place], UP if isinstance(action, Flip) else DOWN)
        yield from stage.withdraw()
        yield from stage.rest(1.5, 1.5)

    def _claim(self, subject: int) -> Call:
        return Call(subject)

    def _claimed(self, action: Action, after: State) -> tuple[int, bool] | None:
        return (action.place, is_twin(after, action)) if isinstance(action, Call) else None

    def _choice(self, player: int, options: tuple[Action, ...], *, on_turn: bool) -> YourTurn:
        words = tuple(
            f"{'Call' if isinstance(one, Call) else 'Turn up'} {NAMES[one.place]}"
            if isinstance(one, Call | Flip)
            else "Turn both down"
            for one in options
        )
        return YourTurn(player + 1, (), (), words, on_turn)


def is_twin(state: State, call: Call) -> bool:
    """Whether a call is right, in a state in which every card is known."""
    return state.kinds[call.place] == state.kinds[state.up[0]]


def observed(before: State, action: Action, after: State) -> Iterator[Observation]:
    """What a perfect rig reports of an action; all times are 0."""
    if isinstance(action, Call):
        yield Button(0.0, NAMES[action.place])
        return
    codes, expected = codes_of(before), GAME.expected_view(after).zones
    for at, name in enumerate(NAMES):
        if expected[name] != GAME.expected_view(before).zones[name]:
            yield Sighting(0.0, name, (Seen(codes[at], 0.0, 0.0),) if expected[name] else ())


class VirtualPairs(RehearsedGame):
    """See `RehearsedGame`."""

    looks = PairsLooks()

    def rig(self, variant: str) -> RigPlan:
        return RigPlan(stations=NAMES)

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> PairsPlay:
        dealt = GAME.setup(variant, players, Random(f"{seed} deal"))
        chance = Random(f"{seed} players")
        everybody = Players(GAME, dealt, players, Attentive(rash), chance)
        return PairsPlay(GAME, dealt, stage, everybody, reins)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        dealt = GAME.setup(variant, players, Random(f"{seed} deal"))
        bare = tuple(Sighting(0.0, name, ()) for name in NAMES)
        doings, end = [], dealt
        for before, action, after in play_out(dealt, Attentive(rash), Random(f"{seed} players")):
            doing = Doing(action, [(one,) for one in observed(before, action, after)])
            if isinstance(action, Call):
                doing.claim = (action.place, is_twin(before, action))
            doings.append(doing)
            end = after
        return ActedGame([Doing(None, [bare])], doings, end)

    def in_sight(self, action: Any) -> Any | None:
        return action if isinstance(action, Flip) else None

    def begins_turn(self, action: Any) -> bool:
        return isinstance(action, Flip)

    def awaits(self, state: State, player: int) -> bool:
        return state.turn == player

    def differences(self, truth: State, tracked: State) -> tuple[str, ...]:
        return () if truth == tracked else (f"{GAME.write_state(tracked)} is not {GAME.write_state(truth)}",)

    def score_right(self, truth: State, tracked: State) -> bool:
        return truth.points == tracked.points


VIRTUAL = VirtualPairs()
assert len(NAMES) == PLACES
