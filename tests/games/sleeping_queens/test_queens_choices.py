"""Choices of a person in a seat of Sleeping Queens, in words."""

from random import Random

from companion.games.sleeping_queens.rules.actions import Yield
from companion.games.sleeping_queens.rules.kinds import DRAGON, KNIGHT, POTION, WAND
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import Phase
from companion.virtual.games.sleeping_queens.queens_play import in_words


def test_who_lets_it_happen_is_told_what_happens() -> None:
    state = RULES.setup("basic", 2, Random("choices"))._replace(phase=Phase.ANSWER, turn=1, acting=0, target=0)
    attacked = state._replace(played=(KNIGHT,), hands=((1, 2, WAND), ()))
    said = str(in_words(attacked, Yield()))
    assert said.startswith("Let it happen: player 2 takes your ")
    assert said.endswith(" queen (you hold no dragon)")
    assert "hold" not in in_words(attacked._replace(hands=((DRAGON,), ())), Yield())
    asleep = in_words(attacked._replace(played=(POTION,), hands=((DRAGON,), ())), Yield())
    assert asleep.endswith(" queen falls asleep (you hold no wand)")
