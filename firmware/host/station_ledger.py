"""Last known state of every station.

Events and snapshots become messages once.
"""

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
    """Last known state of one station.

    `tags`: UIDs in the reader's field. `weight`: (tenths of a gram, counts, counts at zero); None before the
    first. `touched`, `pressed`: state of electrode and button.
    """

    tags: list[bytes] = field(default_factory=list)
    weight: tuple[int, int, int] | None = None
    touched: bool = False
    pressed: bool = False


def stations_of(listed: list[tuple[str, int, int]]) -> tuple[Station, ...]:
    """Turn the stations of a HELLO into `Station` objects.

    `listed`: (name, capability bits, bits of missing parts) of each. Bit n stands for `codec.CAPABILITIES[n]`.
    """
    return tuple(Station(name, _names(caps), _names(dead)) for name, caps, dead in listed)


def _names(bits: int) -> frozenset[str]:
    """Names of the capabilities whose bits are set."""
    return frozenset(name for at, name in enumerate(codec.CAPABILITIES) if bits >> at & 1)


def _level(t: float, station: str, data: bytes) -> LevelSample:
    """Make the message of a raw level from the data of a SAMPLE."""
    part, value, baseline, threshold, noise, detail, readings = payloads.unpack_level(data)
    return LevelSample(t, station, part, value, baseline, threshold, noise, detail, readings)


class StationLedger:
    """Last known states of all stations; messages are made only of what is new.

    Payloads that make no sense raise ValueError. `zeros`: station -> its scale's zero, the reading without
    load (counts). A board that restarted takes its present load for zero. Its weights are withheld until the
    old zero is restored.
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
        """Take over the stations of a board that has connected.

        States of known stations stay.
        """
        self._names = [station.name for station in stations]
        self._known = {name: self._known.get(name, _Known()) for name in self._names}
        self._frames.clear()
        everything = frozenset[str]().union(*(station.capabilities for station in stations))
        self._rig = {None: everything, **{station.name: station.capabilities for station in stations}}
        self._silent = {(name, part) for name, part in self._silent if part in self._rig.get(name, ())}

    def forget_zero(self, station: str | None) -> None:
        """Accept the next zero of a scale, whatever it is.

        `station`: whose scale; None: every scale.
        """
        if station is None:
            self.zeros.clear()
        else:
            self.zeros.pop(station, None)

    def number(self, station: str) -> int:
        """Number of a station on the wire (from 0); ValueError for an unknown name."""
        return self._names.index(station)

    def name(self, number: int) -> str:
        """Name of a station by its number.

        ValueError for an unknown number.
        """
        if number >= len(self._names):
            raise ValueError(f"station number {number}")
        return self._names[number]

    def event(self, t: float, kind: int, number: int, data: bytes) -> list[Message]:
        """Make messages of an EVENT at host time `t` (s); none if nothing is new.

        `kind`: a `codec.EV_*` number; an unknown one gives none. `number`: the station's. `data`: the new
        state, as in docs/protocol.md.
        """
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
        """Make messages of a SNAPSHOT's differences from the known state.

        `t`: host time (s). `payload`: state of one station.
        """
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
        """Make messages of a SAMPLE at host time `t` (s).

        `kind`: a `codec.SAMPLE_*` number; an unknown one gives none. `number`: the station's. A picture of a
        matrix comes in two halves: the first half gives no message, the second the whole picture.
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
        """Make the message of a part that stopped or returned.

        The part stopped answering, or answers again. Empty if that is known. `number`: of the station, or
        codec.NO_STATION. `data`: bytes of a PART event (see `payloads.unpack_part`). ValueError if the rig has
        no such part.
        """
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
        """Make messages of the tags now in a reader's field; none if the set of UIDs is known.

        An empty field gives one message with None. Otherwise each new tag, or if none is new each remaining
        tag, gives one.
        """
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
        """Make the message of a weight: (tenths of a gram, counts, counts at zero).

        None if it is known, or if its zero is not the scale's known zero.
        """
        name = self.name(number)
        decigrams, raw, zero = weight
        if self.zeros.setdefault(name, zero) != zero:
            return []
        known, self._known[name].weight = self._known[name].weight, weight
        if known is not None and known[0] == decigrams and known[2] == zero:
            return []
        return [WeightEvent(t, name, decigrams / 10, raw)]

    def _touch(self, t: float, number: int, pressed: bool) -> list[Message]:
        """Electrode's message; none if its state is known."""
        name = self.name(number)
        known = self._known[name]
        if known.touched == pressed:
            return []
        known.touched = pressed
        return [TouchEvent(t, name, pressed)]

    def _press(self, t: float, number: int, pressed: bool) -> list[Message]:
        """Button's message; none if its state is known."""
        name = self.name(number)
        known = self._known[name]
        if known.pressed == pressed:
            return []
        known.pressed = pressed
        return [ButtonEvent(t, name, pressed)]
