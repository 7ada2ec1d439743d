"""Where all that is claimed is a win, a claim is named by the player, however places are drawn."""

from typing import Any

from companion.games.claims import Verdict
from companion.games.registry import load_game
from companion.session.narration import claimed


class Redrawn:
    """A game whose places have another figure."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def screen(self, *given: Any) -> Any:
        shown = self._game.screen(*given)
        return {**shown, "places": [{**place, "figure": "castle"} for place in shown["places"]]}


def test_a_claimed_win_names_the_player() -> None:
    game: Any = Redrawn(load_game("sleeping-queens"))
    state = game.empty_table("basic", 2)
    assert claimed(game, state, 1.0, 1, Verdict.REFUTED, ()).name == "player 2 has won?"
