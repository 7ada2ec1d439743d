"""The judge: whether the hypotheses prove a claim, refute it, or leave it open."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import partial
from itertools import takewhile
from math import exp, inf
from typing import Generic, NamedTuple, TypeVar

from companion.fusion.association import tardy
from companion.fusion.beam import CLAIMS, Beam
from companion.fusion.claims.button_floods import ButtonFloods
from companion.fusion.claims.doubts import Doubts
from companion.fusion.claims.due_cards import DueCards, OpenClaim
from companion.fusion.clutter import cancelled, clutter_cost
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import DETECTIONS, HANDS, OUTAGES, SCALES
from companion.fusion.parameters.sign_models import SCALE_SIGNS, SIGN_MODELS
from companion.games.claims import Verdict
from companion.games.signs import Sign, Verb
from companion.games.table_game import TableGame, revealed

S = TypeVar("S")
A = TypeVar("A")

MOVES = (*SCALE_SIGNS, Verb.TAG)
"""Signs of a hidden card that was moved."""
VERDICT_ERROR = exp(-CLAIM.verdict_log_odds)
"""The probability up to which a verdict that is given may be wrong."""
CARRIED_S = SIGN_MODELS[Verb.LIFT].young_s
"""A hidden card taken up within this time (s) before a claim may still be in a hand: later its scale counts as
wrong."""


class Posterior(NamedTuple):
    """What a claim is answered by: its time (s), what it is about (from 0), the verdict, and the probability
    (0..1) that the likeliest one is wrong: by rivals among the hypotheses, and by what the model does not
    know."""

    t: float
    subject: int
    verdict: Verdict
    rivals: float
    unknown: float
    uncounted: bool = False
    """Whether the claim is left open only because a scale may be wrong there: weighing again would end that."""
    meant: bool = True
    """Whether it is claimed at all: cards that were turned up elsewhere say that another button was pressed."""

    @property
    def error(self) -> float:
        """Probability (0..1) that the verdict is wrong."""
        return 1 - (1 - self.rivals) * (1 - self.unknown)


class Judge(Generic[S, A]):
    """Decides each claim once, and says which claims a hypothesis may contain."""

    def __init__(
        self,
        game: TableGame[S, A],
        doubts: Doubts[S, A],
        straight: Callable[[str], bool] = lambda _: False,
        floods: ButtonFloods | None = None,
    ) -> None:
        """`straight`: whether the button of a place is known to be connected to it."""
        self.open_claims: list[OpenClaim] = []
        self.due: DueCards[S, A] = DueCards(game, CLAIM.verdict_log_odds)
        """Which claims wait for cards that are due."""
        self.posteriors: list[Posterior] = []
        """What the verdicts were based on that proved or refuted a claim, oldest first."""
        self._game = game
        self._doubts = doubts
        self._straight = straight
        self._floods = floods or ButtonFloods()
        self._verdicts: dict[int, Verdict] = {}
        """Number of a claim's detection -> its verdict."""
        self._covered_at: dict[int, float] = {}
        """Number of the detection of turned up cards -> when they were covered again (s)."""
        self._turned_down: set[int] = set()
        """Those of them after which the tile of a proved claim was not laid down."""
        self._given_up: set[int] = set()
        """Those after which it was not for `CLAIM.fan_timeout_s`."""
        self._lain: set[int] = set()
        """Those that lay open for `CLAIM.fan_timeout_s`, and no tile of a proved claim was laid on them."""

    def decide(
        self,
        t: float,
        beam: Beam[S, A],
        published: S,
        doubted: Collection[str],
        *,
        asked: bool = False,
        unsure: Collection[float] = (),
        moved: Collection[tuple[str, float]] = (),
    ) -> bool:
        """Decide the claims of which the sensors have reported everything; whether any was decided.

        `doubted`: sensors found to miss what happens; while there are any, every claim stays open. `asked`:
        wait for the players' answer to a question. `unsure`: times (s) of presses that may be another
        station's. `moved`: place and time (s) of presses that were meant at another one, and are told there.
        """
        self.open_claims = [one for one in self.open_claims if t - one.t < DETECTIONS.life_s]
        decided = self._watch_turned_up(t, beam.sensed, published)
        self.due.note(beam.sensed.detections, published)
        self._forget_floods(t, beam.sensed)
        for press in beam.sensed.detections:
            if press.sign.verb != Verb.PRESS or press.id in self._verdicts or t - press.t < CLAIM.judge_after_s:
                continue
            if (press.sign.place, press.t) in moved:
                self._verdicts[press.id], decided = Verdict.CANNOT_TELL, True
                continue
            subject = self._game.subject_at(published, press.sign.place)
            if subject is None or self._unmeant(t, press, subject, beam):
                continue
            found = self._answer(t, press, subject, beam, asked=asked)
            if found is None:
                continue
            if doubted or press.t in unsure or not self._sighted(beam.sensed, published):
                found = found._replace(verdict=Verdict.CANNOT_TELL, uncounted=False)
            self._verdicts[press.id] = found.verdict
            decided = True
            if not found.meant:
                continue
            if found.verdict is Verdict.CANNOT_TELL:
                self.open_claims.append(OpenClaim(press.t, subject, found.uncounted))
            else:
                self.posteriors.append(found)
        return decided

    def _answer(
        self, t: float, press: Detection, subject: int, beam: Beam[S, A], *, asked: bool
    ) -> Posterior | None:
        """The answer to a claim about a subject (from 0), by the hypotheses alone; None while it waits."""
        sensed, best, noisy = beam.sensed, beam.best, self._noisy(t, beam.best)
        moved = [one for one in sensed.detections if one.sign.verb in MOVES]
        lately = _lately(t, sensed, best)
        counted = self._counted(beam, subject)
        trouble = self._trouble(t, beam, counted=counted)
        if self._starting(t, sensed) and self._may_wait(t, press, sensed, inf):
            return None
        # A card that was tapped on the pad is in a hand until a scale tells where it lies.
        tapped = any(one.sign.verb == Verb.TAG for one in lately)
        in_hand = self._in_hand(lately, -inf if tapped else press.t - CARRIED_S, best.state)
        # Whatever was laid beneath a hand, or taken there, is weighed when the hand has left.
        beneath = sensed.covered.get(press.sign.place, -inf) == inf
        in_hand |= beneath and self._astray([one for one in moved if one.id not in best.used])
        if in_hand and not noisy and self._may_wait(t, press, sensed, SCALES.laid_down_s):
            return None
        found = self.posterior(press.t, beam, subject, press.sign.place)
        # How many cards lie there is no secret: such a verdict tells nothing by coming at once.
        unanswered = asked and not counted and self._divides(t, beam, press.sign.place, subject)
        if found is None or (unanswered and self._may_wait(t, press, sensed)):
            return None
        shown = self._turned_up(press, subject, beam) or self._bare(press, beam)
        if self._is_last(t, subject, best.state) and not shown:
            waits = self._may_wait(t, press, sensed)
            return None if waits else found._replace(verdict=Verdict.CANNOT_TELL)
        others = self._beneath_arms(press, subject, beam)
        came = (one for one in sensed.detections if one.sign.verb == Verb.CAME and one.t >= press.t)
        elsewhere = any(one.sign.place in others for one in came)
        if others and not elsewhere and self._may_wait(t, press, sensed, CLAIM.beside_s):
            return None
        if elsewhere and self._may_wait(t, press, sensed, inf):
            return found._replace(verdict=Verdict.CANNOT_TELL, meant=False)
        # Noise makes it likelier that a card of another subject lies there.
        unclear = noisy and found.verdict is not Verdict.PROVED
        unclear |= in_hand or trouble >= CLAIM.trouble or self._frozen(sensed, best)
        unclear |= sensed.outages.doubtful(t, press.sign.place) and not counted
        # Where a hand laid a card down, or took one, nobody knows which, if no move explains it.
        unclear |= self._astray([one for one in lately if one.sign.place == press.sign.place and not one.alone])
        off = counted and self._off(beam, press.sign.place)
        if not unclear and not off and found.error <= VERDICT_ERROR:
            return found
        # People turn the cards up before the verdict is out: those settle it in a moment.
        if self._doubts.emptied_at(press.sign.place) >= press.t and t - press.t < CLAIM.answered_s:
            return None
        uncounted = not unclear and (off or self._uncounted(beam, press.sign.place, subject, found))
        return found._replace(verdict=Verdict.CANNOT_TELL, uncounted=uncounted)

    def _unmeant(self, t: float, press: Detection, subject: int, beam: Beam[S, A]) -> bool:
        """Whether a press belongs to a flood, or may still, and no cards were turned up at its subject (from
        0). Faces do not count: whether a verdict comes must not reveal them."""
        flood = self._floods.may_include(press.t, press.sign.place, t)
        return flood and not self._turned_up(press, subject, beam)

    def _forget_floods(self, t: float, sensed: SensedTable) -> None:
        """Drop presses of floods after which nothing was turned up for `CLAIM.lapsed_s`, or until the next
        press."""
        last = {one.sign.place: one.id for one in sensed.detections if one.sign.verb == Verb.PRESS}
        sensed.taken_out(
            lambda one: (
                one.sign.verb == Verb.PRESS
                and (t - one.t >= CLAIM.lapsed_s or one.id != last[one.sign.place])
                and one.id not in self._verdicts
                and self._floods.includes(one.t)
            )
        )

    def _is_last(self, t: float, subject: int, state: S) -> bool:
        """Whether a verdict on a subject (from 0), after those that were given lately, ends the game: nobody is
        told that because of a press alone."""
        if subject not in map(partial(self._game.subject_at, state), self._game.hidden_layout(state)):
            return False
        judged = {one.subject for one in self.posteriors if t - one.t < CLAIM.answered_s}
        for claimed in (*sorted(judged - {subject}), subject):
            actions = self._game.legal_actions(state)
            claims = (one for one in actions if (claim := self._game.claim_of(one)) and claim[0] == claimed)
            state = next((self._game.apply(state, one) for one in claims), state)
        return self._game.outcome(state) is not None

    def _turned_up(self, press: Detection, subject: int, beam: Beam[S, A]) -> bool:
        """Whether cards of a subject (from 0), or the tile of a proved claim, were turned up about when its
        button was pressed. Where no camera looks, all were lifted from the scale."""
        sensed, place = beam.sensed, press.sign.place
        if not sensed.zones or "camera" in sensed.silent:
            return self._doubts.emptied_at(place) >= press.t
        shown = self._shown(sensed, beam.best.state, subject)
        return any(one.t >= press.t - CLAIM.early_s for one, _ in shown)

    def _bare(self, press: Detection, beam: Beam[S, A]) -> bool:
        """Whether no card lies where a button was pressed, so that none can be turned up, and all were lifted
        at another place that was claimed before: players claim, and no child presses."""
        place, sensed = press.sign.place, beam.sensed
        if self._game.hidden_layout(beam.best.state).get(place) or sensed.counts.get(place) != 0:
            return False
        pressed = (one for one in sensed.detections if one.sign.verb == Verb.PRESS and one.sign.place != place)
        return any(self._doubts.emptied_at(one.sign.place) >= one.t for one in pressed)

    def _beneath_arms(self, press: Detection, subject: int, beam: Beam[S, A]) -> frozenset[str]:
        """The places other than that of a subject (from 0) over which a hand was at a press, and which may be
        claimed: two buttons may be connected crosswise, unless one of them is known to be its own.

        Faces do not count: whether a verdict comes at once must not reveal them.
        """
        state, hands = beam.best.state, beam.sensed.hands
        if self._straight(press.sign.place):
            return frozenset()

        def may_be_meant(place: str) -> bool:
            other = self._game.subject_at(state, place)
            if other is None or other == subject or self._game.claimable(state, other) is not None:
                return False
            return not self._straight(place) and hands.near(press.t, place, HANDS.within_s)

        return frozenset(filter(may_be_meant, self._game.hidden_layout(state)))

    def _trouble(self, t: float, beam: Beam[S, A], *, counted: bool) -> float:
        """Cost (nats) of what the best hypothesis leaves unexplained of the last `CLAIM.troubled_s` (s), and of
        its moves that no sensor showed, unless the number of cards is all that counts."""
        best = beam.best
        lately = _lately(t, beam.sensed, best)
        trouble = max(0.0, clutter_cost(lately, t) - _restless(lately)) + beam.mismatch(best.state)
        return trouble + (0.0 if counted else self._strain(best, t - CLAIM.troubled_s))

    @staticmethod
    def _frozen(sensed: SensedTable, best: Hypothesis[S, A]) -> bool:
        """Whether the camera's picture may be frozen: it showed no hand at several unexplained touches."""
        touches = (one for one in sensed.detections if one.sign.verb == Verb.TOUCH and one.alone)
        return sum(one.id not in best.used for one in touches) >= CLAIM.unseen_touches

    def _off(self, beam: Beam[S, A], place: str) -> bool:
        """Whether the scale of a place, or the other ones together, carry another number of cards than the best
        hypothesis has there: what one of these lost, or gained, this place may have gained, or lost, and its
        scale may have missed."""
        expected = self._game.expected_view(beam.best.state).counts
        off = {station: beam.sensed.counts.get(station, n) - n for station, n in expected.items()}
        return off.pop(place, 0) != 0 or sum(off.values()) != 0

    def _uncounted(self, beam: Beam[S, A], place: str, subject: int, found: Posterior) -> bool:
        """Whether the number of cards is all that is doubted of a subject (from 0). Faces do not count: players
        are told."""
        miscounted = self._doubts.miscounted(place)
        others = 1 - (1 - found.unknown) / (1 - miscounted)
        return miscounted > VERDICT_ERROR >= max(others, self._other(beam, place, subject))

    def posterior(self, t: float, beam: Beam[S, A], subject: int, place: str) -> Posterior | None:
        """What the hypotheses and the doubts say of a claim at `t` (s) about a subject (from 0) at a place;
        None if no hypothesis admits it."""
        odds: dict[Verdict, float] = {}
        for total_cost, hypothesis in beam.scored:
            if self._game.claimable(hypothesis.state, subject) is None:
                verdict = self._game.judge(hypothesis.state, subject).verdict
                weight = exp(beam.scored[0][0] - total_cost) * (
                    CLAIM.claimed_true if verdict is Verdict.PROVED else 1
                )
                odds[verdict] = odds.get(verdict, 0.0) + weight
        if not odds:
            return None
        likeliest = max(odds, key=lambda verdict: odds[verdict])
        rivals = 1 - odds[likeliest] / sum(odds.values())
        if self._counted(beam, subject):
            unknown = self._doubts.miscounted(place)
        else:
            unknown = self._doubts.at(place, beam.best, beam.sensed.detections)
        return Posterior(t, subject, likeliest, rivals, unknown)

    @staticmethod
    def _starting(t: float, sensed: SensedTable) -> bool:
        """Whether the sensors have not yet reported the whole table after a restart of the program."""
        back = max(sensed.back.values())
        return t - sensed.resumed < OUTAGES.resumed_s and t - back < OUTAGES.whole_table_s

    @staticmethod
    def _noisy(t: float, best: Hypothesis[S, A]) -> bool:
        """Whether the steps of the last `CLAIM.noisy_s` before `t` (s) are too costly to say that a claim
        fails."""
        lately = [*takewhile(lambda one: one.step is not None and t - one.step.t < CLAIM.noisy_s, best.back())]
        # After an undo the cost of a hypothesis begins anew.
        costs = (max(0.0, one.cost - (one.parent.cost if one.parent else 0.0)) for one in lately)
        return len(lately) >= CLAIM.noisy_steps and sum(costs) >= CLAIM.noisy * len(lately)

    @staticmethod
    def _may_wait(t: float, press: Detection, sensed: SensedTable, most: float = CLAIM.answered_s) -> bool:
        """Whether a verdict may wait, at `most` this long (s) after the press: nobody has turned the cards
        up."""
        unshown = all(
            one.t < press.t or one.sign[:2] != (Verb.CAME, press.sign.place) for one in sensed.detections
        )
        return unshown and t - press.t < most

    def _in_hand(self, unexplained: Iterable[Detection], since: float, state: S) -> bool:
        """Whether a hidden card was taken up after `since` (s) and no scale has reported yet where it lies."""
        up: Counter[str] = Counter()
        for one in unexplained:
            verb, place, _ = one.sign
            if verb == Verb.LIFT and not one.alone and one.t >= since:
                up[verb] += not self._game.already_known(state, Sign(Verb.STAY, place))
            up[Verb.PUT] += verb == Verb.PUT
        return up[Verb.LIFT] > up[Verb.PUT]

    @staticmethod
    def _astray(unexplained: list[Detection]) -> bool:
        """Whether a card may have come or gone where nothing weighs it: a scale has told of one that went, or
        came, and no other one of its coming or going."""
        paired = cancelled(unexplained)
        return any(one.sign.verb in SCALE_SIGNS and one.id not in paired for one in unexplained)

    def divided(self, t: float, beam: Beam[S, A], published: S) -> Detection | None:
        """The press of a claim that waits because other cards may lie there than the best hypothesis has; None
        if there is none."""
        for detection in beam.sensed.detections:
            verb, place, _ = detection.sign
            if verb != Verb.PRESS or detection.id in self._verdicts or t - detection.t >= CLAIM.answered_s:
                continue
            if self._floods.may_include(detection.t, place, t):
                continue
            # The scale weighs again when the hand leaves: nobody needs to be asked.
            rests = beam.sensed.covered.get(place, -inf) == inf and t - detection.t < SCALES.laid_down_s
            subject = None if rests else self._game.subject_at(published, place)
            if subject is None or self._counted(beam, subject):
                continue  # where the count settles it no answer is needed
            if self._divides(t, beam, place, subject):
                return detection
        return None

    def _divides(self, t: float, beam: Beam[S, A], place: str, subject: int) -> bool:
        """Whether other cards may lie at a subject (from 0) than the best hypothesis has, and an answer of the
        players may let a claim be judged: not if it stays open even though they confirm the best hypothesis."""
        sensed, best = beam.sensed, beam.best
        if self._noisy(t, best) or self._frozen(sensed, best) or sensed.outages.doubtful(t, place):
            return False
        doubt = self._doubts.at(place, best, beam.sensed.detections)
        if doubt > VERDICT_ERROR or self._trouble(t, beam, counted=False) >= CLAIM.trouble:
            return False
        return 1 - (1 - doubt) * (1 - self._other(beam, place, subject)) > VERDICT_ERROR

    def _counted(self, beam: Beam[S, A], subject: int) -> bool:
        """Whether the number of cards at a subject (from 0) settles a claim, whatever they are."""
        return all(self._game.judge(state, subject).counted for state in self._near(beam, subject))

    def _other(self, beam: Beam[S, A], place: str, subject: int) -> float:
        """Probability (0..1) that a claim about a subject (from 0) is decided by other cards than the best
        hypothesis has there, at most.

        Faces are not compared: whether a verdict comes at once must not reveal them.
        """
        odds: dict[frozenset[int], float] = {}
        for total_cost, hypothesis in beam.scored:
            if self._game.claimable(hypothesis.state, subject) is None:
                cards = self._game.hidden_layout(hypothesis.state).get(place, ())
                lying = frozenset(number for number, _ in cards)
                odds[lying] = odds.get(lying, 0.0) + exp(beam.scored[0][0] - total_cost)
        if not odds:
            return 0.0
        likeliest, *others = sorted(odds.values(), reverse=True)
        return CLAIM.claimed_true * sum(others) / (likeliest + CLAIM.claimed_true * sum(others))

    def _near(self, beam: Beam[S, A], subject: int) -> list[S]:
        """The states of the near hypotheses in which a claim about a subject (from 0) is possible."""
        near = beam.scored[0][0] + CLAIM.verdict_log_odds
        states = (hypothesis.state for total_cost, hypothesis in beam.scored if total_cost <= near)
        return [state for state in states if self._game.claimable(state, subject) is None]

    def _watch_turned_up(self, t: float, sensed: SensedTable, published: S) -> bool:
        """Note cards that were turned up after a claim and covered without its tile; whether any is new."""
        news = False
        claimed = {one.subject: one.t for one in self.open_claims}
        for detection in sensed.detections:
            verb, place, _ = detection.sign
            subject = self._game.subject_at(published, place) if verb == Verb.CAME else None
            unheard = detection.t if sensed.unheard(detection.t) else inf
            early = claimed.get(subject, unheard) - CLAIM.early_s if subject is not None else inf
            if subject is None or detection.t < early or detection.id in self._given_up:
                continue
            if lying := sensed.zones.get(place):
                self._covered_at.pop(detection.id, None)
                if lying == detection.sign.kinds and t - detection.t >= CLAIM.fan_timeout_s:
                    news |= detection.id not in self._lain
                    self._lain.add(detection.id)
                continue
            covered_s = t - self._covered_at.setdefault(detection.id, t)
            for noted, after_s in (
                (self._turned_down, CLAIM.turned_down_s),
                (self._given_up, CLAIM.fan_timeout_s),
            ):
                if covered_s >= after_s and detection.id not in noted:
                    noted.add(detection.id)
                    news = True
        return news

    def close(self, subjects: Collection[int]) -> None:
        """The claims about these subjects (from 0) are settled."""
        self.open_claims = [one for one in self.open_claims if one.subject not in subjects]

    def admits(self, sensed: SensedTable, hypothesis: Hypothesis[S, A], action: A) -> bool:
        """Whether an action may follow: a claim when its verdict is out, or when its cards have been shown."""
        claim = self._game.claim_of(action)
        if claim is None:
            return True
        if claim[1]:
            return not self._shown_in_part(sensed, hypothesis.state, claim[0])
        if claim[1] is False:
            return self._called(sensed, hypothesis.state, claim[0]) and self._shown_awake(
                sensed, hypothesis.state, claim[0]
            )
        turned_up = False
        for detection in sensed.detections:
            verb, place, kinds = detection.sign
            if verb not in CLAIMS or self._game.subject_at(hypothesis.state, place) != claim[0]:
                continue
            if verb == Verb.PRESS:
                verdict = self._verdicts.get(detection.id)
                if verdict is self._game.judge(hypothesis.state, claim[0]).verdict:
                    return True
            else:
                shown = revealed(self._game, hypothesis.state, claim[0], kinds)
                verdict = self._game.judge(hypothesis.state, claim[0]).verdict
                if shown is None or shown.wrong:
                    continue
                if shown.verdict is Verdict.PROVED and self._in_part(sensed, hypothesis.state, detection):
                    continue
                # Players saw the cards and laid no tile: they found what the hypothesis has.
                awake = detection.id in self._turned_down and shown.verdict is None
                turned_up |= shown.verdict is verdict or (awake and verdict is Verdict.REFUTED)
        return turned_up

    def _called(self, sensed: SensedTable, state: S, subject: int) -> bool:
        """Whether a claim about a subject (from 0) that fails may have been made: where it is made by a key,
        cards that lie open may have slipped from a hand as well, if nobody pressed it. Cards that are turned up
        in several places, one after the other, are those of the end of a game."""
        place = self._game.claim_station(state, subject)
        pressed = {one.sign.place for one in sensed.detections if one.sign.verb == Verb.PRESS}
        if place in pressed or not sensed.counts:
            return place in pressed
        came = [
            one for one in sensed.detections if one.sign.verb == Verb.CAME and one.sign.place not in pressed
        ]
        came = [one for one in came if self._game.subject_at(state, one.sign.place) is not None]
        shown = max((one.t for one in came if one.sign.place == place), default=-inf)
        return len({one.sign.place for one in came if abs(one.t - shown) < CLAIM.in_turn_s}) < CLAIM.at_the_end

    def _shown_in_part(self, sensed: SensedTable, state: S, subject: int) -> bool:
        """Whether all that proves a claim about a subject (from 0) are turned up cards, as many as a state has
        there, but perhaps not all: its scale carried more, or nothing weighed them. A tile proves it."""
        proofs = [one for one, verdict in self._shown(sensed, state, subject) if verdict is Verdict.PROVED]
        return bool(proofs) and all(self._in_part(sensed, state, one) for one in proofs)

    def _in_part(self, sensed: SensedTable, state: S, shown: Detection) -> bool:
        """Whether turned up cards are as many as a state has there, but perhaps not all."""
        _, place, kinds = shown.sign
        if len(kinds) != len(self._game.hidden_layout(state).get(place, ())):
            return False
        return not sensed.all_shown(shown)

    def _shown_awake(self, sensed: SensedTable, state: S, subject: int) -> bool:
        """Whether what was turned up at a subject (from 0) may be a claim that failed: the cards settle it, or
        the players looked at them and laid no tile.

        Where cards are known by their art the tile may lie there unread. Nor does its lack speak against cards
        that prove the claim and that nothing weighed. Players are asked then, see `doubtful`.
        """
        shown = self._shown(sensed, state, subject)
        refuting = (one for one, verdict in shown if verdict is Verdict.REFUTED)
        if not shown or any(not self._may_be_misread(state, subject, one) for one in refuting):
            return True
        if any(
            verdict is Verdict.PROVED
            and not (sensed.weighs(one.sign.place) and self._in_part(sensed, state, one))
            for one, verdict in shown
        ):
            return False
        return any(
            one.id in self._given_up or (one.id in self._turned_down and sensed.all_shown(one))
            for one, _ in shown
            if not one.by_art
        )

    def doubtful(self, sensed: SensedTable, published: S) -> frozenset[int]:
        """The subjects (from 0) of open claims whose cards were turned up and settled nothing: they, or the
        tile, may be misread."""
        found = set()
        for claim in self.open_claims:
            for one, verdict in self._shown(sensed, published, claim.subject)[-1:]:
                _, place, kinds = one.sign
                over = sensed.zones.get(place) != kinds or one.id in self._lain
                if verdict is Verdict.PROVED:
                    unsure = not (sensed.weighs(place) or sensed.all_shown(one))
                else:
                    unsure = one.by_art and bool(kinds)
                if over and unsure and one.t >= claim.t - CLAIM.early_s:
                    found.add(claim.subject)
        return frozenset(found)

    def _may_be_misread(self, state: S, subject: int, shown: Detection) -> bool:
        """Whether turned up cards refute a claim only by one known by its art."""
        kinds = shown.sign.kinds
        if not shown.by_art:
            return False
        rest = (kinds[:n] + kinds[n + 1 :] for n in range(len(kinds)))
        found = (revealed(self._game, state, subject, others) for others in rest)
        return len(kinds) == 1 or any(one is not None and one.verdict is not Verdict.REFUTED for one in found)

    def _shown(self, sensed: SensedTable, state: S, subject: int) -> list[tuple[Detection, Verdict | None]]:
        """The turned up cards at a subject (from 0) that a state admits, and what they settle."""
        return [
            (one, found.verdict)
            for one in sensed.detections
            if one.sign.verb == Verb.CAME
            and self._game.subject_at(state, one.sign.place) == subject
            and (found := revealed(self._game, state, subject, one.sign.kinds)) is not None
        ]

    def _strain(self, hypothesis: Hypothesis[S, A], since: float) -> float:
        """Cost (nats) above `CLAIM.cheap` of the steps since `since` (s) that moved hidden cards: no claim
        rests on a move that no sensor showed."""
        lately = takewhile(lambda step: step.t >= since, (one.step for one in hypothesis.back() if one.step))
        moves = (
            step
            for step in lately
            if self._game.hidden_layout(step.before) != self._game.hidden_layout(step.after)
        )
        return sum(max(0.0, step.cost - tardy(step.used) - CLAIM.cheap) for step in moves)

    def _sighted(self, sensed: SensedTable, published: S) -> bool:
        """Whether every sensor of moved hidden cards works, or the camera if all that counts lies open."""
        expected = self._game.expected_view(published).counts
        if not expected and "camera" in sensed.silent:
            return False
        return "board" not in sensed.silent and all(one in sensed.counts for one in expected)


def _lately(t: float, sensed: SensedTable, hypothesis: Hypothesis[S, A]) -> list[Detection]:
    """The signs of moves of the last `CLAIM.troubled_s` (s) that a hypothesis leaves open."""
    moved = [one for one in sensed.detections if one.sign.verb in MOVES]
    known = [one for one in moved if one.id in hypothesis.used]
    return [
        one
        for one in moved
        if t - one.t < CLAIM.troubled_s and one.id not in hypothesis.used and not _beside(one, known)
    ]


def _beside(detection: Detection, known: Iterable[Detection]) -> bool:
    """Whether a tag was read only because its card lay on the pad with one that is explained."""
    return any(
        one.sign[:2] == detection.sign[:2] and abs(one.t - detection.t) < DETECTIONS.together_s
        for one in known
        if detection.sign.verb == Verb.TAG
    )


def _restless(detections: Iterable[Detection]) -> float:
    """Cost (nats) of restless scales among these detections. A card that went here and one that came there were
    moved."""
    there: dict[str, Counter[str]] = {}
    for one in detections:
        there.setdefault(one.sign.place, Counter())[one.sign.verb] += 1
    scales = [signs for signs in there.values() if any(verb in signs for verb in SCALE_SIGNS)]
    ways = (SCALE_SIGNS, SCALE_SIGNS[::-1])
    gone, come = (sum(signs[verb] > 0 and not signs[other] for signs in scales) for verb, other in ways)
    pairs = sum(max(1, min(signs[verb] for verb in SCALE_SIGNS)) for signs in scales)
    return COSTS.restless * (pairs - 2 * min(gone, come))
