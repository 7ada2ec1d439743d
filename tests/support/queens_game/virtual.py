"""Who wakes the queens on a virtual table. See `RehearsedGame`."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from companion.core.errors import BadInputError
from companion.core.units import Zone
from companion.games.api import AskableFact, PhysicalCard
from companion.sensing.observation import Seen, Sighting
from companion.session.events import Table
from companion.session.world_events import YourTurn
from companion.virtual.game_api import Reins
from companion.virtual.ground_truth import TruthEntry, TruthLog
from companion.virtual.prompts import NOTHING, Wanted
from companion.virtual.rehearsal_api import ActedGame, Doing, RehearsedGame
from companion.virtual.render import table_surface
from companion.virtual.render.looks import Looks
from companion.virtual.render.printing import PX_MM, Picture, outline, paste_sticker
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.stage import Script, Stage
from companion.virtual.world import DOWN, UP
from tests.support.queens import GAME, QUEENS, Court
from tests.support.queens_game.game import place_of


class QueensLooks:
    """Green cards with stickers."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        return (56.0, 87.0)

    def printed(self, card: PhysicalCard | None, code: str, side: str, glare: bool) -> tuple[Picture, Picture]:
        picture = np.full((87 * PX_MM, 56 * PX_MM, 3), (90, 180, 120), np.uint8)
        if card is not None and side == UP:
            paste_sticker(picture, card.payload, 30.0)
        return picture, outline(picture.shape[:2], 4, round_thing=False)

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        table_surface.outline_zone(sheet, zone)


class QueensPlay:
    """One game: the queens are laid face down, then turned up one after another."""

    def __init__(self, seed: int, stage: Stage) -> None:
        self.state = Court()
        self.truth = TruthLog()
        self.finished = False
        self.seat: int | None = None
        self.deeds: set[AskableFact] = set()
        self._stage = stage
        self._order = Random(seed).sample(range(len(QUEENS)), len(QUEENS))

    def life(self) -> Iterator[float]:
        stage = self._stage
        yield 2.0
        for queen in range(len(QUEENS)):
            yield from stage.lay_one(0, f"Q{queen}", stage.mat.zone(place_of(queen)).centre, DOWN)
        yield from self._rest()
        for queen in self._order:
            begun = stage.now
            yield from stage.reach(0, stage.mat.zone(place_of(queen)).centre)
            stage.world.turn(f"Q{queen}", UP)
            yield from self._rest()
            self.state = GAME.apply(self.state, queen)
            line = GAME.write_state(self.state)
            self.truth.entries.append(TruthEntry(stage.settled, GAME.write_action(queen), line, begun))
        self.finished = True
        while True:
            yield 1.0

    def _rest(self) -> Script:
        yield from self._stage.withdraw()
        yield from self._stage.rest(1.5, 1.5)

    def take_seat(self, player: int | None) -> None:
        self.seat = player

    def choice(self) -> YourTurn | None:
        return None

    def choose(self, index: int) -> None:
        raise BadInputError("nobody chooses")

    def call_claim(self, subject: int) -> None:
        raise BadInputError("nothing is claimed here")

    def truth_lines(self) -> list[str]:
        return [GAME.write_state(self.state)]


class VirtualQueens:
    """A camera looks, nothing else."""

    looks: Looks = QueensLooks()

    def rig(self, variant: str) -> RigPlan:
        return RigPlan()

    def wanted_by(self, table: Table | None, text: str) -> Wanted:
        return NOTHING

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> QueensPlay:
        return QueensPlay(seed, stage)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        doings, end = [], Court()
        for at, queen in enumerate(Random(seed).sample(range(len(QUEENS)), len(QUEENS))):
            seen = Sighting(1.0 + at, place_of(queen), (Seen(f"Q{queen}", 0.0, 0.0),))
            doings.append(Doing(queen, [(seen,)]))
            end = GAME.apply(end, queen)
        return ActedGame([], doings, end)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        return list(doings)

    def in_sight(self, action: Any) -> Any | None:
        return action

    def begins_turn(self, action: Any) -> bool:
        return True

    def awaits(self, state: Court, player: int) -> bool:
        return True

    def differences(self, truth: Court, tracked: Court) -> tuple[str, ...]:
        return () if truth == tracked else (f"asleep: {truth.asleep} seen as {tracked.asleep}",)

    def outage_faults(self, truth: Court, tracked: Court) -> tuple[str, ...]:
        return self.differences(truth, tracked)

    def score_right(self, truth: Court, tracked: Court) -> bool:
        return truth == tracked


VIRTUAL: RehearsedGame = VirtualQueens()
