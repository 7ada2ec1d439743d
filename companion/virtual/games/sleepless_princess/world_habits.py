"""Habits of people at other tables, as a perfect rig reports them: hands, mistakes, breaks.

A habit changes how actions are done, or adds what is no action. If cards really change places, the true state
changes too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from companion.games.appearance import PhysicalCard
from companion.games.sleepless_princess.rules.actions import Action, Claim, Look, Move, MoveOn, Touch
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, Phase, State
from companion.sensing.observation import Button, Observation, TagRead
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig
from companion.virtual.games.sleepless_princess.truth_words import askable_facts
from companion.virtual.rehearsal_api import Batch, Doing

SHOWN_FIRST_S = (2.0, 3.0)
"""Range of the time (s) from cards turned up, or a tile laid, too early until the claim button is pressed.
Guesses."""
BREAK_S = 1800.0
"""Length (s) of a long break in which nobody is at the table. A guess."""
FLOOR_S = 60.0
"""Time (s) for which a fallen card lies on the floor. A guess."""
ACTION_S = 4.5
"""Mean time (s) of one action, by which FLOOR_S becomes a number of actions. A guess."""
MOVED_ON_S = (3.0, 10.0)
"""Range of the time (s) for which a mattress lies on a wrong bed before the hand moves it on.

Guesses.
"""
TOPPLED_S = (3.0, 15.0)
"""Range of the time (s) for which a fallen princess tile lies on its bed. Guesses."""
TILE_CARDS = (1, 2)
"""Range of the number of cards that a scale counts for a tile.

A tile weighs as much as 1.5 cards.
"""
STEPS = 4
"""STEPS: most actions in a turn before people follow a habit between actions. A guess."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How often people at a table follow each unusual habit.

    Each field is a share (0 to 1) of the opportunities.
    """

    feels_on_pad: float = 0.0
    """Share of touches made on the pad: the mattress is pressed there, then goes back beneath its bed."""
    cards_first: float = 0.0
    """Share of claims in which cards are turned up SHOWN_FIRST_S before the button is pressed."""
    tile_first: float = 0.0
    """Share of true claims whose dreaming tile is laid SHOWN_FIRST_S before the button is pressed.

    In half of them the tile is laid even before the cards are turned up.
    """
    order_lost: float = 0.0
    """Share of failed claims after which the cards are put back in another order."""
    wrong_bed: float = 0.0
    """Share of moves that end on a wrong bed, and are corrected a turn later, or when needed.

    In the true state the mattress lies on the right bed. Meanwhile no action is done at either bed.
    """
    moved_on: float = 0.0
    """Share of moves that end on a wrong bed; MOVED_ON_S later the same hand moves on."""
    presses_by_mistake: float = 0.0
    """Share of turns in which somebody presses a claim button, and nothing is turned up."""
    presses_taken_back: float = 0.0
    """Share of turns in which somebody presses a claim button by mistake and lifts the mattresses.

    They are put back unturned.
    """
    tops_swapped: float = 0.0
    """Share of turns in which two beds swap top mattresses while the camera is frozen."""
    card_on_floor: float = 0.0
    """Share of turns in which a bed's top mattress falls down, and is put back FLOOR_S later."""
    look_too_many: float = 0.0
    """Share of turns in which somebody looks beneath a bed although no look is left."""
    seats_changed: float = 0.0
    """Share of turns in which two players swap seats and keep their hands."""
    breaks: float = 0.0
    """Share of turns in which everybody leaves the table for BREAK_S."""
    refill_forgotten: float = 0.0
    """Share of turns in which the open row is filled only after the next player's play."""
    at_once: float = 0.0
    """Share of actions during which the next action starts already, at another place."""
    curious_taps: float = 0.0
    """Share of turns in which somebody presses a bed's top mattress on the pad and puts it back."""
    tiles_toppled: float = 0.0
    """Share of turns in which a standing tile falls on its bed; TOPPLED_S later it stands again.

    Either side may be up.
    """
    sleeves_stuck: float = 0.0
    """Share of moves in which the mattress above sticks to the moved one, and goes back.

    In half of them it goes back only after both were laid on the other bed.
    """
    played_left: float = 0.0
    """Share of plays whose cards lie on until the next turn begins."""


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
"""Fields of `Habits` that `People` follow between actions; each has a method of this name."""


class HabitualRig(PerfectRig):
    """Perfect sensors at a table whose people have unusual habits.

    Beds count from 0.
    """

    def weighed(self, bed: int, change: int) -> list[Observation]:
        """Report a bed's new count, which changed by `change` cards."""
        return [self._count(bed, change)]

    def pressed(self, bed: int) -> list[Observation]:
        """Report a press of a bed's claim button."""
        return [Button(self._tick(), f"bed {bed + 1}")]

    def tapped(self, slot: int) -> list[Batch]:
        """Report that a mattress is pressed on the pad and lifted again, in batches.

        `slot`: its number in the order of dealing.
        """
        return [tuple(self._on_pad(self._slots[slot])), (TagRead(self._tick(), "pad", None),)]

    def toppled(self, before: State, bed: int, side: str, cards: int) -> list[Batch]:
        """Report that a princess tile falls on its bed, and is stood up again: two batches.

        `before`: true state. `side`: the side up, "A" (awake) or "D" (dreaming). `cards`: number of cards that
        the scale counts for it.
        """
        zone, code = f"bed {bed + 1}", f"P{before.princesses[bed]}{side}"
        lying = (self._count(bed, cards), self._zone(zone, [code]))
        return [lying, (self._count(bed, -cards), self._zone(zone, []))]

    def two_moved(self, source: int, target: int, *, late: bool) -> list[Batch]:
        """Report a move in which a second mattress comes along and goes back, in batches.

        `late`: it goes back only from bed `target`; otherwise at once.
        """
        if late:
            changes = [(source, -2), (target, 2), (target, -1), (source, 1)]
        else:
            changes = [(source, -2), (source, 1), (target, 1)]
        return [(self._count(bed, change),) for bed, change in changes]

    def tile(self, before: State, bed: int) -> list[Observation]:
        """Report a princess's tile on her bed, dreaming side up."""
        return [self._zone(f"bed {bed + 1}", [f"P{before.princesses[bed]}D"])]

    def swap_hands(self, one: int, other: int) -> None:
        """Exchange the openly taken cards of two players (from 0), who swap seats."""
        taken = self._taken
        taken[one], taken[other] = taken.get(other, []), taken.get(one, [])


class People:
    """Players of one virtual game, with their unusual habits.

    `happened`: how often a habit was followed. `rig`, `chance`: random numbers for the reports, and for the
    habits.
    """

    def __init__(self, cards: Sequence[PhysicalCard], habits: Habits, rig: Random, chance: Random) -> None:
        self.rig = HabitualRig(tuple(cards), rig)
        self.happened = 0
        self._habits = habits
        self._chance = chance
        self._turn = 0
        self._step = 0
        self._planned: list[tuple[int, str]] = []
        """(number of actions before it, name) of each whim planned for this turn."""
        self._astray: tuple[int, int, int, int] | None = None
        """(wrong bed, right bed, turn, step) of a misplaced mattress: it is moved at that step."""
        self._fallen: tuple[int, int] | None = None
        """(bed, number of actions until it is put back) of a mattress on the floor."""
        self._break = False

    def besides(self, state: State) -> tuple[list[Doing], State]:
        """Let people follow habits before the next action.

        Returns what the rig reports, and the true state afterwards.
        """
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
        """Put misplaced mattresses right before an action needs them.

        Those at the action's beds, or everywhere if it ends the game. Returns what the rig reports.
        """
        doings = []
        beds = {*range(len(before.beds))} if after.phase is Phase.OVER else _beds_of(action)
        if self._astray is not None and beds & {*self._astray[:2]}:
            doings.append(self._moved_rightly(before))
        if self._fallen is not None and self._fallen[0] in beds:
            doings.append(self._picked_up())
        return doings

    def do(self, before: State, action: Action, after: State) -> tuple[list[Doing], State]:
        """Do an action as these people do it.

        Returns what the rig reports, and the true state afterwards. `before`, `after`: true states around the
        usual action.
        """
        doing = Doing(action, [], askable_facts(before, action))
        more: list[Doing] = []
        match action:
            case Touch(bed) if self._now(self._habits.feels_on_pad):
                doing.action = felt = Touch(bed, on_pad=True)
                doing.batches = [tuple(batch) for batch in self.rig.notice(before, felt, after)]
                doing.lifted = True
            case Move(source, target) if wrong := self._wrong_bed(before, source, target):
                # The rig counts the mattress on the wrong bed until it is moved to the right one.
                batches = self.rig.notice(before, Move(source, wrong[0]), after)
                doing.batches = [tuple(batch) for batch in batches]
                doing.lifted = True
                due = (self._turn + 1, self._chance.randint(0, STEPS))
                self._astray = (wrong[0], target, *due)
                more.append(Doing(None, [], askable_facts(before, Move(source, wrong[0]))))
            case Move(source, target) if wrong := self._passed_on(before, source, target):
                self._pass_on(doing, before, Move(source, wrong[0]), target, after)
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
        """Decide by chance whether a habit is followed now.

        Followed ones are counted. `share`: its probability (0 to 1).
        """
        followed = bool(share) and self._chance.random() < share
        self.happened += followed
        return followed

    def _pass_on(self, doing: Doing, before: State, wrong: Move, target: int, after: State) -> None:
        """Set the reports of a move to a wrong bed, and from there to the bed `target`."""
        laid = [tuple(batch) for batch in self.rig.notice(before, wrong, after)]
        righted = [tuple(self.rig.weighed(wrong.target, -1)), tuple(self.rig.weighed(target, 1))]
        doing.batches = [*laid, *righted]
        doing.facts = (
            *doing.facts,
            *askable_facts(before, wrong),
            *askable_facts(before, MoveOn(wrong.target, target)),
        )
        doing.gaps = {len(laid): self._chance.uniform(*MOVED_ON_S)}
        doing.lifted = True

    def _claim(self, doing: Doing, before: State, claim: Claim, after: State) -> None:
        """Set the reports of a claim in `doing`.

        Habits decide when the button is pressed. `before`, `after`: true states around the claim.
        """
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
        """Decide by chance whether a move ends on a wrong bed: [that bed], else [].

        The move is from bed `source` to bed `target`. It is corrected later.
        """
        others = [bed for bed in self._free(before) if bed not in (source, target)]
        if self._astray is not None or not others or not self._now(self._habits.wrong_bed):
            return []
        return [self._chance.choice(others)]

    def _passed_on(self, before: State, source: int, target: int) -> list[int]:
        """Decide by chance whether a mattress first comes to a wrong bed.

        Returns [that bed], else []. The same hand then moves it on, from bed `source` to bed `target`.
        `before`: true state before the move.
        """
        others = [bed for bed in self._free(before) if bed not in (source, target)]
        if not {source, target} <= {*self._free(before)} or not others or not self._now(self._habits.moved_on):
            return []
        return [self._chance.choice(others)]

    def _free(self, state: State) -> list[int]:
        """Beds (from 0) at which people may follow a habit.

        They are not asleep, and no mattress is misplaced or missing there.
        """
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
        # Beds with one mattress are left out, because it may have been checked.
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
    """Beds (from 0) at which an action is done; empty for the final check."""
    match action:
        case Touch(bed) | Look(bed) | Claim(bed):
            return {bed}
        case Move(source, target):
            return {source, target}
    return set()
