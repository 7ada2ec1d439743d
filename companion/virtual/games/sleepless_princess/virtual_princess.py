"""Sleepless Princess as a `RehearsedGame` of the virtual table."""

from collections.abc import Mapping

from companion.games.sleepless_princess.rules.state import VARIANTS
from companion.games.sleepless_princess.sensing.appearance import bed_name
from companion.games.sleepless_princess.wording import PLACES
from companion.session.stream.events import Table
from companion.virtual.games.sleepless_princess import comparison
from companion.virtual.games.sleepless_princess.acted_game import act_out
from companion.virtual.games.sleepless_princess.game_script import begin
from companion.virtual.games.sleepless_princess.player_slips import with_player_slips
from companion.virtual.games.sleepless_princess.raised_pictures import RAISED
from companion.virtual.games.sleepless_princess.world_habits import NO_HABITS
from companion.virtual.games.sleepless_princess.worlds import WORLDS
from companion.virtual.prompts import NOTHING, SETUP, Wanted
from companion.virtual.rehearsal_api import ActedGame, RehearsedGame
from companion.virtual.rehearsal_world import RehearsalWorld
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan

ROW = 5
"""Number of open cards when a game begins."""


class VirtualPrincess(RehearsedGame):
    """Virtual players of Sleepless Princess, their things and their rig."""

    @property
    def looks(self) -> Looks:
        """Pictures of cards, tiles, glass and beds. OpenCV is imported only here, because it loads slowly."""
        from companion.virtual.games.sleepless_princess import printed_faces

        return printed_faces

    def rig(self, variant: str) -> RigPlan:
        """The rig of the virtual table, with a scale, an electrode and a button at each bed.

        A hand at a bed's foot covers part of the bed.
        """
        beds = range(VARIANTS[variant].beds)
        return RigPlan(
            tuple(bed_name(bed) for bed in beds),
            {f"foot {bed + 1}": bed_name(bed) for bed in beds},
            "deck",
            RAISED,
            on_screen=lambda code: code.startswith("P"),
        )

    def wanted_by(self, table: Table | None, text: str) -> Wanted:
        """What players should do because a screen asks them: lay tiles flat for a moment, or straighten open
        cards.

        `table`: the public screen, None before the first. `text`: the question or notice shown.
        """
        if table is None:
            return NOTHING
        if table.phase == SETUP:
            unseen = tuple(at for at, view in enumerate(table.places) if not view.name)
            return Wanted(unseen, ("row",) if sum(len(row.cards) for row in table.rows) < ROW else (), SETUP)
        return Wanted((), tuple(zone for zone, words in PLACES.items() if words in text), text)

    begin = staticmethod(begin)
    act_out = staticmethod(act_out)

    @property
    def worlds(self) -> Mapping[str, RehearsalWorld]:
        """Name of a rehearsal world (a table with special habits or sensors) -> its description."""
        return WORLDS

    def act_in(
        self, world: RehearsalWorld, seed: int, variant: str, players: int, rash: float, *, tapped: bool
    ) -> ActedGame:
        """Play the game of a seed with the habits of a rehearsal world, and report it as a perfect rig would.

        `rash`: chance (0 to 1) of a claim without proof. `tapped`: True if mattresses are pressed on the pad
        while they are dealt.
        """
        habits = world.habits or NO_HABITS
        return act_out(seed, variant, players, rash, tapped=tapped, habits=habits)

    with_slips = staticmethod(with_player_slips)
    in_sight = staticmethod(comparison.in_sight)
    begins_turn = staticmethod(comparison.begins_turn)
    awaits = staticmethod(comparison.awaits)
    differences = staticmethod(comparison.differences)
    public_differences = staticmethod(comparison.public_differences)
    outage_faults = staticmethod(comparison.outage_faults)
    score_right = staticmethod(comparison.score_right)
