"""Settings from one TOML file, and every path the program uses (XDG)."""

import os
import re
import stat
import tempfile
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from companion.core.errors import BadInputError
from companion.core.language import LANGUAGES, Text, choose, either, text, use
from companion.core.settings_file import unreadable
from companion.core.table_names import own_plain_name, plain_name

ASSIST = ("referee", "memory", "nudge", "coach")
"""Levels of help, each giving away more than the one before: the rules, what was found out, a question, the
move."""
_DIRS = platformdirs.PlatformDirs("companion", appauthor=False)


TABLES = "tables"
"""TABLES: folder with what belongs to one of several tables, beside what belongs to a machine's only table."""


def config_file() -> Path:
    """Path of the settings file: of the table that has a name, or the one for all."""
    table = own_plain_name()
    return Path(_DIRS.user_config_dir) / TABLES / f"{table}.toml" if table else shared_config_file()


def shared_config_file() -> Path:
    """Path of the settings file for all tables of this user."""
    return Path(_DIRS.user_config_dir) / "companion.toml"


def state_dir() -> Path:
    """Folder of the journals of this process's table."""
    table = own_plain_name()
    return Path(_DIRS.user_state_dir) / TABLES / table if table else Path(_DIRS.user_state_dir)


def named_tables() -> tuple[str, ...]:
    """Plain names of all tables that have settings or journals of their own, in alphabetical order."""
    settings = (path.stem for path in Path(_DIRS.user_config_dir, TABLES).glob("*.toml"))
    states = (path.name for path in Path(_DIRS.user_state_dir, TABLES).glob("*") if path.is_dir())
    return tuple(sorted({name for name in (*settings, *states) if name == plain_name(name)}))


def kept_places(*, own_alone: bool = False) -> list[tuple[Path, Path]]:
    """(folder of the journals, settings file) of this process's table; of all tables, if it is about none.

    `own_alone`: not of others in that case either.
    """
    if own_alone:
        return [(state_dir() / "journals", config_file())]
    journals, own = Path("journals"), own_plain_name()
    state, settings = Path(_DIRS.user_state_dir), Path(_DIRS.user_config_dir)
    names = (own,) if own else named_tables()
    only = [] if own else [(state / journals, shared_config_file())]
    return only + [(state / TABLES / one / journals, settings / TABLES / f"{one}.toml") for one in names]


def art_file() -> Path:
    """Path of the file of enrolled cards."""
    return Path(_DIRS.user_data_dir) / "cards.art"


def rigs_dir() -> Path:
    """Folder of the rig profiles, one file a rig."""
    return Path(_DIRS.user_data_dir) / "rigs"


def journals_of(log: Path) -> dict[Path, int]:
    """Journals of a folder, or a journal with its further games, and their sizes (bytes)."""
    folder, names = (log.parent, f"{log.stem}*.jsonl") if log.suffix == ".jsonl" else (log, "*.jsonl")
    return {path: path.stat().st_size for path in sorted(folder.glob(names))}


def shared_runtime_path() -> Path:
    """Path of the folder for sockets of all tables."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and os.access(base, os.W_OK):
        return Path(base) / "companion"
    return Path(tempfile.gettempdir()) / f"companion-{os.getuid()}"


def runtime_path() -> Path:
    """Path of the folder for sockets of this process's table; `runtime_dir` checks whether it may be used."""
    return shared_runtime_path() / own_plain_name()


def runtime_dir() -> Path:
    """The folder for sockets. Without a runtime directory of the system it is a private folder.

    It may not exist yet. BadInputError for a folder that others made or may write to: they could have put
    sockets of their own there.
    """
    for folder in dict.fromkeys((shared_runtime_path(), runtime_path())):
        _check_private(folder)
    return runtime_path()


def _check_private(folder: Path) -> None:
    """BadInputError for a folder for sockets that others made or may write to. It may not exist yet."""
    next_step: str
    try:
        there = folder.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISLNK(there.st_mode):
        wrong, next_step = text("the folder for sockets is a link to another place"), text("remove it")
    elif not stat.S_ISDIR(there.st_mode):
        wrong, next_step = text("the folder for sockets is not a folder"), text("remove it")
    elif there.st_uid != os.getuid():
        wrong, next_step = (
            text("the folder for sockets is a folder of another user"),
            text("set XDG_RUNTIME_DIR to your own"),
        )
    elif there.st_mode & 0o022:
        wrong, next_step = text("the folder for sockets is open to other users"), f"chmod 700 {folder}"
    else:
        if there.st_mode & 0o077:
            folder.chmod(0o700)  # made by an older version; others could look into it but put nothing there
        return
    raise BadInputError(wrong, where=str(folder), next_step=next_step)


def make_runtime_dir() -> Path:
    """The same; made for its owner alone if it does not exist."""
    runtime_dir()
    # Another process may make it at the same time: then it is checked like any other.
    for folder in dict.fromkeys((shared_runtime_path(), runtime_path())):
        folder.mkdir(mode=0o700, exist_ok=True)
    return runtime_dir()


MOST_ZERO_G = 1_000_000.0
"""Largest zero of a load cell (g), above it or below: more than any converter gives."""


class StationConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calibration of a load cell: grams with nothing on it, grams a card.

    `reversed`: weight makes it read less, because the cell is upside down or A+ and A- are swapped.
    """

    zero_g: float = 0.0
    card_g: float = 4.0
    reversed: bool = False

    def __post_init__(self) -> None:
        if not 0.1 <= self.card_g <= 100:
            raise ValueError(text("card_g must be between 0.1 and 100 grams"))
        if not -MOST_ZERO_G <= self.zero_g <= MOST_ZERO_G:  # nan neither
            raise ValueError(text("zero_g must be between -1000000 and 1000000 grams"))


class ElectrodeConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calibration of a touch electrode: the chip's counts at `rest` and `touched` by a finger.

    `share`: threshold of a touch, in thousandths of the reading at rest (1 to 999).
    """

    rest: float
    touched: float
    share: int

    def __post_init__(self) -> None:
        if not 1 <= self.share <= 999:
            raise ValueError(text("share must be between 1 and 999 thousandths"))


class LensConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camera's lens as cv2.calibrateCamera measures it, in px of pictures of `width` x `height`."""

    width: int
    height: int
    focal: float
    cx: float
    cy: float
    k: tuple[float, ...] = ()
    """Distortion k1, k2, p1, p2, k3; missing ones are 0."""


class Fingerprints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What identifies the camera and the board that were set up; empty for unknown."""

    camera: str = ""
    board: str = ""


THEMES = ("night", "day", "contrast")
"""Colours of the screens."""
MOST_PLAYERS, LONGEST_NAME = 5, 10
"""MOST_PLAYERS: most players of any game. LONGEST_NAME: letters of a player's name that every screen has room
for."""


MOST_DAYS = 36_500
"""MOST_DAYS: a hundred years."""


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names of players, from the first on; ValueError says what is wrong with one."""
    if len(names) > MOST_PLAYERS:
        raise ValueError(
            text("{given} names of players, {most} are wanted at most", given=len(names), most=MOST_PLAYERS)
        )
    for name in names:
        if not name.isprintable() or name != name.strip() or len(name) > LONGEST_NAME:
            raise ValueError(
                text("{name} is no name of at most {most} letters", name=repr(name), most=LONGEST_NAME)
            )
    given = [name.casefold() for name in names if name]
    if len(set(given)) != len(given):
        raise ValueError(text("two players have the same name"))
    return tuple(names)


LONGEST_SCAN_S = 20
"""LONGEST_SCAN_S: longest time for which a choice is lit (s)."""


_KEY_WORDS = {
    *("space", "enter", "tab", "escape", "backspace", "delete", "insert"),
    *("home", "end", "pageup", "pagedown", "up", "down", "left", "right"),
}
_MODIFIERS = frozenset({"ctrl", "shift", "alt"})


def is_key(name: str) -> bool:
    """Whether a terminal has a key of this name: one sign, or a word such as f12, comma or ctrl+x; empty for no
    key."""
    *modifiers, key = name.split("+") if len(name) > 1 else [name]
    if not _MODIFIERS.issuperset(modifiers):
        return False
    if len(key) <= 1:
        return key.isprintable() and not key.isspace() and bool(key or not modifiers)
    if key != key.lower():
        return False
    if key in _KEY_WORDS or re.fullmatch("f([1-9]|1[0-9]|2[0-4])", key):
        return True
    try:  # signs by their names, as screens call them
        return unicodedata.lookup(key.replace("_", " ")).isascii()
    except KeyError:
        return False


class ScreenConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How screens look."""

    theme: str = ""
    """One of THEMES; empty: the first, or the last on a console of 16 colours."""
    motion: bool = True
    """Whether cards slide, and a verdict waits until the room has held its breath."""
    big: bool = False
    """For a television: what to do next fills the screen; no log and no keys."""
    children: bool = False
    """For children of five and older: the same, with pictures in the place of sentences."""
    teach: bool = False
    """Whether each rule is explained when it first matters."""
    switch: str = ""
    """The one key that takes what a scan lights: space, enter, or any other; empty: nothing is scanned."""
    scan_s: float = 1.2
    """Time for which each choice is lit (s)."""
    scan_start_s: float = 1.0
    """So much longer for the first one (s)."""

    def __post_init__(self) -> None:
        if self.theme not in ("", *THEMES):
            raise ValueError(text("theme must be {names}", names=either(THEMES)))
        if not is_key(self.switch):
            raise ValueError(text("switch must be space, enter, or the name of another key"))
        if not 0.3 <= self.scan_s <= LONGEST_SCAN_S:
            raise ValueError(text("scan_s must be between 0.3 and {most} seconds", most=LONGEST_SCAN_S))
        if not 0.0 <= self.scan_start_s <= LONGEST_SCAN_S:
            raise ValueError(text("scan_start_s must be between 0 and {most} seconds", most=LONGEST_SCAN_S))


class SignalsConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the board shows and sounds during a game."""

    lamps: bool = True
    """The lamps of the stations: turn, where to feel, claim, verdict, question."""
    beeper: bool = True
    """A short tone at a claim, a verdict and a question."""


class SoundConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a screen says aloud: nothing, unless somebody wants it."""

    turn: bool = False
    """Whose turn it is."""
    verdict: bool = False
    """The verdict on a claim."""
    score: bool = False
    """The end of the game."""
    request: bool = False
    """Questions, cards that the camera wants to see, and that it cannot see the table."""
    chimes: bool = False
    """A chime at each of these, and when a claim is heard."""
    lines: bool = False
    """Every line of the plain form, hints and choices too: a whole game by ear."""

    @property
    def on(self) -> bool:
        """Whether anything is to be heard."""
        return any(getattr(self, name) for name in self.__struct_fields__)


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, with their defaults."""

    language: str = ""
    """Language of the screens, one of LANGUAGES; empty: as the system has it."""

    game: str = ""
    """Name of the game; empty for the first of the registry."""
    variant: str = "basic"
    players: int = 3
    assist: str = ""
    """The level of help that the family chose. It limits what hints give away. Empty: they give away
    everything but counts."""
    names: tuple[str, ...] = ()
    """The family's names for characters that the rulebook leaves unnamed."""
    player_names: tuple[str, ...] = ()
    """Names of the players, from the first on; who has none goes by number."""
    keep_days: int = 0
    """Games that began longer ago (days) are removed when the next one begins; 0 keeps them."""
    record: bool = False
    """Whether evenings at a real table are recorded when the first screen begins them."""
    screen: ScreenConfig = ScreenConfig()
    signals: SignalsConfig = SignalsConfig()
    sound: SoundConfig = SoundConfig()
    parts: dict[str, dict[str, str]] = {}
    """Name of a game -> what is printed on its parts, where the rulebook leaves that open."""
    options: tuple[str, ...] = ()
    """Options of the game that are on, e.g. silent."""
    camera: str = ""
    lens: LensConfig | None = None
    """The camera's lens if it was measured; otherwise it is estimated from the corners of the mat."""
    port: str = ""
    tags: dict[str, str] = {}
    """RFID tag (hex) -> card code, from enrolment."""
    textures: dict[str, list[str]] = {}
    """Kind of a textured card -> presses of it on the pressure matrix (512 hex digits each), from enrolment."""
    stations: dict[str, StationConfig] = {}
    """Station name -> calibration of its load cell; others have the defaults."""
    electrodes: dict[str, ElectrodeConfig] = {}
    """Station name -> calibration of its touch electrode; others have the board's own threshold."""
    art: str = ""
    """File of the cards that are known by their pictures (companion enrol --kinds); empty for stickers."""
    home: str = ""
    """File of a table without a mat, as setup learned it; empty for a mat."""
    wires: dict[str, dict[str, str]] = {}
    """Capability (count, touch, button, lamp) -> name that the board gives a station -> the station where that
    part really is. Only for wires that were found crossed."""
    buttons: tuple[str, ...] = ()
    """Stations whose claim button setup found to be theirs, with crossed wires put right."""
    fingerprints: Fingerprints = Fingerprints()
    """The camera and the board that were set up: others are told."""
    rig: str = ""
    """Name of the rig profile; empty for the only one there is."""

    def __post_init__(self) -> None:
        if self.assist not in ("", *ASSIST):
            raise ValueError(text("assist must be {names}", names=either(ASSIST)))
        if self.language not in ("", *LANGUAGES):
            raise ValueError(text("language must be {names}", names=either(tuple(LANGUAGES))))
        if not 0 <= self.keep_days <= MOST_DAYS:
            raise ValueError(text("keep_days must be between 0 and {most}", most=MOST_DAYS))
        checked_names(self.player_names)


def speak_as_set(settings: Config) -> None:
    """Everything in the language that was chosen, by option or in the settings."""
    use(choose(settings.language))


OF_A_RIG = frozenset(
    (
        "camera",
        "lens",
        "port",
        "tags",
        "textures",
        "stations",
        "electrodes",
        "art",
        "home",
        "wires",
        "buttons",
        "fingerprints",
        "rig",
    )
)
"""OF_A_RIG: settings that tell of one table's parts. Of those for all tables, one with a name has no use."""


def settings_files() -> list[Path]:
    """The files of the settings of this process's table, those for all tables first."""
    return list(dict.fromkeys((shared_config_file(), config_file())))


def with_switch(settings: Config, key: str | None) -> Config:
    """The settings with this key as the one switch; None leaves them as they are. BadInputError for no key."""
    if key is None:
        return settings
    key = key if len(key) == 1 else key.lower()
    if not is_key(key):
        raise BadInputError(
            text("no key has this name"), where="--switch", next_step=text("--switch space, or enter, or f12")
        )
    return msgspec.structs.replace(settings, screen=msgspec.structs.replace(settings.screen, switch=key))


def load_config(path: Path | None = None, option: str = "--config") -> Config:
    """The settings in a file, or the usual ones; the defaults if these do not exist.

    The usual ones are those for all tables; what the file of this process's table has comes in their place.
    `option`: the one that names the file.
    """
    if path is not None:
        return _settings(_values(path, text("check {option}", option=option), option), path)
    settings, values = Config(), dict[str, Any]()
    for file in settings_files():
        own = _values(file, text("move it away"))
        _settings(own, file)  # a mistake is told of the file in which it stands
        if file != config_file():
            own = {name: one for name, one in own.items() if name not in OF_A_RIG}
        values = _over(values, own)
        settings = _settings(values, file)
    return settings


def _over(values: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Settings with `own` ones in their place, in tables entry by entry."""
    merged = {
        name: _over(values[name], one) if isinstance(one, dict) and isinstance(values.get(name), dict) else one
        for name, one in own.items()
    }
    return values | merged


def _values(file: Path, next_step: str, option: str = "") -> dict[str, Any]:
    """What stands in a settings file; nothing if it does not exist, unless an option names it."""
    if file.exists() and not file.is_file():
        raise BadInputError(text("not a file"), where=str(file), next_step=next_step)
    try:
        # Editors of Windows begin a file with a byte order mark.
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        if not option:
            return {}
        raise BadInputError(text("no such file"), where=str(file), next_step=next_step) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise unreadable(file, error) from None


def _settings(values: dict[str, Any], file: Path) -> Config:
    try:
        return msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        raise BadInputError(_wrong(error, values), where=str(file), next_step=_mend(error)) from None


def _mend(error: msgspec.ValidationError) -> str:
    """What to do about a mistake in the settings. A newer version may know a setting that this one does not."""
    if _UNKNOWN.fullmatch(str(error)):
        return text("see docs/configuration.md; if a newer version wrote it: update companion, or remove it")
    return text("see docs/configuration.md")


_WANTED = {
    "int": text("a whole number"),
    "float": text("a number"),
    "bool": text("true or false"),
    "str": text("words in quotation marks"),
    "array": text("a list"),
    "object": text("a table"),
}
"""Types as msgspec calls them -> what people call them."""
_MISTYPED = re.compile(r"Expected `(\w+)(?: \| null)?`, got `\w+` - at `\$\.([^`]*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`(?: - at `\$\.([^`]*)`)?")


def _in_words(said: str, data: dict[str, Any]) -> str:
    """A mistake in the settings, as msgspec tells it, in words."""
    if found := _UNKNOWN.fullmatch(said):
        return text("there is no setting {name}", name=".".join(filter(None, (found[2], found[1]))))
    found = _MISTYPED.fullmatch(said)
    if found is None or found[1] not in _WANTED:
        return text("a setting is wrong: {why}", why=said)
    value: Any = data
    for key in found[2].split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is None:
        return text("{name}: {wanted} is wanted", name=found[2], wanted=_WANTED[found[1]])
    return text(
        "{name}: {wanted} is wanted, not {given}",
        name=found[2],
        wanted=_WANTED[found[1]],
        given=repr(value)[:60],
    )


def _wrong(error: msgspec.ValidationError, data: dict[str, Any]) -> str:
    """What is wrong with a setting: a sentence of ours, or the library's with the setting's path."""
    said = error.__cause__.args[0] if isinstance(error.__cause__, ValueError) else None
    return said if isinstance(said, Text) else _in_words(str(error), data)
