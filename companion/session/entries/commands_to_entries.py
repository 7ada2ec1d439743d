"""Commands from a screen, checked and converted to journal entries."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import msgspec

from companion.core.language import on_wire, text
from companion.fusion.tracker import Tracker
from companion.games.table_game import TableGame
from companion.sensing.observation import ManualEntry
from companion.session.entries.player_entries import LAID_BACK, LAYS_BACK, PlayerEntries
from companion.session.entries.player_statements import TOLD
from companion.session.stream.commands import (
    Answer,
    CardsLaidBack,
    Claim,
    Command,
    CompanionIsRight,
    EndGame,
    Pause,
    TableIsRight,
    Tell,
    Turn,
    Undo,
)


def entry_of(
    command: Command,
    t: float,
    game: TableGame[Any, Any],
    tracker: Tracker[Any, Any],
    players: int,
    entries: PlayerEntries,
    *,
    over: bool,
) -> ManualEntry | str | None:
    """Convert a screen's command to a journal entry.

    `t`: time (s) of the command. Returns a sentence (str) if the command is refused. Returns None if the
    command is no entry, e.g. a question.

    `players`: number of players. `entries`: executor of earlier entries, which knows what can be undone.
    `over`: True if the game has its score.
    """
    match command:
        case Claim(subject):
            return LAYS_BACK if entries.laying_back else _claim(t, game, tracker.state, subject)
        case Undo(verdict):
            return entries.no_undo(verdict) or ManualEntry(t, "undo", {"verdict": verdict})
        case TableIsRight(player, refuted, playing):
            if not 0 <= player <= players:
                return text("There is no player {number}.", number=player)
            if reason := _no_subject(game, tracker.state, (*refuted, *playing)):
                return reason
            told = {"player": player, "refuted": list(refuted), "playing": list(playing)}
            return ManualEntry(t, "table_is_right", {name: value for name, value in told.items() if value})
        case CompanionIsRight():
            return ManualEntry(t, "companion_is_right")
        case Turn(player):
            if not 1 <= player <= players:
                return text("There is no player {number}.", number=player)
            return ManualEntry(t, "turn", {"player": player})
        case EndGame():
            return text("The game is scored already.") if over else ManualEntry(t, "end_game")
        case Answer(question, yes):
            asked = tracker.asked
            if asked is None or asked.fact.id != question:
                return text("That is not asked any more.")
            # A journal has sentences in English; what was asked is told again in the reader's language.
            said = msgspec.to_builtins(asked.fact.question, enc_hook=on_wire)
            return ManualEntry(t, "answer", {**asdict(asked.fact), "said": said, "yes": yes})
        case Pause(paused):
            return ManualEntry(t, "pause", {"paused": paused})
        case CardsLaidBack(now):
            return ManualEntry(t, LAID_BACK, {"now": now})
        case Tell(told):
            return ManualEntry(t, TOLD, {"id": told})
    return None


def _claim(t: float, game: TableGame[Any, Any], state: Any, subject: int) -> ManualEntry | str:
    reason = game.claimable(state, subject - 1) or _no_subject(game, state, (subject,))
    return reason or ManualEntry(t, "claim", {"station": game.claim_station(state, subject - 1)})


def _no_subject(game: TableGame[Any, Any], state: Any, subjects: Iterable[int]) -> str:
    """Sentence about the first number (from 1) that is no place of the game; empty if all are."""
    most = len(game.screen(state, "referee")["places"])
    wrong = (one for one in subjects if not 1 <= one <= most)
    return next((text("There is no place {place} in this game.", place=one) for one in wrong), "")
