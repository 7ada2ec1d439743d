"""Sleeping Queens 2 watched by a camera: what is told, what is asked, what a person may settle."""

from dataclasses import replace
from random import Random

import pytest

from companion.core.clock import ManualClock
from companion.games import win_claims
from companion.games.appearance import Difference, Survey
from companion.games.narrator import CAMERA, SENSES
from companion.games.registry import load_game
from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens_2.players.policies import play_at_random, play_sensibly
from companion.games.sleeping_queens_2.players.simulation import play_out
from companion.games.sleeping_queens_2.rules.actions import Mix, Roll
from companion.games.sleeping_queens_2.rules.hidden_state import hide, spell_out
from companion.games.sleeping_queens_2.rules.kinds import CELLS, GNOME
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.sensing.appearance import DIE, cell_zone, expected_view
from companion.games.sleeping_queens_2.sensing.proposals import propose
from companion.games.sleeping_queens_2.wording import MESSAGES
from companion.games.win_claims import player_zone
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.games_in_pixels import rehearse_game
from companion.sensing.observation import UNREAD, Seen, Sighting
from companion.session.session import Session
from companion.session.stream.commands import EndGame, Undo
from companion.session.stream.events import Event, Score
from companion.virtual.games.sleeping_queens_2.choice_words import in_words, why
from companion.virtual.games.sleeping_queens_2.perfect_camera import PerfectRig
from tests.support.sleeping_queens_2 import play, table
from tests.support.watched_table import WatchedTable

GAME = load_game("sleeping-queens-2")


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "players", "noise"),
    # In the second one an equation's cards were taken for others that nobody had seen lie there.
    [(62, 2, "clean"), (2760149, 3, "home"), (64, 4, "home"), (65, 5, "home")],
)
def test_whole_games_are_followed_to_their_end(seed: int, players: int, noise: str) -> None:
    report = rehearse_observed(seed, "standard", players, game="sleeping-queens-2", noise=noise)
    assert report.comparison.faults == ()
    assert report.questions == ()
    assert report.retractions <= 1


@pytest.mark.long
def test_what_was_told_is_not_told_otherwise_when_both_would_explain_the_table() -> None:
    """2 + 5 = 7 became 2 + 7 = 9 half a minute later: both leave the same pile behind."""
    report = rehearse_observed(6940004, "standard", 2, game="sleeping-queens-2")
    assert report.comparison.faults == ()
    assert report.made_up == 0


@pytest.mark.long
def test_a_game_goes_on_where_the_program_was_killed() -> None:
    report = rehearse_observed(
        5, "standard", 2, game="sleeping-queens-2", noise="home", restarts=2, down_s=10.0
    )
    assert report.comparison.faults == ()
    assert report.questions == ()


class Watched(WatchedTable):
    """A game in front of a session, action by action."""

    def __init__(self, dealt: State) -> None:
        super().__init__(GAME, RULES, "standard", PerfectRig(GAME.cards("standard"), Random(1)), dealt)

    @property
    def followed(self) -> bool:
        tracked, true = hide(self.session.tracker.state), hide(self.state)
        piles = sorted(tracked.discard) == sorted(true.discard)
        return piles and tracked._replace(discard=()) == true._replace(discard=())


def dealt(deck: str, knights: str = "math/reroll/draw") -> State:
    """A deal with these knights, of which these cards are drawn, the first one first."""
    players = knights.count("/") + 1
    nothing = "/".join("-" * players)
    cards = ",".join(reversed(deck.split()))
    return table(nothing, phase="roll", knights=knights, deck=cards, discard="10")


def test_knights_an_equation_and_a_companion_are_told_in_words() -> None:
    game = Watched(dealt("2 3 5"))
    assert "Player 1 has the red knight: one more or less." in game.said
    assert game.table.player == 1
    game.do("roll 3", "draw", "draw", "draw")
    assert game.table.places[0].shown == ("2", "3", "5")
    game.do("equation 2 3 5", "fetch 7", "end", "roll 2")
    equation = "Player 1 lays an equation: 2 + 3 = 5."
    assert game.said[-2:] == [equation, "Player 1 fetches companion 7 from place 7."]
    assert game.table.may == ("Draw a card and lay it face up in the realm: 2 to go.",)
    assert game.followed


def test_a_willow_and_a_dragon_are_told_and_all_knights_move_on() -> None:
    game = Watched(dealt("Q01 Q02 WI 4 Q03"))
    game.do("roll 2", "draw", "draw", "end", "roll 1", "keep", "draw", "willow", "end")
    assert "A sleeping willow: the queens of player 1 fall asleep." in game.said
    assert game.table.places[0].shown == ("queen 1 asleep", "queen 2 asleep")
    game.do("roll dragon", "roll 1", "keep", "draw", "end", "roll dragon", "wake Q02")
    assert game.said.count("Player 1 rolls a dragon: all knights move on to the left.") == 1
    assert "Player 1 wakes queen 2." in game.said
    assert [place.name.split(", ")[1] for place in game.table.places] == [
        "blue knight",
        "yellow knight",
        "red knight",
    ]
    assert game.followed


def test_two_dragons_of_two_players_leave_the_knights_where_they_were() -> None:
    game = Watched(dealt("4 5", knights="math/six"))
    game.do("roll dragon")
    assert [step.action for step in game.session.tracker.steps if isinstance(step.action, Roll)] == [Roll(4)]
    game.do("roll dragon")
    assert game.followed


def test_a_sleeping_queen_is_stolen_and_nobody_doubts_which() -> None:
    game = Watched(dealt("Q01 Q02 WI WG 3"))
    game.do("roll 2", "draw", "draw", "end", "roll 1", "keep", "draw", "willow", "end")
    game.do("roll 1", "draw", "draw", "gnome", "roll 2", "steal 1 Q02")
    assert game.said[-1] == "Player 3 steals queen 2 from player 1."
    assert game.followed


def test_a_spell_book_brings_a_card_of_the_discard_pile() -> None:
    game = Watched(dealt("SB 4 6"))
    game.do("roll 2", "draw", "draw", "book 10")
    assert game.said[-1] == "Player 1 reads a spell book and takes a 10 from the discard pile."
    game.do("end", "roll 1", "keep", "draw", "discard 6")
    assert game.followed


def test_a_mistaken_undo_revises_no_step_before_it() -> None:
    """A spell book that brought a 6, and 3 + 3 = 6, would have left the same cards on the table."""
    game = Watched(dealt("1 5 6 9 SB 3 3", knights="reroll/six"))
    game.do("roll 3", "draw", "draw", "draw", "equation 1 5 6", "fetch 7", "end", "roll 1", "draw", "end")
    game.do("roll 3", "draw", "draw", "draw", "book 1")
    game.rests_s = 0.5
    game.do("equation 1 3 3")
    game.session.step([], [Undo()])
    game.do("fetch 3")
    assert game.followed


def test_nothing_hidden_is_on_the_screen() -> None:
    """Another draw pile, other companions beneath the same backs: the same screen."""
    shown = []
    for seed in (1, 2, 3):
        state = RULES.setup("standard", 3, Random(seed))._replace(knights=(0, 1, 2), discard=(7,))
        shown.append([GAME.screen(state, "referee", SENSES), GAME.screen(hide(state), "referee", SENSES)])
    assert shown[0] == shown[1] == shown[2]
    assert shown[0][0] == shown[0][1]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_is_done_is_thought_of_and_put_into_words(players: int) -> None:
    """In every phase the camera's view of what comes of an action suggests that action; what is told and what
    may be done says nothing that the cards do not."""
    told: set[str] = set()
    for seed in range(6):
        chance = Random(seed)
        state = RULES.setup("standard", players, chance)
        hidden = hide(state)
        for step in play_out(state, [play_sensibly, *[play_at_random] * (players - 1)], chance):
            action = spell_out(step.before, step.action)
            after = GAME.apply(hidden, action)
            view = expected_view(after)
            tops = {zone: tuple(sorted(kinds))[:1] for zone, kinds in view.tops.items()}
            assert action in list(propose(hidden, {**view.zones, **tops}, {}, ())), action
            message = GAME.message(hidden, action, after)
            if message is not None:
                told.add(message.id.split(":")[0])
                assert "{" not in message.text
            screen = GAME.screen(after, "referee", SENSES)
            assert screen["title"] in (*GAME.words.titles, *GAME.words.turn_titles)
            assert all("{" not in text for text in (*screen["may"], *screen["may_not"]))
            if RULES.actor(step.before) >= 0:
                assert "{" not in in_words(step.before, step.action)
            hidden = after
    rare = {"knight", "mixed", "shuffled", "forbidden", *win_claims.MESSAGES}
    assert set(MESSAGES) - rare <= told


def test_companions_that_all_lie_face_up_are_mixed() -> None:
    grid = "!RC01/!RC02/!RC03/!RC04/!RC05/!RC06/!RC07/!RC08/!RC09/-"
    state = table("2,3,5/-/-", companions="RC10/-/-", grid=grid, phase="fetch")
    assert GAME.screen(state, "referee", SENSES)["may"] == [
        "Shuffle all companions of the grid and lay them face down."
    ]
    assert [GAME.write_action(action) for action in propose(state, {}, {}, ())] == ["mix"]
    message = GAME.message(state, Mix(), GAME.apply(state, Mix()))
    assert message is not None
    assert message.text == "All companions lie face up: they are shuffled and laid face down."


def test_without_a_camera_nothing_is_asked_of_it() -> None:
    screen = GAME.screen(dealt("2"), "referee", SENSES - {CAMERA})
    assert screen["may"] == []
    assert screen["call"] == "NO CAMERA"
    assert screen["may_not"] == ["No camera: I do not see the die or what is played."]


def test_the_companion_who_fits_every_queen_is_said_so() -> None:
    state = table("2,3,5/-/-", companions="RC10/RC09/-")
    shown = [place.get("shown")[-1:] for place in GAME.screen(state, "referee", SENSES)["places"][:2]]
    assert shown == [["companion 10 (any queen)"], ["companion 9"]]


def test_differences_are_told_in_words() -> None:
    state = RULES.empty_table("standard", 3)
    for found, says in (
        (Difference("player 2", ("Q01",), ()), "In the realm of player 2 I see queen 1 too many."),
        (Difference("companion 5", (), ("?",)), "On place 5 of the grid I miss a card."),
        (
            Difference("player 1", ("8", "KI"), ("SB", "knight six")),
            "In the realm of player 1 I see an 8 and a king, and miss a spell book and the green knight.",
        ),
    ):
        assert GAME.difference(state, found) == says


def lying(realms: dict[str, tuple[str, ...]], down: int, discard: tuple[str, ...] = ()) -> Survey:
    zones = {player_zone(player): realms.get(player_zone(player), ()) for player in range(3)}
    grid = {cell_zone(cell): int(cell < down) for cell in range(CELLS)}
    return Survey({**zones, **dict.fromkeys(grid, ()), "discard": discard}, {}, face_down=grid)


def test_a_table_that_is_right_is_taken_over() -> None:
    before = play(
        dealt("Q01 4 WI 5"), "roll 2", "draw", "draw", "end", "roll 1", "keep", "draw", "willow", "end"
    )
    state = hide(before)
    mine = ("4", "RC02", "KI", "knight reroll")
    realms = {"player 1": ("knight math",), "player 2": mine, "player 3": ("Q05", "knight draw")}
    taken = GAME.adopt(state, lying(realms, 9, ("WG",))).state
    assert RULES.status(taken) == ()
    assert (taken.asleep[0], taken.realms[2], taken.kings) == (before.asleep[0], (15,), (0, 1, 0))
    assert (taken.turn, taken.phase, taken.cells.count(0)) == (2, Phase.ROLL, 9)
    assert len(taken.deck) + len(taken.discard) == 72 - 3
    later = GAME.at_turn(taken, 1, missed=True)
    assert (later.turn, later.phase) == (1, Phase.ROLL)
    assert RULES.status(later) == ()
    with pytest.raises(ValueError, match="10 companions in the grid and 1 with players"):
        GAME.adopt(state, lying(realms, 10))
    with pytest.raises(ValueError, match="not their turn"):
        GAME.adopt(state, lying({**realms, "player 1": ("WI", "knight math")}, 9))
    with pytest.raises(ValueError, match="more often than it exists"):
        GAME.adopt(state, lying({**realms, "player 1": ("Q05", "knight math")}, 9))
    with pytest.raises(ValueError, match="no knight in front of player 1"):
        GAME.adopt(RULES.empty_table("standard", 3), lying({}, 10))
    with pytest.raises(ValueError, match="rescued enough kings"):
        GAME.ended(state, lying(realms, 9))


def test_kings_end_the_game_even_if_companions_were_swept_off() -> None:
    state = hide(dealt("Q01 4 WI 5"))
    shown = {"player 1": ("knight math",), "player 2": ("KI", "KI", "KI", "knight reroll"), "player 3": ()}
    over = GAME.ended(state, lying(shown, 6)).state
    assert (over.phase, over.turn, over.kings) == (Phase.OVER, 1, (0, 3, 0))
    assert RULES.status(over) == ()
    with pytest.raises(ValueError, match="6 companions in the grid"):
        GAME.ended(state, lying({**shown, "player 2": ("KI", "knight reroll")}, 6))


@pytest.mark.parametrize(
    ("seen", "unseen", "field"),
    [
        ({"discard": ("Q05",)}, "", "asleep"),
        ({"discard": ("Q01",)}, "player 2", "realms"),
        ({cell_zone(1): ("RC02",)}, "player 2", "companions"),
    ],
)
def test_a_card_that_is_seen_lies_nowhere_else(
    seen: dict[str, tuple[str, ...]], unseen: str, field: str
) -> None:
    state = hide(table("4/Q01/-", asleep="-/Q05/-", companions="-/RC02/-"))
    found = seen_of(state, **seen)
    zones = {zone: kinds for zone, kinds in found.zones.items() if zone != unseen}
    taken = GAME.adopt(state, replace(found, zones=zones)).state
    assert RULES.status(taken) == ()
    assert getattr(taken, field)[1] == ()
    with pytest.raises(ValueError, match="more often than it exists"):
        GAME.adopt(
            state, replace(found, zones={**zones, "player 3": (*zones["player 3"], *next(iter(seen.values())))})
        )


def test_a_companion_on_the_discard_pile_is_no_card_of_it() -> None:
    state = hide(table("4/-/-"))
    assert RULES.status(GAME.adopt(state, seen_of(state, discard=("RC03",))).state) == ()


def test_a_table_that_lies_as_believed_keeps_the_card_that_is_being_played() -> None:
    state = hide(table("-/-/-", phase="steal", knights="willow/math/witch", played="WG", companions="-/RC01/-"))
    expected = GAME.expected_view(state)
    assert GAME.adopt(state, Survey(expected.zones, {}, face_down=expected.face_down)).state == state


def seen_of(state: State, **zones: tuple[str, ...]) -> Survey:
    """A survey of a table that lies as `state` expects it, but for some zones."""
    expected = GAME.expected_view(state)
    return Survey({**expected.zones, **zones}, {}, face_down=expected.face_down)


def test_a_difference_elsewhere_leaves_the_turn_as_far_as_it_is() -> None:
    """One number that was misread asks nobody to play, roll or draw again."""
    rng, phases = Random(5), set()
    for _ in range(4):
        dealt = RULES.setup("standard", 3, rng)
        for _ in range(150):
            if dealt.phase is Phase.OVER:
                break
            dealt = RULES.apply(dealt, rng.choice(RULES.legal_actions(dealt)))
            state, other = hide(dealt), (dealt.turn + 1) % 3
            if state.phase in (Phase.SETUP, Phase.OVER, Phase.RETURN) or not state.realms[other]:
                continue
            fewer = (*state.realms[:other], state.realms[other][1:], *state.realms[other + 1 :])
            taken = GAME.adopt(state, seen_of(state._replace(realms=fewer))).state
            assert RULES.status(taken) == ()
            assert (taken.phase, taken.played, taken.draws) == (state.phase, state.played, state.draws)
            phases.add(state.phase)
    assert phases >= {Phase.REROLL, Phase.DRAW, Phase.INSTANT, Phase.GNOME, Phase.STEAL, Phase.SWAP}


def test_an_instant_card_whose_effect_was_missed_is_not_played_again() -> None:
    state = hide(table("-/5/-", phase="steal", knights="willow/math/witch", played="WG", companions="-/RC01/-"))
    stolen = state._replace(realms=((5,), (), ()))
    taken = GAME.adopt(state, seen_of(stolen)).state
    assert RULES.status(taken) == ()
    assert (taken.phase, taken.played, taken.drawn, taken.discard[-1:]) == (Phase.PLAY, 0, (), (GNOME,))
    away = GAME.adopt(state, replace(seen_of(stolen), trusted=state)).state
    assert (away.phase, away.drawn) == (Phase.INSTANT, (GNOME,)), "nobody knows whose card it is"


def test_the_end_is_scored() -> None:
    report: list[Event] = []
    session = Session(GAME, "standard", 3, clock=ManualClock(), publish=report.append)
    grid = [Sighting(1.0, cell_zone(cell), (Seen(UNREAD, 0, 0),)) for cell in range(CELLS)]
    kings = [("KN1", "KI01", "KI02", "KI03"), ("KN2", "KI04"), ("KN3",)]
    realms = [
        Sighting(1.0, player_zone(player), tuple(Seen(code, 0, 0) for code in codes))
        for player, codes in enumerate(kings)
    ]
    session.take(1.0, [*grid, *realms])
    session.step([], [EndGame()])
    score = next(event for event in report if isinstance(event, Score))
    assert score.headline == "Player 1 wins"
    assert score.line == "Player 1 wins with 3 kings"


def test_the_die_needs_no_cause_before_the_first_turn() -> None:
    seen = Sign(Verb.CAME, DIE, ("die 3",))
    assert GAME.already_known(RULES.empty_table("standard", 3), seen)
    assert not GAME.already_known(dealt("2"), seen)


@pytest.mark.long
def test_a_short_game_is_followed_through_pixels() -> None:
    report = rehearse_game(316, "standard", 5, game="sleeping-queens-2", rig="camera", pace=0.3)
    assert report.comparison.faults == ()
    assert report.questions == ()


@pytest.mark.parametrize(
    ("phase", "discard", "said"),
    [
        ("take", "7", "a queen from the discard pile, and none lies there."),
        ("take", "Q01", "The die gives you a queen from the discard pile."),
        ("play", "7", ""),
    ],
)
def test_who_meets_a_gnome_is_told_what_the_die_shows(phase: str, discard: str, said: str) -> None:
    state = table("3,4/5/6", phase=phase, discard=discard, played="WG" if phase == "take" else "-")
    told = why(state, RULES.legal_actions(state))
    assert said in " ".join(map(str, told))
    assert bool(told) == bool(said)
