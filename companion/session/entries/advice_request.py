"""Requests for hints in a running or recorded game."""

from pathlib import Path

import msgspec

from companion.core.clock import Clock, RealClock
from companion.core.config import load_config
from companion.core.engine_command import engine_command
from companion.core.errors import BadInputError, SourceError
from companion.core.language import text
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_fold import fold
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Advice, Event, Goodbye, Refused, Table

WAIT_S = 20.0
"""Longest time (s) for an engine's answer. Before its first hint an engine computes tables. A guess."""
REAL = RealClock()


def ask_journal(path: Path, question: AskHint) -> Advice:
    """Return hints for the last position in the journal `path`.

    BadInputError if the game has no hints, or if `question` cannot be answered. JournalError if the journal
    cannot be read.
    """
    from companion.games.registry import give_names, load_adviser
    from companion.session.journal.journal_replay import game_of

    recorded = read_journal(path)
    game = game_of(recorded.opened)
    give_names(game, recorded.opened.names)
    adviser = load_adviser(recorded.opened.game)
    if adviser is None:
        raise BadInputError(text("no hints for {game}", game=recorded.opened.game), where=str(path))
    advice: Advice = adviser.answer(recorded, question, assist=load_config().assist)
    over = game.outcome(fold(game, recorded.opened, recorded.lines).state) is not None
    return msgspec.structs.replace(advice, over=over)


def ask_engine(path: Path, question: AskHint, clock: Clock = REAL) -> Advice:
    """Ask a running engine for hints.

    `path`: socket of its event stream. SourceError if the engine is gone, or does not answer within WAIT_S on
    `clock`. BadInputError if it refuses `question` or stops.
    """
    from companion.session.stream.stream import connect, decode_line, encode_line

    with connect(path) as client, client.makefile("rb") as lines:
        until = clock.now() + WAIT_S
        client.settimeout(WAIT_S)
        over = False
        try:
            client.sendall(encode_line(question))
            for line in lines:
                match decode_line(line, Event):
                    case Table() as table:
                        over = table.over
                    case Advice(aloud=False) as advice:
                        return msgspec.structs.replace(advice, over=over)
                    case Refused(reason) | Goodbye(reason):
                        raise BadInputError(reason)
                # Other events of the running game arrive before the answer.
                if (left := until - clock.now()) <= 0:
                    raise TimeoutError
                client.settimeout(left)
        except TimeoutError:
            raise SourceError(
                text("no answer within {seconds} s", seconds=f"{WAIT_S:g}"),
                where=str(path),
                next_step=text("is it an engine of this version?"),
            ) from None
        except OSError:
            pass  # the connection to a killed engine often ends with an error instead of an end of file
    raise SourceError(
        text("the engine went away"),
        where=str(path),
        next_step=text("start it again: {command} --resume", command=engine_command(path)),
    )
