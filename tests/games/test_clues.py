"""Passing traces, read once for all the positions that they may explain."""

from random import Random

from companion.games.registry import load_game
from companion.games.sleepless_princess.rules.actions import Claim, Done, Lay, Move, Touch
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN_FACE
from companion.games.sleepless_princess.rules.hidden_state import hide
from companion.games.sleepless_princess.rules.state import Phase
from companion.games.sleepless_princess.sensing.proposals import clues

GAME = load_game("sleepless-princess")
BEDS = 5


def test_each_trace_says_what_it_says() -> None:
    found = clues(
        (
            ("press", "bed 2", ()),
            ("came", "bed 2", ("3t", "4s")),
            ("came", "foot 3", ("G",)),
            ("left", "play", ("7", "7")),
            ("new", "discard", ("B",)),
            ("tag", "pad", ("3t",)),
            ("tag", "pad", ("P3A",)),
            ("touch", "bed 1", ()),
            ("lift", "bed 1", ()),
            ("put", "bed 5", ()),
            ("hand", "bed 4", ()),
            ("lift", "bed 6", ()),
        ),
        BEDS,
    )
    assert found.pressed == (1,)
    assert found.came == ((1, ("3t", "4s")), (None, ("G",)))
    assert found.swept == {("7", "7")}
    assert found.piled == {11}
    assert found.tapped == {6}
    assert (found.touched, found.looked, found.lifted, found.put, found.covered) == ({0}, {2}, {0}, {4}, {3})


def test_what_was_kept_of_one_table_is_not_used_for_another() -> None:
    """The same traces in positions of other phases and with other counts lead to other actions."""
    chance = Random(3)
    playing = GAME.setup("basic", 3, chance)
    checking = playing._replace(phase=Phase.CHECK, touches=1)
    empty = GAME.empty_table("basic", 3)
    signs = (("lift", "bed 1", ()), ("put", "bed 2", ()), ("press", "bed 3", ()))
    for _ in range(2):
        checks = list(GAME.propose(checking, {}, {}, signs))
        assert {Move(0, 1), Touch(0), Claim(2)}.issubset(checks)
        assert Move(3, 1) in GAME.propose(checking, {}, {"bed 4": 2}, signs)
        assert Claim(2) not in GAME.propose(hide(checking), {}, {}, signs)
        assert not any(isinstance(one, Move) for one in GAME.propose(playing, {}, {}, signs))
        assert list(GAME.propose(empty, {}, {"bed 2": 1}, signs)) == [Lay(1, UNKNOWN_FACE)]


def test_who_plays_cards_checks_something() -> None:
    checking = GAME.setup("basic", 3, Random(3))._replace(phase=Phase.CHECK, touches=1, played=(2, 2, 2))
    idle = ("idle", "", ())
    assert idle in GAME.signs(checking, Done())
    assert idle not in GAME.signs(GAME.apply(checking, Touch(0)), Done())
