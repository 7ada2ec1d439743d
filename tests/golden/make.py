"""Writes the golden playthroughs of Sleepless Princess: python -m tests.golden.make"""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from companion.games.sleepless_princess.players.simulation import simulate
from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.support.sleepless import walk

FOLDER = Path(__file__).parent / "sleepless_princess"
TABLES = [(variant, players) for variant, numbers in RULES.variants.items() for players in numbers]
SEED = 20
IN_FULL = 40
"""Steps written one by one; later ones every tenth, and the last."""
EVERY = 10
SIMULATED = FOLDER / "simulated.txt"


def path_of(variant: str, players: int) -> Path:
    """The file of a playthrough."""
    return FOLDER / f"{variant.replace('+', '_plus')}_{players}p.txt"


def playthrough(variant: str, players: int) -> str:
    """One random game: states, legal actions, views and what was done."""
    lines = [f"# {variant}, {players} players, seed {SEED}"]
    state = None
    number = 0
    known: dict[int | None, dict[str, Any]] = {}
    for number, (state, action, after) in enumerate(walk(variant, players, SEED)):
        if number < IN_FULL or number % EVERY == 0:
            lines += ["", f"step {number}", f"state   {RULES.write_state(state)}", f"legal   {_legal(state)}"]
            for who in (None, *range(players)):
                view = json.loads(json.dumps(RULES.view(state, who)))
                lines.append(f"view {who}  {_changed(known.get(who, {}), view)}")
                known[who] = view
            lines.append(f"action  {RULES.write_action(action)}")
        last = after
    result = RULES.outcome(last)
    lines += ["", f"end {number + 1}", f"state   {RULES.write_state(last)}", f"outcome {result}"]
    return "\n".join(lines).replace("view None", "view all ") + "\n"


def simulated() -> str:
    """Four games of random players, a line each: how it was dealt, and what was done."""
    log = StringIO()
    simulate("basic", 2, 4, 7, "random", log)
    games = [json.loads(line) for line in log.getvalue().splitlines()]
    return "".join(
        f"{game['setup']}\n  {' | '.join(step['action'] for step in game['steps'])}\n" for game in games
    )


def _legal(state) -> str:
    return " | ".join(RULES.write_action(action) for action in RULES.legal_actions(state))


def _changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The fields of a view that are not as they were when it was last written; null for one that is gone."""
    changed = {name: after.get(name) for name in (*after, *before) if after.get(name) != before.get(name)}
    return json.dumps(changed)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for table in TABLES:
        path_of(*table).write_text(playthrough(*table), encoding="utf-8")
    SIMULATED.write_text(simulated(), encoding="utf-8")
