"""Steps of the build guide with parts and tools, and the rungs built of them."""

from functools import cache
from importlib.resources import files

import msgspec


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part that is bought: its least and highest price (euros), replacements, and hints."""

    name: str
    price: tuple[float, float]
    instead: str = ""
    note: str = ""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Step of the build guide.

    `parts` maps a part's id to a count, or to the field of the rung that holds it. `does` has numbered lines.
    `bench` is the part that `companion watch --bench` tests before anything is glued, `again` after it. `good`
    tells how a maker knows that the step is done. `hours` is an estimate.
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

    `rig` is its name for `companion rehearse --rig`. `after` lists the ids of rungs on whose pages its
    repeated steps are written. The list of parts adds to that of the first of them.
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
        """File name of its page."""
        return f"build-{self.id}.md"


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Build guide: all parts, steps and rungs."""

    part: dict[str, Part]
    drawing: dict[str, str]
    """File name of a drawing -> what it shows."""
    step: dict[str, Step]
    rung: tuple[Rung, ...]

    def steps_of(self, rung: Rung) -> list[Step]:
        """Steps of a rung in order; KeyError for an unknown one."""
        return [self.step[name] for name in rung.steps]

    def home_of(self, rung: Rung, step: str) -> Rung:
        """Rung on whose page a step of this rung is written.

        KeyError if `after` names an unknown rung.
        """
        for name in rung.after:
            if step in (below := self.rung_of(name)).steps:
                return self.home_of(below, step)
        return rung

    def rung_of(self, name: str) -> Rung:
        """Rung with this id; KeyError if there is none."""
        if (found := self.named(name)) is None:
            raise KeyError(name)
        return found

    def named(self, name: str) -> Rung | None:
        """Rung with this id; None if there is none."""
        return next((rung for rung in self.rung if rung.id == name), None)


@cache
def load_guide() -> Guide:
    """Read this version's guide from `build.toml` beside this file."""
    return msgspec.toml.decode((files("calibration.guide") / "build.toml").read_bytes(), type=Guide)
