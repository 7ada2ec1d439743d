"""Sleepless Princess as a virtual table and rehearsals need it: `RehearsedGame` in companion.virtual."""

from collections.abc import Mapping, Sequence
from random import Random

from companion.games.sleepless_princess.rules.actions import Action
from companion.games.sleepless_princess.rules.state import VARIANTS, State
from companion.games.sleepless_princess.sensing.appearance import bed_name
from companion.session.events import Table
from companion.virtual.game_api import Reins
from companion.virtual.games.sleepless_princess import comparison
from companion.virtual.games.sleepless_princess.acted_game import act_out
from companion.virtual.games.sleepless_princess.game_script import GameScript, begin
from companion.virtual.games.sleepless_princess.player_slips import with_player_slips
from companion.virtual.games.sleepless_princess.raised_pictures import RAISED
from companion.virtual.games.sleepless_princess.screen_requests import wanted_by
from companion.virtual.games.sleepless_princess.world_habits import NO_HABITS
from companion.virtual.games.sleepless_princess.worlds import WORLDS
from companion.virtual.prompts import Wanted
from companion.virtual.rehearsal_api import ActedGame, Doing
from companion.virtual.rehearsal_world import RehearsalWorld
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.stage import Stage


class VirtualPrincess:
    """The virtual players, their things and their rig."""

    @property
    def looks(self) -> Looks:
        """Cards, tiles, glass and beds; drawn with OpenCV, which loads when it is needed."""
        from companion.virtual.games.sleepless_princess import printed_faces

        return printed_faces

    def rig(self, variant: str) -> RigPlan:
        """A scale, an electrode and a button at each bed; a hand at its foot covers some of the bed."""
        beds = range(VARIANTS[variant].beds)
        return RigPlan(
            tuple(bed_name(bed) for bed in beds),
            {f"foot {bed + 1}": bed_name(bed) for bed in beds},
            "deck",
            RAISED,
            on_screen=lambda code: code.startswith("P"),
        )

    def wanted_by(self, table: Table | None, text: str) -> Wanted:
        """See screen_requests.wanted_by."""
        return wanted_by(table, text)

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> GameScript:
        """See game_script.begin; policies are those of players.policies."""
        return begin(variant, players, seed, stage, reins, policy, rash)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """See acted_game.act_out."""
        return act_out(seed, variant, players, rash, tapped=tapped)

    @property
    def worlds(self) -> Mapping[str, RehearsalWorld]:
        """See worlds.WORLDS."""
        return WORLDS

    def act_in(
        self, world: RehearsalWorld, seed: int, variant: str, players: int, rash: float, *, tapped: bool
    ) -> ActedGame:
        """See acted_game.act_out."""
        habits = world.habits or NO_HABITS
        return act_out(seed, variant, players, rash, tapped=tapped, habits=habits)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """See player_slips.with_player_slips."""
        return with_player_slips(doings, rate, chance)

    def in_sight(self, action: Action) -> Action | None:
        """See comparison.in_sight."""
        return comparison.in_sight(action)

    def begins_turn(self, action: Action) -> bool:
        """See comparison.begins_turn."""
        return comparison.begins_turn(action)

    def awaits(self, state: State, player: int) -> bool:
        """See comparison.awaits."""
        return comparison.awaits(state, player)

    def differences(self, truth: State, tracked: State) -> tuple[str, ...]:
        """See comparison.differences."""
        return comparison.differences(truth, tracked)

    def public_differences(self, truth: State, tracked: State) -> tuple[str, ...]:
        """See comparison.public_differences."""
        return comparison.public_differences(truth, tracked)

    def outage_faults(self, truth: State, tracked: State) -> tuple[str, ...]:
        """See comparison.outage_faults."""
        return comparison.outage_faults(truth, tracked)

    def score_right(self, truth: State, tracked: State) -> bool:
        """See comparison.score_right."""
        return comparison.score_right(truth, tracked)
