"""Simulated Sleepless Princess games, with statistics and a log.

They go by the rules alone.
"""

import hashlib
import time
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple, TextIO

from companion.core.errors import BadInputError
from companion.games.rules import CHANCE
from companion.games.simulation import GameLog, SimulatedStep, check_table_size, interval, mean
from companion.games.sleepless_princess.hints.hinted_players import (
    HINTED,
    MISREAD,
    CoachPolicy,
    SilentTable,
    make_hinted,
)
from companion.games.sleepless_princess.players.policies import POLICIES, Policy, make_policy
from companion.games.sleepless_princess.rules.actions import Action, Look, Touch
from companion.games.sleepless_princess.rules.card_kinds import face_text
from companion.games.sleepless_princess.rules.hidden_state import spell_out
from companion.games.sleepless_princess.rules.player_view import told
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import State

CLAIRVOYANT = "clairvoyant"
POLICY_NAMES = (*POLICIES, *HINTED, CLAIRVOYANT)
FORGET = 0.08
"""Chance (0 to 1) that a careless player forgets a mattress before a turn. A guess."""
SETTINGS = frozenset({"forget", "misread", "silent"})
"""Keyword arguments of `simulate` that change how people play."""


class ClairvoyantPolicy(CoachPolicy):
    """Coach's play with known mattresses: no players do better.

    Simulations use it as a yardstick, hints never. `dealt`: the dealt game.
    """

    name = CLAIRVOYANT

    def __init__(self, dealt: State) -> None:
        super().__init__()
        self._dealt = dealt

    def start(self, view: Mapping[str, Any]) -> None:
        """Begin a game. Every mattress face is known at once."""
        super().start(view)
        for slot, face in enumerate(self._dealt.faces):
            self.known.show(slot, face_text(face))


class People(NamedTuple):
    """Errors of careless players: chance (0 to 1) to forget a mattress before a turn, and to misread a
    touch."""

    forget: float = FORGET
    misread: float = MISREAD


def play_out(state: State, policy: Policy, chance: Random) -> Iterator[SimulatedStep[State, Action]]:
    """Play a dealt game to its end, yielding each step.

    `state`: every card is known. `policy`: plays for all seats. `chance`: its random stream.
    """
    policy.start(RULES.view(state, state.turn))
    while RULES.legal_actions(state):
        step = next_step(state, policy, chance)
        yield step
        state = step.after


def next_step(state: State, policy: Policy, chance: Random) -> SimulatedStep[State, Action]:
    """Play one step of a game with every card known.

    `policy` chooses for players and observes the step.
    """
    legal = RULES.legal_actions(state)
    actor = RULES.actor(state)
    # With a known deck, chance has one legal step, listed before the claims.
    action = legal[0] if actor == CHANCE else policy.choose(RULES.view(state, actor), legal, chance)
    after = RULES.apply(state, action)
    policy.observe(actor, spell_out(state, action), told(state, action))
    return SimulatedStep(state, legal, action, after)


def any_policy(name: str, dealt: State, people: People, chance: Random) -> Policy:
    """Create a policy by name for the game `dealt`.

    ValueError lists the names.

    `people`: errors of careless players. `chance`: random stream of these errors.
    """
    if name == CLAIRVOYANT:
        return ClairvoyantPolicy(dealt)
    hinted = make_hinted(name, chance, people.forget, people.misread)
    if hinted is not None:
        return hinted
    if name not in POLICIES:
        raise ValueError(f"no policy {name!r}; there are {', '.join(POLICY_NAMES)}")
    return make_policy(name)


def simulate(
    variant: str,
    players: int,
    games: int,
    seed: int,
    policy: str,
    log: TextIO | None = None,
    *,
    forget: float = FORGET,
    misread: float = MISREAD,
    silent: bool = False,
) -> dict[str, Any]:
    """Play `games` games and return their statistics.

    Equal seeds give equal numbers, `steps_per_second` left out.

    `log`: receives each game as a line of JSON. `silent`: players keep secret what they felt or saw.
    `forget`, `misread`: chances (0 to 1) of careless players. Means of cards left, and of checks to finish,
    cover only games in which all princesses sleep at the end.
    BadInputError for an unknown variant, number of players or policy.
    """
    check_simulation(variant, players, games, policy)
    people = People(forget, misread)
    digest = hashlib.sha256()
    lulled: list[int] = []
    finishing: list[int] = []
    left: list[int] = []
    turns: list[int] = []
    checks = steps = 0
    began = time.perf_counter()
    for number in range(games):
        chance = Random(f"{seed}:{number}")
        state = RULES.setup(variant, players, chance, silent=silent)
        setup = RULES.write_state(state)
        record = GameLog(number + 1, setup)
        digest.update(setup.encode())
        used = 0
        humans = Random(f"{seed}:{number}:people")
        seats = [any_policy(policy, state, people, humans) for _ in range(players if silent else 1)]
        team = SilentTable(seats) if silent else seats[0]
        for step in play_out(state, team, chance):
            state = step.after
            steps += 1
            used += isinstance(step.action, Touch | Look)
            text = RULES.write_action(step.action)
            digest.update(text.encode() + b"\n")
            if log is not None:
                legal = [RULES.write_action(action) for action in step.legal]
                record.step(legal, text, RULES.write_state(state))
        digest.update(RULES.write_state(state).encode())
        if log is not None:
            record.write(log)
        result = RULES.outcome(state)
        score = (result.score or 0) if result else 0
        lulled.append(score)
        if result and score == result.out_of:
            finishing.append(used)
            left.append(len(state.deck) + len(state.row))
        turns.append(state.turns)
        checks += used
    took = time.perf_counter() - began
    return {
        "game": RULES.name,
        "variant": variant,
        "players": players,
        "policy": policy,
        "silent": silent,
        "forget": people.forget,
        "misread": people.misread,
        "seed": seed,
        "games": games,
        "mean_lulled": round(sum(lulled) / games, 6),
        "ci95": interval(lulled),
        "mean_turns": round(sum(turns) / games, 6),
        "turns_ci95": interval(turns),
        "mean_cards_left": mean(left),
        "cards_left_ci95": interval(left),
        "mean_checks_used": round(checks / games, 6),
        "mean_checks_to_finish": mean(finishing),
        "checks_ci95": interval(finishing),
        "games_finished": len(finishing),
        "steps": steps,
        "steps_per_second": round(steps / took),
        "digest": digest.hexdigest(),
    }


def check_simulation(variant: str, players: int, games: int, policy: str) -> None:
    """Raise BadInputError if a simulation is impossible as asked for.

    That is: an unknown variant, policy or number of players, or fewer than one game.
    """
    check_table_size(RULES, variant, players, games)
    try:
        any_policy(policy, RULES.setup(variant, players, Random(0)), People(), Random(0))
    except ValueError as error:
        raise BadInputError(str(error), where="--policy") from None
