"""Hints in watched games of Sleeping Queens 2.

They are computed from the open cards.
"""

from collections.abc import Collection

from companion.advice.queens import last_check, nothing_to_tell, shown
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.advice import level_of
from companion.games.rules import CHANCE
from companion.games.sleeping_queens_2.hints.advice import advise
from companion.games.sleeping_queens_2.hints.player_knowledge import known_state
from companion.games.sleeping_queens_2.hints.win_chance import fitted
from companion.games.sleeping_queens_2.rules.kinds import KIND_TEXT, kings_to_win
from companion.games.sleeping_queens_2.rules.legal_actions import held
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import State
from companion.session.journal.journal import Recorded
from companion.session.journal.retold_journal import fold_of, take
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Advice

__all__ = ["answer", "check_told", "last_check", "prepare"]


def answer(recorded: Recorded, question: AskHint, *, assist: str = "", aloud: bool = False) -> Advice:
    """Hints for the player on turn in a recorded game.

    Empty if chance decides. `question`: level of help, and the player's cards if told; they lie open, so told
    ones are only checked. `assist`: highest level that the family allows; "": no limit. `aloud`, everybody
    hears the hints, makes no difference. BadInputError for an unknown level, told cards that do not lie there,
    or an impossible recorded game.
    """
    level = level_of(question.level, assist)
    lines = fold_of(recorded, RULES.name)
    for line in recorded.lines:
        take(lines, line)
    state: State = lines.state
    player = RULES.actor(state)
    if player == CHANCE:
        return Advice(level.name.lower(), 0, (), 0)
    _check_realm(state, player, question.hand)
    found = advise(known_state(RULES.view(state, player), state.parts), level)
    missing = kings_to_win(state.players) - state.kings[player]
    hints = tuple(map(shown, found.hints))
    return Advice(found.level.name.lower(), player + 1, hints, missing, not aloud)


def prepare(variant: str, players: int, options: Collection[str] = ()) -> None:
    """Load what hints need, so that the first is quick.

    The arguments make no difference.
    """
    fitted()


def check_told(check: None, told: str) -> None:
    """Always BadInputError: no action tells one player alone anything."""
    raise nothing_to_tell(RULES.name, text("ask for a hint"))


def _check_realm(state: State, player: int, told: str) -> None:
    """BadInputError if told cards differ from a player's open cards.

    `player`: from 0. Companions may be left out.
    """
    realm = [KIND_TEXT[kind] for kind in held(state, player)]
    companions = [KIND_TEXT[kind] for kind in state.companions[player]]
    cards = sorted(told.upper().replace(",", " ").split())
    if cards and cards not in (sorted(realm), sorted(realm + companions)):
        raise BadInputError(
            text("you tell {told}, but I see {realm} in your realm", told=repr(told), realm=" ".join(realm))
            if realm
            else text("you tell {told}, but I see no cards in your realm", told=repr(told)),
            next_step=text("ask without telling any, or show the camera what it missed"),
        )
