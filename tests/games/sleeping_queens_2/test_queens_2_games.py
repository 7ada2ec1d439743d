"""Whole games of Sleeping Queens 2 at random: what holds in every state."""

from random import Random

import pytest

from companion.games.rules import CHANCE
from companion.games.sleeping_queens_2.rules.actions import Action, Draw, Fetch, Give, Mix, Open, Roll, Shuffle
from companion.games.sleeping_queens_2.rules.hidden_state import hide, spell_out
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import State
from tests.support.sleeping_queens_2 import walk


def offered(hidden: State, told: Action) -> bool:
    """Whether a hidden state offers this action; what it leaves open does not count."""
    match told:
        case Draw() | Open():
            told = type(told)()
        case Fetch(cell):
            told = Fetch(cell)
    return told in RULES.legal_actions(hidden)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_are_possible_end_and_can_be_followed_by_who_sees_no_hidden_card(players: int) -> None:
    for seed in range(5):
        dealt = RULES.setup("standard", players, Random(seed))
        hidden = RULES.empty_table("standard", players)
        for action in (*map(Give, dealt.knights), Open(dealt.discard[0])):
            assert offered(hidden, action)
            hidden = RULES.apply(hidden, action)
            assert RULES.status(hidden) == ()
        assert hidden == hide(dealt)
        after = None
        for before, action, after in walk("standard", players, seed):
            told = spell_out(before, action)
            assert offered(hidden, told), "a companion would not have thought of it"
            hidden = RULES.apply(hidden, told)
            assert hide(hidden) == hide(after)
            by_nobody = isinstance(action, Roll | Draw | Shuffle | Mix)
            assert RULES.actor(before) == (CHANCE if by_nobody else before.turn)
            for state in (after, hidden):
                assert RULES.status(state) == ()
                assert RULES.read_state(RULES.write_state(state)) == state
            for one in (action, told):
                assert RULES.read_action(RULES.write_action(one)) == one
        assert after is not None
        assert RULES.outcome(after) == RULES.outcome(hidden) is not None


def test_a_hidden_state_agrees_where_it_knows_something() -> None:
    hidden = hide(RULES.setup("standard", 4, Random(8)))
    known = 0
    for before, action, after in walk("standard", 4, 8):
        hidden = RULES.apply(hidden, spell_out(before, action))
        pairs = [*zip(hidden.deck, after.deck, strict=True), *zip(hidden.cells, after.cells, strict=True)]
        assert all(told in (0, real) for told, real in pairs)
        known += sum(told > 0 for told, _ in pairs)
        blank = (after.deck, after.cells)
        assert hidden._replace(deck=blank[0], cells=blank[1]) == after
    assert known


def test_what_a_player_sees_does_not_depend_on_hidden_cards() -> None:
    chance = Random(5)
    for before, _, _ in walk("standard", 3, 3):
        deck = list(before.deck)
        chance.shuffle(deck)
        down = [cell for cell, card in enumerate(before.cells) if card > 0 and not before.face_up[cell]]
        companions = [before.cells[cell] for cell in down]
        chance.shuffle(companions)
        cells = list(before.cells)
        for cell, companion in zip(down, companions, strict=True):
            cells[cell] = companion
        other = before._replace(deck=tuple(deck), cells=tuple(cells))
        for player in (None, 0, 1, 2):
            assert RULES.view(other, player) == RULES.view(before, player)
        if not isinstance(RULES.legal_actions(before)[0], Draw):
            assert RULES.legal_actions(other) == RULES.legal_actions(before)


def test_every_offered_action_is_possible() -> None:
    for number, (before, _, _) in enumerate(walk("standard", 4, 11)):
        if number % 7 == 0:
            for action in RULES.legal_actions(before):
                assert RULES.status(RULES.apply(before, action)) == ()
