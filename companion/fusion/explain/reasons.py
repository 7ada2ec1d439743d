"""Why something is believed of a place: the signs behind each step, how strong they are, what else is possible.

For those who run a table: what is said here names hidden cards.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import exp
from typing import Any, NamedTuple

from companion.core.language import Text, plural, sentences, term, text
from companion.core.sensor_terms import place_name, sensor_name
from companion.fusion.association import is_texture, matching
from companion.fusion.claims.contradiction import Contradiction
from companion.fusion.detections import Detection
from companion.fusion.explain.sensor_health import was_heard
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.search import SEARCH
from companion.fusion.parameters.sign_models import SIGN_MODELS, UNDETECTED, detected_as
from companion.fusion.tracker import Tracker
from companion.games.claims import Verdict
from companion.games.signs import ANY_KINDS, Sign, Verb
from companion.games.table_game import TableGame

_WOULD_BE = {
    Verdict.PROVED: text("A claim would be proved."),
    Verdict.REFUTED: text("A claim would be refuted."),
    Verdict.CANNOT_TELL: text("A claim could not be judged."),
}
_SAID = {
    Verdict.PROVED: term("claim", "proved"),
    Verdict.REFUTED: term("claim", "refuted"),
    Verdict.CANNOT_TELL: term("claim", "cannot tell"),
}
Lies = tuple[tuple[int, str], ...]
"""Cards at a place, bottom first: which one it is, by a number, and its name."""
_STRENGTHS = (
    (0.7, term("strength", "hardly anything")),
    (2.3, term("strength", "weak")),
    (4.6, term("strength", "fair")),
    (6.9, term("strength", "strong")),
    (1e9, term("strength", "very strong")),
)
"""Up to so many nats -> in a word: the steps are odds of 2, 10, 100 and 1,000 to 1."""


@dataclass(frozen=True, slots=True)
class SignReport:
    """One sign: when (s, None for one that is missing), the sensor, what it felt, and its weight in nats.

    The weight speaks for the step where it is positive: so surprising would the sign be without it. It is
    negative for a sign that should have been there.
    """

    t: float | None
    sensor: str
    felt: str
    nats: float


@dataclass(frozen=True, slots=True)
class Reason:
    """A believed step that concerns the place: when (s), in words, its signs, and what it cost in nats."""

    t: float
    step: str
    signs: tuple[SignReport, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Card:
    """A card that lies there, in words, and the steps that put it there or told what it is, oldest first."""

    name: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Something else that may lie there: bottom first, weaker by so many nats, and why.

    `steps` are those by which it differs; `loose` the signs that it leaves without a cause; `against` what
    lies otherwise than it says.
    """

    lies: tuple[str, ...]
    nats: float
    steps: tuple[str, ...]
    loose: tuple[str, ...]
    against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """All that can be said of one place: its cards, bottom first, and what else it may hold.

    `sure` is the share of all carried explanations, by their likelihood, in which the same lies there, 0 to
    1. `claim` is what would be said of a claim, empty where none is made. `unheard` are sensors that matter
    and say nothing.
    """

    place: str
    cards: tuple[Card, ...]
    sure: float
    claim: str
    alternatives: tuple[Alternative, ...]
    unheard: tuple[str, ...]
    begin: float
    """When the first step was believed, in seconds; lines count from then."""
    answers: tuple[tuple[float, str], ...] = ()
    """What those at the table were asked in this game, with their answers, and when (s)."""
    contradictions: tuple[tuple[float, str], ...] = ()
    """When (s) cards that were turned up here contradicted what had been said, and what had been believed."""


def places_of(tracker: Tracker[Any, Any]) -> tuple[str, ...]:
    """The places of a game at which cards lie hidden, in the game's order: what `why` can be asked about."""
    return tuple(tracker.game.hidden_layout(tracker.state))


def why(tracker: Tracker[Any, Any], place: str) -> Why:
    """What is believed of a place and why. KeyError if the game has none of that name."""
    game, state = tracker.game, tracker.state
    lies = game.hidden_layout(state)[place]
    subject = game.subject_at(state, place)
    sensed = tracker.sensed
    unheard = [
        SIGN_MODELS[Verb.PUT].sensor.of(place=place_name(station))
        for station in game.expected_view(state).counts
        if station not in sensed.counts
    ]
    if Verb.TAG not in sensed.heard and sensed.watches(Verb.TAG):
        unheard.append(text("any reader"))
    histories = _histories(tracker, [card for card, _ in lies])
    return Why(
        place,
        tuple(Card(name, tuple(histories[card])) for card, name in lies),
        _share(tracker, place, lies),
        "" if subject is None else _claim(game, state, subject),
        tuple(_alternatives(tracker, place, lies)),
        (*unheard, *map(sensor_name, sorted(sensed.silent))),
        tracker.steps[0].t if tracker.steps else 0.0,
        tuple(
            (one.t, sentences((one.fact.question, text("Yes.") if one.yes else text("No."))))
            for one in tracker.answers
        ),
        tuple((one.t, _contradicted(one)) for one in tracker.contradictions if one.subject == subject),
    )


def _claim(game: TableGame[Any, Any], state: Any, subject: int) -> str:
    return game.claimable(state, subject) or _WOULD_BE[game.judge(state, subject).verdict]


def why_lines(found: Why) -> list[str]:
    """The same in plain words, a line each."""
    share = round(100 * found.sure, 1)
    lies = plural("{n} card", "{n} cards", n=len(found.cards))
    head = text("{place}: {cards}, {share}% of what is possible agrees.", place=place_name(found.place),
                cards=lies, share=share)  # fmt: skip
    lines: list[str] = [sentences((head, found.claim)) if found.claim else head]
    lines += [_indented(2, text("nothing is heard of {sensor}", sensor=sensor)) for sensor in found.unheard]
    for at, card in enumerate(found.cards, 1):
        named = text("{number}. {card}", number=at, card=card.name)
        unseen = text("{card}: nothing was seen of how it came here", card=named)
        lines.append(named if card.reasons else unseen)
        for reason in card.reasons:
            when = clock_text(reason.t - found.begin)
            line = _indented(2, text("{time} {what}", time=when, what=reason.step))
            if reason.cost:
                line = text("{what} (cost {nats} nats)", what=line, nats=round(reason.cost, 1))
            lines.append(line)
            lines += [_indented(11, _sign_text(sign, found.begin)) for sign in reason.signs]
    for sentence, told in (
        (text("Asked at {time}: {what}"), found.answers),
        (text("Turned up at {time}: {what}"), found.contradictions),
    ):
        lines += [sentence.of(time=clock_text(t - found.begin).strip(), what=what) for t, what in told]
    if not found.alternatives:
        lines.append(
            text("Nothing else is carried: all else is weaker than {odds}.", odds=odds(SEARCH.prune_nats))
        )
    for other in found.alternatives:
        weaker = text(
            "weaker by {nats} nats, {odds} against it.", nats=round(other.nats, 1), odds=odds(other.nats)
        )
        lines.append(text("Or {cards}: {weaker}", cards=other.lies or text("nothing"), weaker=weaker))
        lines += [_indented(4, text("then: {what}", what=step)) for step in other.steps]
        lines += [_indented(4, text("leaves without a cause: {what}", what=sign)) for sign in other.loose]
        lines += [_indented(4, text("contradicts: {what}", what=fault)) for fault in other.against]
    return lines


def _indented(blanks: int, what: str) -> Text:
    return text("{blanks}{what}", blanks=" " * blanks, what=what)


def named_codes(game: TableGame[Any, Any], variant: str, found: Why) -> list[str]:
    """The names of those kinds with a raised picture that stand in the lines by their code; their numbers count
    from 0, screens count from 1."""
    said = set(re.findall(r"\w+", " ".join(why_lines(found))))
    names = {
        card.kind: card.name
        for card in sorted(game.cards(variant), key=lambda card: card.kind)
        if card.texture is not None and card.kind in said
    }
    told = tuple(text("{code} {name}", code=kind, name=name) for kind, name in names.items())
    return [text("Codes count from 0: {codes}.", codes=told)] if told else []


def odds(nats: float) -> Text:
    """A weight as odds in round numbers, such as "about 90 to 1"."""
    ratio = exp(min(abs(nats), 14.0))
    digits = 1 if ratio < 10 else 10 ** (len(str(int(ratio))) - 1)
    return text("about {ratio} to 1", ratio=round(ratio / digits) * digits)


def strength(nats: float) -> Text:
    """A weight in a word."""
    return next(word for most, word in _STRENGTHS if abs(nats) < most)


def clock_text(t: float) -> str:
    """Seconds of the game as minutes and seconds; what came before its first step is at 0:00."""
    minutes, seconds = divmod(max(0, int(t)), 60)
    return f"{minutes:3}:{seconds:02}"


def _sign_text(sign: SignReport, begin: float) -> Text:
    when = clock_text(sign.t - begin).strip() if sign.t is not None else "-"
    weight = text("{odds} for it") if sign.nats >= 0 else text("{odds} against it")
    return text(
        "{time} {sensor} {felt}: {strength}, {weight}",
        time=when,
        sensor=sign.sensor,
        felt=sign.felt,
        strength=strength(sign.nats),
        weight=weight.of(odds=odds(sign.nats)),
    )


def _contradicted(one: Contradiction) -> Text:
    signs = [
        text("{sensor} {felt}", sensor=_sensor(detection.sign), felt=_sign(detection).felt)
        for detection in one.signs
    ]
    return text(
        "{said} was said, {shown} is shown; believed was {signs}.",
        said=_SAID[one.said],
        shown=_SAID[one.shown],
        signs=signs or text("no sign"),
    )


def _share(tracker: Tracker[Any, Any], place: str, lies: Lies) -> float:
    names = [name for _, name in lies]
    best, _ = tracker.hypotheses[0]
    agreeing = everything = 0.0
    for total_cost, hypothesis in tracker.hypotheses:
        # Against the best one: costs add up over a game until the likelihoods themselves vanish.
        weight = exp(best - total_cost)
        everything += weight
        agreeing += weight if _names(tracker, hypothesis.state, place) == names else 0.0
    return agreeing / everything


def _histories(tracker: Tracker[Any, Any], cards: Iterable[int]) -> dict[int, list[Reason]]:
    """By card: the steps in which it changed its place, or in which it was learned what it is."""
    found: dict[int, list[Reason]] = {card: [] for card in cards}
    for step in tracker.steps:
        before, after = tracker.game.hidden_layout(step.before), tracker.game.hidden_layout(step.after)
        if before == after:
            continue
        reason = Reason(step.t, _words(tracker.game, step), tuple(_signs(tracker, step)), step.cost)
        for card, reasons in found.items():
            was, is_now = _where(before, card), _where(after, card)
            if was != is_now and not _only_shifted(was, is_now):
                reasons.append(reason)
    return found


class _Where(NamedTuple):
    """Where a card lies, what it is called, its number from the top, and how many lie there."""

    place: str
    name: str
    depth: int
    height: int


def _where(lying: Mapping[str, Lies], card: int) -> _Where | None:
    for place, cards in lying.items():
        for at, (one, name) in enumerate(cards):
            if one == card:
                return _Where(place, name, len(cards) - at, len(cards))
    return None


def _only_shifted(before: _Where | None, after: _Where | None) -> bool:
    """Whether others came or went beneath and above it; on top of the same stack again, it moved itself."""
    if before is None or after is None or before[:2] != after[:2]:
        return False
    return not (before.height == after.height and after.depth == 1)


def _names(tracker: Tracker[Any, Any], state: Any, place: str) -> list[str]:
    return [name for _, name in tracker.game.hidden_layout(state)[place]]


def _words(game: TableGame[Any, Any], step: Step[Any, Any]) -> str:
    message = game.message(step.before, step.action, step.after)
    return message.text if message else f"{game.write_action(step.action)}."


def _signs(tracker: Tracker[Any, Any], step: Step[Any, Any]) -> Iterable[SignReport]:
    used = list(step.used)
    for wanted in tracker.game.signs(step.before, step.action):
        if wanted[0] in UNDETECTED:
            continue
        if (detection := matching(wanted, used)) is not None:
            yield _sign(detection)
        elif is_texture(wanted) and (misfelt := next((one for one in used if is_texture(one.sign)), None)):
            used.remove(misfelt)
            yield replace(_sign(misfelt), nats=-COSTS.misfelt)
        elif SIGN_MODELS[wanted[0]].missed_nats and was_heard(tracker, wanted):
            yield SignReport(
                None, _sensor(wanted), text("noticed nothing"), -SIGN_MODELS[wanted[0]].missed_nats
            )


def _sign(detection: Detection) -> SignReport:
    verb, _, kinds = detection.sign
    cards = " ".join(kinds) if kinds != ANY_KINDS else text("cards")
    if is_texture(detection.sign) and len(kinds) > 1:
        cards = text("one of {first} to {last}", first=kinds[0], last=kinds[-1])  # they feel alike
    return SignReport(
        detection.t,
        _sensor(detection.sign),
        SIGN_MODELS[verb].words.of(cards=cards),
        SIGN_MODELS[verb].clutter_nats,
    )


def _sensor(sign: Sign) -> Text:
    return SIGN_MODELS[detected_as(sign.verb)].sensor.of(place=place_name(sign.place))


def _alternatives(tracker: Tracker[Any, Any], place: str, lies: Lies) -> Iterable[Alternative]:
    """What else the carried hypotheses say of a place, the best of each, the strongest first."""
    best_total, best = tracker.hypotheses[0]
    named = [[name for _, name in lies]]
    for total_cost, hypothesis in tracker.hypotheses:
        there = _names(tracker, hypothesis.state, place)
        if there in named:
            continue
        named.append(there)
        yield Alternative(
            tuple(there),
            total_cost - best_total,
            tuple(reversed([_words(tracker.game, step) for step in _apart(hypothesis, best)])),
            tuple(_loose(tracker, hypothesis)),
            tuple(_against(tracker, hypothesis.state)),
        )


def _loose(tracker: Tracker[Any, Any], hypothesis: Hypothesis[Any, Any]) -> Iterable[str]:
    for detection in tracker.sensed.detections:
        if detection.id not in hypothesis.used:
            sign = _sign(detection)
            begin = tracker.steps[0].t if tracker.steps else 0.0
            when = clock_text(detection.t - begin).strip()
            yield text("{sensor} {felt}, {time}", sensor=sign.sensor, felt=sign.felt, time=when)


def _apart(hypothesis: Hypothesis[Any, Any], best: Hypothesis[Any, Any]) -> Iterable[Step[Any, Any]]:
    """The steps of a hypothesis that the best one does not have, newest first."""
    for one in hypothesis.back():
        assert one.step is not None
        if best.holds(one.step, one.depth):
            return
        yield one.step


def _against(tracker: Tracker[Any, Any], state: Any) -> Iterable[str]:
    expected, sensed = tracker.game.expected_view(state), tracker.sensed
    for station, n in expected.counts.items():
        on_it = sensed.counts.get(station, n)
        if on_it != n:
            place = place_name(station)
            yield text("the scale of {place} shows {shown}, not {wanted}", place=place, shown=on_it, wanted=n)
    for zone, kinds in expected.zones.items():
        seen = sensed.zones.get(zone, kinds)
        if seen != kinds:
            yield text(
                "the camera sees {seen} in {place}, not {wanted}",
                seen=" ".join(seen) or text("nothing"),
                place=place_name(zone),
                wanted=" ".join(kinds) or text("nothing"),
            )
