"""The keys of the companion: its socket, and the commands that people give it."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import msgspec
from textual.binding import Binding, BindingType

from companion.core.language import localized, tr
from companion.dashboard.display_settings import DEFAULT_LOOK, ScreenLook
from companion.dashboard.labels import NEW_GAME, PARTY, PARTY_ENDS, STAYS_SAID, TAKE_BACK, begun, new_games
from companion.dashboard.model import to_decide_anew
from companion.dashboard.screens.dialogs import SURE, LineScreen, PickScreen
from companion.dashboard.screens.hint_screen import FIRST, keyed, own_hand, stronger
from companion.dashboard.screens.position_screen import PositionScreen
from companion.dashboard.virtual_table_keys import WorldKeys
from companion.session.stream.commands import (
    Answer,
    AskHint,
    AskPosition,
    Claim,
    Command,
    CompanionIsRight,
    EndGame,
    NextParty,
    Pause,
    TableIsRight,
    Tell,
    Turn,
    Undo,
)
from companion.session.stream.events import NEXT_PARTY, YES_NO, Event, Table, Welcome
from companion.session.stream.stream_client import StreamClient
from companion.session.stream.virtual_table_events import CallClaim, Restart

TO_ENGINE = frozenset(
    (
        "claim",
        "undo",
        "table_is_right",
        "companion_is_right",
        "answer",
        "pause",
        "hint",
        "hint_on_cards",
        "tell",
        "hints_always",
        "turn",
        "score",
        "next_party",
        "place",
    )
)
"""TO_ENGINE: actions that need an engine, because they send a command or ask a person for one."""


class EngineKeys(WorldKeys):
    """App whose keys send commands to the socket `engine`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "claim", "claim"),
        Binding("u", "undo", "undo"),
        Binding("t", "table_is_right", "the table is right"),
        Binding("o", "companion_is_right", "the companion is right"),
        Binding("y", "answer(True)", "yes, to a question"),
        Binding("n", "answer(False)", "no, to a question"),
        Binding("p", "pause", "pause the companion"),
        Binding("h", "hint", "hint"),
        Binding("k", "hint_on_cards", "hint on the cards you tell"),
        Binding("w", "tell", "what only you can know"),
        Binding("a", "hints_always", "hints at every move"),
        Binding("g", "turn", "whose turn begins"),
        Binding("f", "score", "final score, or the end of the game here"),
        Binding("f8", "next_party", "begin anew for the next party"),
    ]

    def __init__(
        self,
        engine: Path,
        table: Path | None,
        show_truth: bool,
        started: Sequence[str] = (),
        look: ScreenLook = DEFAULT_LOOK,
    ) -> None:
        super().__init__(table, show_truth, started, look)
        self.client: StreamClient[Event, Command] = StreamClient(
            engine, Event, self._take, self._link, on_bad=self._bad
        )
        self._hint_level = FIRST

    # events in

    def _link(self, live: bool) -> None:
        self.model.connected(live)
        self.changed()

    def _bad(self, count: int) -> None:
        self.model.bad_lines = count
        self.changed()

    def _take(self, event: Event) -> None:
        before = self.model.table
        self.model.take(event)
        self.taken(event)
        if isinstance(event, Welcome) or (
            isinstance(event, Table) and not self.model.hints_always and _other_turn(before, event)
        ):
            self._hint_level = FIRST
        always = self.model.hints_always and not self.model.foreign and self.screen_stack
        if always and isinstance(event, Table) and to_decide_anew(before, event):
            self._ask_hint()
        self.changed()

    def taken(self, event: Event) -> None:
        """Hook for subclasses: react to an event of the engine that the model has taken."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions in TO_ENGINE after the engine has ended.

        A counted score can still be shown.
        """
        if self.model.ended and action in TO_ENGINE and not (action == "score" and self.model.score):
            return False
        return super().check_action(action, parameters)

    # commands out

    def command(self, command: Command) -> None:
        """Send a command to the engine, or show a notice.

        The notice says that no engine is connected.
        """
        if self.model.foreign or not self.client.send(command):
            self.notice(tr("Not sent: no engine is there that understands it."))

    def action_claim(self) -> None:
        """Claim: ask what is claimed, then for a confirmation, because a child may press two keys."""
        table, hello = self.model.table, self.model.welcome
        places = enumerate(table.places, 1) if table else ()
        names = self.model.names
        options = [(str(number), begun(names.put_into(view.claim))) for number, view in places if view.claim]
        if not options:
            return self.notice(tr("There is nothing to claim now."))

        def answer(key: str | None) -> None:
            if key:
                self._claim(int(key))

        self.push_screen(PickScreen(hello.claim_title if hello else "", options, sure=True), answer)
        return None

    def _claim(self, subject: int) -> None:
        pressed = self.world.attached and self.world.presses
        if pressed:
            # Virtual players hear the claim: one of them presses the button, and they turn the cards up.
            self.order(CallClaim(subject))
        board = self.model.health.get("board")
        if not pressed or (board is not None and not board.ok):
            self.command(Claim(subject))

    def action_place(self, number: int) -> None:
        """Claim what can be claimed of the touched place `number` (from 1), after a confirmation."""
        table = self.model.table
        view = table.places[number - 1] if table and number <= len(table.places) else None
        if view is None or not view.claim:
            return

        def answer(key: str | None) -> None:
            if key:
                self._claim(number)

        options = [("y", begun(self.model.names.put_into(view.claim)))]
        self.push_screen(PickScreen(localized(SURE), options), answer)

    def action_card(self, number: int) -> None:
        """Show the name of the touched card `number` (from 0)."""
        table = self.model.table
        cards = table.rows[0].cards if table and table.rows else ()
        if number < len(cards):
            self.notice(tr("That card: {card}.", card=cards[number].name))

    def _ask_hint(self, hand: str = "") -> None:
        hand = hand or own_hand(self.world, self.model.table)
        self.command(AskHint(self._hint_level, hand))

    def action_hint(self) -> None:
        """Ask for a hint, or for a stronger one while a hint is shown."""
        if self.model.advice is not None:
            # The engine gives at most what the family allows: continue from the level it gave.
            hello = self.model.welcome
            self._hint_level = stronger(self.model.advice.level, hello.assist if hello else "")
        self._ask_hint()

    def action_hint_on_cards(self) -> None:
        """Ask for a hint on a typed hand of cards."""

        def answer(hand: str | None) -> None:
            if hand:
                self._ask_hint(hand)

        title, wanted = tr("A hint on the cards of the player on turn"), tr("Cards as 3 3 4 7, then enter:")
        self.push_screen(LineScreen(title, wanted), answer)

    def action_tell(self) -> None:
        """Tell the engine a player's own fact, for better hints."""
        hello = self.model.welcome
        table = self.model.table
        told = keyed(table.statements) if table and not table.over else {}
        if not told:
            return self.notice(tr("There is nothing to tell now."))

        def answer(key: str | None) -> None:
            if key:
                self.notice(tr("Noted: {what}.", what=told[key].text))
                self.command(Tell(told[key].id))
                if self.model.advice is not None:
                    self._ask_hint()

        names = self.model.names
        options = [(key, names.put_into(one.text)) for key, one in told.items()]
        self.push_screen(PickScreen(hello.tell_title if hello else "", options), answer)
        return None

    def action_hints_always(self) -> None:
        """Switch hints at every move on or off."""
        always = self.model.hints_always = not self.model.hints_always
        self.notice(tr("Hints at every move. a: only when asked") if always else tr("Hints only when asked."))
        if always:
            self._ask_hint()

    def action_undo(self) -> None:
        """Take back the last action; a verdict only after a confirmation."""
        verdict = self.model.table.verdict if self.model.table else None
        if verdict is None:
            return self.command(Undo())

        def answer(key: str | None) -> None:
            if key:
                self.command(Undo(verdict.id))

        title = localized(TAKE_BACK.of(what=self.model.names.put_into(verdict.text)))
        self.push_screen(PickScreen(title, [("y", localized(STAYS_SAID))]), answer)
        return None

    def action_table_is_right(self) -> None:
        """Take the cards on the table as the true position, after asking whose turn begins."""
        table = self.model.table
        if table is None:
            return self.notice(tr("There is no game yet."))

        if self.model.question.id == NEXT_PARTY:
            return self.command(TableIsRight(new_game=True))
        if self.model.score is not None:
            return self._new_or_same(len(table.hands))
        return self._take_over(len(table.hands))

    def _new_or_same(self, players: int) -> None:
        """After a scored game, ask whether the cards on the table begin a new game."""

        def answer(key: str | None) -> None:
            if key == "n":
                self._take_over(players, new_game=False)
            elif key:
                self.command(TableIsRight(0 if key == "y" else int(key), new_game=True))

        begins, same = new_games(players, self.model.names)
        options = [*((str(player) if player else "y", says) for player, says in begins), ("n", same)]
        self.push_screen(PickScreen(localized(NEW_GAME), options), answer)

    def _take_over(self, players: int, *, new_game: bool | None = None) -> None:
        def answer(command: TableIsRight | EndGame | None) -> None:
            if isinstance(command, EndGame):
                self.action_score()
            elif command is not None:
                self.command(msgspec.structs.replace(command, new_game=new_game))

        self.push_screen(PositionScreen(self.model.names, players), answer)
        return self.command(AskPosition())

    def action_turn(self) -> None:
        """Ask whose turn begins, and tell the engine."""
        table = self.model.table
        if table is None:
            return self.notice(tr("There is no game yet."))

        def answer(key: str | None) -> None:
            if key:
                self.command(Turn(int(key)))

        options = [(str(player), self.model.names.name(player)) for player in range(1, len(table.hands) + 1)]
        self.push_screen(PickScreen(tr("Whose turn begins now?"), options), answer)
        return None

    def action_next_party(self) -> None:
        """End the evening of these players and begin anew for others; ask first if a game is on."""
        table = self.model.table

        def answer(key: str | None) -> None:
            if key:
                self.command(NextParty(ends=True))
                if self.world.attached:
                    self.order(Restart())

        if table is None or table.over or not table.turn or self.model.question.id == NEXT_PARTY:
            return answer("y")
        options = [("y", localized(PARTY_ENDS))]
        self.push_screen(PickScreen(localized(PARTY), options), answer)
        return None

    def action_companion_is_right(self) -> None:
        """State that the companion's position is right, so that it says which cards to put back."""
        self.command(CompanionIsRight())

    def action_answer(self, yes: bool) -> None:
        """Answer the engine's question with yes or no."""
        asked = self.model.question
        if asked.options == YES_NO:
            self.command(Answer(asked.id, yes))
        else:
            self.notice(tr("No question of yes or no is asked now."))

    def action_pause(self) -> None:
        """Pause the companion, or go on."""
        table = self.model.table
        self.command(Pause(not (table and table.paused)))

    def action_score(self) -> None:
        """End and score the game as its cards lie now, after a confirmation."""

        def answer(key: str | None) -> None:
            if key:
                self.command(EndGame())

        when = self.model.welcome.score_when if self.model.welcome else ""
        options = [("y", localized(when) or tr("yes: score what lies there, by what is shown"))]
        asked = [tr("End the game here?")]
        if when:
            asked.append(tr("Else it has no score and goes on: q leaves it unscored."))
        self.push_screen(PickScreen("\n".join(asked), options), answer)


def _other_turn(before: Table | None, now: Table) -> bool:
    """True if another turn has begun.

    For a moment between two turns, no player is on turn (0).
    """
    if before is None or before.turn != now.turn:
        return True
    return 0 not in (before.player, now.player) and before.player != now.player
