"""The judge of hostile pictures knows the truth, and counts what is wrong."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from tests.benchmarks import mat_bench
from tests.benchmarks.cli import bench
from tests.benchmarks.mat_bench import WRONG_MM, off_mm, tallied
from tests.benchmarks.mat_camera import Camera
from tests.benchmarks.mat_pictures import KINDS, MAT, HostilePicture, clean_picture, hostile_pictures
from vision.mat.mat_finder import register


def seen_by(camera: Camera, off_mm: float = 0.0) -> HostilePicture:
    """A picture that nothing troubles, and a truth that is off by so much."""
    gray = clean_picture(camera, 1)

    def truth(places: np.ndarray) -> np.ndarray:
        return camera.to_px(np.asarray(places) + np.array((off_mm, 0.0)))

    return HostilePicture("clean", gray, (truth,), gray, truth, still=True, again=lambda: gray)


@pytest.mark.long
def test_places_are_compared_with_the_camera_that_drew_them() -> None:
    camera = Camera(tilt=15.0, towards=30.0, roll=5.0, bend=-0.1)
    picture = seen_by(camera)
    found = register(MAT, picture.gray)
    assert found is not None
    assert off_mm(found, picture) < 1
    beside = seen_by(camera, 5.0)
    assert off_mm(found, beside) == pytest.approx(5, abs=1)
    assert (
        off_mm(found, HostilePicture("none", beside.gray, (), beside.gray, camera.to_px, True, bytes)) == np.inf
    )


@pytest.mark.long
def test_what_is_off_by_more_than_three_millimetres_is_counted() -> None:
    pictures = [seen_by(Camera(), off) for off in (0.0, WRONG_MM + 2)]
    tally = tallied(iter(pictures), every_live=10, ways=("alone",))["clean", "alone"]
    assert (tally.shown, tally.found) == (2, 1)
    assert [number for number, _ in tally.wrong] == [1]


@pytest.mark.long
def test_pictures_follow_from_their_seed() -> None:
    one, again, other = (next(hostile_pictures(1, seed)).gray for seed in (5, 5, 6))
    assert (one == again).all()
    assert one.shape != other.shape or (one != other).any()


@pytest.mark.long
def test_the_command_tells_every_kind_and_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mat_bench, "hostile_pictures", lambda count, seed: iter([seen_by(Camera())] * count))
    outcome = CliRunner().invoke(bench, ["mat", "--pictures", "1", "--every-live", "1", "--json"])
    assert outcome.exit_code == 0, outcome.output
    told = json.loads(outcome.stdout)
    assert {row["way"]: (row["found"], row["wrong"]) for row in told["results"]} == dict.fromkeys(
        mat_bench.WAYS, (1, 0)
    )
    assert told["alone_found"] == 1
    assert len(KINDS) == 24
