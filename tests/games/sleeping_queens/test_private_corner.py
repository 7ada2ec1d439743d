"""A hand shown to the camera in the private corner: a hint for who asked, and nothing for anybody else."""

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.games.queens.table import CARD_W
from companion.games.registry import GAME_NAMES, check_table, load_game
from companion.games.sleeping_queens.game import CORNER
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.rehearse.watched_session import Told
from companion.sensing.observation import UNREAD, Observation, Reach, Seen, Sighting
from companion.session.engine import Engine
from companion.session.entries.private_corner import SHOWN, PrivateCorner
from companion.session.stream.commands import AskHint, Command
from companion.session.stream.events import Advice, Event, Refused
from companion.session.stream.stream import StreamServer, connect, decode_line, encode_line
from companion.virtual.games.sleeping_queens.perfect_camera import PerfectRig

GAME = load_game(RULES.name)
PLACE = GAME.hands.private_corner(4, [CORNER])
ONE, OTHER = ("KI1", "N03A", "N03B", "N07C", "DR2"), ("PO1", "N01A", "N02B", "N10C", "WA2")


def lying(*codes: str) -> Sighting:
    return Sighting(0.0, PLACE, tuple(Seen(code, 0, 0) for code in codes))


class Heard(NamedTuple):
    """What came of a game: the bytes that two screens heard, and those of the journal."""

    asker: list[bytes]
    other: list[bytes]
    journal: bytes


def game(tmp_path: Path, hand: tuple[str, ...], *, both: bool = False) -> Heard:
    """Four players: the table is laid out, a hand shown and asked about, taken up, and a queen woken."""
    folder = tmp_path / str(len(list(tmp_path.iterdir())))  # short: a socket lies in it
    folder.mkdir()
    dealt = RULES.setup("basic", 4, Random(3))
    clock, table = ManualClock(), Told()
    stream: StreamServer[Event, Command] = StreamServer(folder / "s.sock", Command)
    path = folder / "game.jsonl"
    engine = Engine(
        GAME, "basic", 4, sources=[table], stream=stream, journals=path, clock=clock, options=[CORNER]
    )
    asker, other = (connect(folder / "s.sock") for _ in range(2))

    def see(*seen: Observation) -> None:
        table.waiting = list(seen)
        for _ in range(8):
            clock.sleep(0.25)
            engine.round()

    rig = PerfectRig(GAME.cards("basic"), Random(1))
    for batch in rig.setup(dealt):
        see(*batch)
    if hand:
        see(Reach(0.0, PLACE, True), Reach(0.0, PLACE, False), lying(*hand))
        asker.sendall(encode_line(AskHint("coach", SHOWN)))
        see()
        if both:
            other.sendall(encode_line(AskHint("coach", SHOWN)))
            see()
        see(lying())
    else:
        for _ in range(3):
            see()
    for text in ("discard 1", "refill"):
        action = next(one for one in RULES.legal_actions(dealt) if RULES.write_action(one).startswith(text[:7]))
        after = RULES.apply(dealt, action)
        for batch in rig.notice(dealt, action, after):
            see(*batch)
        dealt = after
    engine.close()
    heard = [list(screen.makefile("rb")) for screen in (asker, other)]
    return Heard(heard[0], heard[1], path.read_bytes())


def advice(lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if isinstance(decode_line(line, Event), Advice)]


def test_a_shown_hand_changes_no_byte_but_the_answer_to_who_asked(tmp_path: Path) -> None:
    """Two hands that differ in every card, and none at all: screens and journal are the same."""
    none, one, other = (game(tmp_path, hand) for hand in ((), ONE, OTHER))
    assert none.journal == one.journal == other.journal
    assert none.other == one.other == other.other
    for shown in (one, other):
        assert [line for line in shown.asker if line not in advice(shown.asker)] == none.asker
        assert len(advice(shown.asker)) == 1
    told = [decode_line(advice(shown.asker)[0], Event) for shown in (one, other)]
    assert all(isinstance(one, Advice) and one.private and one.player == 1 for one in told)
    assert b"your king" in advice(one.asker)[0]
    assert b"king" not in advice(other.asker)[0]
    assert not advice(none.asker)


def test_who_asks_second_is_told_nothing_of_the_cards(tmp_path: Path) -> None:
    one, other = (game(tmp_path, hand, both=True) for hand in (ONE, OTHER))
    refused = [decode_line(line, Event) for line in one.other]
    assert any(isinstance(event, Refused) and "somebody else has asked" in event.text for event in refused)
    assert not advice(one.other)
    assert one.other == other.other


def test_a_hand_of_which_a_card_was_not_read_is_refused_with_those_that_were(tmp_path: Path) -> None:
    heard = game(tmp_path, ONE[:4])
    refused = [event.text for line in heard.asker if isinstance(event := decode_line(line, Event), Refused)]
    assert len(refused) == 1
    assert refused[0].startswith("I read KI 3 3 7 in the private corner: 'KI 3 3 7' is no hand of 5 cards")
    assert not [line for line in heard.other if isinstance(decode_line(line, Event), Refused)]


def test_the_corner_says_what_is_wrong() -> None:
    corner = PrivateCorner(PLACE, GAME.cards("basic"))
    with pytest.raises(BadInputError, match="no card lies in the private corner"):
        corner.hand(1)
    play = Sighting(0.0, "play", ())
    assert corner.without([play, lying("KI1", UNREAD)]) == [play]
    with pytest.raises(BadInputError, match="I can read 1 of 2 cards"):
        corner.hand(1)
    corner.without([lying("KI1", "5~3")])
    assert corner.hand(1) == "KI 5"
    with pytest.raises(BadInputError, match="somebody else has asked"):
        corner.hand(2)
    # Taken up and laid down again they are anybody's to ask about.
    corner.without([lying()])
    corner.without([lying("KI1")])
    assert corner.hand(2) == "KI"


def test_a_mat_without_the_option_has_no_corner() -> None:
    corner = PrivateCorner(GAME.hands.private_corner(4, []), GAME.cards("basic"))
    assert corner.without([lying("KI1")]) == [lying("KI1")]
    with pytest.raises(BadInputError, match="this mat has no private corner"):
        corner.hand(1)
    hands = [hands for name in GAME_NAMES if (hands := load_game(name).hands)]
    assert hands
    assert not any(one.private_corner(4, []) for one in hands)


def test_five_players_leave_no_place_and_a_hand_fits_into_it() -> None:
    with pytest.raises(ValueError, match="5 players leave no place"):
        GAME.empty_table("basic", 5, [CORNER])
    with pytest.raises(ValueError, match="no option 'silent'"):
        GAME.empty_table("basic", 4, [CORNER, "silent"])
    with pytest.raises(BadInputError, match="options: 5 players leave no place"):
        check_table(GAME, "basic", 5, [CORNER])
    place = GAME.mat("basic").zone(PLACE)
    assert place.w > 5 * CARD_W
