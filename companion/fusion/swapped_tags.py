"""Swapped tags: two cards that carry each other's tag since the enrolment, found by how they feel."""

from collections.abc import Mapping, Sequence
from typing import Generic

from msgspec.structs import replace

from companion.fusion.beam import Beam
from companion.fusion.catch_up import Batch, CatchUp
from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.reading_costs import COSTS
from companion.games.rules import A, S
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
                    p >= COSTS.sure_texture and len(self._on_pad.get(station, ())) == 1
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


class DealReader(Generic[S, A]):
    """Keeps the batches of the deal, and reads them again once two tags turn out to be swapped.

    `start`: the beam before the deal.
    """

    def __init__(self, start: Beam[S, A]) -> None:
        self._start = start
        self._batches: list[Batch] = []
        """With the cards that were meant."""
        self._replay: CatchUp[S, A] | None = None

    @property
    def reading(self) -> bool:
        """Whether the deal is being read again."""
        return self._replay is not None

    def add(self, t: float, observations: Sequence[Observation]) -> bool:
        """Keep a batch; whether the deal is not yet too long ago to be read again."""
        if observations:
            self._batches.append((t, observations))
            if self._replay is not None:
                self._replay.add(t, observations)
        return self.reading or not self._batches or t - self._batches[0][0] <= PEOPLE.deal_s

    def begin(self, one: str, other: str) -> None:
        """Begin to read all batches again: the cards with these codes carry each other's tag."""
        meant = {one: other, other: one}
        self._batches = [(t, [swapped(seen, meant) for seen in batch]) for t, batch in self._batches]
        self._replay = CatchUp(self._start.copy(), 0.0, self._batches)

    def go_on(self) -> Beam[S, A] | None:
        """Read on until the budget of this batch ends; the beam once it has read everything."""
        if self._replay is None or not self._replay.go_on():
            return None
        beam, self._replay = self._replay.beam, None
        return beam
