"""`companion hint`: advice from what players can know, for the running game or the end of a journal."""

from pathlib import Path

import click
import msgspec

from companion.commands.what_is_played import last_journal
from companion.core.config import load_config, runtime_dir
from companion.core.errors import SourceError
from companion.core.language import ENGLISH, choose, in_english, localized, player, text, tr, use
from companion.core.option_types import FILE_PATH, at_option, language_option
from companion.core.printable import say
from companion.session.entries.advice_request import ask_engine, ask_journal
from companion.session.journal.journal_order import newest_journal
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Advice


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
@language_option
@at_option
def hint(journal: Path | None, level: str, hand: str, socket: Path | None, as_json: bool) -> None:
    """Advice for the running game, or for the position at the end of a JOURNAL.

    Without JOURNAL the engine that serves this user's screens is asked (`companion run`), and if there is
    none the journal that was written last, also by a running `companion play`.
    """
    use(ENGLISH if as_json else choose(load_config().language))  # JSON is for programs
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
        click.echo(msgspec.json.encode(advice, enc_hook=in_english))
        return
    if not advice.hints:
        say(text("The game is over.") if advice.over else text("Nobody has to decide anything now."))
        return
    if advice.private:
        say(text("For {who} alone:", who=player(advice.player, within=True)))
    best, *others = advice.hints
    say(text("{hint} ({expects})", hint=best.text, expects=best.expects) if best.expects else best.text)
    # A sentence may hold for several places: it is said once.
    for one in dict.fromkeys(
        localized(one.text) for one in others if localized(one.text) != localized(best.text)
    ):
        say(one)


def _ask_own(question: AskHint) -> Advice:
    """Advice from this user's engine, else from the newest journal.

    Without an engine, stderr says which journal was used. SourceError if there is no journal either.
    """
    try:
        return ask_engine(runtime_dir() / "engine.sock", question)
    except SourceError as error:
        newest = last_journal()
        if newest is None:
            raise SourceError(
                text("no game is running, and none was recorded"),
                where=error.where,
                next_step=text("start one: companion play, or name one: companion hint JOURNAL"),
            ) from None
    say(tr("{journal}, as it stood at its last line.", journal=str(newest)), err=True)
    return ask_journal(newest, question)


def _newest() -> str:
    """End of an error's advice: ", or: companion hint JOURNAL", with the journal begun last.

    "" if there is no journal.
    """
    journal = newest_journal()
    return f", or: companion hint {journal}" if journal else ""
