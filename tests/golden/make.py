"""Writes the golden playthroughs of every game: python -m tests.golden.make"""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from companion.games.sleeping_queens.rules.rulebook import RULES as QUEENS
from companion.games.sleeping_queens_2.rules.rulebook import RULES as QUEENS_2
from companion.games.sleepless_princess.players.simulation import simulate
from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.support.sleeping_queens import walk as queens_walk
from tests.support.sleeping_queens_2 import walk as queens_2_walk
from tests.support.sleeping_queens_2 import walk_against_rules
from tests.support.sleepless import walk

HERE = Path(__file__).parent
GAMES = {
    "sleepless_princess": (RULES, walk),
    "sleeping_queens": (QUEENS, queens_walk),
    "sleeping_queens_2": (QUEENS_2, queens_2_walk),
    "sleeping_queens_2_insisted": (QUEENS_2, walk_against_rules),
}
"""Folder -> rules, and random games by variant, players and seed."""
TABLES = [
    (game, variant, players)
    for game, (rules, _) in GAMES.items()
    for variant, numbers in rules.variants.items()
    for players in numbers
]
SEED = 20
IN_FULL = 40
"""Steps written one by one; later ones every tenth, and the last."""
EVERY = 10
SIMULATED = HERE / "sleepless_princess" / "simulated.txt"


def path_of(game: str, variant: str, players: int) -> Path:
    """The file of a playthrough."""
    return HERE / game / f"{variant.replace('+', '_plus')}_{players}p.txt"


def playthrough(game: str, variant: str, players: int) -> str:
    """One random game: states, legal actions, views and what was done."""
    rules, games = GAMES[game]
    lines = [f"# {variant}, {players} players, seed {SEED}"]
    state = None
    number = 0
    known: dict[int | None, dict[str, Any]] = {}
    for number, (state, action, after) in enumerate(games(variant, players, SEED)):
        if number < IN_FULL or number % EVERY == 0:
            lines += [
                "",
                f"step {number}",
                f"state   {rules.write_state(state)}",
                f"legal   {_legal(rules, state)}",
            ]
            for who in (None, *range(players)):
                view = json.loads(json.dumps(rules.view(state, who)))
                lines.append(f"view {who}  {_changed(known.get(who, {}), view)}")
                known[who] = view
            lines.append(f"action  {rules.write_action(action)}")
        last = after
    result = rules.outcome(last)
    lines += ["", f"end {number + 1}", f"state   {rules.write_state(last)}", f"outcome {result}"]
    return "\n".join(lines).replace("view None", "view all ") + "\n"


def simulated() -> str:
    """Four games of random players, a line each: how it was dealt, and what was done."""
    log = StringIO()
    simulate("basic", 2, 4, 7, "random", log)
    games = [json.loads(line) for line in log.getvalue().splitlines()]
    return "".join(
        f"{game['setup']}\n  {' | '.join(step['action'] for step in game['steps'])}\n" for game in games
    )


def _legal(rules, state) -> str:
    return " | ".join(rules.write_action(action) for action in rules.legal_actions(state))


def _changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The fields of a view that are not as they were when it was last written; null for one that is gone."""
    changed = {name: after.get(name) for name in (*after, *before) if after.get(name) != before.get(name)}
    return json.dumps(changed)


if __name__ == "__main__":
    for table in TABLES:
        path_of(*table).parent.mkdir(exist_ok=True)
        path_of(*table).write_text(playthrough(*table), encoding="utf-8")
    SIMULATED.write_text(simulated(), encoding="utf-8")
