"""The health of sensors: certain steps are a free sample of how well each sensor detected them.

Signs that should have been there and were not are counted, a scale is compared with the cards it is known to
carry, and the camera with its own first look at cards.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import exp, inf
from typing import Any, NamedTuple

import msgspec

from companion.core.language import Text, in_english, text
from companion.core.remeasuring_steps import mending_step
from companion.fusion.association import matching
from companion.fusion.detections import Detection
from companion.fusion.explain.control_charts import MissTest, ScaleLine
from companion.fusion.hypothesis import Step
from companion.fusion.parameters.health import HEALTH, MISSES
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import OUTAGES, SCALES
from companion.fusion.parameters.sign_models import SCALE_SIGNS, SIGN_MODELS, detected_as
from companion.fusion.tracker import Tracker
from companion.games.appearance import Difference
from companion.games.signs import Sign, Verb
from companion.sensing.observation import UNREAD, Count, Health, ManualEntry, Observation, Sighting, Touch

MISSED = text("missed {misses} of {samples} signs: check it")
MISSED_CAMERA = text("missed {misses} of {samples} signs: more light, clear its view")


def sensor_of(detection: Detection) -> str:
    """The name of the sensor that gave a sign."""
    return SIGN_MODELS[detection.sign.verb].health.format(detection.sign.place)


class Finding(NamedTuple):
    """A sensor got worse, or is well again: its name, whether it is trusted, and what was seen and helps."""

    source: str
    ok: bool
    detail: str


@dataclass(slots=True)
class _Camera:
    """The quality of cards as they came to rest: at first, and lately; and when the mat was lost."""

    first: float = 0.0
    lately: float = 0.0
    looks: int = 0
    lost: list[float] = field(default_factory=list)


class Account(msgspec.Struct, frozen=True):
    """What is known of the sensors when a game begins, from the games before it at this table."""

    misses: dict[str, MissTest]
    ghost_touches: dict[str, MissTest]
    lines: dict[str, ScaleLine]
    camera: _Camera
    told: dict[str, Finding]

    def __post_init__(self) -> None:
        tests = (*self.misses.values(), *self.ghost_touches.values())
        if not all(0 < one.usual < one.bad < 1 for one in tests):
            raise ValueError("rates of missed signs lie between 0 and 1")
        if not all(one.weight >= 1 for one in self.lines.values()):
            raise ValueError("a line has a weight")


class SensorWatch:
    """Follows a tracker and keeps the account of every sensor; says when one gets worse or is well again."""

    def __init__(self) -> None:
        self.misses: dict[str, MissTest] = {}
        self.ghost_touches: dict[str, MissTest] = {}
        """Of electrodes: whether touches had a cause."""
        self.lines: dict[str, ScaleLine] = {}
        self._camera = _Camera()
        self._told: dict[str, Finding] = {}
        self._heard_at = 0.0
        self._clear()

    def _clear(self) -> None:
        """Nothing is known of the game yet."""
        self.wrong: dict[str, MissTest] = {}
        """Of sensors that were wrong in this game."""
        self._counted = 0
        """Steps of the tracker that were counted."""
        self._uneven_since: float | None = None
        self._even_since: float | None = None
        self._total = (0.0, 0)
        """Since when (s) there are so many cards on all scales."""
        self._off: dict[str, float] = {}
        """Scales that may be to blame that the sum was wrong for long, and when each was last off (s)."""
        self.left_on_reader: Difference | None = None
        """The card that a reader still sees, because of which the sum has been wrong for long."""
        self._emptied: dict[str, float] = {}
        """When the scale of each station last told that nothing lies there (s): then it was not stuck."""
        self._uneven_s = 0.0
        """For how long (s) the sum was wrong since there are such scales."""
        self._deaf: set[str] = set()
        """Scales that were never heard although others were."""
        self._resting: dict[str, Count] = {}
        """The last count of each scale that was not compared yet."""
        self._touches: list[Touch] = []
        self._caused: set[tuple[float, str]] = set()
        """Time (s) and station of touches that a step explains."""
        self._outages: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
        """When each source was away in this game, from and to (s), inf while it is."""

    @property
    def standing(self) -> tuple[Finding, ...]:
        """The findings on sensors that were told to fail and have not recovered since."""
        # Those of an earlier game are known in English alone, unless the sensor still fails in the same way.
        now = self._findings(self._heard_at)
        return tuple(now.get(source, found) for source, found in self._told.items() if not found.ok)

    @property
    def failing(self) -> frozenset[str]:
        """Sensors that miss what happens: nothing that they should have felt is certain."""
        tests = (*self.misses.items(), *self.wrong.items())
        found = {source for source, test in tests if test.failing}
        return frozenset(found | self._deaf | ({"scales"} if self._off else set()))

    @property
    def account(self) -> dict[str, Any]:
        """What another watch has to take over to go on like this one, as plain values; empty at first."""
        accounts = (self.misses, self.ghost_touches, self.lines, self._told)
        if not any(accounts) and not self._camera.looks and not self._camera.lost:
            return {}
        known = Account(self.misses, self.ghost_touches, self.lines, self._camera, self._told)
        plain: dict[str, Any] = msgspec.to_builtins(known, enc_hook=in_english)
        return plain

    def take_over(self, account: Mapping[str, Any]) -> None:
        """Go on from the account of an earlier game; what is none changes nothing."""
        try:
            known = msgspec.convert(account, Account)
        except msgspec.ValidationError:
            return
        self.misses, self.ghost_touches, self.lines = known.misses, known.ghost_touches, known.lines
        self._camera, self._told = known.camera, known.told

    def blame(self, source: str) -> None:
        """What a sensor said was believed, and cards that were turned up showed that it was wrong."""
        self.wrong.setdefault(source, MissTest(HEALTH.usual_wrong, HEALTH.failing)).take(True)

    def begin(self) -> None:
        """Another game: what was concluded from the cards of the one before is over."""
        self._clear()
        failing = self._findings(self._heard_at)
        self._told = {source: found for source, found in self._told.items() if source in failing}

    def feed(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> list[Finding]:
        """Take a batch that the tracker has taken already; what changed in a sensor's health.

        Nothing is concluded from time alone, so that a recording leads to the same.
        """
        if not observations:
            return []
        self._heard_at = t
        restarted = any(isinstance(seen, ManualEntry) and seen.what == "resumed" for seen in observations)
        for seen in observations:
            if isinstance(seen, Health):
                self._came_or_went(seen)
            match seen:
                case Count():
                    self._resting[seen.station] = seen
                    if not seen.n:
                        self._emptied[seen.station] = t
                case Touch(_, _, True):
                    self._touches.append(seen)
                case Sighting():
                    self._look(seen)
                case Health(_, "camera", False) if not restarted:
                    self._camera.lost.append(t)
                case ManualEntry(_, "resumed", {"mended": str(step)}):
                    self._forget(step)
        self._counted = min(self._counted, len(tracker.steps))
        while self._counted < len(tracker.steps) and t - tracker.steps[self._counted].t >= HEALTH.certain_s:
            before = tracker.steps[self._counted - 1].t if self._counted else -inf
            self._count(tracker, tracker.steps[self._counted], before)
            self._counted += 1
        self._weigh(t, tracker)
        self._add_up(t, tracker)
        self._find_ghosts(t)
        return self._news(t)

    def _forget(self, step: str) -> None:
        """Begin the account anew of each sensor that this step of setup has just measured."""
        accounts: tuple[dict[str, Any], ...] = (self.misses, self.ghost_touches, self.wrong, self.lines)
        for account in accounts:
            for source in [one for one in account if mending_step(one) == step]:
                del account[source]
        if mending_step("scales") == step:
            self._off.clear()
            self._deaf.clear()
            self._resting.clear()
            self._uneven_since = None
        if mending_step("camera") == step:
            self._camera = _Camera()

    def _came_or_went(self, seen: Health) -> None:
        """A source is away, or there again."""
        outages = self._outages[seen.source]
        away = bool(outages) and outages[-1][1] == inf
        if not seen.ok and not away:
            outages.append((seen.t, inf))
        elif seen.ok and away:
            outages[-1] = (outages[-1][0], seen.t)

    def _out(self, since: float, until: float, *sources: str) -> bool:
        """Whether one of the sources was away at a time between these (s): what was not felt then, or is
        believed of that time, says nothing of a sensor."""
        return any(
            begin - OUTAGES.noticed_late_s <= until and since <= end + OUTAGES.settled_s
            for source in sources
            for begin, end in self._outages.get(source, ())
        )

    def _count(self, tracker: Tracker[Any, Any], step: Step[Any, Any], since: float | None = None) -> None:
        """Which of the signs of a certain step were there; it was done after `since` (s)."""
        since = step.t if since is None else since
        lost = tracker.sensed.outages.lost(step.t)
        used = list(step.used)
        missed: set[str] = set()
        self._caused.update((detection.t, detection.sign.place) for detection in used)
        signs = tracker.game.signs(step.before, step.action)
        for wanted in signs:
            verb = wanted[0]
            if not SIGN_MODELS[verb].health or not was_heard(tracker, wanted) or not step.used:
                continue
            source = SIGN_MODELS[verb].health.format(wanted[1])
            detection = matching(wanted, used)
            out = lost or self._out(since, step.t, "board", "camera", source)
            excused = out or _told_at_once(tracker, wanted, signs) or _beneath_hand(tracker, wanted, step.t)
            if detection is None and (excused or source in missed):
                continue  # a moment too short for a scale, or a sticker that lies hidden, was missed as a whole
            if detection is None:
                missed.add(source)
            usual = exp(-SIGN_MODELS[Verb.TAG if verb == Verb.SILENT else verb].missed_nats)
            bad = HEALTH.texture_failing if verb == Verb.TEXTURE else HEALTH.failing
            self.misses.setdefault(source, MissTest(usual, bad)).take(detection is None)

    def _weigh(self, t: float, tracker: Tracker[Any, Any]) -> None:
        expected = tracker.game.expected_view(tracker.state).counts
        for station, count in list(self._resting.items()):
            if t - count.t < HEALTH.certain_s:
                continue
            del self._resting[station]
            if expected.get(station) == count.n:
                self.lines.setdefault(f"{station} scale", ScaleLine()).take(count.n, count.raw)

    def _add_up(self, t: float, tracker: Tracker[Any, Any]) -> None:
        """Whether the scales carry as many cards as there are, and which of them says nothing at all."""
        expected, counts = tracker.game.expected_view(tracker.state).counts, tracker.sensed.told_counts
        self.left_on_reader = None
        unknown = "board" in tracker.sensed.silent or tracker.sensed.outages.lost(t)
        if not counts or not any(expected.values()) or unknown:
            self._uneven_since = None
            return
        heard = tracker.sensed.counts
        self._deaf |= {f"{station} scale" for station, n in expected.items() if n and station not in heard}
        cards_due = sum(expected.values())
        if cards_due != self._total[1]:
            self._total = (t, cards_due)
        if sum(counts.get(one, n) for one, n in expected.items()) == cards_due:
            self._uneven_since = None
            self._even_since = t if self._even_since is None else self._even_since
            self._off = {one: at for one, at in self._off.items() if not _was_in_hand(tracker, one, at)}
            if t - self._even_since >= HEALTH.even_s:
                self._off = {
                    one: at
                    for one, at in self._off.items()
                    if not _moved_since(tracker, one, at) and self._emptied.get(one, -inf) <= at
                }
            return
        self._even_since = None
        if t - self._total[0] < HEALTH.unchanged_s:
            return
        self._uneven_since = t if self._uneven_since is None else self._uneven_since
        if t - self._uneven_since >= HEALTH.uneven_s:
            self.left_on_reader = tracker.left_on_reader
        if t - self._uneven_since >= HEALTH.uneven_s and self.left_on_reader is None:
            self._uneven_s = max(t - self._uneven_since, self._uneven_s if self._off else 0.0)
            self._off |= {one: t for one, n in expected.items() if counts.get(one, n) != n}

    def _find_ghosts(self, t: float) -> None:
        due = [one for one in self._touches if t - one.t >= 2 * HEALTH.certain_s]
        self._touches = self._touches[len(due) :]
        for one in due:
            caused = (one.t, one.station) in self._caused
            if not caused and self._out(one.t, one.t, "board", "camera"):
                continue
            test = self.ghost_touches.setdefault(
                f"{one.station} electrode", MissTest(HEALTH.usual_ghost, HEALTH.ghostly)
            )
            test.take(not caused)
            self._caused.discard((one.t, one.station))

    def _look(self, seen: Sighting) -> None:
        camera = self._camera
        for card in seen.cards:
            if card.card == UNREAD:
                continue
            camera.looks += 1
            share = 1 / min(camera.looks, HEALTH.looks)
            camera.lately += share * (card.quality - camera.lately)
            if camera.looks <= HEALTH.looks:
                camera.first = camera.lately

    def _news(self, t: float) -> list[Finding]:
        """What is different from what was told."""
        news = []
        now = self._findings(t)
        for source in sorted(now.keys() | self._told.keys()):
            found = now.get(source, Finding(source, True, text("works again")))
            if found.ok != (source not in self._told or self._told[source].ok):
                self._told[source] = found
                news.append(found)
        return news

    def _findings(self, t: float) -> dict[str, Finding]:
        """Every sensor about which something is wrong at `t` (s)."""
        wrong: dict[str, Text] = {}
        for source, test in self.ghost_touches.items():
            if test.failing:
                wrong[source] = text(
                    "{misses} of {samples} touches had no cause: dry it, keep sleeves off it",
                    misses=test.misses,
                    samples=test.samples,
                )
        for source, line in self.lines.items():
            empty, full = line.at(0), line.at(MISSES.full) - MISSES.full
            if max(abs(empty), abs(full)) >= HEALTH.off_cards:
                wrong[source] = text(
                    "drifts: off by {empty} cards when empty, {full} under {count}; weigh it anew",
                    empty=f"{empty:+.1f}",
                    full=f"{full:+.1f}",
                    count=MISSES.full,
                )
        camera = self._camera
        camera.lost = [at for at in camera.lost if t - at < HEALTH.losses_s]
        if len(camera.lost) >= HEALTH.losses:
            wrong["camera's hold"] = text(
                "lost the mat {times} times in {minutes} minutes: fix camera and mat",
                times=len(camera.lost),
                minutes=round(HEALTH.losses_s / 60),
            )
        if camera.looks > HEALTH.looks and camera.lately < HEALTH.dull * camera.first:
            wrong["camera's view"] = text(
                "reads at {percent} % of its first quality: focus, light, lens",
                percent=round(100 * camera.lately / camera.first),
            )
        wrong |= dict.fromkeys(self._deaf, text("never heard: check its wire"))
        if self._off and self._uneven_s >= HEALTH.uneven_told_s:
            wrong["scales"] = text("do not add up, one may be stuck")
        for source, test in self.misses.items():
            if test.tells:
                missed = MISSED_CAMERA if source == "camera" else MISSED
                wrong[source] = missed.of(misses=test.misses, samples=test.samples)
        for source, test in self.wrong.items():
            if test.failing:
                wrong[source] = text(
                    "was wrong {times} times, as turned up cards showed: check it, and what it learned",
                    times=test.misses,
                )
        return {source: Finding(source, False, detail) for source, detail in wrong.items()}


def _moved_since(tracker: Tracker[Any, Any], station: str, since: float) -> bool:
    """Whether a scale has felt a card come or go after `since` (s) that is believed to have moved."""
    lately = takewhile(lambda step: step.t > since, reversed(tracker.steps))
    return any(
        detection.sign.verb in SCALE_SIGNS and detection.sign.place == station
        for step in lately
        for detection in step.used
    )


def _was_in_hand(tracker: Tracker[Any, Any], station: str, until: float) -> bool:
    """Whether the card that a scale had lost was in a hand until after `until` (s): the same believed step has
    the sign of this scale and that of the scale which it came to."""
    lately = takewhile(lambda step: step.t > until, reversed(tracker.steps))
    return any(
        any(one.sign[:2] == (Verb.LIFT, station) and one.t <= until for one in step.used)
        and any(one.sign.verb == Verb.PUT and one.t > until for one in step.used)
        for step in lately
    )


def _told_at_once(tracker: Tracker[Any, Any], wanted: Sign, signs: Iterable[Sign]) -> bool:
    """Whether a scale that told nothing of a card's coming or going shows the right number all the same: a
    card was laid on it before it had settled, and it told of two at once."""
    there = [verb for verb, place, _ in signs if place == wanted[1] and verb in SCALE_SIGNS]
    if wanted[0] not in SCALE_SIGNS or len(there) > 1:
        return False
    expected = tracker.game.expected_view(tracker.state).counts
    return tracker.sensed.counts[wanted[1]] == expected.get(wanted[1])


def _beneath_hand(tracker: Tracker[Any, Any], wanted: Sign, t: float) -> bool:
    """Whether a hand that rests on a scale, or has lately, may have hidden a card from it at `t` (s)."""
    verb, place, _ = wanted
    left = tracker.sensed.covered.get(place, -inf)
    return verb in SCALE_SIGNS and (left == inf or -SCALES.hand_on_scale_s < t - left < COSTS.covered_s)


def was_heard(tracker: Tracker[Any, Any], wanted: Sign) -> bool:
    """Whether the sensor that would notice a sign ever said anything: one that is not there misses nothing."""
    verb, place, _ = wanted
    if verb in SCALE_SIGNS:
        return place in tracker.sensed.counts
    return (SIGN_MODELS[verb].needs or detected_as(verb)) in tracker.sensed.heard
