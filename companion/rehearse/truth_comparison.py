"""Comparison of rehearsed games with the truth: final state, verdicts on claims, delays."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from companion.fusion.claims.judge import Posterior
from companion.games.claims import Verdict
from companion.games.rules import Outcome
from companion.games.table_game import TableGame
from companion.sensing.observation import Count, Observation, Sighting
from companion.session.stream.events import Claimed
from companion.virtual.ground_truth import ClaimTruth, TruthEntry
from companion.virtual.rehearsal_api import RehearsedGame

STATED = ((0.9999, "0.9999 and more"), (0.999, "0.999"), (0.995, "0.995"), (0.0, "less"))
"""Classes of verdicts by their stated probability: pairs (least probability, name).

Probabilities are 0 to 1. The first class whose least probability is reached applies.
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of a rehearsed game, compared with the truth.

    `faults`: all errors of the final state, in words. `claims`: claims that players meant. `wrong_verdicts`:
    claims with a wrong verdict, plus verdicts without a claim. `cannot_tell`: claims whose first verdict was
    "cannot tell". `unjudged`: claims without any verdict. `score`, `out_of`: true score of the game and its
    highest score, both 0 without an outcome.
    """

    faults: tuple[str, ...]
    claims: int
    given: int
    """Number of claims that got a verdict "proved" or "refuted", plus verdicts without a claim."""
    wrong_verdicts: int
    cannot_tell: int
    unjudged: int
    troubles: tuple[str, ...]
    """A sentence about each claim without a right verdict, and about each verdict without a claim."""
    event_ms: tuple[float, ...]
    """Time (ms) from an action's last card at rest until the companion believed the action. Negative if it was
    believed before."""
    verdict_ms: tuple[float, ...]
    """Time (ms) from each claim's button to its first verdict."""
    own_ms: tuple[float, ...]
    """Time (ms) from each claim's button to its first verdict, without waits for people.

    Time in which the companion waited for a person's answer is subtracted.
    """
    score: int
    out_of: int

    @property
    def matches(self) -> bool:
        """True if the state that the companion tracked equals the truth at the end."""
        return not self.faults


def _shared(spans: Iterable[tuple[float, float]], of: tuple[float, float]) -> float:
    """Time (s) of span `of` that lies in `spans`.

    A span is (begin, end) in s. No two of `spans` overlap.
    """
    return sum(max(0.0, min(of[1], end) - max(of[0], begin)) for begin, end in spans)


def compare(
    faults: tuple[str, ...],
    outcome: Outcome | None,
    event_ms: Sequence[float],
    claims: Sequence[ClaimTruth],
    verdicts: Sequence[tuple[float, Claimed]],
    asked: Sequence[tuple[float, float]] = (),
) -> Comparison:
    """Compare the companion's verdicts with the players' claims, and gather the faults of a game.

    A verdict counts for the last claim on its subject. A claim that nobody meant needs no verdict, but a
    verdict on it must be right. `claims`, and `verdicts` as (time in s, verdict), are in time order. `faults`:
    errors of the final state, in words. `outcome`: the true outcome; None if the game has none. `event_ms`:
    delay (ms) of each noticed action. `asked`: begin and end (s) of each question to people.
    """
    wrong = cannot_tell = given = unjudged = 0
    waits, own_waits = [], []
    open_verdicts = list(verdicts)
    troubles: list[str] = []
    for at, claim in enumerate(claims):
        where = f"claim {claim.subject} at {claim.t:.0f} s"
        answers = _answers(claim, claims[at + 1 :], open_verdicts)
        if not answers:
            unjudged += claim.meant
            troubles += [f"{where}: unheard"] if claim.meant else []
            continue
        open_verdicts = [entry for entry in open_verdicts if entry not in answers]
        decided, false = _decided(claim, answers)
        given += bool(decided)
        wrong += bool(false)
        if claim.meant:
            answered, first = answers[0]
            waits.append(1000 * (answered - claim.t))
            own_waits.append(1000 * (answered - claim.t - _shared(asked, (claim.t, answered))))
            if first.verdict == Verdict.CANNOT_TELL.value:
                cannot_tell += 1
                troubles.append(f"{where}: left open")
        troubles += [f"{where}: wrongly {verdict}" for verdict in sorted(false)]
    # A verdict without a claim is as wrong as a false one.
    wrong += len(open_verdicts)
    given += len(open_verdicts)
    troubles += [
        f"claim {said.subject} at {t:.0f} s: {said.verdict}, and nobody claimed it" for t, said in open_verdicts
    ]
    score, out_of = (outcome.score or 0, outcome.out_of) if outcome else (0, 0)
    return Comparison(
        faults,
        sum(claim.meant for claim in claims),
        given,
        wrong,
        cannot_tell,
        unjudged,
        tuple(troubles),
        tuple(event_ms),
        tuple(waits),
        tuple(own_waits),
        score,
        out_of,
    )


def _answers(
    claim: ClaimTruth, later: Sequence[ClaimTruth], verdicts: Sequence[tuple[float, Claimed]]
) -> list[tuple[float, Claimed]]:
    """Those of `verdicts` that answer a claim.

    They are on its subject, and come before one of the `later` claims is on it, too.
    """
    again = next((one.t for one in later if one.subject == claim.subject), inf)
    return [(t, said) for t, said in verdicts if said.subject == claim.subject and claim.t <= t < again]


def _decided(claim: ClaimTruth, answers: Sequence[tuple[float, Claimed]]) -> tuple[set[str], set[str]]:
    """Verdicts on one claim that decide it, and those among them that are false."""
    decided = {said.verdict for _, said in answers} - {Verdict.CANNOT_TELL.value}
    return decided, decided - {Verdict.PROVED.value if claim.true else Verdict.REFUTED.value}


def judged(
    posteriors: Sequence[Posterior], claims: Sequence[ClaimTruth], verdicts: Sequence[tuple[float, Claimed]]
) -> tuple[tuple[float, bool], ...]:
    """Pair the probability (0 to 1) of each verdict with whether it was right.

    All arguments are in time order. `posteriors`: the probabilities that the companion computed. `claims`:
    each claim, and whether it was true. `verdicts`: (time in s, verdict). Each posterior is matched with the
    next equal verdict on its subject, before a later posterior on this subject. A posterior without a verdict
    is left out. A verdict counts for the last claim on its subject. Without a claim it is wrong.
    """
    found = []
    for at, one in enumerate(posteriors):
        subject = one.subject + 1
        again = next((later.t for later in posteriors[at + 1 :] if later.subject == one.subject), inf)
        like = (t for t, v in verdicts if (v.subject, v.verdict) == (subject, one.verdict.value))
        given = next((t for t in like if one.t <= t < again), None)
        if given is None:
            continue
        claim = next((c for c in reversed(claims) if c.subject == subject and c.t <= given), None)
        found.append((1 - one.error, claim is not None and claim.true == (one.verdict is Verdict.PROVED)))
    return tuple(found)


def calibration(reports: Iterable[tuple[tuple[float, bool], ...]]) -> dict[str, list[int]]:
    """Count verdicts, and right ones, by the probability that was stated for them.

    Returns for JSON: name of a class of STATED -> [verdicts, right verdicts]. `reports`: for each game, the
    result of `judged`. A class without a verdict is left out.
    """
    found: dict[str, list[int]] = {}
    for stated, right in sorted(one for report in reports for one in report):
        name = next(name for least, name in STATED if stated >= least)
        row = found.setdefault(name, [0, 0])
        row[0] += 1
        row[1] += right
    return found


class Sights:
    """Actions of a game that bring cards into sight, and when they are noticed.

    Only actions are considered that bring cards to rest where a camera could see them. `rules`, `game`: the
    game, and its virtual people. `entries`: all true actions, in time order.
    """

    def __init__(self, rules: TableGame[Any, Any], game: RehearsedGame, entries: Sequence[TruthEntry]) -> None:
        self._game = game
        self._done = [
            (like, entry)
            for entry in entries
            if (like := game.in_sight(rules.read_action(entry.action))) is not None
        ]

    def event_waits(self, told: Sequence[tuple[Any, float]]) -> list[float]:
        """List the times (ms) from an action's end until the companion believed it.

        A time is negative if the companion believed the action before its end. `told`: pairs (published
        action, time in s). Equal actions are matched by their order, as a late action may be published with
        another place. Actions published more or less often than done are left out.
        """
        happened: dict[Any, list[float]] = {}
        believed: dict[Any, list[float]] = {}
        for like, entry in self._done:
            happened.setdefault(like, []).append(entry.t)
        for action, t in told:
            believed.setdefault(self._game.in_sight(action), []).append(t)
        return [
            1000 * (seen - done)
            for like, times in happened.items()
            if len(times) == len(believed.get(like, ()))
            for done, seen in zip(times, believed[like], strict=True)
        ]

    def made_up(self, told: Sequence[tuple[Any, float]]) -> int:
        """Count the published actions that never happened.

        Only actions that bring cards into sight are counted. `told`: pairs (published action, time in s). An
        action that was published twice and happened once counts as one.
        """
        happened = Counter(like for like, _ in self._done)
        believed = Counter(like for action, _ in told if (like := self._game.in_sight(action)) is not None)
        return (believed - happened).total()

    def shown_waits(self, signs: Sequence[Observation], heard: Sequence[Observation]) -> list[float]:
        """List the times (ms) from each action's end until the sensors had reported it.

        A companion that never guesses needs this long. `signs`: reports of perfect sensors. `heard`: reports
        of the rehearsed sensors. Both are in time order. An action is reported once every card that was laid
        or taken is, and every scale has reported its count. A change that was never reported counts as
        reported at once.
        """
        tell, told = _by_place(signs), _by_place(heard)
        waits = []
        for _, entry in self._done:
            shown = entry.t
            for place, history in tell.items():
                before = bisect_left(history, entry.t0, key=_time)
                after = bisect_right(history, entry.t, key=_time)
                if before == after:
                    continue
                old, (since, new) = history[before - 1][1] if before else set(), history[after - 1]
                for token in old ^ new:
                    at = max(0, bisect_right(told.get(place, []), since, key=_time) - 1)
                    later = told.get(place, [])[at:]
                    shown = max(
                        shown, next((t for t, there in later if (token in there) == (token in new)), 0.0)
                    )
            waits.append(1000 * (shown - entry.t))
        return waits


def _by_place(told: Sequence[Observation]) -> dict[str, list[tuple[float, set[str]]]]:
    """History of each zone and scale: place -> list of (time in s, content from then on).

    A place is named "zone NAME" or "scale NAME". Content: codes of the cards in the zone, or the count of the
    scale as text.
    """
    places: dict[str, list[tuple[float, set[str]]]] = {}
    for seen in told:
        if isinstance(seen, Sighting):
            places.setdefault(f"zone {seen.zone}", []).append((seen.t, {card.card for card in seen.cards}))
        elif isinstance(seen, Count):
            places.setdefault(f"scale {seen.station}", []).append((seen.t, {str(seen.n)}))
    return places


def _time(one: tuple[float, set[str]]) -> float:
    return one[0]
