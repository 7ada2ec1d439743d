"""The sensor monitor tells people which sensors are gone or fail.

It also tells which claims stay open because of them.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.core.language import listed, sentences, text
from companion.core.recognised_texts import recognised
from companion.core.remeasuring_steps import LENS_HELP, mending_step
from companion.core.sensor_terms import SEVERAL, place_name, sensor_name
from companion.fusion.claims.contradiction import Contradiction
from companion.fusion.claims.due_cards import OpenClaim
from companion.fusion.explain.sensor_health import SensorWatch, sensor_of
from companion.fusion.parameters.sensors import OUTAGES
from companion.fusion.tracker import Tracker
from companion.games.signs import Verb
from companion.games.table_game import TableGame
from companion.sensing.observation import Health, ManualEntry, Observation
from companion.session.journal.journal_lines import Contradicted, Noticed
from companion.session.narration import claimed
from companion.session.stream.events import Event, Said, SensorHealth

SENSORS = 64
"""Most sensors whose health is remembered. A defective part may invent names. A guess: no rig has so many."""
AWAY_S = 3.0
"""Shortest absence (s) of a sensor that people are told of. A guess.

After a nudge the camera finds the mat again by itself.
"""
RESTARTED = text("not heard since the companion was restarted")
"""Detail of a sensor's `Health` while the companion that was restarted has not heard of it yet."""
RESTART_S = 30.0
"""Time (s) after a restart until people are told that a sensor has not been heard of. A guess.

A busy machine took 12 s to find the mat again (measured once).
"""
UNHEARD_S = 2.0
"""Time (s) after which a claim that the tracker cannot explain is answered "cannot tell". A guess."""
RESTLESS = 3
"""Number of wrong scales in a game from which claims are decided without scales. A guess."""
RESTLESS_SCALES = text("The scales are restless. From now on a claim waits until its cards are turned up.")
SCALES_MISSED = text(
    "The scale of {places} may have missed a move. The claim waits until all cards there are turned up."
)
SCALES_UNEVEN = text(
    "The scales do not add up, so a move may have been missed. The claim waits until all its cards are turned "
    "up."
)
LEFT_ON_READER = "card on a reader"
"""Doubt shown while a scale weighs one card too few, because that card still lies on an RFID reader.

It is a member of `Tracker.doubted`, the tracker's set of doubts about scales.
"""
SWAPPED_TAGS = text("Two cards carry each other's tag: I read each as the other. Enrol them again some time.")
WEIGH_AGAIN = text(
    "The scale of {place} may be wrong: lift all that lies on it at once, lay it back, and claim again."
)
SENSORS_KNOWN = "sensors"
"""`ManualEntry.what` of an entry with what earlier games taught about the sensors.

The engine makes the entry when a game begins, so that a journal can be replayed without the earlier games.
"""
NOT_FOLLOWED = text("I did not follow the game up to here.")


class Heard(NamedTuple):
    """What the sensor monitor makes of some observations.

    `events`: for screens. `lines`: for the journal.
    """

    events: list[Event]
    lines: list[Noticed | Contradicted]


class _Absence(NamedTuple):
    """A sensor is gone since `t` (s).

    `detail`: why, in words. `steps`: number of actions that were believed when it went.
    """

    t: float
    detail: str
    steps: int
    told_at: float
    """Time (s) at which the absence was reported. It is later than `t` after a restart."""


class SensorMonitor:
    """A watch over the sensors of one table, for all its games, because sensors age from game to game."""

    def __init__(self, *, mends: bool = True) -> None:
        """Create a monitor.

        `mends`: True if people can carry out a setup step in a break. Sentences about failing sensors then
        name it.
        """
        self.sensors = SensorWatch()
        self._mends = mends
        self._away: dict[str, _Absence] = {}
        self._told: set[str] = set()
        self._contradicted = 0
        """Number of contradictions reported in this game."""
        self._crossed = 0
        """Number of crosswise connected parts reported in this game."""
        self._swapped = 0
        """Number of swapped pairs of tags reported in this game."""
        self._off = 0
        """Number of scale errors noted in this game."""
        self._missed: set[str] = set()
        """Scales that were away for long while this game went on."""
        self._missed_before: frozenset[str] = frozenset()
        """`_missed` as it was before people last settled the table."""

    @property
    def gone(self) -> dict[str, str]:
        """Sensors that report nothing now -> why.

        Problems with single stickers are left out.
        """
        return {source: one.detail for source, one in self._away.items() if source != "stickers"}

    @property
    def standing(self) -> list[SensorHealth]:
        """A report on each sensor that still misses events."""
        return [SensorHealth(*found, works=True) for found in self.sensors.standing]

    def known(self, t: float) -> list[Observation]:
        """Make an entry (none in the first game) with what earlier games taught about the sensors.

        `t`: time (s) at which the new game begins, whose first call of `hear` gets the entry.
        """
        account = self.sensors.account
        return [ManualEntry(t, SENSORS_KNOWN, account)] if account else []

    def begin(self) -> None:
        """Begin another game: forget earlier absences.

        A sensor still in `gone` must be reported again.
        """
        self.sensors.begin()
        self._away.clear()
        self._told.clear()
        self._missed.clear()
        self._missed_before = frozenset()
        self._contradicted = self._crossed = self._off = self._swapped = 0

    def settled(self, *, table: bool) -> None:
        """Note that people have corrected the game.

        `table`: True if they made the companion believe the whole table. Absences of scales before no longer
        matter.
        """
        self._missed_before = frozenset(self._missed)
        if table:
            self._missed.clear()

    def unsettle(self) -> None:
        """Take back the last call of `settled`, because people have undone their correction."""
        self._missed |= self._missed_before

    def hear(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> Heard:
        """Process `observations` of time `t` (s).

        The tracker has processed them before. The tracker is told which scales to doubt.
        """
        heard = Heard([*self._reported(t, observations, tracker), *self._gone_long(t, tracker)], [])
        self._hear_contradictions(t, tracker, heard)
        heard.events.extend(self._read_otherwise(t, tracker))
        before = self.sensors.failing
        for news in self.sensors.feed(t, observations, tracker):
            heard.lines.append(Noticed(t, *news))
            heard.events.append(SensorHealth(*news, works=True))
            if news.source in self.sensors.failing:
                heard.events.append(self._lost(tracker.game, t, news.source, news.detail, drifts=True))
            elif news.source in before:
                heard.events.append(_back(t, news.source))
        tracker.doubted = self._doubted()
        return heard

    def _reported(
        self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]
    ) -> list[Event]:
        """Events on the sources that report their state at `t` (s), and on sensors known from before."""
        events: list[Event] = []
        for seen in observations:
            if isinstance(seen, Health):
                # A resumed journal holds English sentences.
                seen = msgspec.structs.replace(seen, detail=recognised(seen.detail))  # noqa: PLW2901
                if seen.detail != RESTARTED:
                    events.append(SensorHealth(seen.source, seen.ok, seen.detail))
                events.extend(self._came_or_went(t, seen, tracker))
            elif isinstance(seen, ManualEntry) and seen.what == SENSORS_KNOWN:
                self.sensors.take_over(seen.args)
                events.extend(self.standing)
        return events

    def _gone_long(self, t: float, tracker: Tracker[Any, Any]) -> list[Event]:
        """Events on the sources that have been away for AWAY_S at `t` (s); each is told once.

        After a restart for RESTART_S, because camera and board start again as well.
        """
        events: list[Event] = []
        for source, one in self._away.items():
            starts = one.detail == RESTARTED
            if source in self._told or t - one.told_at < (RESTART_S if starts else AWAY_S):
                continue
            self._told.add(source)
            if starts:
                events.append(SensorHealth(source, False, one.detail))
            events.append(self._lost(tracker.game, t, source, one.detail))
        return events

    def _hear_contradictions(self, t: float, tracker: Tracker[Any, Any], heard: Heard) -> None:
        """Note claims whose verdict turned up cards contradict; blame a sensor that alone led to one.

        Only claims since the last call. Events and lines are added to `heard`.
        """
        for found in tracker.contradictions[self._contradicted :]:
            sensors = tuple(dict.fromkeys(sensor_of(detection) for detection in found.signs))
            if len(sensors) == 1:
                # Of two sensors either may have been right, so neither is blamed.
                self.sensors.blame(sensors[0])
            heard.lines.append(Contradicted(t, found.subject + 1, found.said.value, found.shown.value, sensors))
            if found.said is not found.shown:
                heard.events.extend(_contradicted(tracker, found))
        self._contradicted = len(tracker.contradictions)

    def _doubted(self) -> frozenset[str]:
        """Sources of the scales whose counts are doubted, for `Tracker.doubted`.

        These are scales that fail, are away, or have missed a move. "restless scales" stands for all, once
        RESTLESS scales were wrong. LEFT_ON_READER is added while a card lies on a reader instead of its scale.
        """
        doubted = self.sensors.failing | self._away.keys() | self._missed
        restless = {"restless scales"} if self._off >= RESTLESS else set()
        left = {LEFT_ON_READER} if self.sensors.left_on_reader is not None else set()
        return frozenset(source for source in doubted if "scale" in source) | restless | left

    def _read_otherwise(self, t: float, tracker: Tracker[Any, Any]) -> Iterable[Said]:
        """Sentences for people about sensors that are decoded differently from now on, e.g. swapped tags."""
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
            before = self._away.setdefault(seen.source, _Absence(seen.t, seen.detail, len(tracker.steps), t))
            if before.detail == RESTARTED != seen.detail and seen.source not in self._told:
                # Now it says itself why it is away.
                self._away[seen.source] = before._replace(detail=seen.detail, told_at=t)
            return
        gone = self._away.pop(seen.source, None)
        if gone is None:
            return
        missed = (
            "scale" in seen.source and seen.t - gone.t >= OUTAGES.long_s and len(tracker.steps) != gone.steps
        )
        if missed and len(self._missed) < SENSORS:
            self._missed.add(seen.source)
        if seen.source in self._told:
            self._told.discard(seen.source)
            yield _back(seen.t, seen.source)

    def _lost(
        self, game: TableGame[Any, Any], t: float, source: str, detail: str, *, drifts: bool = False
    ) -> Said:
        """Sentence for people about a sensor that is gone, and what the game lacks without it.

        `detail`: what is wrong, in words. `drifts`: True if the sensor still reports, but misses some events.
        The sentence then names the setup step that helps.
        """
        losses = game.words.losses.items()
        # A camera that misses some detections still sees others, so less is lost than without a camera.
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
    """Events for people after turned up cards have shown that a verdict was wrong.

    They do not name the sensors that were believed, because that would tell where hidden cards were thought
    to be.
    """
    game, state = tracker.game, tracker.state
    corrected = game.stacks.corrected(state, found.subject, found.shown) if game.stacks else ""
    return (
        claimed(game, state, found.t, found.subject, found.shown, (game.words.turned_up,)),
        Said(found.t, corrected, "repair"),
    )


def lost_claims(t: float, tracker: Tracker[Any, Any]) -> Iterable[tuple[float, int]]:
    """Find the claims by button that the tracker cannot explain at `t` (s), e.g. because it missed a move.

    Yields (time of the press in s, claimed place from 0). Presses younger than UNHEARD_S are left out, and
    those for places already judged. So are floods of presses, and presses that were meant for another button.
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
    """Why a claim stays open that the state alone would decide: sentences about missing sensors.

    `claim`: the open claim; None: reasons that hold for any claim now.
    """
    sensed = tracker.sensed
    if claim is not None and claim.uncounted:
        place = tracker.game.claim_station(tracker.state, claim.subject)
        return (WEIGH_AGAIN.of(place=place_name(place)),)
    # A rig without scales cannot lose any.
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
    return (*found, *_doubts(tracker)) or (tracker.game.words.unclear,)


def _doubts(tracker: Tracker[Any, Any]) -> list[str]:
    """Sentences about scales whose counts are doubted, and about a card left on the reader."""
    found: list[str] = []
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
    return found
