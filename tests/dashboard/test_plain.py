"""The plain screen: every fact of the drawn screens in words, and everything entered by typed words."""

import io
import os
import threading
import tomllib
from collections import deque
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from companion.core.board_state import BoardState
from companion.core.config import load_config
from companion.core.language import localized, player, plural, text, use
from companion.core.printable import plain_letters
from companion.dashboard.labels import with_colon
from companion.dashboard.model import Link, PublicModel, WorldModel
from companion.dashboard.plain.plain_lines import (
    event_lines,
    lesson_lines,
    score_lines,
    sensor_lines,
    table_lines,
    world_lines,
)
from companion.dashboard.plain.plain_screen import PlainScreen, RestingTurns
from companion.dashboard.plain.typed_words import WORDS, TypedWords
from companion.games.registry import GAME_NAMES, load_game
from companion.session.stream.commands import (
    AskHint,
    AskPosition,
    Claim,
    Command,
    NamePlayers,
    NextParty,
    TableIsRight,
    Turn,
    Undo,
)
from companion.session.stream.events import (
    NEXT_PARTY,
    PROTOCOL,
    Accepted,
    Advice,
    ClaimHeard,
    Event,
    LessonView,
    PlaceView,
    Position,
    Question,
    Said,
    Score,
    SensorHealth,
    Signals,
    StatementView,
    Table,
    Welcome,
)
from companion.session.stream.stream import StreamServer
from companion.session.stream.virtual_table_events import (
    CallClaim,
    Choose,
    Restart,
    SetFault,
    TableState,
    TakeSeat,
    WorldEvent,
    YourTurn,
)

NO_FACT = {
    "t": "time of the log",
    "id": "for answers, not for people",
    "kind": "the card's name says it",
    "colour": "a picture",
    "symbol": "a picture",
    "sign": "a picture",
    "figure": "a picture",
    "look": "a picture",
    "lit": "a lamp, as `call` says",
    "cards": "of a place: `shown` has their names",
    "phase": "`title` says it",
    "title": "`call` says it, if there is one",
    "subject": "`name` says it",
    "badge": "a word of the screen, below",
    "verdict": "`text` says it",
    "action": "in notation; `text` says it",
    "worth": "an order, which the hints have",
    "chance": "`expects` says it",
    "level": "how much a hint gives away",
    "private": "only who asked hears it",
    "work_left": "of a graph",
    "statements": "typed `tell` lists them",
    "room": "of a drawing",
    "player": "a name, below",
    "within": "a name, below",
    "problem": "stands alone, below",
    "state": "a word of the screen",
    "source": "the sensor's name in words",
    "seed": "said at the end",
    "lamps": "lights",
    "tones": "heard",
    "parts": "typed `break` lists them",
    "safe": "preselected nowhere",
    "claims": "asked before",
    "numbers": "the plain screen numbers choices itself",
    "options": "words of the screen, below",
    "aloud": "of a hint",
    "index": "",
    "protocol": "of the sockets",
    "program": "of the sockets",
    "titles": "the widths of letters",
    "turn_titles": "the widths of letters",
    "when": "a lesson comes then",
    "hand_cards": "buttons of phones",
    "mat": "a drawing",
    "mat_ratio": "a drawing",
    "x": "a drawing",
    "corner": "a picture: the hint says how",
    "width": "of a picture",
    "height": "of a picture",
    "pixels": "a picture",
    "pressed": "a picture, or a word",
}
"""Field -> why its value itself is in no line."""


def filled(kind: Any, numbers: Iterator[int], tokens: dict[str, str], path: str) -> Any:
    """A value of a type with a word or number of its own in each field; `tokens` gets them."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return filled(next(one for one in inside if one is not type(None)), numbers, tokens, path)
    if origin is tuple:
        if len(inside) == 2 and inside[1] is Ellipsis:
            return (filled(inside[0], numbers, tokens, path),)
        return tuple(filled(one, numbers, tokens, path) for one in inside)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = get_type_hints(kind)
        return kind(
            **{
                name: filled(hints[name], numbers, tokens if name not in NO_FACT else {}, f"{path}.{name}")
                for name in kind.__struct_fields__
            }
        )
    number = next(numbers)
    if kind is bool:
        return True
    value = number if kind is int else float(number) if kind is float else f"word{number}"
    tokens[path] = str(number)
    return value


NO_LINES: dict[type, str] = {Accepted: "says nothing but that a command was not refused"}
"""Event -> why it has no lines."""


@pytest.mark.parametrize("kind", [one for one in get_args(Event) if one not in NO_LINES])
def test_every_fact_of_an_event_is_in_its_lines(kind: type[msgspec.Struct]) -> None:
    tokens: dict[str, str] = {}
    event: Any = filled(kind, count(1000), tokens, kind.__name__)
    if isinstance(event, Welcome):
        event = msgspec.structs.replace(event, protocol=PROTOCOL)
    if isinstance(event, Position):
        event = msgspec.structs.replace(event, problem="")
    model = PublicModel()
    if not isinstance(event, Welcome):
        model.take(HELLO)
    model.take(event)
    said = event_lines(event, model, None)
    if isinstance(event, Welcome):
        model.take(TABLE)
        words = talk(event, msgspec.structs.replace(TABLE, statements=(StatementView("1", "felt"),)))
        said += [line for word in ("help", "claim", "tell", "end") for line in words.take(word).lines]
        model.lessons.on = True
        model.lessons.begin(event.lessons)
        said += [line for one in event.lessons for line in lesson_lines(one)]
    if isinstance(event, Table):
        said = table_lines(event, model.names)
    if isinstance(event, BoardState):
        said = sensor_lines(model)
    text = "\n".join(said)
    tokens.pop("Claimed.name", None)  # its sentence says it
    assert tokens or kind is Signals
    assert {path: token for path, token in tokens.items() if token not in text} == {}


FACTS: dict[str, tuple[Any, str]] = {
    "started": (("camera",), "waiting for camera"),
    "command": ("companion run", "companion run"),
    "link": (Link.LOST, "The engine is gone"),
    "welcome": (Welcome(PROTOCOL, "1", "a-game", "basic", 2, help=("Help 1.",)), "Help 1."),
    "foreign": (True, "different versions"),
    "table": (Table("play", "PLAY", 31, 0, (), (), (), (), (), (), ()), "Turn 31"),
    "percent_read": (42, "42 %"),
    "ended": (True, "the last that I saw"),
    "said": (deque([Said(1.0, "Anna draws.")]), "Anna draws."),
    "health": ({"camera": SensorHealth("camera", False, "too dark")}, "too dark"),
    "board": (BoardState("lost", "no cable"), "no cable"),
    "signals": (Signals(True, False), "Lamps on"),
    "question": (Question("Is it so?", ("yes", "no")), "Is it so?"),
    "score": (Score(3, 5, "Three sleep", "", "", "", (), 9), "Three sleep"),
    "bad_lines": (2, "not in the words of an engine"),
    "own_names": (("Anna", "Ben"), "Ben"),
    "attached": (False, "There is no virtual table here."),
    "state": (TableState(1, 1.0, False, 0, parts=("the camera's cable",)), "the camera's cable"),
    "turn": (YourTurn(1, (), (), ("Discard a 3",), on_turn=True), "1: Discard a 3"),
}
"""Field of a screen's model -> a value, and what of it is in the plain form."""
NO_FACTS = {
    "fresh": "whether a picture is old: the link says it",
    "claimed": "said when it comes, and in the log",
    "lessons": "below",
    "advice": "said when it comes",
    "hints_always": "a choice of the reader's own, answered when it is typed",
    "notice": "said when it comes",
    "goodbye": "said when it comes",
    "unkept": "said by the command that starts the screen",
    "seed": "said at the end",
    "waited_s": "counts while a screen waits; lines say when the wait begins and ends",
    "truth": "not for players",
    "hand_hidden": "nobody else looks at these lines",
}
"""Field -> why it has no line of its own."""


@pytest.mark.parametrize("name", [*vars(PublicModel()), *vars(WorldModel())])
def test_every_field_of_a_screens_model_is_in_the_plain_form(name: str) -> None:
    """A field that a screen shows needs a line, or a reason."""
    if name in NO_FACTS:
        return
    model, world = PublicModel(), WorldModel()
    for one in (model, world):
        if name in vars(one):
            setattr(one, name, FACTS[name][0])
    if name != "welcome" and name != "bad_lines":
        model.welcome = HELLO
    if name not in ("link", "started", "command", "percent_read"):
        model.link = Link.LIVE
    if name not in ("table", "started", "command"):
        model.table = model.table or TABLE
    if name not in ("attached", "turn"):
        world.attached = True
    if name in ("started", "percent_read"):
        model.table, model.link = None, Link.WAITING
    words = TypedWords(model, world)
    said = [
        line
        for word in ("table", "log", "sensors", "break", "help", "seat 1", "tell")
        for line in words.take(word).lines
    ]
    assert FACTS[name][1] in "\n".join(said)


def test_an_engine_that_is_started_again_says_nothing_twice(tmp_path: Path) -> None:
    lines = io.StringIO()
    screen = PlainScreen(tmp_path / "engine.sock", lines=lines)
    before, missed = Said(3.0, "Player 1 draws."), Said(4.0, "Player 2 draws.")
    for event in (HELLO, before, HELLO, before, missed):
        screen.take(event)
    assert [lines.getvalue().count(one.text) for one in (before, missed)] == [1, 1]


def test_a_lesson_is_printed_when_it_matters(tmp_path: Path) -> None:
    said = io.StringIO()
    screen = PlainScreen(tmp_path / "e.sock", lines=said)
    lesson = LessonView("phase play", "Playing", "Three cards at once.", "5.1")
    screen.take(msgspec.structs.replace(HELLO, lessons=(lesson,)))
    screen.take(TABLE)
    assert "Three cards" not in said.getvalue()
    screen.obey("teach")
    assert said.getvalue().endswith("LEARN: Playing\nThree cards at once.\n5.1\n")


def test_lessons_that_were_switched_on_are_kept(tmp_path: Path) -> None:
    file, said = tmp_path / "config.toml", io.StringIO()
    screen = PlainScreen(tmp_path / "e.sock", lines=said, file=file)
    assert not screen.model.lessons.on
    screen.obey("teach")
    assert tomllib.loads(file.read_text())["screen"]["teach"] is True
    assert PlainScreen(tmp_path / "e.sock", lines=said, teach=True).model.lessons.on


def test_hints_at_every_move_are_kept(tmp_path: Path) -> None:
    file, said = tmp_path / "config.toml", io.StringIO()
    PlainScreen(tmp_path / "e.sock", lines=said, file=file).obey("always")
    assert load_config(file).screen.hints_always
    assert PlainScreen(tmp_path / "e.sock", lines=said, hints_always=True).model.hints_always


def test_a_claim_of_a_win_names_the_player_and_is_a_question() -> None:
    model = PublicModel()
    model.take(msgspec.structs.replace(HELLO, names=("Anna", "Ben")))
    heard = ClaimHeard(1.0, 1, text("{claim}?", claim=text("{who} has won", who=player(1, within=True))))
    assert event_lines(heard, model, None) == ["A claim was heard: Anna has won?"]


def test_every_fact_of_a_seat_is_in_its_lines() -> None:
    tokens: dict[str, str] = {}
    turn: Any = filled(YourTurn, count(1000), tokens, "seat")
    text = "\n".join(world_lines(turn, None))
    assert {path: token for path, token in tokens.items() if token not in text} == {}


HELLO = Welcome(PROTOCOL, "1", "sleepless-princess", "basic", 2)
PLACES = (PlaceView("Daisies", "awake", claim="Daisies sleeps"), PlaceView("Bats", "asleep"))
TABLE = Table("play", "PLAY", 3, 2, PLACES, (), (), (), (5, 4), ("Play three cards.",), ())


def talk(*events: Event, world: tuple[WorldEvent, ...] = (), table: WorldModel | None = None) -> TypedWords:
    model, table = PublicModel(), table or WorldModel()
    for event in (HELLO, *events):
        model.take(event)
    if world:
        table.connected(True)
    for one in world:
        table.take(one)
    return TypedWords(model, table)


def test_what_did_not_change_is_not_said_again() -> None:
    model = PublicModel()
    model.take(TABLE)
    asleep = msgspec.structs.replace(TABLE, places=(PlaceView("Daisies", "asleep"), PLACES[1]))
    assert event_lines(asleep, model, TABLE) == ["Daisies: asleep"]
    assert event_lines(TABLE, model, TABLE) == []


def test_the_line_of_a_players_place_begins_with_the_player() -> None:
    realm = PlaceView("points 5/50, queens 1/5", "player", ("queen 3",), claim="player 2 has won", player=2)
    places = (msgspec.structs.replace(realm, progress=(5, 50)),)
    lines = talk(msgspec.structs.replace(TABLE, places=places)).take("table").lines
    said = "Player 2: points 5/50, queens 1/5, open: queen 3, can be claimed: Player 2 has won"
    assert said.casefold() in [line.casefold() for line in lines]


def test_the_log_ends_with_what_may_still_be_revised() -> None:
    early = msgspec.structs.replace(TABLE, provisional=("Player 2 draws.",))
    assert talk(Said(1.0, "Player 1 plays."), early).take("log").lines == [
        "Player 1 plays.",
        "Perhaps: Player 2 draws.",
    ]


def test_a_claim_is_sent_after_a_yes_alone() -> None:
    words = talk(TABLE)
    assert words.take("claim").lines == ["1: Daisies sleeps"]
    asked = words.take("claim 1")
    assert asked.engine == []
    assert asked.lines == ["Daisies sleeps", "Type yes if you mean it."]
    assert words.take("yes").engine == [Claim(1)]
    assert words.take("yes").lines == ["Nothing is asked."]


@pytest.mark.parametrize("between", ["table", "no", "undo"])
def test_a_yes_to_something_else_claims_nothing(between: str) -> None:
    words = talk(TABLE)
    words.take("claim 1")
    words.take(between)
    assert words.take("yes").engine == []


def test_at_a_virtual_table_a_player_presses_the_button() -> None:
    words = talk(TABLE, world=(TableState(1, 1.0, False, 0),))
    words.take("claim 1")
    typed = words.take("yes")
    assert (typed.table, typed.engine) == ([CallClaim(1)], [])


def test_a_verdict_is_taken_back_by_its_own_id_and_after_a_yes() -> None:
    verdict = StatementView("v7", "Daisies sleeps.")
    words = talk(msgspec.structs.replace(TABLE, verdict=verdict))
    assert words.take("undo").engine == []
    assert words.take("yes").engine == [Undo("v7")]
    assert talk(TABLE).take("u").engine == [Undo()]


@pytest.mark.parametrize(
    ("line", "sends"),
    [
        ("turn 2", Turn(2)),
        ("hint", AskHint("nudge", "")),
        ("hint 3 3 5", AskHint("nudge", "3 3 5")),
        ("t", AskPosition()),
    ],
)
def test_words_are_commands(line: str, sends: Command) -> None:
    assert talk(TABLE).take(line).engine == [sends]


def test_the_table_is_taken_over_after_it_was_read_out() -> None:
    words = talk(TABLE)
    assert words.take("right").engine == [AskPosition()]
    assert words.take("yes").engine == [TableIsRight()]


@pytest.mark.parametrize("line", ["turn 9", "turn", "7", "speed fast", "break nothing", "xyz", "claim 2"])
def test_what_cannot_be_sends_nothing_and_says_why(line: str) -> None:
    typed = talk(TABLE, world=(TableState(1, 1.0, False, 0, parts=("camera",)),)).take(line)
    assert not typed.engine
    assert not typed.table
    assert typed.lines


def test_a_seat_is_played_by_numbers_and_a_claim_is_asked_before() -> None:
    turn = YourTurn(1, (), (), ("Discard a 3", "Claim: Daisies sleeps"), on_turn=True, claims=(1,))
    words = talk(TABLE, world=(TableState(1, 1.0, False, 0, parts=("camera",)), turn))
    assert words.take("seat 2").table == [TakeSeat(2)]
    assert words.take("1").table == [Choose(0)]
    assert words.take("2").table == []
    assert words.take("yes").table == [Choose(1)]
    assert words.take("break camera").table == [SetFault("camera", True)]


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (None, "You have no seat. Type seat and its number."),
        (TableState(1, 1.0, False, 1), "It is not your turn yet."),
        (YourTurn(1, (), (), ()), "It is not your turn yet."),
        (YourTurn(1, (), (), (), on_turn=True), "One moment: the last choice is still being done."),
        (YourTurn(1, (), (), ("Draw",), on_turn=True), "There is no choice of that number."),
    ],
)
def test_a_number_that_chooses_nothing_is_answered_with_the_reason(
    turn: YourTurn | TableState | None, says: str
) -> None:
    state = TableState(1, 1.0, False, 0 if turn is None else 1)
    typed = talk(TABLE, world=(state, *([] if turn is None else [turn]))).take("7")
    assert (typed.lines, typed.table) == ([says], [])


def test_a_game_that_has_not_begun_is_not_ended() -> None:
    assert talk(msgspec.structs.replace(TABLE, turn=0)).take("end").lines == ["The game has not begun."]
    assert talk(TABLE).take("end").lines != ["The game has not begun."]


def test_a_number_at_a_real_table_names_the_word_that_helps() -> None:
    words = TypedWords(PublicModel(), WorldModel())
    assert words.take("7").lines == ["A number chooses nothing here. Type help."]


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_a_word_is_understood_without_its_accents_and_with_any_apostrophe(language: str) -> None:
    use(language)
    for english, (word, _) in WORDS.items():
        typed = plain_letters(localized(word)).upper()
        assert talk(TABLE).take(typed) == talk(TABLE).take(english)


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_words_of_the_language_and_english_ones_are_understood(language: str) -> None:
    use(language)
    words = talk(TABLE)
    own = [localized(word) for word, _ in WORDS.values()]
    assert len({plain_letters(word) for word in own}) == len(own)
    for english in WORDS:
        if english != "quit":
            assert words.take(english) is not None
    said = words.take("help").lines
    assert not any("English" in line for line in said)
    # A line names its word once, with the language's own colon.
    assert sum(line.partition(" ")[2].startswith("2") for line in said) == 2
    for line in said[: len(own)]:
        first = line.replace("\u202f", "").partition(" ")[0]
        assert not line.replace("\u202f", "").startswith(f"{first} {first.rstrip(':')} ")
    assert (said[0] == f"{with_colon('aide')} tous les mots") == (language == "fr")


def test_each_answer_to_a_question_is_said_as_it_is_typed() -> None:
    question = Question("Who is right?", ("table_is_right", "companion_is_right", "undo"), "q")
    words = talk(TABLE, question)
    (_, answers) = event_lines(question, words.model, None)
    for key in ("t", "o", "u"):
        assert f"{key} (" in answers
        assert words.take(key).engine


def test_a_hint_again_gives_more_within_what_the_family_allows() -> None:
    words = talk(TABLE, Advice("nudge", 1, (), 0))
    assert words.take("hint").engine == [AskHint("coach", "")]
    hello = msgspec.structs.replace(HELLO, assist="nudge")
    assert talk(hello, TABLE, Advice("nudge", 1, (), 0)).take("hint").engine == [AskHint("referee", "")]


def told(turn: int, player: int, *provisional: str) -> Table:
    return msgspec.structs.replace(TABLE, turn=turn, player=player, provisional=provisional)


class Told:
    """Tables and sentences as a plain screen prints them."""

    def __init__(self) -> None:
        self.model = PublicModel()
        self.turns = RestingTurns(self.model)
        self.take(told(1, 1), 0.0)

    def take(self, table: Table, now: float) -> list[str]:
        self.model.take(table)
        return self.turns.hear(table, now)


def test_nobody_is_told_to_plug_in_what_only_starts() -> None:
    model = PublicModel(("engine", "camera", "board"))
    turns = RestingTurns(model)
    model.connected(True)
    nothing = "Nothing watches this table yet: plug in a camera."
    blind = msgspec.structs.replace(told(0, 0), call="NOT YET", may=(nothing,))
    model.take(blind)
    assert turns.hear(blind, 0.0) == []
    assert turns.due(1.0) is None
    model.take(SensorHealth("camera", False, "no camera"))
    turns.watched(2.0)
    assert turns.due(3.0) == pytest.approx(1.0), "a table that the camera changes may follow"
    assert nothing in turns.rested(), "it is true now"
    assert nothing in RestingTurns(PublicModel()).hear(blind, 0.0), "nothing was started"


def test_a_turn_that_lasts_a_moment_alone_is_never_printed() -> None:
    one = Told()
    assert one.take(told(2, 2, "Player 1 draws from the deck."), 1.0) == []
    assert one.turns.due(2.0) == pytest.approx(1.0)
    assert one.take(msgspec.structs.replace(told(1, 1), call="DRAW"), 2.0) == ["Player 1: Draw"]
    assert one.turns.due(2.0) is None


def test_what_led_to_a_turn_is_printed_before_it_and_once() -> None:
    one = Told()
    assert one.take(told(2, 2, "Player 1 takes the open 3."), 1.0) == []
    assert one.take(told(2, 2, "Player 1 takes the open 3."), 2.0) == []
    assert one.turns.rested() == ["Player 1 takes the open 3.", "Turn 2", "Player 2: Play"]
    assert one.turns.said_already(Said(2.0, "Player 1 takes the open 3."))
    assert not one.turns.said_already(Said(2.0, "Player 1 takes the open 3."))
    assert one.take(told(2, 2), 4.0) == []


def test_what_was_printed_too_early_is_called_wrong() -> None:
    one = Told()
    one.take(told(2, 2, "Player 1 draws from the deck."), 1.0)
    one.turns.rested()
    assert one.take(told(2, 2, "Player 1 takes the open 3."), 4.0) == ["Not so: Player 1 draws from the deck."]


def test_the_choices_of_a_seat_come_after_its_turn() -> None:
    one = Told()
    one.take(told(2, 2), 1.0)
    other, own = YourTurn(1, (), (), ("Draw",)), YourTurn(2, (), (), ("Discard a 1",))
    assert one.turns.before_choices(other) == []
    assert one.turns.before_choices(own) == ["Turn 2", "Player 2: Play"]
    assert one.turns.before_choices(own) == []


@pytest.mark.parametrize("name", GAME_NAMES)
def test_german_titles_are_given_as_in_a_sentence(name: str) -> None:
    """Screens show them in capitals; from capitals alone nobody knows the nouns again."""
    words = load_game(name).words
    drawn = plural("DRAW 1 CARD", "DRAW {n} CARDS", n=2)
    use("de")
    try:
        titles = [localized(title) for title in (*words.titles, *words.turn_titles, drawn)]
    finally:
        use("en")
    assert [title for title in titles if title.isupper()] == []


def test_german_nouns_keep_their_capitals() -> None:
    use("de")
    try:
        words = localized(text("USE THE GLASS")), localized(text("PLAY OR SWAP"))
        called = [msgspec.structs.replace(TABLE, call=call) for call in words]
        assert [table_lines(one, PublicModel().names)[1] for one in called] == [
            "Spieler 2: Nimm die Lupe", "Spieler 2: Spiel/tausch",
        ]  # fmt: skip
        score = Score(4, 5, "4 VON 5", "schlafen", "", "", (), 9)
        assert score_lines(score, PublicModel().names)[0] == "4 von 5"
        assert score_lines(msgspec.structs.replace(score, headline="Anna und Bert"), PublicModel().names)[
            0
        ] == ("Anna und Bert")
    finally:
        use("en")


def test_a_whole_talk_over_the_sockets(tmp_path: Path) -> None:
    server: StreamServer[Event, Command] = StreamServer(tmp_path / "e.sock", Command)
    read, write = os.pipe()
    said = io.StringIO()
    screen = PlainScreen(tmp_path / "e.sock", words=os.fdopen(read), lines=said)
    talking = threading.Thread(target=screen.run, daemon=True)
    talking.start()
    heard: list[Any] = []
    typed = [b"turn 1\n", b"quit\n"]
    while talking.is_alive():
        joined, commands = server.poll()
        for event in (HELLO, TABLE, SensorHealth("camera", False, "dark")):
            server.send(event, joined)
        heard += [command for _, command in commands]
        if "camera: fails" in said.getvalue() and len(typed) == 2 - len(heard):
            os.write(write, typed.pop(0))
        talking.join(0.01)
    server.close()
    os.close(write)
    assert heard == [Turn(1)]
    lines = said.getvalue().splitlines()
    assert "Player 2: Play" in lines
    assert "camera: fails, dark" in lines


def test_the_next_party_is_typed_and_a_game_that_is_on_ends_after_a_yes() -> None:
    words = talk(TABLE)
    asked = words.take("party")
    assert not asked.engine
    assert asked.lines[0] == "A game is on. End it for the next party?"
    assert words.take("yes").engine == [NextParty(ends=True)]
    over = talk(msgspec.structs.replace(TABLE, over=True), world=(TableState(1, 1.0, False, 0),)).take("party")
    assert (over.engine, over.table) == ([NextParty(ends=True)], [Restart()])
    waiting = talk(TABLE, Question("Next party: clear the table.", ("table_is_right",), NEXT_PARTY))
    assert waiting.take("right").engine == [TableIsRight(new_game=True)]


AT_VIRTUAL_TABLE = (TableState(1, 1.0, False, 1, parts=("camera", "board")),)


def test_a_number_after_a_list_completes_the_word_that_listed() -> None:
    told = msgspec.structs.replace(TABLE, statements=(StatementView("s1", "it is smooth"),))
    turn = YourTurn(1, (), (), ("Discard a 3", "Draw"), on_turn=True)
    words = talk(told, world=(*AT_VIRTUAL_TABLE, turn))
    for word, said in (("c", "Daisies sleeps"), ("tell", "Noted: it is smooth.")):
        words.take(word)
        typed = words.take("1")
        assert (typed.lines[0], typed.table) == (said, [])
    assert words.take("1").table == [Choose(0)]
    words.take("break")
    assert words.take("board").table == [SetFault("board", True)]
    words.take("turn")
    assert words.take("2").engine == [Turn(2)]
    assert words.take("names").engine == []
    assert words.take("Lina, Opa").engine == [NamePlayers(("Lina", "Opa"))]
    assert words.take("k").lines == ["Cards as 3 3 4 7, then enter:"]
    assert words.take("3 4 7").engine == [AskHint("nudge", "3 4 7")]


def test_a_number_is_a_seat_s_choice_again_once_other_choices_came() -> None:
    table = WorldModel()
    choices = YourTurn(1, (), (), ("Draw",), on_turn=True)
    words = talk(TABLE, world=(*AT_VIRTUAL_TABLE, choices), table=table)
    words.take("claim")
    table.take(YourTurn(1, (), (), ("Discard a 3",), on_turn=True))
    assert words.take("1").table == [Choose(0)]


@pytest.mark.parametrize("again", ["yes", "quit", "q"])
def test_a_game_that_is_on_is_left_after_a_yes(again: str) -> None:
    words = talk(TABLE, world=AT_VIRTUAL_TABLE)
    words.model.started = ("engine",)
    asked = words.take("q")
    assert not asked.leaves
    assert asked.lines[0] == "Quit; a virtual game can be watched again, not gone on with"
    assert words.take(again).leaves
    assert not words.take("q").leaves
    words.take("no")
    assert not words.take("yes").leaves


def test_what_ends_no_game_is_left_at_once() -> None:
    for table in (msgspec.structs.replace(TABLE, turn=0), msgspec.structs.replace(TABLE, over=True)):
        words = talk(table)
        words.model.started = ("engine",)
        assert words.take("quit").leaves
    assert talk(TABLE).take("quit").leaves  # the engine of others goes on


def test_a_new_game_at_the_virtual_table_ends_the_old_one_after_a_yes() -> None:
    words = talk(TABLE, world=AT_VIRTUAL_TABLE)
    assert words.take("new 7").table == []
    assert words.take("yes").table == [Restart(7)]
    assert talk(msgspec.structs.replace(TABLE, over=True), world=AT_VIRTUAL_TABLE).take("new").table == [
        Restart(None)
    ]


def test_what_is_chosen_by_words_is_kept_for_the_next_game(tmp_path: Path) -> None:
    file, said = tmp_path / "c" / "companion.toml", io.StringIO()
    screen = PlainScreen(tmp_path / "e.sock", lines=said, file=file)
    screen.take(HELLO)
    screen.take(Signals(lamps=True, beeper=True))
    for line in ("language de", "names Lina, Opa", "lampen", "laut"):
        screen.obey(line)
    kept = load_config(file)
    assert (kept.language, kept.player_names) == ("de", ("Lina", "Opa"))
    assert (kept.signals.lamps, kept.signals.beeper, kept.sound.lines) == (False, True, True)


def test_a_part_is_broken_by_its_name_in_the_reader_s_language() -> None:
    use("de")
    words = talk(TABLE, world=AT_VIRTUAL_TABLE)
    assert words.take("stören").lines == ["Kamera, Platine"]
    assert words.take("kamera").table == [SetFault("camera", True)]
    assert words.take("stören board").table == [SetFault("board", True)]


def test_the_last_turn_is_not_told_as_none_left() -> None:
    last = msgspec.structs.replace(TABLE, last_turns=0)
    assert "This is the last turn." in table_lines(last, PublicModel().names)
    assert "2 turns are left." in table_lines(msgspec.structs.replace(last, last_turns=2), PublicModel().names)
