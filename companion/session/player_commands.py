"""What people press on a screen, as manual entries of the game, or the reason for refusing it."""

from dataclasses import asdict
from typing import Any

from companion.core.language import sentences, text
from companion.fusion.tracker import Tracker
from companion.games.api import TableGame
from companion.sensing.observation import ManualEntry
from companion.session.events import (
    Answer,
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
from companion.session.narration import last_verdict
from companion.session.player_statements import TOLD


def entry_of(
    command: Command,
    t: float,
    game: TableGame[Any, Any],
    tracker: Tracker[Any, Any],
    players: int,
    *,
    over: bool,
) -> ManualEntry | str | None:
    """A command given at `t` (s) as an observation, or the reason for refusing it; None for one that is no part
    of the game.

    `over` says that the game is scored.
    """
    match command:
        case Claim(subject):
            state = tracker.state
            reason = game.claimable(state, subject - 1)
            if reason is not None:
                return reason
            return ManualEntry(t, "claim", {"station": game.claim_station(state, subject - 1)})
        case Undo(verdict):
            return _no_undo(verdict, game, tracker) or ManualEntry(t, "undo")
        case TableIsRight(player, refuted, playing):
            if not 0 <= player <= players:
                return text("There is no player {number}.", number=player)
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
            return ManualEntry(t, "answer", {**asdict(asked.fact), "yes": yes})
        case Pause(paused):
            return ManualEntry(t, "pause", {"paused": paused})
        case Tell(told):
            return ManualEntry(t, TOLD, {"id": told})
    return None


def _no_undo(verdict: str, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> str:
    """Why the last action cannot be taken back now; empty if it can.

    `verdict` is the id of the verdict that people mean to take back, empty for none.
    """
    if not tracker.steps and tracker.settled_from is None:
        return text("There is nothing to take back.")
    said = last_verdict(game, tracker.steps)
    if verdict == ("" if said is None else said.id):
        return ""
    if said is None:
        return text("The verdict is not the last action now. Press t, and mark who still plays.")
    return sentences([said.text, text("To take that back, confirm it.")])
