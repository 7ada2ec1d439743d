"""Doubts: how likely something that the model does not know has changed what lies at a place."""

from collections.abc import Collection, Iterable, Iterator
from enum import Enum, auto
from itertools import takewhile
from math import inf
from typing import Generic, NamedTuple, TypeVar

from companion.fusion.detections import Detection
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.occlusion import HandOcclusion
from companion.fusion.parameters.claims import DOUBTS
from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import CAMERA, DETECTIONS
from companion.fusion.parameters.sign_models import CHECK_SIGNS, MOVED_ON, SCALE_SIGNS
from companion.games.rules import IllegalError
from companion.games.signs import Sign, Verb
from companion.games.table_game import TableGame

S = TypeVar("S")
A = TypeVar("A")

READ = (Verb.TAG, Verb.TEXTURE)
"""Signs of a card on the pad. If only one kind fits they tell which card it is; a smooth texture fits many."""


class Weight(Enum):
    """How a doubt counts beside the others of its place."""

    BY_ITSELF = auto()
    UNEXPLAINED = auto()
    """Together with the others of this kind; see `DOUBTS.unexplained`."""
    REORDERED = auto()
    """Once with all others of this kind: a table keeps an order, or does not."""
    ENDS = auto()
    """The cards were turned up: what was doubted before is known."""
    CONFIRMS = auto()
    """They were those believed: no card was exchanged for one of another place."""


class Doubt(NamedTuple):
    """What may have changed what lies at some places: when (s), where, and how likely it did. A card that was
    carried takes the doubts of the first place to the others."""

    t: float
    places: tuple[str, ...]
    p: float
    weight: Weight = Weight.BY_ITSELF


class Doubts(Generic[S, A]):
    """Notes what passed at the places of hidden cards, and weighs it when somebody asks about one of them.

    `hands`: the hands that the camera has seen there. An electrode that may be another one's is no doubt: the
    hypotheses have it.
    """

    def __init__(self, game: TableGame[S, A], hands: HandOcclusion) -> None:
        self._game = game
        self._hands = hands
        self._noted: list[Doubt] = []
        self._lost: dict[str, float] = {}
        """Place -> when its last sign without a cause came (s)."""
        self._uncaused: list[Detection] = []
        """Signs of scales without a cause, the last `DETECTIONS.uncaused_kept`."""
        self._shown: dict[str, float] = {}
        """Place -> when its cards were turned up last (s)."""
        self._fans: dict[str, list[Detection]] = {}
        """Place -> its cards whenever several were turned up."""
        self._tags: list[Detection] = []
        """The cards that were read on the pad, the last `DETECTIONS.uncaused_kept`."""
        self._away: list[tuple[float, float, str]] = []
        """From when to when (s) the board was away while a hand worked at a place."""
        self._misplaced: list[tuple[float, str]] = []
        """When (s) and where other cards were turned up than believed."""
        self._weighed: dict[str, float] = {}
        """Place -> when all its cards were off its scale last (s): its count is true from then on."""
        self._moved: list[Detection] = []
        """The last signs of scales."""
        self._crossed: list[tuple[Detection, ...]] = []
        """The signs of two cards that were in hands at once and came back: see `_swapped`."""
        self._touched: list[Detection] = []
        """The fingers that electrodes felt where a hand was, the last `DETECTIONS.uncaused_kept`."""
        self._silent: dict[str, int] = {}
        """Place, and "" for all together -> checks since its scale reported anything."""
        self._astray = -inf
        """When a card came to lie somewhere without a sign, last (s)."""
        self.misbelieved = 0
        """How many cards carry another one's tag."""

    def hear(self, new: Iterable[Detection]) -> None:
        """Take new detections, oldest first."""
        for one in new:
            verb, place, kinds = one.sign
            if verb == Verb.CAME:
                self._shown[place] = one.t
                if len(kinds) > 1:
                    self._fans.setdefault(place, []).append(one)
            elif verb == Verb.TAG:
                self._tags = [*self._tags, one][-DETECTIONS.uncaused_kept :]
            elif verb == Verb.TOUCH:
                if not one.alone:
                    self._touched = [*self._touched, one][-DETECTIONS.uncaused_kept :]
                for at in (place, ""):
                    self._silent[at] = self._silent.get(at, 0) + 1
            elif verb == Verb.OFF:
                self._silent[place] = self._silent[""] = 0
                self._weighed[place] = one.t
            elif verb in SCALE_SIGNS:
                self._silent[place] = self._silent[""] = 0
                self._moved = [earlier for earlier in self._moved if one.t - earlier.t < PEOPLE.in_hand_s]
                if verb == Verb.PUT:
                    self._crossed += self._swapped(one)
                self._moved.append(one)
            # By then the camera has told of the hands that were there.
            told = [cross for cross in self._crossed if one.t - cross[-1].t > CAMERA.told_of_hand_s]
            self._noted += self._exchanges(told)
            self._crossed = [cross for cross in self._crossed if cross not in told]

    def unexplained(self, detections: Iterable[Detection]) -> None:
        """These were settled without a cause. Those of one place within `PEOPLE.in_hand_s` are one event."""
        for one in detections:
            _, place, _ = one.sign
            if one.t - self._lost.get(place, -inf) > PEOPLE.in_hand_s:
                self._noted.append(Doubt(one.t, (place,), DOUBTS.unexplained[0], Weight.UNEXPLAINED))
            self._lost[place] = one.t
            self._uncaused.append(one)
        del self._uncaused[: -DETECTIONS.uncaused_kept]

    def misplaced(self, places: Iterable[str]) -> None:
        """Cards turned up at these places were other ones than believed: so may be what went from there
        elsewhere since the deal.

        Moves are public. Which faces were corrected must not decide whether a claim waits.
        """
        for place in places:
            self._noted.append(Doubt(0.0, (place,), DOUBTS.misplaced))
            self._misplaced.append((self._shown.get(place, -inf), place))

    def confirmed(self, shown: Iterable[tuple[str, float]]) -> None:
        """The cards turned up at these places and times (s) were just those believed."""
        new = (Doubt(t, (place,), 0.0, Weight.CONFIRMS) for place, t in shown)
        self._noted += [one for one in dict.fromkeys(new) if one not in self._noted]

    def unweighed(self, since: float, until: float) -> None:
        """The board was away between these times (s): no scale told of a card that came back to its place."""
        self._away += [(since, until, place) for place in self._hands.worked_at(since, until)]

    def astray(self, t: float) -> None:
        """A card may lie at any place without a sign of its scale, at `t` (s)."""
        self._astray = t

    def _swapped(self, put: Detection) -> Iterator[tuple[Detection, ...]]:
        """For each card that was in a hand together with the one that is put down, and has come back: when it
        was taken and came back, and the same of the one that is put down."""
        place = put.sign.place
        lifted = {one.sign.place: one for one in self._moved if one.sign.verb == Verb.LIFT}
        back = {one.sign.place: one for one in self._moved if one.sign.verb == Verb.PUT}
        own = lifted.pop(place, None)
        for other, lift in lifted.items():
            if own is not None and other in back and back[other].t > max(lift.t, own.t):
                yield lift, back[other], own, put

    def _exchanges(self, crossed: Iterable[tuple[Detection, ...]]) -> Iterator[Doubt]:
        """The doubts that such signs leave. Where a hand was at one of the two places and none at the other,
        the scale there was restless."""
        for lift, back, own, put in crossed:
            others, owns = (
                all(self._hands.absent(one.t, one.sign.place, weighed=True) for one in pair)
                for pair in ((lift, back), (own, put))
            )
            if others == owns:
                yield Doubt(put.t, (put.sign.place, lift.sign.place), DOUBTS.swapped)

    def at(self, place: str, hypothesis: Hypothesis[S, A], waiting: Iterable[Detection] = ()) -> float:
        """Probability (0..1) that something else lies at a place than a hypothesis has, for reasons that the
        model does not know. `waiting`: the detections that may still find a cause."""
        steps = [one.step for one in hypothesis.back() if one.step is not None][::-1]
        found = [*self._noted, *self._exchanges(self._crossed)]
        found += (Doubt(t, (at,), 0.0, Weight.ENDS) for at, t in self._shown.items())
        found += self._moves(steps)
        found += self._reordered(steps)
        found += self._unweighed(steps, hypothesis.state)
        loose = (one for one in waiting if one.sign.verb in SCALE_SIGNS and one.id not in hypothesis.used)
        found += _carried(sorted((*self._uncaused, *loose), key=lambda one: one.t))
        doubted: dict[str, dict[Doubt, None]] = {}
        left: dict[str, float] = {}
        """Place -> when a card went from there to another place last (s)."""
        for one in sorted(found, key=lambda one: one.t):
            place_of, others = one.places[0], one.places[1:]
            if one.weight is Weight.CONFIRMS:
                # An exchange would show at either place, unless the wrong card has gone on since.
                since = left.get(place_of, -inf)
                here = doubted.get(place_of, {})
                no_more = {
                    two for two in here if place_of in two.places and len(two.places) > 1 and since <= two.t
                }
                doubted = {
                    at: {two: None for two in those if two not in no_more} for at, those in doubted.items()
                }
            if one.weight in (Weight.ENDS, Weight.CONFIRMS):
                doubted[place_of] = {}
                continue
            left |= dict.fromkeys(one.places if one.p else one.places[:1], one.t) if others else {}
            # A card takes the doubts of its place with it, and may bring them back: each counts once.
            here = doubted.setdefault(place_of, {})
            here |= {one: None} if one.p else {}
            for other in others:
                doubted.setdefault(other, {}).update(here)
        here = doubted.get(place, {})
        strange = sum(one.weight is Weight.UNEXPLAINED for one in here)
        own = [one.p for one in here if one.weight is Weight.BY_ITSELF]
        own += DOUBTS.unexplained[:strange][-1:]
        own += [one.p for one in here if one.weight is Weight.REORDERED][-1:]
        own += [self.miscounted(place), min(0.5, DOUBTS.misbelieved * self.misbelieved)]
        return _either(own)

    def emptied_at(self, place: str) -> float:
        """When all cards were off the scale of a place last (s); -inf if they never were."""
        return self._weighed.get(place, -inf)

    def miscounted(self, place: str) -> float:
        """Probability (0..1) that another number of cards lies at a place than its scale says."""
        checks = max(self._silent.get(at, 0) for at in (place, ""))
        # Of some hundred checks, as of an electrode that flickers, the power is no number any more.
        stuck = min(0.5, DOUBTS.stuck / DOUBTS.kept ** min(checks, 9)) if checks > 1 else 0.0
        counted = max(self._shown.get(place, -inf), self._weighed.get(place, -inf))
        return _either([stuck, DOUBTS.astray if self._astray > counted else 0.0])

    def _moves(self, steps: list[Step[S, A]]) -> Iterator[Doubt]:
        """The moves of hidden cards among steps, oldest first, from their places to others.

        A card that goes on, to put an earlier move right, needs no check. If one was felt there before, it may
        have been a move of its own, in a turn that nobody followed.
        """
        unseen, used = 0, {one.id for step in steps for one in step.used}
        for step in steps:
            signs = self._game.signs(step.before, step.action)
            verbs = [verb for verb, _, _ in signs]
            if Verb.LIFT in verbs and Verb.PUT in verbs and Verb.ON_PAD not in verbs:
                source, target = (next(at for verb, at, _ in signs if verb == one) for one in SCALE_SIGNS)
                lifted = min((one.t for one in step.used if one.sign.verb == Verb.LIFT), default=step.t)
                places = (source, target) if source != target else (source,)
                checked = not unseen or self._hands.visited(
                    lifted - PEOPLE.checked_s, lifted - PEOPLE.check_hand_s, source
                )
                if MOVED_ON in verbs:
                    doubted = self._felt_before(lifted, source, used)
                else:
                    doubted, unseen = not checked, max(0, unseen - 1)
                yield Doubt(lifted, places, DOUBTS.unchecked if doubted else 0.0)
            elif any(verb in CHECK_SIGNS or verb == Verb.ON_PAD for verb in verbs):
                unseen += not step.used

    def _felt_before(self, lifted: float, place: str, used: Collection[int]) -> bool:
        """True if cards at a place were touched, unexplained, shortly before one was lifted.

        `lifted`: time (s). `used`: numbers of the detections that a step explains.
        """
        return any(
            one.sign.place == place and 0 <= lifted - one.t < PEOPLE.checked_s and one.id not in used
            for one in self._touched
        )

    def _unweighed(self, steps: list[Step[S, A]], state: S) -> Iterator[Doubt]:
        """What is doubted because of the hands that worked while the board was away, where the rules let them.

        `state` is that after the steps.
        """
        ends = [*(step.t for step in steps), inf]
        states = [*(step.before for step in steps), state]
        begins = [-inf, *ends[:-1]]
        for since, until, place in self._away:
            then = (
                at
                for at, (begin, end) in enumerate(zip(begins, ends, strict=True))
                if begin <= until + DETECTIONS.dated_late_s and end >= since - DETECTIONS.dated_late_s
            )
            lift, put = Sign(Verb.LIFT, place), Sign(Verb.PUT, place)
            unseen = (
                (at, action) for at in then for action in self._game.propose(states[at], {}, {}, (lift, put))
            )
            if any(self._possible(steps[at:], states[at], action, {lift, put}) for at, action in unseen):
                yield Doubt(until, (place,), DOUBTS.unweighed)

    def _possible(self, steps: list[Step[S, A]], state: S, action: A, signs: set[Sign]) -> bool:
        """Whether the rules let an action that would have had these signs come before the steps, and then the
        rest of the turn go as it did."""
        try:
            now = self._game.apply(state, action)
            if not signs <= set(self._game.signs(state, action)):
                return False
            actor = self._game.actor(state)
            for step in takewhile(lambda one: self._game.actor(one.before) == actor, steps):
                now = self._game.apply(now, step.action)
        except IllegalError:
            return False
        return True

    def _reordered(self, steps: list[Step[S, A]]) -> list[Doubt]:
        """What is doubted because cards that had been turned up may lie in another order: their moves among
        steps, if nothing was read that told which card it was."""
        found: list[Doubt] = []
        lost = False
        used = {one.id for step in steps for one in step.used}
        for step in steps:
            moved = {one.sign.verb: one for one in step.used}
            told = any(one.sign.verb in READ and len(one.sign.kinds) == 1 for one in step.used)
            if told or not moved.keys() >= set(SCALE_SIGNS):
                continue
            lift, put = (moved[verb] for verb in SCALE_SIGNS)
            source, target = lift.sign.place, put.sign.place
            fans = [one for one in self._fans.get(source, ()) if one.t < lift.t]
            if source == target or not fans:
                continue
            found.append(Doubt(lift.t, (source, target), DOUBTS.reordered, Weight.REORDERED))
            # Another one of those cards was read meanwhile, or the wrong one was turned up later.
            lost |= any(
                lift.t < one.t < put.t
                and one.id not in used
                and set(one.sign.kinds) <= set(fans[-1].sign.kinds)
                for one in self._tags
            )
            lost |= any(t > lift.t and place in (source, target) for t, place in self._misplaced)
        return [one._replace(p=DOUBTS.reordered_here) for one in found] if lost else found


def _carried(uncaused: Iterable[Detection]) -> Iterator[Doubt]:
    """What is doubted because one scale lost a card and another one gained one (signs without a cause, oldest
    first). A scale that took a sign back within `COSTS.restless_s` was restless, or the card came back to its
    place."""
    last: dict[str, Detection] = {}
    for one in uncaused:
        verb, place, _ = one.sign
        last = {at: other for at, other in last.items() if one.t - other.t < COSTS.restless_s}
        before = last.pop(place, None)
        if before is None or before.sign.verb == verb:
            last[place] = one
            for other in last.values() if verb == Verb.PUT else ():
                if other.sign.verb == Verb.LIFT and one.t - other.t < PEOPLE.in_hand_s:
                    yield Doubt(one.t, (other.sign.place, place), DOUBTS.carried)


def _either(own: Iterable[float]) -> float:
    """Probability that any of independent things holds."""
    found = 0.0
    for p in own:
        found += p - found * p
    return found
