"""How long a hint takes, over whole games: by the clock, in counted steps, and beside brute force."""

import time
from collections.abc import Iterator, Mapping
from itertools import cycle
from random import Random
from statistics import median, quantiles
from typing import Any

from companion.advice.sleepless_princess import answer
from companion.games.advice import Level
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.hints.advice import advise
from companion.games.sleepless_princess.hints.face_posterior import Likelihood, forget_kept, posterior
from companion.games.sleepless_princess.hints.hand_tables import all_hands
from companion.games.sleepless_princess.hints.hinted_players import MISREAD, HelpedPolicy
from companion.games.sleepless_princess.hints.option_values import prepare, worth_of_turns
from companion.games.sleepless_princess.hints.race_value_iteration import cards_needed
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.rules.actions import Action, Know, Lay, Look, Open, Seat, Touch
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN_FACE
from companion.games.sleepless_princess.rules.hidden_state import spell_out
from companion.games.sleepless_princess.rules.player_view import told
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import State
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_lines import VERSION, Done, Opened
from companion.session.stream.commands import AskHint

_TABLES = (("basic", 2), ("5+", 3), ("basic", 5), ("5+", 2), ("basic", 3), ("5+", 4), ("basic", 4))
_EVERY = 2
"""Careless people who take a hint in every second turn: beds in good order and in bad."""
_BRUTE_SHARE = 0.2
"""Share of the time that goes to brute force."""


def bench_hints(seconds: float = 6.0) -> dict[str, Any]:
    """Milliseconds (p50, p95, longest) that a screen waits for a hint at the level coach, each posterior anew.

    That is all of `adviser.answer`: the game is gone through again, what the team knows is gathered, the hand
    that was told is held against it, and the hints are worked out and worded. `advise_ms` is the mean of the
    last part alone, `steps_mean` and `steps_max` are its counted steps, `posterior_ms` its exact count.
    `tables_ms` is what the first hints of a program wait for besides: the tables of hands of both variants.
    `brute_ratio` is how many times as long it takes to visit every dealing of the 5+ game's eight mattresses as
    to count them. `idle_us` is what an action costs while nobody asks, and `idle_steps` the work of belief done
    for it.
    """
    for kept in (all_hands, cards_needed, worth_of_turns):
        kept.cache_clear()
    began = time.perf_counter()
    for variant, players in _TABLES[:2]:
        prepare(variant, players)
    tables = time.perf_counter() - began
    took: list[float] = []
    advising: list[float] = []
    counting: list[float] = []
    steps: list[int] = []
    small: list[TeamKnowledge] = []
    end = time.perf_counter() + seconds * (1 - _BRUTE_SHARE)
    for known, view, recorded in _positions():
        question = AskHint("coach", " ".join(view["hand"]))
        forget_kept()
        began = time.perf_counter()
        answer(recorded, question)
        took.append(time.perf_counter() - began)
        known.forget_chances()
        forget_kept()
        began = time.perf_counter()
        known.chances()
        counted = time.perf_counter()
        advice = advise(known, view, Level.COACH)
        advising.append(time.perf_counter() - began)
        counting.append(counted - began)
        steps.append(advice.positions)
        if known.variant == "5+" and view["phase"] == "play":
            small.append(_copy(known, view))
        if began > end and len(took) > 1 and small:
            break
    cuts = quantiles(took, n=20)
    idle_us, idle_steps = _idle()
    return {
        "hints": len(took),
        "p50_ms": round(1000 * cuts[9], 3),
        "p95_ms": round(1000 * cuts[18], 3),
        "max_ms": round(1000 * max(took), 3),
        "advise_ms": round(1000 * sum(advising) / len(advising), 3),
        "posterior_ms": round(1000 * sum(counting) / len(counting), 3),
        "steps_mean": round(sum(steps) / len(steps), 1),
        "steps_max": max(steps),
        "brute_ratio": _brute_ratio(small, seconds * _BRUTE_SHARE),
        "idle_us": idle_us,
        "idle_steps": idle_steps,
        "tables_ms": round(1000 * tables),
        "misread": MISREAD,
        "seconds": seconds,
    }


def _positions() -> Iterator[tuple[TeamKnowledge, Mapping[str, Any], Recorded]]:
    """Every decision of one game after the other: the team's knowledge, the view of the player to act, and the
    game so far as a table records it whose pad reads what is touched."""
    for number, (variant, players) in enumerate(cycle(_TABLES)):
        chance = Random(number)
        policy = HelpedPolicy(Random(number), _EVERY)
        state: State = RULES.setup(variant, players, chance)
        opened = Opened(VERSION, RULES.name, variant, players)
        lines = [Done(0.0, RULES.write_action(action)) for action in _laid_out(state)]
        for step in play_out(state, policy, chance):
            said = spell_out(step.before, step.action)
            lines.append(Done(0.0, RULES.write_action(said)))
            if isinstance(said, Touch | Look):
                slot = step.before.beds[said.bed][0]
                lines.append(Done(0.0, RULES.write_action(Know(slot, step.before.faces[slot]))))
            actor = RULES.actor(step.after)
            if actor != CHANCE:
                yield policy.known, RULES.view(step.after, actor), Recorded(opened, tuple(lines))


def _laid_out(dealt: State) -> Iterator[Action]:
    """How a table comes to lie as it was dealt, for those who see no hidden card."""
    for bed, princess in enumerate(dealt.princesses):
        yield Seat(bed, princess)
    for bed, slots in enumerate(dealt.beds):
        for _ in slots:
            yield Lay(bed, UNKNOWN_FACE)
    for kind in dealt.row:
        yield Open(kind)


def _copy(known: TeamKnowledge, view: Mapping[str, Any]) -> TeamKnowledge:
    same = TeamKnowledge(view, known.misread, known.beds)
    same.felt, same.seen = dict(known.felt), dict(known.seen)
    return same


def _brute_ratio(positions: list[TeamKnowledge], seconds: float) -> float:
    """The median ratio over the positions, as many as the time allows; at least one."""
    ratios: list[float] = []
    end = time.perf_counter() + seconds
    for known in positions:
        evidence = [known.likelihood(slot) for slot in range(sum(known.copies))]
        forget_kept()
        began = time.perf_counter()
        posterior(known.copies, evidence)
        counted = time.perf_counter()
        _by_brute_force(known.copies, evidence)
        ratios.append((time.perf_counter() - counted) / (counted - began))
        if time.perf_counter() > end:
            break
    return round(median(ratios), 1)


def _by_brute_force(copies: tuple[int, ...], evidence: list[Likelihood]) -> list[list[float]]:
    """The weight of every face at every mattress, dealing by dealing."""
    left = list(copies)
    held = [[0.0] * len(copies) for _ in evidence]

    def deal(slot: int, weight: float) -> float:
        if slot == len(evidence):
            return weight
        total = 0.0
        for face, number in enumerate(left):
            if number:
                left[face] -= 1
                reached = deal(slot + 1, weight * evidence[slot][face])
                left[face] += 1
                held[slot][face] += reached
                total += reached
        return total

    deal(0, 1.0)
    return held


def _idle() -> tuple[float, int]:
    """Microseconds an action takes to hear of while nobody asks, and the counted work of belief it causes."""
    state: State = RULES.setup("basic", 4, Random(0))
    known = TeamKnowledge(RULES.view(state, 0), MISREAD)
    heard = [
        (RULES.actor(step.before), spell_out(step.before, step.action), told(step.before, step.action))
        for step in play_out(state, HelpedPolicy(Random(0), _EVERY), Random(0))
    ]
    began = time.perf_counter()
    for actor, action, seen in heard:
        known.observe(actor, action, seen)
    return round(1e6 * (time.perf_counter() - began) / len(heard), 2), known.steps
