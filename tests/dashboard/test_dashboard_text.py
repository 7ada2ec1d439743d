"""The dashboard's panels as text, without a terminal. Its samples serve the other dashboard tests."""

import os
from pathlib import Path

import pytest

from companion.core.config import journals_since
from companion.dashboard.exit_summary import farewell
from companion.dashboard.labels import fit
from companion.dashboard.model import Link, PublicModel, WorldModel
from companion.dashboard.screens.seat_screen import hand
from companion.dashboard.screens.verdict_and_score import ScoreScreen
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.big_letters import big, big_width
from companion.dashboard.widgets.place_box import place_box
from companion.session.events import (
    PROTOCOL,
    BoardState,
    CardView,
    Claimed,
    PileView,
    PlaceView,
    Question,
    RowView,
    Said,
    Score,
    SensorHealth,
    StatementView,
    Table,
    Welcome,
)
from companion.session.virtual_table_events import TableState, YourTurn


def cards(kinds: str) -> tuple[CardView, ...]:
    """`"3 10 B"` -> open cards."""
    names = {"B": "blanket", "W": "witch"}
    return tuple(CardView(kind, names.get(kind, kind)) for kind in kinds.split())


TITLES = ("SET UP", "PLAY", "CHECK", "DRAW", "FILL ROW", "FINAL CHECK", "THE END")
WELCOME = Welcome(
    PROTOCOL,
    "0.1.0",
    "sleepless-princess",
    "basic",
    3,
    titles=(TITLES[0], *TITLES[-2:]),
    turn_titles=TITLES[1:-2],
    claim_title="Who sleeps?",
    tell_title="What was the mattress checked last?",
    help=("Whose bed is it?",),
)
PLACES = (
    PlaceView("Watermelons", "awake", claim="Watermelons sleeps"),
    PlaceView("Pizza", "asleep", ("Pizza", "*Pizza", "Pizza")),
    PlaceView("Bats", "awake", claim="Bats sleeps"),
    PlaceView("Teddy Bear", "out"),
    PlaceView("Daisies", "awake", claim="Daisies sleeps"),
)
TABLE = Table(
    phase="check",
    title="CHECK",
    turn=12,
    player=2,
    places=PLACES,
    rows=(RowView("open row", cards("3 10 B 7 5"), 5),),
    played=cards("5 5 4 1"),
    piles=(PileView("deck", 31, 68), PileView("discard", 14, top=CardView("9", "9"))),
    hands=(5, 1, 5),
    may=(
        "Touch the bottom mattress of one bed.",
        "Move a checked mattress to the top of a bed.",
        "When done: cards to the discard pile, then draw up to 5.",
    ),
    may_not=("No looking: every added sum gives one look.",),
    statements=(
        *(StatementView(str(number), view.name) for number, view in enumerate(PLACES, 1)),
        StatementView("smooth", "smooth"),
        *(
            StatementView(f"smooth {number}", f"smooth, the glass shows {view.name}")
            for number, view in enumerate(PLACES, 1)
        ),
    ),
)
HEALTHY = (SensorHealth("camera", True), SensorHealth("board", True))
SAID = tuple(
    Said(7.0 * number, text, kind)
    for number, (text, kind) in enumerate(
        [
            ("The game begins.", "move"),
            ("Player 1 discards 7.", "move"),
            ("Pizza sleeps sweetly!", "claim"),
            ("Player 2 plays 5, 5, 4+1. One look through the glass.", "move"),
            ("The board does not answer.", "fault"),
            ("Corrected: player 2 looked under the Daisies bed.", "repair"),
        ]
    )
)
ASK = Question(
    "The row shows a 9 where I hold a 6. Who is right?",
    ("table_is_right", "companion_is_right", "undo", "turn"),
)
CLAIMED = Claimed(
    80.0,
    3,
    "Bats, bed 3",
    "cannot tell",
    "I cannot tell.",
    "awake",
    ("Nobody has seen 1 of the 3 mattresses.",),
    "the bottom mattress of the Bats bed",
)
SCORE = Score(
    1,
    5,
    "1 OF 5",
    "asleep",
    "1 of 5 princesses asleep",
    "It was a sleepless night, we need to put in more effort and try again!",
    PLACES,
    41,
)
TURN = YourTurn(
    2,
    cards("5 5 B 2 10"),
    ("Under the Bats bed: smooth.",),
    tuple(f"Discard {n}." for n in range(1, 31)),
    on_turn=True,
)


def model_of(*events: object) -> PublicModel:
    """A connected model that heard these events."""
    model = PublicModel()
    model.connected(True)
    for event in (WELCOME, *events):
        model.take(event)  # type: ignore[arg-type]
    return model


@pytest.mark.parametrize("scale", [0, 1, 2])
def test_big_letters_make_a_rectangle(scale: int) -> None:
    rows = big("PLAYER 10!", scale)
    assert len(rows) == (3, 5, 10)[scale]
    assert {len(row) for row in rows} == {big_width("PLAYER 10!", scale)}


def test_every_title_fits_the_small_screen() -> None:
    for title in TITLES:
        model = model_of(TABLE.__class__(**{**_fields(TABLE), "title": title}))
        assert max(len(row) for row in table_panels.now(model, 80, 0).plain.split("\n")) <= 80


def _fields(table: Table) -> dict[str, object]:
    return {name: getattr(table, name) for name in table.__struct_fields__}


def test_fate_is_told_by_word_and_sign_never_by_colour_alone() -> None:
    words = {view.badge: place_box(view, 14, 5).plain for view in PLACES}
    assert "AWAKE" in words["awake"]
    assert "( o o )" in words["awake"]
    assert "ASLEEP" in words["asleep"]
    assert "*Pizza" in words["asleep"]
    assert "OUT" in words["out"]


@pytest.mark.parametrize(("width", "height"), [(14, 5), (28, 12), (38, 16)])
def test_of_whom_nobody_knew_at_the_end_no_bed_and_no_score_says_that_she_is_out(
    width: int, height: int
) -> None:
    unknown = PlaceView("Bats", "unknown")
    rows = place_box(unknown, width, height).plain.split("\n")
    assert any("NOT KNOWN" in row for row in rows)
    assert max(map(len, rows)) <= width
    score = Score(0, 1, "0 OF 1", "asleep", "0 of 1 asleep", "Nobody sleeps.", (unknown,), 3)
    page = ScoreScreen(score).page(80, 24).plain
    assert "NOT KNOWN" in page
    assert "OUT" not in page


def test_a_bed_never_shows_a_count_unless_told() -> None:
    assert "card" not in place_box(PlaceView("Bats", "awake", claim="Bats sleeps"), 14, 5).plain
    assert "0 cards" in place_box(PlaceView("Bats", "awake", count=0), 14, 5).plain
    assert "1 card" in place_box(PlaceView("Bats", "awake", count=1), 38, 12).plain


def test_mattresses_that_find_no_room_are_counted() -> None:
    rows = place_box(
        PlaceView("Bats", "out", ("Bats", "Pizza", "Scarfs", "Daisies", "Bats")), 14, 5
    ).plain.split("\n")
    assert [row.strip() for row in rows[2:]] == ["Bats", "Daisies", "and 3 more"]


def test_top_mattress_is_drawn_on_top() -> None:
    text = place_box(PlaceView("Bats", "asleep", ("Bats", "*Bats")), 30, 12).plain
    assert text.index("*Bats") < text.rindex(" Bats")


def test_may_and_may_not_have_words() -> None:
    model = model_of(TABLE)
    assert table_panels.may(model, 80)[0].plain.startswith(" you may + Touch")
    assert table_panels.may_not(model, 80)[0].plain.startswith(" not now - No looking")


def test_status_names_everything_unusual_at_once() -> None:
    odd = Table(**{**_fields(TABLE), "paused": True, "settled": False, "last_turns": 2})  # type: ignore[arg-type]
    text = table_panels.status(model_of(odd), WorldModel(), 120).plain
    assert "PAUSED" in text
    assert "LAST TURNS: 2" in text
    assert "hands on the table" in text


def test_who_sees_nothing_sees_no_hands_either() -> None:
    unsettled = Table(**{**_fields(TABLE), "settled": False})  # type: ignore[arg-type]
    model = model_of(unsettled, SensorHealth("camera", False, "no picture"))
    assert table_panels.status(model, WorldModel(), 80).plain.strip() == "camera: no picture"


def test_calm_has_no_status() -> None:
    assert table_panels.status(model_of(TABLE, *HEALTHY), WorldModel(), 80).plain == ""


def test_failing_sensor_comes_first_and_says_why() -> None:
    model = model_of(TABLE, *HEALTHY, SensorHealth("camera", False, "no picture for 4 s"))
    assert table_panels.header(model, 80).plain.rstrip().endswith("camera FAILS  board ok")
    assert "no picture for 4 s" in table_panels.status(model, WorldModel(), 80).plain


@pytest.mark.parametrize(
    ("health", "board", "word"),
    [
        (True, BoardState("connected"), "board ok"),
        (True, BoardState("connected", missing=("pad reader",)), "board ok, 1 missing"),
        (False, BoardState("connecting"), "board reconnecting"),
        (False, BoardState("lost"), "board LOST"),
        (False, BoardState("connected"), "board FAILS"),
        (True, BoardState("lost"), "board ok"),
    ],
)
def test_the_header_says_how_the_board_stands(health: bool, board: BoardState, word: str) -> None:
    model = model_of(TABLE, SensorHealth("board", health), board)
    assert table_panels.header(model, 80).plain.rstrip().endswith(word)


def test_the_board_s_line_says_what_is_worth_knowing() -> None:
    assert table_panels.board_line(model_of(TABLE), 80).plain == ""
    calm = table_panels.board_line(model_of(TABLE, BoardState("connected", rtt_ms=3)), 80)
    assert calm.plain == " board connected · answers in 3 ms"
    busy = BoardState("connected", "", 12, 4, 2, 1, ("pad reader (MFRC522)",), outdated=True)
    text = " ".join(table_panels.board_line(model_of(TABLE, busy), 80).plain.split())
    for words in ("companion flash", "missing: pad reader (MFRC522)", "reconnected 1x", "2 damaged", "4 sent"):
        assert words in text
    long = BoardState(
        "lost", "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode-if00: the port vanished; " * 3
    )
    rows = table_panels.board_line(model_of(TABLE, long), 80).plain.split("\n")
    assert len(rows) == 2
    assert all(len(row) <= 80 for row in rows)


def test_rows_of_keys_fit_the_small_screen() -> None:
    for entries in (table_panels.KEYS, table_panels.WORLD_KEYS):
        assert table_panels.keys(entries, 80).cell_length <= 80


def test_question_shows_the_keys_that_answer_it() -> None:
    text = table_panels.question(model_of(ASK), 80).plain
    assert text.startswith("? The row shows a 9")
    assert " t  take over the table" in text
    assert " u  undo" in text


def test_a_long_question_takes_three_rows() -> None:
    text = table_panels.question(model_of(Question("Something is off. " * 14, ("undo",))), 80).plain.split("\n")
    assert len(text) == 4
    assert max(map(len, text)) <= 80
    assert text[2].endswith("..")


def test_a_long_sentence_is_wrapped_and_cut_only_with_a_word_on_where_it_stands_whole() -> None:
    long = "Player 2 plays " + "5, " * 40 + "and is done."
    model = model_of(SAID[0], Said(0.0, long))
    rows = table_panels.log(model, 3, 80).plain.split("\n")
    assert rows[0].strip() == SAID[0].text
    assert " ".join(" ".join(rows[1:]).split()) == long
    assert table_panels.log(model, 1, 80).plain.endswith(".. (l: all)")
    assert len(table_panels.log(model, 1, 80).plain) <= 80
    assert table_panels.log(model, 3).plain.endswith(long)


def test_what_is_out_of_the_ordinary_is_wrapped_and_cut_only_for_want_of_rows() -> None:
    detail = "the port vanished; plug the board in again, and look whether its lamp is on " * 2
    model = model_of(TABLE, SensorHealth("board", False, detail.strip()), SensorHealth("camera", False))
    whole = table_panels.status(model, WorldModel(), 80).plain
    assert " ".join(whole.split()) == f"board: {detail}camera: no word from it"
    cut = table_panels.status(model, WorldModel(), 80, rows=1).plain
    assert cut.rstrip().endswith(".. (l: all)")
    assert max(map(len, [*whole.split("\n"), cut])) <= 80


def test_an_empty_question_withdraws_it() -> None:
    assert table_panels.question(model_of(ASK, Question("")), 80).plain == ""


def test_lost_engine_is_said_in_big_and_small() -> None:
    model = model_of(TABLE)
    model.connected(False)
    assert model.link is Link.LOST
    assert table_panels.status(model, WorldModel(), 80).plain.strip() == table_panels.GONE
    assert table_panels.header(model, 80).plain.rstrip().endswith("no engine")
    assert not model.fresh


def test_what_was_started_with_the_screen_is_waited_for_by_name() -> None:
    model = PublicModel(("engine", "camera", "board"))
    model.connected(False)
    told = [table_panels.status(model, WorldModel(), 80).plain.strip()]
    assert table_panels.now(model, 80, 0).plain == table_panels.now(started(), 80, 0).plain
    assert table_panels.header(model, 80).plain.rstrip().endswith("starting")
    model.connected(True)
    model.take(WELCOME)
    model.take(TABLE)
    told.append(table_panels.status(model, WorldModel(), 80).plain.strip())
    model.take(HEALTHY[0])
    told.append(table_panels.status(model, WorldModel(), 80).plain.strip())
    model.take(HEALTHY[1])
    assert told == [
        "Starting: waiting for the engine, the camera and the board.",
        "Starting: waiting for the camera and the board.",
        "Starting: waiting for the board.",
    ]
    assert table_panels.status(model, WorldModel(), 80).plain == ""
    model.connected(False)
    assert "is started again" in table_panels.status(model, WorldModel(), 80).plain


def started() -> PublicModel:
    """A screen that was started together with an engine, before a word of it."""
    return PublicModel(("engine",))


def test_only_who_has_to_start_an_engine_is_told_how() -> None:
    alone, together = PublicModel(), started()
    for model in (alone, together):
        model.connected(False)
    assert "companion run" in table_panels.status(alone, WorldModel(), 80).plain
    assert "companion" not in table_panels.status(together, WorldModel(), 80).plain
    assert table_panels.now(alone, 80, 0).plain != table_panels.now(together, 80, 0).plain


def test_what_stays_when_the_screen_is_gone() -> None:
    journals = (Path("/games/1.jsonl"), Path("/games/1-2.jsonl"))
    assert farewell(model_of(TABLE), journals) == [
        "The game was left at turn 12.",
        "Recorded: /games/1.jsonl",
        "Recorded: /games/1-2.jsonl",
        "Goodbye!",
    ]
    over = farewell(model_of(TABLE, SCORE))
    assert over[0].startswith("1 of 5 princesses asleep after 41 turns. It was a sleepless night")
    assert any("companion dashboard" in line for line in farewell(model_of(TABLE), stopped=False))
    assert not any("companion" in line for line in farewell(model_of(TABLE), stopped=True))
    assert farewell(PublicModel()) == ["Goodbye!"]


def test_journals_of_this_time_are_named_and_no_others(tmp_path: Path) -> None:
    for name, age in (("a.jsonl", 0), ("a-2.jsonl", 1), ("old.jsonl", -60), ("other.txt", 5)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000 + age, 1000 + age))
    new = [tmp_path / "a-2.jsonl", tmp_path / "a.jsonl"]
    assert journals_since(1000, tmp_path) == new
    assert journals_since(1000, tmp_path / "a.jsonl") == new
    assert journals_since(1000, tmp_path / "none.jsonl") == []


def test_a_new_engine_makes_the_old_log_go() -> None:
    model = model_of(TABLE, *SAID, *HEALTHY)
    model.take(WELCOME)
    assert not model.said
    assert not model.health


def test_an_engine_of_another_protocol_is_not_shown() -> None:
    model = PublicModel()
    model.connected(True)
    model.take(Welcome(PROTOCOL + 1, "9", "x", "y", 2))
    model.take(TABLE)
    assert model.table is None
    assert table_panels.FOREIGN in table_panels.status(model, WorldModel(), 80).plain


def test_private_view_ends_with_the_seat_and_with_the_connection() -> None:
    world = WorldModel()
    world.connected(True)
    world.take(TableState(7, 1.0, False, 2))
    world.take(TURN)
    assert "blanket" in hand(TURN).plain
    assert world.turn is not None
    world.take(TableState(7, 1.0, False, 0))
    assert world.turn is None
    world.take(TURN)
    world.connected(False)
    assert world.turn is None


def test_small_words() -> None:
    assert fit("abcdef", 5) == "abc.."


def test_a_player_has_no_face() -> None:
    """A place of a player shows name and cards; only characters have a portrait."""
    view = PlaceView("20 of 50 points, 1 of 5", "player", ("Heart 20",))
    rows = [row.strip() for row in place_box(view, 40, 14).plain.splitlines()]
    assert [row for row in rows if row] == ["20 of 50 points, 1 of 5", "[     Heart 20     ]"]
