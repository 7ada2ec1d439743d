"""Parts list of a rung: the sum over its steps."""

from collections import Counter
from dataclasses import dataclass, replace

from calibration.guide.build_steps import Guide, Part, Rung

_ROUND_EUR = 5


@dataclass(frozen=True, slots=True)
class Needed:
    """Line of the parts list: a part, and how many are needed.

    `steps`: numbers (from 1) of the steps that use it.
    """

    id: str
    part: Part
    count: int
    steps: tuple[int, ...]

    @property
    def price(self) -> tuple[float, float]:
        """Least and highest price (euros) of this line's parts."""
        least, most = self.part.price
        return self.count * least, self.count * most


def parts_of(guide: Guide, rung: Rung) -> list[Needed]:
    """Parts list of a stage of extension (rung), in the order of use.

    KeyError for an unknown part.
    """
    counts: Counter[str] = Counter()
    used: dict[str, list[int]] = {}
    for number, step in enumerate(guide.steps_of(rung), 1):
        for name, wanted in step.parts.items():
            counts[name] += int(getattr(rung, wanted)) if isinstance(wanted, str) else wanted
            used.setdefault(name, []).append(number)
    return [Needed(name, guide.part[name], counts[name], tuple(steps)) for name, steps in used.items()]


def added_parts(guide: Guide, rung: Rung) -> list[Needed]:
    """Parts that a stage of extension needs in addition to a simpler one.

    The simpler one is the first in the rung's `after`; all parts if `after` is empty. Each line lists only
    steps that the other rung lacks.
    """
    if not rung.after:
        return parts_of(guide, rung)
    first = guide.rung_of(rung.after[0])
    below = {one.id: one.count for one in parts_of(guide, first)}
    new = {number for number, name in enumerate(rung.steps, 1) if name not in first.steps}
    return [
        replace(one, count=more, steps=tuple(number for number in one.steps if number in new))
        for one in parts_of(guide, rung)
        if (more := one.count - below.get(one.id, 0)) > 0
    ]


def price_of(guide: Guide, rung: Rung) -> tuple[int, int]:
    """Least and highest price of a rung's parts (euros).

    Both are rounded to 5. A rung is a stage of extension. The computer is not included.
    """
    parts = parts_of(guide, rung)
    least, most = (sum(one.price[end] for one in parts) for end in (0, 1))
    return _ROUND_EUR * round(least / _ROUND_EUR), _ROUND_EUR * round(most / _ROUND_EUR)


def hours_of(guide: Guide, rung: Rung) -> int:
    """Estimated time (whole hours) to build a stage of extension (rung)."""
    return round(sum(step.hours for step in guide.steps_of(rung)))


def tools_of(guide: Guide, rung: Rung) -> list[str]:
    """Tools for building a stage of extension (rung), each once.

    They are those of its steps, in order.
    """
    return list(dict.fromkeys(tool for step in guide.steps_of(rung) for tool in step.tools))


def warnings_of(guide: Guide, rung: Rung) -> list[str]:
    """Warnings of the steps of a stage of extension (rung), each once."""
    return list(dict.fromkeys(one for step in guide.steps_of(rung) for one in step.warnings))
