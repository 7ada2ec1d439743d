"""What a rough rig makes of things: hands on scales, pulled cables, nudged cameras, other rigs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from companion.commands.rehearse import rehearse
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.table_parts import parts_of, sensed
from companion.sensing.observation import Button, Count, Health, Observation, Reach, Seen, Sighting, TagRead
from companion.session.stream.commands import Claim
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.rig.sensor_faults import SensorFaults

QUIET = profile("clean")
PLAN = VIRTUAL.rig("basic")


def heard(told: Sequence[Observation], seed: int = 1, **rates: float) -> list[Observation]:
    """What is heard but for the hands over the beds."""
    sensor_faults = SensorFaults(replace(QUIET, **rates), PLAN, Random(seed), Random(seed))
    return [seen for seen in sensor_faults.disturb(told, 0.0) if not isinstance(seen, Reach)]


def test_a_perfect_rig_is_heard_as_it_is_apart_from_its_delays() -> None:
    told = [TagRead(1.0, "pad", "M1A"), TagRead(2.0, "pad", None), Count(3.0, "bed 1", 1, 1.0)]
    told += [Button(4.0, "bed 1")]
    assert [msgspec.structs.replace(seen, t=0.0) for seen in heard(told)] == [
        msgspec.structs.replace(seen, t=0.0) for seen in told
    ]


def test_a_hand_on_a_scale_is_weighed_and_hides_what_comes_meanwhile() -> None:
    told = [Count(float(t), "bed 1", t // 20, t / 20) for t in range(20, 2000, 20)]
    found = [seen for seen in heard(told, hand_on_scale=0.2) if isinstance(seen, Count)]
    empty = [seen for seen in found if seen.station == "bed 2"]
    # 20 to 200 g on a scale for mattresses of 4 g; nothing else ever lies there.
    assert all(seen.n == 0 or 5 <= seen.n <= 50 for seen in empty)
    hands = [(on.t, off.t) for on, off in pairwise(empty) if on.n and not off.n]
    assert len(hands) > 50
    assert all(0 < off - on < 4 for on, off in hands)
    late = [seen.t % 20 for seen in found if seen.station == "bed 1" and seen.n == seen.t // 20]
    assert max(late) > 1.0  # laid beneath a hand, told when it has gone


def test_a_pulled_cable_takes_what_passes_and_the_board_tells_what_lies_when_it_is_back() -> None:
    told: list[Observation] = []
    for t in range(0, 400, 2):
        told += [Button(t + 0.5, "bed 1"), Count(t + 1.0, "bed 1", t, float(t))]
    told += [Count(500.0, "bed 2", 1, 1.0)]
    found = heard(told, seed=3, unplugs_per_game=1.0)
    out, back = (seen.t for seen in found if isinstance(seen, Health))
    assert [seen.ok for seen in found if isinstance(seen, Health)] == [False, True]
    assert not [seen for seen in found if out < seen.t < back]
    pressed = [seen.t for seen in told if isinstance(seen, Button)]
    missed = [t for t in pressed if out <= t < back]
    assert missed
    assert [seen.t for seen in found if isinstance(seen, Button)] == [t for t in pressed if t not in missed]
    first = next(seen for seen in found if isinstance(seen, Count) and seen.t >= back)
    assert first.t == back
    assert first.n == max(seen.n for seen in told if isinstance(seen, Count) and seen.t < back)


def test_a_nudged_camera_says_so_and_sees_later_what_came_meanwhile() -> None:
    told: list[Observation] = [
        Sighting(float(t), "row", tuple(Seen(f"H{n:02d}A", 0, 0) for n in range(1, 2 + t % 5)))
        for t in range(1, 200)
    ]
    found = heard(told, seed=2, nudges_per_game=1.0)
    out, back = (seen.t for seen in found if isinstance(seen, Health))
    assert not [seen for seen in found if isinstance(seen, Sighting) and out + 0.25 < seen.t < back]


@pytest.mark.parametrize(
    ("seen", "kept"),
    [
        (Sighting(1.0, "row", ()), {"full", "camera"}),
        (Reach(1.0, "deck"), {"full", "camera"}),
        (Count(1.0, "bed 1", 1, 1.0), {"full", "pad"}),
        (TagRead(1.0, "pad", "M1A"), {"full", "pad"}),
    ],
)
def test_each_rig_hears_what_its_parts_feel(seen: Observation, kept: set[str]) -> None:
    assert {
        rig for rig in ("full", "pad", "camera") if sensed(parts_of(rig), PLAN.stations, seen) == seen
    } == kept


@pytest.mark.long
def test_a_claim_without_a_button_is_a_key() -> None:
    assert sensed(parts_of("camera"), PLAN.stations, Button(1.0, "bed 3")) == Claim(3)
    report = rehearse_observed(3, "basic", 3, rig="camera")
    assert report.keys_pressed == report.comparison.claims > 0
    assert report.comparison.wrong_verdicts == 0
    assert report.comparison.cannot_tell == report.comparison.claims


def test_without_a_camera_nothing_is_judged_wrongly() -> None:
    assert rehearse_observed(3, "basic", 3, rig="pad").comparison.wrong_verdicts == 0


@pytest.mark.long
def test_mattresses_dealt_by_hand_are_unknown_until_they_are_sensed() -> None:
    tapped, dealt = (rehearse_observed(4, "basic", 3, deal=deal, rash=1.0) for deal in ("pad", "hand"))
    assert tapped.comparison.claims == dealt.comparison.claims
    assert dealt.comparison.wrong_verdicts == 0
    assert dealt.comparison.cannot_tell > tapped.comparison.cannot_tell == 0


@pytest.mark.long
def test_reports_do_not_depend_on_how_many_games_run_at_once() -> None:
    wanted = {"profile": "home", "rig": "full", "deal": "pad", "through": "observations", "games": 2}

    def run(jobs: str) -> dict[str, object]:
        arguments = ["--games", "2", "--noise", "home", "--through", "observations", "--jobs", jobs, "--json"]
        result = CliRunner().invoke(rehearse, [*arguments, "--variant", "5+", "--players", "2"])
        found: dict[str, object] = msgspec.json.decode(result.stdout)
        machine = {"cpu_seconds", "tracker_p95_ms", "tracker_most_ms"}
        assert machine < found.keys()
        return {key: value for key, value in found.items() if key not in machine}

    alone = run("1")
    assert {key: alone[key] for key in wanted} == wanted
    assert run("2") == alone
