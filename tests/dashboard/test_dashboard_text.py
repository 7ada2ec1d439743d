"""The dashboard's panels as text, without a terminal. Its samples serve the other dashboard tests."""

import re
from pathlib import Path
from random import Random

import msgspec
import pytest
from textual.content import Content

from companion.commands.sitting import same_cards
from companion.core import language
from companion.core.board_state import BoardState
from companion.core.engine_command import ENGINE
from companion.core.language import ENGLISH, sentences, text, use
from companion.dashboard.exit_summary import farewell
from companion.dashboard.labels import ANSWERS, fit
from companion.dashboard.model import Link, PublicModel, WorldModel, same_position
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screen_layout import GRIDS, Size, Wanted, arrange_for_television, banner_rows, size_of
from companion.dashboard.screens.hint_screen import _KEYS
from companion.dashboard.screens.seat_screen import hand, learned, with_names
from companion.dashboard.screens.verdict_and_score import ScoreScreen, VerdictScreen
from companion.dashboard.themes import COLOURS, HUES
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.banner import (
    BLINDED,
    Call,
    banner,
    banner_row,
    call_of,
    has_room_beneath,
    large_sentence,
    question,
)
from companion.dashboard.widgets.big_letters import big, big_rows, big_width
from companion.dashboard.widgets.card_face import SIGNS, SYMBOLS, card_back, card_face, no_card, symbol_pixels
from companion.dashboard.widgets.card_face import SIZES as SIZES_OF_CARDS
from companion.dashboard.widgets.card_row import piles, rows_of_cards
from companion.dashboard.widgets.place_box import cards_size, place_box
from companion.dashboard.widgets.sleeper_picture import sleeper_picture
from companion.games.appearance import Difference
from companion.games.registry import GAME_NAMES, load_game
from companion.games.sleepless_princess.rig_table import RIG_TABLE
from companion.session.narration import CORRECTIONS, LAY_RIGHT
from companion.session.stream.events import (
    CALL_LETTERS,
    PROTOCOL,
    YES_NO,
    CardView,
    Claimed,
    ClaimHeard,
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
from companion.session.stream.virtual_table_events import TableState, YourTurn


def cards(kinds: str) -> tuple[CardView, ...]:
    """`"3 10 B"` -> open cards."""
    drawn = {"B": ("blanket", "indigo", "cloth"), "W": ("witch", "green", "hat")}
    return tuple(
        CardView(kind, *drawn.get(kind, (kind, COLOURS[int(kind) - 1] if kind.isdigit() else "")))
        for kind in kinds.split()
    )


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
    PlaceView("Watermelons", "awake", claim="Watermelons sleeps", figure="sleeper", colour="red", look=0),
    PlaceView("Pizza", "asleep", ("Pizza", "*Pizza", "Pizza"), figure="sleeper", colour="orange", look=1),
    PlaceView("Bats", "awake", claim="Bats sleeps", figure="sleeper", colour="violet", look=2),
    PlaceView("Teddy Bear", "out", figure="sleeper", colour="amber", look=5),
    PlaceView("Daisies", "awake", claim="Daisies sleeps", figure="sleeper", colour="yellow", look=4),
)
TABLE = Table(
    phase="check",
    title="CHECK",
    call="FEEL A BED",
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
            ("Corrected: player 2 looked under the bed of Daisies.", "repair"),
        ]
    )
)
ASK = Question(
    "The row shows a 9 where I hold a 6. Who is right?",
    ("table_is_right", "companion_is_right", "undo", "turn"),
)
HEARD = ClaimHeard(79.0, 3, "Bats, bed 3")
CLAIMED = Claimed(
    80.0,
    3,
    "Bats, bed 3",
    "cannot tell",
    "I cannot tell.",
    "awake",
    ("Nobody has seen 1 of the 3 mattresses.",),
    "the bottom mattress in the bed of Bats",
)
SCORE = Score(
    1,
    5,
    "1 OF 5",
    "asleep",
    "1 of 5 princesses asleep",
    "One of five sleeps; tomorrow night there is another chance for the others!",
    PLACES,
    41,
)
TURN = YourTurn(
    2,
    cards("5 5 B 2 10"),
    ("Under the bed of Bats: smooth.",),
    tuple(f"Discard {n}." for n in range(1, 31)),
    on_turn=True,
    numbers=tuple(map(str, range(1, 31))),
)


def box(view: PlaceView, width: int, height: int, largest: int = 2) -> str:
    """The words of a place that is the third."""
    return place_box(view, 3, width, height, PlayerNames(), largest=largest).plain


def model_of(*events: object) -> PublicModel:
    """A connected model that heard these events."""
    model = PublicModel()
    model.connected(True)
    for event in (WELCOME, *events):
        model.take(event)
    return model


def test_a_sentence_is_written_large_beneath_letters_that_stay_as_large() -> None:
    said = "Draw 2 more from the row."
    assert [len(row) <= 116 for row in large_sentence(said, 120)] == [True] * 4
    assert len(large_sentence(said, 60)) == 8
    assert large_sentence("Take the Ω.", 120) == large_sentence("Watermelons!", 30) == []
    call = Call("DRAW 2 CARDS", "Anna", 1)
    assert has_room_beneath(call, said, 120, 18)
    assert not has_room_beneath(call, said, 120, 12)
    grid, letters = GRIDS[Size.LARGE], big("DRAW 2 CARDS", 2)[0]
    drawn = banner(call, grid, 120, 18, 0, sentence=said).plain.split("\n")
    assert len(drawn) == 18
    first = next(at for at, row in enumerate(drawn) if letters in row)
    assert large_sentence(said, 120)[0] in drawn[first:]


def test_long_answers_take_rows_of_their_own_on_a_small_screen() -> None:
    said = "Qualcosa non va. Sul letto Principessa 10 vedo un materasso, e due mi mancano."
    with language.speaking("it"):
        rows = question(said, ASK.options, GRIDS[Size.SMALL], 80).plain.split("\n")
    assert len(rows) == 4
    assert max(map(len, rows)) <= 80
    assert "di chi è il turno" in rows[-1]


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_big_letters_make_a_rectangle(scale: int) -> None:
    rows = big("PLAYER 10!", scale)
    assert len(rows) == big_rows(scale) == (3, 5, 8)[scale - 1]
    assert {len(row) for row in rows} == {big_width("PLAYER 10!", scale)}


PRINCESS = "sleepless-princess"
CALLS = (
    "LAY IT OUT",
    "PLAY OR SWAP",
    "PLAY OR SKIP",
    "FEEL A BED",
    "USE THE GLASS",
    "MOVE OR DRAW",
    "DRAW 5 CARDS",
)
SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]
LONG_NAMES = PlayerNames(("Maximilian", "Bartholome", "Wilhelmina"))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", GAME_NAMES)
def test_what_to_do_next_fits_in_letters_of_one_size_in_every_phase_of_every_game(
    name: str, width: int, height: int
) -> None:
    game, grid = load_game(name), GRIDS[size_of(width, height)]
    calls = {*game.words.titles, *game.words.turn_titles, *(call for call in CALLS if name == PRINCESS)}
    for call in (*calls, "I CANNOT SEE", "PLAY ON", "STARTING", "STOPPED"):
        rows = banner(Call(call, "Wilhelmina", 3), grid, width).plain.split("\n")
        assert len(rows) == banner_rows(grid)
        assert max(map(len, rows)) <= width
        assert len(call) <= CALL_LETTERS
        assert "".join(rows).count("▀") + "".join(rows).count("█") > len(call)
        if width >= 118:
            assert big(call, grid.call)[2].strip() in rows[grid.pad + big_rows(grid.name) + 3]


def test_who_plays_is_named_everywhere() -> None:
    book = PlayerNames(("Anna", "", "Cleo"))
    assert book.put_into("Player 1 takes a card from player 3.") == "Anna takes a card from Cleo."
    assert book.put_into("The knights of player 1 and player 2 change places.") == (
        "The knights of Anna and player 2 change places."
    )
    assert book.put_into("10 players, player 22") == "10 players, player 22"
    assert [book.name(player) for player in range(1, 5)] == ["Anna", "Player 2", "Cleo", "Player 4"]
    model = model_of(TABLE, *SAID, msgspec.structs.replace(WELCOME, names=("Anna", "Ben", "Cleo")))
    model.take(SAID[3])
    assert "Ben" in banner(call_of(model, model.names), GRIDS[Size.SMALL], 80).plain
    assert "Ben plays 5" in table_panels.log(model, model.names, 1, 80).plain
    assert "Ben" in piles(TABLE, model.names, 40, 9).plain


@pytest.mark.parametrize("width", [1, 3, 6])
def test_a_window_too_narrow_for_words_breaks_no_screen(width: int) -> None:
    claimed = msgspec.structs.replace(CLAIMED, reasons=("Nobody looked.",), show="card 3")
    assert VerdictScreen(claimed, breath=0.0).page(width, 24)
    assert ScoreScreen(SCORE).page(width, 24)
    assert place_box(PlaceView("Two knights", "", player=1, figure="realm"), 1, width, 7, PlayerNames())
    assert banner(call_of(model_of(TABLE), PlayerNames()), GRIDS[Size.LARGE], width)


def test_names_of_wide_letters_move_nothing_beside_them() -> None:
    people = PlayerNames(("小明", "Ben", "Cleo"))
    rows = piles(TABLE, people, 40, 9).plain.split("\n")[-3:]
    assert len({Content(row.partition("▌")[0]).cell_length for row in rows}) == 1
    turn = msgspec.structs.replace(TABLE, player=1)
    assert table_panels.header(model_of(turn), people, 100).cell_length == 99
    assert Content(fit("小明小明小明", 9)).cell_length == 9


def test_fate_is_told_by_word_and_sign_never_by_colour_alone() -> None:
    words = {view.badge: box(view, 15, 7) for view in PLACES}
    assert "AWAKE" in words["awake"]
    assert "ASLEEP" in words["asleep"]
    assert "*Pizza" in words["asleep"]
    assert "OUT" in words["out"]


@pytest.mark.parametrize("size", [0, 1])
def test_every_princess_is_drawn_otherwise_awake_asleep_and_gone(size: int) -> None:
    drawn = {
        (badge, look): Content("\n").join(sleeper_picture(badge, colour, look, 3, size)).markup
        for look, colour in enumerate(list(HUES))
        for badge in ("awake", "asleep")
    }
    drawn["out", 0] = Content("\n").join(sleeper_picture("out", "red", 0, 3, size)).markup
    assert len(set(drawn.values())) == len(drawn) == 2 * len(HUES) + 1


def test_mattresses_are_stacked_as_many_as_may_be_known() -> None:
    layers = [
        sum("layer" in row.markup for row in sleeper_picture("out", "red", 0, count, 1)) for count in range(5)
    ]
    assert layers[0] == 0 < layers[1] <= layers[2] <= layers[3]
    assert sleeper_picture("awake", "red", 0, None, 1) == sleeper_picture("awake", "red", 0, 3, 1)


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_card_counts_its_value_in_pips(size: int) -> None:
    for card in cards("1 2 3 4 5 6 7 8 9 10"):
        rows = card_face(card, size)
        assert {row.cell_length for row in rows} == {SIZES_OF_CARDS[size][0]}
        text = "".join(row.plain for row in rows)
        counted = text.count("●") if size else 2 * text.count(":") + text.count("·")
        assert counted == int(card.kind)


def test_every_symbol_is_a_picture_of_its_own_with_its_name() -> None:
    drawn = {name: card_face(CardView("X", "a name", "red", name), 0) for name in SYMBOLS}
    assert len({Content("\n").join(rows).markup for rows in drawn.values()}) == len(SYMBOLS)
    assert all("a name" in rows[-1].plain for rows in drawn.values())


@pytest.mark.parametrize(("width", "height"), [(15, 7), (23, 10), (39, 12)])
def test_of_whom_nobody_knew_at_the_end_no_bed_and_no_score_says_that_she_is_out(
    width: int, height: int
) -> None:
    unknown = PlaceView("Bats", "unknown")
    rows = box(unknown, width, height).split("\n")
    assert any("NOT KNOWN" in row for row in rows)
    assert max(map(len, rows)) <= width
    score = Score(0, 1, "0 OF 1", "asleep", "0 of 1 asleep", "Nobody sleeps.", (unknown,), 3)
    page = ScoreScreen(score).page(80, 24).plain
    assert "NOT KNOWN" in page
    assert "OUT" not in page


def test_a_winner_has_no_other_players_colour() -> None:
    views = [
        PlaceView(f"{number} of 50 points", "won" if number == 2 else "player", player=number)
        for number in (1, 2, 3)
    ]
    score = Score(50, 50, "BEN WINS", "50 points", "Ben wins", "Ben wins with 50 points.", tuple(views), 30)
    spans = ScoreScreen(score).page(30, 24).spans
    assert any(str(span.style).endswith("on $p2") for span in spans)
    assert not any(str(span.style).endswith(("on $yes", "on $p1", "on $p3")) for span in spans)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60)])
def test_a_score_fits_with_everybodys_cards_and_the_evening(size: tuple[int, int]) -> None:
    queens = tuple(CardView("q", f"Rainbow {value}", "pink", "queen") for value in range(5))
    told = [
        PlaceView(f"{10 * at} of 50 points, {at} of 5", "won" if at == 4 else "player", figure="realm",
                  player=at, progress=(10 * at, 50), cards=queens[: at + 1])
        for at in range(1, 6)
    ]  # fmt: skip
    evening = [f"player {number}: {number} of 15 won" for number in range(1, 6)]
    for places in (told[:2], told, PLACES):
        score = msgspec.structs.replace(SCORE, headline="PLAYER 4 WINS", places=tuple(places))
        page = ScoreScreen(score, None, evening).page(*size).plain.split("\n")
        assert len(page) <= size[1]
        assert max(map(len, page)) <= size[0]
        assert all(any(line in row for row in page) for line in evening)
        assert all(any(view.name.split()[0] in row for row in page) for view in places)


def test_a_bed_never_shows_a_count_unless_told() -> None:
    assert "×" not in box(PlaceView("Bats", "awake", claim="Bats sleeps"), 15, 7)
    assert "×0" in box(PlaceView("Bats", "awake", count=0), 15, 7)
    assert "×1" in box(PlaceView("Bats", "awake", count=1), 39, 20)


def test_mattresses_that_find_no_room_are_counted() -> None:
    lying = ("Bats", "Pizza", "Scarfs", "Daisies", "Bats", "Pizza", "Bats")
    rows = box(PlaceView("Bats", "out", lying), 15, 7).split("\n")
    assert [row.strip(" █") for row in rows[1:]] == ["Bats", "Pizza", "Bats", "Daisies", "and 3 more", "Bats"]


def test_top_mattress_is_drawn_on_top() -> None:
    text = box(PlaceView("Bats", "asleep", ("Bats", "*Bats")), 30, 10)
    assert text.index("*Bats") < text.rindex(" Bats")


def test_sentences_stand_side_by_side_where_there_is_room_and_are_never_cut() -> None:
    narrow, wide = (table_panels.say(TABLE.may, width, 9) for width in (80, 200))
    assert [row.plain.count("•") for row in narrow] == [1, 1, 1]
    assert [row.plain.count("•") for row in wide] == [3]
    said = " ".join(" ".join(row.plain for row in narrow).split())
    assert all(sentence in said for sentence in TABLE.may)


def test_status_names_everything_unusual_at_once() -> None:
    odd = msgspec.structs.replace(TABLE, paused=True, last_turns=2)
    text = table_panels.status(model_of(odd), WorldModel(), 120).plain
    assert "PAUSED" in text
    assert "LAST TURNS: 2" in text


def test_who_sees_nothing_sees_no_hands_either() -> None:
    unsettled = msgspec.structs.replace(TABLE, settled=False)
    model = model_of(unsettled, *HEALTHY)
    assert "○ camera" in table_panels.header(model, model.names, 100).plain
    model.take(SensorHealth("camera", False, "no picture"))
    assert "○" not in table_panels.header(model, model.names, 100).plain
    assert call_of(model, model.names).big == "I CANNOT SEE"
    assert call_of(model, model.names).above == "the table: no picture"
    assert table_panels.status(model, WorldModel(), 80).plain == "", "told once, and large"
    model.take(Question("Did player 2 move it?", YES_NO, "move:7"))
    assert table_panels.status(model, WorldModel(), 80).plain.strip() == "Camera: no picture · F5 look · l why"
    world = WorldModel()
    world.state = TableState(7, 1.0, False, 0, parts=("camera",), broken=("camera",))
    assert "no picture · F5 look · l why · x mends" in table_panels.status(model, world, 80).plain
    busy = model_of(TABLE, SensorHealth("computer", False, "too busy", works=True))
    assert table_panels.status(busy, world, 80).plain.strip() == "Computer: too busy · F5 look · l why"
    assert ("x", "mend", "fault") in table_panels.world_keys_now(world)


def test_calm_has_no_status() -> None:
    assert table_panels.status(model_of(TABLE, *HEALTHY), WorldModel(), 80).plain == ""


def test_failing_sensor_comes_first_and_says_why() -> None:
    model = model_of(TABLE, *HEALTHY, SensorHealth("camera", False, "no picture for 4 s"))
    assert table_panels.header(model, model.names, 80).plain.rstrip().endswith("x camera FAILS  ● board")
    assert "no picture for 4 s" in call_of(model, model.names).above


@pytest.mark.parametrize("width", [80, 120])
def test_a_broken_sensor_is_one_line_with_its_keys(width: int) -> None:
    loss = "I feel no touch, follow no mattress that is moved, hear no button: claim by key"
    whole = f"Board: the port vanished, plug it in again. Until that is mended: {loss}."
    gone = SensorHealth("board", False, "the port vanished, plug it in again, then wait until its lamp is on")
    model = model_of(TABLE, *HEALTHY, gone, Said(9.0, whole, "fault", "board"))
    said = table_panels.status(model, WorldModel(), width)
    assert len(said.plain.splitlines()) == 1
    assert said.plain.rstrip().endswith("F5 look · l why")
    assert "claim by key" in table_panels.log(model, model.names, 9).plain, "l says all"


def test_a_fault_without_a_sentence_stands_whole_on_the_log_page() -> None:
    """The engine says nothing of a full disk or a slow computer; their rows send people to the log, too."""
    whole = "the journal cannot be written (No space left on device): from here on nothing is kept. Play on"
    full = SensorHealth("journal", False, whole)
    model = model_of(TABLE, *HEALTHY, SAID[0], full)
    assert table_panels.status(model, WorldModel(), 80).plain.rstrip().endswith(".. · F5 look · l why")
    assert table_panels.log(model, model.names, 9).plain.endswith(f"Journal: {whole}.")
    model = model_of(TABLE, *HEALTHY, SAID[0], full, SensorHealth("journal", True))
    assert "Journal" not in table_panels.log(model, model.names, 9).plain
    gone = SensorHealth("board", False, "the port vanished")
    model = model_of(TABLE, gone, Said(9.0, "Board: the port vanished.", "fault", "board"))
    assert table_panels.log(model, model.names, 9).plain.count("vanished") == 1


def test_where_a_device_is_stands_in_the_log_alone() -> None:
    gone = SensorHealth("board", False, "the port vanished: /tmp/companion-board-x1; plug it in")
    told = table_panels.status(model_of(TABLE, gone), WorldModel(), 80).plain
    assert told.strip() == "Board: the port vanished; plug it in · F5 look · l why"


def test_a_camera_that_misses_some_signs_is_a_quiet_line_and_no_banner() -> None:
    model = model_of(TABLE, *HEALTHY, SensorHealth("camera", False, "missed 2 of 16 signs", works=True))
    assert call_of(model, model.names).look != BLINDED
    assert "○ camera works in part" in table_panels.header(model, model.names, 80).plain
    said = table_panels.status(model, WorldModel(), 80)
    assert said.plain.strip() == "Camera: missed 2 of 16 signs · F5 look · l why"
    assert {str(span.style) for span in said.spans} == {table_panels.CALM}
    assert call_of(model_of(TABLE, SensorHealth("camera", False, "no picture")), model.names).look == BLINDED


def test_claims_that_wait_for_their_cards_are_listed() -> None:
    waiting = msgspec.structs.replace(TABLE, open_claims=("Melons, bed 1", "Moons, bed 3"))
    said = table_panels.status(model_of(waiting), WorldModel(), 120)
    assert len(said.plain.splitlines()) == 1
    assert "Claim waits for cards: Melons, bed 1" in said.plain
    assert "Moons, bed 3" in said.plain
    assert same_position(TABLE, waiting), "a hint stays"


@pytest.mark.parametrize(
    ("health", "board", "word"),
    [
        (True, BoardState("connected"), "● board"),
        (True, BoardState("connected", missing=("pad reader",)), "board ok, 1 missing"),
        (False, BoardState("connecting"), "board not found"),
        (False, BoardState("lost"), "board not found"),
        (False, BoardState("connecting", rtt_ms=3), "board reconnecting"),
        (False, BoardState("lost", reconnects=1), "board LOST"),
        (False, BoardState("connected"), "board FAILS"),
        (True, BoardState("lost"), "● board"),
    ],
)
def test_the_header_says_how_the_board_stands(health: bool, board: BoardState, word: str) -> None:
    model = model_of(TABLE, SensorHealth("board", health), board)
    assert table_panels.header(model, model.names, 80).plain.rstrip().endswith(word)


def test_the_board_s_line_says_what_is_worth_knowing() -> None:
    assert table_panels.board_line(model_of(TABLE), 80).plain == ""
    calm = table_panels.board_line(model_of(TABLE, BoardState("connected", rtt_ms=3)), 80)
    assert calm.plain == " board connected · answers in 3 ms"
    busy = BoardState("connected", "", 12, 4, 2, 1, ("pad reader (MFRC522)",), outdated=True)
    text = " ".join(table_panels.board_line(model_of(TABLE, busy), 80).plain.split())
    for words in ("companion flash", "missing: pad reader (MFRC522)", "reconnected 1x", "2 damaged", "4 sent"):
        assert words in text
    long = BoardState("lost", "the port vanished, plug it in again; " * 6)
    rows = table_panels.board_line(model_of(TABLE, long), 80).plain.split("\n")
    assert len(rows) == 2
    assert all(len(row) <= 80 for row in rows)


def test_rows_of_keys_fit_the_small_screen() -> None:
    world = WorldModel()
    world.connected(True)
    world.take(TableState(7, 1.0, True, 2))
    for entries in (table_panels.keys_now(model_of(TABLE)), table_panels.world_keys_now(world)):
        row = table_panels.keys(entries, 80)
        assert row.cell_length <= 80
        assert all(f"{key} {word}" in " ".join(row.plain.split()) for key, word, _ in entries)
    assert table_panels.keys(table_panels.keys_now(model_of(TABLE)), 40).plain.endswith("q quit")


def test_only_keys_of_use_are_shown() -> None:
    def shown(*events: object) -> set[str]:
        return {key for key, _, _ in table_panels.keys_now(model_of(*events))}

    always = {"l", "F1", "^p", "q"}
    assert shown() == always
    assert shown(TABLE) == always | {"c", "h", "w", "u", "t"}
    nothing_to_claim = tuple(msgspec.structs.replace(view, claim="") for view in PLACES)
    assert "c" not in shown(msgspec.structs.replace(TABLE, places=nothing_to_claim))
    assert "p" in shown(msgspec.structs.replace(TABLE, paused=True))
    over = msgspec.structs.replace(TABLE, over=True, player=0, places=nothing_to_claim, statements=())
    assert shown(over) == always | {"f", "t"}
    assert shown(msgspec.structs.replace(over, statements=TABLE.statements)) == always | {"f", "t"}


def asked(text: str, options: tuple[str, ...], size: Size = Size.SMALL, width: int = 80) -> list[str]:
    return question(text, options, GRIDS[size], width).plain.split("\n")


def test_question_shows_the_keys_that_answer_it() -> None:
    text = " ".join(" ".join(asked(ASK.text, ASK.options)).split())
    assert text.startswith("The row shows a 9")
    assert f"{big('t')[1].strip()} the table is right" in text
    assert "U undo" in text
    assert len(asked(ASK.text, ASK.options)) == banner_rows(GRIDS[Size.SMALL])
    narrow = " ".join(" ".join(asked(ASK.text, ASK.options, width=70)).split())
    assert "T the table is right" in narrow
    large = asked("Did player 2 move it?", YES_NO, Size.LARGE, 120)
    assert len(large) <= banner_rows(GRIDS[Size.LARGE])
    assert any(big("y yes")[1] in row for row in large)


@pytest.mark.parametrize("code", list(language.LANGUAGES))
@pytest.mark.parametrize("options", [YES_NO, ASK.options])
def test_a_wide_window_asks_in_big_letters(code: str, options: tuple[str, ...]) -> None:
    language.use(code)
    rows = asked("Did Anna take it from under the bed?", options, Size.HUGE, 200)
    answers = [language.localized(ANSWERS[option][1]) for option in options[:2]]
    language.use(language.ENGLISH)
    assert len(rows) <= banner_rows(GRIDS[Size.HUGE])
    assert max(map(len, rows)) <= 200
    assert any(big("Did Anna take it from under the bed?")[0] in row for row in rows)
    keys = [ANSWERS[option][0] for option in options[:2]]
    for key, answer in zip(keys, answers, strict=True):
        assert any(
            all(any(line in row for row in rows) for line in big(f"{key} {answer}", n)) for n in (1, 2, 3)
        )


def test_letters_that_cannot_be_drawn_large_are_written() -> None:
    plain = "Did «Anna» take it?"
    assert plain in asked(plain, YES_NO, Size.HUGE, 200)[1]


def test_a_long_question_takes_five_rows() -> None:
    text = asked("Something is off. " * 24, ("undo",))
    assert len(text) == 6
    assert max(map(len, text)) <= 80
    assert text[4].endswith("..")


def _longest(game: str, *differences: Difference) -> list[str]:
    """What a game asks for the longest, in the language of the screen."""
    loaded = load_game(game)
    state = loaded.setup(next(iter(loaded.variants)), 3, Random(3))
    return [language.localized(sentences([loaded.difference(state, one), LAY_RIGHT])) for one in differences]


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (160, 48)])
def test_a_lesson_on_a_television_is_whole(size: tuple[int, int]) -> None:
    layout = arrange_for_television(*size, Wanted(status=1, may=1, lesson=11))
    assert size[1] - layout.banner - layout.places >= 11
    assert layout.banner + layout.places + layout.cards + layout.say + layout.status <= size[1]


@pytest.mark.parametrize("code", list(language.LANGUAGES))
@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
def test_the_longest_questions_are_whole_for_children_and_their_answers_large(
    code: str, size: tuple[int, int]
) -> None:
    language.use(code)
    layout = arrange_for_television(*size, Wanted(status=1))
    questions = [
        *_longest("sleeping-queens", Difference("player 2", ("Ladybug", "Rainbow"), ("Sunflower", "Starfish"))),
        *_longest(
            "sleeping-queens-2",
            Difference("player 2", ("Q12",), ("Q08", "RC10", "SB")),
            Difference("player 2", ("Q12", "5", "Q01"), ("Q08", "RC10", "SB", "WI", "WG")),
        ),
    ]
    drawn = [
        [question(said, CORRECTIONS, layout.grid, size[0], rows).plain for rows in (0, layout.banner)]
        for said in questions
    ]
    language.use(language.ENGLISH)
    for said, (usual, roomy) in zip(questions, drawn, strict=True):
        for shown in (usual, roomy):
            rows = shown.split("\n")
            assert max(map(len, rows)) <= size[0]
            assert len(rows) <= layout.banner
            assert " ".join(said.split()) in " ".join(shown.split())
    assert all(big("t")[1].strip() in roomy for _, roomy in drawn[:1])
    yes_no = question("Was it the bed of Pizza? " * 4, YES_NO, layout.grid, size[0], layout.banner).plain
    assert all(big(word)[0] in yes_no for word in ("y yes", "n no"))


def test_the_long_log_ends_with_what_is_provisional() -> None:
    table = msgspec.structs.replace(TABLE, provisional=("Player 2 takes the open 8.", "Player 3 plays 5."))
    model = model_of(msgspec.structs.replace(WELCOME, names=("Anna", "Ben", "Cleo")), *SAID, table)
    rows = table_panels.log(model, model.names, 200).plain.split("\n")
    told = [SAID[-1].text.replace("player 2", "Ben"), "Ben takes the open 8.", "Cleo plays 5."]
    assert [row[9:].strip() for row in rows[-3:]] == told


def test_a_long_sentence_is_wrapped_and_cut_only_with_a_word_on_where_it_stands_whole() -> None:
    long = "Player 2 plays " + "5, " * 40 + "and is done."
    model = model_of(SAID[0], Said(0.0, long))
    rows = table_panels.log(model, model.names, 3, 80).plain.split("\n")
    assert rows[0].strip() == SAID[0].text
    assert " ".join(" ".join(rows[1:]).split()) == long
    assert table_panels.log(model, model.names, 1, 80).plain.endswith(".. (l: all)")
    assert len(table_panels.log(model, model.names, 1, 80).plain) <= 80
    assert table_panels.log(model, model.names, 3).plain.endswith(long)


def test_what_is_out_of_the_ordinary_is_cut_only_for_want_of_rows() -> None:
    detail = "the port vanished; plug the board in again, and look whether its lamp is on"
    model = model_of(TABLE, SensorHealth("board", False, detail), SensorHealth("scale", False))
    first, second = table_panels.status(model, WorldModel(), 80).plain.split("\n")
    assert first.startswith(" Board: the port vanished; plug the board in again")
    assert second.strip() == "Scale: no word from it · F5 look · l why"
    cut = table_panels.status(model, WorldModel(), 80, rows=1).plain
    assert cut.rstrip().endswith(".. (l: all)")
    assert max(map(len, (first, second, cut))) <= 80


def test_an_empty_question_withdraws_it() -> None:
    assert model_of(ASK, Question("")).question.text == ""
    assert question("", (), GRIDS[Size.SMALL], 80).plain == ""


def test_lost_engine_is_said_in_big_and_small() -> None:
    model = model_of(TABLE)
    model.connected(False)
    assert model.link is Link.LOST
    shown = " ".join(table_panels.status(model, WorldModel(), 80).plain.split())
    assert shown == table_panels.GONE.of(command=ENGINE)
    assert table_panels.header(model, model.names, 80).plain.rstrip().endswith("no engine")
    assert not model.fresh


def test_what_was_started_with_the_screen_is_waited_for_by_name() -> None:
    model = PublicModel(("engine", "camera", "board"))
    model.connected(False)
    told = [table_panels.status(model, WorldModel(), 80).plain.strip()]
    assert call_of(model, model.names) == call_of(started(), model.names)
    assert table_panels.header(model, model.names, 80).plain.rstrip().endswith("starting")
    model.connected(True)
    model.take(WELCOME)
    model.take(TABLE)
    told.append(table_panels.status(model, WorldModel(), 80).plain.strip())
    model.take(HEALTHY[0])
    told.append(table_panels.status(model, WorldModel(), 80).plain.strip())
    model.take(HEALTHY[1])
    assert told == [
        "Starting: waiting for engine, camera and board.",
        "Starting: waiting for camera and board.",
        "Starting: waiting for board.",
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
    assert call_of(alone, alone.names) != call_of(together, together.names)


def test_what_stays_when_the_screen_is_gone() -> None:
    journals = (Path("/games/1.jsonl"), Path("/games/1-2.jsonl"))
    assert farewell(model_of(TABLE), journals) == [
        "The game was left at turn 12.",
        "This game is kept in /games/1.jsonl",
        "This game is kept in /games/1-2.jsonl",
        "Goodbye!",
    ]
    assert farewell(model_of(TABLE), recording=Path("/our evening"))[-2:] == [
        "Recorded in /our evening. To send it: companion pack '/our evening'",
        "Goodbye!",
    ]
    over = farewell(model_of(TABLE, SCORE))
    assert over[0].startswith("After 41 turns: 1 of 5 princesses asleep. One of five sleeps")
    assert any("companion dashboard" in line for line in farewell(model_of(TABLE), stopped=False))
    assert not any("companion" in line for line in farewell(model_of(TABLE), stopped=True))
    assert farewell(PublicModel()) == ["Goodbye!"]


def test_the_end_on_the_terminal_names_the_players_and_says_once_who_won() -> None:
    model = model_of(
        msgspec.structs.replace(WELCOME, names=("Nonna", "Zoe", "Tom")),
        TABLE,
        msgspec.structs.replace(
            SCORE, line="Player 1 wins with 45 points", text="Player 1 wins. Player 2: 2 queens.", turns=61
        ),
    )
    assert farewell(model)[0] == "After 61 turns: Nonna wins with 45 points. Zoe: 2 queens."


def test_german_names_the_variant_and_ends_in_a_whole_sentence() -> None:
    use("de")
    try:
        unknown = msgspec.structs.replace(SCORE, line=text("not known who sleeps"), text="", turns=1)
        assert farewell(model_of(TABLE, unknown))[0].strip() == "Nach 1 Zug: nicht bekannt, wer schläft."
        hello = model_of(msgspec.structs.replace(WELCOME, variant="basic"), TABLE)
        assert "Grundspiel" in table_panels.header(hello, hello.names, 100).plain
        parts = [language.localized(row.parts) for row in RIG_TABLE]
        assert not any(re.search(r"\bein (Pico|Leser|Knopf)\b", one) for one in parts), "er braucht: ..."
    finally:
        use(ENGLISH)


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


def test_the_cards_of_the_last_game_are_those_to_have_again() -> None:
    world = WorldModel()
    assert same_cards(7, world).endswith("--seed 7")
    world.take(TableState(8, 1.0, paused=False, seat=0))
    world.connected(False)
    assert same_cards(7, world).endswith("--seed 8")


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
    """A place of a player shows name, progress and cards; only beds have a sleeper."""
    view = PlaceView(
        "20 of 50 points, 1 of 5", "player", ("Heart 20",), figure="realm", player=2, progress=(20, 50)
    )
    rows = [row.strip() for row in box(view, 42, 14).splitlines()]
    told = "20 of 50 points, 1 of 5  " + "█" * 6 + "░" * 9
    assert [row for row in rows if row] == ["♦ Player 2", told, "Heart 20"]
    rows = [row.strip() for row in box(view, 26, 14).splitlines()]
    bar = "█" * 9 + "░" * 15
    assert [row for row in rows if row] == ["♦ Player 2", "20 of 50 points, 1 of 5", bar, "Heart 20"]


def test_a_bar_gives_way_to_cards_that_are_drawn() -> None:
    queen = CardView("H", "Heart 20", "pink", "queen")
    view = PlaceView("0 of 3 kings, yellow knight", "player", figure="realm", player=2, progress=(0, 3))
    assert "░" in box(view, 26, 7)
    drawn = box(msgspec.structs.replace(view, cards=(queen,)), 26, 7)
    assert "Heart 20" in drawn
    assert "▀" in drawn, "the card is a picture"


def test_letters_of_a_television_stay_in_their_place_when_a_message_comes() -> None:
    call = Call("PLAY", "Mia", 1)
    alone = banner(call, GRIDS[Size.SMALL], 80, 12).plain.split("\n")
    assert banner(call, GRIDS[Size.SMALL], 80, 11, 1).plain.split("\n") == alone[:11]
    tight = banner(call, GRIDS[Size.SMALL], 80, 5, 8).plain.split("\n")
    assert len(tight) == 5
    assert "Mia" in "".join(tight)


@pytest.mark.parametrize("height", [-3, 1, 2])
def test_a_window_of_a_few_rows_has_one_row_for_its_banner(height: int) -> None:
    said = "Play three cards, or discard one to five."
    rows = banner(Call("PLAY", "Mia", 1), GRIDS[Size.SMALL], 30, height, drawn=True, sentence=said).plain
    assert len(rows.split("\n")) == max(1, height)


def test_a_very_small_television_says_what_to_do() -> None:
    small = arrange_for_television(60, 15, Wanted(status=1))
    assert small.places == 0
    rows = banner(Call("PLAY", "Mia", 1), small.grid, 60, small.banner, small.status).plain.split("\n")
    assert len(rows) == small.banner
    assert len([row for row in rows if row.strip()]) >= len(big("MIA")) + len(big("PLAY"))


def test_piles_take_the_place_of_a_row_without_cards() -> None:
    row, heaps = (
        RowView("played", (), 5),
        (PileView("deck", 41), PileView("discard", 11, top=CardView("4", "4"))),
    )
    for size, height in ((0, 5), (1, 9), (2, 13)):
        drawn = rows_of_cards((row,), size, height, heaps).plain.split("\n")
        assert drawn[0].split("─")[0] == "deck "
        assert len(drawn) == height
        assert "no open cards" not in "".join(drawn)
        back, open_card = card_back(41, size), card_face(CardView("4", "4"), size)
        assert drawn[1] == f"{back[0].plain} {open_card[0].plain}"
        with_cards = RowView("played", cards("5"), 5)
        assert "deck" not in rows_of_cards((with_cards,), size, height, heaps).plain
    assert "no open cards" in rows_of_cards((row,), 0, 5).plain
    assert set(no_card(0)[1].plain) == set("│ ")


def test_yes_and_no_are_large_on_the_smallest_screen_and_take_no_row_more() -> None:
    small = GRIDS[Size.SMALL]
    asked = question("Was it the bed of Pizza?", YES_NO, small, 80).plain.split("\n")
    assert len(asked) == banner_rows(small)
    assert "".join(big("y yes")[0]) in asked[1]
    long = question("Was it the bed of Pizza? " * 5, YES_NO, small, 80).plain
    assert " Y  yes" in long
    assert len(long.split("\n")) <= banner_rows(small)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_a_verdict_keeps_its_size_while_cards_come_and_its_last_row(size: tuple[int, int]) -> None:
    said = msgspec.structs.replace(CLAIMED, text="She sleeps!", verdict="proved", show="")
    shown = msgspec.structs.replace(PLACES[2], shown=("Bats", "*Bats", "Pizza", "10"))
    pages = []
    for number in range(len(shown.shown) + 1):
        screen = VerdictScreen(said, shown, breath=0)
        screen.shown = number
        pages.append(screen.page(*size).plain.rstrip().split("\n"))
        assert len(pages[-1]) <= size[1]
        assert pages[-1][-1].strip() == "any key: back to the table"
    assert all(page[: len(pages[0]) - 2] == pages[0][:-2] for page in pages)


def test_the_cards_of_a_realm_are_drawn_where_there_is_room_and_named_where_not() -> None:
    queens = cards("1 2 3 4")
    view = PlaceView(
        "", "player", tuple(f"Queen {card.kind}" for card in queens), cards=queens, figure="realm", player=1
    )
    assert box(view, 42, 10).count(":") == 1 + 1 + 2
    fanned = [row.strip() for row in box(view, 15, 7).split("\n")]
    assert fanned[1:4] == ["1", "2", "3"]
    assert [row.strip() for row in big("4")] == fanned[-3:]
    assert "Queen 4" in box(view, 15, 5)


def test_a_queen_on_few_rows_keeps_crown_and_name() -> None:
    queens = tuple(CardView(f"Q{n}", f"queen {n}", "pink", "queen", n) for n in range(1, 5))
    whole, short = (card_face(queens[3], 0, height=rows) for rows in (4, 3))
    assert [row.markup for row in short] == [whole[0].markup, whole[1].markup, whole[3].markup]
    realm = PlaceView("", "player", cards=queens, figure="realm", player=1)
    assert place_box(realm, 1, 15, 7, PlayerNames()).split("\n")[-3].markup.strip() == short[0].markup.strip()
    drawn = rows_of_cards((RowView("drawn", queens[3:], 5), RowView("open", (), 4)), 0, 4).split("\n")
    assert "queen 4" in drawn[2].plain
    pile = PileView("discard", 3, top=queens[3])
    rows = rows_of_cards((RowView("drawn", (), 5),), 0, 4, (pile,)).plain.split("\n")
    assert "queen 4" in rows[-1]


def _markup(view: CardView, size: int) -> str:
    return "".join(row.markup for row in card_face(view, size))


@pytest.mark.parametrize("asleep", [False, True])
def test_twelve_queens_have_twelve_faces(asleep: bool) -> None:
    symbol = "sleeping queen" if asleep else "queen"
    views = [CardView("Q", "a queen", "pink", symbol, look) for look in range(12)]
    for size in range(3):
        assert len({_markup(view, size) for view in views}) == 12
    marks = {_markup(CardView("Q", "a queen", "pink", symbol, 0, sign), 0) for sign in SIGNS}
    assert len(marks) == len(SIGNS)
    eyes = {"".join(symbol_pixels(view)).index("e") // 8 for view in views}
    assert eyes == {4 if asleep else 3}


def test_the_cards_of_all_realms_have_the_size_in_which_the_most_of_them_fit() -> None:
    one, three = (PlaceView("", "player", figure="realm", cards=cards(kinds)) for kinds in ("1", "1 2 3"))
    assert cards_size([one], 40, 10) == 1
    assert cards_size([one, three], 40, 10) == 0
    assert box(one, 40, 10, largest=0).count("\n") == box(one, 40, 10).count("\n") == 9
    assert box(one, 40, 10, largest=0) != box(one, 40, 10)


def test_children_see_a_picture_of_what_to_do_for_which_the_letters_leave_room() -> None:
    width, height = 200, 26
    call, grid = Call("DRAW 2 CARDS", "Anna", 1, symbol="cards"), GRIDS[Size.LARGE]
    drawn = banner(call, grid, width, height, drawn=True)
    assert "$art-linen" in drawn.markup
    assert "$art-linen" not in banner(call, grid, width, height).markup
    assert max(len(row) for row in drawn.plain.split("\n")) <= width


@pytest.mark.parametrize("code", list(language.LANGUAGES))
def test_the_words_of_a_pile_fit_beside_the_row_of_a_small_screen(code: str) -> None:
    """The number of its cards is what matters; the name of its top card is cut before it."""
    language.use(code)
    top = CardView("W", "Zauberlupe der Hexe")
    table = msgspec.structs.replace(TABLE, piles=(PileView("discard", 12, None, top),))
    row = piles(table, PlayerNames(), 28, 12).plain.split("\n")[0]
    language.use(language.ENGLISH)
    assert len(row) <= 28
    assert row.endswith(" 12")


@pytest.mark.parametrize("width", [7, 12, 28])
@pytest.mark.parametrize(
    "pile", [PileView("discard pile", 44, None, CardView("W", "witch")), PileView("deck", 53, 68)]
)
def test_a_pile_keeps_its_number_however_narrow_the_row_is(width: int, pile: PileView) -> None:
    row = piles(msgspec.structs.replace(TABLE, piles=(pile,)), PlayerNames(), width, 12).plain.split("\n")[0]
    assert len(row) <= width
    assert str(pile.count) in row


def test_a_narrow_row_still_tells_how_many_cards_everybody_holds() -> None:
    for height in (4, 12):
        rows = piles(msgspec.structs.replace(TABLE, hands=(5, 4, 3)), PlayerNames(), 12, height).plain
        assert all(len(row) <= 12 for row in rows.split("\n"))
        assert all(count in rows for count in "543")


def test_the_word_of_the_winner_stands_there_however_long_the_name_is() -> None:
    use("de")
    try:
        for name, head in (("", " Spiel. 2 GEWINNT "), ("Maximiliane", " Maximi.. GEWINNT ")):
            view = PlaceView("55 points", "won", player=2, figure="realm")
            first = place_box(view, 2, 19, 9, PlayerNames(("", name))).plain.split("\n")[0]
            assert head.strip() in first, first
            assert len(first) == 19
    finally:
        use(ENGLISH)


def test_a_person_with_one_choice_is_told_one_key() -> None:
    turn = YourTurn(1, (), (), ("Skip",), on_turn=True)
    assert "one choice: enter" in hand(turn).plain


def test_the_keys_of_a_hint_name_no_telling_where_nothing_can_be_told() -> None:
    for always in (True, False):
        assert " w " in _KEYS[True, always]
        assert " w " not in _KEYS[False, always]


def test_the_words_beside_a_hand_are_as_long_as_the_row_allows() -> None:
    cards = tuple(CardView("king", "sleeping potion", "red") for _ in range(3))
    for actions in ((), ("one",), ("one", "two")):
        turn = YourTurn(1, cards, (), actions, on_turn=True)
        assert hand(turn).cell_length > 78 or len(actions) == 1
        assert hand(turn, width=78).cell_length <= 78
    waits = YourTurn(1, (), (), ())
    assert "not your turn yet" in hand(waits).plain
    assert "your turn: one moment" in hand(waits, due=True).plain


def test_who_has_a_seat_can_leave_it_however_narrow_the_row_of_keys_is() -> None:
    world = WorldModel()
    world.take(TableState(7, 1.0, False, 2))
    assert " s " in f" {table_panels.keys(table_panels.world_keys_now(world), 40).plain} "
    for width in range(10, 100):
        row = f" {table_panels.keys(table_panels.world_keys_now(world), width).plain} "
        assert (" - slower" in row.replace("  ", " ")) == (" + faster" in row.replace("  ", " ")), row


def test_a_camera_that_starts_is_no_camera_that_is_gone() -> None:
    model = model_of(msgspec.structs.replace(TABLE, call="NO CAMERA"))
    assert call_of(model, model.names).big == "NO CAMERA"
    model.started = ("engine", "camera")
    assert call_of(model, model.names).big == "STARTING"
    model.take(SensorHealth("camera", True))
    assert call_of(model, model.names).big == "NO CAMERA"


def test_what_a_person_in_a_seat_reads_names_the_players_and_says_where_it_is_cut() -> None:
    facts = tuple(f"Fact {number}: player 2 has shown a card of {number}" for number in range(4))
    turn = with_names(
        msgspec.structs.replace(TURN, actions=("Take a card of player 2",), learned=facts),
        PlayerNames(("Anna", "Ben")),
    )
    assert turn.actions == ("Take a card of Ben",)
    assert learned(turn).plain.count("Ben has shown") == 3
    for width in (40, 60, 98):
        row = learned(turn, width).plain
        assert len(row) <= width
        assert "Fact 3" in row
        assert row.endswith(("a card of 3", ".."))
    two = msgspec.structs.replace(turn, actions=("one", "two"))
    assert "b▌ enter takes it" in hand(two, "b").plain


def test_a_start_that_takes_long_counts_the_seconds() -> None:
    model = PublicModel(("engine", "camera"))
    assert table_panels.starting(model) == "Starting: waiting for engine and camera."
    model.waited_s = 14
    assert table_panels.starting(model) == "Starting: waiting for engine and camera, 14 s so far."


def test_beside_a_seat_what_is_to_be_seen_stays_whole() -> None:
    call = Call("I CANNOT SEE", "the table: mat not found: 0 of 4 corner markers in sight; it is dark")
    for width in (60, 80, 120):
        row = banner_row(call, width).plain
        assert "I CANNOT SEE" in row
        assert len(row) <= width


def test_choices_begin_with_a_capital_in_every_language() -> None:
    turn = YourTurn(1, (), ("player 2 has a 7",), ("die offene 2 nehmen", "Vom Stapel ziehen", "écarter un 2"))
    shown = with_names(turn, PlayerNames(("Anna", "Bert")))
    assert shown.actions == ("Die offene 2 nehmen", "Vom Stapel ziehen", "Écarter un 2")
    assert shown.learned == ("Bert has a 7",)
