"""Writes the build guide's pages, one for each rung, complete from parts to last step."""

from calibration.guide.bench_ranges import RANGES
from calibration.guide.build_steps import Guide, Rung, Step
from calibration.guide.parts_list import hours_of, parts_of, price_of, tools_of, warnings_of

_TOLD = (
    "Estimates of ours, in euros of 2026, for single parts from ordinary shops: nobody has built this yet. "
    "The computer (any PC with Linux, or a Raspberry Pi 4 or 5) and the game are not in it."
)
_PRINTS = {"arm-corner": "arm-corner.stl", "arm-head": "arm-head.stl"}


def ladder(guide: Guide) -> str:
    """Table of all rungs: price, hours, page."""
    lines = ["| rig | parts | hours | it tells |", "|---|---|---|---|"]
    for rung in guide.rung:
        least, most = price_of(guide, rung)
        name = f"[{rung.short}]({rung.page})"
        lines.append(f"| **{name}** | {least} to {most} euros | {hours_of(guide, rung)} | {rung.proves} |")
    return "\n".join(lines)


_BEGIN, _END = "<!-- the ladder: make docs writes it -->", "<!-- end of the ladder -->"


def with_ladder(index: str, guide: Guide) -> str:
    """Index page with a fresh first line and table.

    ValueError without a place for them.
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
    """Pages of all rungs: file name -> Markdown."""
    return {rung.page: page(guide, rung) for rung in guide.rung}


def page(guide: Guide, rung: Rung) -> str:
    """Page of one rung as Markdown."""
    least, most = price_of(guide, rung)
    steps = guide.steps_of(rung)
    lines = [
        f"# {rung.title}: {least} to {most} euros, {hours_of(guide, rung)} hours",
        "",
        f"{_TOLD} It tells {rung.proves}. [All rigs](build-guide.md).",
        "",
        "<!-- make docs writes this page from calibration/guide/build.toml: change it there. -->",
        "",
    ]
    if warned := warnings_of(guide, rung):
        lines += ["## Read this first", "", *(f"- **{one}**" for one in warned), ""]
    lines += ["## Parts", "", *_parts(guide, rung), ""]
    lines += ["## Tools", "", f"{_listed(tools_of(guide, rung))}.", ""]
    lines += _drawings(guide, rung, steps)
    lines += ["## The steps", ""]
    lines += [
        f"{number}. [{step.title}](#{_anchor(number, step)}), {_hours(step)}"
        for number, step in enumerate(steps, 1)
    ]
    for number, step in enumerate(steps, 1):
        lines += ["", *_step(guide, rung, number, step)]
    lines += ["", "Something does not work: [by symptom](build-guide.md#troubleshooting-by-symptom)."]
    return "\n".join(lines) + "\n"


def _parts(guide: Guide, rung: Rung) -> list[str]:
    lines = ["| how many | part | euros each | instead, or mind | steps |", "|---|---|---|---|---|"]
    for one in parts_of(guide, rung):
        least, most = one.part.price
        told = "; ".join(filter(None, (one.part.instead, one.part.note)))
        steps = ", ".join(map(str, one.steps))
        lines.append(f"| {one.count} | {one.part.name} | {least:g} to {most:g} | {told} | {steps} |")
    return lines


def _drawings(guide: Guide, rung: Rung, steps: list[Step]) -> list[str]:
    names = list(dict.fromkeys(name for step in steps for name in step.drawings))
    lines = ["## Drawings", "", "All in one file to print at 100 %: [rig-drawings.pdf](rigs/rig-drawings.pdf) "
             "(`companion sheets --only rig`). To print in plastic: "
             f"{_listed([f'[{one}](rigs/{one})' for one in _PRINTS.values()])}.", ""]  # fmt: skip
    lines += [f"- [{guide.drawing[name]}](rigs/{name}.svg)" for name in names]
    if rung.wiring:
        lines += ["", f"![Wiring](rigs/{rung.wiring})"]
    return [*lines, ""]


def _step(guide: Guide, rung: Rung, number: int, step: Step) -> list[str]:
    lines = [f"## {number}. {step.title}", ""]
    parts = [f"{count} x {guide.part[name].name}" for name, count in _counts(rung, step)]
    lines += [
        f"{_hours(step)[0].upper()}{_hours(step)[1:]}." + (f" You need: {'; '.join(parts)}." if parts else "")
    ]
    lines += [f"Tools: {_listed(list(step.tools))}."] if step.tools else []
    if step.drawings:
        lines += [f"Drawings: {_listed([f'[{guide.drawing[one]}](rigs/{one}.svg)' for one in step.drawings])}."]
    lines += [""] + [f"> **{one}**\n" for one in step.warnings]
    lines.append(step.does.strip().replace("{flash}", rung.flash).replace("{buttons}", rung.buttons))
    if step.bench:
        lines += ["", *_bench(step.bench)]
    if step.again:
        lines += ["", f"Test it again as it lies now: `companion watch {step.again} --bench`."]
    lines += ["", f"**Done when:** {step.good}"]
    lines += ["", f"More: {_listed(list(step.see))}."] if step.see else []
    return lines


def _counts(rung: Rung, step: Step) -> list[tuple[str, int]]:
    return [(name, getattr(rung, n) if isinstance(n, str) else n) for name, n in step.parts.items()]


def _bench(part: str) -> list[str]:
    """Lines about the bench test of a part, before it is glued in."""
    rows = [f"| {one.what} | {one.words} |" for one in RANGES[part]]
    return [
        f"**Bench test, before anything is glued:** `companion watch {part} --bench` ([watch.md](watch.md)).",
        "It says what to do and counts down. What comes too soon is asked for again. It passes only if every",
        "number is in its range:",
        "",
        "| number | range |",
        "|---|---|",
        *rows,
    ]


def _hours(step: Step) -> str:
    minutes = 5 * round(step.hours * 12)
    return f"about {minutes} minutes" if minutes < 90 else f"about {step.hours:g} hours"


def _listed(words: list[str]) -> str:
    return ", ".join(words)


def _anchor(number: int, step: Step) -> str:
    kept = "".join(one for one in step.title.lower() if one.isalnum() or one in " -")
    return f"{number}-{kept.replace(' ', '-')}"
