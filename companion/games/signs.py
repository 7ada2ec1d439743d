"""The signs that an action leaves for sensors: verb, place and kinds of the cards."""

from enum import StrEnum
from typing import NamedTuple

UNKNOWN_KIND = "?"
"""Kind of a card whose face is not known."""
ANY_KINDS = ("*",)
"""Kinds of a `Sign` that matches cards of whatever kind."""


class Verb(StrEnum):
    """What a sign says happened: a `Sign`'s first part.

    CAME to LIES are reported by sensors. VISIT to RECOUNTED are only predicted by the rules for an action;
    LATER to RECOUNTED mark actions that people rarely do.
    """

    CAME = "came"
    """Cards appeared in a zone."""
    LEFT = "left"
    """All cards that the camera knew in a zone left it together."""
    NEW = "new"
    """A card lies in a zone where it has not lain before."""
    GONE = "gone"
    """A single card is missing from a zone where it lay."""
    BACK = "back"
    """A card that was gone lies in its zone again."""
    AGAIN = "again"
    """A zone that was cleared (`LEFT`) holds some of the same cards again."""
    TOPPED = "topped"
    """The top card of a pile changed."""
    UNREAD = "unread"
    """A card that the camera never read left a zone."""
    REACH = "reach"
    """A hand covered a zone and went away."""
    TOUCH = "touch"
    """An electrode (touch sensor) felt a finger."""
    PRESS = "press"
    """A claim button was pressed."""
    TAG = "tag"
    """An NFC reader read a card's tag."""
    TEXTURE = "texture"
    """The pressure matrix felt a surface, which cards of these kinds have."""
    LIFT = "lift"
    """A scale lost a card."""
    PUT = "put"
    """A scale gained a card."""
    OFF = "off"
    """A scale lost its whole load."""
    HAND = "hand"
    """A hand rested on a scale."""
    STAY = "stay"
    """A hand stayed at a place, and nothing else was noticed there."""
    LIES = "lies"
    """Cards lie in a zone, unreadable ones counted too."""

    # Signs that the rules expect of an action. No sensor reports them under these names.
    VISIT = "visit"
    """A card's tag should be read (`TAG`), unless people skip the reader."""
    PRESSED = "pressed"
    """A card's texture should be felt (`TEXTURE`), unless people skip pressing it on the pad."""
    GLANCE = "glance"
    """Cards lie in a zone only for a moment."""
    SHOWN = "shown"
    """Cards are turned up; some of them may stay unread."""
    SINGLE = "single"
    """One card leaves a zone, no matter which."""
    SWEPT = "swept"
    """A zone loses all visible cards. An unread card stands for any of them."""
    LAID = "laid"
    """A card lies in a zone. It may have lain there before."""
    TOP = "top"
    """A card of one of these kinds lies on top of a pile."""
    SILENT = "silent"
    """The pad reports nothing although the card on it could have been read."""
    UNREADABLE = "unreadable"
    """A card was laid, but the camera never reads it."""
    LATER = "later"
    """People do late what the rules want at once."""
    IDLE = "idle"
    """People make a rare choice, e.g. an action without effect."""
    UNTOUCHED = "untouched"
    """People left out a touch that would have cost nothing."""
    IRREGULAR = "irregular"
    """People did what the rules forbid."""
    MOVED_ON = "moved on"
    """A card laid at a wrong place by mistake is moved to another."""
    ON_PAD = "on pad"
    """A card is checked on the pad although an electrode at its place could have felt it."""
    BENEATH = "beneath"
    """A card under another card was never read."""
    RECOUNTED = "recounted"
    """A pile proves to hold more or fewer cards than assumed."""


class Sign(NamedTuple):
    """Trace of an action that a sensor (should) report.

    `verb`: what happened.
    """

    verb: Verb
    place: str = ""
    """Name of a zone (camera) or station (board). Empty if the sign has no place."""
    kinds: tuple[str, ...] = ()
    """Kinds of the cards, UNKNOWN_KIND for an unread one. Empty if no cards are named."""
