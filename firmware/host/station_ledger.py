"""Last known state of every station: events and snapshots become messages once."""

from dataclasses import dataclass, field

from firmware.host.messages import (
    ButtonEvent,
    LevelSample,
    Message,
    Part,
    PartState,
    Station,
    TagEvent,
    TextureFrame,
    TouchEvent,
    WeightEvent,
    WeightSample,
)
from firmware.wire import codec, payloads


@dataclass(slots=True)
class _Known:
    tags: list[bytes] = field(default_factory=list)
    weight: tuple[int, int, int] | None = None
    touched: bool = False
    pressed: bool = False


def stations_of(listed: list[tuple[str, int, int]]) -> tuple[Station, ...]:
    """Stations of a HELLO, with the names of their capabilities."""
    return tuple(Station(name, _names(caps), _names(dead)) for name, caps, dead in listed)


def _names(bits: int) -> frozenset[str]:
    return frozenset(name for at, name in enumerate(codec.CAPABILITIES) if bits >> at & 1)


def _level(t: float, station: str, data: bytes) -> LevelSample:
    part, value, baseline, threshold, noise, detail, readings = payloads.unpack_level(data)
    return LevelSample(t, station, part, value, baseline, threshold, noise, detail, readings)


class StationLedger:
    """Last known states of all stations.

    ValueError for payloads that make no sense.

    `zeros` holds each scale's zero in counts. A board that restarted takes its present load for zero. Its
    weights are withheld until the old zero is restored.
    """

    def __init__(self) -> None:
        self.zeros: dict[str, int] = {}
        self._names: list[str] = []
        self._known: dict[str, _Known] = {}
        self._frames: dict[int, tuple[int, bytes]] = {}
        # station -> its capabilities; None -> those of all stations
        self._rig: dict[str | None, frozenset[str]] = {}
        self._silent: set[tuple[str | None, str]] = set()

    def meet(self, stations: tuple[Station, ...]) -> None:
        """Take over the board's list of stations.

        States of known stations stay.
        """
        self._names = [station.name for station in stations]
        self._known = {name: self._known.get(name, _Known()) for name in self._names}
        self._frames.clear()
        everything = frozenset[str]().union(*(station.capabilities for station in stations))
        self._rig = {None: everything, **{station.name: station.capabilities for station in stations}}
        self._silent = {(name, part) for name, part in self._silent if part in self._rig.get(name, ())}

    def forget_zero(self, station: str | None) -> None:
        """Accept the next zero of a station's scale, or (None) of every scale."""
        if station is None:
            self.zeros.clear()
        else:
            self.zeros.pop(station, None)

    def number(self, station: str) -> int:
        """Number of a station on the wire.

        ValueError for an unknown name.
        """
        return self._names.index(station)

    def name(self, number: int) -> str:
        """Name of a station by its number.

        ValueError for an unknown number.
        """
        if number >= len(self._names):
            raise ValueError(f"station number {number}")
        return self._names[number]

    def event(self, t: float, kind: int, number: int, data: bytes) -> list[Message]:
        """Messages for an EVENT at host time `t` (s), none if nothing is new."""
        if kind == codec.EV_TAG:
            return self._tags(t, number, payloads.unpack_tags(data, 0)[0])
        if kind == codec.EV_WEIGHT:
            decigrams, raw, zero = codec.unpack("<iii", data)
            return self._weight(t, number, (decigrams, raw, zero))
        if kind == codec.EV_TOUCH:
            return self._touch(t, number, bool(codec.unpack("<B", data)[0]))
        if kind == codec.EV_BUTTON:
            return self._press(t, number, bool(codec.unpack("<B", data)[0]))
        if kind == codec.EV_PART:
            return self._part(t, number, data)
        return []  # of a newer minor version

    def snapshot(self, t: float, payload: bytes) -> list[Message]:
        """Messages for those parts of a SNAPSHOT that differ from the known state."""
        number, _, uids, weight, touched, pressed = payloads.unpack_snapshot(payload)
        out: list[Message] = []
        if uids is not None:
            out += self._tags(t, number, uids)
        if weight is not None:
            out += self._weight(t, number, weight)
        if touched is not None:
            out += self._touch(t, number, touched)
        if pressed is not None:
            out += self._press(t, number, pressed)
        return out

    def sample(self, t: float, kind: int, number: int, data: bytes) -> list[Message]:
        """Messages for a SAMPLE.

        None for the first half of a picture.
        """
        name = self.name(number)
        if kind == codec.SAMPLE_WEIGHT:
            return [WeightSample(t, name, codec.unpack("<i", data)[0])]
        if kind == codec.SAMPLE_LEVEL:
            return [_level(t, name, data)]
        if kind != codec.SAMPLE_TEXTURE:
            return []  # of a newer minor version
        frame, part, parts = codec.unpack("<BBB", data)
        if parts != 2 or len(data) < 131:
            raise ValueError("texture frame of another size")
        half = data[3:131]
        if part == 0:
            self._frames[number] = (frame, half)
            return []
        begun = self._frames.pop(number, None)
        if begun is None or begun[0] != frame:
            return []
        return [TextureFrame(t, name, begun[1] + half)]

    def _part(self, t: float, number: int, data: bytes) -> list[Message]:
        station = None if number == codec.NO_STATION else self.name(number)
        bits, answers, name, fault = payloads.unpack_part(data)
        capabilities = tuple(known for at, known in enumerate(codec.CAPABILITIES) if bits >> at & 1)
        if not capabilities or not self._rig[station].issuperset(capabilities):
            raise ValueError(f"no such part: {bits}")
        key = station, capabilities[0]
        if answers == (key not in self._silent):
            return []
        self._silent ^= {key}
        broken = not answers and fault == codec.FAULT_BROKEN_WIRE
        return [PartState(t, Part(station, capabilities), answers, name, broken)]

    def _tags(self, t: float, number: int, uids: list[bytes]) -> list[Message]:
        name = self.name(number)
        known = self._known[name]
        before, known.tags = known.tags, uids
        if set(uids) == set(before):
            return []
        if not uids:
            return [TagEvent(t, name, None)]
        new = [uid for uid in uids if uid not in before]
        return [TagEvent(t, name, uid) for uid in new or uids]

    def _weight(self, t: float, number: int, weight: tuple[int, int, int]) -> list[Message]:
        name = self.name(number)
        decigrams, raw, zero = weight
        if self.zeros.setdefault(name, zero) != zero:
            return []
        known, self._known[name].weight = self._known[name].weight, weight
        if known is not None and known[0] == decigrams and known[2] == zero:
            return []
        return [WeightEvent(t, name, decigrams / 10, raw)]

    def _touch(self, t: float, number: int, pressed: bool) -> list[Message]:
        name = self.name(number)
        known = self._known[name]
        if known.touched == pressed:
            return []
        known.touched = pressed
        return [TouchEvent(t, name, pressed)]

    def _press(self, t: float, number: int, pressed: bool) -> list[Message]:
        name = self.name(number)
        known = self._known[name]
        if known.pressed == pressed:
            return []
        known.pressed = pressed
        return [ButtonEvent(t, name, pressed)]
