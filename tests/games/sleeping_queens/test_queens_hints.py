"""Hints for one player of Sleeping Queens: what they advise, for whom, and that they tell no secret."""

from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from companion.advice.sleeping_queens import answer, check_told, last_check
from companion.commands.hint import hint as hint_command
from companion.core.errors import BadInputError
from companion.core.language import on_wire
from companion.games.advice import LEVELS, Level
from companion.games.registry import load_adviser
from companion.games.rules import CHANCE
from companion.games.sleeping_queens.hints.advice import advise
from companion.games.sleeping_queens.hints.options import Outlook
from companion.games.sleeping_queens.hints.player_knowledge import chance_to_hold, known_state, unseen
from companion.games.sleeping_queens.hints.win_network import WinChance, fitted, inputs
from companion.games.sleeping_queens.players.simulation import SIMULATION, make_policy, play_out, simulate
from companion.games.sleeping_queens.rules.actions import Defend, Power, Yield
from companion.games.sleeping_queens.rules.hidden_state import hide, spell_out
from companion.games.sleeping_queens.rules.kinds import EMPTY, KING
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import PLAYERS, Phase, State
from companion.session.journal.journal import Journal, Recorded
from companion.session.journal.journal_lines import VERSION, Adopted, Done, Opened, Revoked
from companion.session.stream.commands import AskHint
from tests.games.sleeping_queens.test_queens_rules import play, table
from tests.games.sleeping_queens.test_queens_table import Watched
from tests.support import hint_truth

ENCODE = msgspec.json.Encoder(enc_hook=on_wire).encode
OPENED = Opened(VERSION, RULES.name, "basic", 3)


def decisions(players: int, seed: int, *policies: str) -> list[State]:
    """Every state of a game in which somebody has to decide something."""
    return hint_truth.decisions(SIMULATION, players, f"decisions {players} {seed}", policies)


def best(state: State) -> str:
    player = RULES.actor(state)
    return advise(known_state(RULES.view(state, player)), player).hints[0].action


def other_world(state: State, player: int, chance: Random) -> State:
    """The same for this player, with other cards in other hands, in the draw pile, and under the places."""
    hidden = [card for at, hand in enumerate(state.hands) if at != player for card in hand] + list(state.deck)
    chance.shuffle(hidden)
    hands = [
        hand if at == player else tuple(sorted(hidden.pop() for _ in hand))
        for at, hand in enumerate(state.hands)
    ]
    cells = list(state.cells)
    asleep = [cell for cell, queen in enumerate(cells) if queen != EMPTY and not state.seen[cell]]
    for cell, queen in zip(asleep, chance.sample([cells[cell] for cell in asleep], len(asleep)), strict=True):
        cells[cell] = queen
    return state._replace(hands=tuple(hands), deck=tuple(hidden), cells=tuple(cells))


def adopted(state: State) -> Recorded:
    """A journal that holds every card."""
    return hint_truth.adopted(RULES, state)


def told(state: State) -> str:
    return " ".join(RULES.view(state, RULES.actor(state))["hand"])


@pytest.mark.quick(1)
@pytest.mark.parametrize(("players", "games"), [(2, 1), *((players, 4) for players in PLAYERS)])
def test_hidden_cards_change_no_byte_and_no_work(players: int, games: int) -> None:
    chance = Random(players)
    changed = 0
    for seed in range(games):
        for state in decisions(players, seed, "hinted", "sensible", "random"):
            player = RULES.actor(state)
            other = other_world(state, player, chance)
            changed += other != state
            for level in Level:
                one, again = (
                    advise(known_state(RULES.view(world, player)), player, level) for world in (state, other)
                )
                assert ENCODE(one) == ENCODE(again)
            for hand in ("", told(state)):
                asked = AskHint("coach", hand)
                assert answer(adopted(state), asked) == answer(adopted(other), asked)
    assert changed > 10 * games


def test_an_untold_hand_changes_nothing_either() -> None:
    """The state of a journal may know every hand: only what the player tells counts."""
    for state in decisions(3, 1, "sensible"):
        hidden = hide(state)
        for level in LEVELS:
            assert answer(adopted(state), AskHint(level)) == answer(adopted(hidden), AskHint(level))


def test_a_king_that_wins_is_played() -> None:
    state = table(
        "2,5,7,9,KI/1,1,3,3,4/2,4,6,8,10",
        grid="-/-/-/-/?/?/?/?/?/-/-/-",
        awake="Rose,Cake,Rainbow,Starfish/Dog,Pancake/Heart",
    )
    assert best(state) == "king"
    player_known = known_state(RULES.view(state, 0))
    first = Outlook(player_known, 0).options()[0]
    assert (first.action, first.worth) == (Power(KING), 1.0)
    assert advise(player_known, 0).hints[0].text.endswith(" That wins the game.")


def test_a_dragon_is_laid_where_the_queen_would_win() -> None:
    state = table(
        "2,5,7,9,KN/1,1,3,3,DR/2,4,6,8,10",
        grid="-/-/-/-/-/Moon/Peacock/Sunflower/Cat/Dog/-/-",
        awake="Rose,Cake,Rainbow,Starfish/Heart/Ladybug,Pancake",
    )
    attacked = play(state, "knight", "target Heart")
    known = known_state(RULES.view(attacked, 1))
    options = Outlook(known, 1).options()
    assert [option.action for option in options] == [Defend(), Yield()]
    assert options[1].worth == 0.0


def test_all_unseen_cards_count_alike() -> None:
    state = table("2,5,7,9,KN/1,1,3,3,DR/2,4,6,8,10", deck="DR,KI,KI,10,10")
    known = known_state(RULES.view(state, 0))
    # 15 unknown cards, 2 of them dragons, 5 in each hand.
    assert unseen(known)[16] == 2
    assert chance_to_hold(known, 1, 16) == pytest.approx(1 - (10 * 9) / (15 * 14))
    assert chance_to_hold(known, 1, 15) == 0.0
    assert chance_to_hold(known_state(RULES.view(state, 0), ((), (16,), ())), 1, 16) == 1.0


@pytest.mark.long
def test_who_follows_hints_wins_more_often() -> None:
    result = simulate("basic", 4, 80, 5, "hinted,sensible,sensible,sensible")
    won = result["wins_by_policy"]
    assert won["hinted"] + won["sensible"] == pytest.approx(1.0, abs=1e-5)
    assert won["hinted"] > 0.30


def test_policies_need_a_seat_each() -> None:
    with pytest.raises(BadInputError, match="2 policies for 4 players"):
        simulate("basic", 4, 1, 1, "hinted,sensible")
    with pytest.raises(BadInputError, match="no policy 'wise'"):
        simulate("basic", 2, 1, 1, "hinted,wise")


def test_weights_fit_the_inputs() -> None:
    weights = fitted()
    for players in PLAYERS:
        for state in decisions(players, 3, "sensible"):
            for player in range(players):
                numbers = inputs(known_state(RULES.view(state, player)), player)
                assert len(numbers) == weights.hidden.shape[0]
                assert all(-1.5 <= number <= 5.0 for number in numbers)
                assert 0.0 < weights.of(numbers) < 1.0
    flat = WinChance(0 * weights.hidden, 0 * weights.hidden_bias, 0 * weights.output, 0.0)
    assert flat.of(numbers) == 0.5


def test_levels_give_more_and_more_away_and_the_family_caps_them() -> None:
    state = decisions(3, 4, "sensible")[0]
    game, hand = adopted(state), told(state)
    advices = [answer(game, AskHint(level, hand)) for level in LEVELS]
    assert [advice.level for advice in advices] == list(LEVELS)
    for advice in advices:
        assert advice.private
        assert advice.player == RULES.actor(state) + 1
        assert all(bool(one.action) == (advice.level == "coach") for one in advice.hints)
    assert len(advices[3].hints) == 3
    assert advices[3].hints[0].expects.startswith("about ")
    assert advices[2].hints[0].text.endswith("?")
    assert answer(game, AskHint("coach", hand), assist="nudge") == advices[2]
    aloud = answer(game, AskHint("coach", hand), aloud=True)
    assert not aloud.private
    assert aloud == answer(game, AskHint("coach"), aloud=True)
    with pytest.raises(BadInputError, match="no level"):
        answer(game, AskHint("oracle", hand))


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("1 2 3", "no hand of 5 cards"),
        ("1 2 3 4 XX", "no hand of 5 cards"),
        ("1 2 3 4 4", "you take them: king"),
        ("KI DR DR DR DR", "cannot hold 4 of dragon"),
        ("KI WA 3 4 5", "cannot hold 1 of wand"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(hand: str, says: str) -> None:
    """Player 1 turned up a king for a jester; the wands lie on the discard pile."""
    state = table(
        "1,2,3,4,5/6,7,8,9,10/1,2,3,4,5", deck="?x20".replace("?x20", ",".join(["KI"] * 7 + ["DR"] * 3))
    )
    begun = state._replace(hands=((0,) * 5, (0,) * 5, (0,) * 5), deck=(0,) * 10)
    jester = begun.discard.index(12)
    begun = begun._replace(discard=begun.discard[:jester] + begun.discard[jester + 1 :], deck=(0,) * 11)
    assert RULES.status(begun) == ()
    lines = (Adopted(0.0, RULES.write_state(begun)), Done(1.0, "jester"), Done(2.0, "reveal=KI"))
    recorded = Recorded(OPENED, lines)
    assert answer(recorded, AskHint("coach", "KI DR 3 4 5")).player == 1
    with pytest.raises(BadInputError, match=says):
        answer(recorded, AskHint("coach", hand))


def test_what_all_saw_a_jester_bring_is_remembered_until_it_is_played() -> None:
    chance = Random(8)
    dealt = RULES.setup("basic", 3, chance)
    lines: list[Done] = []
    heard = 0
    for step in play_out(dealt, [make_policy("random")] * 3, chance):
        action = spell_out(step.before, step.action)
        lines.append(Done(1.0, RULES.write_action(action)))
        if RULES.actor(step.after) == CHANCE:
            continue
        hints = answer(Recorded(OPENED, tuple(lines)), AskHint("memory")).hints
        openly = [one.text for one in hints if one.text.endswith(": all saw it.")]
        heard += len(openly)
        for text in openly:
            player = int(text.split()[1]) - 1
            name = text.partition(" has a ")[2].removesuffix(": all saw it.")
            letters = {"king": "KI", "jester": "JE", "knight": "KN", "sleeping potion": "PO", "wand": "WA"}
            held = RULES.view(step.after, player)["hand"]
            assert letters.get(name, "DR") in held
    assert heard > 5


def test_an_action_taken_back_takes_its_card_back() -> None:
    opened = Opened(VERSION, RULES.name, "basic", 2)
    jester, king = Done(1.0, "jester"), Done(1.0, "reveal=KI")
    before = Recorded(opened, (jester,))
    after = Recorded(opened, (jester, king, Revoked(1.5, 1)))
    assert answer(before, AskHint("memory")) == answer(after, AskHint("memory"))
    shown = answer(Recorded(opened, (jester, king)), AskHint("coach", "KI 1 2 3 4"))
    assert shown.player == 1
    with pytest.raises(BadInputError, match="you take them: king"):
        answer(Recorded(opened, (jester, king)), AskHint("coach", "1 2 3 4 5"))


def test_an_action_done_before_the_table_was_taken_over_is_taken_back() -> None:
    opened = Opened(VERSION, RULES.name, "basic", 2)
    jester, king = Done(1.0, "jester"), Done(1.0, "reveal=KI")
    adopted = Adopted(2.0, RULES.write_state(RULES.empty_table("basic", 2)))
    before = Recorded(opened, (jester,))
    after = Recorded(opened, (jester, king, adopted, Revoked(2.5, 1)))
    assert answer(before, AskHint("memory")) == answer(after, AskHint("memory"))


def test_who_tells_no_cards_is_asked_for_them() -> None:
    state = decisions(4, 5, "sensible")[0]
    assert state.phase is Phase.PLAY
    assert "Tell me your cards" in answer(adopted(state), AskHint("coach")).hints[0].text
    attacked = next(one for one in decisions(4, 5, "sensible") if one.phase is Phase.ANSWER)
    text = answer(adopted(attacked), AskHint("coach")).hints[0].text
    assert text.startswith("If you have a ")
    waking = next(one for one in decisions(4, 5, "sensible") if one.phase is Phase.WAKE)
    assert answer(adopted(waking), AskHint("coach")).hints[0].action.startswith("wake ")


def test_nothing_is_told_beside_cards() -> None:
    assert last_check(Recorded(OPENED, ())) is None
    with pytest.raises(BadInputError, match="nothing to tell"):
        check_told(None, "smooth")
    with pytest.raises(BadInputError, match="no hints for"):
        answer(Recorded(Opened(VERSION, "chess", "basic", 2), ()), AskHint())
    with pytest.raises(BadInputError, match="does not follow the rules"):
        answer(Recorded(OPENED, (Done(1.0, "refill"),)), AskHint())


def test_a_game_that_is_watched_is_hinted_at() -> None:
    """From what a camera saw, the session's own record of the game gives the same hints as the game itself."""
    state = RULES.setup("basic", 3, Random(4))
    watched = Watched(state)
    chance = Random(4)
    asked = 0
    for step in islice(play_out(state, [make_policy("sensible")] * 3, chance), 20):
        watched.do(RULES.write_action(spell_out(step.before, step.action)))
        player = RULES.actor(step.after)
        # Whom a knight is for, and that cards were drawn, the camera sees later.
        if player == CHANCE or hide(watched.session.tracker.state) != hide(step.after):
            continue
        asked += 1
        view = RULES.view(step.after, player)
        advice = answer(watched.session.statements.recorded, AskHint("coach", " ".join(view["hand"])))
        assert advice.player == player + 1
        hints = advise(known_state(view), player).hints
        assert [one.text for one in advice.hints] == [one.text for one in hints]
    assert asked > 3


def test_the_command_answers_from_a_journal(tmp_path: Path) -> None:
    assert load_adviser(RULES.name) is not None
    path = tmp_path / "game.jsonl"
    journal = Journal(path)
    journal.write([OPENED])
    journal.close()
    ran = CliRunner().invoke(hint_command, [str(path), "--hand", "KI KI 4 7 9", "--level", "coach"])
    assert ran.exit_code == 0, ran.output
    assert "For player 1 alone:" in ran.output
    assert "your king" in ran.output
    assert "% to win)" in ran.output
