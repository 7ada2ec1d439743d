"""What people enter: undo, whose turn, the table as it lies, the end of the game."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from math import inf
from typing import Any, NamedTuple

from companion.core.language import player as named
from companion.core.language import rendered, sentences, text
from companion.fusion.publisher import Change
from companion.fusion.tracker import ToldTable, Tracker
from companion.games.hidden_cards import AskableFact
from companion.games.narrator import Message
from companion.games.table_game import TableGame
from companion.sensing.observation import ManualEntry
from companion.session.entries.without_keys import AGREED, BEFORE_RESTART, COUNTED, NOT_LAST, PUT_RIGHT
from companion.session.journal.journal_lines import Adopted, Line, Revoked
from companion.session.narration import last_verdict, message_of
from companion.session.provisional_sentences import ProvisionalMessages
from companion.session.sensor_monitor import SensorMonitor
from companion.session.stream.events import Said

NOTED_AGAIN_S = 10.0
"""Time (s) after an undo in which an equal action is taken for the undone action, seen once more. A guess."""
NOTED_AGAIN = text("I noted it again, for it lies there: put it back first, then take it back here.")
LAID_BACK = "cards_laid_back"
"""`ManualEntry.what` of an entry by which a virtual table reports on laying cards back after an undo."""
LAYING_BACK_S = 60.0
"""Longest time (s) until a virtual table begins to lay cards back, and again until it ends. A guess.

The action that the virtual players carry out at the moment ends first.
"""
LAYS_BACK = text("The cards of the virtual table are laid back: one moment.")
LIE_AS_BEFORE = text("The cards of the virtual table lie as before: go on.")
LAYS_NOTHING_BACK = text("No card of the virtual table is laid back: that was not done there.")
AGREED_OVER = text("Table and companion agree: the game is over.")
BY_CARDS = {"by": "cards"}
"""`ManualEntry.args` of an entry that the session makes itself, because open cards contradict the state."""
COUNTED_OVER = text("I count the cards as they lie there.")


class Entered(NamedTuple):
    """The result of a person's entry, e.g. of an undo.

    `said`: sentences for screens. `lines`: lines for the journal. `change`: actions that are newly believed
    or revoked; None if there are none. `reopened`: True if something was undone. A scored game then goes on.
    """

    said: tuple[Said, ...] = ()
    lines: tuple[Line, ...] = ()
    change: Change[Any, Any] | None = None
    reopened: bool = False


class PlayerEntries:
    """Executes people's entries (undo, ...), and returns sentences about them.

    Entries also change what the sensor monitor and the queue of unannounced messages hold.
    """

    def __init__(
        self,
        game: TableGame[Any, Any],
        tracker: Tracker[Any, Any],
        players: int,
        watch: SensorMonitor,
        provisional: ProvisionalMessages,
    ) -> None:
        self._game = game
        self._tracker = tracker
        self._players = players
        self._watch = watch
        self._provisional = provisional
        self._taken_back: tuple[float, Message] | None = None
        """Time (s) and message of the undone step, until another is announced."""
        self._lies_as_before = False
        """True if cards may still lie as after the undone step."""
        self._laying_since: float | None = None
        """Time (s) since when a virtual table lays its cards back."""
        self._to_lay_back: tuple[str, str] | None = None
        self._undone_at = -inf
        """Time (s) of the last undo."""
        self._kept = 0
        """Number of first steps that an undo never takes back."""
        self._restarted = False
        """True if a journal's state was resumed without its steps."""

    def take(self, entry: ManualEntry, *, over: bool) -> Entered:
        """Execute a person's entry.

        `over`: True if the game has its score. An unknown entry changes nothing and has an empty result.
        """
        match entry.what:
            case "undo":
                return self._undo(entry)
            case what if what == LAID_BACK:
                return self._lay_back(entry.t, entry.args.get("now"))
            case "table_is_right" | "turn" | "end_game":
                return self._settle(entry)
            case "companion_is_right":
                return self._compare(entry.t, over=over)
            case "answer":
                match entry.args:
                    case {"turn": int(turn), "question": str(question), "id": str(known), "yes": bool(yes)}:
                        said = rendered(entry.args.get("said"))
                        fact = AskableFact(turn, said if isinstance(said, str) else question, known)
                        self._tracker.answer(entry.t, fact, yes)
        return Entered()

    def noted_again(self, t: float, message: Message) -> bool:
        """True if `message` (of time `t`, s) narrates the action that people have just undone.

        The cards still lie there, so the action was believed once more. Only the first message within
        NOTED_AGAIN_S after an undo can be one.
        """
        taken_back, self._taken_back = self._taken_back, None
        return taken_back is not None and taken_back[1] == message and t - taken_back[0] <= NOTED_AGAIN_S

    def keep_unlike(self, before: Sequence[Any]) -> int:
        """Forbid to undo replayed actions that differ from recorded ones.

        Returns their number. `before`: recorded states before each action in the journal, oldest first.
        Replayed and recorded states are compared from the newest backwards. The first that differs, and all
        older ones, cannot be undone.
        """
        steps = self._tracker.steps
        pairs = zip(reversed(steps), reversed(before), strict=False)
        alike = takewhile(lambda pair: pair[0].before == pair[1], pairs)
        self._kept = len(steps) - sum(1 for _ in alike)
        return self._kept

    def begin_anew(self) -> None:
        """Note that the game goes on from a recorded state, whose actions cannot be undone."""
        self._kept, self._restarted = 0, True

    def no_undo(self, verdict: str) -> str:
        """Return the sentence why the last action cannot be undone; empty if it can.

        `verdict`: id of the verdict on a claim that people want to undo; empty for any other action.
        """
        steps = self._tracker.steps
        if not steps and self._tracker.settled_from is None:
            return BEFORE_RESTART if self._restarted else text("There is nothing to take back.")
        if steps and len(steps) <= self._kept:
            return BEFORE_RESTART
        said = last_verdict(self._game, steps)
        if verdict == ("" if said is None else said.id):
            return ""
        if said is None:
            return NOT_LAST
        return sentences([said.text, text("To take that back, confirm it.")])

    def _undo(self, entry: ManualEntry) -> Entered:
        t = entry.t
        # The state may have changed since the entry was accepted. Old journals record no verdict.
        match entry.args:
            case {"verdict": str(verdict)} if why := self.no_undo(verdict):
                return Entered((Said(t, why, "notice"),))
        step = self._tracker.undo()
        if step is None:
            return self._take_back(t)
        # The notation would name hidden cards: a step without a line has public words of its own.
        told = message_of(self._game, step)
        self._taken_back = (t, told) if told else None
        self._provisional.withdraw([told])
        words = told.text if told else self._game.untold(step.before, step.action)
        said: str = text("Taken back: {told}", told=words or text("the last step."))
        undone, taken = step, 1
        if self._game.tells_step_before(step.before, step.action) and len(self._tracker.steps) > self._kept:
            undone, taken = self._tracker.undo() or step, 2
        # Because the cards still lie as after the step, it would be noted again: `put_right` tells people.
        self._lies_as_before = told is not None
        self._undone_at = t
        self._to_lay_back = self._game.write_state(undone.before), self._game.write_action(undone.action)
        return Entered((Said(t, said, "repair"),), (Revoked(t, taken),), reopened=True)

    @property
    def laying_back(self) -> bool:
        """True while a virtual table lays cards back after an undo.

        Observations are then no moves.
        """
        return self._laying_since is not None

    def to_lay_back(self) -> tuple[str, str] | None:
        """Return (state before, undone action), once after each undo.

        None otherwise. A virtual table lays its cards back by them. Both are in the notation of the rules.
        """
        undone, self._to_lay_back = self._to_lay_back, None
        return undone

    def look_at_time(self, t: float) -> None:
        """Stop waiting at `t` (s) for a virtual table that has laid cards back for more than LAYING_BACK_S."""
        if self._laying_since is not None and t - self._laying_since > LAYING_BACK_S:
            self._lay_back(t, "ends")

    def _lay_back(self, t: float, now: object) -> Entered:
        if now != "ends" and t - self._undone_at > LAYING_BACK_S:
            return Entered()  # no recent undo asked for it
        if now == "begins":
            self._laying_since, self._lies_as_before, self._taken_back = t, False, None
            return Entered((Said(t, LAYS_BACK, "notice"),))
        if now == "ends" and self._laying_since is not None:
            self._laying_since = None
            self._tracker.laid_back()
            return Entered((Said(t, LIE_AS_BEFORE, "notice"),))
        return Entered((Said(t, LAYS_NOTHING_BACK, "notice"),)) if now == "never" else Entered()

    def put_right(self) -> str:
        """Return what to do with the cards of an undone action, and how the table differs.

        Empty once the table agrees with the state, or if nothing was undone.
        """
        wrong = self._wrong() if self._lies_as_before else []
        self._lies_as_before = bool(wrong)
        # The advice comes first, because a narrow screen has room for one sentence.
        return sentences(wrong[::-1])

    def _take_back(self, t: float) -> Entered:
        """Revoke what people declared last: the table as it lies, whose turn it is, or the end."""
        change = self._tracker.take_back()
        if change is None:
            return Entered()
        self._watch.unsettle()
        line = Adopted(t, self._game.write_state(change.adopted), back=True)
        said = Said(t, text("Taken back: it is as I had it before."), "repair")
        return Entered((said,), (line,), reopened=True)

    def _compare(self, t: float, *, over: bool) -> Entered:
        """Say where the table differs from the published state, or that both agree.

        `over`: True if the game has its score.
        """
        wrong = self._wrong()
        said: str = AGREED_OVER if over else AGREED
        return Entered((Said(t, sentences(wrong) if wrong else said, "notice"),))

    def _wrong(self) -> list[str]:
        """Two sentences: the first difference between table and state, and what to do.

        Empty list if none.
        """
        off = self._tracker.differences()
        if not off:
            return []
        wrong = self._game.difference(self._tracker.state, off[0])
        return [wrong, PUT_RIGHT]

    def _player(self, args: Mapping[str, Any]) -> int | None:
        """The player (from 0) that an entry's `args` name; None if they name no player of the game."""
        player = args.get("player")
        return player - 1 if isinstance(player, int) and 1 <= player <= self._players else None

    def _settle(self, entry: ManualEntry) -> Entered:
        """Believe a declaration of people: the table as it lies, whose turn it is, or the end of the game."""
        said: str
        player = self._player(entry.args)
        if entry.what == "turn" and player is None:
            return Entered()
        self._taken_back, self._lies_as_before = None, False
        lay = self._game.expected_view(self._tracker.state)
        try:
            match entry.what:
                case "turn" if player is not None:
                    said = text("It is the turn of {who}.", who=named(player + 1, within=True))
                    change = self._tracker.begin_turn(entry.t, player)
                case "end_game":
                    said, change = "", self._tracker.end(entry.t)
                case _:
                    refuted, playing = (_subjects(entry.args.get(one)) for one in ("refuted", "playing"))
                    said = text("I took over what lies on the table.")
                    change = self._tracker.adopt(entry.t, ToldTable(player, refuted, playing))
                    if player is not None:
                        who = named(player + 1, within=True)
                        said = sentences([said, text("It is the turn of {who}.", who=who)])
        except ValueError as error:
            return Entered((Said(entry.t, text("That cannot be: {error}.", error=error.args[0]), "fault"),))
        if entry.args == BY_CARDS:
            over = self._game.outcome(self._tracker.state) is not None
            said = COUNTED_OVER if over else COUNTED
        self._watch.settled(table=entry.what == "table_is_right")
        if change.steps:
            return Entered(change=change)
        self._kept = 0
        # If the table lies as believed, all provisional messages are right; else nobody knows which are.
        pending = self._provisional.all()
        right = self._game.expected_view(change.adopted) == lay
        firm = tuple(Said(one.at, one.message.text, "move") for one in pending if right)
        line = Adopted(entry.t, self._game.write_state(change.adopted), change.lost)
        sentence = sentences([*filter(None, (said, *change.open))])
        news = (Said(entry.t, sentence, "repair"),) if sentence else ()
        return Entered((*firm, *news), (line,))


def _subjects(given: Any) -> frozenset[int]:
    """Convert an entry's list of places (from 1) to numbers from 0; empty if `given` is no list."""
    return (
        frozenset(one - 1 for one in given if isinstance(one, int)) if isinstance(given, list) else frozenset()
    )
