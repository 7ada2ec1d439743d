"""Keys of the companion: people's commands to the engine."""

from collections.abc import Sequence

import msgspec
from textual.binding import Binding

from companion.core.language import localized, tr
from companion.dashboard.engine_connection import EngineConnection
from companion.dashboard.keys.hint_keys import HintKeys
from companion.dashboard.keys.virtual_table_keys import VirtualTableKeys
from companion.dashboard.labels import NEW_GAME, PARTY, PARTY_ENDS, STAYS_SAID, TAKE_BACK, begun, new_games
from companion.dashboard.screens.dialogs import SURE, PickScreen
from companion.dashboard.screens.hint_screen import keyed
from companion.dashboard.screens.position_screen import PositionScreen
from companion.dashboard.screens_over_table import OverTable
from companion.dashboard.table_view import TableView
from companion.session.stream.commands import (
    Answer,
    AskPosition,
    Claim,
    CompanionIsRight,
    EndGame,
    NextParty,
    Pause,
    TableIsRight,
    Tell,
    Turn,
    Undo,
)
from companion.session.stream.events import NEXT_PARTY, YES_NO
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


class EngineKeys:
    """Keys that send people's commands to the engine.

    `line`: connection to the engine. `view`, `table`, `hints`, `over`: other parts of the app: table screen,
    virtual table, hints, and pages over the table.
    """

    BINDINGS: Sequence[Binding] = (
        Binding("c", "claim", "claim"),
        Binding("u", "undo", "undo"),
        Binding("t", "table_is_right", "the table is right"),
        Binding("o", "companion_is_right", "the companion is right"),
        Binding("y", "answer(True)", "yes, to a question"),
        Binding("n", "answer(False)", "no, to a question"),
        Binding("p", "pause", "pause the companion"),
        Binding("w", "tell", "what only you can know"),
        Binding("g", "turn", "whose turn begins"),
        Binding("f", "score", "final score, or the end of the game here"),
        Binding("f8", "next_party", "begin anew for the next party"),
    )

    def __init__(
        self, view: TableView, line: EngineConnection, table: VirtualTableKeys, hints: HintKeys, over: OverTable
    ) -> None:
        self._view, self._line = view, line
        self._table, self._hints, self._over = table, hints, over
        self.model, self.world = view.model, view.world

    def action_claim(self) -> None:
        """Ask a person which claim to make, then for a confirmation; send it.

        The confirmation is there because a child may press two keys. If nothing can be claimed, a notice says
        so.
        """
        table, hello = self.model.table, self.model.welcome
        places = enumerate(table.places, 1) if table else ()
        names = self.model.names
        options = [(str(number), begun(names.put_into(view.claim))) for number, view in places if view.claim]
        if not options:
            return self._view.notice(tr("There is nothing to claim now."))

        def answer(key: str | None) -> None:
            if key:
                self._claim(int(key))

        self._view.open(PickScreen(hello.claim_title if hello else "", options, sure=True), answer)
        return None

    def _claim(self, subject: int) -> None:
        pressed = self.world.attached and self.world.presses
        if pressed:
            # Virtual players hear the claim: one of them presses the button, and they turn the cards up.
            self._table.order(CallClaim(subject))
        board = self.model.health.get("board")
        if not pressed or (board is not None and not board.ok):
            self._line.send(Claim(subject))

    def action_place(self, number: int) -> None:
        """Claim what the touched place allows, after a confirmation.

        `number`: number of the place, from 1. Nothing happens if nothing can be claimed of it.
        """
        table = self.model.table
        view = table.places[number - 1] if table and number <= len(table.places) else None
        if view is None or not view.claim:
            return

        def answer(key: str | None) -> None:
            if key:
                self._claim(number)

        options = [("y", begun(self.model.names.put_into(view.claim)))]
        self._view.open(PickScreen(localized(SURE), options), answer)

    def action_card(self, number: int) -> None:
        """Name a touched open card in a notice.

        `number`: index (from 0) in the first row of open cards.
        """
        table = self.model.table
        cards = table.rows[0].cards if table and table.rows else ()
        if number < len(cards):
            self._view.notice(tr("That card: {card}.", card=cards[number].name))

    def action_tell(self) -> None:
        """Ask a person for a fact that a player knows alone, and tell it the engine.

        The person picks one of the statements that the game offers. Hints become better by it; a hint that is
        shown is asked for again.
        """
        hello = self.model.welcome
        table = self.model.table
        told = keyed(table.statements) if table and not table.over else {}
        if not told:
            return self._view.notice(tr("There is nothing to tell now."))

        def answer(key: str | None) -> None:
            if key:
                self._view.notice(tr("Noted: {what}.", what=told[key].text))
                self._line.send(Tell(told[key].id))
                if self.model.advice is not None:
                    self._hints.ask()

        names = self.model.names
        options = [(key, names.put_into(one.text)) for key, one in told.items()]
        self._view.open(PickScreen(hello.tell_title if hello else "", options), answer)
        return None

    def action_undo(self) -> None:
        """Take back the game's last action.

        A verdict is taken back only after a confirmation.
        """
        verdict = self.model.table.verdict if self.model.table else None
        if verdict is None:
            return self._line.send(Undo())

        def answer(key: str | None) -> None:
            if key:
                self._line.send(Undo(verdict.id))

        title = localized(TAKE_BACK.of(what=self.model.names.put_into(verdict.text)))
        self._view.open(PickScreen(title, [("y", localized(STAYS_SAID))]), answer)
        return None

    def action_table_is_right(self) -> None:
        """Tell the engine that the cards lie right, and its own position is wrong.

        First a dialog asks whose turn begins; after a scored game, also whether a new game has begun.
        """
        table = self.model.table
        if table is None:
            return self._view.notice(tr("There is no game yet."))

        if self.model.question.id == NEXT_PARTY:
            return self._line.send(TableIsRight(new_game=True))
        if self.model.score is not None:
            return self._new_or_same(len(table.hands))
        return self._take_over(len(table.hands))

    def _new_or_same(self, players: int) -> None:
        """Ask, after a scored game, whether the cards on the table begin a new one.

        `players`: number of players.
        """

        def answer(key: str | None) -> None:
            if key == "n":
                self._take_over(players, new_game=False)
            elif key:
                self._line.send(TableIsRight(0 if key == "y" else int(key), new_game=True))

        begins, same = new_games(players, self.model.names)
        options = [*((str(player) if player else "y", says) for player, says in begins), ("n", same)]
        self._view.open(PickScreen(localized(NEW_GAME), options), answer)

    def _take_over(self, players: int, *, new_game: bool | None = None) -> None:
        def answer(command: TableIsRight | EndGame | None) -> None:
            if isinstance(command, EndGame):
                self.action_score()
            elif command is not None:
                self._line.send(msgspec.structs.replace(command, new_game=new_game))

        self._view.open(PositionScreen(self.model.names, players), answer)
        return self._line.send(AskPosition())

    def action_turn(self) -> None:
        """Ask a person whose turn begins, and tell the engine."""
        table = self.model.table
        if table is None:
            return self._view.notice(tr("There is no game yet."))

        def answer(key: str | None) -> None:
            if key:
                self._line.send(Turn(int(key)))

        options = [(str(player), self.model.names.name(player)) for player in range(1, len(table.hands) + 1)]
        self._view.open(PickScreen(tr("Whose turn begins now?"), options), answer)
        return None

    def action_next_party(self) -> None:
        """End the game for these people; begin anew for others.

        If a game is on, a dialog asks first: that game ends unscored, and the players' names are forgotten.
        """
        table = self.model.table

        def answer(key: str | None) -> None:
            if key:
                self._line.send(NextParty(ends=True))
                if self.world.attached:
                    self._table.order(Restart())

        if table is None or table.over or not table.turn or self.model.question.id == NEXT_PARTY:
            return answer("y")
        options = [("y", localized(PARTY_ENDS))]
        self._view.open(PickScreen(localized(PARTY), options), answer)
        return None

    def action_companion_is_right(self) -> None:
        """Tell the engine that its own game position is right, not the table's.

        The engine then says which cards to put back.
        """
        self._line.send(CompanionIsRight())

    def action_answer(self, yes: bool) -> None:
        """Answer the engine's open question: True yes, False no.

        If no question of yes or no is open, a notice says so.
        """
        asked = self.model.question
        if asked.options == YES_NO:
            self._line.send(Answer(asked.id, yes))
        else:
            self._view.notice(tr("No question of yes or no is asked now."))

    def action_pause(self) -> None:
        """Have the engine pause watching the table, or go on."""
        table = self.model.table
        self._line.send(Pause(not (table and table.paused)))

    def action_score(self) -> None:
        """Show the final score again, or end the game here.

        Only a running game is ended. Ending needs a confirmation; the engine then scores what lies on the
        table.
        """
        if self.model.score is not None:
            return self._over.show_score(self.model.score)
        if self.model.table is None or not self.model.table.turn:
            return self._view.notice(tr("The game has not begun."))

        def answer(key: str | None) -> None:
            if key:
                self._line.send(EndGame())

        when = self.model.welcome.score_when if self.model.welcome else ""
        options = [("y", localized(when) or tr("yes: score what lies there, by what is shown"))]
        asked = [tr("End the game here?")]
        if when:
            asked.append(tr("Else it has no score and goes on: q leaves it unscored."))
        self._view.open(PickScreen("\n".join(asked), options), answer)
        return None
