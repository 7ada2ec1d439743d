"""Sensitivity: rehearsals with one constant of the fusion scaled at a time, to see which ones matter."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadInputError
from companion.fusion import likelihood
from companion.fusion.sensors import SIGN_MODELS

if TYPE_CHECKING:
    from companion.rehearse.pixels import GameReport

FACTORS = (0.7, 1.4)
"""What each constant is multiplied by."""
ALL = "all"


def constants() -> dict[str, float]:
    """Every constant by name, those of a sign as verb.field; a constant that is 0 is left out."""
    plain = {
        name: value for name, value in vars(likelihood).items() if name.isupper() and isinstance(value, float)
    }
    rows = {
        f"{verb}.{one.name}": getattr(row, one.name)
        for verb, row in SIGN_MODELS.items()
        for one in fields(row)
        if isinstance(getattr(row, one.name), float)
    }
    return {name: value for name, value in {**plain, **rows}.items() if value}


def chosen_constants(name: str) -> list[str]:
    """The constant of that name, or ALL; BadInputError for another name."""
    known = constants()
    if name != ALL and name not in known:
        raise BadInputError(
            f"no constant {name!r}", where="sensitivity", next_step=f"all, or one of {', '.join(known)}"
        )
    return list(known) if name == ALL else [name]


@contextmanager
def scaled(name: str, factor: float) -> Iterator[None]:
    """One constant multiplied by a factor, in every module of the fusion that uses it. What other constants
    were computed from it when the program was loaded stays."""
    before = constants()[name]
    _set(name, before * factor)
    try:
        yield
    finally:
        _set(name, before)


def _set(name: str, value: float) -> None:
    verb, _, field = name.rpartition(".")
    if verb:
        changed: dict[str, Any] = {field: value}
        SIGN_MODELS[verb] = replace(SIGN_MODELS[verb], **changed)
        return
    for module in [module for path, module in sys.modules.items() if path.startswith("companion.fusion")]:
        if hasattr(module, name):
            setattr(module, name, value)


def sensitivity_table(
    settings: Sequence[tuple[str, float] | None], reports: Sequence["GameReport"]
) -> list[dict[str, Any]]:
    """One row for each setting (constant and factor; None as it is); `reports` has the same number of games for
    each, in this order. Plain values for JSON."""
    each = len(reports) // len(settings)
    rows = []
    for n, setting in enumerate(settings):
        name, factor = setting or ("as it is", 1.0)
        games = reports[n * each : (n + 1) * each]
        compared = [one.comparison for one in games]
        rows.append(
            {
                "constant": name,
                "factor": factor,
                "games": each,
                "games_matching_truth": sum(one.matches for one in compared),
                "claims": sum(one.claims for one in compared),
                "wrong_verdicts": sum(one.wrong_verdicts for one in compared),
                "cannot_tell": sum(one.cannot_tell for one in compared),
                "questions_asked": sum(len(one.questions) for one in games),
                "retractions": sum(one.retractions for one in games),
            }
        )
    return rows
