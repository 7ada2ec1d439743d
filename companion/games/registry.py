"""The games by name.

The code of a game is imported when it is first asked for.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from companion.core.config import Config
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.appearance import PhysicalCard
from companion.games.optional_modules import RigRow, RigTable
from companion.games.table_game import TableGame
from vision.mat_geometry import Mat

_GAMES = {
    "sleepless-princess": ("companion.games.sleepless_princess.game", "SleeplessPrincessTable"),
    "sleeping-queens": ("companion.games.sleeping_queens.game", "SleepingQueensTable"),
    "sleeping-queens-2": ("companion.games.sleeping_queens_2.game", "SleepingQueens2Table"),
}
GAME_NAMES = tuple(_GAMES)
"""Names of all games on the command line, DEFAULT_GAME first."""
DEFAULT_GAME = GAME_NAMES[0]
"""Name of the game that is played if none is named."""
_TAG = re.compile(r"(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})")
"""Number of an NFC tag in lower-case hexadecimal: 4, 7 or 10 bytes (ISO 14443)."""
NO_PARTS: Mapping[str, str] = MappingProxyType({})
"""Default of `parts`: the family's box is printed as the game assumes."""


def load_cards(name: str) -> tuple[PhysicalCard, ...]:
    """A game's (name of GAME_NAMES) cards, in its first variant."""
    game = load_game(name)
    return game.cards(first_variant(game))


def load_mat(name: str) -> Mat:
    """A game's (name of GAME_NAMES) mat, in its first variant."""
    game = load_game(name)
    return game.mat(first_variant(game))


@cache
def mats_by_marker() -> Mapping[int, str]:
    """Mat's corner marker number -> name of that mat.

    It holds the mats of all games. A corner marker is a printed square code (fiducial) that the camera reads.
    """
    return {marker.id: mat.name for mat in map(load_mat, GAME_NAMES) for marker in mat.markers}


def first_variant(game: TableGame[Any, Any], usual: str = "") -> str:
    """`usual` if it is a variant of the game, else the game's first variant."""
    return usual if usual in game.variants else next(iter(game.variants))


def load_game(name: str, parts: Mapping[str, str] = NO_PARTS) -> TableGame[Any, Any]:
    """Load a game by name; "" loads DEFAULT_GAME.

    `parts`: part name -> print, for printed parts that differ from the game's defaults. BadInputError for an
    unknown name, which lists the known ones, or a wrong part.
    """
    name = name or DEFAULT_GAME
    if name not in _GAMES:
        raise BadInputError(
            text("no game is called {name}", name=repr(name)),
            next_step=text("choose one of: {names}", names=tuple(_GAMES)),
        )
    module, cls = _GAMES[name]
    game: TableGame[Any, Any] = getattr(import_module(module), cls)()
    if parts:
        _take_parts(game, parts)
    return game


def load_configured(name: str, settings: Mapping[str, Mapping[str, str]]) -> TableGame[Any, Any]:
    """Load a game with the printed parts of the settings.

    `settings`: game name -> part name -> print. BadInputError for an unknown game, in `name` or in
    `settings`.
    """
    for game in settings:
        if game not in _GAMES:
            raise BadInputError(
                text("no game is called {name}", name=repr(game)),
                where=f"parts.{game}",
                next_step=text("choose one of: {names}", names=tuple(_GAMES)),
            )
    return load_game(name, settings.get(name or DEFAULT_GAME, NO_PARTS))


def check_settings(settings: Config) -> None:
    """Check that all NFC tags, card codes, printed parts and stations of the settings exist.

    BadInputError names the first that does not. Without this check, a card with a misspelt code would stay
    unknown for ever.
    """
    for name, parts in settings.parts.items():
        load_game(name, parts)
    stations = {zone.name for name in GAME_NAMES for zone in load_mat(name).zones}
    for station in settings.stations:
        if station not in stations:
            raise BadInputError(
                text("no mat has a place called {name}", name=repr(station)),
                where=f"stations.{station}",
                next_step=text("companion setup stations measures them"),
            )
    if not settings.tags:
        return
    codes = {
        card.code
        for game in map(load_game, GAME_NAMES)
        for variant in game.variants
        for card in game.cards(variant)
    }
    for tag, code in settings.tags.items():
        if not _TAG.fullmatch(tag):
            raise BadInputError(
                text("{tag} is no tag: 4, 7 or 10 bytes as hexadecimal digits in small letters", tag=repr(tag)),
                where="tags",
                next_step=text("companion setup tags reads them"),
            )
        if code not in codes:
            raise BadInputError(
                text("no card has the code {code}", code=repr(code)),
                where=f"tags.{tag}",
                next_step=text("companion setup tags reads them"),
            )


def printed_parts(game: TableGame[Any, Any]) -> dict[str, str]:
    """Game's printed parts other than defaults: name -> print.

    Empty if the rulebook describes every part.
    """
    return dict(game.box.printed_parts()) if game.box else {}


def _take_parts(game: TableGame[Any, Any], parts: Mapping[str, str]) -> None:
    """Tell a game what is printed on the family's box: part name -> print.

    BadInputError for a wrong part, or for a game whose parts cannot be changed.
    """
    where = f"parts.{game.name}"
    if game.box is None:
        raise BadInputError(
            text("{name} leaves nothing to its parts", name=game.name), where=where, next_step=text("remove it")
        )
    try:
        game.box.take_parts(parts)
    except ValueError as error:
        raise BadInputError(str(error), where=where, next_step=text("see docs/configuration.md")) from None


def check_table(game: TableGame[Any, Any], variant: str, players: int, options: Collection[str] = ()) -> None:
    """Raise BadInputError if a game lacks this variant, an option, or this number of players."""
    if variant not in game.variants:
        raise BadInputError(
            text("{name} has no variant {variant}", name=game.name, variant=repr(variant)),
            next_step=text("choose one of: {names}", names=tuple(game.variants)),
        )
    allowed = game.variants[variant]
    if players not in allowed:
        raise BadInputError(
            text(
                "{name} ({variant}) is for {least} to {most} players, not {players}",
                name=game.name,
                variant=variant,
                least=allowed[0],
                most=allowed[-1],
                players=players,
            ),
            next_step=text(
                "{least} to {most}: --players, as many --names, or players in the settings",
                least=allowed[0],
                most=allowed[-1],
            ),
        )
    try:
        game.empty_table(variant, players, options)
    except ValueError as error:
        raise BadInputError(str(error), where="options", next_step=text("see docs/configuration.md")) from None


def give_names(game: TableGame[Any, Any], names: Sequence[str]) -> None:
    """Name the characters that the rulebook leaves nameless.

    All later sentences of the game use these names. BadInputError for too many names, one that is too long, or
    one given twice.
    """
    try:
        if game.name_characters is not None:
            game.name_characters(names)
        elif names:
            raise ValueError("nobody of this game is without a name")
    except ValueError as error:
        raise BadInputError(str(error), where="names", next_step=text("see docs/configuration.md")) from None


def load_part(name: str, part: str) -> Any | None:
    """Import an optional module of a game; None without one.

    The module lies in the game's folder. `name`: of the game. `part`: of the module, e.g. "rig_table".
    """
    module = f"{_GAMES[name][0].rpartition('.')[0]}.{part}"
    try:
        found = find_spec(module)
    except ModuleNotFoundError:
        return None
    return import_module(module) if found else None


def _load_upper(name: str, package: str, part: str) -> Any | None:
    """Import what a package above `companion.games` adds to a game; None if nothing.

    It is the module of `package` that is named like the game's folder, else the module `part` in the game's
    folder.
    """
    folder = _GAMES[name][0].split(".")[-2]
    return import_module(f"{package}.{folder}") if find_spec(f"{package}.{folder}") else load_part(name, part)


def load_adviser(name: str) -> Any | None:
    """Import the module that works out hints for the game `name`; None if the game has no hints."""
    return _load_upper(name, "companion.advice", "adviser")


def load_rig_table(name: str) -> Sequence[RigRow]:
    """Rigs that can follow a game, smallest first.

    A rig is a set of sensors. Empty if the game has no module `rig_table`.
    """
    part: RigTable | None = load_part(name, "rig_table")
    return part.RIG_TABLE if part is not None else ()


def load_virtual(name: str, parts: Mapping[str, str] = NO_PARTS) -> Any:
    """Load what the virtual table needs to play a game: players, things and rig.

    Returns a `RehearsedGame` of companion.virtual.rehearsal_api. `name`: "" for DEFAULT_GAME. `parts`: part
    name -> print, where it differs from the defaults. BadInputError for a game that is unknown or has no
    virtual players.
    """
    name = load_game(name, parts).name
    found = getattr(_load_upper(name, "companion.virtual.games", "virtual"), "VIRTUAL", None)
    if found is None:
        raise BadInputError(
            text("no virtual table knows {name}", name=name),
            next_step=text("use a camera and a board of your own"),
        )
    return found.with_parts(parts) if parts else found
