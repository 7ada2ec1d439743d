"""The virtual players of Sleepless Princess: they play by the rules and lay things where the rules say."""

from itertools import pairwise
from pathlib import Path

import pytest

from companion.games.sleepless_princess.game import SleeplessPrincessTable
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import Phase
from companion.virtual.companion_requests import Wanted
from companion.virtual.games.sleepless_princess.printed_faces import is_glossy
from companion.virtual.ground_truth import read_truth
from tests.support.virtual_tables import TICK, a_table, run, run_until


@pytest.mark.parametrize(("variant", "players"), [("basic", 2), ("basic", 5), ("5+", 3)])
def test_every_true_state_is_possible(variant: str, players: int, tmp_path: Path) -> None:
    table = a_table(7, variant, players, rash=0.2, pace=0.1)
    run(table, 4000)
    assert table.over
    assert table.state.phase is Phase.OVER
    table.write_truth(tmp_path / "truth.jsonl")
    entries = read_truth(tmp_path / "truth.jsonl")
    assert entries == table.truth.entries
    for entry in entries:
        assert RULES.status(RULES.read_state(entry.state)) == ()
    assert entries[-1].state == RULES.write_state(table.state)
    assert all(a.t <= b.t0 <= b.t for a, b in pairwise(entries))


def test_people_show_a_tile_again_that_the_screen_asks_for_and_go_on_as_they_would_have() -> None:
    def played(*beds: int) -> tuple[list[tuple[str, str]], list[str]]:
        """What was done until the game was on, and the tiles that lay flat after all had been seated."""
        table = a_table(5, pace=0.25, noise="rough")
        codes = [f"P{princess}A" for princess in table.state.princesses]
        table.wanted = Wanted(tuple(range(5)))
        flat: list[str] = []
        while len(table.truth.entries) < 30:
            run(table, TICK)
            if len(table.truth.entries) >= 5:
                lying = [code for code, thing in table.world.things.items() if thing.side == "up"]
                flat += [code for code in codes if code in lying and code not in flat[-1:]]
                # The screen is late for those who were seen at first; of the others it saw the third time.
                table.wanted = Wanted(tuple(bed for bed in beds if flat.count(codes[bed]) < 3))
        return [(entry.action, entry.state) for entry in table.truth.entries], [
            str(codes.index(code)) for code in flat
        ]

    as_ever, nothing = played()
    again, flat = played(1, 3)
    assert (nothing, "".join(flat)) == ([], "131313")
    assert again == as_ever


def test_open_cards_are_put_straight_once_for_what_the_screen_says_of_them() -> None:
    table = a_table(5, pace=0.25, noise="rough")
    run_until(table, lambda: len(table.truth.entries) == 25)
    table.paused = True
    run(table, 10)
    row = {code: table.world.things[code] for code in table._game._ledger.row}
    table.wanted = Wanted((), ("row",), "Something is off. On the open row I miss a 3.")
    table.step_once()
    run(table, 10)
    after = {code: thing for code, thing in table.world.things.items() if code in row}
    assert after
    assert all(thing != row[code] and not thing.glare for code, thing in after.items())
    table.step_once()
    run(table, 10)
    assert all(table.world.things.get(code, thing) == thing for code, thing in after.items())


def test_a_claim_begins_when_its_button_is_pressed() -> None:
    table = a_table(7, rash=0.2, pace=0.1)
    pressed = []
    button = table._stage.rig.button

    def watched(station: str, down: bool) -> None:
        if down:
            pressed.append((table.clock.now(), station))
        button(station, down)

    table._stage.rig.button = watched
    run(table, 4000)
    assert table.over
    claims = [(claim.t, claim.subject) for claim in table.truth.claims]
    assert len(claims) > 2
    assert [f"bed {subject}" for _, subject in claims] == [station for _, station in pressed]
    assert all(abs(claim - press) <= TICK for (claim, _), (press, _) in zip(claims, pressed, strict=True))


def test_the_setup_is_told_from_an_empty_table() -> None:
    table = a_table()
    run_until(table, lambda: len(table.truth.entries) == 25)
    state = RULES.empty_table("basic", 2)
    for entry in table.truth.entries:
        state = RULES.apply(state, RULES.read_action(entry.action))
        assert RULES.write_state(state) == entry.state
    assert state.phase is Phase.PLAY
    assert (state.row, state.faces, state.princesses) == (
        table.state.row,
        table.state.faces,
        table.state.princesses,
    )


def test_cards_lie_where_the_state_says() -> None:
    table = a_table(4, pace=0.1)
    zones = {"row": lambda s: s.row, "play": lambda s: s.played}
    kinds = {card.code: card.kind for card in SleeplessPrincessTable().cards(table.variant)}
    seen = 0
    while not table.over and table.clock.now() < 300:
        before = len(table.truth.entries)
        run(table, TICK)
        if len(table.truth.entries) > before and table.state.turns and table.world.hand is None:
            if "phase=setup" in table.truth.entries[-1].state:
                continue
            seen += 1
            for name, cards in zones.items():
                zone = table.mat.zone(name)
                lying = [kinds[t.code] for t in table.world.things.values() if zone.contains(t.x, t.y)]
                text = RULES.view(table.state, None)["row" if name == "row" else "played"]
                assert sorted(lying) == sorted(text), (name, cards(table.state))
    assert seen > 20


def test_enrolment_has_a_tag_for_every_mattress() -> None:
    table = a_table()
    assert len(table.enrolment) == 30
    assert all(len(bytes.fromhex(uid)) == 7 and uid.startswith("04") for uid in table.enrolment)


def test_the_board_reports_what_hands_do() -> None:
    from firmware.host.link import Link
    from firmware.host.messages import TagEvent, WeightEvent
    from firmware.simulator.lockstep import step as lock_step

    table = a_table(5, board=None)
    link = Link(table.board.path, table.clock)
    tags, weights = [], {}
    try:
        while table.clock.now() < 50:
            table.clock.sleep(TICK)
            table.step(table.clock.now())
            for message in lock_step(table.board, link, table.clock.now()):
                if isinstance(message, TagEvent) and message.uid is not None:
                    tags.append(table.enrolment[message.uid.hex()])
                elif isinstance(message, WeightEvent):
                    weights[message.station] = round(message.grams / 4)
    finally:
        link.close()
        table.close()
    laid = [entry.action for entry in table.truth.entries if entry.action.startswith("lay")]
    assert len(laid) >= 6
    kinds = {card.code: card.kind for card in SleeplessPrincessTable().cards(table.variant)}
    assert [kinds[code] for code in tags[: len(laid)]] == [action.split("=")[1] for action in laid]
    for bed in (1, 2):
        on_bed = sum(action.startswith(f"lay {bed}=") for action in laid)
        if on_bed == 3:
            assert weights[f"bed {bed}"] == 3


def test_nothing_that_ends_something_is_selected_beforehand() -> None:
    table = a_table(pace=0.1)
    table.take_seat(1)
    run_until(table, lambda: table.pending_choice().actions)
    ends = ("Done", "Discard", "Skip", "Claim", "Play", "Turn up")
    seen = set()
    for _ in range(25):
        choice = table.pending_choice()
        assert choice.on_turn
        if choice.safe is not None:
            assert not choice.actions[choice.safe].startswith(ends)
        seen.add(choice.safe is None)
        plays = [n for n, text in enumerate(choice.actions) if text.startswith("Play")]
        table.choose(plays[0] if plays else choice.safe or 0)
        run_until(table, lambda before=choice: table.pending_choice() != before)
        run_until(table, lambda: table.pending_choice().actions)
    assert seen == {True, False}


def test_a_turn_lasts_from_its_first_choice_to_the_next_player_s() -> None:
    table = a_table(pace=0.1)
    table.take_seat(1)
    assert not table.pending_choice().on_turn  # while the game is laid out
    run_until(table, lambda: table.pending_choice().actions)
    wish = next(n for n, text in enumerate(table.pending_choice().actions) if text.startswith("Discard"))
    table.choose(wish)
    run_until(table, lambda: not table.pending_choice().actions)
    assert table.pending_choice().on_turn  # their hands carry it out
    run_until(table, lambda: table.pending_choice().actions)
    table.choose(table.pending_choice().safe)
    run_until(table, lambda: not table.pending_choice().on_turn)
    assert table.pending_choice().actions == ()


def test_five_plus_has_no_glass() -> None:
    table = a_table(2, "5+")
    run_until(table, lambda: len(table.truth.entries) > 3)
    assert "G" not in table.world.things


@pytest.mark.parametrize(("code", "mirrors"), [("H07A", True), ("M3A", True), ("P3A", False), ("G", False)])
def test_lamps_are_mirrored_by_sleeves_alone(code: str, mirrors: bool) -> None:
    assert is_glossy(code) == mirrors
