"""A whole game by ear: somebody in a seat of a virtual table knows what was spoken, and nothing else."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

PATIENCE_S = 300.0
"""PATIENCE_S: longest silence (s) before a listener gives up."""
SPEAKER = """#!/bin/sh
said=$(cat)
printf '%s\\n' "$said" >> "{spoken}"
sleep 0.05
"""
"""A program that is called as espeak-ng is, and writes what it would say: a whole line, or none if cut off."""
MANY = re.compile(r"Choose one of (\d+) by its number\.|Choose: there is 1 choice\.")
CHOICE = re.compile(r"(\d+): .+")
ASKED = re.compile(r"Type one of: (\w)")
SCORED = re.compile(r"after \d+ turns?$")


class Listener:
    """Plays a game that is spoken to them, one line after another. `seed`: of what they choose."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._choices: list[int] = []
        self._many = 0
        self.chosen = 0
        """How often they have chosen an action."""
        self.scored = False

    def hear(self, line: str) -> str:
        """What they type after a line; empty for nothing."""
        self.scored |= bool(SCORED.search(line))
        if line.endswith(", 2 players"):
            return "seat 1"
        if line == "Type yes if you mean it.":
            return "yes"
        if asked := ASKED.match(line):
            return asked[1]
        if many := MANY.fullmatch(line):
            self._many, self._choices = int(many[1] or 1), []
        elif (choice := CHOICE.fullmatch(line)) and self._many:
            if int(choice[1]) not in self._choices:
                self._choices.append(int(choice[1]))
            if len(self._choices) == self._many:
                self._many = 0
                self.chosen += 1
                return str(self._chance.choice(self._choices))
        return ""


def test_a_listener_answers_what_is_spoken() -> None:
    somebody = Listener(1)
    lines = [
        "Your hand: a 3",
        "Choose one of 2 by its number.",
        "1: Draw",
        "Is it so?",
        "Type one of: y (yes), n (no)",
    ]
    assert [somebody.hear(line) for line in lines] == ["", "", "", "", "y"]
    assert somebody.hear("2: Discard a 3") in ("1", "2")
    assert (somebody.hear("Type yes if you mean it."), somebody.scored) == ("yes", False)
    assert somebody.hear("16 of 20, after 31 turns") == ""
    assert somebody.scored


@pytest.mark.long
@pytest.mark.parametrize("game", ["sleepless-princess", "sleeping-queens"])
def test_a_whole_game_is_played_to_its_score_by_what_is_spoken_alone(game: str, tmp_path: Path) -> None:
    spoken, programs = tmp_path / "spoken", tmp_path / "bin"
    programs.mkdir()
    speaker = programs / "espeak-ng"
    speaker.write_text(SPEAKER.format(spoken=spoken))
    speaker.chmod(0o755)
    spoken.touch()
    command = ["play", "--plain", "--aloud", "--table", "virtual", "--game", game, "--players", "2"]
    command += ["--seed", "3", "--speed", "8", "--journal", str(tmp_path / "journals")]
    playing = subprocess.Popen(
        [sys.executable, "-m", "companion", *command],
        stdin=subprocess.PIPE,
        stdout=(tmp_path / "printed").open("wb"),
        stderr=subprocess.STDOUT,
        env={**os.environ, "PATH": f"{programs}:/usr/bin:/bin"},
    )
    assert playing.stdin is not None
    somebody, heard_at, told = Listener(1), time.monotonic(), ""
    with spoken.open() as lines:
        while not somebody.scored:
            if told:
                playing.stdin.write(f"{told}\n".encode())
                playing.stdin.flush()
            line = lines.readline()
            told = somebody.hear(line.strip()) if line else ""
            if line:
                heard_at = time.monotonic()
            else:
                assert playing.poll() is None, (tmp_path / "printed").read_text()[-2000:]
                assert time.monotonic() - heard_at < PATIENCE_S, "nothing is said any more"
                time.sleep(0.05)
    playing.stdin.write(b"quit\n")
    playing.stdin.flush()
    try:
        playing.wait(60)
    finally:
        playing.send_signal(signal.SIGTERM)
    assert playing.returncode == 0
    assert somebody.chosen > 5
