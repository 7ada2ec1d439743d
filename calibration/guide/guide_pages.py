"""Writes the pages of the build guide, one for each rung (stage of extension of a rig)."""

from typing import NamedTuple

from calibration.guide.build_steps import Guide, Rung, Step
from calibration.guide.parts_list import added_parts, hours_of, price_of, tools_of, warnings_of
from calibration.watch.bench_tests import BACK_SHARE, COUNTS_PER_GRAM, HEARD_SHARE, TOUCH_TIMES
from calibration.watch.camera_values import EDGES_PX, LIGHT, RATE
from calibration.watch.live_values import FOIL_PF, MATRIX_REST, NOISE_G, SCALE_HZ

_TOLD = (
    "Estimates in euros of 2026, without the game and the computer (a PC with Linux, a Raspberry Pi 4 or 5): "
    "nobody has built this yet."
)
_DRAWINGS = (
    "Drawings, to print at 100 %: [rig-drawings.pdf](rigs/rig-drawings.pdf) (`companion sheets --only rig`). "
    "In plastic: [arm-corner.stl](rigs/arm-corner.stl), [arm-head.stl](rigs/arm-head.stl)."
)
_BENCH = (
    "A bench test comes before anything is glued. It says what to do and passes only if every number is in the "
    "range given here ([watch.md](watch.md))."
)


class Range(NamedTuple):
    """Range in which a bench test's measured number passes.

    `what`: the number's name. `low`, `high`: ends of the range, in `unit`.
    """

    what: str
    low: float
    high: float
    unit: str = ""

    @property
    def words(self) -> str:
        """Range as text, e.g. "0 to 3 g"."""
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.low:g}{unit}" if self.low == self.high else f"{self.low:g} to {self.high:g}{unit}"


RANGES = {
    "scale": (
        Range("noise", 0, NOISE_G, "g"),
        Range("readings a second", SCALE_HZ, 100),
        Range("counts a gram", *COUNTS_PER_GRAM),
        Range("left after unloading", -BACK_SHARE, BACK_SHARE, "%"),
    ),
    "touch": (Range("foil", *FOIL_PF, "pF"), Range("depth of a finger, in thresholds", *TOUCH_TIMES)),
    "matrix": (
        Range("level at rest", 0, MATRIX_REST),
        Range("rows reached", 16, 16),
        Range("columns reached", 16, 16),
    ),
    "reader": (Range("scans that hear the tag", *HEARD_SHARE, "%"),),
    "button": (Range("closed while held", 95, 100, "%"),),
    "camera": (
        Range("pictures a second", *RATE),
        Range("mean light", *LIGHT),
        Range("width of the sharpest edges", *EDGES_PX, "px"),
    ),
}
"""Part that `companion watch PART --bench` tests -> its numbers with ranges, in the order of the report."""


def ladder(guide: Guide) -> str:
    """Markdown table of all stages of extension (rungs): price, hours, what each recognises."""
    lines = ["| rig | parts | hours | it tells |", "|---|---|---|---|"]
    for rung in guide.rung:
        least, most = price_of(guide, rung)
        name = f"[{rung.short}]({rung.page})"
        lines.append(f"| **{name}** | {least} to {most} euros | {hours_of(guide, rung)} | {rung.proves} |")
    return "\n".join(lines)


_BEGIN, _END = "<!-- the ladder: make docs writes it -->", "<!-- end of the ladder -->"


def with_ladder(index: str, guide: Guide) -> str:
    """Bring the first line and the table of stages in an index page up to date.

    `index`: Markdown of the page. ValueError if it has no marks around the table.
    """
    prices = [price_of(guide, rung) for rung in guide.rung]
    hours = [hours_of(guide, rung) for rung in guide.rung]
    least, most = min(prices)[0], max(high for _, high in prices)
    first = f"# Building a rig: {least} to {most} euros, {min(hours)} to {max(hours)} hours"
    index = "\n".join([first, *index.split("\n")[1:]])
    before, begin, rest = index.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"no lines {_BEGIN!r} and {_END!r}")
    return f"{before}{_BEGIN}\n{ladder(guide)}\n{_END}{after}"


def pages(guide: Guide) -> dict[str, str]:
    """Pages of all rungs (stages of extension).

    Returns file name -> Markdown.
    """
    return {rung.page: page(guide, rung) for rung in guide.rung}


def page(guide: Guide, rung: Rung) -> str:
    """Page of the guide on one stage of extension (rung), as Markdown.

    Steps that simpler rungs describe are links to their pages.
    """
    least, most = price_of(guide, rung)
    lines = [
        f"# {rung.title}: {least} to {most} euros, {hours_of(guide, rung)} hours",
        "",
        f"{_TOLD} It tells {rung.proves}. [All rigs](build-guide.md).",
        "",
        "<!-- Written by make docs from calibration/guide/build.toml. -->",
        "",
    ]
    if warned := warnings_of(guide, rung):
        lines += ["## Read this first", "", *(f"- **{one}**" for one in warned), ""]
    lines += ["## Parts", "", *_parts(guide, rung), ""]
    lines += ["## Tools and drawings", "", f"You need {_listed(tools_of(guide, rung))}.", "", _DRAWINGS]
    lines += ["", f"![Wiring](rigs/{rung.wiring})"] if rung.wiring else []
    lines += ["", "## The steps", ""]
    numbered = list(enumerate(rung.steps, 1))
    lines += [f"{number}. {_link(guide, rung, name)}, {_hours(guide.step[name])}" for number, name in numbered]
    here = [(number, name) for number, name in numbered if guide.home_of(rung, name) is rung]
    if any(guide.step[name].bench for _, name in here):
        lines += ["", _BENCH]
    for number, name in here:
        lines += ["", *_step(guide, rung, number, guide.step[name])]
    lines += ["", "Something does not work: [by symptom](build-guide.md#troubleshooting-by-symptom)."]
    return "\n".join(lines) + "\n"


def _link(guide: Guide, rung: Rung, name: str) -> str:
    """Line of a page's step list, linking to a step.

    If another rung's page describes the step, the line also says how this rung does it differently.
    """
    home, step = guide.home_of(rung, name), guide.step[name]
    file = "" if home is rung else home.page
    link = f"[{step.title}]({file}#{_anchor(home.steps.index(name) + 1, step)})"
    if home is rung:
        return link
    differs = [
        getattr(rung, field).rstrip(".")
        for field in ("flash", "buttons")
        if f"{{{field}}}" in step.does and getattr(rung, field) != getattr(home, field)
    ]
    differs = [f"`{one}`" if one == rung.flash else one for one in differs]
    there = _counts(home, step)
    differs += [
        f"{count} x {guide.part[part].name}"
        for part, count in _counts(rung, step)
        if (part, count) not in there
    ]
    return f"{link} (here: {'; '.join(differs)})" if differs else link


def _parts(guide: Guide, rung: Rung) -> list[str]:
    lines = []
    if rung.after:
        below = guide.rung_of(rung.after[0])
        lines += [
            f"All parts of [{below.short}]({below.page}#parts), and these. "
            f"One list of all, with prices: `companion guide {rung.id}`.",
            "",
        ]
    lines += ["In brackets the step; after it what does instead, or what to mind.", ""]
    for one in added_parts(guide, rung):
        told = "; ".join(filter(None, (one.part.instead, one.part.note)))
        part = f"- {one.count} x {one.part.name} ({', '.join(map(str, one.steps))})"
        lines.append(f"{part}: {told}" if told else part)
    return lines


def _step(guide: Guide, rung: Rung, number: int, step: Step) -> list[str]:
    lines = [f"## {number}. {step.title}", ""]
    tools = [f"Tools: {_listed(list(step.tools))}."] if step.tools else []
    names = [f"[{guide.drawing[one]}](rigs/{one}.svg)" for one in step.drawings]
    drawings = [f"Drawings: {_listed(names)}."] if names else []
    lines += [" ".join([*tools, *drawings]), ""] if tools or drawings else []
    lines += [f"> **{one}**\n" for one in step.warnings]
    lines.append(step.does.strip().replace("{flash}", rung.flash).replace("{buttons}", rung.buttons))
    if step.bench:
        ranges = "; ".join(f"{one.what} {one.words}" for one in RANGES[step.bench])
        lines += ["", f"**Bench test:** `companion watch {step.bench} --bench`: {ranges}."]
    if step.again:
        lines += ["", f"Test it again as it lies now: `companion watch {step.again} --bench`."]
    lines += ["", f"**Done when:** {step.good}"]
    lines += ["", f"More: {_listed(list(step.see))}."] if step.see else []
    return lines


def _counts(rung: Rung, step: Step) -> list[tuple[str, int]]:
    return [(name, getattr(rung, n) if isinstance(n, str) else n) for name, n in step.parts.items()]


def _hours(step: Step) -> str:
    minutes = 5 * round(step.hours * 12)
    return f"{minutes} min" if minutes < 90 else f"{step.hours:g} h"


def _listed(words: list[str]) -> str:
    return ", ".join(words)


def _anchor(number: int, step: Step) -> str:
    kept = "".join(one for one in step.title.lower() if one.isalnum() or one in " -")
    return f"{number}-{kept.replace(' ', '-')}"
