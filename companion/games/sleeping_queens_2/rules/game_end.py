"""Who has won (rulebook, "Ending the Game")."""

from companion.games.api import Outcome
from companion.games.sleeping_queens_2.rules.kinds import kings_to_win
from companion.games.sleeping_queens_2.rules.state import Phase, State

OUTCOME = "Player {won} wins. {each}."


def winner(state: State) -> int | None:
    """The player (from 0) who has rescued enough kings; None while nobody has."""
    wanted = kings_to_win(state.players)
    return next((player for player, kings in enumerate(state.kings) if kings >= wanted), None)


def outcome(state: State) -> Outcome | None:
    """The result: the winner's kings, and a sentence; None while the game goes on."""
    won = winner(state)
    if state.phase is not Phase.OVER or won is None:
        return None
    scores = ", ".join(
        f"Player {player + 1}: {kings} king{'' if kings == 1 else 's'}"
        for player, kings in enumerate(state.kings)
    )
    return Outcome(state.kings[won], kings_to_win(state.players), OUTCOME.format(won=won + 1, each=scores))
