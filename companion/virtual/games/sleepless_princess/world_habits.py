"""What people at other tables do otherwise, as a perfect rig tells of it: habits of hands, mistakes, breaks.

A habit changes how actions are done, or adds what is no action. Where cards really change their place, the true
state changes with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from companion.games.api import PhysicalCard
from companion.games.sleepless_princess.rules.actions import Action, Claim, Look, Move, MoveOn, Touch
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, Phase, State
from companion.sensing.observation import Button, Observation, TagRead
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig
from companion.virtual.games.sleepless_princess.truth_words import askable_facts
from companion.virtual.rehearsal_api import Batch, Doing

SHOWN_FIRST_S = (2.0, 3.0)
"""SHOWN_FIRST_S: time (s) from cards turned up, or a tile laid, to the button."""
BREAK_S = 1800.0
"""BREAK_S: a long break (s)."""
FLOOR_S = 60.0
"""FLOOR_S: time (s) for which a card lies on the floor."""
ACTION_S = 4.5
"""ACTION_S: mean time (s) of an action, to count the rest of FLOOR_S when somebody needs the card earlier."""
MOVED_ON_S = (3.0, 10.0)
"""MOVED_ON_S: time (s) for which a mattress lies on a wrong bed if the same hand puts that right."""
TOPPLED_S = (3.0, 15.0)
"""TOPPLED_S: time (s) for which a princess tile that fell over lies on its bed."""
TILE_CARDS = (1, 2)
"""TILE_CARDS: what a scale makes of a tile, which weighs a card and a half."""
STEPS = 4
"""A whim of a turn comes after so many of its actions at most."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares (0 to 1) of the opportunities at which people do something; 0 is never."""

    feels_on_pad: float = 0.0
    """Of touches: the mattress comes to the pad, is pressed, and goes back beneath its bed."""
    cards_first: float = 0.0
    """Of claims: the cards are turned up SHOWN_FIRST_S before the button is pressed."""
    tile_first: float = 0.0
    """Of true claims: the dreaming tile lies there SHOWN_FIRST_S before the button is pressed, in half of the
    cases before the cards are turned up, too."""
    order_lost: float = 0.0
    """Of failed claims: the cards are put back in another order."""
    wrong_bed: float = 0.0
    """Of moves: the mattress comes to another bed, and to the right one a turn later or when that is needed.
    In the truth it lies on the right one, and nothing is done at both beds meanwhile."""
    moved_on: float = 0.0
    """Of moves: the mattress comes to another bed, and by the same hand to the right one MOVED_ON_S later."""
    presses_by_mistake: float = 0.0
    """Of turns: somebody presses a button, and nothing is turned up."""
    presses_taken_back: float = 0.0
    """Of turns: somebody presses a button, lifts the mattresses and puts them back without turning them up."""
    tops_swapped: float = 0.0
    """Of turns: the top mattresses of two beds change places while the camera's picture is frozen."""
    card_on_floor: float = 0.0
    """Of turns: a bed's top mattress falls down and is put back FLOOR_S later."""
    look_too_many: float = 0.0
    """Of turns: somebody looks beneath a bed without having the right to."""
    seats_changed: float = 0.0
    """Of turns: two players change seats and keep their hands."""
    breaks: float = 0.0
    """Of turns: everybody goes away for BREAK_S."""
    refill_forgotten: float = 0.0
    """Of turns: the row is filled up when the next player has already played."""
    at_once: float = 0.0
    """Of actions at different places: somebody begins one before the other is finished."""
    curious_taps: float = 0.0
    """Of turns: somebody taps a bed's top mattress on the pad and puts it back on top."""
    tiles_toppled: float = 0.0
    """Of turns: a standing tile falls on its bed, any side up, and is stood up TOPPLED_S later."""
    sleeves_stuck: float = 0.0
    """Of moves from a bed of two or more: the mattress above comes along and goes back beneath its bed, in half
    of the cases only when both were laid on the other bed."""
    played_left: float = 0.0
    """Of plays: the played cards lie there until the next turn begins, and are swept away then."""


NO_HABITS = Habits()
_WHIMS = (
    "presses_by_mistake",
    "presses_taken_back",
    "tops_swapped",
    "card_on_floor",
    "look_too_many",
    "seats_changed",
    "breaks",
    "curious_taps",
    "tiles_toppled",
)
"""The habits of turns that `People` follow by themselves; the method of each has its name."""


class HabitualRig(PerfectRig):
    """A perfect rig at a table of people with habits. Beds count from 0."""

    def weighed(self, bed: int, change: int) -> list[Observation]:
        """A bed's scale, with so many cards more or less."""
        return [self._count(bed, change)]

    def pressed(self, bed: int) -> list[Observation]:
        """A bed's button is pressed."""
        return [Button(self._tick(), f"bed {bed + 1}")]

    def tapped(self, slot: int) -> list[Batch]:
        """A mattress is pressed on the pad, and lifted again."""
        return [tuple(self._on_pad(self._slots[slot])), (TagRead(self._tick(), "pad", None),)]

    def toppled(self, before: State, bed: int, side: str, cards: int) -> list[Batch]:
        """The tile falls on its bed with this side up, "A" or "D", weighs so many cards, and stands again."""
        zone, code = f"bed {bed + 1}", f"P{before.princesses[bed]}{side}"
        lying = (self._count(bed, cards), self._zone(zone, [code]))
        return [lying, (self._count(bed, -cards), self._zone(zone, []))]

    def two_moved(self, source: int, target: int, *, late: bool) -> list[Batch]:
        """Two mattresses are drawn out at once. One goes back at once, or `late`: from the other bed."""
        if late:
            changes = [(source, -2), (target, 2), (target, -1), (source, 1)]
        else:
            changes = [(source, -2), (source, 1), (target, 1)]
        return [(self._count(bed, change),) for bed, change in changes]

    def tile(self, before: State, bed: int) -> list[Observation]:
        """The tile lies on its bed, with the dreaming marker up."""
        return [self._zone(f"bed {bed + 1}", [f"P{before.princesses[bed]}D"])]

    def swap_hands(self, one: int, other: int) -> None:
        """Two players change seats; cards that they took openly go with them."""
        taken = self._taken
        taken[one], taken[other] = taken.get(other, []), taken.get(one, [])


class People:
    """The players of one game and their habits. `happened`: number of times that they followed them."""

    def __init__(self, cards: Sequence[PhysicalCard], habits: Habits, rig: Random, chance: Random) -> None:
        """`rig` and `chance` are the random streams of the rig and of the habits."""
        self.rig = HabitualRig(tuple(cards), rig)
        self.happened = 0
        self._habits = habits
        self._chance = chance
        self._turn = 0
        self._step = 0
        self._planned: list[tuple[int, str]] = []
        """The whims of this turn: after how many of its actions, and what."""
        self._astray: tuple[int, int, int, int] | None = None
        """A mattress on the wrong bed: this bed, the right one, and the turn and step at which it is moved."""
        self._fallen: tuple[int, int] | None = None
        """A mattress on the floor: its bed, and the number of actions until it is put back."""
        self._break = False

    def besides(self, state: State) -> tuple[list[Doing], State]:
        """What people do before the next action that is none, and the true state after it."""
        if state.turns != self._turn:
            self._turn, self._step = state.turns, 0
            self._planned = [
                (self._chance.randint(0, STEPS), whim)
                for whim in _WHIMS
                if (share := getattr(self._habits, whim)) and self._chance.random() < share
            ]
        else:
            self._step += 1
        doings: list[Doing] = []
        if self._astray is not None and (self._turn, self._step) >= self._astray[2:]:
            doings.append(self._moved_rightly(state))
        if self._fallen is not None:
            bed, left = self._fallen
            self._fallen = (bed, left - 1)
            if left <= 0:
                doings.append(self._picked_up())
        waiting = [one for one in self._planned if one[0] > self._step]
        for due, whim in self._planned:
            if due <= self._step:
                done, state = getattr(self, f"_{whim}")(state)
                self.happened += bool(done) or whim in ("breaks", "seats_changed")
                doings += done
        self._planned = waiting
        return doings, state

    def needed(self, before: State, action: Action, after: State) -> list[Doing]:
        """What must be put right before an action can be done at its beds, or before it ends the game."""
        doings = []
        beds = {*range(len(before.beds))} if after.phase is Phase.OVER else _beds_of(action)
        if self._astray is not None and beds & {*self._astray[:2]}:
            doings.append(self._moved_rightly(before))
        if self._fallen is not None and self._fallen[0] in beds:
            doings.append(self._picked_up())
        return doings

    def do(self, before: State, action: Action, after: State) -> tuple[list[Doing], State]:
        """The action as these people do it, and the true state after it."""
        doing = Doing(action, [], askable_facts(before, action))
        more: list[Doing] = []
        match action:
            case Touch(bed) if self._now(self._habits.feels_on_pad):
                doing.action = felt = Touch(bed, on_pad=True)
                doing.batches = [tuple(batch) for batch in self.rig.notice(before, felt, after)]
                doing.lifted = True
            case Move(source, target) if wrong := self._wrong_bed(before, source, target):
                # Told of the wrong bed, the rig's sum is put right when the mattress is.
                batches = self.rig.notice(before, Move(source, wrong[0]), after)
                doing.batches = [tuple(batch) for batch in batches]
                doing.lifted = True
                due = (self._turn + 1, self._chance.randint(0, STEPS))
                self._astray = (wrong[0], target, *due)
                more.append(Doing(None, [], askable_facts(before, Move(source, wrong[0]))))
            case Move(source, target) if wrong := self._passed_on(before, source, target):
                laid = [tuple(batch) for batch in self.rig.notice(before, Move(source, wrong[0]), after)]
                righted = [tuple(self.rig.weighed(wrong[0], -1)), tuple(self.rig.weighed(target, 1))]
                doing.batches = [*laid, *righted]
                doing.facts = (
                    *doing.facts,
                    *askable_facts(before, Move(source, wrong[0])),
                    *askable_facts(before, MoveOn(wrong[0], target)),
                )
                doing.gaps = {len(laid): self._chance.uniform(*MOVED_ON_S)}
                doing.lifted = True
            case Move(source, target) if len(before.beds[source]) > 1 and self._now(self._habits.sleeves_stuck):
                doing.batches = self.rig.two_moved(source, target, late=self._chance.random() < 0.5)
                doing.lifted = True
            case Claim(bed):
                asleep = after.fates[bed] == ASLEEP
                doing.claim = (bed, asleep)
                self._claim(doing, before, action, after)
                if not asleep and self._now(self._habits.order_lost):
                    after = self._in_another_order(after, bed)
            case _:
                doing.batches = [tuple(batch) for batch in self.rig.notice(before, action, after)]
                doing.lifted = isinstance(action, Move)
        if self._break and doing.batches:
            self._break = False
            doing.gaps = {**doing.gaps, 0: BREAK_S}
        return [doing, *more], after

    def _now(self, share: float) -> bool:
        """Whether the habit with this share is followed at this opportunity."""
        followed = bool(share) and self._chance.random() < share
        self.happened += followed
        return followed

    def _claim(self, doing: Doing, before: State, claim: Claim, after: State) -> None:
        """The batches of a claim, with the button where these people press it."""
        pressed, up, down = (tuple(batch) for batch in self.rig.notice(before, claim, after))
        true = after.fates[claim.bed] == ASLEEP
        later = self._chance.uniform(*SHOWN_FIRST_S)
        if true and self._now(self._habits.tile_first):
            tile: Batch = tuple(self.rig.tile(before, claim.bed))
            if self._chance.random() < 0.5:
                doing.batches, doing.gaps = [tile, pressed, up, down], {1: later}
            else:
                doing.batches, doing.gaps = [up, down, pressed], {2: later}
        elif self._now(self._habits.cards_first):
            doing.batches, doing.gaps = [up, pressed, down], {1: later}
        else:
            doing.batches = [pressed, up, down]

    def _in_another_order(self, state: State, bed: int) -> State:
        slots = list(state.beds[bed])
        self._chance.shuffle(slots)
        beds = [*state.beds]
        beds[bed] = tuple(slots)
        return state._replace(beds=tuple(beds))

    def _wrong_bed(self, before: State, source: int, target: int) -> list[int]:
        """The bed at which a mattress arrives by mistake, alone in a list; empty if it arrives at its own."""
        others = [bed for bed in self._free(before) if bed not in (source, target)]
        if self._astray is not None or not others or not self._now(self._habits.wrong_bed):
            return []
        return [self._chance.choice(others)]

    def _passed_on(self, before: State, source: int, target: int) -> list[int]:
        """The bed from which the same hand moves a mattress on to its own, alone in a list; empty if it comes
        to its own at once."""
        others = [bed for bed in self._free(before) if bed not in (source, target)]
        if not {source, target} <= {*self._free(before)} or not others or not self._now(self._habits.moved_on):
            return []
        return [self._chance.choice(others)]

    def _free(self, state: State) -> list[int]:
        """Beds in play at which nothing is astray or missing."""
        touched = {*(self._astray or ())[:2], *(self._fallen or ())[:1]}
        return [bed for bed, fate in enumerate(state.fates) if fate != ASLEEP and bed not in touched]

    def _moved_rightly(self, state: State) -> Doing:
        assert self._astray is not None
        wrong, target, *_ = self._astray
        self._astray = None
        batches = [tuple(self.rig.weighed(wrong, -1)), tuple(self.rig.weighed(target, 1))]
        return Doing(None, batches, askable_facts(state, MoveOn(wrong, target)), lifted=True)

    def _picked_up(self) -> Doing:
        assert self._fallen is not None
        bed, left = self._fallen
        self._fallen = None
        gaps = {0: ACTION_S * left} if left > 0 else {}
        return Doing(None, [tuple(self.rig.weighed(bed, 1))], gaps=gaps)

    def _claimable(self, state: State) -> list[int]:
        legal = RULES.legal_actions(state)
        return [bed for bed in self._free(state) if state.fates[bed] == AWAKE and Claim(bed) in legal]

    def _presses_by_mistake(self, state: State) -> tuple[list[Doing], State]:
        beds = self._claimable(state)
        if not beds:
            return [], state
        bed = self._chance.choice(beds)
        true = RULES.apply(state, Claim(bed)).fates[bed] == ASLEEP
        return [Doing(None, [tuple(self.rig.pressed(bed))], press=(bed, true))], state

    def _presses_taken_back(self, state: State) -> tuple[list[Doing], State]:
        doings, state = self._presses_by_mistake(state)
        for doing in doings:
            assert doing.press is not None
            bed = doing.press[0]
            n = len(state.beds[bed])
            doing.batches += [tuple(self.rig.weighed(bed, -n)), tuple(self.rig.weighed(bed, n))] if n else []
            doing.lifted = True
        return doings, state

    def _tops_swapped(self, state: State) -> tuple[list[Doing], State]:
        # A checked mattress stays at the bottom.
        high = [bed for bed in self._free(state) if len(state.beds[bed]) > 1]
        if len(high) < 2:
            return [], state
        one, other = self._chance.sample(high, 2)
        beds = [*state.beds]
        beds[one] = (*state.beds[one][:-1], state.beds[other][-1])
        beds[other] = (*state.beds[other][:-1], state.beds[one][-1])
        weighed = self.rig.weighed
        batches = [
            tuple(weighed(bed, change)) for bed, change in ((one, -1), (other, -1), (one, 1), (other, 1))
        ]
        return [Doing(None, batches, lifted=True, unseen=True)], state._replace(beds=tuple(beds))

    def _card_on_floor(self, state: State) -> tuple[list[Doing], State]:
        beds = [bed for bed in self._free(state) if state.beds[bed]]
        if self._fallen is not None or not beds:
            return [], state
        bed = self._chance.choice(beds)
        self._fallen = (bed, round(FLOOR_S / ACTION_S))
        return [Doing(None, [tuple(self.rig.weighed(bed, -1))])], state

    def _look_too_many(self, state: State) -> tuple[list[Doing], State]:
        beds = [bed for bed in self._free(state) if state.beds[bed]]
        if not beds:
            return [], state
        look = self.rig.notice(state, Look(self._chance.choice(beds)), state)
        return [Doing(None, [tuple(batch) for batch in look])], state

    def _seats_changed(self, state: State) -> tuple[list[Doing], State]:
        one, other = self._chance.sample(range(len(state.hands)), 2)
        hands = [*state.hands]
        hands[one], hands[other] = hands[other], hands[one]
        self.rig.swap_hands(one, other)
        return [], state._replace(hands=tuple(hands))

    def _breaks(self, state: State) -> tuple[list[Doing], State]:
        self._break = True
        return [], state

    def _curious_taps(self, state: State) -> tuple[list[Doing], State]:
        beds = [bed for bed in self._free(state) if state.beds[bed]]
        if not beds:
            return [], state
        bed = self._chance.choice(beds)
        weighed, tapped = self.rig.weighed, self.rig.tapped
        batches = [tuple(weighed(bed, -1)), *tapped(state.beds[bed][-1]), tuple(weighed(bed, 1))]
        return [Doing(None, batches, lifted=True)], state

    def _tiles_toppled(self, state: State) -> tuple[list[Doing], State]:
        beds = [bed for bed in self._free(state) if state.fates[bed] == AWAKE]
        if not beds:
            return [], state
        bed, side = self._chance.choice(beds), self._chance.choice("AD")
        batches = self.rig.toppled(state, bed, side, self._chance.randint(*TILE_CARDS))
        return [Doing(None, batches, gaps={1: self._chance.uniform(*TOPPLED_S)})], state


def _beds_of(action: Action) -> set[int]:
    """The beds at which an action is done; the final check is the end of the game."""
    match action:
        case Touch(bed) | Look(bed) | Claim(bed):
            return {bed}
        case Move(source, target):
            return {source, target}
    return set()
