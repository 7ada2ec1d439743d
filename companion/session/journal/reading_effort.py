"""The work of replaying a recorded game, counted and limited.

A damaged or invented journal may ask for weeks of work.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.core.errors import JournalError
from companion.core.language import text
from companion.fusion.tracker import Tracker
from companion.sensing.observation import ManualEntry, Observation, Sighting

MOMENT, NEWS = 1_000, 2_000
"""MOMENT: work of advancing a replay to one point in time. NEWS: more work if there are observations.

The unit is about a microsecond on a desktop (measured in games of 15 and 84 minutes).
"""
ENTRY = 200_000
"""Work (microseconds) of a person's entry, e.g. of a corrected table. Measured: up to 0.4 s."""
OPEN, PLACE, PAIR = 20, 2, 1
"""Work (microseconds) at one point in time. OPEN: for each unexplained detection. PLACE: for each place.

PAIR: for each pair of a new observation and an unexplained detection. Guesses: a game has up to 80 detections
and 30 places.
"""
MOST_WORK = 200_000_000
"""Most work (microseconds) of replaying one journal; more is refused.

A game of 84 minutes needs 12 million, a week without a player 120 million.
"""


class ReadingEffort:
    """The work done so far to replay one journal.

    It is counted, not timed, so that every machine refuses at the same line. `journal`: file that the error
    names.
    """

    def __init__(self, journal: Path | None = None) -> None:
        self.work = 0
        self.line = 0
        """Number of the line that is replayed now, from 1."""
        self._journal = journal
        self._searched = 0

    def spend(self, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> None:
        """Count the work of processing the observations of one time.

        `tracker` processes them afterwards. JournalError if the sum is more than MOST_WORK.
        """
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
"""Number of long games that MOST_WORK suffices for. The error about too much work names it."""
