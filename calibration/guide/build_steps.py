"""Steps of the build guide, with parts and tools.

A rung is one stage of extension of a rig.
"""

from functools import cache
from importlib.resources import files

import msgspec


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part that a maker buys.

    `price`: least and highest price (euros). `instead`: what may replace it. `note`: a hint.
    """

    name: str
    price: tuple[float, float]
    instead: str = ""
    note: str = ""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Step of the build guide, with parts and tools.

    `warnings`: sentences to read first. `drawings`: names of drawings. `see`: links to other pages.
    """

    title: str
    hours: float
    """Estimated time (h)."""
    does: str
    """Numbered lines of instructions."""
    good: str
    """Sentence on how a maker recognises that the step is done."""
    parts: dict[str, int | str] = {}
    """Id of a part -> count, or name of the field of `Rung` that holds the count."""
    tools: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    drawings: tuple[str, ...] = ()
    bench: str = ""
    """Part that `companion watch --bench` tests before anything is glued; "" for none."""
    again: str = ""
    """Part that is tested once more after gluing; "" for none."""
    see: tuple[str, ...] = ()


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stage of extension of a rig (rung): the steps that build it, in order.

    `wiring`: file of the wiring drawing, "" for none. `flash`, `buttons`: texts that steps insert. `foils`:
    number of foils.
    """

    id: str
    rig: str
    """Name of this rig for `companion rehearse --rig`."""
    title: str
    short: str
    proves: str
    """What a rig of this stage recognises in a game, in words."""
    steps: tuple[str, ...]
    after: tuple[str, ...] = ()
    """Ids of simpler stages, whose pages describe steps that occur here again.

    The parts list of this stage adds to that of the first of them.
    """
    wiring: str = ""
    flash: str = ""
    buttons: str = ""
    foils: int = 0

    @property
    def page(self) -> str:
        """File name of this stage's page."""
        return f"build-{self.id}.md"


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Build guide: parts, drawings, steps and stages of extension (rungs)."""

    part: dict[str, Part]
    drawing: dict[str, str]
    """File name of a drawing -> what it shows."""
    step: dict[str, Step]
    rung: tuple[Rung, ...]

    def steps_of(self, rung: Rung) -> list[Step]:
        """Steps of a stage of extension (rung), in order.

        KeyError for an unknown step.
        """
        return [self.step[name] for name in rung.steps]

    def home_of(self, rung: Rung, step: str) -> Rung:
        """Stage (rung) whose page describes a step.

        That page is of the simplest stage with that step. KeyError if a rung's `after` names an unknown rung.
        """
        for name in rung.after:
            if step in (below := self.rung_of(name)).steps:
                return self.home_of(below, step)
        return rung

    def rung_of(self, name: str) -> Rung:
        """Stage of extension (rung) with the id `name`; KeyError if there is none."""
        if (found := self.named(name)) is None:
            raise KeyError(name)
        return found

    def named(self, name: str) -> Rung | None:
        """Stage of extension (rung) with the id `name`; None if there is none."""
        return next((rung for rung in self.rung if rung.id == name), None)


@cache
def load_guide() -> Guide:
    """Read the build guide from `build.toml` in this package."""
    return msgspec.toml.decode((files("calibration.guide") / "build.toml").read_bytes(), type=Guide)
