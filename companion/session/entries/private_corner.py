"""The mat's private corner, for a hint to one player.

A player shows a hand to the camera behind a cover. Cards stay in memory while they lie in the corner. No
tracker, journal, screen or log gets them.
"""

from collections.abc import Iterable, Sequence

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.appearance import PhysicalCard
from companion.sensing.observation import Observation, Reach, Sighting
from vision.art_codes import CardKinds

SHOWN = "camera"
"""`AskHint.hand` of a player whose cards lie in the private corner."""


class PrivateCorner:
    """The cards in the private corner of a mat, kept for a hint to their player.

    `zone`: the corner's name on the mat; empty for a mat without a corner. `cards`: all cards of the game.
    """

    def __init__(self, zone: str, cards: Sequence[PhysicalCard]) -> None:
        self._zone = zone
        self._kinds = CardKinds({card.code: card.kind for card in cards})
        self._lying: tuple[str, ...] = ()
        """Codes of the cards in the corner, unread cards included."""
        self._asker: object = None
        """First screen that asked about the cards in the corner."""

    @property
    def used(self) -> bool:
        """True if the mat has a private corner, where a player shows a hand to the camera alone."""
        return bool(self._zone)

    def without(self, observations: Iterable[Observation]) -> list[Observation]:
        """Return the observations outside the private corner.

        Cards seen inside are kept for `hand`.
        """
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
        """Return the private corner's card kinds, separated by spaces.

        `asker`: the screen that asks for a hint. Only the first asker since the cards were laid down gets
        them. BadInputError for another asker, for an empty corner, and if a card is unread.
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
