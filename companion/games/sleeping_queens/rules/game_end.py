"""The end of a game: enough queens, enough points, or no queen asleep (rulebook, "Ending the Game").

>>> wins_with(2), points((0, 11))
((5, 50), 25)
"""

from companion.core.language import Text, listed, plural, text
from companion.core.language import player as named
from companion.games.rules import Outcome
from companion.games.sleeping_queens.rules.kinds import EMPTY, POINTS
from companion.games.sleeping_queens.rules.state import Phase, State


def wins_with(players: int) -> tuple[int, int]:
    """(queens, points): a player with so many of either wins (rulebook, "The object of the game")."""
    return (5, 50) if players <= 3 else (4, 40)


def points(queens: tuple[int, ...]) -> int:
    """Points of several queens (numbers 0 to 11) together."""
    return sum(POINTS[queen] for queen in queens)


def points_words(number: int) -> Text:
    """Points in words, singular or plural: "1 point", "2 points"."""
    return plural("{n} point", "{n} points", n=number)


def is_won(state: State) -> bool:
    """True if the game is over: a player has enough queens or points, or no queen sleeps."""
    number, worth = wins_with(state.players)
    if any(len(queens) >= number or points(queens) >= worth for queens in state.awake):
        return True
    return all(queen == EMPTY for queen in state.cells)


OUTCOME = text("{won}. {each}.")
WON = plural("{players} wins", "{players} share the win")


def winners(state: State) -> tuple[int, ...]:
    """Players (from 0) who won a finished game.

    Several may share a win: a decision, not in the rulebook.
    """
    number, worth = wins_with(state.players)
    scores = [points(queens) for queens in state.awake]
    first = [
        player for player, queens in enumerate(state.awake) if len(queens) >= number or scores[player] >= worth
    ]
    return tuple(first) or tuple(player for player, score in enumerate(scores) if score == max(scores))


def outcome(state: State) -> Outcome | None:
    """The result: the winner's points and a sentence.

    None while the game goes on.
    """
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
