"""The tracker: follows one game through what the sensors say; the face of this package."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, NamedTuple

from msgspec import structs

from companion.fusion.action_search import top_fits
from companion.fusion.beam import Beam
from companion.fusion.claims.button_floods import ButtonFloods
from companion.fusion.claims.contradiction import Contradiction, contradiction
from companion.fusion.claims.doubts import Doubts
from companion.fusion.claims.due_cards import OpenClaim, Unseen
from companion.fusion.claims.judge import Judge, Posterior
from companion.fusion.claims.questions import Answered, OpenQuestion, QuestionPlanner
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.parameters.claims import CLAIM, QUESTIONS
from companion.fusion.parameters.search import PUBLISHING
from companion.fusion.parameters.sign_models import CHECK_SIGNS, SCALE_SIGNS
from companion.fusion.pruning import ScoredHypotheses
from companion.fusion.publisher import Change, Publisher
from companion.fusion.recorded_steps import RecordedSteps
from companion.fusion.scale_offsets import ScaleOffsets
from companion.fusion.sensor_outages import SensorOutages
from companion.fusion.smoother import Smoother
from companion.fusion.swapped_tags import DealReader, SwappedTags
from companion.fusion.wiring import Crossed, Wiring
from companion.games.appearance import Difference, TakenOver
from companion.games.hidden_cards import AskableFact
from companion.games.rules import A, S
from companion.games.signs import UNKNOWN_KIND, Verb
from companion.games.table_game import TableGame
from companion.sensing.observation import Button, Observation
from vision.art_codes import CardKinds


@dataclass(frozen=True, slots=True)
class Unsettled(Generic[S]):
    """The published state and its doubts before a person settled what lies there.

    `moved` are the scale detections that no published step explains; `blind`: whole turns may have passed
    unseen before the table was taken over. `trusted`: the state before these, None if there were none.
    """

    state: S
    outages: SensorOutages
    moved: tuple[Detection, ...]
    blind: bool
    trusted: S | None


class ToldTable(NamedTuple):
    """What people say of a table that is taken over, beside what the sensors tell of it.

    A turn of `player` (from 0) begins now; None if the turn is believed as it is. `refuted` and `playing`: see
    `Survey`.
    """

    player: int | None = None
    refuted: frozenset[int] = frozenset()
    playing: frozenset[int] = frozenset()


NOTHING_TOLD = ToldTable()


class Tracker(Generic[S, A]):
    """Follows one game through what the sensors say. Knows the rules only through `TableGame`."""

    def __init__(self, game: TableGame[S, A], variant: str, state: S, buttons: Iterable[str] = ()) -> None:
        """`buttons`: stations whose claim button is known to be theirs."""
        self.game = game
        self.recorded: RecordedSteps[S, A] = RecordedSteps()
        """Steps that the journal published, while a journal is read back; else none."""
        self._publisher: Publisher[S, A] = Publisher(game, state, self.recorded)
        self.contradictions: list[Contradiction] = []
        """Verdicts that turned up cards contradicted, oldest first."""
        self._questions: QuestionPlanner[S, A] = QuestionPlanner(game)
        self._unseen: Unseen | None = None
        """Cards that had to be turned up, and were not seen."""
        self._failed: Unseen | None = None
        """Those of which players say that they proved nothing: their claim failed, if it was meant."""
        self.claim_waits = False
        """Whether the verdict on a claim waits for the answer to a question."""
        self.doubted: frozenset[str] = frozenset()
        """Sensors found to miss what happens: no claim is settled while there are any."""
        kinds = CardKinds({card.code: card.kind for card in game.cards(variant)})
        textures: dict[str, tuple[str, ...]] = {}
        for card in game.cards(variant):
            if card.texture is not None:
                textures[card.texture] = tuple(sorted({card.kind, *textures.get(card.texture, ())}))
        pressed = (place for verb, place in game.watched(variant) if verb == Verb.PRESS)
        self._wiring = Wiring(pressed, buttons)
        self.floods = ButtonFloods.of(game, variant)
        sensed = SensedTable(kinds, game.watched(variant), textures, self._wiring.meant)
        self._doubts: Doubts[S, A] = Doubts(game, self._wiring.hands)
        self._offsets = ScaleOffsets()
        self._judge: Judge[S, A] = Judge(game, self._doubts, self._wiring.straight, self.floods)
        self._beam: Beam[S, A] = Beam(game, sensed, Hypothesis(state), self._allows, recorded=self.recorded)
        self._tags = SwappedTags(
            {one.code: one.texture for one in game.cards(variant) if one.texture is not None}
        )
        self._deal: DealReader[S, A] | None = DealReader(self._beam.copy())
        self._smoother: Smoother[S, A] = Smoother()
        self._undone: set[tuple[S, A]] = set()
        self._undone_from: Hypothesis[S, A] | None = None
        """The hypothesis that an undo led back to, until it is known whether the undone step happened."""
        self._undone_to: list[Hypothesis[S, A]] = []
        """The hypotheses with the undone steps since then, which are weighed against it."""
        self._denied: set[int] = set()
        """Numbers of the detections that undone steps explained; empty unless cards in sight show the steps."""
        self._weighed = (0, 0.0)
        """Number of the next detection, and time (s), when both were compared last."""
        self.settled_from: Unsettled[S] | None = None
        """What held before a person settled what lies there, if nothing else was taken over since."""
        self._blind = False
        """Whether whole turns may have passed unseen before the table was taken over."""
        self._before_blind: S | None = None
        """The state before whole turns may have passed unseen, if its steps were cleared meanwhile."""
        self._lost_since: float | None = None
        """Since when (s) the best hypothesis leaves `PUBLISHING.lost_nats` unexplained."""
        self._thinks_since: float | None = None
        """Since when (s) searches do not come to their end within one batch."""

    @property
    def state(self) -> S:
        """The published state: the one after `steps`."""
        return self._publisher.state

    @property
    def steps(self) -> Sequence[Step[S, A]]:
        """The published steps since the game began or a person settled what lies there, oldest first."""
        return self._publisher.steps

    @property
    def sensed(self) -> SensedTable:
        """Facts and open detections."""
        return self._beam.sensed

    @property
    def posteriors(self) -> Sequence[Posterior]:
        """What the verdicts were based on that proved or refuted a claim, oldest first."""
        return self._judge.posteriors

    @property
    def crossed(self) -> Sequence[Crossed]:
        """Parts that were found to be connected crosswise, in the order in which this was found."""
        return self._wiring.found

    def meant(self, press: Button) -> str:
        """The station whose button was meant by a press, as far as is known now."""
        return self._wiring.station(press)

    @property
    def moved_presses(self) -> Collection[tuple[str, float]]:
        """(station, time in s) of presses that were told there first, and were meant at another station."""
        return self._wiring.moved

    @property
    def tags_swapped(self) -> int:
        """Number of pairs of cards that were found to carry each other's tag."""
        return len(self._tags.found)

    @property
    def scales_off(self) -> Sequence[str]:
        """The stations whose scale was found to be a card off, in this order."""
        return self._offsets.found

    @property
    def open_claims(self) -> list[OpenClaim]:
        """The claims that cannot be decided, oldest first."""
        return self._judge.open_claims

    @property
    def asked(self) -> OpenQuestion | None:
        """The open question to the players."""
        return self._questions.asked

    @property
    def answers(self) -> Sequence[Answered]:
        """The players' answers so far."""
        return self._questions.answers

    @property
    def searched(self) -> int:
        """Work of all searches so far, as `WorkBudget` counts it."""
        return self._beam.budget.done

    @property
    def thinks(self) -> bool:
        """Whether a search goes on in the next batch, before anything is concluded from what is new."""
        return self._thinks_since is not None

    @property
    def hypotheses(self) -> ScoredHypotheses[S, A]:
        """The hypotheses of the beam, each with its total cost in nats, the best first."""
        return self._beam.scored

    def feed(self, t: float, observations: Sequence[Observation], *, hold: bool = False) -> Change[S, A]:
        """Take a batch of observations in and publish what explains it; with `hold`, only remember it."""
        beam = self._beam
        crossed = len(self.crossed)
        self.floods.hear(observations)
        observations = self._offsets.read(self._wiring.read(t, observations))
        known = len(self._tags.found)
        observations = self._tags.read(observations)
        if len(self._tags.found) > known and self._deal is not None:
            self._deal.begin(*self._tags.found[-1])
        elif len(self._tags.found) > known:
            # Nobody knows what these cards were taken for: all is doubted.
            self._doubts.misbelieved += PUBLISHING.swapped_tag_penalty
        if self._deal is not None and not self._deal.add(t, observations):
            self._deal = None
        self._smoother.add(t, observations)
        first, looked, away = beam.sensed.next, beam.looked, "board" in beam.sensed.silent
        beam.take(t, observations)
        if away and "board" not in beam.sensed.silent:
            self._doubts.unweighed(beam.sensed.away["board"], beam.sensed.back["board"])
        for pair in self.crossed[crossed:]:
            if pair.what == "electrodes":
                beam.sensed.rewired(t, pair.one, pair.other)
                beam.pending = True
                self._smoother = Smoother()
        heard = (one for one in beam.sensed.detections if one.id >= first)
        self._doubts.hear(sorted([*heard, *beam.emptied]))
        self._doubts.unexplained(beam.lost)
        self._doubts.misplaced(beam.misplaced)
        self._doubts.confirmed(beam.confirmed)
        beam.lost.clear()
        beam.misplaced.clear()
        beam.confirmed.clear()
        beam.emptied.clear()
        if beam.turned:
            self.contradictions += [contradiction(self.game, self.steps, one) for one in beam.turned]
            beam.turned.clear()
            self._smoother = Smoother()
        if hold or self._reads_again():
            return Change()
        beam = self._beam
        adopted = beam.published.state if beam.published.state != self.state else None
        self._publisher.state = beam.published.state
        change = Change() if self._thinks(t) else self._conclude(t, idle=beam.looked == looked)
        self._beam.budget.refill()
        return replace(change, adopted=adopted) if adopted is not None else change

    def _thinks(self, t: float) -> bool:
        """Explain what is new at `t` (s); whether that is to go on before anything is concluded from it."""
        self._beam.think(t)
        if not self._beam.unfinished:
            self._thinks_since = None
        elif self._thinks_since is None:
            self._thinks_since = t
        return self._thinks_since is not None and t - self._thinks_since < PUBLISHING.thinks_s

    def _conclude(self, t: float, *, idle: bool) -> Change[S, A]:
        """Judge, correct and publish at `t` (s). `idle`: nothing was searched in this batch so far."""
        beam, looked = self._beam, self._beam.looked
        asked = self.asked is not None
        wiring = self._wiring
        if self._judge.decide(
            t, beam, self.state, self.doubted, asked=asked, unsure=wiring.doubtful, moved=wiring.moved
        ):
            beam.pending = True
            if self._thinks(t):
                return Change()
        if self._undone and beam.best.state == self.state and beam.total_cost(beam.best) == beam.best.cost:
            self._undone.clear()  # the table agrees again: what follows is new
        expected = self.game.expected_view(self.state).counts
        right = self.left_on_reader is not None  # the scales lack what lies there
        if not right and self._offsets.find(t, expected, beam.sensed, self.dealt_out):
            beam.pending = True
            self._smoother = Smoother()
            if self._offsets.unsure:
                self._doubts.astray(t)
        self._beam = beam = self._smoother.smooth(t, beam, idle=idle and beam.looked == looked)
        beam.turned.clear()
        beam.misplaced.clear()
        beam.confirmed.clear()
        beam.emptied.clear()
        change = self._publish(t) if self._undone_settled(t) else Change()
        self._ask(t)
        return change

    def _undone_settled(self, t: float) -> bool:
        """True if steps may be published at `t` (s): after an undo only once the undone step was weighed again.

        A key may be pressed by mistake. Without the undone step, the next one is explained by what nobody did.
        So histories with and without it are compared once something is new. The undone step alone is not
        published again: players have just denied it.
        """
        start = self._undone_from
        if start is None:
            return True
        if self._denied and not self._beam.mismatch(self.state):
            # It was put back on the table: what comes now is new.
            self.sensed.taken_out(lambda one: one.id in self._denied)
            self._undone.clear()
            self._undone_from = None
            self._start_from(start)
            return True
        last, weighed_at = self._weighed
        if self.sensed.next == last and t - weighed_at < PUBLISHING.weigh_again_s:
            return False
        self._weighed = (self.sensed.next, t)
        undone, self._undone = self._undone, set()
        beam = Beam(
            self.game, self.sensed, start, self._allows, budget=self._beam.budget, recorded=self.recorded
        )
        beam.settled = self._publisher.settled
        # Its cards may have gone on meanwhile: nothing that lies there proposes the undone step any more.
        beam.scored += [(beam.total_cost(one), one) for one in self._undone_to]
        beam.expand(t)

        def cost(hypothesis: Hypothesis[S, A]) -> float:
            return PUBLISHING.undone_nats * any(
                (step.before, step.action) in undone for step in hypothesis.steps()
            )

        beam.charge(cost)
        self._undone = undone
        step = beam.best.step
        if beam.best.depth <= start.depth or (step is not None and (step.before, step.action) in undone):
            return False
        self._undone_from = None
        self._beam, self._smoother = beam, Smoother()
        return True

    def watch(self, observations: Sequence[Observation]) -> None:
        """Take in what lies on the table and explain nothing: the game is over."""
        sensed, first = self.sensed, self.sensed.next
        sensed.feed(self._offsets.read(observations))
        sensed.taken_out(lambda one: one.id >= first)

    def dealt_out(self) -> bool:
        """Whether no more hidden cards are laid on the scales."""
        state = self.state
        signs = (self.game.signs(state, action) for action in self.game.legal_actions(state))
        verbs = ({verb for verb, _, _ in one} for one in signs)
        return not any(Verb.PUT in one and Verb.LIFT not in one for one in verbs)

    def _reads_again(self) -> bool:
        """Whether the deal is read again because of swapped tags, and that goes on in the next batch."""
        if self._deal is None or not self._deal.reading:
            return False
        beam = self._deal.go_on()
        if beam is not None:
            beam.published, beam.pending = self._beam.published, True
            self._beam, self._smoother = beam, Smoother()
        self._beam.budget.refill()
        return beam is None

    def _publish(self, t: float) -> Change[S, A]:
        unexplained = self._beam.unexplained(t)
        if unexplained < PUBLISHING.lost_nats or self._beam.astray(t) < PUBLISHING.lost_nats:
            self._lost_since = None
        elif self._lost_since is None:
            self._lost_since = t
        change = self._publisher.publish(t, self._beam, unexplained)
        claims = [self.game.claim_of(step.action) for step in change.steps]
        self._judge.close({claim[0] for claim in claims if claim is not None})
        return change

    def settle(self) -> None:
        """Never revoke a step that is published now."""
        self._publisher.settle()
        self._beam.settled = self._publisher.settled

    def _ask(self, t: float) -> None:
        if self.asked is not None and self.floods.includes(self.asked.t):
            self._questions.withdraw()
        press = self._judge.divided(t, self._beam, self.state)
        claimed = press.sign.place if press is not None and t - press.t < QUESTIONS.ask_until_s else None
        lapsed = self._judge.due.lapsed(t, self.sensed, self.steps)
        for subject in self._judge.due.proved_unseen(t, self.open_claims, self.sensed, self.state):
            self._prove(t, subject)
        doubtful = self._judge.doubtful(self.sensed, self.state)
        self._unseen = self._judge.due.unseen(t, self.open_claims, self._beam, self.state, doubtful)
        self._failed = self._failed if self._failed == self._unseen else None
        unseen = None if self._unseen is None else self._fact_of(self._unseen)
        weighs = bool(self.sensed.counts) or not self.game.expected_view(self.state).counts
        idle = bool(self.doubted) or not weighs
        self._questions.consider(t, self._beam, claimed=claimed, lapsed=lapsed, unseen=unseen, idle=idle)
        self.claim_waits = press is not None and self.asked is not None

    def _allows(self, sensed: SensedTable, hypothesis: Hypothesis[S, A], action: A) -> bool:
        undone = self._undone and (hypothesis.state, action) in self._undone
        return (
            not undone
            and self._judge.admits(sensed, hypothesis, action)
            and not self._questions.denied(sensed, hypothesis.state, action)
        )

    def begin(self, state: S) -> None:
        """Start from a known state, whatever was published before; facts stay."""
        self._publisher.begin(state)
        self._undone_from = None
        self.settled_from = self._before_blind = None
        self._restart(Hypothesis(state))

    def _restart(self, published: Hypothesis[S, A]) -> None:
        """Continue from the published state alone, which `published` led to; earlier detections are dropped."""
        self.sensed.detections.clear()
        self._start_from(
            structs.replace(
                published, state=self.state, cost=0.0, uncaused_cost=0.0, used=frozenset(), at=float("-inf")
            )
        )

    def _start_from(self, published: Hypothesis[S, A]) -> None:
        """Continue from one hypothesis alone."""
        self._deal = None
        self._lost_since = None
        self._beam = Beam(self.game, self.sensed, published, self._allows, recorded=self.recorded)
        self._beam.settled = self._publisher.settled
        self._smoother = Smoother()

    def undo(self) -> Step[S, A] | None:
        """Revoke the last action, and do not publish it again from the same detections."""
        step = self._publisher.undo()
        if step is None:
            return None
        self._undone.add((step.before, step.action))
        if self.game.claim_of(step.action) is not None:
            denied = {one.id for one in step.used}
            self.sensed.taken_out(lambda one: one.id in denied)
        published = self._beam.published
        claimed = self.game.claim_of(step.action) is not None
        if self._undone_from is None or claimed:
            self._undone_to = []
        if published.step is not None and not claimed:
            self._undone_to.append(published)
        self._undone_from = structs.replace(published.parent or Hypothesis(step.before), state=self.state)
        self._start_from(self._undone_from)
        in_sight = not any(one.sign.verb in (*SCALE_SIGNS, *CHECK_SIGNS) for one in step.used)
        shown = in_sight and self._beam.mismatch(self.state)
        self._denied = self._denied | {one.id for one in step.used} if shown else set()
        return step

    def laid_back(self) -> None:
        """Cards lie again as before the step that was taken back: no sign from before counts any more."""
        self._undone.clear()
        self._undone_from = None
        self._denied = set()
        self.sensed.laid_back()
        self._restart(self._beam.published)

    def answer(self, t: float, fact: AskableFact, yes: bool) -> None:
        """Players say at `t` (s) whether it was done."""
        beam = self._beam
        unseen = self._unseen
        asked = None if unseen is None else self._fact_of(unseen)
        known = self._questions.answer(t, beam, fact, yes, followed=self.recorded.followed)
        if known is None:
            return
        if unseen is not None and known == asked:
            self._told(t, unseen, yes)
        else:
            cost_of = partial(self._questions.cost, known, yes)
            beam.learn(t, cost_of)
            self._smoother = Smoother()
            # Whoever waits for a verdict is asked the next question first.
            beam.expand(t)
            self._ask(t)

    def _fact_of(self, unseen: Unseen) -> AskableFact | None:
        """What players are asked of cards that were not seen: whether they proved the claim, and if not,
        whether it was meant."""
        if self._failed is not None:
            return self._meant(unseen)
        return self.game.stacks.proved_fact(self.state, unseen.subject) if self.game.stacks else None

    def _meant(self, unseen: Unseen) -> AskableFact | None:
        """That a claim was meant; None if that is no question: its cards were turned up, or all are at the end,
        and who claims where nothing lies has nothing to turn up."""
        place = self.game.claim_station(self.state, unseen.subject)
        if unseen.at_end or unseen.misread or not self.game.hidden_layout(self.state).get(place):
            return None
        return self.game.stacks.claimed_fact(self.state, unseen.subject) if self.game.stacks else None

    def _told(self, t: float, unseen: Unseen, yes: bool) -> None:
        """Players say at `t` (s) whether unseen cards proved their claim, or whether it was meant."""
        if self._failed is None and yes:
            self._prove(t, unseen.subject)
        elif self._failed is None and self._meant(unseen) is not None:
            self._failed = unseen
            return
        elif self._failed is None or yes:
            self._show(t, unseen.subject, ())
        else:
            self._judge.close({unseen.subject})
        self._failed = None

    def _prove(self, t: float, subject: int) -> None:
        """Go on as if the camera had seen, turned up at a subject (from 0), the cards that prove its claim."""
        if self.game.stacks is not None:
            self._show(t, subject, self.game.stacks.proof(self.state, subject))

    def _show(self, t: float, subject: int, kinds: tuple[str, ...]) -> None:
        """Go on as if the camera had seen these cards, and no other, turned up at a subject (from 0)."""
        self.sensed.told(t, self.game.claim_station(self.state, subject), kinds)
        self._beam.pending = True

    def adopt(self, t: float, told: ToldTable = NOTHING_TOLD) -> Change[S, A]:
        """The table is right at `t` (s), and as people have `told`: explain it, even by an action that was
        undone, or else take it over. ValueError says what of it is impossible; then nothing has changed."""
        before = self._beam.copy(), self._undone, self._undone_from
        try:
            return self._take_over(t, told)
        except ValueError:
            self._beam, self._undone, self._undone_from = before
            raise

    def _take_over(self, t: float, told: ToldTable) -> Change[S, A]:
        self._undone, self._undone_from = set(), None
        self._beam.expand(t)
        best = self._beam.best
        explained = not self.sensed.survey(t, best.used).moved and not self._beam.mismatch(best.state)
        explained &= not (told.refuted or told.playing)
        if explained and (told.player is None or self._begins(best.state, told.player)):
            self._beam.leading = (best.step, t - CLAIM.lasting_s)
            if (change := self._publish(t)).steps:
                return change
        change = self._settled(t, self.proposal(t, told))
        self._blind = told.player is None and self.sensed.outages.blind_since(t) is not None
        self.sensed.outages.settled()
        return change

    def proposal(self, t: float, told: ToldTable = NOTHING_TOLD) -> TakenOver[S]:
        """The state that `adopt` would take over; ValueError says what of it is impossible."""
        found = self.sensed.survey(t, self._beam.published.used)
        found = replace(found, trusted=self._trusted(t), refuted=told.refuted, playing=told.playing)
        taken = self.game.adopt(self.state, found)
        if told.player is None:
            return taken
        missed = self._blind or self.sensed.outages.blind_since(t) is not None
        begun = self.game.at_turn(taken.state, told.player, missed=missed)
        # Before the first turn only so much can be taken over as is being laid out.
        again = self.game.adopt(begun, found)
        lost = tuple(sorted({*taken.lost, *again.lost}))
        return replace(again, lost=lost, open=tuple(dict.fromkeys((*taken.open, *again.open))))

    def _begins(self, state: S, player: int) -> bool:
        """Whether a state is the beginning of a turn of `player` (from 0)."""
        try:
            return self.game.at_turn(state, player, missed=False) == state
        except ValueError:
            return False

    def _trusted(self, t: float) -> S | None:
        """The state published before whole turns may have passed unseen by `t` (s); None if none did."""
        since = self.sensed.outages.blind_since(t)
        if since is None:
            return None
        if self._before_blind is not None:
            return self._before_blind
        return next((step.before for step in self.steps if step.t >= since), self.state)

    def begin_turn(self, t: float, player: int) -> Change[S, A]:
        """A person says at `t` (s) that a turn of `player` (from 0) begins; ValueError says why it cannot."""
        blind = self._blind or self.sensed.outages.blind_since(t) is not None
        change = self._settled(t, TakenOver(self.game.at_turn(self.state, player, missed=blind)))
        self._blind = False
        return change

    def end(self, t: float) -> Change[S, A]:
        """A person says that the game is over as it lies there; ValueError says why it is not."""
        found = self.sensed.survey(t, self._beam.published.used)
        return self._settled(t, self.game.ended(self.state, found))

    def take_back(self) -> Change[S, A] | None:
        """Undo what a person settled last, if nothing was published since."""
        if self.steps or self.settled_from is None:
            return None
        before = self.settled_from
        moved = self._moved()
        self.begin(before.state)
        self._before_blind = before.trusted
        self.sensed.detections[:] = sorted({*before.moved, *moved})
        self.sensed.outages.unsettle(before.outages)
        self._blind = before.blind
        return Change(adopted=before.state)

    def _moved(self) -> tuple[Detection, ...]:
        """The scale detections that no published step explains: something may have been moved there."""
        used = self._beam.published.used
        return tuple(
            one for one in self.sensed.detections if one.sign.verb in SCALE_SIGNS and one.id not in used
        )

    def _settled(self, t: float, taken: TakenOver[S]) -> Change[S, A]:
        before = Unsettled(self.state, self.sensed.outages.copy(), self._moved(), self._blind, self._trusted(t))
        self._judge.open_claims.clear()
        self.begin(taken.state)
        self.settled_from = before
        return Change(adopted=taken.state, lost=taken.lost, open=taken.open)

    def lost(self, t: float) -> bool:
        """Whether at `t` (s) nothing has explained what is sensed for `PUBLISHING.lost_after_s`."""
        return self._lost_since is not None and t - self._lost_since >= PUBLISHING.lost_after_s

    @property
    def left_on_reader(self) -> Difference | None:
        """Where a card was forgotten that a reader still sees: the scales lack at most as many as lie there.
        None if all is where it belongs, or elsewhere."""
        counts = self.sensed.told_counts
        expected = self.game.expected_view(self.state).counts
        lacking = sum(n - counts.get(station, n) for station, n in expected.items())
        found = (station for station, n in sorted(self.sensed.on_readers.items()) if 0 < lacking <= n)
        return next((Difference(station, (UNKNOWN_KIND,), ()) for station in found), None)

    def differences(self) -> tuple[Difference, ...]:
        """Where the table differs from the published state, open cards first; empty when all agrees."""
        expected = self.game.expected_view(self.state)
        found = []
        for zone, kinds in expected.zones.items():
            seen = self.sensed.lying.get(zone)
            unread = expected.face_down.get(zone, 0) if self.sensed.lies(zone) else 0
            due = (*kinds, *(UNKNOWN_KIND,) * unread)
            if seen is not None and (one_more := _difference(zone, due, seen)) is not None:
                found.append(one_more)
        for zone, admitted in expected.tops.items():
            seen = self.sensed.zones.get(zone)
            # A card that lies hidden is not missing from a pile.
            if seen and UNKNOWN_KIND not in admitted and not top_fits(seen, admitted):
                found.append(Difference(zone, seen, tuple(sorted(admitted))[:1]))
        one = (UNKNOWN_KIND,)
        for zone, n in expected.face_down.items():
            lying = n if self.sensed.lies(zone) else self.sensed.unread.get(zone, n)
            if lying != n:
                found.append(Difference(zone, one, ()) if lying > n else Difference(zone, (), one))
        left = self.left_on_reader
        found += [left] if left is not None else []
        for station, n in expected.counts.items():
            on_it = self.sensed.counts.get(station)
            if on_it is not None and on_it != n and not (on_it < n and left is not None):
                found.append(Difference(station, one, ()) if on_it > n else Difference(station, (), one))
        return tuple(found)


def _difference(zone: str, due: Iterable[str], seen: Iterable[str]) -> Difference | None:
    """What lies in a zone otherwise than it should; a card that cannot be read may be any of those missing."""
    more, less = Counter(seen) - Counter(due), Counter(due) - Counter(seen)
    for unread, others in ((more, less), (less, more)):
        for kind in sorted(others.elements())[: unread[UNKNOWN_KIND]]:
            unread[UNKNOWN_KIND] -= 1
            others[kind] -= 1
    extra, missing = tuple(sorted(more.elements())), tuple(sorted(less.elements()))
    return Difference(zone, extra, missing) if extra or missing else None
