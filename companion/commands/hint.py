"""`companion hint`: advice from what the players can know, for the running game or at the end of a journal."""

from pathlib import Path

import click
import msgspec

from companion.core.config import load_config, newest_journal, runtime_dir
from companion.core.errors import BadInputError, SourceError
from companion.core.option_types import FILE_PATH
from companion.core.printable import say
from companion.session.events import Advice, AskHint, Event, Goodbye, Refused
from companion.session.journal import read_journal

WAIT_S = 20.0
"""How long the engine may take to answer: its first hint makes tables first."""


@click.command()
@click.argument("journal", type=FILE_PATH, required=False)
@click.option(
    "--level",
    type=click.Choice(["referee", "memory", "nudge", "coach"]),
    default="coach",
    show_default=True,
    help="The rules, what was found out, a question, or the move.",
)
@click.option(
    "--hand", default="", help="Cards of the player on turn, e.g. 3,3,4,7,B: advice on cards needs them."
)
@click.option("--socket", type=FILE_PATH, help="The running engine's event stream.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def hint(journal: Path | None, level: str, hand: str, socket: Path | None, as_json: bool) -> None:
    """Advice for the running game, or for the position at the end of a JOURNAL.

    Without JOURNAL the engine that serves this user's screens is asked (`companion run`), and if there is
    none the journal that was written last, also by a running `companion play`.
    """
    question = AskHint(level, hand)
    if journal is not None:
        advice = ask_journal(journal, question)
    elif socket is not None:
        try:
            advice = ask_engine(socket, question)
        except SourceError as error:
            raise SourceError(error.what, where=error.where, next_step=error.next_step + _newest()) from None
    else:
        advice = _ask_own(question)
    if as_json:
        click.echo(msgspec.json.encode(advice))
        return
    if not advice.hints:
        say("Nobody has to decide anything now.")
        return
    if advice.private:
        say(f"For player {advice.player} alone:")
    best, *others = advice.hints
    say(f"{best.text} ({best.expects})" if best.expects else best.text)
    for one in others:
        say(one.text)


def _ask_own(question: AskHint) -> Advice:
    """The answer of the engine in this user's runtime folder, else of the newest journal they recorded."""
    try:
        return ask_engine(runtime_dir() / "engine.sock", question)
    except SourceError as error:
        newest = newest_journal()
        if newest is None:
            raise SourceError(
                "no game is running, and none was recorded",
                where=error.where,
                next_step="start one: companion play, or name one: companion hint JOURNAL",
            ) from None
    say(f"{newest}, as it stood at its last line.", err=True)
    return ask_journal(newest, question)


def ask_journal(path: Path, question: AskHint) -> Advice:
    """The answer for the position at the end of a journal."""
    from companion.games.registry import give_names, load_adviser
    from companion.session.journal_replay import game_of

    recorded = read_journal(path)
    give_names(game_of(recorded.opened), recorded.opened.names)
    adviser = load_adviser(recorded.opened.game)
    if adviser is None:
        raise BadInputError(f"there are no hints for {recorded.opened.game}", where=str(path))
    advice: Advice = adviser.answer(recorded, question, assist=load_config().assist)
    return advice


def _newest() -> str:
    """The journal that was begun last, as a next step; empty if there is none."""
    journal = newest_journal()
    return f", or: companion hint {journal}" if journal else ""


def ask_engine(path: Path, question: AskHint) -> Advice:
    """The answer of the engine that serves the stream at `path`.

    SourceError if nobody answers, BadInputError if the engine refuses the question.
    """
    from companion.session.stream import connect, decode_line, encode_line

    with connect(path) as client, client.makefile("rb") as lines:
        client.settimeout(WAIT_S)
        client.sendall(encode_line(question))
        try:
            for line in lines:
                match decode_line(line, Event):
                    case Advice() as advice:
                        return advice
                    case Refused(text) | Goodbye(text):
                        raise BadInputError(text)
        except TimeoutError:
            raise SourceError(
                f"no answer within {WAIT_S:g} s", where=str(path), next_step="is it an engine of this version?"
            ) from None
    raise SourceError("the engine went away", where=str(path), next_step="start it again: companion run")
