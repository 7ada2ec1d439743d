"""People's names for sensors and places, in their language.

A game has the words for its places: `term("place", "field {number}")` in its folder.
"""

import re

from companion.core.language import Text, term, text

_NUMBERED = re.compile(r"(.+) (\d+)")
_NAMES = {
    "camera": term("sensor", "camera"),
    "camera's view": term("sensor", "camera's view"),
    "camera's hold": term("sensor", "camera's hold"),
    "camera settings": term("sensor", "camera settings"),
    "picture": term("sensor", "picture"),
    "lamp": term("sensor", "lamp"),
    "lamps": term("sensor", "lamps"),
    "stickers": term("sensor", "stickers"),
    "tags": term("sensor", "tags"),
    "board": term("sensor", "board"),
    "restless scales": term("sensor", "restless scales"),
    "scales": term("sensor", "scales"),
    "scale": term("sensor", "scale"),
    "scales drift": term("sensor", "drift of the scales"),
    "electrode": term("sensor", "electrode"),
    "touch": term("sensor", "touch"),
    "buttons": term("sensor", "buttons"),
    "button": term("sensor", "button"),
    "reader": term("sensor", "reader"),
    "pressure matrix": term("sensor", "pressure matrix"),
    "engine": term("sensor", "engine"),
    "cable": term("sensor", "cable of the board"),
    "pad reader": term("sensor", "reader in the pad"),
    "journal": term("sensor", "journal"),
    "computer": term("sensor", "computer"),
}

SEVERAL = frozenset({"scales", "restless scales", "buttons"})
"""Sensors whose name is a plural, for grammar."""


def place_name(station: str) -> Text:
    """Name that the game gives to a station (place of the board's sensors), for people."""
    numbered = _NUMBERED.fullmatch(station)
    if numbered is None:
        return Text(station, context="place")
    return Text(f"{numbered[1]} {{number}}", {"number": int(numbered[2])}, context="place")


def sensor_name(source: str) -> str:
    """Name of a sensor for people.

    The sensor is given by its name in journals and events. An unknown name stays as it is.
    """
    if source in _NAMES:
        return _NAMES[source]
    for kind, name in _NAMES.items():
        if source.endswith(f" {kind}"):
            return text("{place} {sensor}", place=place_name(source.removesuffix(f" {kind}")), sensor=name)
    return source
