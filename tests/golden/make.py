"""Writes the golden playthroughs of Sleepless Princess: python -m tests.golden.make"""

import hashlib
import json
from pathlib import Path

from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.support.sleepless import walk

FOLDER = Path(__file__).parent / "sleepless_princess"
TABLES = [(variant, players) for variant, numbers in RULES.variants.items() for players in numbers]
SEED = 20
IN_FULL = 40
"""Steps written one by one; later ones every tenth, and the last."""
EVERY = 10
MOST_ACTIONS = 40
FIRST_ACTIONS = 5


def path_of(variant: str, players: int) -> Path:
    """The file of a playthrough."""
    return FOLDER / f"{variant.replace('+', '_plus')}_{players}p.txt"


def playthrough(variant: str, players: int) -> str:
    """One random game: states, legal actions, views and what was done."""
    lines = [f"# {variant}, {players} players, seed {SEED}"]
    state = None
    number = 0
    for number, (state, action, after) in enumerate(walk(variant, players, SEED)):
        if number < IN_FULL or number % EVERY == 0:
            lines += ["", f"step {number}", f"state   {RULES.write_state(state)}", f"legal   {_legal(state)}"]
            lines += [f"view {who}  {_view(state, who)}" for who in (None, *range(players))]
            lines.append(f"action  {RULES.write_action(action)}")
        last = after
    result = RULES.outcome(last)
    lines += ["", f"end {number + 1}", f"state   {RULES.write_state(last)}", f"outcome {result}"]
    return "\n".join(lines).replace("view None", "view all ") + "\n"


def _legal(state) -> str:
    words = [RULES.write_action(action) for action in RULES.legal_actions(state)]
    if len(words) <= MOST_ACTIONS:
        return " | ".join(words)
    return f"{len(words)} actions {_digest(' | '.join(words))}: " + " | ".join(words[:FIRST_ACTIONS])


def _view(state, player: int | None) -> str:
    return _digest(json.dumps(RULES.view(state, player)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for table in TABLES:
        path_of(*table).write_text(playthrough(*table), encoding="utf-8")
