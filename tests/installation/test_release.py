"""What is published is one commit with one version."""

import re

import pytest

from companion import __version__
from tools.installation.deb import CHECKOUT, version
from tools.installation.release import refusal


@pytest.mark.parametrize(
    ("tags", "changes", "says"),
    [
        ([], "", "not tagged v1.2.0: set"),
        (["v1.1.9"], "", r"not tagged v1.2.0 \(it has v1.1.9\)"),
        (["v1.2.0"], " M README.md", "not committed"),
    ],
)
def test_what_is_no_version_is_not_released(tags: list[str], changes: str, says: str) -> None:
    assert re.search(says, refusal(tags, changes, "1.2.0"))


def test_a_tagged_version_is_released_and_the_program_says_the_same() -> None:
    assert refusal(["older", "v1.2.0"], "", "1.2.0") == ""
    assert __version__ == version()


def test_the_forge_runs_what_everybody_runs() -> None:
    """On each Python that the project names, and on the Pi's processor."""
    steps = (CHECKOUT / ".github/workflows/test.yml").read_text()
    assert "run: .ci/run" in steps
    assert "make test" in (CHECKOUT / ".ci/run").read_text()
    assert '["3.11", "3.12", "3.13"]' in steps
    assert "ubuntu-24.04-arm" in steps
