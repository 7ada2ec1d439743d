"""The signs that an action leaves for sensors: verb, place and kinds of the cards."""

from enum import StrEnum
from typing import NamedTuple


class Verb(StrEnum):
    """Verb of a sign: what a sensor noticed, or what the rules expect of an action.

    Verbs up to LIES are sensor reports. Later ones describe actions; LATER to RECOUNTED mostly mark an
    unlikely action.
    """

    CAME = "came"
    """Cards appeared in a zone."""
    LEFT = "left"
    """Known cards were cleared from a zone."""
    NEW = "new"
    """A card lies in a zone for the first time."""
    GONE = "gone"
    """A card is missing from its zone."""
    BACK = "back"
    """A card that was gone lies in its zone again."""
    AGAIN = "again"
    """A cleared zone holds some of its former cards again."""
    TOPPED = "topped"
    """The top card of a pile changed."""
    UNREAD = "unread"
    """A card that was never read left a zone."""
    REACH = "reach"
    """A hand covered a zone and left."""
    TOUCH = "touch"
    """An electrode felt a finger."""
    PRESS = "press"
    """A claim button was pressed."""
    TAG = "tag"
    """An NFC reader read a card's tag."""
    TEXTURE = "texture"
    """The pressure matrix felt a card of one of these kinds."""
    LIFT = "lift"
    """A scale lost a card."""
    PUT = "put"
    """A scale gained a card."""
    OFF = "off"
    """A scale lost its whole load."""
    HAND = "hand"
    """A hand rested on a scale."""
    STAY = "stay"
    """A hand stayed at a place and left no other sign."""
    LIES = "lies"
    """Cards lie in a zone; unreadable cards count too."""

    # Signs that the rules expect of an action. No sensor reports them under these names.
    VISIT = "visit"
    """A tag is read, unless people skip showing the card to the reader."""
    PRESSED = "pressed"
    """A texture is felt, unless people skip pressing the card on the pad."""
    GLANCE = "glance"
    """Cards lie in a zone only for a moment."""
    SHOWN = "shown"
    """Cards are turned up; some of them may stay unread."""
    SINGLE = "single"
    """A zone loses one card."""
    SWEPT = "swept"
    """A zone loses all visible cards. An unread card stands for any of them."""
    LAID = "laid"
    """A card lies in a zone. It may have lain there before."""
    TOP = "top"
    """A card of one of these kinds lies on top of a pile."""
    SILENT = "silent"
    """The pad reports nothing although it could have read the card."""
    UNREADABLE = "unreadable"
    """A card was laid, but the camera never reads it."""
    LATER = "later"
    """People put an action off, which the rules do not allow."""
    IDLE = "idle"
    """People made a rare choice, such as an action without effect. It makes a hypothesis less likely."""
    UNTOUCHED = "untouched"
    """People left out a touch that would have cost nothing."""
    IRREGULAR = "irregular"
    """People did what the rules forbid."""
    MOVED_ON = "moved on"
    """A card laid at a wrong place by mistake goes on to another."""
    ON_PAD = "on pad"
    """A card is checked on the pad although an electrode could have felt it in place."""
    BENEATH = "beneath"
    """A card beneath another card was never read."""
    RECOUNTED = "recounted"
    """A pile is found to hold another number of cards than was guessed."""


class Sign(NamedTuple):
    """One trace of an action: a verb, a place, and the kinds of the cards concerned."""

    verb: Verb
    place: str = ""
    """Name of a zone (camera) or station (board). Empty if the sign has no place."""
    kinds: tuple[str, ...] = ()
    """Kinds of the cards, `UNKNOWN_KIND` for an unread one. Empty if the sign names no cards."""
