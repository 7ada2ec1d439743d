"""Who has won: by queens, by points, or when nobody sleeps any more (rulebook, "Ending the Game")."""

from companion.core.language import Text, listed, plural, text
from companion.core.language import player as named
from companion.games.api import Outcome
from companion.games.sleeping_queens.rules.kinds import EMPTY, POINTS
from companion.games.sleeping_queens.rules.state import Phase, State


def wins_with(players: int) -> tuple[int, int]:
    """Queens and points, either of which wins (rulebook, "The object of the game")."""
    return (5, 50) if players <= 3 else (4, 40)


def points(queens: tuple[int, ...]) -> int:
    """What queens are worth together."""
    return sum(POINTS[queen] for queen in queens)


def points_words(number: int) -> Text:
    """So many points in words; a language decides whether 0 is one or several."""
    return plural("{n} point", "{n} points", n=number)


def is_won(state: State) -> bool:
    """Whether the game is over: somebody has enough queens or points, or no queen sleeps."""
    number, worth = wins_with(state.players)
    if any(len(queens) >= number or points(queens) >= worth for queens in state.awake):
        return True
    return all(queen == EMPTY for queen in state.cells)


OUTCOME = text("{won}. {each}.")
WON = plural("{players} wins", "{players} share the win")


def winners(state: State) -> tuple[int, ...]:
    """The players (from 0) who have won a game that is over; several share a win (decision 7)."""
    number, worth = wins_with(state.players)
    scores = [points(queens) for queens in state.awake]
    first = [
        player for player, queens in enumerate(state.awake) if len(queens) >= number or scores[player] >= worth
    ]
    return tuple(first) or tuple(player for player, score in enumerate(scores) if score == max(scores))


def outcome(state: State) -> Outcome | None:
    """The result: the winners' points, and a sentence; None while the game goes on."""
    if state.phase is not Phase.OVER:
        return None
    won = winners(state)
    names = listed([named(player + 1, within=at > 0) for at, player in enumerate(won)])
    each = [
        plural(
            "{who}: {n} queen, {points}",
            "{who}: {n} queens, {points}",
            n=len(own),
            who=named(player + 1),
            points=points_words(points(own)),
        )
        for player, own in enumerate(state.awake)
    ]
    best = max(points(state.awake[player]) for player in won)
    told = OUTCOME.of(won=WON.of(players=names, n=len(won)), each=each)
    return Outcome(best, wins_with(state.players)[1], told)
