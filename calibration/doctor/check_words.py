"""Words for checks in the reader's language: verdicts, names, units.

JSON output and rig profiles keep the English words.
"""

from collections.abc import Mapping

from calibration.wizard.step_result import Verdict
from companion.core.language import Text, localized, plural, term, text
from companion.core.sensor_terms import place_name, sensor_name

VERDICTS = {
    Verdict.GOOD: term("verdict", "good"),
    Verdict.USABLE: term("verdict", "usable"),
    Verdict.NOT_GOOD: term("verdict", "not good"),
    Verdict.NOT_TESTED: term("verdict", "not tested"),
}
"""Verdict -> its word, to be translated."""
_NAMES: Mapping[str, Text] = {
    "python": term("check", "python"),
    "packages": term("check", "packages"),
    "zbar": term("check", "zbar"),
    "clock": term("check", "clock"),
    "disk": term("check", "disk"),
    "home": term("check", "home"),
    "settings": term("check", "settings"),
    "journals": term("check", "journals"),
    "sockets": term("check", "sockets"),
    "camera permission": term("check", "camera permission"),
    "mat": term("check", "mat"),
    "focus": term("check", "focus"),
    "exposure": term("check", "exposure"),
    "flicker": term("check", "flicker"),
    "cards": term("check", "cards"),
    "port permission": term("check", "port permission"),
    "firmware": term("check", "firmware"),
    "link": term("check", "link"),
    "stations": term("check", "stations"),
    "board's log": term("check", "board's log"),
    "rig": term("check", "rig"),
    "rig age": term("check", "rig age"),
    "setup steps": term("check", "setup steps"),
    "identity": term("check", "identity"),
    "last game": term("check", "last game"),
    "terminal": term("check", "terminal"),
    "find at setup": term("check", "find at setup"),
    "camera at setup": term("check", "camera at setup"),
    "lens at setup": term("check", "lens at setup"),
    "cards at setup": term("check", "cards at setup"),
    "names at setup": term("check", "names at setup"),
    "tags at setup": term("check", "tags at setup"),
    "texture at setup": term("check", "texture at setup"),
    "stations at setup": term("check", "stations at setup"),
    "rehearsal at setup": term("check", "rehearsal at setup"),
    "rehearsal": term("check", "rehearsal"),
    "true claim": term("check", "true claim"),
    "false claim": term("check", "false claim"),
}
_UNITS: Mapping[str, Text] = {
    "packages": plural("{n} package", "{n} packages"),
    "days behind": text("{n} days behind"),
    "MB free": text("{n} MB free"),
    "devices": plural("{n} device", "{n} devices"),
    "px wide": text("{n} px wide"),
    "refused": text("{n} refused"),
    "white level": text("white level {n}"),
    "mean level": text("mean level {n}"),
    "in sight": text("{n} in sight"),
    "stations": plural("{n} station", "{n} stations"),
    "ms round trip": text("{n} ms round trip"),
    "parts": plural("{n} part", "{n} parts"),
    "setup steps done": plural("{n} setup step done", "{n} setup steps done"),
    "days": plural("{n} day", "{n} days"),
    "changed": text("{n} changed"),
    "faults": plural("{n} fault", "{n} faults"),
    "counts": plural("{n} count", "{n} counts"),
    "cards": plural("{n} card", "{n} cards"),
    "lines": plural("{n} line", "{n} lines"),
    "wires": plural("{n} wire", "{n} wires"),
    "views": plural("{n} view", "{n} views"),
    "kinds": plural("{n} kind", "{n} kinds"),
    "pairs": plural("{n} pair", "{n} pairs"),
    "names": plural("{n} name", "{n} names"),
    "claims": plural("{n} claim", "{n} claims"),
    "codes": plural("{n} code", "{n} codes"),
    "degrees": plural("{n} degree", "{n} degrees"),
    "markers": plural("{n} marker", "{n} markers"),
    "MB": text("{n} MB"),
    "a second": text("{n} pictures a second"),
    "columns": plural("{n} column", "{n} columns"),
}
"""Unit that is a word -> its translation with a number; signs (px, mm, %) need none."""
_PARTS = {
    "count": term("part", "scale"),
    "texture": term("part", "pressure matrix"),
    "touch": term("part", "touch"),
    "button": term("part", "button"),
    "lamp": term("part", "lamp"),
    "reader": term("part", "tag reader"),
}
"""Capability of a station (the board's name for a sensor) -> name for families."""


def check_called(name: str) -> str:
    """Name of a check in the reader's language.

    `name`: the check's English name, which may also be a place with a part, or a sensor.
    """
    if name in _NAMES:
        return _NAMES[name]
    if name == "texture":  # the raised picture is felt; the pressure matrix feels it
        return term("sensed", "raised pictures")
    if name in _PARTS:
        return _PARTS[name]
    sensor = sensor_name(name)
    return sensor if isinstance(sensor, Text) else place_name(name)


def part_called(capability: str) -> str:
    """Name of a board's part for families.

    `capability`: the board's name for it, returned unchanged if unknown.
    """
    return _PARTS.get(capability, capability)


def measured(number: float | None, unit: str) -> str:
    """Write a number with its unit in the reader's language.

    "" for None.
    """
    if number is None:
        return ""
    if unit in _UNITS:
        whole = int(number) == number
        return localized(_UNITS[unit].of(n=int(number) if whole else f"{number:g}"))
    return f"{number:g} {unit}".strip()
