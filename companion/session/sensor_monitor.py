"""The sensor monitor: which sensors are gone or get worse, and which claims stay open because of that."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.core.language import listed, sentences, text
from companion.core.mending_steps import LENS_HELP, mending_step
from companion.core.recognised_texts import recognised
from companion.core.sensor_terms import SEVERAL, place_name, sensor_name
from companion.fusion.claims.contradiction import Contradiction
from companion.fusion.claims.due_cards import OpenClaim
from companion.fusion.explain.sensor_health import SensorWatch, sensor_of
from companion.fusion.sensor_outages import LONG_S
from companion.fusion.tracker import Tracker
from companion.games.api import TableGame
from companion.games.signs import Verb
from companion.sensing.observation import Health, ManualEntry, Observation
from companion.session.journal.journal import Contradicted, Noticed
from companion.session.narration import claimed
from companion.session.stream.events import Event, Said, SensorHealth

SENSORS = 64
"""Greatest number of sensors whose health is kept: more than any rig has. A defective part may invent names."""
AWAY_S = 3.0
"""AWAY_S: a shorter absence (s) is not reported. A camera that was nudged finds the mat again by itself."""
UNHEARD_S = 2.0
"""UNHEARD_S: a claim that the tracker has not explained after this time (s) is answered all the same."""
RESTLESS = 3
"""RESTLESS: scales that were found to be off so often in a game are not trusted: no claim rests on them."""
RESTLESS_SCALES = text("The scales are restless. From now on a claim waits until its cards are turned up.")
SCALES_MISSED = text(
    "The scale of {places} may have missed a move. The claim waits until all cards there are turned up."
)
SCALES_UNEVEN = text(
    "The scales do not add up, so a move may have been missed. The claim waits until all its cards are turned "
    "up."
)
LEFT_ON_READER = "card on a reader"
"""Member of `Tracker.doubted` while a card lies there that the scales lack."""
SWAPPED_TAGS = text("Two cards carry each other's tag: I read each as the other. Enrol them again some time.")
WEIGH_AGAIN = text(
    "The scale of {place} may be wrong: lift all that lies on it at once, lay it back, and claim again."
)
SENSORS_KNOWN = "sensors"
"""`ManualEntry.what` of what is known of the sensors when a game begins. Nobody enters it: with it in the
journal a game is replayed without the games before it."""
NOT_FOLLOWED = text("I did not follow the game up to here.")


class Heard(NamedTuple):
    """Result of a batch: events for the screens, lines for the journal."""

    events: list[Event]
    lines: list[Noticed | Contradicted]


class _Absence(NamedTuple):
    """Absence of a sensor: since when (s), why, and the number of believed steps at that time."""

    t: float
    detail: str
    steps: int
    told_at: float
    """Time of the report (s). It is later than `t` if the program was started again in between."""


class SensorMonitor:
    """Takes every batch after the tracker. One monitor serves all games at a table, because sensors age from
    game to game."""

    def __init__(self, *, mends: bool = True) -> None:
        """`mends`: whether a step of setup can be done in a break of these games."""
        self.sensors = SensorWatch()
        self._mends = mends
        self._away: dict[str, _Absence] = {}
        self._told: set[str] = set()
        self._contradicted = 0
        """Number of contradictions of this game that were reported."""
        self._crossed = 0
        """Number of crossed parts of this game that were reported."""
        self._swapped = 0
        """Pairs of swapped tags that were reported in this game."""
        self._off = 0
        """Number of scales found to be off in this game that were noted."""
        self._missed: set[str] = set()
        """Scales that were away for long while this game went on."""
        self._missed_before: frozenset[str] = frozenset()
        """Those of `_missed` before the last settlement."""

    @property
    def gone(self) -> dict[str, str]:
        """Sensors that report nothing now, and why. Faults of single cards are not counted."""
        return {source: one.detail for source, one in self._away.items() if source != "stickers"}

    @property
    def standing(self) -> list[SensorHealth]:
        """Sensors that were found to fail and have not recovered."""
        return [SensorHealth(*found, works=True) for found in self.sensors.standing]

    def known(self, t: float) -> list[Observation]:
        """What a game that begins at `t` (s) has to know of the sensors from the games before it: an entry
        that `hear` takes. Nothing for the first game."""
        account = self.sensors.account
        return [ManualEntry(t, SENSORS_KNOWN, account)] if account else []

    def begin(self) -> None:
        """Begin another game. Earlier absences no longer count; sensors in `gone` must be reported again."""
        self.sensors.begin()
        self._away.clear()
        self._told.clear()
        self._missed.clear()
        self._missed_before = frozenset()
        self._contradicted = self._crossed = self._off = self._swapped = 0

    def settled(self, *, table: bool) -> None:
        """People at the table settled something. If they settled the whole `table`, earlier absences no
        longer count."""
        self._missed_before = frozenset(self._missed)
        if table:
            self._missed.clear()

    def unsettle(self) -> None:
        """Take the last settlement back."""
        self._missed |= self._missed_before

    def hear(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> Heard:
        """Take a batch. From now on the tracker doubts sensors that are not trusted."""
        heard = Heard([], [])
        for seen in observations:
            if isinstance(seen, Health):
                # A journal that goes on holds English sentences.
                seen = msgspec.structs.replace(seen, detail=recognised(seen.detail))  # noqa: PLW2901
                heard.events.append(SensorHealth(seen.source, seen.ok, seen.detail))
                heard.events.extend(self._came_or_went(t, seen, tracker))
            elif isinstance(seen, ManualEntry) and seen.what == SENSORS_KNOWN:
                self.sensors.take_over(seen.args)
                heard.events.extend(self.standing)
        for source, gone in self._away.items():
            if source not in self._told and t - gone.told_at >= AWAY_S:
                self._told.add(source)
                heard.events.append(self._lost(tracker.game, t, source, gone.detail))
        for found in tracker.contradictions[self._contradicted :]:
            sensors = tuple(dict.fromkeys(sensor_of(detection) for detection in found.signs))
            if len(sensors) == 1:
                # With two sensors either may have been right: none is blamed.
                self.sensors.blame(sensors[0])
            heard.lines.append(Contradicted(t, found.subject + 1, found.said.value, found.shown.value, sensors))
            if found.said is not found.shown:
                heard.events.extend(_contradicted(tracker, found))
        self._contradicted = len(tracker.contradictions)
        heard.events.extend(self._read_otherwise(t, tracker))
        before = self.sensors.failing
        for news in self.sensors.feed(t, observations, tracker):
            heard.lines.append(Noticed(t, *news))
            heard.events.append(SensorHealth(*news, works=True))
            if news.source in self.sensors.failing:
                heard.events.append(self._lost(tracker.game, t, news.source, news.detail, drifts=True))
            elif news.source in before:
                heard.events.append(_back(t, news.source))
        doubted = self.sensors.failing | self._away.keys() | self._missed
        restless = {"restless scales"} if self._off >= RESTLESS else set()
        left = {LEFT_ON_READER} if self.sensors.left_on_reader is not None else set()
        tracker.doubted = frozenset(source for source in doubted if "scale" in source) | restless | left
        return heard

    def _read_otherwise(self, t: float, tracker: Tracker[Any, Any]) -> Iterable[Said]:
        """Sentences about sensors whose reports are read otherwise from now on."""
        for what, one, other in tracker.crossed[self._crossed :]:
            crossed = text("The {what} of {one} and {other} are connected crosswise: I read each as the other.")
            places = {"one": place_name(one), "other": place_name(other)}
            yield Said(t, crossed.of(what=sensor_name(what), **places), "fault")
        self._crossed = len(tracker.crossed)
        if tracker.tags_swapped > self._swapped:
            yield Said(t, SWAPPED_TAGS, "fault")
        self._swapped = tracker.tags_swapped
        for station in tracker.scales_off[self._off :]:
            self._off += 1
            if self._off == RESTLESS:
                yield Said(t, RESTLESS_SCALES, "fault")
            elif self._off < RESTLESS and station not in tracker.scales_off[: self._off - 1]:
                off = text("The scale of {place} is a card off: I allow for that.", place=place_name(station))
                yield Said(t, off, "fault")

    def _came_or_went(self, t: float, seen: Health, tracker: Tracker[Any, Any]) -> Iterable[Event]:
        if not seen.ok:
            if seen.source not in self._away and len(self._away) >= SENSORS:
                return
            self._away.setdefault(seen.source, _Absence(seen.t, seen.detail, len(tracker.steps), t))
            return
        gone = self._away.pop(seen.source, None)
        if gone is None:
            return
        missed = "scale" in seen.source and seen.t - gone.t >= LONG_S and len(tracker.steps) != gone.steps
        if missed and len(self._missed) < SENSORS:
            self._missed.add(seen.source)
        if seen.source in self._told:
            self._told.discard(seen.source)
            yield _back(seen.t, seen.source)

    def _lost(
        self, game: TableGame[Any, Any], t: float, source: str, detail: str, *, drifts: bool = False
    ) -> Said:
        """A sentence on a sensor that is gone; on one that `drifts` also what mends it in a break."""
        losses = game.words.losses.items()
        # A camera that misses some signs still judges by what it sees: less is lost than without it.
        lacks = "camera's view" if drifts and source == "camera" else source
        said: list[str] = [
            text("{Sensor}: {detail}.", sensor=sensor_name(source), detail=detail or text("gone"))
        ]
        said += [text("Until that is mended: {loss}.", loss=loss) for word, loss in losses if word in lacks][:1]
        if self._mends and (drifts or LENS_HELP in detail) and (step := mending_step(source, detail)):
            said.append(text("In a break: q, then m (companion setup {step}).", step=step))
        return Said(t, sentences(said), "fault", source)


def _back(t: float, source: str) -> Said:
    if source == "stickers":
        return Said(t, text("No two cards carry the same sticker any more."), "notice")
    several = source in SEVERAL
    again = text("{Sensor} work again.") if several else text("{Sensor} works again.")
    return Said(t, again.of(sensor=sensor_name(source)), "notice")


def _contradicted(tracker: Tracker[Any, Any], found: Contradiction) -> tuple[Event, Event]:
    """Events for a verdict that turned up cards have corrected.

    The sensors that had been believed go to the journal alone: they would tell where hidden cards were thought
    to be.
    """
    game, state = tracker.game, tracker.state
    return (
        claimed(game, state, found.t, found.subject, found.shown, (game.words.turned_up,)),
        Said(found.t, game.corrected(state, found.subject, found.shown), "repair"),
    )


def lost_claims(t: float, tracker: Tracker[Any, Any]) -> Iterable[tuple[float, int]]:
    """Claims that the tracker cannot explain at `t` (s): their times and subjects (from 0).

    The game may be further on than the sensors could see. A subject that was already judged is left out, a
    press that was meant at another place, and one of a flood.
    """
    game, state = tracker.game, tracker.state
    used = tracker.hypotheses[0][1].used
    open_presses = [
        detection
        for detection in tracker.sensed.detections
        if detection.sign.verb == Verb.PRESS and detection.id not in used and detection.t <= t - UNHEARD_S
    ]
    if not open_presses:
        return
    judged = {claim[0] for step in tracker.steps if (claim := game.claim_of(step.action)) is not None}
    for detection in open_presses:
        place, at = detection.sign.place, detection.t
        subject = game.subject_at(state, place)
        if subject is None or subject in judged or (place, at) in tracker.moved_presses:
            continue
        if tracker.floods.includes(at):
            continue
        if game.claimable(state, subject) is not None:
            yield at, subject


def blind_spots(tracker: Tracker[Any, Any], claim: OpenClaim | None = None) -> tuple[str, ...]:
    """Why a claim stays open that the state alone would settle, a sentence each."""
    sensed = tracker.sensed
    if claim is not None and claim.uncounted:
        place = tracker.game.claim_station(tracker.state, claim.subject)
        return (WEIGH_AGAIN.of(place=place_name(place)),)
    # A rig without scales lacks nothing that it had.
    counted = tracker.game.expected_view(tracker.state).counts if sensed.counts else ()
    deaf = [station for station in counted if station not in sensed.counts]
    found: list[str] = []
    if "board" in sensed.silent:
        found.append(text("The sensor board is away."))
    elif deaf:
        found.append(
            text(
                "No scale is heard of {places}: what was moved there nobody felt.",
                places=listed([*map(place_name, deaf)]),
            )
        )
    left = tracker.left_on_reader if LEFT_ON_READER in tracker.doubted else None
    if left is not None:
        found.append(tracker.game.difference(tracker.state, left))
    scales = tracker.doubted - {LEFT_ON_READER}
    places = [one.removesuffix(" scale") for one in sorted(scales) if one.endswith(" scale")]
    if places:
        found.append(SCALES_MISSED.of(places=listed([*map(place_name, places)])))
    if "restless scales" in scales:
        found.append(RESTLESS_SCALES)
    elif len(places) < len(scales):
        found.append(SCALES_UNEVEN)
    return tuple(found) or (tracker.game.words.unclear,)
