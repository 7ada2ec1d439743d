"""Sleepless Princess as a `RehearsedGame` of the virtual table."""

from collections.abc import Iterator, Mapping
from random import Random

from companion.games.sleepless_princess.game import SleeplessPrincessTable
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import next_step
from companion.games.sleepless_princess.rules.actions import Action, Lay, Open, Seat
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import VARIANTS, State
from companion.games.sleepless_princess.sensing.appearance import bed_name
from companion.games.sleepless_princess.wording import PLACES
from companion.sensing.observation import TagRead
from companion.session.stream.events import Table
from companion.virtual.companion_requests import NOTHING, SETUP, Wanted
from companion.virtual.games.sleepless_princess import comparison
from companion.virtual.games.sleepless_princess.game_script import begin
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig
from companion.virtual.games.sleepless_princess.player_slips import (
    at_once,
    refilled_late,
    swept_by_next,
    with_player_slips,
)
from companion.virtual.games.sleepless_princess.raised_pictures import RAISED
from companion.virtual.games.sleepless_princess.world_habits import NO_HABITS, Habits, People
from companion.virtual.games.sleepless_princess.worlds import WORLDS
from companion.virtual.rehearsal_api import ActedGame, Batch, Doing, RehearsedGame
from companion.virtual.rehearsal_world import RehearsalWorld
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan

ROW = 5
"""Number of open cards when a game begins."""


class VirtualPrincess(RehearsedGame):
    """Sleepless Princess for the virtual table and rehearsals."""

    @property
    def looks(self) -> Looks:
        """Look of cards, tiles, glass and beds; imports OpenCV, which loads slowly."""
        from companion.virtual.games.sleepless_princess import printed_faces

        return printed_faces

    def rig(self, variant: str) -> RigPlan:
        """Sensors of the table: a scale, an electrode and a button at each bed.

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
        """What a screen of the companion asks the people at the table to do.

        They lay tiles flat for a moment, or straighten open cards. `table`: the public screen; None before the
        first. `text`: the question or notice shown.
        """
        if table is None:
            return NOTHING
        if table.phase == SETUP:
            unseen = tuple(at for at, view in enumerate(table.places) if not view.name)
            return Wanted(unseen, ("row",) if sum(len(row.cards) for row in table.rows) < ROW else (), SETUP)
        return Wanted((), tuple(zone for zone, words in PLACES.items() if words in text), text)

    begin = staticmethod(begin)

    def act_out(
        self, seed: int, variant: str, players: int, rash: float, *, tapped: bool, habits: Habits = NO_HABITS
    ) -> ActedGame:
        """Let sensible players play game `seed`, as a perfect rig would report it.

        `rash`: probability (0 to 1) of a claim without proof at the end of a turn. `tapped`: mattresses are
        pressed on the pad while they are dealt. `habits`: unusual habits of the people.
        """
        state: State = RULES.setup(variant, players, Random(f"{seed} deal"))
        cards = SleeplessPrincessTable().cards(variant)
        people = People(cards, habits, Random(f"{seed} rig"), Random(f"{seed} habits"))
        laying_out = [Doing(None, [tuple(people.rig.glass())])]
        laying_out += [
            Doing(action, [batch for batch in batches if tapped or not isinstance(batch[0], TagRead)])
            for action, batches in _laying_out(state, people.rig)
        ]
        playing = list[Doing]()
        policy, chance = make_policy("sensible", rash=rash), Random(f"{seed} players")
        policy.start(RULES.view(state, state.turn))
        while RULES.legal_actions(state):
            done, state = people.besides(state)
            playing += done
            step = next_step(state, policy, chance)
            playing += people.needed(state, step.action, step.after)
            done, state = people.do(state, step.action, step.after)
            playing += done
        left, times = swept_by_next(playing, habits.played_left, Random(f"{seed} played cards"))
        slips = Random(f"{seed} shared habits")
        late = refilled_late(left, habits.refill_forgotten, slips)
        mixed = list(at_once(late, habits.at_once, slips))
        return ActedGame(laying_out, mixed, state, people.happened + times + _moved(left, mixed))

    @property
    def worlds(self) -> Mapping[str, RehearsalWorld]:
        """Name of a world -> its table with unusual people, wiring or sensors."""
        return WORLDS

    def act_in(
        self, world: RehearsalWorld, seed: int, variant: str, players: int, rash: float, *, tapped: bool
    ) -> ActedGame:
        """Let people with a world's habits play game `seed`, as a perfect rig would report it.

        `rash`: probability (0 to 1) of a claim without proof. `tapped`: mattresses are pressed on the pad
        while they are dealt.
        """
        habits = world.habits or NO_HABITS
        return self.act_out(seed, variant, players, rash, tapped=tapped, habits=habits)

    with_slips = staticmethod(with_player_slips)
    in_sight = staticmethod(comparison.in_sight)
    begins_turn = staticmethod(comparison.begins_turn)
    awaits = staticmethod(comparison.awaits)
    differences = staticmethod(comparison.differences)
    public_differences = staticmethod(comparison.public_differences)
    outage_faults = staticmethod(comparison.outage_faults)
    score_right = staticmethod(comparison.score_right)


def _moved(before: list[Doing], after: list[Doing]) -> int:
    """Count the actions that have another place in the order `after` than in `before`."""
    return sum(one.action is not other.action for one, other in zip(before, after, strict=False))


def _laying_out(dealt: State, rig: PerfectRig) -> Iterator[tuple[Action, list[Batch]]]:
    actions: list[Action] = [Seat(bed, princess) for bed, princess in enumerate(dealt.princesses)]
    actions += [Lay(bed, dealt.faces[slot]) for bed, slots in enumerate(dealt.beds) for slot in slots]
    for action in actions:
        yield action, [tuple(batch) for batch in rig.notice(dealt, action, dealt)]
    for kind in dealt.row:
        yield Open(kind), [tuple(rig.lay_open(KIND_TEXT[kind]))]
