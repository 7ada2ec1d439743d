"""Hints for one game after another: for the screen that asks, or for the whole table."""

import threading
from collections.abc import Callable, Collection
from typing import Any

import msgspec

from companion.core.errors import BadInputError, CompanionError
from companion.core.language import text
from companion.games.registry import load_adviser
from companion.session.entries.private_corner import SHOWN
from companion.session.narration import NO_HINT
from companion.session.session import Session
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Advice, Refused


class HintDesk:
    """Answers requests for hints, by the adviser of the game, and checks what players tell each other.

    `game`: its name. `assist`: most that hints may tell, out of ASSIST; empty if nobody chose.
    """

    def __init__(self, game: str, assist: str) -> None:
        self._game, self._assist = game, assist
        # Loaded before anybody asks: after an update of the checkout in mid-game it may lie elsewhere.
        self._adviser = load_adviser(game)
        self._advised: Any = None
        """State of the game in which the whole table got hints last."""
        self._prepared = False

    def prepare(self, variant: str, players: int, options: Collection[str]) -> None:
        """Compute tables for hints in a thread, so that the first hint comes sooner.

        Only the first call does.
        """
        if self._prepared or self._adviser is None:
            return
        self._prepared = True
        given = (variant, players, options)
        threading.Thread(target=self._adviser.prepare, args=given, name="hints", daemon=True).start()

    def for_screen(self, session: Session, peer: Any, question: AskHint) -> Advice | Refused:
        """Answer the request of the screen `peer`, whose player may show a hand in the private corner."""
        if question.hand.strip().lower() != SHOWN:
            return self._advise(session, question)
        try:
            hand = session.corner.hand(peer)
        except BadInputError as error:
            return Refused(error.told)
        answer = self._advise(session, msgspec.structs.replace(question, hand=hand))
        # A sticker may be missing from the hand, so the player is told which cards were read.
        return (
            Refused(text("I read {hand} in the private corner: {answer}", hand=hand, answer=answer.text))
            if isinstance(answer, Refused)
            else answer
        )

    def for_table(self, session: Session) -> Advice | None:
        """Answer a request that people made at the table. None if there are no hints.

        At first the hints only nudge. If people ask again in the same position, they name the move.
        """
        again = self._advised == session.tracker.state
        self._advised = session.tracker.state
        advice = self._advise(session, AskHint("coach" if again else "nudge"), aloud=True)
        if not isinstance(advice, Advice) or not advice.hints:
            return None
        return msgspec.structs.replace(advice, aloud=True)

    def _advise(self, session: Session, question: AskHint, *, aloud: bool = False) -> Advice | Refused:
        """Compute hints for the asking screen, or all screens (`aloud`).

        Returns a `Refused` if the game has no hints, is lost, or the question cannot be answered.
        """
        if self._adviser is None:
            return Refused(text("There are no hints for {game}.", game=self._game))
        if session.lost:
            return Refused(NO_HINT)
        recorded = session.statements.recorded
        try:
            advice: Advice = self._adviser.answer(recorded, question, assist=self._assist, aloud=aloud)
        except CompanionError as error:
            return Refused(error.told)
        return advice

    def last_check(self, session: Session) -> Any:
        """The game's last check, which statements are about. None if the game has no hints.

        To find it, the game is replayed, which takes tens of milliseconds.
        """
        return None if self._adviser is None else self._adviser.last_check(session.statements.recorded)

    def why_untold(self, last: Callable[[], Any], told: str) -> str:
        """Sentence why a statement is impossible now; empty if possible.

        `told`: id of the statement. `last`: returns the last check of the game.
        """
        if self._adviser is None:
            return text("There is nothing to tell in {game}.", game=self._game)
        try:
            self._adviser.check_told(last(), told)
        except CompanionError as error:
            return error.told
        return ""
