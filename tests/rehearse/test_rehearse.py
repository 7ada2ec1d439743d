"""Whole games through real pixels and real serial bytes, held against the truth; and recordings of them."""

from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from calibration.profile import RigProfile
from companion.commands.rehearse import rehearse
from companion.core.clock import ManualClock
from companion.core.config import load_config
from companion.games.registry import load_game
from companion.games.sleepless_princess.rules.actions import Move, Open, Take, Touch
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.rehearse.game_recording import FRAME_S, VideoRecorder
from companion.rehearse.games_in_bytes import rehearse_wired
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.games_in_pixels import rehearse_game
from companion.rehearse.outage import Minder, Outage
from companion.rehearse.parallel_games import tables_for
from companion.rehearse.pulled_cable import Cable, Pull, WatchedLink, plan_pulls
from companion.rehearse.seen_by_art import SeenByArt
from companion.rehearse.summary import summary
from companion.rehearse.table_parts import Keys, board_with, parts_of, sensed
from companion.rehearse.truth_comparison import Sights
from companion.sensing.board_source import BoardSource
from companion.sensing.camera_source import watch
from companion.sensing.observation import Button, Count, Observation, Seen, Sighting, TagRead, Texture
from companion.sensing.observation import Touch as Felt
from companion.session.journal.journal_replay import ROUND_S, replay_journal
from companion.session.session import Session
from companion.session.stream.commands import Claim
from companion.session.stream.events import Event, Score
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.games.sleepless_princess.comparison import differences
from companion.virtual.ground_truth import TruthEntry, read_truth
from companion.virtual.parameters import SIGHT
from companion.virtual.rig.rig_plan import RigPlan
from firmware.host.link import open_link
from firmware.host.messages import ButtonEvent, Message
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from tests.support.observed import ObservedGame, sighting
from vision.camera.open_camera import open_camera
from vision.camera.recorded_camera import times_file

SHORT = 1.0
"""Players who claim after every check: all the same happens, in an eighth of the time."""


@pytest.mark.long
def test_a_recorded_game_is_watched_again(tmp_path: Path) -> None:
    """A clean game is tracked to its true end. Video and capture lead there again; so does the journal."""
    folder = tmp_path / "game"
    report = rehearse_game(32, "5+", 2, pace=0.3, record=folder, rash=SHORT)
    compared = report.comparison
    assert (compared.faults, report.keys_pressed, report.troubles) == ((), 0, ())
    assert compared.claims > 0
    assert (compared.wrong_verdicts, compared.cannot_tell, compared.unjudged) == (0, 0, 0)
    # Of table time, not of this machine's. At the first claim an arm lay over two beds, whose buttons might be
    # connected crosswise: its cards had to show first.
    first, *others = compared.verdict_ms
    assert first <= 3000
    assert max(others) <= 2500
    assert (folder / "table.mp4").stat().st_size < 48_000 * report.table_seconds  # 20 MB in seven minutes
    replayed = replay_journal(folder / "journal.jsonl")
    assert replayed["matches"]
    assert replayed["score"] == report.comparison.score

    settings = load_config(folder / "companion.toml")
    game, clock, events = load_game(settings.game), ManualClock(), list[Event]()
    sources = [
        BoardSource(open_link(settings.port, clock), settings.tags, settings.stations),
        watch(game, settings.variant, open_camera(settings.camera, clock), clock),
    ]
    session = Session(game, settings.variant, settings.players, clock=clock, publish=events.append)
    while not all(source.finished for source in sources):
        session.step(sources)
        clock.sleep(FRAME_S)
    truth = game.read_state(read_truth(folder / "truth.jsonl")[-1].state)
    assert differences(truth, session.tracker.state) == ()
    assert [event.score for event in events if isinstance(event, Score)] == [report.comparison.score]


class Still:
    """A table whose picture is a plain grey, and changes when it is told to."""

    def __init__(self) -> None:
        self.camera, self.grey = SimpleNamespace(changes=0), 0

    def become(self, grey: int) -> None:
        self.grey = grey
        self.camera.changes += 1

    def frame(self) -> np.ndarray:
        return np.full((1080, 1920, 3), self.grey, np.uint8)


def test_only_pictures_in_which_something_changed_are_recorded(tmp_path: Path) -> None:
    """Every second look may be written; a change that was seen in between is not lost."""
    path, table = tmp_path / "table.mp4", Still()
    recorder = VideoRecorder(path)
    for grey in [50] * 4 + [90] * 3 + [200] * 7:
        if grey != table.grey:
            table.become(grey)
        recorder.look(table)
    recorder.close()
    assert times_file(path).read_text().split() == ["0.000", "0.267", "0.533", "0.933"]
    levels = []
    with open_camera(str(path), ManualClock(), paced=False) as camera:
        while (frame := camera.read()) is not None:
            levels.append(round(frame.gray.mean()))
    assert levels == pytest.approx([50, 50, 90, 90, 200, 200, 200], abs=3)


@pytest.mark.long
def test_a_bed_without_mattresses_may_be_claimed_last() -> None:
    """None can be turned up there; those of the other beds were."""
    compared = rehearse_observed(0, "basic", 2, rash=SHORT).comparison
    assert (compared.faults, compared.claims, compared.cannot_tell) == ((), 5, 0)


@pytest.mark.long
def test_rough_games_are_tracked_and_judged() -> None:
    claims = 0
    for seed, variant, players in [
        (7, "basic", 2),
        (24, "basic", 5),
        (11, "5+", 2),
    ]:
        compared = rehearse_observed(seed, variant, players, noise="rough", rash=SHORT).comparison
        assert compared.faults == (), (seed, variant, players)
        assert (compared.wrong_verdicts, compared.unjudged) == (0, 0)
        claims += compared.claims
    assert claims > 10


@pytest.mark.long
def test_what_was_lost_once_is_tracked() -> None:
    """A final check that the camera did not see. `make rehearse` has more of them."""
    assert rehearse_observed(70391, "5+", 4, noise="home").comparison.faults == ()


def test_a_rehearsal_waits_for_a_claim_whose_card_may_be_hidden() -> None:
    """By camera alone a claim on the last bed is settled ten seconds after its cards were turned down."""
    compared = rehearse_observed(132, "5+", 2, noise="home", rig="camera", rash=1.0).comparison
    assert [one for one in compared.faults if not one.startswith("beds")] == []


def test_after_an_outage_people_see_the_screen_as_it_is_when_they_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """They saw it as it was when something was sensed last, and pressed keys for what was known by then."""
    late: list[float] = []
    monkeypatch.setattr(Minder, "look", lambda minder, at: late.append(at - minder._session.now()))
    rehearse_observed(7, "5+", 2, noise="clean", rash=SHORT, outage="board", away_s=1.0)
    assert max(late) <= ROUND_S + 1e-6


@pytest.mark.quick(1)
@pytest.mark.parametrize(("right_between", "keys"), [(True, 0), (False, 2)])
def test_after_an_outage_people_press_keys_when_the_screen_has_stayed_wrong(
    monkeypatch: pytest.MonkeyPatch, right_between: bool, keys: int
) -> None:
    """A turn often begins before the companion can know of it: then it is late, and right soon after."""
    session = ObservedGame(2, players=2)
    session.set_up()
    shown = SimpleNamespace(
        tracker=session.tracker,
        table=SimpleNamespace(player=1),
        over=False,
        step=lambda *_: [],
        position=lambda: SimpleNamespace(unseen=(), judged=()),
    )
    turns = [(10.0, 1), (20.0, 2), (30.0, 1), (40.0, 2)]
    minder = Minder(shown, VIRTUAL, Outage("all", 0.0, 1.0), turns, lambda s: None, None)
    for t in (10.0, 20.0):  # the screen goes on to say that it is player 1's turn
        minder.look(t)
    shown.table.player = 2 if right_between else 1
    minder.look(25.0)
    shown.table.player = 1
    minder.look(40.0)
    assert minder.keys == keys


@pytest.mark.quick(1)
@pytest.mark.parametrize(("seed", "players"), [(8810040, 3), (9942006, 4), (9942027, 4)])
def test_a_camera_alone_asks_whether_she_sleeps_whose_mattresses_it_did_not_see(
    seed: int, players: int
) -> None:
    """Of an empty bed at the end, of one with mattresses at the end, and of one after a claim."""
    report = rehearse_observed(seed, "5+", players, noise="home", rig="camera")
    assert [one for one in report.questions if "Does she sleep?" in one]
    assert not [one for one in report.comparison.faults if one.startswith(("phase", "fates"))]


def test_what_sensors_show_late_nobody_can_tell_earlier() -> None:
    """A card beneath another for two seconds; one that was taken, and a scale."""
    done = {(10.0, 10.0): Open(), (19.5, 20.0): Take(1), (29.0, 30.0): Touch(0), (38.5, 40.0): Move(0, 1)}
    entries = [TruthEntry(t, RULES.write_action(one), "", t0) for (t0, t), one in done.items()]
    signs: list[Observation] = [sighting("row", "H01A", t=10), sighting("row", t=20)]
    signs += [Count(38.5, "bed 1", 2, 2.0), Count(40.0, "bed 2", 4, 4.0)]
    heard: list[Observation] = [sighting("row", t=10.1), sighting("row", "H01A", t=12), sighting("row", t=20.2)]
    heard += [Count(40.1, "bed 1", 2, 2.0), Count(40.3, "bed 2", 5, 5.0), Count(41.4, "bed 2", 4, 4.0)]
    sights = Sights(RULES, VIRTUAL, entries)
    assert sights.shown_waits(signs, heard) == pytest.approx([2000, 200, 0, 1400])
    assert sights.shown_waits(signs, []) == [0, 0, 0, 0]


def test_perfect_sensors_show_everything_at_once() -> None:
    report = rehearse_observed(3, "basic", 3, rash=SHORT)
    assert len(report.shown_ms) == len(report.comparison.event_ms)
    assert max(report.shown_ms) == pytest.approx(1000 * SIGHT.gone_s)


def test_the_plan_covers_every_table() -> None:
    assert tables_for(None, None) == [("basic", n) for n in (2, 3, 4, 5)] + [("5+", n) for n in (2, 3, 4)]
    assert tables_for("5+", 3) == [("5+", 3)]


@pytest.mark.long
def test_a_clean_game_through_bytes_survives_its_cable() -> None:
    """People go on playing while the board is away, and the companion still finds the true end."""
    report = rehearse_wired(7, "5+", 2, unplug=3, rash=SHORT)
    assert report.comparison.faults == ()
    assert report.comparison.wrong_verdicts == 0
    link, rests = report.link, report.rests
    assert link is not None
    assert rests is not None
    assert (link.unplugged, len(link.reconnect_s)) == (3, 3)
    assert max(link.reconnect_s) <= 3.0
    assert link.events >= 100
    assert (link.lost, link.doubled, link.bad_frames) == (0, 0, 0)
    assert (rests.untrue, rests.misfelt, rests.returned, rests.returned_misfelt) == (0, 0, 3, 0)


class Plugged:
    """A board and a link in step, with a cable between them."""

    def __init__(self, *pulls: Pull) -> None:
        self.clock = ManualClock()
        end = MemoryEnd()
        self.board = VirtualBoard(clock=self.clock, seed=1, end=end)
        self.link = WatchedLink(self.clock, end, session=5)
        self.cable = Cable(self.board, self.link, pulls)
        self.said: list[Message] = []

    def live(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            self.clock.sleep(0.02)
            now = self.clock.now()
            self.cable.step(now)
            self.board.step(now)
            messages = self.link.poll()
            self.said += messages
            self.cable.heard(now, messages)


def test_what_waited_when_the_power_went_is_counted_apart() -> None:
    one = Plugged(Pull(3.0, 5.0))
    one.live(2.5)
    before = len(one.link.taken)
    one.board.stall(2.0)
    one.board.press_button("bed 1", True)
    one.live(6.0)
    report = one.cable.report()
    assert report.cut_by_power == 1
    assert (report.lost, report.doubled) == (0, 0)
    assert report.events == one.board.events
    assert len(one.link.taken) > before
    assert len(report.reconnect_s) == 1
    # The press is not lost: it still lasts, and the snapshot of the new boot says so.
    assert [m.pressed for m in one.said if isinstance(m, ButtonEvent) and m.station == "bed 1"] == [True]


def test_an_event_that_never_came_or_came_twice_is_seen() -> None:
    one = Plugged()
    one.live(2.0)
    one.board.touch("bed 1", True)
    one.live(1.0)
    taken = one.link.taken
    assert taken
    taken.append(taken[-1])
    del taken[0]
    report = one.cable.report()
    assert (report.lost, report.doubled, report.cut_by_power) == (1, 1, 0)


def test_an_account_asked_for_twice_says_the_same() -> None:
    one = Plugged()
    one.live(2.0)
    one.board.touch("bed 1", True)
    for _ in range(50):  # nobody listens
        one.clock.sleep(0.02)
        one.board.step(one.clock.now())
    report = one.cable.report()
    assert report.resends > 0
    assert one.cable.report() == report


def test_pulls_are_spread_over_the_game() -> None:
    pulls = plan_pulls(4, 100.0, 500.0, Random(1))
    assert [int(pull.out // 100) for pull in pulls] == [1, 2, 3, 4]
    assert all(1 <= pull.back - pull.out <= 5 for pull in pulls)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--through", "pixels", "--unplug", "1"], "cable to pull"),
        (["--through", "observations", "--unplug", "1"], "cable to pull"),
        (["--through", "bytes", "--record", "folder"], "nothing is recorded"),
        (["--through", "bytes", "--rig", "camera"], "no board"),
        (["--record", "folder", "--rig", "camera"], "together"),
        (["--rig", "radar"], "no rig"),
        (["--rig", "camera+pad"], "by observations alone"),
    ],
)
def test_what_a_way_cannot_do_is_refused(arguments: list[str], what: str) -> None:
    result = CliRunner().invoke(rehearse, arguments)
    assert what in str(result.exception)


def test_a_rig_without_sensors_at_the_beds_hears_its_pad_and_camera_alone() -> None:
    beds, parts = ("bed 1", "bed 2"), parts_of("camera+pad")
    tag, sight = TagRead(1.0, "pad", "M1"), Sighting(1.0, "play", ())
    assert [sensed(parts, beds, seen) for seen in (tag, sight)] == [tag, sight]
    assert sensed(parts, beds, Count(1.0, "bed 1", 3, 3.1)) is None
    assert sensed(parts, beds, Felt(1.0, "bed 2", True)) is None
    assert sensed(parts, beds, Felt(1.0, "pad", True)) == Felt(1.0, "pad", True)
    assert sensed(parts, beds, Button(1.0, "bed 2")) == Claim(2)


def test_the_rig_that_judges_feels_no_fingers_and_hears_tags_scales_and_buttons() -> None:
    beds, parts = ("bed 1", "bed 2"), parts_of("judge")
    for seen in (TagRead(1.0, "pad", "M1"), Count(1.0, "bed 1", 3, 3.1), Button(1.0, "bed 2")):
        assert sensed(parts, beds, seen) == seen
    assert sensed(parts, beds, Felt(1.0, "bed 2", True)) is None
    assert sensed(parts, beds, Texture(1.0, "pad", "3", 0.9)) is None


def test_a_board_that_lacks_parts_ignores_what_is_done_there_and_hears_its_claims_as_keys() -> None:
    plan = RigPlan(("bed 1", "bed 2"))
    for rig, stations in (("judge", 5 + 1), ("camera+pad", 1)):
        keys = Keys(plan.stations)
        board = board_with(plan, parts_of(rig), ManualClock(), 1, keys, MemoryEnd())
        board.touch("bed 1", True)
        board.press_texture("pad", None)
        board.press_button("bed 2", True)
        board.set_weight("bed 1", 40.0)
        assert len(board.rig["stations"]) == stations, rig
        assert keys.read() == ([] if rig == "judge" else [Claim(2)])
        assert ("bed 2" in board.chips.buttons) == (rig == "judge")
        board.close()


def test_eyes_that_know_pictures_alone_number_the_cards_that_come_and_leave_other_things_as_they_are() -> None:
    game = load_game("sleepless-princess")
    eyes = SeenByArt(game, "5+")

    def told(t: float, zone: str, *copies: str) -> list[str]:
        seen = eyes.tell(Sighting(t, zone, tuple(Seen(copy, 0.0, 0.0) for copy in copies)))
        assert isinstance(seen, Sighting)
        return [card.card for card in seen.cards]

    one, other, *_ = (card.code for card in game.cards("5+") if card.kind == "W")
    first, second = told(1.0, "discard", one), told(2.0, "discard", other)
    assert first != second, "a witch on a witch is another card"
    assert told(3.0, "discard", one) == first, "it was covered for a moment"
    assert told(30.0, "discard", other) != second, "nobody has watched it for so long"
    assert told(31.0, "glass", "G") == ["G"], "no card of this variant"


@pytest.mark.long
def test_a_first_evening_leaves_a_rig_with_which_the_score_is_right() -> None:
    report = rehearse_game(9950006, "5+", 4, noise="evening", pace=0.5, first_evening=True)
    assert report.comparison.faults == ()
    assert report.comparison.wrong_verdicts == 0
    assert len(report.questions) <= 1


def test_a_first_evening_whose_cards_were_not_all_learned_is_a_failed_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.rehearse.games_in_pixels._rig_of_first_evening", lambda *_: RigProfile())
    report = rehearse_game(1, "5+", 2, noise="evening", first_evening=True)
    (fault,) = report.comparison.faults
    assert fault.startswith("setup of the first evening learned 0 of 37 kinds of cards; not: 1, 2, 3")
    assert summary([report])["games_matching_truth"] == 0


@pytest.mark.long
def test_a_game_by_art_is_tracked_although_no_copy_is_told_from_another() -> None:
    compared = rehearse_observed(5200004, "basic", 5, noise="home", cards="art").comparison
    assert compared.faults == ()
    assert compared.wrong_verdicts == 0
