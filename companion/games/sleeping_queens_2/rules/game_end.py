"""End of a game: enough kings (rulebook, "Ending the Game")."""

from companion.core.language import player as named
from companion.core.language import plural, text
from companion.games.rules import Outcome
from companion.games.sleeping_queens_2.rules.kinds import kings_to_win
from companion.games.sleeping_queens_2.rules.state import Phase, State

OUTCOME = text("{won}. {each}.")


def winner(state: State) -> int | None:
    """The player (from 0) with enough rescued kings.

    None if nobody has them.
    """
    wanted = kings_to_win(state.players)
    return next((player for player, kings in enumerate(state.kings) if kings >= wanted), None)


def outcome(state: State) -> Outcome | None:
    """The result: the winner's number of kings and a sentence.

    None while the game goes on.
    """
    won = winner(state)
    if state.phase is not Phase.OVER or won is None:
        return None
    scores = [
        plural("{who}: {n} king", "{who}: {n} kings", n=kings, who=named(player + 1))
        for player, kings in enumerate(state.kings)
    ]
    wins = plural("{players} wins", "{players} share the win", n=1, players=named(won + 1))
    return Outcome(state.kings[won], kings_to_win(state.players), OUTCOME.of(won=wins, each=scores))
