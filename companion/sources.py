"""Where observations come from: a camera, a board, a recording; each turned into the one vocabulary."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from companion.clock import Clock
from companion.config import LensConfig, StationConfig
from companion.events import BoardState
from companion.games.engine import TableGame
from companion.observation import (
    UNREAD,
    Button,
    Count,
    Health,
    Observation,
    Reach,
    Seen,
    Sighting,
    TagRead,
    Touch,
)
from companion.presses import Presses, texture_of
from companion.texture import TextureBook
from firmware import messages as wire
from firmware.link import LinkStats
from firmware.manifest import code_hash
from firmware.wire import CONF_BAND, CONF_STEP
from vision import seen as eyes
from vision.capture import Camera
from vision.lens import Lens
from vision.stickers import Tags
from vision.tracker import Vision

SILENT, BACK = " does not answer", " is back"
"""How the board's log lines about its parts end."""
PARTS, PART_LENGTH = 32, 60
"""Parts of a board whose silence is told, and the letters of their names: more than any rig has. A board that
names others has gone mad."""
LOST_S = 10.0
"""A board that has been away for so long does not come back by itself."""
RTT_SHARE, RTT_STEP_MS = 0.2, 5.0
"""The round trip shown is a running mean, and changes only by more than this and by half."""
STEP_CARDS, BAND_CARDS = 0.45, 1.125
"""What a scale reports, and what still counts as rest; measured with noise of 0.3 card a sample."""
BIAS_GAIN, BIAS_MOST = 0.25, 0.6
"""How fast a scale's drift is followed, and how far (cards): beyond that it is the count that is wrong."""
BIAS_WITHIN = 0.3
"""A reading farther from its count (cards) says nothing of drift: a card that is being laid gives it, too."""
HYSTERESIS = 0.7
"""A scale must leave the count it showed by so many cards: a restless reading between two is neither."""


class Source(Protocol):
    """Anything that observes the table. What only some can do is declared: see Warming, Watching, Linked."""

    def poll(self) -> list[Observation]:
        """What is new since the last call; never blocks, never raises for a sensor that is gone."""
        ...

    @property
    def finished(self) -> bool:
        """True when a recording has come to its end."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


@runtime_checkable
class Warming(Protocol):
    """A source that takes a while until it observes."""

    @property
    def ready(self) -> bool:
        """False until then."""
        ...


@runtime_checkable
class Watching(Protocol):
    """A source that sees hands."""

    @property
    def settled(self) -> bool:
        """False while hands are over the table."""
        ...


@runtime_checkable
class Linked(Protocol):
    """A source behind a link of which screens show how it stands."""

    def board_state(self, now: float) -> BoardState | None:
        """How the link stands at `now` (s); None for one that keeps no statistics."""
        ...


class CameraSource:
    """A camera and the eyes behind it."""

    def __init__(self, camera: Camera, vision: Vision, clock: Clock, reaches: Collection[str] = ()) -> None:
        """`reaches` names the zones where a passing hand means something to the game."""
        self._reaches = reaches
        self._clock = clock
        self._camera = camera
        self._vision = vision
        self._health: tuple[bool, str] | None = None
        self._mat: tuple[bool, str] | None = None  # what the eyes said last, whatever the camera does
        self._looked = False

    @property
    def finished(self) -> bool:
        return self._camera.finished

    @property
    def ready(self) -> bool:
        """Whether a picture was looked at: the first takes long, because the eyes load what they need."""
        return self._looked or self.finished

    @property
    def settled(self) -> bool:
        """False while hands are over the table."""
        return self._vision.settled

    def poll(self) -> list[Observation]:
        """Sightings, reaches and the camera's health from the newest frame, if there is one."""
        found: list[Observation] = []
        frame = self._camera.read()
        if frame is not None:
            for seen in self._vision.feed(frame):
                found += self._translate(seen)
            self._looked = True
        state = self._camera.state
        if not state.ok and self._health != (False, state.detail):
            self._health = (False, state.detail)
            found.append(Health(round(self._clock.now(), 4), "camera", False, state.detail))
        elif state.ok and frame is not None and self._health != self._mat:
            # It was lost and is back: the eyes, to whom no picture came, have nothing new to say.
            self._health = self._mat
            if self._mat is not None:
                found.append(Health(round(frame.t, 4), "camera", *self._mat))
        return found

    def _translate(self, seen: eyes.Seen) -> list[Observation]:
        match seen:
            case eyes.ZoneSeen(t, zone, cards, _, strangers):
                unread = (Seen(UNREAD, round(x, 1), round(y, 1), quality=0.0) for x, y in strangers)
                return [Sighting(round(t, 4), zone, (*(_rounded(card) for card in cards), *unread))]
            case eyes.HandCame(t, zone) | eyes.HandLeft(t, zone):
                over = isinstance(seen, eyes.HandCame)
                return [Reach(round(t, 4), zone, over)] if zone in self._reaches else []
            case eyes.CameraState(t, ok, detail):
                self._health = self._mat = (ok, detail)
                return [Health(round(t, 4), "camera", ok, detail)]
            case eyes.Foreign(t, text):
                return [Health(round(t, 4), "stickers", True, f"a code that is not ours: {text[:40]}")]
            case eyes.Duplicate(t, code, places):
                where = " and ".join(dict.fromkeys(zone for zone, _, _ in places))
                detail = f"two cards carry the same sticker: {code} in {where}"
                return [Health(round(t, 4), "stickers", False, detail)]
        return []

    def close(self) -> None:
        self._camera.close()


def _rounded(card: eyes.CardSeen) -> Seen:
    """Tenths of a millimetre and of a degree: all that a camera can tell, and short in the journal."""
    return Seen(card.code, round(card.x, 1), round(card.y, 1), round(card.angle, 1), round(card.quality, 2))


def measured(lens: LensConfig | None) -> Lens | None:
    """The lens that the settings describe; BadInputError if it is impossible."""
    return None if lens is None else Lens(lens.width, lens.height, lens.focal, lens.cx, lens.cy, lens.k)


def watch(
    game: TableGame[Any, Any], variant: str, camera: Camera, clock: Clock, lens: LensConfig | None = None
) -> CameraSource:
    """A camera above the mat of a game, its eyes told which cards exist and which reaches matter.

    `lens` is the camera's if it was measured.
    """
    reaches = [zone for verb, zone in game.watched(variant) if verb == "reach"]
    strangers_in = [zone for verb, zone in game.watched(variant) if verb == "unread"]
    vision = Vision(
        game.mat(variant), Tags.of(game.cards(variant)), lens=measured(lens), strangers_in=strangers_in
    )
    return CameraSource(camera, vision, clock, reaches)


class BoardLink(Protocol):
    """What a board's link gives: `firmware.link.Link`, or one stepped by a rehearsal."""

    @property
    def finished(self) -> bool: ...

    def poll(self) -> list[wire.Message]:
        """The messages that arrived since the last call."""
        ...

    def configure(self, setting: int, station: str | None, value: int) -> None:
        """Set something on the board, now and whenever it starts again."""
        ...

    def close(self) -> None:
        """Let the port go."""
        ...


class LinkWatch:
    """What a screen shows of a link: its coming and going, missing parts, counters without their flicker."""

    def __init__(self) -> None:
        self._connected: wire.Connected | None = None
        self._down_since: float | None = None
        self._detail = ""
        self._said = ""
        self._lacking: set[str] = set()  # as the handshake has it: by station and capability
        self._silent: set[str] = set()  # as the board's own words have it: by chip
        self.met = False
        """Whether the board has ever answered."""
        self._rtt: float | None = None
        self._shown: int | None = None

    def hear(self, message: wire.Message) -> None:
        """Take a message of the link."""
        match message:
            case wire.Connected():
                self._connected, self._detail, self.met = message, "", True
                self._silent.clear()
                self._lacking = {f"{one.name} {part}" for one in message.stations for part in one.missing}
            case wire.BoardLog(_, text) if not text.endswith((SILENT, BACK)):
                self._said = text
            case wire.BoardLog(_, text):
                # The board names every silent part to each new host: from the first word on they are complete.
                self._lacking.clear()
                if text.endswith(SILENT) and len(self._silent) < PARTS:
                    self._silent.add(text.removesuffix(SILENT)[:PART_LENGTH])
                else:
                    self._silent.discard(text.removesuffix(BACK)[:PART_LENGTH])
            case wire.Disconnected(t, reason, next_step):
                if self._connected is not None or self._down_since is None:
                    self._down_since = t
                self._connected = None
                self._detail = f"{reason}; {next_step}" if next_step else reason

    def state(self, now: float, stats: LinkStats) -> BoardState:
        """The link at `now` (s), by the counters of that moment."""
        up = self._connected
        if up is None:
            since = self._down_since
            lost = since is not None and now - since >= LOST_S
            word = "lost" if lost else "connecting"
        else:
            word = "connected"
        return BoardState(
            state=word,
            detail=self._detail,
            rtt_ms=self._round_trip(stats.rtt_ms),
            resends=stats.resends,
            bad_frames=stats.bad_frames,
            reconnects=stats.reconnects,
            missing=tuple(sorted(self._silent or self._lacking)),
            outdated=up is not None and up.code_hash != code_hash(),
            said=self._said,
        )

    def _round_trip(self, last: float | None) -> int | None:
        if last is not None:
            self._rtt = last if self._rtt is None else self._rtt + RTT_SHARE * (last - self._rtt)
            change = abs(self._rtt - self._shown) if self._shown is not None else self._rtt
            if self._shown is None or (change > RTT_STEP_MS and change > self._shown / 2):
                self._shown = round(self._rtt)
        return self._shown


class BoardSource:
    """The sensor board. Tags are looked up among the enrolled ones, grams become cards, presses the textures of
    `book`, if there is one."""

    def __init__(
        self,
        link: BoardLink,
        tags: Mapping[str, str],
        stations: Mapping[str, StationConfig] | None = None,
        book: TextureBook | None = None,
    ) -> None:
        self._link = link
        self._tags = tags
        self._stations = stations or {}
        self._book = book
        self._presses = Presses()
        self._counts: dict[str, int] = {}
        self._bias: dict[str, float] = {}  # in cards, by station
        self._parts: set[str] = set()  # that the board has named
        self._watch = LinkWatch()

    @property
    def finished(self) -> bool:
        return self._link.finished

    @property
    def ready(self) -> bool:
        """Whether the board has answered; a capture cannot."""
        return self._watch.met or self.finished or bool(getattr(self._link, "recorded", False))

    def board_state(self, now: float) -> BoardState | None:
        """How the link stands at `now` (s); None for one that keeps no statistics."""
        stats: LinkStats | None = getattr(self._link, "stats", None)
        return None if stats is None else self._watch.state(now, stats)

    def poll(self) -> list[Observation]:
        """Events of the board since the last call, and its coming and going."""
        found: list[Observation] = []
        for message in self._link.poll():
            self._watch.hear(message)
            found += self._translate(message)
        return found

    def _translate(self, message: wire.Message) -> list[Observation]:
        match message:
            case wire.TagEvent(t, station, uid):
                if uid is None:
                    return [TagRead(round(t, 4), station, None)]
                card = self._tags.get(uid.hex())
                if card is None:
                    return [Health(round(t, 4), "tags", True, f"a tag that was never enrolled: {uid.hex()}")]
                return [TagRead(round(t, 4), station, card)]
            case wire.WeightEvent(t, station, grams):
                return self._weigh(t, station, grams)
            case wire.TouchEvent(t, station, pressed):
                return [Touch(round(t, 4), station, pressed)]
            case wire.TextureFrame() if self._book is not None:
                press = self._presses.hear(message)
                texture = None if press is None else texture_of(press, self._book)
                return [] if texture is None else [texture]
            case wire.ButtonEvent(t, station, True):
                return [Button(round(t, 4), station)]
            case wire.Connected(t):
                self._tune(message.stations)
                return [Health(round(t, 4), "board", True, "")]
            case wire.Disconnected(t, reason):
                self._presses.forget()
                # A screen has little room, and the port's name is the longest part of it.
                port = getattr(self._link, "port", "")
                return [Health(round(t, 4), "board", False, reason.removeprefix(f"{port}: "))]
            case wire.BoardLog(t, text) if text.endswith((SILENT, BACK)):
                return self._part(t, text)
        # Other words of the board say nothing of whether a part of it works: they are for whoever looks after
        # it, see LinkWatch.
        return []

    def _part(self, t: float, text: str) -> list[Observation]:
        """A part that fell silent or came back."""
        # "bed 2: scale (HX711) does not answer", and to a new host "bed 2 scale does not answer".
        part = text.removesuffix(SILENT).removesuffix(BACK).replace(": ", " ").partition(" (")[0]
        works, why = text.endswith(BACK), text.partition(") ")[2] or SILENT.strip()
        part = part[:PART_LENGTH]
        if part not in self._parts and len(self._parts) >= PARTS:
            return []
        self._parts.add(part)
        return [Health(round(t, 4), part, works, "" if works else why)]

    def _tune(self, stations: Iterable[wire.Station]) -> None:
        """Tell each scale what a card weighs: about half of one is news, about one is noise."""
        for station in stations:
            if "count" in station.capabilities:
                card_dg = 10 * self._stations.get(station.name, StationConfig()).card_g
                self._link.configure(CONF_STEP, station.name, max(1, round(STEP_CARDS * card_dg)))
                self._link.configure(CONF_BAND, station.name, max(1, round(BAND_CARDS * card_dg)))

    def _weigh(self, t: float, station: str, grams: float) -> list[Observation]:
        scale = self._stations.get(station, StationConfig())
        bias = self._bias.get(station, 0.0)
        raw = (grams - scale.zero_g) / scale.card_g - bias
        n = max(0, round(raw))
        before = self._counts.get(station)
        if before is not None and (n == before or abs(raw - before) < HYSTERESIS):
            if abs(raw - before) < BIAS_WITHIN:
                # The same cards weighed again say how far the scale is off by now.
                bias += BIAS_GAIN * (raw - before)
                self._bias[station] = max(-BIAS_MOST, min(BIAS_MOST, bias))
            return []
        self._counts[station] = n
        return [Count(round(t, 4), station, n, round(raw + bias, 2))]

    def close(self) -> None:
        self._link.close()
