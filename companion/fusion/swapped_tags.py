"""Swapped tags: two cards that carry each other's tag since the enrolment, found by how they feel."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.fusion.likelihood import SURE_TEXTURE
from companion.sensing.observation import Observation, TagRead, Texture


class SwappedTags:
    """Reads tags as the cards that really carry them.

    Two tags are swapped if each was read beneath a card that felt like the other's, and never beneath one
    that felt like its own. One press alone may be wrong: see MISFELT.
    """

    def __init__(self, textures: Mapping[str, str]) -> None:
        """`textures`: code of a card -> its texture class, empty for a smooth one."""
        self.found: list[tuple[str, str]] = []
        """Codes of two cards with each other's tag."""
        self._textures = textures
        self._meant: dict[str, str] = {}
        self._on_pad: dict[str, frozenset[str]] = {}
        """Reader -> cards that it has read since its field was empty."""
        self._felt: dict[str, str | None] = {}
        """Card by its tag -> the class of another one that it felt like; None once it has felt like itself."""

    def read(self, observations: Sequence[Observation]) -> list[Observation]:
        """A batch with the cards that were meant."""
        told: list[Observation] = []
        for one in observations:
            seen = one
            match seen:
                case TagRead(_, station, None):
                    self._on_pad[station] = frozenset()
                case TagRead(_, station, str(card)) if card in self._textures:
                    seen = swapped(seen, self._meant)
                    self._on_pad[station] = self._on_pad.get(station, frozenset()) | {card}
                case Texture(_, station, cls, p) if (
                    p >= SURE_TEXTURE and len(self._on_pad.get(station, ())) == 1
                ):
                    (card,) = self._on_pad[station]
                    self._feel(card, cls or "")
            told.append(seen)
        return told

    def _feel(self, card: str, felt: str) -> None:
        own = self._textures[card]
        if card in self._meant or self._felt.get(card, "") is None:
            return
        self._felt[card] = None if felt == own else felt
        for other, like in list(self._felt.items()):
            if felt != own and like == own and self._textures[other] == felt:
                self._meant |= {card: other, other: card}
                self.found.append((other, card))
                return


def swapped(seen: Observation, meant: Mapping[str, str]) -> Observation:
    """An observation in which the tag of a card is that of another one."""
    if isinstance(seen, TagRead) and seen.card is not None:
        return replace(seen, card=meant.get(seen.card, seen.card))
    return seen
