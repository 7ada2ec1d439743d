"""The messages of the link to its user: frozen, with times in seconds on the host's clock."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Station:
    """One station of the rig: its parts, and those that do not answer (both by capability name)."""

    name: str
    capabilities: frozenset[str]
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Connected:
    """A board answered the handshake. `new_boot` is False if the same run of the board came back."""

    t: float
    board_id: str
    boot_id: int
    firmware: str
    code_hash: int
    protocol: str
    reset_cause: int
    stations: tuple[Station, ...]
    new_boot: bool


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The board cannot be used now: the reason and the next step. The link keeps trying."""

    t: float
    reason: str
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class TagEvent:
    """A tag rests in a reader's field, or (None) the field became empty.

    When one of two tags leaves, the remaining one is reported again.
    """

    t: float
    station: str
    uid: bytes | None


@dataclass(frozen=True, slots=True)
class WeightEvent:
    """The load of a load cell in grams above its zero; `raw` are the converter's mean counts."""

    t: float
    station: str
    grams: float
    raw: int = 0


@dataclass(frozen=True, slots=True)
class TouchEvent:
    """A touch electrode was pressed or let go."""

    t: float
    station: str
    pressed: bool


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """A button was pressed or let go."""

    t: float
    station: str
    pressed: bool


@dataclass(frozen=True, slots=True)
class TextureFrame:
    """A pressure picture: 256 bytes, 16 rows of 16, 0..255. May be lost. The last one after a press is
    empty."""

    t: float
    station: str
    pixels: bytes


@dataclass(frozen=True, slots=True)
class WeightSample:
    """One unfiltered reading in counts, only while `Link.weight_samples` is on. May be lost."""

    t: float
    station: str
    raw: int


@dataclass(frozen=True, slots=True)
class LevelSample:
    """The raw value of one sensor, only while `Link.levels` asks for it. May be lost.

    `part` is the capability. An electrode is touched while `baseline - value` exceeds `threshold`.
    `baseline` is None until the board knows it. `noise` is in the unit of `value`. `detail`: counts per gram of
    a scale, tenths of a pF of an electrode (-1: on ground), most crossings at full reading of a matrix, scans
    that heard a tag (0 to 32767 and round again) of a reader. `readings` counts readings in the same way.
    """

    t: float
    station: str
    part: str
    value: int
    baseline: int | None
    threshold: int
    noise: float
    detail: int
    readings: int


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The board's answer to the command with this `number`."""

    t: float
    number: int
    ok: bool
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the rig by its capabilities, named as in `Station`, in the order of the wire.

    `station` is None for a chip that several stations share.
    """

    station: str | None
    capabilities: tuple[str, ...]

    def serves(self, station: str, capability: str) -> bool:
        """Whether a station's capability depends on this part."""
        return self.station in (None, station) and capability in self.capabilities


@dataclass(frozen=True, slots=True)
class PartState:
    """A part stopped answering, or answers again. Parts answer until reported otherwise.

    `name` is for people: it may say which chip it is, and what is wrong with it. `broken_wire`: it answers with
    numbers that no weight makes.
    """

    t: float
    part: Part
    answers: bool
    name: str = ""
    broken_wire: bool = False


@dataclass(frozen=True, slots=True)
class BoardLog:
    """A log line from the board or about it; `level` 0 information, 1 warning, 2 error."""

    t: float
    text: str
    level: int = 0


Message = (
    Connected
    | Disconnected
    | TagEvent
    | WeightEvent
    | TouchEvent
    | ButtonEvent
    | TextureFrame
    | WeightSample
    | LevelSample
    | CommandResult
    | PartState
    | BoardLog
)
