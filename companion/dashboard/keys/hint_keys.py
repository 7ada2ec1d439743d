"""The keys for hints: a hint, a stronger one, one on the cards that a person types, and one at every move."""

from collections.abc import Sequence

from textual.binding import Binding

from companion.core.language import tr
from companion.dashboard.engine_connection import EngineConnection
from companion.dashboard.model import to_decide_anew
from companion.dashboard.screens.dialogs import LineScreen
from companion.dashboard.screens.hint_screen import FIRST, own_hand, stronger
from companion.dashboard.table_view import TableView
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Event, Table, Welcome


class HintKeys:
    """Keys that ask the engine for hints.

    Hints have levels, which reveal more and more. Each turn begins with the level FIRST; asking again in the
    turn gives a stronger hint.
    """

    BINDINGS: Sequence[Binding] = (
        Binding("h", "hint", "hint"),
        Binding("k", "hint_on_cards", "hint on the cards you tell"),
        Binding("a", "hints_always", "hints at every move"),
    )

    def __init__(self, view: TableView, line: EngineConnection) -> None:
        self._view, self._line = view, line
        self.model, self.world = view.model, view.world
        self._level = FIRST

    def take(self, event: Event, before: Table | None) -> None:
        """Reset the level of hints when a turn begins.

        If hints are wanted at every move, also ask for one when a player has something new to decide. `event`:
        event that the model has already taken. `before`: table before the event; None for none.
        """
        always = self.model.hints_always
        if isinstance(event, Welcome) or (
            isinstance(event, Table) and not always and _other_turn(before, event)
        ):
            self._level = FIRST
        if always and self._view.may_open and isinstance(event, Table) and to_decide_anew(before, event):
            self.ask()

    def ask(self, hand: str = "") -> None:
        """Ask the engine for a hint of the current level.

        `hand`: cards of the player on turn, as "3 3 7". If "", the cards of the person seated at this screen,
        if they are visible.
        """
        hand = hand or own_hand(self.world, self.model.table)
        self._line.send(AskHint(self._level, hand))

    def action_hint(self) -> None:
        """Ask the engine for a hint; for a stronger one while a hint is shown."""
        if self.model.advice is not None:
            # The engine gives at most what the family allows: continue from the level it gave.
            hello = self.model.welcome
            self._level = stronger(self.model.advice.level, hello.assist if hello else "")
        self.ask()

    def action_hint_on_cards(self) -> None:
        """Ask a person to type cards in hand, then the engine for a hint on them."""

        def answer(hand: str | None) -> None:
            if hand:
                self.ask(hand)

        title, wanted = tr("A hint on the cards of the player on turn"), tr("Cards as 3 3 4 7, then enter:")
        self._view.open(LineScreen(title, wanted), answer)

    def action_hints_always(self) -> None:
        """Switch hints at every move on or off; keep this choice.

        If now on, the engine is asked for one at once.
        """
        always = self.model.hints_always = not self.model.hints_always
        self._view.keep(always, "screen", "hints_always")
        self._view.notice(
            tr("Hints at every move. a: only when asked") if always else tr("Hints only when asked.")
        )
        if always:
            self.ask()


def _other_turn(before: Table | None, now: Table) -> bool:
    """True if tables `now` and `before` have different turns.

    Also if `before` is None. For a moment between two turns, no player is on turn (0); that alone is no other
    turn.
    """
    if before is None or before.turn != now.turn:
        return True
    return 0 not in (before.player, now.player) and before.player != now.player
