"""What the companion says of its own senses: which are gone, which get worse, and what that leaves open."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from companion.fusion.claims.contradiction import Contradiction
from companion.fusion.explain.sensor_health import SensorWatch, sensor_of
from companion.fusion.sensor_outages import LONG_S
from companion.fusion.tracker import Tracker
from companion.games.api import TableGame
from companion.sensing.observation import Health, Observation
from companion.session.events import Event, Said, SensorHealth
from companion.session.journal import Contradicted, Noticed
from companion.session.narration import claimed

AWAY_S = 3.0
"""A sensor that is back sooner is not worth a word: a nudged camera finds the mat again by itself."""
UNHEARD_S = 2.0
"""A claim that is not even taken in by then gets an answer all the same."""
NOT_FOLLOWED = "I did not follow the game up to here."


class Heard(NamedTuple):
    """What came of a batch: events for the screens, lines for the journal."""

    events: list[Event]
    lines: list[Noticed | Contradicted]


class _Absence(NamedTuple):
    """Since when (s) a sensor has said nothing, why, and how many steps were believed by then."""

    t: float
    detail: str
    steps: int
    told_at: float
    """When it was told of (s): later if that was before the program was started again."""


class SensorMonitor:
    """Hears every batch after the tracker. One for all games at a table: sensors age from game to game."""

    def __init__(self) -> None:
        self.sensors = SensorWatch()
        self._away: dict[str, _Absence] = {}
        self._told: set[str] = set()
        self._contradicted = 0
        """Contradictions of this game that were told."""
        self._missed: set[str] = set()
        """Scales that were away for long while this game went on."""
        self._missed_before: frozenset[str] = frozenset()
        """Those of them before something was settled last."""

    @property
    def gone(self) -> dict[str, str]:
        """Sensors that say nothing now, and why. What is wrong with the cards of one game is none."""
        return {source: one.detail for source, one in self._away.items() if source != "stickers"}

    @property
    def standing(self) -> list[SensorHealth]:
        """What is known of sensors that were found to fail and are not well again."""
        return [SensorHealth(*found) for found in self.sensors.standing]

    def begin(self) -> None:
        """Another game: what was missed in the one before is over. Who is `gone` has to be told of anew."""
        self.sensors.begin()
        self._away.clear()
        self._told.clear()
        self._missed.clear()
        self._missed_before = frozenset()
        self._contradicted = 0

    def settled(self, *, table: bool) -> None:
        """Those at the table settled something: if the `table`, what was missed before counts no more."""
        self._missed_before = frozenset(self._missed)
        if table:
            self._missed.clear()

    def unsettle(self) -> None:
        """What was settled last is taken back."""
        self._missed |= self._missed_before

    def hear(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> Heard:
        """Take a batch. What is not trusted any more is doubted by the tracker from now on."""
        heard = Heard([], [])
        for seen in observations:
            if isinstance(seen, Health):
                heard.events.append(SensorHealth(seen.source, seen.ok, seen.detail))
                heard.events.extend(self._came_or_went(t, seen, tracker))
        for source, gone in self._away.items():
            if source not in self._told and t - gone.told_at >= AWAY_S:
                self._told.add(source)
                heard.events.append(_lost(tracker.game, t, source, gone.detail))
        for found in tracker.contradictions[self._contradicted :]:
            sensors = tuple(dict.fromkeys(sensor_of(detection) for detection in found.signs))
            if len(sensors) == 1:
                # Of two either may have been right.
                self.sensors.blame(sensors[0])
            heard.lines.append(Contradicted(t, found.subject + 1, found.said.value, found.shown.value, sensors))
            if found.said is not found.shown:
                heard.events.extend(_contradicted(tracker, found))
        self._contradicted = len(tracker.contradictions)
        before = self.sensors.failing
        for news in self.sensors.feed(t, observations, tracker):
            heard.lines.append(Noticed(t, *news))
            heard.events.append(SensorHealth(*news))
            if news.source in self.sensors.failing:
                heard.events.append(_lost(tracker.game, t, news.source, news.detail))
            elif news.source in before:
                heard.events.append(_back(t, news.source))
        doubted = self.sensors.failing | self._away.keys() | self._missed
        tracker.doubted = frozenset(source for source in doubted if "scale" in source)
        return heard

    def _came_or_went(self, t: float, seen: Health, tracker: Tracker[Any, Any]) -> Iterable[Event]:
        if not seen.ok:
            self._away.setdefault(seen.source, _Absence(seen.t, seen.detail, len(tracker.steps), t))
            return
        gone = self._away.pop(seen.source, None)
        if gone is None:
            return
        if "scale" in seen.source and seen.t - gone.t >= LONG_S and len(tracker.steps) != gone.steps:
            self._missed.add(seen.source)
        if seen.source in self._told:
            self._told.discard(seen.source)
            yield _back(seen.t, seen.source)


def _lost(game: TableGame[Any, Any], t: float, source: str, detail: str) -> Said:
    losses = game.words.losses.items()
    loss = next((f" Until that is mended {text}." for word, text in losses if word in source), "")
    return Said(t, f"{source[0].upper()}{source[1:]}: {detail or 'gone'}.{loss}", "fault")


def _back(t: float, source: str) -> Said:
    return Said(t, f"{source[0].upper()}{source[1:]} works again.", "notice")


def _contradicted(tracker: Tracker[Any, Any], found: Contradiction) -> tuple[Event, Event]:
    """A verdict put right by the cards, and in words.

    Which sensors had been believed is for the journal: it tells where cards that lie face down were thought.
    """
    game, state = tracker.game, tracker.state
    return (
        claimed(game, state, found.t, found.subject, found.shown, (game.words.turned_up,)),
        Said(found.t, game.corrected(state, found.subject, found.shown), "repair"),
    )


def lost_claims(t: float, tracker: Tracker[Any, Any], since: float) -> Iterable[tuple[float, int]]:
    """Claims after `since` (s) that make no sense to the tracker: when, and the subject from 0.

    The game may be further on than what could be seen of it. Who was judged already is not claimed.
    """
    game, state = tracker.game, tracker.state
    used = tracker.hypotheses[0][1].used
    judged = {claim[0] for step in tracker.steps if (claim := game.claim_of(step.action)) is not None}
    for detection in tracker.sensed.detections:
        (verb, place, _), at = detection.sign, detection.t
        if verb != "press" or detection.id in used or not since < at <= t - UNHEARD_S:
            continue
        subject = game.subject_at(state, place)
        if subject is not None and subject not in judged and game.claimable(state, subject) is not None:
            yield at, subject


def blind_spots(tracker: Tracker[Any, Any]) -> tuple[str, ...]:
    """Why a claim stays open that the state alone would settle, a sentence each."""
    sensed = tracker.sensed
    deaf = [
        station for station in tracker.game.expected_view(tracker.state).counts if station not in sensed.counts
    ]
    found = []
    if "board" in sensed.silent:
        found.append("The sensor board is away.")
    elif deaf:
        found.append(f"No scale is heard of {' and '.join(deaf)}: what was moved there nobody felt.")
    found += [f"Not everything was felt: {source}." for source in sorted(tracker.doubted)]
    return tuple(found) or (tracker.game.words.unclear,)
