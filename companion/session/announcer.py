"""What people are told of believed actions: verdicts, sentences, corrections, and the score."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from companion.fusion.hypothesis import Step
from companion.fusion.publisher import Change
from companion.fusion.tracker import Tracker
from companion.games.table_game import TableGame
from companion.session.endings.open_places import OpenPlaces
from companion.session.endings.scored_game import ScoredGame
from companion.session.endings.sure_end import SureEnd
from companion.session.entries.player_entries import NOTED_AGAIN, PlayerEntries
from companion.session.narration import VerdictsTold, message_of, repaired, verdict_of
from companion.session.provisional_sentences import Pending, ProvisionalMessages
from companion.session.stream.events import Event, Said, Score, Table


class Announcer:
    """Makes the events on actions that the tracker publishes or revokes.

    A sentence about an action that may still be revised waits in `provisional` until it is firm. `entries`:
    entries of people, who may have undone an action. `end`, `open_places`: whether the game is over, and
    whether the cards in front of players agree. `table`: makes the public table.
    """

    def __init__(
        self,
        game: TableGame[Any, Any],
        tracker: Tracker[Any, Any],
        provisional: ProvisionalMessages,
        entries: PlayerEntries,
        end: ScoredGame,
        open_places: OpenPlaces,
        table: Callable[[], Table],
    ) -> None:
        self._game, self._tracker = game, tracker
        self._provisional, self._entries = provisional, entries
        self._end, self._open_places = end, open_places
        self._table = table
        self._verdicts = VerdictsTold()
        self._sure_end = SureEnd()

    def forget_verdicts(self) -> None:
        """Announce verdicts again that people have heard, because they changed the game's state."""
        self._verdicts.forget()

    def tell(self, t: float, change: Change[Any, Any], *, answered: bool = False) -> list[Event]:
        """Events on the actions in `change`, published or revoked at `t` (s).

        `answered`: people's answer to a question led to it.
        """
        withdrawn = self._provisional.withdraw(message_of(self._game, step) for step in change.revoked)
        repair, rest, news = repaired(self._game, change, [one.message for one in withdrawn], answered=answered)
        judged, judged_now = self._judged(change.revoked), self._judged(change.steps)
        events: list[Event] = []
        # After an outage all but verdicts stays provisional until a person settles the table, so a revision
        # needs no sentence.
        if repair and (judged - judged_now or not self._tracker.sensed.outages.lost(t)):
            events += self._waiting()
            events += (Said(t, one.text) for one in rest)
            events.append(Said(t, repair, "repair"))
        for step in change.steps:
            events += self._tell_step(t, step, judged, new=any(step is one for one in news))
        events += map(_said, self._provisional.firm(t))
        return [*events, *self._tell_outcome(t)]

    def _judged(self, steps: Iterable[Step[Any, Any]]) -> set[tuple[int, str]]:
        """Claims among these actions, as (claimed place from 1, verdict)."""
        return {(told.subject, told.verdict) for step in steps if (told := verdict_of(self._game, step))}

    def _tell_step(
        self, t: float, step: Step[Any, Any], judged: set[tuple[int, str]], *, new: bool
    ) -> Iterator[Event]:
        """Events on one published action: its verdict, and its sentence if it is `new`.

        `judged`: revoked verdicts. A sentence may wait until it is firm.
        """
        verdict = verdict_of(self._game, step)
        # If an earlier action was revised and the verdict stands, the verdict is not published again.
        known = verdict is None or (verdict.subject, verdict.verdict) in judged
        if verdict is not None and not known and not self._verdicts.told(verdict):
            yield verdict
        message = message_of(self._game, step)
        if not message or not new:
            return
        if self._entries.noted_again(t, message):
            yield Said(t, NOTED_AGAIN, "notice")
        if verdict is None and not message.at_once:
            self._provisional.add(step.t, message)
        else:
            yield from self._waiting()
            yield Said(step.t, message.text, "move" if verdict is None else "claim")

    def _tell_outcome(self, t: float) -> Iterator[Event]:
        """Event with the final score, if the game has just ended for certain."""
        outcome = self._game.outcome(self._tracker.state)
        if outcome is None:
            self._end.reopen()
        hypotheses = self._tracker.hypotheses
        shows = self._sure_end.shows(t, outcome, hypotheses, self._game.outcome, self._open_places)
        score = self._end.score
        shown = score and (score.score, score.text)
        if outcome is None or not shows or shown == (outcome.score, outcome.text):
            return
        table, said = self._table(), self._game.headline(outcome)
        yield from self._waiting()
        yield Score(
            outcome.score,
            outcome.out_of,
            said.big,
            said.counted,
            said.line,
            outcome.text,
            table.places,
            table.turn,
        )

    def _waiting(self) -> Iterator[Said]:
        """All sentences that wait, which do so no more."""
        return map(_said, self._provisional.all())


def _said(one: Pending) -> Said:
    return Said(one.at, one.message.text, "move")
