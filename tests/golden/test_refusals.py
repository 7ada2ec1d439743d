"""What the rules refuse and which states they find impossible, in their words: one golden file a game.

COMPANION_GOLDEN=1 writes the files anew: look at the difference.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.registry import GAME_NAMES, load_game
from companion.games.rules import IllegalError

FOLDER = Path(__file__).parent / "refusals"
GAMES, STEPS, TRIES = 6, 60, 24
"""GAMES: seeded games of a variant. STEPS: actions of each. TRIES: odd actions and states at each step."""


def walks(game: Any, chance: Random) -> Iterator[Any]:
    """States of random games of every variant: dealt ones, and every third from the empty table on."""
    for variant, allowed in game.variants.items():
        for number in range(GAMES):
            players = allowed[number % len(allowed)]
            laid_out = number % 3 != 2
            state = game.setup(variant, players, chance) if laid_out else game.empty_table(variant, players)
            for _ in range(STEPS):
                yield state
                legal = game.legal_actions(state)
                if not legal:
                    break
                with contextlib.suppress(IllegalError):  # an action that wants the name of a hidden card
                    state = game.apply(state, chance.choice(legal))


def altered(line: str, chance: Random) -> str:
    """A state's line with one number changed, one list cut, or one entry twice."""
    words = line.split(" ")
    at = chance.randrange(len(words))
    name, _, value = words[at].partition("=")
    parts = value.split(",")
    where = chance.randrange(len(parts))
    if chance.random() < 0.5 and parts[where].isdigit():
        parts[where] = str(max(0, int(parts[where]) + chance.choice((-2, -1, 1, 2, 9))))
    elif chance.random() < 0.5:
        del parts[where]
    else:
        parts.insert(where, chance.choice(parts))
    words[at] = f"{name}={','.join(parts)}"
    return " ".join(words)


def told(name: str) -> list[str]:
    """Every sentence once, with the action or field that led to it."""
    game, chance = load_game(name), Random(57)
    states = [*walks(game, chance)]
    pool = sorted({game.write_action(one) for state in states for one in game.legal_actions(state)})
    found: dict[str, str] = {}
    for state in states:
        for text in chance.sample(pool, TRIES):
            try:
                game.apply(state, game.read_action(text))
            except IllegalError as error:
                found.setdefault(str(error), text)
        for _ in range(TRIES):
            try:
                odd = game.read_state(altered(game.write_state(state), chance))
            except ValueError:
                continue
            for fault in game.status(odd):
                found.setdefault(f"{fault.text} ({fault.code})", "state")
    return sorted(f"{sentence} <- {what}" for sentence, what in found.items())


@pytest.mark.parametrize("name", GAME_NAMES)
def test_refusals_are_as_they_were(name: str) -> None:
    file, lines = FOLDER / f"{name}.txt", told(name)
    if os.environ.get("COMPANION_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == file.read_text(encoding="utf-8").splitlines()
