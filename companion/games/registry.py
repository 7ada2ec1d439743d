"""The games by name; a game's code is loaded when it is asked for."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from companion.core.errors import BadInputError
from companion.core.mat_geometry import Mat
from companion.games.api import PhysicalCard, TableGame

_GAMES = {
    "sleepless-princess": ("companion.games.sleepless_princess.game", "SleeplessPrincessTable"),
    "sleeping-queens": ("companion.games.sleeping_queens.game", "SleepingQueensTable"),
    "sleeping-queens-2": ("companion.games.sleeping_queens_2.game", "SleepingQueens2Table"),
}
GAME_NAMES = tuple(_GAMES)
DEFAULT_GAME = GAME_NAMES[0]


def load_cards(name: str) -> tuple[PhysicalCard, ...]:
    """The cards of one of GAME_NAMES (its first variant)."""
    game = load_game(name)
    return game.cards(first_variant(game))


def load_mat(name: str) -> Mat:
    """The mat of one of GAME_NAMES (its first variant)."""
    game = load_game(name)
    return game.mat(first_variant(game))


def first_variant(game: TableGame[Any, Any], usual: str = "") -> str:
    """The variant of a game for which none was asked: the `usual` one if it has that, else its first."""
    return usual if usual in game.variants else next(iter(game.variants))


def load_game(name: str) -> TableGame[Any, Any]:
    """The game of that name, an empty one for DEFAULT_GAME; BadInputError lists those that exist."""
    name = name or DEFAULT_GAME
    if name not in _GAMES:
        raise BadInputError(f"no game is called {name!r}", next_step=f"choose one of: {', '.join(_GAMES)}")
    module, cls = _GAMES[name]
    game: TableGame[Any, Any] = getattr(import_module(module), cls)()
    return game


def check_table(game: TableGame[Any, Any], variant: str, players: int) -> None:
    """BadInputError if the game has no such variant, or not for so many players."""
    if variant not in game.variants:
        raise BadInputError(
            f"{game.name} has no variant {variant!r}", next_step=f"choose one of: {', '.join(game.variants)}"
        )
    allowed = game.variants[variant]
    if players not in allowed:
        raise BadInputError(
            f"{game.name} ({variant}) is for {allowed[0]} to {allowed[-1]} players, not {players}",
            next_step=f"--players {allowed[0]} to {allowed[-1]}",
        )


def give_names(game: TableGame[Any, Any], names: Sequence[str]) -> None:
    """The family's names for characters that the rulebook leaves without one, for all words of this program.

    BadInputError if they are too many, too long, or one twice.
    """
    try:
        game.take_names(names)
    except ValueError as error:
        raise BadInputError(str(error), where="names", next_step="see docs/configuration.md") from None


def load_part(name: str, part: str) -> Any | None:
    """A module of a game's folder that not every game has, e.g. `adviser` (hints); None if it has none."""
    folder = _GAMES[name][0].rpartition(".")[0]
    try:
        found = find_spec(f"{folder}.{part}")
    except ModuleNotFoundError:
        return None
    return import_module(f"{folder}.{part}") if found else None


def load_adviser(name: str) -> Any | None:
    """The module that answers who asks for a hint; None if the game has no hints."""
    return load_part(name, "adviser")


def load_virtual(name: str) -> Any:
    """What a game, an empty name for DEFAULT_GAME, gives the virtual table and rehearsals: its folder `virtual`
    has it as VIRTUAL (see `RehearsedGame` in companion.virtual.rehearsal_api).

    BadInputError for a game that does not exist or that no virtual table knows.
    """
    name = load_game(name).name
    found = getattr(load_part(name, "virtual"), "VIRTUAL", None)
    if found is None:
        raise BadInputError(f"no virtual table knows {name}", next_step="use a camera and a board of your own")
    return found
