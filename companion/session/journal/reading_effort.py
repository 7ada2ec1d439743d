"""The effort of reading a recorded game: bounded, for a damaged or invented journal may ask for weeks of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.core.errors import JournalError
from companion.core.language import text
from companion.fusion.tracker import Tracker
from companion.sensing.observation import ManualEntry, Observation, Sighting

MOMENT, NEWS = 1_000, 2_000
"""Work of going on to another moment, and of taking in what is reported then, beside the searches: about as
many microseconds on a desktop (measured in games of 15 and 84 minutes)."""
ENTRY = 200_000
"""Work of what a person entered: the table may be taken over, or another history weighed (measured: 0.4 s)."""
OPEN, PLACE, PAIR = 20, 2, 1
"""Work of a moment for each open detection and for each known place, and of a reported thing for each open
detection. Guesses: a game has up to 80 detections and 30 places."""
MOST_WORK = 200_000_000
"""MOST_WORK: most work of reading one journal. A game of 84 minutes asks for 12 million, a week without a
player for 120 million."""


class ReadingEffort:
    """Counts the work of reading one journal. The work is counted and not timed, so that every machine reads as
    far."""

    def __init__(self, journal: Path | None = None) -> None:
        self.work = 0
        self.line = 0
        """Number of the line that is read (from 1)."""
        self._journal = journal
        self._searched = 0

    def spend(self, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> None:
        """Another moment, at which this was reported. JournalError if the journal asks for too much."""
        sensed = tracker.sensed
        things = sum(1 + len(one.cards) if isinstance(one, Sighting) else 1 for one in observations)
        detections, places = len(sensed.detections), len(sensed.zones) + len(sensed.counts)
        self.work += MOMENT + bool(things) * NEWS + OPEN * detections + PLACE * places
        self.work += ENTRY * sum(isinstance(one, ManualEntry) for one in observations)
        self.work += PAIR * things * (things + detections)
        self.work += tracker.searched - self._searched
        self._searched = tracker.searched
        if self.work > MOST_WORK:
            raise JournalError(
                text("up to here it asks for more work than {n} long games", n=GAMES),
                where=text("{file}, line {line}", file=str(self._journal or ""), line=self.line),
                next_step=text("begin a new game; companion souvenir shows this one"),
            )


GAMES = 15
"""GAMES: long games that MOST_WORK is enough for."""
