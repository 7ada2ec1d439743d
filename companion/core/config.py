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
"""Levels of help, weakest first: rules, also what was found out, also a question, also the best move."""
_DIRS = platformdirs.PlatformDirs("companion", appauthor=False)


TABLES = "tables"
"""Folder with one subfolder, or one settings file, for each named table."""


def config_file() -> Path:
    """Path of the settings file of the table of this process (`--at`); without a name, the common file."""
    table = own_plain_name()
    return Path(_DIRS.user_config_dir) / TABLES / f"{table}.toml" if table else shared_config_file()


def shared_config_file() -> Path:
    """Path of the settings file that all tables share: companion.toml in this user's settings folder."""
    return Path(_DIRS.user_config_dir) / "companion.toml"


def state_dir() -> Path:
    """Folder with the journals of the table of this process."""
    table = own_plain_name()
    return Path(_DIRS.user_state_dir) / TABLES / table if table else Path(_DIRS.user_state_dir)


def named_tables() -> tuple[str, ...]:
    """Names (in plain letters) of all tables that have settings or journals, in alphabetical order."""
    settings = (path.stem for path in Path(_DIRS.user_config_dir, TABLES).glob("*.toml"))
    states = (path.name for path in Path(_DIRS.user_state_dir, TABLES).glob("*") if path.is_dir())
    return tuple(sorted({name for name in (*settings, *states) if name == plain_name(name)}))


def kept_places(*, own_alone: bool = False) -> list[tuple[Path, Path]]:
    """(journal folder, settings file) of this process's table.

    Of all tables, if this one has no name.

    `own_alone`: never those of other tables.
    """
    if own_alone:
        return [(state_dir() / "journals", config_file())]
    journals, own = Path("journals"), own_plain_name()
    state, settings = Path(_DIRS.user_state_dir), Path(_DIRS.user_config_dir)
    names = (own,) if own else named_tables()
    only = [] if own else [(state / journals, shared_config_file())]
    return only + [(state / TABLES / one / journals, settings / TABLES / f"{one}.toml") for one in names]


def art_file() -> Path:
    """Path of the file with enrolled cards' printed pictures."""
    return Path(_DIRS.user_data_dir) / "cards.art"


def rigs_dir() -> Path:
    """Folder of rig profiles.

    It has a file for each set of camera and sensors.
    """
    return Path(_DIRS.user_data_dir) / "rigs"


def journals_of(log: Path) -> dict[Path, int]:
    """Journals in the folder `log`, with their sizes (bytes).

    If `log` is itself a journal (.jsonl): this one and those of the games that followed it.
    """
    folder, names = (log.parent, f"{log.stem}*.jsonl") if log.suffix == ".jsonl" else (log, "*.jsonl")
    return {path: path.stat().st_size for path in sorted(folder.glob(names))}


def shared_runtime_path() -> Path:
    """Folder for sockets that all tables share.

    It is `companion` in XDG_RUNTIME_DIR; if that cannot be written, `companion-UID` in the folder for temporary
    files. It may be missing or unsafe.
    """
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and os.access(base, os.W_OK):
        return Path(base) / "companion"
    return Path(tempfile.gettempdir()) / f"companion-{os.getuid()}"


def runtime_path() -> Path:
    """Folder for sockets of the table of this process.

    It may be missing or unsafe: see `runtime_dir`.
    """
    return shared_runtime_path() / own_plain_name()


def runtime_dir() -> Path:
    """Folder for sockets of the table of this process.

    It may be missing.

    Without a runtime directory of the system it is a private folder. BadInputError if others own the folder
    or may write to it: they could have put sockets there.
    """
    for folder in dict.fromkeys((shared_runtime_path(), runtime_path())):
        _check_private(folder)
    return runtime_path()


def _check_private(folder: Path) -> None:
    """BadInputError if a folder of sockets is not private.

    Private means that nobody else owns it or may write to it.
    """
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
            folder.chmod(0o700)  # made by an older version: others could look into it, but put nothing there
        return
    raise BadInputError(wrong, where=str(folder), next_step=next_step)


def make_runtime_dir() -> Path:
    """Make the folder for sockets of the table of this process, for its owner alone, if missing.

    Errors as for `runtime_dir`.
    """
    runtime_dir()
    # Another process may make the folder at the same time, so it is checked again.
    for folder in dict.fromkeys((shared_runtime_path(), runtime_path())):
        folder.mkdir(mode=0o700, exist_ok=True)
    return runtime_dir()


MOST_ZERO_G = 1_000_000.0
"""Largest reading (g, either sign) accepted for an empty load cell: more than any converter gives."""


class StationConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Load cell's calibration: grams when empty, grams of a card.

    `reversed`: weight lowers its reading, because it lies upside down or A+ and A- are swapped.
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
    """Calibration of a touch sensor: counts at `rest`, and when `touched` by a finger.

    `share`: a touch is a change by more than so many thousandths of the rest (1 to 999).
    """

    rest: float
    touched: float
    share: int

    def __post_init__(self) -> None:
        if not 1 <= self.share <= 999:
            raise ValueError(text("share must be between 1 and 999 thousandths"))


class LensConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lens of a camera as cv2.calibrateCamera measures it: px in a picture of `width` x `height`."""

    width: int
    height: int
    focal: float
    cx: float
    cy: float
    k: tuple[float, ...] = ()
    """Distortion k1, k2, p1, p2, k3. Values left out are 0."""


class Fingerprints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Identity of the camera and of the board that were set up. "": unknown."""

    camera: str = ""
    board: str = ""


THEMES = ("night", "day", "contrast")
"""Names of the screens' colour themes."""
MOST_PLAYERS, LONGEST_NAME = 5, 10
"""MOST_PLAYERS: the most that any game allows. LONGEST_NAME: letters of a player's name that fit every
screen."""


MOST_DAYS = 36_500
"""Largest number of days that games may be set to be kept: a hundred years."""


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Players' names as a tuple, first player first.

    "" for none. ValueError for too many, for two alike, or for one that screens cannot show.
    """
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
"""Largest time (s) that may be set for which a choice is lit."""


_KEY_WORDS = {
    *("space", "enter", "tab", "escape", "backspace", "delete", "insert"),
    *("home", "end", "pageup", "pagedown", "up", "down", "left", "right"),
}
_MODIFIERS = frozenset({"ctrl", "shift", "alt"})


def is_key(name: str) -> bool:
    """True if a terminal has a key of this name, or the name is "" (no key).

    Names are signs, or words such as f12 or ctrl+x.
    """
    *modifiers, key = name.split("+") if len(name) > 1 else [name]
    if not _MODIFIERS.issuperset(modifiers):
        return False
    if len(key) <= 1:
        return key.isprintable() and not key.isspace() and bool(key or not modifiers)
    if key != key.lower():
        return False
    if key in _KEY_WORDS or re.fullmatch("f([1-9]|1[0-9]|2[0-4])", key):
        return True
    try:  # signs by their Unicode names, as screens call them
        return unicodedata.lookup(key.replace("_", " ")).isascii()
    except KeyError:
        return False


class ScreenConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Look and keys of the screens."""

    theme: str = ""
    """One of THEMES. "": the first; on a console of 16 colours the last."""
    motion: bool = True
    """Cards slide, and verdicts keep people waiting a moment."""
    big: bool = False
    """For a television: the next thing to do fills the screen, without log and keys."""
    children: bool = False
    """For children from five: as `big`, with pictures in place of sentences."""
    teach: bool = False
    """Each rule is explained when it first matters."""
    hints_always: bool = False
    """A hint comes at every move, not only when asked."""
    switch: str = ""
    """Name of the only key used by a person with one switch: space, enter, or another. "": all keys
    are used."""
    scan_s: float = 1.2
    """Time (s) for which each choice in turn is lit, while a press of the switch takes it."""
    scan_start_s: float = 1.0
    """Time (s) for which the first choice is lit in addition."""

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
    """What the board's lamps and beeper do during a game."""

    lamps: bool = True
    """Lamps at stations show turn, place to feel, claim, verdict and question."""
    beeper: bool = True
    """A short tone at a claim, a verdict and a question."""


class SoundConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a screen's voice and tones; by default it is silent."""

    turn: bool = False
    """Say aloud whose turn it is."""
    verdict: bool = False
    """Say aloud the verdict on a claim."""
    score: bool = False
    """Say aloud the result at the end of the game."""
    request: bool = False
    """Say aloud questions, cards that the camera wants to see, and that it cannot see the table."""
    chimes: bool = False
    """Play a chime at a turn, verdict, result or request, and when a claim is made."""
    lines: bool = False
    """Say aloud every line of the screen's text form, hints and choices too, so that people can play by ear."""

    @property
    def on(self) -> bool:
        """True if any sound is switched on."""
        return any(getattr(self, name) for name in self.__struct_fields__)


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Facts about one table.

    A settings file has them as people typed them, a rig profile as setup found them.
    """

    game: str = ""
    """Name of the game. "": the first of the registry."""
    variant: str = ""
    """Variant of the game. "": its first."""
    camera: str = ""
    """Camera, in the form of the option `--camera`. "": none."""
    port: str = ""
    """Serial port of the board, in the form of the option `--port`. "": none."""
    fingerprints: Fingerprints = Fingerprints()
    """Camera and board that were set up. People are told if others are connected."""
    lens: LensConfig | None = None
    """Measured lens of the camera. None: estimated from the mat's corners."""
    tags: dict[str, str] = {}
    """RFID tag (hex) -> card code, from enrolment."""
    names: tuple[str, ...] = ()
    """The family's names for characters that the rulebook leaves nameless."""
    stations: dict[str, StationConfig] = {}
    """Station -> calibration of its load cell. Stations left out have defaults."""
    electrodes: dict[str, ElectrodeConfig] = {}
    """Station -> calibration of its touch sensor. Stations left out have the board's threshold."""
    wires: dict[str, dict[str, str]] = {}
    """What (count, touch, button, lamp) -> station as the board names it -> station to which it is really
    wired. Crossed wires only."""
    buttons: tuple[str, ...] = ()
    """Stations whose claim button was pressed during setup, sorted, under the names that people see."""


OF_A_GAME = frozenset(("game", "variant", "names"))
"""Fields of TableSettings about the game. The rest is about camera and sensors."""


class Config(TableSettings, frozen=True, forbid_unknown_fields=True):
    """All settings, with their defaults."""

    language: str = ""
    """Code of the screens' language, one of LANGUAGES. "": the system's."""

    players: int = 3
    assist: str = ""
    """Highest level of help (one of ASSIST) that the family allows. "": any, but nothing is counted for
    players."""
    player_names: tuple[str, ...] = ()
    """Names of the players, first player first. "": called by number."""
    keep_days: int = 0
    """Games older than so many days are removed when the next begins. 0: all are kept."""
    record: bool = False
    """Evenings at a real table are recorded: pictures, sensor bytes and journals."""
    screen: ScreenConfig = ScreenConfig()
    signals: SignalsConfig = SignalsConfig()
    sound: SoundConfig = SoundConfig()
    parts: dict[str, dict[str, str]] = {}
    """Game -> part -> print, for parts that the rulebook does not describe."""
    options: tuple[str, ...] = ()
    """House rules that are on, e.g. "silent"."""
    textures: dict[str, list[str]] = {}
    """Kind of card -> its presses on the pressure matrix (512 hex digits each), as enrolled."""
    art: str = ""
    """File with the printed pictures by which the camera knows cards (companion enrol --kinds). "": cards have
    stickers."""
    home: str = ""
    """File with the places of zones on a table without a mat, as learned by setup. "": the table has a mat."""
    rig: str = ""
    """Name of the rig profile to use. "": the only one there is."""

    def __post_init__(self) -> None:
        if self.assist not in ("", *ASSIST):
            raise ValueError(text("assist must be {names}", names=either(ASSIST)))
        if self.language not in ("", *LANGUAGES):
            raise ValueError(text("language must be {names}", names=either(tuple(LANGUAGES))))
        if not 0 <= self.keep_days <= MOST_DAYS:
            raise ValueError(text("keep_days must be between 0 and {most}", most=MOST_DAYS))
        checked_names(self.player_names)


def speak_as_set(settings: Config) -> None:
    """Switch to the language of the option `--language`, else to that of the settings."""
    use(choose(settings.language))


OF_A_RIG = frozenset(TableSettings.__struct_fields__) - OF_A_GAME | {"textures", "art", "home", "rig"}
"""Settings about one table's camera and sensors. A named table does not take them from the common file."""


def settings_files() -> list[Path]:
    """Settings files of this process's table, common one first."""
    return list(dict.fromkeys((shared_config_file(), config_file())))


def with_switch(settings: Config, key: str | None) -> Config:
    """Settings for a person with one switch, who presses `key`.

    None changes nothing. BadInputError if no key has this name.
    """
    if key is None:
        return settings
    key = key if len(key) == 1 else key.lower()
    if not is_key(key):
        raise BadInputError(
            text("no key has this name"), where="--switch", next_step=text("--switch space, or enter, or f12")
        )
    return msgspec.structs.replace(settings, screen=msgspec.structs.replace(settings.screen, switch=key))


def load_config(path: Path | None = None, option: str = "--config") -> Config:
    """Settings from a file; defaults for what it leaves out.

    `path` None: the common file, overridden by the file of this process's table; either may be missing.
    `option`: command-line option that gave `path`, for errors. BadInputError for a file that cannot be
    used.
    """
    if path is not None:
        return _settings(_values(path, text("check {option}", option=option), option), path)
    settings, values = Config(), dict[str, Any]()
    for file in settings_files():
        own = _values(file, text("move it away"))
        _settings(own, file)  # checked alone, so that a mistake names its own file
        if file != config_file():
            own = {name: one for name, one in own.items() if name not in OF_A_RIG}
        values = _over(values, own)
        settings = _settings(values, file)
    return settings


def _over(values: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Settings `values` overridden by `own`, in tables entry by entry."""
    merged = {
        name: _over(values[name], one) if isinstance(one, dict) and isinstance(values.get(name), dict) else one
        for name, one in own.items()
    }
    return values | merged


def _values(file: Path, next_step: str, option: str = "") -> dict[str, Any]:
    """Values in a settings file. {} if it is missing and no `option` named it.

    BadInputError for a file that is damaged, or missing although named. It ends with the advice
    `next_step`.
    """
    try:
        if file.exists() and not file.is_file():
            raise BadInputError(text("not a file"), where=str(file), next_step=next_step)
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
    """Next step after a mistake in the settings: for an unknown setting, a newer version of the program may
    know it."""
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
"""Type, as msgspec calls it -> words for people."""
_MISTYPED = re.compile(r"Expected `(\w+)(?: \| null)?`, got `\w+` - at `\$\.([^`]*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`(?: - at `\$\.([^`]*)`)?")


def _in_words(said: str, data: dict[str, Any]) -> str:
    """Words for people on a mistake in the settings.

    msgspec has found it.
    """
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
    """What is wrong in the settings: a sentence of ours, or the library's with the setting's path."""
    said = error.__cause__.args[0] if isinstance(error.__cause__, ValueError) else None
    return said if isinstance(said, Text) else _in_words(str(error), data)
