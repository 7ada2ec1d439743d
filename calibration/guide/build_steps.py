"""The steps of the build guide with their parts and tools, and the rungs that are built of them."""

from functools import cache
from importlib.resources import files

import msgspec


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part that is bought: price in euros for one, least and most; what does as well; what to mind."""

    name: str
    price: tuple[float, float]
    instead: str = ""
    note: str = ""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the guide. `parts`: id -> how many, or the field of the rung that says how many.

    `does`: numbered lines. `bench`: what `companion watch --bench` tests before anything is glued; `again`:
    what it tests after that. `good`: how a maker knows that the step is done. `hours`: an estimate.
    """

    title: str
    hours: float
    does: str
    good: str
    parts: dict[str, int | str] = {}
    tools: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    drawings: tuple[str, ...] = ()
    bench: str = ""
    again: str = ""
    see: tuple[str, ...] = ()


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rung of the ladder of rigs: its steps in order.

    `rig` is its name for `companion rehearse --rig`.

    `after`: ids of rungs whose pages have the steps that this rung repeats. Its list of parts adds to that of
    the first of them.
    """

    id: str
    rig: str
    title: str
    short: str
    proves: str
    steps: tuple[str, ...]
    after: tuple[str, ...] = ()
    wiring: str = ""
    flash: str = ""
    buttons: str = ""
    foils: int = 0

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"build-{self.id}.md"


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All parts, steps and rungs."""

    part: dict[str, Part]
    drawing: dict[str, str]
    """File name of a drawing -> what it shows."""
    step: dict[str, Step]
    rung: tuple[Rung, ...]

    def steps_of(self, rung: Rung) -> list[Step]:
        """The steps of a rung in order; KeyError for one that does not exist."""
        return [self.step[name] for name in rung.steps]

    def home_of(self, rung: Rung, step: str) -> Rung:
        """The rung on whose page a step of this rung is written; KeyError for a rung that does not exist."""
        for name in rung.after:
            if step in (below := self.rung_of(name)).steps:
                return self.home_of(below, step)
        return rung

    def rung_of(self, name: str) -> Rung:
        """The rung of that id; KeyError if there is none."""
        if (found := self.named(name)) is None:
            raise KeyError(name)
        return found

    def named(self, name: str) -> Rung | None:
        """The rung of that name; None if there is none."""
        return next((rung for rung in self.rung if rung.id == name), None)


@cache
def load_guide() -> Guide:
    """The guide of this version, from `build.toml` beside this file."""
    return msgspec.toml.decode((files("calibration.guide") / "build.toml").read_bytes(), type=Guide)
