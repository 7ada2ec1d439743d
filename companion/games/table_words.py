"""Sentences about misplaced cards and a camera that sees badly, as every game says them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.core.language import Text, text
from companion.games.narrator import Message

DIFFERENCES: Mapping[str, Text] = MappingProxyType(
    {
        "extra": text("{place} I see {extra} too many."),
        "missing": text("{place} I miss {missing}."),
        "other": text("{place} I see {extra}, and miss {missing}."),
    }
)
"""What is wrong with the cards of a place ("extra", "missing" or "other") -> its sentence."""


CAMERA_LOSSES: Mapping[str, Text] = MappingProxyType(
    {
        "camera's hold": text("cards that come and go while it looks for the mat are not seen"),
        "camera's view": text("I may miss some cards, or read them late"),
    }
)
"""What the camera lacks -> what players lose meanwhile, in every game.

"camera's hold": it has lost the mat. "camera's view": it sees badly.
"""


def difference(place: str, extra: str, missing: str) -> str:
    """Sentence about a place with wrong cards.

    `place`: its name. `extra`: cards too many. `missing`: cards too few. All three are words for people; "" for
    none, but not for both.
    """
    kind = "other" if extra and missing else "extra" if extra else "missing"
    return DIFFERENCES[kind].of(place=place, extra=extra, missing=missing)


def message(sentences: Mapping[str, Text], kind: str, /, **of: Any) -> Message:
    """The message `kind` of a game, with values filled in.

    `sentences`: kind -> sentence. `of`: name in braces -> value. The message's id is made of `kind` and the
    values.
    """
    return Message(":".join((kind, *map(str, of.values()))), sentences[kind].of(**of))
