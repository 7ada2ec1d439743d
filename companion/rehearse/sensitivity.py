"""Sensitivity: rehearsals with scaled constants of the fusion, to see which constants matter.

For one constant, equal games are played with it as it is and times each factor. For all constants, each game
draws a factor for every constant. It is played with these factors, with each factor exchanged (a fold-over
design), and unscaled. The difference of the first two plays cancels what is special about the game, and joint
effects of two constants. Its mean over the games, with the sign of a constant's factor, is this constant's
effect.
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
from companion.fusion import action_search, clutter
from companion.fusion.parameters import reading_costs
from companion.fusion.parameters.sign_models import SIGN_MODELS
from companion.games.signs import Verb

if TYPE_CHECKING:
    from companion.rehearse.game_report import GameReport

FACTORS = LOW, HIGH = (0.7, 1.4)
"""Factors by which a constant is multiplied: LOW, then HIGH."""
ALL = "all"
"""Value of --sensitivity that scales all constants at once."""
FALSE_ALARM = 0.05
"""Probability (0 to 1) that chance alone makes any constant stand out.

It holds for one count, such as wrong verdicts, that in truth no constant affects. So each constant is tested
at FALSE_ALARM divided by their number (see `Effect`).
"""

Factors = tuple[tuple[str, float], ...]
"""Pairs (name of a constant, its factor); a constant without a pair is not scaled."""
Counts = Mapping[str, int]
"""Name of a count, such as "claims" -> its value in one game; see `counts_of`."""


def constants() -> dict[str, float]:
    """Name -> value of every cost (nats) and time (s) of the fusion, except zeros.

    The fusion combines the sensors' reports. A constant of one kind of sign is named "verb.field".
    """
    costs = reading_costs.COSTS
    plain = {one.name: getattr(costs, one.name) for one in fields(costs)}
    del plain["sure_texture"]  # a probability: it has no multiple
    rows = {
        f"{verb}.{one.name}": getattr(row, one.name)
        for verb, row in SIGN_MODELS.items()
        for one in fields(row)
        if isinstance(getattr(row, one.name), float)
    }
    return {name: value for name, value in {**plain, **rows}.items() if value}


def settings_of(name: str, seeds: Sequence[int]) -> list[list[Factors]]:
    """Choose each game's factors, one list per way to play.

    `name`: a constant, which is played unscaled, times LOW and times HIGH. Or ALL, which is played unscaled,
    with the factors drawn for each seed, and with LOW and HIGH exchanged. Returns three lists in this order.
    Each has one entry, the pairs (constant, factor), for each of `seeds`. BadInputError for an unknown name.
    """
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
    """Draw LOW or HIGH at random for each fusion constant.

    Returns pairs (name, factor) in the order of `constants`. Equal seeds give equal factors.
    """
    chance = Random(f"{seed} constants")
    return tuple((name, chance.choice(FACTORS)) for name in constants())


def _mirrored(factors: Factors) -> Factors:
    """Exchange LOW and HIGH in every factor."""
    return tuple((name, LOW if factor == HIGH else HIGH) for name, factor in factors)


@contextmanager
def scaled(factors: Factors) -> Iterator[None]:
    """Multiply fusion constants by factors within a `with` block.

    Every module that uses them sees the new values. Afterwards all constants have their old values. Times that
    other modules derived from a constant are not scaled.
    """
    before = constants()
    try:
        for name, factor in factors:
            _set(name, before[name] * factor)
        _compute_anew()
        yield
    finally:
        for name, _ in factors:
            _set(name, before[name])
        _compute_anew()


def _compute_anew() -> None:
    """Recompute the values that modules of the fusion derived from constants and kept."""
    clutter.CANCELLED.update(clutter.cancelled_signs())
    action_search.differs.cache_clear()


def _set(name: str, value: float) -> None:
    """Give one constant of the fusion a value, in every loaded module that uses it.

    `name`: as in `constants`. `value`: in the constant's unit.
    """
    verb, _, field = name.rpartition(".")
    changed: dict[str, Any] = {field: value}
    if verb:
        SIGN_MODELS[Verb(verb)] = replace(SIGN_MODELS[Verb(verb)], **changed)
        return
    costs = reading_costs.COSTS
    changed_costs = replace(costs, **changed)
    for module in [module for path, module in sys.modules.items() if path.startswith("companion.fusion")]:
        if getattr(module, "COSTS", None) is costs:
            module.COSTS = changed_costs  # type: ignore[attr-defined]


def counts_of(reports: Sequence["GameReport"]) -> dict[str, int]:
    """Add up games' claims, verdicts, questions and corrections for JSON.

    Keys: games_matching_truth (games whose final state was right), claims, wrong_verdicts, cannot_tell (claims
    left open), questions_asked and retractions (corrected sentences).
    """
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
    """Effect of a scaled constant on a count.

    The count is, for example, that of wrong verdicts. `constant`: its name. `effect`: mean count of a game with
    the constant times HIGH, minus the mean with it times LOW. `counted`: name of the count, see `counts_of`.
    `error`: standard error of the effect. `stands_out`: whether the effect is significant, although many
    constants are tested at once (FALSE_ALARM).
    """

    constant: str
    counted: str
    effect: float
    error: float
    stands_out: bool


def effects(drawn: Mapping[int, Counts], mirrored: Mapping[int, Counts]) -> list[Effect]:
    """Estimate each constant's effect on each count, most significant first.

    Both arguments map the seed of a game to its counts: `drawn` with the drawn factors, `mirrored` with LOW
    and HIGH exchanged. Both have equal seeds.
    """
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
    """Gather the counts and effects of all games, for JSON.

    `name`: a constant or ALL. `reports`: for each list of `settings_of`, in order, one game of each of
    `seeds`. Returns a dict with one key, "sensitivity". For a constant it holds a list: constant, factor, and
    the counts of `counts_of` for each of 1, LOW, HIGH. For ALL it holds a dict: "as they are" and "moved at
    random" (counts), "effects" (fields of `Effect`), and "by_seed" (seed -> counts of its three games).
    """
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
