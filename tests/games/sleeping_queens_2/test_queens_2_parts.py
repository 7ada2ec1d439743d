"""What is printed on the parts of Sleeping Queens 2 comes from the settings, and reaches everything."""

from pathlib import Path

import pytest

from companion.core.clock import ManualClock
from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.language import localized
from companion.games.narrator import SENSES
from companion.games.registry import GAME_NAMES, load_configured, load_game, load_virtual, printed_parts
from companion.games.sleeping_queens_2.rules.hidden_state import hide
from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, QUEENS
from companion.games.sleeping_queens_2.rules.parts import DRAGON, read_parts
from companion.games.sleeping_queens_2.terms import one_to_choose
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_replay import game_of, replay_journal
from companion.session.session import Session

NAME = "sleeping-queens-2"
PARTS = {
    "die": "1,2,3,3,dragon,dragon",
    "queens": "abcabcabcabc",
    "companions": "cba*cbacba",
    "colours": "pink,black,orange,brown,white,green",
}
LINES = "".join(f'{name} = "{text}"\n' for name, text in PARTS.items())
SETTINGS = f'game = "{NAME}"\n[parts.{NAME}]\n{LINES}'


def test_parts_come_from_the_settings_and_differ_from_the_defaults_alone(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(SETTINGS, encoding="utf-8")
    game = load_configured(NAME, load_config(file).parts)
    assert printed_parts(game) == PARTS
    state = game.empty_table("standard", 3)
    assert state.parts.die == (1, 2, 3, 3, DRAGON, DRAGON)
    assert {card.code: card.kind for card in game.cards("standard")}["DI5"] == "die dragon"
    assert all(not printed_parts(load_game(name)) for name in GAME_NAMES)
    assert printed_parts(load_game(NAME, {"queens": "aaaabbbbcccc"})) == {}


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"die": "1,1,2,2,3"}, "die: 6 faces are wanted, not 5"),
        ({"die": "1,1,2,2,3,4"}, "die: '4' is no face; faces are 1, 2, 3, dragon"),
        ({"queens": "aaaa"}, "queens: 12 small letters are wanted"),
        ({"companions": "aaabbbccc?"}, "companions: 10 small letters"),
        ({"colours": "red,red,blue,yellow,white,green"}, "colours: 6 different words"),
        ({"dice": "1"}, "no part is called 'dice'; there are die, queens, companions, colours"),
    ],
)
def test_a_wrong_part_gets_one_line_that_says_what_where_and_the_next_step(
    parts: dict[str, str], says: str, tmp_path: Path
) -> None:
    file = tmp_path / "companion.toml"
    lines = "".join(f'{name} = "{text}"\n' for name, text in parts.items())
    file.write_text(f'game = "{NAME}"\n[parts.{NAME}]\n{lines}', encoding="utf-8")
    with pytest.raises(BadInputError, match=says) as error:
        load_configured(NAME, load_config(file).parts)
    assert f"parts.{NAME}" in str(error.value)
    assert "docs/configuration.md" in str(error.value)


def test_parts_of_another_game_are_refused() -> None:
    with pytest.raises(BadInputError, match="no game is called 'chess'"):
        load_configured(NAME, {"chess": {}})
    with pytest.raises(BadInputError, match="leaves nothing to its parts"):
        load_configured("sleeping-queens", {"sleeping-queens": {"die": "1"}})


@pytest.mark.long
def test_a_game_with_other_parts_is_followed_told_recorded_and_replayed(tmp_path: Path) -> None:
    game, clock = load_game(NAME, PARTS), ManualClock()
    acted = load_virtual(NAME, PARTS).act_out(4, "standard", 3, 0.0, tapped=False)
    journal = Journal(tmp_path / "game.jsonl", sync=False)
    session = Session(game, "standard", 3, clock=clock, publish=lambda _: None, journal=journal)
    for doing in (*acted.laying_out, *acted.playing):
        for batch in doing.batches:
            clock.sleep(max(0.0, batch[-1].t - clock.now()))
            session.take(clock.now(), list(batch))
            for _ in range(3):
                clock.sleep(0.25)
                session.take(clock.now(), [])
    tracked = session.tracker.state
    assert tracked.parts == acted.end.parts
    assert hide(tracked).kings == acted.end.kings
    colours = {place["name"].split(", ")[1] for place in game.screen(tracked, "referee", SENSES)["places"]}
    assert colours <= {f"{colour} knight" for colour in PARTS["colours"].split(",")}
    journal.close()
    opened = read_journal(tmp_path / "game.jsonl").opened
    assert opened.parts == PARTS
    assert printed_parts(game_of(opened)) == PARTS
    assert replay_journal(tmp_path / "game.jsonl")["matches"]


def test_choices_and_hints_call_a_symbol_as_the_family_does() -> None:
    parts = read_parts({"names": "rose, shell"})
    said = [localized(one_to_choose(kind, parts)) for kind in (QUEENS[0], QUEENS[4], QUEENS[8], COMPANIONS[0])]
    assert said == [
        "queen 1 (symbol rose)", "queen 5 (symbol shell)", "queen 9 (symbol c)", "companion 1 (symbol rose)",
    ]  # fmt: skip
    assert printed_parts(load_game(NAME, {"names": "rose,shell"})) == {"names": "rose,shell"}
    assert printed_parts(load_game(NAME, {"names": ""})) == {}
    with pytest.raises(BadInputError, match="different words"):
        load_game(NAME, {"names": "rose,rose"})
