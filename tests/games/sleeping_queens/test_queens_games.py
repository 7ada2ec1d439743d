"""Whole games of Sleeping Queens at random: what holds in every state."""

from random import Random

import pytest

from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.hidden_state import hide, spell_out
from companion.games.sleeping_queens.rules.kinds import EMPTY
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import State
from tests.support.sleeping_queens import walk


@pytest.mark.quick(2)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_are_possible_end_and_can_be_followed_by_who_sees_no_hidden_card(players: int) -> None:
    for seed in range(12):
        hidden = hide(RULES.setup("basic", players, Random(seed)))
        assert hidden == RULES.empty_table("basic", players)
        after = None
        for before, action, after in walk("basic", players, seed):
            told = spell_out(before, action)
            assert told in _offered(hidden, told), "a companion would not have thought of it"
            hidden = RULES.apply(hidden, told)
            assert hide(hidden) == hide(after)
            for state in (after, hidden):
                assert RULES.status(state) == ()
                assert RULES.read_state(RULES.write_state(state)) == state
            for one in (action, told):
                assert RULES.read_action(RULES.write_action(one)) == one
        assert after is not None
        assert RULES.outcome(after) is not None
        assert RULES.outcome(hidden) == RULES.outcome(after)


def _offered(hidden: State, told: Action) -> list[Action]:
    """The legal actions of a hidden state, with the name that was seen where it leaves one open."""
    return [
        told if type(one) is type(told) and one == spell_out_of(told) else one
        for one in RULES.legal_actions(hidden)
    ]


def spell_out_of(told: Action) -> Action:
    return RULES.read_action(RULES.write_action(told).partition("=")[0])


def test_what_a_player_sees_does_not_depend_on_hidden_cards() -> None:
    chance = Random(5)
    for before, _, _ in walk("basic", 3, 3):
        others = [card for player in (1, 2) for card in before.hands[player]] + list(before.deck)
        chance.shuffle(others)
        one, two = len(before.hands[1]), len(before.hands[1]) + len(before.hands[2])
        asleep = [cell for cell, queen in enumerate(before.cells) if queen != EMPTY and not before.seen[cell]]
        queens = [before.cells[cell] for cell in asleep]
        chance.shuffle(queens)
        cells = list(before.cells)
        for cell, queen in zip(asleep, queens, strict=True):
            cells[cell] = queen
        other = before._replace(
            hands=(before.hands[0], tuple(sorted(others[:one])), tuple(sorted(others[one:two]))),
            deck=tuple(others[two:]),
            cells=tuple(cells),
        )
        assert RULES.view(other, 0) == RULES.view(before, 0)
        assert RULES.view(other, None) == RULES.view(before, None)
