"""Hints for one player of Sleeping Queens 2: what they advise, for whom, and that they tell no secret."""

from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from companion.advice.sleeping_queens_2 import answer, check_told, last_check
from companion.commands.hint import hint as hint_command
from companion.core.errors import BadInputError
from companion.core.language import on_wire
from companion.games.advice import LEVELS, Level
from companion.games.registry import load_adviser
from companion.games.rules import CHANCE
from companion.games.sleeping_queens_2.hints.advice import advise
from companion.games.sleeping_queens_2.hints.options import Outlook
from companion.games.sleeping_queens_2.hints.player_knowledge import (
    face_down,
    fitting_share,
    known_state,
    undrawn,
)
from companion.games.sleeping_queens_2.players.simulation import SIMULATION, make_policy, play_out, simulate
from companion.games.sleeping_queens_2.rules.hidden_state import hide, spell_out
from companion.games.sleeping_queens_2.rules.kinds import EMPTY, WITCH
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import PLAYERS, Phase, State
from companion.session.journal.journal import Journal, Recorded
from companion.session.journal.journal_lines import VERSION, Adopted, Done, Opened, Revoked
from companion.session.stream.commands import AskHint
from tests.games.sleeping_queens_2.test_queens_2_table import Watched
from tests.support import hint_truth
from tests.support.sleeping_queens_2 import play, table

ENCODE = msgspec.json.Encoder(enc_hook=on_wire).encode
OPENED = Opened(VERSION, RULES.name, "standard", 3)
PLAIN = "six/math/willow"


def decisions(players: int, seed: int, *policies: str) -> list[State]:
    """Every state of a game in which somebody has to decide something."""
    return hint_truth.decisions(SIMULATION, players, f"decisions {players} {seed}", policies)


def known(state: State) -> State:
    return known_state(RULES.view(state, RULES.actor(state)), state.parts)


def best(state: State) -> str:
    return advise(known(state)).hints[0].action


def other_world(state: State, chance: Random) -> State:
    """The same for all who watched, with another order of the draw pile and other companions face down."""
    deck = list(state.deck)
    chance.shuffle(deck)
    hidden = [
        at
        for at, (card, up) in enumerate(zip(state.cells, state.face_up, strict=True))
        if card != EMPTY and not up
    ]
    cells = list(state.cells)
    for at, card in zip(hidden, chance.sample([cells[at] for at in hidden], len(hidden)), strict=True):
        cells[at] = card
    return state._replace(deck=tuple(deck), cells=tuple(cells))


def adopted(state: State) -> Recorded:
    """A journal that holds every card."""
    return hint_truth.adopted(RULES, state)


@pytest.mark.quick(1)
@pytest.mark.parametrize(("players", "games"), [(2, 1), *((players, 2) for players in PLAYERS)])
def test_hidden_cards_change_no_byte_and_no_work(players: int, games: int) -> None:
    chance = Random(players)
    changed = 0
    for seed in range(games):
        for state in decisions(players, seed, "hinted", "sensible", "random"):
            other = other_world(state, chance)
            changed += other != state
            for level in Level:
                one, again = (advise(known(world), level) for world in (state, other))
                assert ENCODE(one) == ENCODE(again)
            asked = AskHint("coach")
            assert answer(adopted(state), asked) == answer(adopted(other), asked)
    assert changed > 20 * games


def test_a_journal_that_knows_every_card_says_no_more_than_one_that_does_not() -> None:
    for state in decisions(3, 1, "sensible"):
        for level in LEVELS:
            assert answer(adopted(state), AskHint(level)) == answer(adopted(hide(state)), AskHint(level))


def test_what_lies_nowhere_else_is_what_is_hidden() -> None:
    for state in decisions(4, 2, "sensible", "random"):
        assert sorted(undrawn(known(state)).elements()) == sorted(state.deck)
        hidden = [card for card, up in zip(state.cells, state.face_up, strict=True) if card > 0 and not up]
        assert list(face_down(known(state))) == sorted(hidden)


@pytest.mark.parametrize(
    ("state", "action"),
    [
        # A king who wins, before anything else.
        (table("2,3,5,Q01/-/-", companions="RC01/-/-", kings="2/0/0"), "rescue Q01 RC01"),
        # The companion of every queen is kept where another one fits.
        (table("2,9,Q01/-/-", companions="RC01,RC10/-/-", knights=PLAIN), "rescue Q01 RC01"),
        # A queen who can rescue the last king is woken.
        (table("2,7,7/-/-", asleep="Q01/-/-", companions="RC01/-/-", kings="2/0/0", knights=PLAIN), "pair 7"),
        (table("2,3,5,9,9,Q01/9/9", kings="1/1/1", knights="witch/math/willow"), "equation 2 3 5"),
        # Who is about to win loses the queen they need.
        (
            table(
                "1/9,Q05/Q01", phase="steal", played="WG", companions="-/-/RC01", kings="0/0/2", knights=PLAIN
            ),
            "steal 3 Q01",
        ),
        (table("-/-/-", phase="take", played="WG", discard="Q05,Q01", companions="RC01/-/-"), "take Q01"),
        (table("-/-/-", phase="reroll", knights="reroll/draw/math"), "reroll"),
        (table("-/-/-", phase="wake", asleep="Q01,Q05/-/-", companions="RC04/-/-"), "wake Q05"),
        # A willow harms nobody who has no queen yet.
        (table("1/-/-", phase="instant", drawn="WG,WI", discard="Q05"), "willow"),
    ],
)
def test_what_brings_most_is_advised(state: State, action: str) -> None:
    assert best(state) == action


@pytest.mark.parametrize(
    ("state", "begins"),
    [
        (
            table(
                "1/9,Q05/Q01", phase="steal", played="WG", companions="-/-/RC01", kings="0/0/2", knights=PLAIN
            ),
            "Take queen 1 (symbol a) from player 3.",
        ),
        (
            table("-/-/-", phase="take", played="WG", discard="Q05,Q01", companions="RC01/-/-"),
            "Take queen 1 (symbol a) from the discard pile. She fits companion 1 of yours.",
        ),
        (table("Q01/-/-", companions="RC01/-/-", knights=PLAIN), "Rescue a king with queen 1 and companion 1."),
    ],
)
def test_symbols_are_said_where_a_card_is_chosen_for_what_it_fits(state: State, begins: str) -> None:
    assert advise(known(state)).hints[0].text.startswith(begins)


def test_a_king_who_wins_is_worth_everything() -> None:
    state = table("2,3,5,Q01/-/-", companions="RC01/-/-", kings="2/0/0")
    option = Outlook(known(state)).options()[0]
    assert option.worth == 1.0
    assert advise(known(state)).hints[0].text.endswith(" That wins the game.")
    returning = play(state, "rescue Q01 RC01")
    assert Outlook(known(returning)).options()[0].worth == 1.0


def test_nobody_gives_a_card_away_who_may_keep_it() -> None:
    for state in decisions(3, 3, "hinted"):
        free = len(state.realms[state.turn] + state.asleep[state.turn]) <= 5
        assert not (free and best(state).startswith("discard"))


def test_companions_are_as_likely_as_they_lie() -> None:
    state = table("2,3,5,Q01/-/-", companions="RC01,RC02/-/-", kings="1/0/0", knights=PLAIN)
    assert fitting_share(known(state), 0) is None
    state = table("2,3,5,9,9,Q01/-/-", companions="RC04,RC05/-/-", knights="witch/math/willow")
    # Three companions of the first symbol and the one of every queen, among eight that lie face down.
    assert fitting_share(known(state), 0) == 0.5
    hint = advise(known(state)).hints[0]
    assert (hint.action, hint.chance) == ("equation 2 3 5", 0.5)
    assert "It fits a queen of yours about 1 time out of 2" in hint.text


def test_a_shielded_realm_is_not_swapped_with() -> None:
    state = table("1/Q01/Q05", phase="swap", played="SW", companions="RC01/-/-", knights="six/witch/math")
    assert state.played == WITCH
    assert all("of player 2" not in hint.text for hint in advise(known(state)).hints)


def test_a_witch_who_has_nothing_to_swap_is_played_because_she_must_be() -> None:
    state = table("-/Q01/Q05", phase="instant", drawn="SW", knights="six/math/willow")
    assert "as you must: there is nothing to swap" in advise(known(state)).hints[0].text
    state = table("1/Q01/Q05", phase="instant", drawn="SW", knights="six/math/willow")
    assert "you may swap a card" in advise(known(state)).hints[0].text


@pytest.mark.long
def test_who_follows_hints_wins_more_often() -> None:
    result = simulate("standard", 4, 40, 5, "hinted,sensible,sensible,sensible")
    won = result["wins_by_policy"]
    assert won["hinted"] + won["sensible"] == pytest.approx(1.0, abs=1e-5)
    assert won["hinted"] > 0.29


def test_levels_give_more_and_more_away_and_the_family_caps_them() -> None:
    state = table("2,3,5,7,9,Q01/-/-", asleep="-/Q05/-", knights=PLAIN)
    game = adopted(state)
    advices = [answer(game, AskHint(level)) for level in LEVELS]
    assert [advice.level for advice in advices] == list(LEVELS)
    for advice in advices:
        assert advice.private
        assert (advice.player, advice.work_left) == (1, 3)
        assert all(bool(one.action) == (advice.level == "coach") for one in advice.hints)
    assert len(advices[3].hints) == 3
    assert advices[3].hints[0].expects.startswith("about ")
    assert advices[2].hints[0].text.endswith("?")
    assert advices[1].hints[0].text == "Player 2 has queen 5 asleep."
    assert answer(game, AskHint("coach"), assist="nudge") == advices[2]
    assert not answer(game, AskHint("coach"), aloud=True).private
    with pytest.raises(BadInputError, match="no level"):
        answer(game, AskHint("oracle"))


def test_cards_that_are_told_must_lie_in_the_realm() -> None:
    state = table("2,3,5,Q01/-/-", asleep="Q05/-/-", companions="RC04/-/-", knights=PLAIN)
    game = adopted(state)
    plain = answer(game, AskHint("coach"))
    for told in ("5 3 2 q01 Q05", "2,3,5,Q01,Q05,RC04"):
        assert answer(game, AskHint("coach", told)) == plain
    with pytest.raises(BadInputError, match="I see 2 3 5 Q01 Q05 in your realm"):
        answer(game, AskHint("coach", "2 3 5"))


def test_nobody_is_advised_while_chance_decides() -> None:
    rolling = adopted(table("2/-/-", phase="roll"))
    assert answer(rolling, AskHint("coach")).hints == ()
    assert answer(rolling, AskHint("coach")).player == 0
    assert answer(Recorded(OPENED, ()), AskHint()).player == 0
    assert advise(known_state(RULES.view(table("2/-/-", phase="roll"), 0))).hints == ()


def test_an_action_taken_back_changes_the_answer_back() -> None:
    state = table("2,3,5,Q01/-/-", knights=PLAIN)
    game = adopted(state)
    laid = Done(1.0, "equation 2 3 5")
    after = Recorded(game.opened, (*game.lines, laid))
    assert answer(after, AskHint("coach")).hints[0].action.startswith("fetch ")
    back = Recorded(game.opened, (*game.lines, laid, Revoked(1.5, 1)))
    assert answer(back, AskHint("coach")) == answer(game, AskHint("coach"))


def test_what_cannot_be_is_refused() -> None:
    assert last_check(Recorded(OPENED, ())) is None
    with pytest.raises(BadInputError, match="nothing to tell"):
        check_told(None, "smooth")
    with pytest.raises(BadInputError, match="no hints for"):
        answer(Recorded(Opened(VERSION, "chess", "standard", 2), ()), AskHint())
    with pytest.raises(BadInputError, match="does not follow the rules"):
        answer(Recorded(OPENED, (Done(1.0, "roll 2"),)), AskHint())


def test_a_game_recorded_step_by_step_is_hinted_at() -> None:
    """From what was said of every step, without draw pile or hidden companions, the hints are the same."""
    chance = Random(4)
    dealt = RULES.setup("standard", 3, chance)
    lines = [Adopted(0.0, RULES.write_state(hide(dealt)))]
    asked = 0
    for step in play_out(dealt, [make_policy("sensible")] * 3, chance):
        if RULES.actor(step.before) != CHANCE:
            asked += 1
            advice = answer(Recorded(OPENED, tuple(lines)), AskHint("coach"))
            assert advice.player == step.before.turn + 1
            hints = advise(known(step.before)).hints
            assert [one.text for one in advice.hints] == [one.text for one in hints]
        lines.append(Done(1.0, RULES.write_action(spell_out(step.before, step.action))))
        if asked > 20:
            break
    assert asked > 20


def test_a_game_that_is_watched_is_hinted_at() -> None:
    """From what a camera saw, the session's own record of the game gives the same hints as the game itself."""
    chance = Random(4)
    dealt = RULES.setup("standard", 3, chance)
    watched = Watched(dealt)
    asked = 0
    for step in islice(play_out(dealt, [make_policy("sensible")] * 3, chance), 60):
        watched.do(RULES.write_action(spell_out(step.before, step.action)))
        if RULES.actor(step.after) == CHANCE or not watched.followed:
            continue
        asked += 1
        advice = answer(watched.session.statements.recorded, AskHint("coach"))
        assert advice.player == step.after.turn + 1
        assert [one.text for one in advice.hints] == [one.text for one in advise(known(step.after)).hints]
    assert asked > 5


def test_the_command_answers_from_a_journal(tmp_path: Path) -> None:
    assert load_adviser(RULES.name) is not None
    path = tmp_path / "game.jsonl"
    journal = Journal(path)
    state = hide(table("2,3,5,8,9,Q01/-/-", knights="witch/math/willow"))
    journal.write([OPENED, Adopted(0.0, RULES.write_state(state))])
    journal.close()
    ran = CliRunner().invoke(hint_command, [str(path), "--level", "coach"])
    assert ran.exit_code == 0, ran.output
    assert "For player 1 alone:" in ran.output
    assert "Make the equation 2 + 3 = 5 and take a companion" in ran.output
    assert "% to win)" in ran.output


def test_every_phase_in_which_a_player_decides_has_its_rule() -> None:
    told = set()
    for seed in range(12):
        for state in decisions(2 + seed % 4, seed, "random", "sensible"):
            told.add(state.phase)
            assert advise(known(state), Level.REFEREE).hints[0].text
    assert told >= set(Phase) - {Phase.SETUP, Phase.ROLL, Phase.DRAW, Phase.GNOME, Phase.OVER}
