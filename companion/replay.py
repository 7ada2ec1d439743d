"""`companion replay`: a recorded game again, as a fold over its actions and anew from what the sensors saw."""

from pathlib import Path
from typing import Any

import click
import msgspec

from companion.clock import ManualClock
from companion.games.registry import check_table, load_game
from companion.journal import Observed, Recorded, fold, read_journal


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay(journal: Path, as_json: bool) -> None:
    """Replay a JOURNAL: its actions give one final state, its observations must give the same."""
    result = replay_journal(journal)
    if as_json:
        click.echo(msgspec.json.encode(result))
    else:
        click.echo(
            f"{result['game']} ({result['variant']}), {result['players']} players: {result['actions']} actions"
        )
        if result["lost"]:
            click.echo(f"  note: {result['lost']}")
        click.echo(f"  {result['outcome'] or 'the game is not over'}")
        agree = "agree" if result["matches"] else "DIFFER"
        click.echo(f"  recorded actions and replayed observations {agree}")
    if not result["matches"]:
        raise SystemExit(1)


def replay_journal(path: Path) -> dict[str, Any]:
    """Both replays of a journal and whether they agree. JournalError says what is wrong with the file."""
    recorded = read_journal(path)
    game = load_game(recorded.opened.game)
    check_table(game, recorded.opened.variant, recorded.opened.players)
    folded = fold(game, recorded.opened, recorded.lines)
    again = _observe_again(game, recorded)
    final, seen = game.write_state(folded.state), game.write_state(again)
    outcome = game.outcome(folded.state)
    return {
        "journal": str(path),
        "game": recorded.opened.game,
        "variant": recorded.opened.variant,
        "players": recorded.opened.players,
        "actions": folded.actions,
        "final_state": final,
        "replayed_state": seen,
        "matches": final == seen,
        "over": outcome is not None,
        "outcome": outcome.text if outcome else "",
        "score": outcome.score if outcome else None,
        "out_of": outcome.out_of if outcome else None,
        "lost": recorded.lost,
    }


def _observe_again(game: Any, recorded: Recorded) -> Any:
    """The state that the recorded observations lead to, through the same session code."""
    from companion.session import Session

    clock = ManualClock()
    opened = recorded.opened
    session = Session(game, opened.variant, opened.players, clock=clock, publish=lambda _: None)
    for line in recorded.lines:
        if isinstance(line, Observed):
            clock.sleep(max(0.0, line.t - clock.now()))
            session.take(line.t, line.o)
    return session.tracker.state
