"""Who wakes the queens on a virtual table. See `RehearsedGame`."""

from random import Random
from typing import Any

import numpy as np

from companion.games.appearance import PhysicalCard
from companion.sensing.observation import Seen, Sighting
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.game_api import Reins
from companion.virtual.hand_movements import Script, Stage
from companion.virtual.played_game import PlayedGame
from companion.virtual.rehearsal_api import ActedGame, Doing, RehearsedGame
from companion.virtual.render.looks import Looks
from companion.virtual.render.printed_marks import PX_MM, Picture, outline, paste_sticker
from companion.virtual.seated_players import Players, WithoutMemory
from companion.virtual.world import DOWN, UP, Point
from tests.support.queens_game.game import GAME, QUEENS, Court, place_of


class QueensLooks(Looks):
    """Green cards with stickers."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        return (56.0, 87.0)

    def printed(self, card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
        picture = np.full((87 * PX_MM, 56 * PX_MM, 3), (90, 180, 120), np.uint8)
        if card is not None and side == UP:
            paste_sticker(picture, card.payload, 30.0)
        return picture, outline(picture.shape[:2], 4, round_thing=False)


class QueensPlay(PlayedGame):
    """One game: the queens are laid face down, then turned up one after another."""

    def _lay_out(self) -> Script:
        for queen in range(len(QUEENS)):
            yield from self._stage.lay_one(0, f"Q{queen}", self._at(queen), DOWN)
        yield from self._rest()

    def _play(self, before: Court, action: int, after: Court) -> Script:
        yield from self._stage.reach(0, self._at(action))
        self._stage.world.turn(f"Q{action}", UP)
        yield from self._rest()

    def _at(self, queen: int) -> Point:
        return self._stage.mat.zone(place_of(queen)).centre

    def _rest(self) -> Script:
        yield from self._stage.withdraw()
        yield from self._stage.rest(1.5, 1.5)

    def _choice(self, player: int, options: tuple[int, ...], *, on_turn: bool) -> YourTurn:
        return YourTurn(player + 1, (), (), tuple(f"Wake the {QUEENS[one]}" for one in options), on_turn)


class VirtualQueens(RehearsedGame):
    """A camera looks, nothing else."""

    looks = QueensLooks()

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> QueensPlay:
        chance = Random(f"{seed} players")
        any_queen = WithoutMemory(lambda view, legal, rng: rng.choice(legal))
        everybody = Players(GAME, Court(), players, any_queen, chance)
        return QueensPlay(GAME, Court(), stage, everybody, reins)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        doings, end = [], Court()
        for at, queen in enumerate(Random(seed).sample(range(len(QUEENS)), len(QUEENS))):
            seen = Sighting(1.0 + at, place_of(queen), (Seen(f"Q{queen}", 0.0, 0.0),))
            doings.append(Doing(queen, [(seen,)]))
            end = GAME.apply(end, queen)
        return ActedGame([], doings, end)

    def in_sight(self, action: Any) -> Any | None:
        return action

    def begins_turn(self, action: Any) -> bool:
        return True

    def awaits(self, state: Court, player: int) -> bool:
        return True

    def differences(self, truth: Court, tracked: Court) -> tuple[str, ...]:
        return () if truth == tracked else (f"asleep: {truth.asleep} seen as {tracked.asleep}",)

    def score_right(self, truth: Court, tracked: Court) -> bool:
        return truth == tracked


VIRTUAL = VirtualQueens()
