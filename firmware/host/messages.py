"""Messages from the link to its user.

Times are in seconds on the host's clock.
"""

from dataclasses import dataclass

from firmware.reasons import At, Reason


@dataclass(frozen=True, slots=True)
class Station:
    """Station of the rig.

    `capabilities` is what it is built to sense or show. `missing` are those of them whose part does not
    answer.
    """

    name: str
    capabilities: frozenset[str]
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Connected:
    """A board answered the handshake.

    `boot_id` is random at each start of the board. `new_boot` is False if the same run of the board came back.
    `code_hash` is 0 if the flasher stored none.
    """

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
    """The board cannot be used now, and the reason.

    The link keeps trying.
    """

    t: float
    reason: At | str

    @property
    def cause(self) -> Reason | str:
        """Reason without the port's name."""
        return self.reason.reason if isinstance(self.reason, At) else self.reason


@dataclass(frozen=True, slots=True)
class TagEvent:
    """A tag came to rest in a reader's field, or (None) the field became empty.

    When one of two tags leaves, the remaining tag is reported again.
    """

    t: float
    station: str
    uid: bytes | None


@dataclass(frozen=True, slots=True)
class WeightEvent:
    """A load came to rest on a scale, in grams above its zero. `raw` is in counts."""

    t: float
    station: str
    grams: float
    raw: int = 0


@dataclass(frozen=True, slots=True)
class TouchEvent:
    """A touch electrode was touched or released."""

    t: float
    station: str
    pressed: bool


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """A button was pressed or released."""

    t: float
    station: str
    pressed: bool


@dataclass(frozen=True, slots=True)
class TextureFrame:
    """Picture of a pressure matrix: 256 bytes (0 to 255), 16 rows of 16.

    It may be lost. The last picture after a press is empty.
    """

    t: float
    station: str
    pixels: bytes


@dataclass(frozen=True, slots=True)
class WeightSample:
    """Unfiltered reading of a scale in counts, only while `CONF_WEIGHT_SAMPLES` is set. It may be lost."""

    t: float
    station: str
    raw: int


@dataclass(frozen=True, slots=True)
class LevelSample:
    """Raw level of one sensor, only while `Link.levels` asks for it. It may be lost.

    `part` is the capability. `baseline` is None while the board does not know it. An electrode is touched while
    `baseline - value` exceeds `threshold`. `noise` is in the unit of `value`. `readings` counts to 32767 and
    round again.

    `detail` depends on the part:

      count: counts per gram
      touch: capacitance in tenths of a pF, -1 for a wire on ground
      texture: most crossings at full reading at once
      reader: scans that heard a tag, counted like `readings`
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
    """The board's answer to the command `number`."""

    t: float
    number: int
    ok: bool
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """Chip or load cell of the rig, known by the capabilities that depend on it.

    `station` is None for a chip that several stations share. `capabilities` are in the order of the wire
    protocol.
    """

    station: str | None
    capabilities: tuple[str, ...]

    def serves(self, station: str, capability: str) -> bool:
        """True if this capability of a station depends on the part."""
        return self.station in (None, station) and capability in self.capabilities


@dataclass(frozen=True, slots=True)
class PartState:
    """A part stopped answering, or answers again.

    Parts answer until reported otherwise.

    `name` is for people and may say which chip it is. `broken_wire`: the part answers, but with numbers that no
    weight makes.
    """

    t: float
    part: Part
    answers: bool
    name: str = ""
    broken_wire: bool = False


@dataclass(frozen=True, slots=True)
class BoardLog:
    """Log line from the board, or about it: level 0 information, 1 warning, 2 error."""

    t: float
    text: Reason | str
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
