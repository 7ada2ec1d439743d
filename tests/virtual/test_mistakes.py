"""What virtual people do by mistake and take back."""

from random import Random

import pytest

from companion.games.registry import first_variant, load_game, load_virtual
from companion.sensing.observation import Sighting
from companion.virtual.rehearsal_api import Doing, with_mistakes

GAMES = ("sleeping-queens", "sleeping-queens-2")


def acted(game: str, seed: int) -> list[Doing]:
    found = load_virtual(game).act_out(seed, first_variant(load_game(game)), 3, 0.5, tapped=False)
    return [*found.laying_out, *found.playing]


@pytest.mark.parametrize("game", GAMES)
def test_a_mistake_is_seen_and_leaves_the_table_as_it_was(game: str) -> None:
    zones: dict[str, frozenset[str]] = {}

    def look(batch: tuple[object, ...]) -> None:
        for seen in batch:
            assert isinstance(seen, Sighting)
            zones[seen.zone] = frozenset(card.card for card in seen.cards)

    number = 0
    for doing in acted(game, 3):
        for mistake in doing.mistakes:
            before = dict(zones)
            look(mistake[0])
            assert zones != before
            for batch in mistake:
                look(batch)
            assert zones == before
            number += 1
        for batch in doing.batches:
            look(batch)
    assert number > 20


@pytest.mark.parametrize("game", GAMES)
def test_mistakes_come_as_often_as_asked_and_change_nothing_else(game: str) -> None:
    doings = [doing for seed in range(6) for doing in acted(game, seed)]
    chances = sum(bool(doing.mistakes) for doing in doings)
    assert list(with_mistakes(doings, 0.0, Random(1))) == doings
    always = list(with_mistakes(doings, 1.0, Random(1)))
    assert len(always) == len(doings) + chances
    some = list(with_mistakes(doings, 0.2, Random(1)))
    assert [doing for doing in some if doing in doings] == doings
    assert 0.1 < (len(some) - len(doings)) / chances < 0.3
