"""Sensitivity: rehearsals with constants of the fusion scaled, to see which ones matter.

With one constant, the same games are played with it times each factor. With all of them, each game draws a
factor for every constant. It is played with these, with each the other way round (a fold-over design), and as
it is. The difference of the first two is free of what a game has of its own and of what two constants do
together. Its mean over the games, with the sign of a constant's factor, is what this constant does.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from math import sqrt
from random import Random
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadInputError
from companion.fusion import action_search, clutter, likelihood
from companion.fusion.sensors import SIGN_MODELS
from companion.games.signs import Verb

if TYPE_CHECKING:
    from companion.rehearse.pixels import GameReport

FACTORS = LOW, HIGH = (0.7, 1.4)
"""What each constant is multiplied by."""
ALL = "all"
FALSE_ALARM = 0.05
"""Probability (0..1) that any constant without an effect on a count stands out, of all of them together."""

Factors = tuple[tuple[str, float], ...]
"""Constants and what each is multiplied by; empty for all as they are."""
Counts = Mapping[str, int]
"""What is counted of a game by name; see `counts_of`."""


def constants() -> dict[str, float]:
    """Every cost (nats) and time (s) by name, those of a sign as verb.field; what is 0 is left out."""
    plain = {
        name: value for name, value in vars(likelihood).items() if name.isupper() and isinstance(value, float)
    }
    del plain["SURE_TEXTURE"]  # a probability: it has no multiple
    rows = {
        f"{verb}.{one.name}": getattr(row, one.name)
        for verb, row in SIGN_MODELS.items()
        for one in fields(row)
        if isinstance(getattr(row, one.name), float)
    }
    return {name: value for name, value in {**plain, **rows}.items() if value}


def settings_of(name: str, seeds: Sequence[int]) -> list[list[Factors]]:
    """For each way to play the games, the factors for each seed: for a constant as it is and times each of
    FACTORS, for ALL as they are, as drawn, and the other way round. BadInputError for another name."""
    known = constants()
    as_it_is: list[Factors] = [()] * len(seeds)
    if name == ALL:
        drawn = [drawn_factors(seed) for seed in seeds]
        return [as_it_is, drawn, [_mirrored(one) for one in drawn]]
    if name not in known:
        raise BadInputError(
            f"no constant {name!r}", where="sensitivity", next_step=f"all, or one of {', '.join(known)}"
        )
    one_scaled: list[list[Factors]] = [[((name, factor),)] * len(seeds) for factor in FACTORS]
    return [as_it_is, *one_scaled]


def drawn_factors(seed: int) -> Factors:
    """A factor for each constant; the same for the same seed."""
    chance = Random(f"{seed} constants")
    return tuple((name, chance.choice(FACTORS)) for name in constants())


def _mirrored(factors: Factors) -> Factors:
    return tuple((name, LOW if factor == HIGH else HIGH) for name, factor in factors)


@contextmanager
def scaled(factors: Factors) -> Iterator[None]:
    """Constants multiplied by factors, in every module of the fusion that uses them. Times that other modules
    computed from one of them stay."""
    before = constants()
    try:
        for name, factor in factors:
            _set(name, before[name], before[name] * factor)
        _compute_anew()
        yield
    finally:
        for name, factor in factors:
            _set(name, before[name] * factor, before[name])
        _compute_anew()


def _compute_anew() -> None:
    """What is computed from constants and kept."""
    clutter.CANCELLED.update(clutter.cancelled_signs())
    action_search.differs.cache_clear()


def _set(name: str, old: float, value: float) -> None:
    verb, _, field = name.rpartition(".")
    if verb:
        changed: dict[str, Any] = {field: value}
        SIGN_MODELS[Verb(verb)] = replace(SIGN_MODELS[Verb(verb)], **changed)
        return
    for module in [module for path, module in sys.modules.items() if path.startswith("companion.fusion")]:
        # Two modules may have a constant each of the same name.
        if getattr(module, name, None) == old:
            setattr(module, name, value)


def counts_of(reports: Sequence["GameReport"]) -> dict[str, int]:
    """What is counted of some games, plain values for JSON."""
    compared = [one.comparison for one in reports]
    return {
        "games_matching_truth": sum(one.matches for one in compared),
        "claims": sum(one.claims for one in compared),
        "wrong_verdicts": sum(one.wrong_verdicts for one in compared),
        "cannot_tell": sum(one.cannot_tell for one in compared),
        "questions_asked": sum(len(one.questions) for one in reports),
        "retractions": sum(one.retractions for one in reports),
    }


class Effect(NamedTuple):
    """What a constant does to a count: the difference of a game's counts with it times HIGH and times LOW, its
    standard error, and whether it stands out among all constants (FALSE_ALARM)."""

    constant: str
    counted: str
    effect: float
    error: float
    stands_out: bool


def effects(drawn: Mapping[int, Counts], mirrored: Mapping[int, Counts]) -> list[Effect]:
    """The effect of each constant on each count, the surest first; counts by seed of its drawn factors."""
    names, seeds = list(constants()), sorted(drawn)
    signs = {seed: [1 if factor == HIGH else -1 for _, factor in drawn_factors(seed)] for seed in seeds}
    limit = NormalDist().inv_cdf(1 - FALSE_ALARM / 2 / len(names))
    found = []
    for count in drawn[seeds[0]]:
        apart = [drawn[seed][count] - mirrored[seed][count] for seed in seeds]
        for n, name in enumerate(names):
            own = [signs[seed][n] * one for seed, one in zip(seeds, apart, strict=True)]
            mean = sum(own) / len(own)
            spread = sum((one - mean) ** 2 for one in own) / max(1, len(own) - 1)
            error = sqrt(spread / len(own))
            found.append(Effect(name, count, mean, error, abs(mean) > limit * error))
    return sorted(found, key=lambda one: -abs(one.effect) / (one.error or 1.0))


def sensitivity(name: str, seeds: Sequence[int], reports: Sequence["GameReport"]) -> dict[str, Any]:
    """The result for a constant or ALL, plain values for JSON; `reports` has a game of each seed for each of
    `settings_of`, in this order."""
    each = len(seeds)
    rows = [reports[n : n + each] for n in range(0, len(reports), each)]
    if name != ALL:
        ways = [(name, factor) for factor in (1.0, *FACTORS)]
        return {
            "sensitivity": [
                {"constant": name, "factor": factor, **counts_of(games)}
                for (name, factor), games in zip(ways, rows, strict=True)
            ]
        }
    as_they_are, *others = ({one.seed: counts_of([one]) for one in games} for games in rows)
    return {
        "sensitivity": {
            "as they are": counts_of(rows[0]),
            "moved at random": counts_of([one for games in rows[1:] for one in games]),
            "effects": [one._asdict() for one in effects(*others)],
            "by_seed": {str(seed): [games[seed] for games in (as_they_are, *others)] for seed in seeds},
        }
    }
