"""Messages from the link to its user.

Times are in seconds on the host's clock.
"""

from dataclasses import dataclass

from firmware.reasons import At, Reason


@dataclass(frozen=True, slots=True)
class Station:
    """Station of the rig: a table place with sensors.

    `capabilities`: what it is built to sense or show, of "reader", "texture", "count", "touch", "button",
    "lamp". `missing`: its capabilities whose part does not answer.
    """

    name: str
    capabilities: frozenset[str]
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Connected:
    """Message: a board answered the handshake.

    `t`: time (s). `board_id`: its serial number, hexadecimal digits. `boot_id`: random at each start of the
    board. `firmware`: the program's version, for example "1.2.3". `code_hash`: hash of its files; 0 if the
    flasher stored none. `protocol`: version "major.minor". `reset_cause`: MicroPython's number, 1 power-on, 3
    reset. `new_boot`: False if the same run of the board came back.
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
    """Message: the board cannot be used now.

    `t`: time (s). `reason`: why, with the port's name. The link keeps trying.
    """

    t: float
    reason: At | str

    @property
    def cause(self) -> Reason | str:
        """Why the board cannot be used, without the port's name."""
        return self.reason.reason if isinstance(self.reason, At) else self.reason


@dataclass(frozen=True, slots=True)
class TagEvent:
    """Message: a tag came to rest in the field of a station's reader, or the field became empty.

    `t`: time (s). `uid`: the tag's number; None: no tag is left. When one of two tags leaves, the remaining tag
    is reported again.
    """

    t: float
    station: str
    uid: bytes | None


@dataclass(frozen=True, slots=True)
class WeightEvent:
    """Message: a load came to rest on a station's scale.

    `t`: time (s). `grams`: load above the scale's zero. `raw`: mean reading of the converter in counts.
    """

    t: float
    station: str
    grams: float
    raw: int = 0


@dataclass(frozen=True, slots=True)
class TouchEvent:
    """Message: a touch electrode was touched (`pressed` True) or released, at `t` (s)."""

    t: float
    station: str
    pressed: bool


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """Message: a button was pressed (`pressed` True) or released, at `t` (s)."""

    t: float
    station: str
    pressed: bool


@dataclass(frozen=True, slots=True)
class TextureFrame:
    """Message: picture of a station's pressure matrix at `t` (s).

    `pixels`: 256 bytes, 16 rows of 16, 0 (no pressure) to 255. A picture may be lost. The last picture after a
    press is empty.
    """

    t: float
    station: str
    pixels: bytes


@dataclass(frozen=True, slots=True)
class WeightSample:
    """Message: a scale's unfiltered reading `raw` (counts) at `t` (s).

    It comes only while `CONF_WEIGHT_SAMPLES` is set. It may be lost.
    """

    t: float
    station: str
    raw: int


@dataclass(frozen=True, slots=True)
class LevelSample:
    """Message: raw level of one sensor.

    Sent only while `Link.levels` asks for it. `t`: time (s). `part`: the sensor's capability, such as "touch".
    `value`: its level now. `baseline`: its level at rest; None while the board does not know it. An electrode
    is touched while `baseline - value` exceeds `threshold`. `noise`: in the unit of `value`. `readings`:
    counter of readings, to 32767 and round again. A message may be lost.

    `detail` depends on the part. For "count" it is counts per gram. For "touch" it is the capacitance in
    tenths of a pF, -1 for a wire on ground. For "texture" it is the most crossings at full reading at once.
    For "reader" it is the scans that heard a tag, counted like `readings`.
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
    """Message: the board's answer to a command.

    `t`: time (s). `number`: the command's number (0 to 255). `ok`: whether it succeeded. `text`: the board's
    words.
    """

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
        """True if this station's capability depends on the part."""
        return self.station in (None, station) and capability in self.capabilities


@dataclass(frozen=True, slots=True)
class PartState:
    """Message: a part stopped answering, or answers again.

    `t`: time (s). Parts answer until reported otherwise. `name` is for people and may say which chip it is.
    `broken_wire`: the part answers, but with numbers that no weight makes; `answers` is then False.
    """

    t: float
    part: Part
    answers: bool
    name: str = ""
    broken_wire: bool = False


@dataclass(frozen=True, slots=True)
class BoardLog:
    """Message: a log line from the board, or about it.

    `t`: time (s). `text`: the line. `level`: 0 information, 1 warning, 2 error.
    """

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
