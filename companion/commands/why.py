"""`companion why`: what is believed of a place, and why.

The answer names hidden cards: it is not for players.
"""

from dataclasses import replace
from pathlib import Path

import click
import msgspec

from companion.commands.what_is_played import last_journal
from companion.core import process_tuning
from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.language import choose, in_english, localized, text, tr, use
from companion.core.option_types import FILE_PATH, at_option, language_option
from companion.core.printable import follow, say
from companion.dashboard.player_names import PlayerNames
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_lines import people_of


@click.command()
@click.option(
    "--place",
    type=int,
    required=True,
    help="Which place of the game where cards lie hidden, from 1.",
)
@click.option("--game", "journal", type=FILE_PATH,
              help="A journal; without it the one written last, also of a running game.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@language_option
@at_option
def why(place: int, journal: Path | None, as_json: bool) -> None:
    """What lies hidden at a place and why: not for players.

    Each step with its signs, the sensor that gave them and how strong they are (nats, and odds), then what
    else is possible, how much weaker it is, and what speaks against it.
    """
    from companion.fusion.explain.reasons import named_codes, places_of, why_lines
    from companion.fusion.explain.reasons import why as reasons
    from companion.games.registry import give_names
    from companion.session.journal.journal_replay import game_of, read_back

    use(choose(load_config().language))
    process_tuning.freeze_garbage()
    path = journal or last_journal()
    if path is None:
        raise BadInputError(text("no game was ever recorded here"), next_step=text("name one: --game JOURNAL"))
    recorded = read_journal(path)
    game = game_of(recorded.opened)
    give_names(game, recorded.opened.names)
    # A game has the same places from its beginning: a wrong number is refused before all of it is read.
    places = places_of(read_back(game, replace(recorded, lines=())).tracker)
    if not 1 <= place <= len(places):
        named = ", ".join(f"{at} {name}" for at, name in enumerate(places, 1))
        raise BadInputError(
            text("there is no place {place}", place=place),
            where="--place",
            next_step=named or text("no card lies hidden"),
        )
    along = follow(tr("reading {journal}", journal=path.name))
    tracker = read_back(game, recorded, along).tracker
    say(tr("What else is possible was searched only in the last minute of the game."), err=True)
    found = reasons(tracker, places[place - 1])
    if as_json:
        click.echo(msgspec.json.encode(found, enc_hook=in_english))
        return
    say(tr("{journal}, as it stood at its last line. Not for players.", journal=str(path)))
    names = PlayerNames(people_of(recorded.opened, recorded.lines))
    for line in (*why_lines(found), *named_codes(game, recorded.opened.variant, found)):
        say(names.put_into(localized(line)))
