"""What games give the virtual table: a rig that fits mat and cards, or a clear word that they give none."""

import pytest

import tests.support
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.games import registry
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.rehearse.games_in_bytes import rehearse_wired
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.games_in_pixels import rehearse_game
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.virtual_table import VirtualTable


def test_every_station_of_a_rig_is_a_zone_of_the_mat() -> None:
    game = load_game(DEFAULT_GAME)
    for variant in game.variants:
        plan = load_virtual(DEFAULT_GAME).rig(variant)
        zones = {zone.name for zone in game.mat(variant).zones}
        assert {*plan.stations, *plan.near, plan.reached} <= zones
        assert set(plan.near.values()) == set(plan.stations)


def test_every_card_that_is_pressed_has_the_picture_of_its_texture() -> None:
    game = load_game(DEFAULT_GAME)
    for variant in game.variants:
        raised = load_virtual(DEFAULT_GAME).rig(variant).raised
        pressed = [card for card in game.cards(variant) if card.texture is not None]
        assert pressed
        for card in pressed:
            assert raised.of(card.code) == (raised.pictures[card.texture] if card.texture else None)


def test_a_game_without_virtual_players_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._GAMES, "queens", ("tests.support.queens_game.game", "Queens"))
    monkeypatch.setattr(registry, "load_part", lambda *_: None)
    with pytest.raises(BadInputError, match="no virtual table knows queens") as caught:
        load_virtual("queens")
    assert "camera" in caught.value.next_step
    with pytest.raises(BadInputError, match="no game is called 'chess'"):
        load_virtual("chess")
    monkeypatch.setattr(registry, "_load_upper", lambda *_: tests.support)
    with pytest.raises(BadInputError, match=f"no virtual table knows {DEFAULT_GAME}"):
        load_virtual(DEFAULT_GAME)  # a folder that has no players yet


@pytest.fixture
def another_game(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game of which companion knows only what its folder gives."""
    monkeypatch.setitem(registry._GAMES, "queens", ("tests.support.queens_game.game", "Queens"))
    return "queens"


@pytest.mark.parametrize("noise", ["clean", "rough"])
def test_another_game_is_rehearsed_through_observations(another_game: str, noise: str) -> None:
    report = rehearse_observed(3, "tiny", 2, game=another_game, noise=noise)
    assert report.comparison.matches
    assert len(report.comparison.event_ms) == 3
    assert report.troubles == ()


@pytest.mark.long
def test_another_game_is_rehearsed_through_pixels(another_game: str) -> None:
    report = rehearse_game(3, "tiny", 2, game=another_game, rig="camera")
    assert report.comparison.matches
    assert all(abs(ms) < 1000 for ms in report.comparison.event_ms)
    assert len(report.comparison.event_ms) == 3


def test_another_game_is_rehearsed_with_a_board_that_feels_nothing_of_it(another_game: str) -> None:
    report = rehearse_wired(3, "tiny", 2, game=another_game)
    assert report.comparison.matches
    assert report.link is not None
    assert report.link.lost == 0


def test_a_person_plays_another_game(another_game: str) -> None:
    clock = ManualClock()
    table = VirtualTable(1, "tiny", 2, clock=clock, game=another_game, board=NoBoard())
    table.take_seat(1)

    def until_asked() -> YourTurn:
        for _ in range(600):
            clock.sleep(0.1)
            table.step(clock.now())
            choice = table.pending_choice()
            if choice is not None and choice.actions:
                return choice
        raise AssertionError("nobody was asked")

    assert until_asked().actions == ("Wake the Rose Queen", "Wake the Cat Queen", "Wake the Moon Queen")
    table.choose(1)
    table.step(clock.now())
    assert until_asked().actions == ("Wake the Rose Queen", "Wake the Moon Queen")
    assert [entry.action for entry in table.truth.entries] == ["wake 1"]
    with pytest.raises(BadInputError, match="nobody can claim number 1 now"):
        table.call_claim(1)
    assert not table.over


def test_what_a_person_felt_is_no_longer_told_once_that_mattress_was_moved() -> None:
    clock = ManualClock()
    table = VirtualTable(1, "5+", 2, clock=clock, board=NoBoard())
    table.take_seat(1)

    def asked(*wanted: str) -> tuple[YourTurn, str, int]:
        """The choice in which an action begins with one of these words, that word, and the action's number."""
        for _ in range(2000):
            clock.sleep(0.3)
            table.step(clock.now())
            choice = table.pending_choice()
            for word in wanted if choice is not None else ():
                for number, action in enumerate(choice.actions if choice is not None else ()):
                    if action.startswith(word) and choice is not None:
                        return choice, word, number
        raise AssertionError(wanted)

    word = ""
    while word != "Move it":
        choice, word, number = asked("Move it", "Touch", "Play", "Discard", "Take", "Draw", "Skip")
        single = [said.rsplit(" ", 1)[-1] if said[:4] in ("Take", "Disc") else "" for said in choice.actions]
        assert choice.numbers == tuple(
            last if last.isdigit() and " and " not in said else ""
            for last, said in zip(single, choice.actions, strict=True)
        )
        table.choose(number)
    assert "it feels " in choice.learned[0]
    choice, _, _ = asked("Done", "Take", "Draw")
    assert choice.learned == ()
