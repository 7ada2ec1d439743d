"""Hints on the dashboard: only when asked, only what the engine says, gone when the table is another."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screens.hint_screen import LEVELS, hint_rows, keyed, own_hand, stronger
from companion.session.stream.commands import AskHint, Tell
from companion.session.stream.events import Advice, HintView, Refused
from companion.session.stream.virtual_table_events import TableState, YourTurn
from tests.dashboard.test_dashboard_app import check, desk
from tests.dashboard.test_dashboard_text import TABLE, cards

BEST = HintView(
    "Touch the bottom mattress in the bed of Bats: nobody knows it yet, and fingers can tell most of the time.",
    "touch 3",
    0.62,
    0.6667,
    "Fingers will know it 2 times out of 3. About 9 more touches and looks.",
)
COACH = Advice(
    "coach",
    2,
    (
        BEST,
        HintView("Touch the bottom mattress in the bed of Daisies: it belongs to Bats, carry it to her."),
        HintView("You are done: nothing else is worth checking this turn.", "done", 0.0, 1.0),
    ),
    9,
)
FOUND = """\
Watermelons: 4 mattresses; the bottom one felt like Bats, the top one felt smooth.
Pizza (asleep): 3 mattresses; the bottom one is Pizza, number 2 from below is smooth, the top one is Pizza.
Bats: 2 mattresses.
Teddy Bear (out): 3 mattresses; the bottom one is Teddy Bear, number 2 is Daisies, the top one is Bats.
Daisies: 3 mattresses; the top one felt different each time."""
MEMORY = Advice("memory", 2, tuple(map(HintView, FOUND.splitlines())), 9)
NUDGE = Advice("nudge", 2, (HintView("Which bottom mattress does nobody know yet?"),), 9)
HAND = YourTurn(2, cards("7"), (), ("Discard 7.",), on_turn=True)

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")


@SIZES
@pytest.mark.parametrize("advice", [COACH, MEMORY], ids=lambda advice: advice.level)
async def test_golden_hint(tmp_path: Path, size: tuple[int, int], advice: Advice) -> None:
    async with desk(tmp_path, size=size) as one:
        end = await one.plays()
        end.server.send(advice)
        await one.shows("HINT, Player 2")
        check(f"hint_{advice.level}_{size[0]}x{size[1]}", one.text())
        await one.press("escape")
        await one.until(lambda: "HINT" not in one.text())


@SIZES
async def test_golden_hint_for_the_person_in_a_seat(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size=size) as one:
        end = one.engine()
        one.seat(HAND)
        await one.shows("Discard 7.")
        await one.press("h")
        await one.told(end, AskHint("nudge", "7"))
        end.server.send(COACH)
        await one.shows("HINT, Player 2")
        check(f"hint_seat_{size[0]}x{size[1]}", one.text())


async def test_each_press_gives_more_away_and_nothing_comes_unasked(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        for turn in (13, 14):
            end.server.send(msgspec.structs.replace(TABLE, turn=turn))
            await one.shows(f"turn {turn}")
        assert end.told == []
        await one.press("h")
        await one.told(end, AskHint("nudge"))
        end.server.send(NUDGE)
        await one.shows("a question")
        await one.press("h")
        await one.told(end, AskHint("nudge"), AskHint("coach"))
        end.server.send(COACH)
        await one.shows("the move")
        await one.press("escape", "h")
        await one.told(end, AskHint("nudge"), AskHint("coach"), AskHint("coach"))
        end.server.send(msgspec.structs.replace(TABLE, turn=15))
        await one.shows("turn 15")
        await one.press("h")
        await one.until(lambda: len(end.told) > 3)
        assert end.told[3] == AskHint("nudge"), "the next turn begins with the question again"


async def test_a_hint_goes_with_the_position_it_was_for(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        end.server.send(NUDGE)
        await one.shows("HINT")
        end.server.send(msgspec.structs.replace(TABLE, settled=False))
        await one.shows("○ camera")
        assert "HINT" in one.text()
        end.server.send(msgspec.structs.replace(TABLE, provisional=("Player 1 draws from the deck.",)))
        await one.until(lambda: one.app.model.table.provisional)
        assert "HINT" in one.text(), "a sentence that becomes firm changes no position"
        end.server.send(msgspec.structs.replace(TABLE, turn=13))
        await one.until(lambda: "HINT" not in one.text())


async def test_hints_at_every_move_are_asked_for_until_they_are_not(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("a")
        await one.told(end, AskHint("nudge"))
        end.server.send(NUDGE)
        await one.shows("a only when asked")
        unsettled = msgspec.structs.replace(TABLE, settled=False)
        laying = msgspec.structs.replace(TABLE, phase="lay", player=0)
        for table in (unsettled, laying, msgspec.structs.replace(TABLE, turn=13)):
            end.server.send(table)
        await one.told(end, AskHint("nudge"), AskHint("nudge"))
        await one.press("a")
        end.server.send(msgspec.structs.replace(TABLE, turn=14))
        await one.shows("turn 14")
        assert len(end.told) == 2


async def test_cards_can_be_told_and_a_wrong_hand_is_said_to_be_one(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("k", "ctrl+c", "k", *"3 b", "enter")
        await one.told(end, AskHint("nudge", "3 b"))
        end.server.send(COACH)
        end.server.send(Refused("'3 b' is no hand of 1 cards"))
        await one.shows("no hand of 1 cards")
        assert "HINT" in one.text()


async def test_what_was_felt_is_told_in_two_keys(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("w", shows="smooth, the glass shows Daisies")
        check("felt_80x24", one.text())
        await one.press("3", "w", "6", "w", "b", "w", "x")
        await one.told(end, Tell("3"), Tell("smooth"), Tell("smooth 5"))
        await one.shows("Noted: smooth, the glass shows Daisies.")
        end.server.send(NUDGE)
        await one.shows("HINT")
        await one.press("w", "1")
        await one.until(lambda: end.told[3:] == [Tell("1"), AskHint("nudge")])
        end.server.send(Refused("nobody has checked a mattress in this turn; touch one first"))
        await one.shows("nobody has checked")


def test_what_can_be_told_has_keys_from_digits_to_letters() -> None:
    assert "".join(keyed(TABLE.statements)) == "123456789ab"
    assert keyed(()) == {}


def seated(**changes: Any) -> WorldModel:
    world = WorldModel()
    world.take(TableState(7, 1.0, False, 2))
    world.take(msgspec.structs.replace(HAND, **changes))
    return world


def test_only_the_hand_that_a_hint_is_for_is_sent_and_never_a_hidden_one() -> None:
    assert own_hand(seated(), TABLE) == "7"
    assert own_hand(seated(hand=cards("7 B")), TABLE) == ""  # the engine has not seen that card yet
    assert own_hand(seated(player=1), TABLE) == ""
    assert own_hand(seated(), None) == ""
    assert own_hand(WorldModel(), TABLE) == ""
    hidden = seated()
    hidden.hand_hidden = True
    assert own_hand(hidden, TABLE) == ""


def test_the_levels_go_round() -> None:
    level, seen = LEVELS[0], []
    for _ in LEVELS:
        seen.append(level)
        level = stronger(level)
    assert (tuple(seen), level) == (LEVELS, LEVELS[0])


@pytest.mark.parametrize("most", range(4))
def test_the_levels_go_round_up_to_the_one_a_family_chose(most: int) -> None:
    level, seen = LEVELS[0], []
    for _ in range(4):
        seen.append(level)
        level = stronger(level, LEVELS[most])
    assert set(seen) == set(LEVELS[: most + 1])
    assert stronger("coach", LEVELS[most]) == LEVELS[0]


def test_hints_are_shown_whole_or_not_at_all() -> None:
    text = hint_rows(COACH, PlayerNames(), 78, 4)[0].plain
    assert "Fingers will know it 2 times out of 3. About 9 more touches and looks." in text
    assert "or: " not in text
    assert hint_rows(COACH, PlayerNames(), 78, 5)[0].plain.count("or: ") == 1
    assert "Nobody has to decide" in hint_rows(Advice("coach", 0, (), 0), PlayerNames(), 78, 5)[0].plain


def test_no_hint_outlives_its_connection() -> None:
    model = PublicModel()
    model.take(NUDGE)
    assert model.advice == NUDGE
    model.connected(False)
    assert model.advice is None


def test_what_is_known_of_every_place_is_shown_or_counted() -> None:
    known = tuple(HintView(f"Nothing is known of place {number}, player 2.") for number in range(5))
    memory, names = Advice("memory", 1, known, 0), PlayerNames(("Anna", "Ben"))
    text, left = hint_rows(memory, names, 98, 4)
    assert (left, text.plain.count("Nothing is known"), text.plain.count("Ben")) == (0, 5, 5)
    text, left = hint_rows(memory, names, 40, 4)
    assert left == 5 - text.plain.count("Nothing is known") > 0
