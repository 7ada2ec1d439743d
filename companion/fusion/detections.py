"""What is sensed: facts (what lies where now) and detections (what passed and waits for a cause)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from math import inf
from typing import NamedTuple

from companion.fusion.hand_stays import YOUNG_S, HandStays
from companion.fusion.occlusion import HandOcclusion, in_time
from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import CAMERA, DETECTIONS, HANDS, OUTAGES, SCALES
from companion.fusion.parameters.sign_models import ON_PAD, SCALE_SIGNS, SIGN_MODELS
from companion.fusion.sensor_outages import SensorOutages
from companion.games.appearance import Survey
from companion.games.signs import UNKNOWN_KIND, Sign, Verb
from companion.sensing.observation import (
    SOURCES,
    UNREAD,
    Button,
    Count,
    Health,
    ManualEntry,
    Observation,
    Reach,
    Sighting,
    TagRead,
    Texture,
    Touch,
)
from vision.art_codes import kind_by_art

FELT = (*SCALE_SIGNS, Verb.TOUCH)
"""Signs made by a hand that the camera sees over a load cell."""


COPIED = (dict, list, set, Counter, HandOcclusion, HandStays, SensorOutages)
"""What changes in place; the rest of a table is replaced, or never changes."""


Pose = tuple[float, float, float]
"""x, y (mm) and turn (degrees) of a card."""


class Detection(NamedTuple):
    """A sign that a sensor reported, its number, and its time (s, host's clock).

    `alone`: no known hand could have caused it. `made`: when a hand was there that did (from, until; s), if it
    left so long before that the scale reported late. `taken`: of the cards of a sweep (kinds, sorted) those
    that were seen to go before the others. `doubt`: probability that a card known by its art is another one.
    `alike`: a card known by its art has come: it may be one that lay there before, or another one of its kind.
    `pose`: where such a card lies, or lay before it went (mm, mm, degrees). `meant`: other stations at which a
    touch may have been, and what that costs (nats). `by_art`: a card that lies there is known by its art.
    """

    id: int
    t: float
    sign: Sign
    alone: bool = False
    made: tuple[float, float] | None = None
    taken: tuple[str, ...] = ()
    doubt: float = 0.0
    alike: bool = False
    pose: Pose | None = None
    meant: tuple[tuple[str, float], ...] = ()
    by_art: bool = False


class SensedTable:
    """Folds observations into facts (what lies where now) and open detections (what passed).

    `kinds`: code of a physical card -> its kind. `textures`: texture class -> the kinds that feel so.
    `watched`: the (verb, place) pairs that mean something to the game. `meant`: other stations at which a touch
    may have been.
    """

    def __init__(
        self,
        kinds: Mapping[str, str],
        watched: Collection[tuple[str, str]],
        textures: Mapping[str, tuple[str, ...]],
        meant: Callable[[Touch], tuple[tuple[str, float], ...]] = lambda _: (),
    ) -> None:
        self._kinds = kinds
        self._meant = meant
        self._textures = textures
        self._watched = watched
        self.zones: dict[str, tuple[str, ...]] = {}
        """Zone -> kinds at rest there, sorted; a zone never seen settled is absent."""
        self.counts: dict[str, int] = {}
        """Station -> cards on its load cell; a cell that never reported is absent."""
        self.detections: list[Detection] = []
        self.silent: set[str] = set()
        """Sensors that last said they do not work: camera, board."""
        self.away = {"board": -inf, "camera": -inf}
        """When the last outage of each began (s)."""
        self.back = {"board": -inf, "camera": -inf}
        """When it ended (s), inf while it lasts: what passed meanwhile is never reported."""
        self.outages = SensorOutages()
        self.resumed = -inf
        """When the program was started again amid the game (s)."""
        self._codes: dict[str, frozenset[str]] = {}
        self._poses: dict[str, dict[str, Pose]] = {}
        """Zone -> card there that is known by its art -> how it lies."""
        self._since_empty: dict[str, frozenset[str]] = {}
        self.unread: dict[str, int] = {}
        """Zone -> number of cards that lie there and cannot be read; a zone never seen settled is absent."""
        self.lying: dict[str, tuple[str, ...]] = {}
        """`zones` with an UNKNOWN_KIND for each unread card, where the game counts these ("lies")."""
        self.doubt: dict[str, float] = {}
        """Zone -> probability that the least certain card there that is known by its art is another one."""
        self.changed: dict[str, float] = {}
        """Zone -> when what lies there changed last (s)."""
        self._vanished: dict[str, tuple[float, int]] = {}
        """Zone -> when (s) unread cards vanished from it among which none was read, and how many."""
        self._most_lay: dict[str, int] = {}
        """Zone -> the most cards that lay there since it was empty."""
        self._taken: dict[str, dict[str, float]] = {}
        """Zone -> card that was seen to go since the zone was empty, while others stayed -> when (s)."""
        self._left: dict[str, frozenset[str]] = {}
        """Zone -> the cards that were there when it became empty last."""
        self._tops: dict[str, frozenset[str]] = {}
        """Pile -> what was read on top of it last."""
        self._hidden_sweeps = 0
        """Sweeps since a card was read on top of a pile."""
        self._met: dict[str, frozenset[str]] = {}
        """Zone -> every card that ever lay there: one that shows again is not new."""
        self.covered: dict[str, float] = {}
        """Station -> when a hand left its scale (s), inf while it rests there and hides what comes and goes."""
        self.jumped: dict[str, float] = {}
        """Station -> when its scale last gained several cards at once (s)."""
        self._hands: dict[str, tuple[float, int]] = {}
        """Station -> since when a hand rests there (s), and what the scale shows."""
        self._drummed: dict[str, tuple[float, ...]] = {}
        """Station -> when its scale changed lately (s)."""
        self._leapt: dict[str, tuple[float, int]] = {}
        """Station -> when its scale changed by several cards at once without a sign (s), and by how many."""
        self._most: dict[str, int] = {}
        """Station -> the last count that was not 0."""
        self._unweighed: list[tuple[float, Sign]] = []
        """Signs of the pad, and when (s), before any scale was heard: without scales nobody knows where a card
        that was tapped came from or went."""
        self._tags: dict[str, frozenset[str]] = {}
        """Reader -> the cards whose tags it has read since its field was empty."""
        self.lain: set[int] = set()
        """Numbers of the detections of turned up cards that then lay there for `CAMERA.lain_s`."""
        self.hands = HandOcclusion()
        """Hands over the load cells."""
        self.heard: set[str] = set()
        """Verbs detected so far: for others the sensor may not exist."""
        self.noted: Counter[Verb] = Counter()
        """Verb -> signs so far, without those that were known already."""
        self.next = 0
        """The number of the next detection."""
        self._stays = HandStays()

    def feed(self, observations: Iterable[Observation]) -> bool:
        """Take a batch in; whether anything changed that an action may explain."""
        changed = False
        for seen in observations:
            self.outages.last = seen.t
            before = self.next
            changed |= self._take(seen)
            if isinstance(seen, Count):
                self._hear_scale(seen)
            elif self.next > before and not isinstance(seen, Reach):
                self._stays.hear(seen.t)
                self._explain_stays(seen.t)
        return changed

    def survey(self, t: float, used: Collection[int]) -> Survey:
        """What the working sensors tell at `t` (s) of a table at rest; detections in `used` have a cause."""
        zones = {} if "camera" in self.silent else dict(self.zones)
        loose = [detection for detection in self.detections if detection.id not in used]
        moved = {detection.sign.place for detection in loose if detection.sign.verb in SCALE_SIGNS}
        moved |= {station for station in self.counts if self.outages.doubtful(t, station)}
        pressed = {
            detection.sign.place: detection.t for detection in loose if detection.sign.verb == Verb.PRESS
        }
        lifted = (detection for detection in self.detections if detection.sign.verb == Verb.OFF)
        claimed = {one.sign.place for one in lifted if pressed.get(one.sign.place, inf) < one.t}
        claimed |= self.outages.claimed(t)
        # While the board was away nobody heard a button.
        claimed |= {one.sign.place for one in loose if one.sign.verb == Verb.CAME and self.unheard(one.t)}
        return Survey(
            zones,
            {station: n for station, n in self.counts.items() if not self.outages.deaf(station)},
            frozenset(moved | self.outages.unexplained),
            frozenset(claimed),
            {zone: kinds or self._sorted_kinds(self._left.get(zone, ())) for zone, kinds in self.zones.items()},
            face_down={} if "camera" in self.silent else dict(self.unread),
        )

    def _take(self, seen: Observation) -> bool:
        """Take one observation in; whether anything changed that an action may explain."""
        if (source := SOURCES.get(type(seen), "")) in self.silent:
            self._came_or_went(seen.t, source, ok=True)
        match seen:
            case Sighting(t, zone, cards):
                codes = frozenset(card.card for card in cards if card.card in self._kinds)
                unread = sum(card.card == UNREAD for card in cards)
                turned = unread != self.unread.get(zone)
                by_art = [card for card in cards if kind_by_art(card.card) is not None]
                self.doubt[zone] = max((1 - card.quality for card in by_art), default=0.0)
                before, now = self._poses.get(zone, {}), {one.card: (one.x, one.y, one.angle) for one in by_art}
                self._poses[zone] = now
                swept = self._unread_swept(t, zone, codes, unread)
                changed = self._sighting(t, zone, codes, before | now)
                return self._unread_piled(t) or changed or swept or turned
            case Count(t, station, n):
                return self._count(t, station, n)
            case TagRead(t, station, card):
                return self._tag(t, station, card)
            case Texture(t, station, cls, p) if p >= COSTS.sure_texture and (cls or "") in self._textures:
                # Of two cards pressed together it is unknown which one was felt.
                if len(self._tags.get(station, ())) < 2:
                    return self._note(t, Sign(Verb.TEXTURE, station, self._textures[cls or ""]))
            case Touch(t, station, pressed) as touch:
                self.hands.feel(t, station, pressed)
                self.heard.add(Verb.TOUCH)
                return pressed and self._note(t, Sign(Verb.TOUCH, station), meant=self._meant(touch))
            case Button(t, station):
                return self._note(t, Sign(Verb.PRESS, station))
            case ManualEntry(t, "claim", {"station": str(station)}):
                return self._note(t, Sign(Verb.PRESS, station))
            case Reach(t, zone, over) if (Verb.LIFT, zone) in self._watched:
                return self._reached(t, zone, over)
            case Reach(t, zone, False):
                return self._note(t, Sign(Verb.REACH, zone))
            case Health(t, ("camera" | "board") as source, ok):
                self._came_or_went(t, source, ok=ok)
            case Health(t, source, ok):
                self._part_came_or_went(t, source, ok=ok)
            case ManualEntry(t, "resumed"):
                self.resumed = t
        return False

    def _came_or_went(self, t: float, source: str, *, ok: bool) -> None:
        """The camera or the board fell silent, or is there."""
        away = source in self.silent
        if not ok and not away:
            self.away[source] = t
        (self.silent.discard if ok else self.silent.add)(source)
        if source == "camera":
            self.hands.sight(t, ok=ok)
        if away or not ok:
            # Who only says that they work, as at the beginning, has missed nothing.
            self.back[source] = t if ok else inf
        self.outages.hear(t, source, ok=ok)

    def _part_came_or_went(self, t: float, source: str, *, ok: bool) -> None:
        """A scale or a reader fell silent, or is there."""
        station, _, part = source.rpartition(" ")
        if part == "scale" and station in self.counts:
            self.outages.hear(t, source, ok=ok)
        elif part == "reader" and not ok:
            self._tags.pop(station, None)

    def rewired(self, t: float, one: str, other: str) -> None:
        """Two electrodes turned out at `t` (s) to be connected crosswise: touches with no hand there were meant
        at the other station. Those of earlier actions have their cause by that."""
        there = {one: other, other: one}
        self.hands.rewired(one, other)
        read = []
        for touch in self.detections:
            place = touch.sign.place
            if touch.sign.verb != Verb.TOUCH or not touch.alone or place not in there:
                read.append(touch)
            elif t - touch.t <= DETECTIONS.reread_s:
                alone = self.hands.absent(touch.t, there[place], weighed=False)
                read.append(touch._replace(sign=touch.sign._replace(place=there[place]), alone=alone))
        self.detections = read

    def copy(self) -> "SensedTable":
        """An independent copy."""
        twin = copy(self)
        for name, value in vars(self).items():
            if type(value) in COPIED:
                setattr(twin, name, value.copy())
        return twin

    def _tag(self, t: float, station: str, card: str | None) -> bool:
        if card is None:
            self._tags[station] = frozenset()
        if card is None or card not in self._kinds:
            return False
        self._tags[station] = self._tags.get(station, frozenset()) | {card}
        return self._note(t, Sign(Verb.TAG, station, (self._kinds[card],)))

    @property
    def told_counts(self) -> Mapping[str, int]:
        """The counts of scales that are not away alone: what such a scale told last says nothing of later
        moves."""
        silent = self.outages.silent_scales
        return {at: n for at, n in self.counts.items() if at not in silent} if silent else self.counts

    @property
    def on_readers(self) -> Mapping[str, int]:
        """Reader -> number of cards whose tags it still sees; none while the board is away."""
        seen = {} if "board" in self.silent else self._tags
        return {station: len(cards) for station, cards in seen.items() if cards}

    def weighs(self, place: str) -> bool:
        """Whether a scale tells how many cards lie at a place."""
        return place in self.counts and not self.outages.deaf(place)

    def lay(self, t: float, shown: Detection) -> bool:
        """Whether turned up cards have lain there for `CAMERA.lain_s` by `t` (s), which was not known
        before."""
        if (
            shown.id in self.lain
            or t - shown.t < CAMERA.lain_s
            or self.zones.get(shown.sign.place) != shown.sign.kinds
        ):
            return False
        self.lain.add(shown.id)
        return True

    def all_shown(self, shown: Detection) -> bool:
        """Whether turned up cards may be all of their place: its scale carried as many, or they have lain there
        where nothing weighs them."""
        _, place, kinds = shown.sign
        if self.weighs(place):
            return self._most.get(place, len(kinds)) == len(kinds)
        return shown.id in self.lain

    def unheard(self, t: float) -> bool:
        """Whether the button of a claim whose cards were turned up at `t` (s) may have been pressed while the
        board was away."""
        return self.away["board"] <= t <= self.back["board"] + PEOPLE.pressed_before_s

    def told(self, t: float, place: str, kinds: tuple[str, ...]) -> None:
        """Players say at `t` (s) what was turned up at a place, and that it was all: as if it had been seen."""
        if self._note(t, Sign(Verb.CAME, place, kinds)):
            self.lain.add(self.detections[-1].id)

    def watches(self, verb: Verb) -> bool:
        """Whether a sign of this verb means something to the game."""
        return any(verb == one for one, _ in self._watched)

    def lies(self, zone: str) -> bool:
        """Whether cards in this zone are counted even if they cannot be read."""
        return (Verb.LIES, zone) in self._watched

    def rests(self, zone: str, now: float) -> bool:
        """Whether nothing is added any more at `now` (s) to the cards that somebody has begun to lay here."""
        return self.lies(zone) and now - self.changed.get(zone, -inf) >= PEOPLE.laid_s

    def came_to_rest(self, before: float, now: float) -> bool:
        """Whether cards in some zone came to `rest` between two times (s)."""
        return any(self.rests(zone, now) and not self.rests(zone, before) for zone in self.changed)

    def grows(self, seen: Sighting) -> bool:
        """Whether a zone shows all that it showed before, and perhaps more: still the same event."""
        return self._codes.get(seen.zone, frozenset()).issubset(card.card for card in seen.cards)

    def taken_out(self, done: Callable[[Detection], bool]) -> list[Detection]:
        """Remove the detections that are `done`, and return them."""
        out = [detection for detection in self.detections if done(detection)]
        if out:
            self.detections = [detection for detection in self.detections if not done(detection)]
        return out

    def _sighting(self, t: float, zone: str, codes: frozenset[str], poses: Mapping[str, Pose]) -> bool:
        """`poses`: of the cards known by their art that lie there, and of those that have just gone."""
        before = self._codes.get(zone, frozenset())
        unread = (UNKNOWN_KIND,) * (self.unread[zone] if self.lies(zone) else 0)
        kinds = self._sorted_kinds(codes)
        lying = tuple(sorted((*kinds, *unread)))
        if zone in self._codes and codes == before and self.lying[zone] == lying:
            return False
        fewer = len(self.lying.get(zone, ())) - len(lying)
        self.lying[zone], self.changed[zone] = lying, t
        self._codes[zone] = codes
        self.zones[zone] = kinds
        met = self._met.get(zone, frozenset())
        self._met[zone] = met | codes
        for code in sorted(before ^ codes):
            verb = Verb.GONE if code in before else Verb.BACK if code in met else Verb.NEW
            # Of a card known by its art nobody knows which copy it is.
            alike = verb != Verb.GONE and (Verb.BACK, zone) in self._watched and kind_by_art(code) is not None
            self._note(
                t,
                Sign(Verb.NEW if alike else verb, zone, (self._kinds[code],)),
                alike=alike,
                pose=poses.get(code),
            )
        if codes - before:
            # Everything that lies there: a sticker hidden at first belongs to those beside it.
            self._note(t, Sign(Verb.CAME, zone, kinds))
        if codes and codes != self._tops.get(zone):
            # A top that was out of sight or unread for a while, and is the same, was not covered.
            self._note(t, Sign(Verb.TOPPED, zone, kinds))
            self._tops[zone] = codes
        taken = {code: at for code, at in self._taken.get(zone, {}).items() if code not in codes}
        if self.lies(zone) and fewer >= len(before - codes):
            # One card less lies there: it is not only unreadable.
            taken |= dict.fromkeys(before - codes, t)
        since_empty = self._since_empty.get(zone, frozenset()) | codes
        if codes & self._left.get(zone, frozenset()):
            self._note(t, Sign(Verb.AGAIN, zone, self._sorted_kinds(self._left.pop(zone))))
        most = max(self._most_lay.get(zone, 0), len(lying))
        if most and not lying:
            never_read = (UNKNOWN_KIND,) * (most - len(since_empty))
            left = tuple(sorted((*self._sorted_kinds(since_empty), *never_read)))
            earlier = self._sorted_kinds(code for code, at in taken.items() if t - at > CAMERA.gathered_s)
            self._note(t, Sign(Verb.LEFT, zone, left), taken=earlier)
            self._left[zone] = since_empty
            since_empty, most, taken = frozenset(), 0, {}
        self._since_empty[zone], self._most_lay[zone] = since_empty, most
        self._taken[zone] = taken
        return True

    def _unread_swept(self, t: float, zone: str, codes: frozenset[str], unread: int) -> bool:
        """Whether unread cards left a zone together with the read ones. Of unread ones alone the pile tells."""
        before, fewer = self._codes.get(zone, frozenset()), self.unread.get(zone, 0) - unread
        self.unread[zone] = unread
        if fewer <= 0 or codes & before:
            return False
        if not before:
            # They were read at last, or were none, or the camera restarted, unless the pile changes as well.
            # Where cards are not followed one by one, one that is turned up elsewhere is no pile.
            if not codes and (Verb.GONE, zone) in self._watched:
                self._vanished[zone] = (t, fewer)
            return False
        detection = [self._note(t, Sign(Verb.UNREAD, zone)) for _ in range(fewer)]
        return any(detection)

    def _unread_piled(self, t: float) -> bool:
        """Whether cards that were never read were swept: another one shows on a pile since they vanished."""
        swept = []
        for zone, (at, number) in list(self._vanished.items()):
            new = (one for one in self.detections if one.sign.verb == Verb.NEW and one.sign.place != zone)
            piled = any(abs(one.t - at) <= CAMERA.piled_s for one in new)
            if piled:
                swept += [self._note(at, Sign(Verb.UNREAD, zone)) for _ in range(number)]
            if piled or t - at > CAMERA.piled_s:
                del self._vanished[zone]
        return any(swept)

    def _hear_scale(self, told: Count) -> None:
        """A scale tells of something: a card, an arm."""
        if self._stays.weigh(told.t, told.station, told.n):
            self._explain_stays(told.t)
        else:
            self._note_stays(told.t)

    def _note_stays(self, t: float) -> None:
        """By `t` (s) nothing explains the hands that left a moment ago."""
        for station, left in self._stays.unexplained(t):
            self._note(left, Sign(Verb.STAY, station))

    def _explain_stays(self, t: float) -> None:
        """Something else was sensed at `t` (s), which explains a hand that left a moment ago."""
        self.taken_out(lambda detection: detection.sign.verb == Verb.STAY and t - detection.t < YOUNG_S)

    def weigh_hands(self, t: float) -> bool:
        """Count what rests on a scale too long (`t` in s) to be a hand; whether there is any."""
        changed = False
        for station, (since, n) in self._hands.items():
            if t - since >= SCALES.hand_on_scale_s and self.counts.get(station) != n:
                self.counts[station] = n
                changed = True
        for station in [one for one, times in self._drummed.items() if t - times[-1] >= SCALES.hand_on_scale_s]:
            if len(self._drummed.pop(station)) >= SCALES.drum_changes:
                # It is weighed again; nobody knows what was moved there meanwhile.
                self.counts[station] = self._hands.pop(station)[1]
                self.covered[station] = t
                self.outages.hear(t, f"{station} scale", ok=True)
                changed = True
        return changed

    def laid_back(self) -> None:
        """Hands laid cards back: which cards lay where before tells nothing of those that come."""
        self.detections.clear()
        self._met = dict(self._codes)
        self._since_empty = dict(self._codes)
        self._most_lay = {zone: len(lying) for zone, lying in self.lying.items()}
        for memory in (self._taken, self._left, self._vanished):
            memory.clear()

    def weighed_anew(self, station: str, n: int, sign: Sign) -> None:
        """A scale was off: it carries `n` cards, and its signs of this kind meant nothing."""
        self.counts[station] = n
        self.taken_out(lambda one: one.sign == sign)

    def _is_drummed(self, t: float, station: str, n: int) -> bool:
        """Whether a scale changes so often that somebody plays with it: it tells nothing until it rests."""
        times = self._drummed.get(station, ())
        drummed = len(times) >= SCALES.drum_changes
        if n != (self._hands[station][1] if drummed else self.counts.get(station, n)):
            times = times if drummed else tuple(one for one in times if t - one < SCALES.drum_s)
            self._drummed[station] = times = (*times, t)[-SCALES.drum_changes :]
        if len(times) < SCALES.drum_changes:
            return False
        if not drummed:
            self.counts.pop(station, None)
            self.outages.hear(t, f"{station} scale", ok=False)
            self.taken_out(
                lambda one: (
                    one.sign.place == station
                    and one.sign.verb in (*SCALE_SIGNS, Verb.OFF)
                    and t - one.t <= SCALES.drum_s
                )
            )
        self._hands[station] = (inf, n)
        self.covered[station] = inf
        return True

    def _count(self, t: float, station: str, n: int) -> bool:
        if self._is_drummed(t, station, n):
            return False
        before = self.counts.get(station)
        tapped, self._unweighed = self._unweighed, []
        if n > self._most.get(station, before or 0) + SCALES.most_at_once:
            self._hands[station] = (self._hands.get(station, (t, n))[0], n)
            self.covered[station] = inf
            return False
        left = self._hands.pop(station, None) is not None
        if left:
            self.covered[station] = t
            self._note(t, Sign(Verb.HAND, station))
        self.counts[station] = n
        for at, sign in tapped:
            self._note(at, sign)
        if n > self._most.get(station, 0) + 1:
            self.jumped[station] = t
        if n:
            # A pile that is lifted for a moment, to be turned up, comes back with the same count.
            self._most[station] = n
        elif before:
            self._note(t, Sign(Verb.OFF, station))
        change = n - (before or 0)
        leapt, by = self._leapt.pop(station, (-inf, 0))
        if change and change * -2 == by and t - leapt <= SCALES.overshot_s:
            change = -change
        verb, undone = (Verb.PUT, Verb.LIFT) if change > 0 else (Verb.LIFT, Verb.PUT)
        # A change by several cards is no move: a pile was turned up or straightened. A restless scale may take
        # back a change just when a card is moved.
        told = any(
            one.sign == (undone, station, ()) and t - one.t <= COSTS.restless_s for one in self.detections
        )
        if abs(change) == 1 or (abs(change) == 2 and told):
            if t - self.back["board"] <= OUTAGES.count_after_s:
                # Where cards were turned up meanwhile nothing was moved afterwards.
                since = self.away["board"]
                shown = (
                    one.t for one in self.detections if one.sign[:2] == (Verb.CAME, station) and one.t >= since
                )
                t = min(t, self.hands.last_left(since, station), *shown)
            for _ in range(abs(change)):
                self._note(t, Sign(verb, station))
        elif change:
            # A pile that is back after it was turned up is no news; one that was dealt unseen is.
            if n and (before or not self.outages.weighed(station)):
                self.outages.note(t, verb, station)
            self._leapt[station] = (t, change)
        return left or n != before

    def _reached(self, t: float, station: str, over: bool) -> bool:
        """A hand over a station explains detections there just before; whether there were any."""
        self.hands.see(t, station, over)
        if not over:
            came = self.hands.stayed(t, station)
            if came is not None and self.covered.get(station, came) <= came:
                self._stays.left(t, station, came)
                self._note_stays(t)
            return False  # no news by itself
        before = self.detections
        feels = self.hands.felt(t, station)

        def caused(one: Detection) -> bool:
            if one.sign.verb == Verb.TOUCH and feels:
                return True  # the finger is there still, and its hand shows only now
            return in_time(t, one.t, weighed=one.sign.verb in SCALE_SIGNS)

        self.detections = [
            one._replace(alone=False) if one.alone and one.sign.place == station and caused(one) else one
            for one in before
        ]
        # An arm that shows only now may have touched here what was felt there.
        self.detections = [
            one._replace(meant=self._meant(Touch(one.t, one.sign.place, True)))
            if one.sign.verb == Verb.TOUCH and not one.alone and t - one.t < HANDS.shown_late_s
            else one
            for one in self.detections
        ]
        return self.detections != before

    def _note(
        self,
        t: float,
        sign: Sign,
        *,
        taken: tuple[str, ...] = (),
        alike: bool = False,
        pose: Pose | None = None,
        meant: tuple[tuple[str, float], ...] = (),
    ) -> bool:
        """Keep a sign that means something to the game as a detection; whether it was kept."""
        verb, place, kinds = sign
        if (verb, place) not in self._watched:
            return False
        if verb in ON_PAD and not self.counts:
            self._unweighed = [one for one in self._unweighed if t - one[0] <= SIGN_MODELS[Verb.TAG].young_s]
            self._unweighed.append((t, sign))
            return False
        self.heard.add(verb)
        if verb == Verb.TOPPED:
            self._hidden_sweeps = 0
        elif verb == Verb.LEFT:
            self._hidden_sweeps += 1
            if self._hidden_sweeps > CAMERA.most_hidden_sweeps:
                self.heard.discard(Verb.TOPPED)
        self.outages.note(t, verb, place)
        weighed = verb in SCALE_SIGNS
        alone = verb in FELT and self.hands.absent(t, place, weighed=weighed)
        alone |= weighed and self.hands.busy(t, place)
        made = self.hands.made(t, place) if weighed else None
        doubt = self.doubt.get(place, 0.0) if kinds else 0.0
        by_art = verb == Verb.CAME and bool(self._poses.get(place))
        # A touch with no hand there is rather spurious, or the wiring is found out when it happens again.
        meant = () if alone else meant
        self.detections.append(
            Detection(self.next, t, sign, alone, made, taken, doubt, alike, pose, meant, by_art)
        )
        self.next += 1
        self.noted[verb] += 1
        return True

    def _sorted_kinds(self, codes: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(self._kinds[code] for code in codes))
