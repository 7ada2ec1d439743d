"""`companion simulate`: many games by the rules alone, in numbers."""

import json
from contextlib import ExitStack
from pathlib import Path

import click

from companion.core.errors import BadInputError
from companion.core.option_types import FILE_PATH, FiniteRange
from companion.core.printable import say
from companion.games.sleepless_princess.hints.hinted_players import MISREAD
from companion.games.sleepless_princess.players.simulation import (
    FORGET,
    POLICY_NAMES,
    People,
    check_simulation,
    simulate_games,
)
from companion.games.sleepless_princess.rules.rulebook import RULES


@click.command()
@click.option("--game", default=RULES.name, show_default=True, help="The game.")
@click.option("--variant", default="basic", show_default=True, help="basic or 5+.")
@click.option("--players", default=3, show_default=True, help="Number of players.")
@click.option("--games", default=100, show_default=True, help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same games.")
@click.option(
    "--policy",
    default="sensible",
    show_default=True,
    help=f"{', '.join(POLICY_NAMES)}.",
)
@click.option(
    "--forget",
    type=FiniteRange(0, 1),
    default=FORGET,
    show_default=True,
    help="Careless people: chance to forget, each mattress, each turn.",
)
@click.option(
    "--misread",
    type=FiniteRange(0, 1),
    default=MISREAD,
    show_default=True,
    help="Careless people: chance to misfeel, each touch.",
)
@click.option("--silent", is_flag=True, help=RULES.options["silent"])
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--log", type=FILE_PATH, help="Write every game to this file.")
def simulate(
    game: str,
    variant: str,
    players: int,
    games: int,
    seed: int,
    policy: str,
    forget: float,
    misread: float,
    silent: bool,
    as_json: bool,
    log: Path | None,
) -> None:
    """Play many games by the rules alone and print how they went."""
    check_simulation(game, variant, players, games, policy)
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(log.open("w", encoding="utf-8")) if log else None
        except OSError as error:
            problem = error.strerror or str(error)
            raise BadInputError(problem, where=str(log), next_step="choose another file") from None
        humans = People(forget, misread)
        result = simulate_games(game, variant, players, games, seed, policy, stream, humans, silent=silent)
    if as_json:
        click.echo(json.dumps(result))
        return
    for name, value in result.items():
        say(f"{name.replace('_', ' '):>22}  {_friendly(value)}")


def _friendly(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return f"{value[0]:.2f} to {value[1]:.2f}"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
