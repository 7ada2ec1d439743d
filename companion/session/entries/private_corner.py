"""The private corner of the mat: a hand shown to the camera behind a cover, for a hint to that player alone.

Cards are kept in memory while they lie in the corner. They reach no tracker, journal, screen or log.
"""

from collections.abc import Iterable, Sequence

from companion.core.art_codes import CardKinds
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.api import PhysicalCard
from companion.sensing.observation import Observation, Reach, Sighting

SHOWN = "camera"
"""`AskHint.hand` of a player whose cards lie in the corner."""


class PrivateCorner:
    """Takes what sensors report of the corner out of the observations, and keeps the last of it.

    `zone` is the corner's name on the mat; empty where there is none.
    """

    def __init__(self, zone: str, cards: Sequence[PhysicalCard]) -> None:
        self._zone = zone
        self._kinds = CardKinds({card.code: card.kind for card in cards})
        self._lying: tuple[str, ...] = ()
        """Codes of the cards that lie there, unread ones too."""
        self._asker: object = None
        """Who asked first since cards were laid there."""

    @property
    def used(self) -> bool:
        """Whether this table has a private corner."""
        return bool(self._zone)

    def without(self, observations: Iterable[Observation]) -> list[Observation]:
        """The observations of the rest of the table; what is seen of the corner is kept here."""
        if not self._zone:
            return list(observations)
        rest = []
        for seen in observations:
            if not isinstance(seen, Sighting | Reach) or seen.zone != self._zone:
                rest.append(seen)
            elif isinstance(seen, Sighting):
                self._lying = tuple(one.card for one in seen.cards)
                if not self._lying:
                    self._asker = None
        return rest

    def hand(self, asker: object) -> str:
        """The kinds that lie there, with spaces between, for the first who asks since cards were laid there.

        BadInputError for another asker, and where no card lies or one cannot be read.
        """
        if not self._zone:
            raise BadInputError(
                text("this mat has no private corner"),
                next_step=text('set options = ["corner"], or type your cards'),
            )
        if not self._lying:
            raise BadInputError(
                text("no card lies in the private corner"), next_step=text("lay your hand there face up")
            )
        if self._asker not in (None, asker):
            raise BadInputError(
                text("somebody else has asked about the cards in the private corner"),
                next_step=text("take them up, lay them down again, and ask first"),
            )
        read = [self._kinds[code] for code in self._lying if code in self._kinds]
        if len(read) < len(self._lying):
            raise BadInputError(
                text(
                    "I can read {number} of {all} cards in the private corner",
                    number=len(read),
                    all=len(self._lying),
                ),
                next_step=text("lay them side by side, stickers free"),
            )
        self._asker = asker
        return " ".join(read)
