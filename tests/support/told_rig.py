"""A perfect rig that a test asks where each card lies, and lets report one zone or scale by itself."""

from companion.sensing.observation import Count, Sighting
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig


class ToldRig(PerfectRig):
    """Perfect rig of Sleepless Princess with the codes of all cards in sight of a test."""

    @property
    def row(self) -> list[str]:
        """Codes of the open row, from the left."""
        return self._row

    @property
    def slots(self) -> list[str]:
        """Codes of the mattresses, in the order in which they were dealt."""
        return self._slots

    @property
    def played(self) -> list[str]:
        """Codes of the cards in the play zone."""
        return self._play

    def kind(self, code: str) -> str:
        """Kind of a card."""
        return self._kind(code)

    def zone(self, zone: str, codes: list[str]) -> Sighting:
        """Report the cards in a zone, a second after the last report."""
        return self._zone(zone, codes)

    def count(self, bed: int, change: int) -> Count:
        """Report `change` more cards on the scale of a bed (from 0), a second after the last report."""
        return self._count(bed, change)
