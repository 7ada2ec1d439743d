"""`companion simulate`: many games by the rules alone, in numbers."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from companion.core.errors import BadInputError
from companion.core.files import check_free
from companion.core.option_types import FILE_PATH, FiniteRange, force_option
from companion.core.printable import say
from companion.games.registry import DEFAULT_GAME, GAME_NAMES, first_variant, load_game, load_part


@click.command()
@click.option("--game", default=DEFAULT_GAME, show_default=True, help=f"{', '.join(GAME_NAMES)}.")
@click.option("--variant", help="Which variant of it; basic, or its first, without it.")
@click.option("--players", default=3, show_default=True, help="Number of players.")
@click.option("--games", default=100, show_default=True, help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--policy", default="sensible", show_default=True, help="How they play: random, sensible, ...")
@click.option("--forget", type=FiniteRange(0, 1), help="Careless people: chance to forget, a card, a turn.")
@click.option("--misread", type=FiniteRange(0, 1), help="Careless people: chance to misfeel, each touch.")
@click.option("--silent", is_flag=True, default=None, help="What a player feels or sees is theirs alone.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--log", type=FILE_PATH, help="Write every game to this file.")
@force_option
def simulate(
    game: str,
    variant: str | None,
    players: int,
    games: int,
    seed: int,
    policy: str,
    as_json: bool,
    log: Path | None,
    force: bool,
    **settings: Any,
) -> None:
    """Play many games by the rules alone and print how they went.

    No table, camera or board is simulated: only players with a policy, such as random or sensible.
    """
    rules = load_game(game)
    part = load_part(rules.name, "players.simulation")
    if part is None:
        raise BadInputError(f"nobody plays {game} by themselves", where="--game")
    given = {name: value for name, value in settings.items() if value is not None}
    if unknown := sorted(given.keys() - part.SETTINGS):
        raise BadInputError(f"{game} has no --{unknown[0]}", next_step="leave it out")
    variant = variant or first_variant(rules, "basic")
    part.check_simulation(variant, players, games, policy)
    with ExitStack() as stack:
        try:
            if log is not None:
                check_free(log, overwrite=force, option="--log")
            mode = "w" if force else "x"
            stream = stack.enter_context(log.open(mode, encoding="utf-8")) if log else None
        except OSError as error:
            problem = error.strerror or str(error)
            raise BadInputError(problem, where=str(log), next_step="choose another file") from None
        result = part.simulate(variant, players, games, seed, policy, stream, **given)
    if as_json:
        click.echo(json.dumps(result))
        return
    for name, value in result.items():
        say(f"{name.replace('_', ' '):>22}  {_friendly(value)}")


def _friendly(value: object) -> str:
    """A value of the result as text. "-" for None; two numbers of a list are joined by "to"."""
    if value is None:
        return "-"
    if isinstance(value, list):
        pair = len(value) == 2
        return (" to " if pair else " ").join(f"{one:.{2 if pair else 3}f}" for one in value)
    return f"{value:.2f}" if isinstance(value, float) else str(value)
