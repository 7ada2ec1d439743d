"""Ranked hints for a player, at the family's help level."""

from companion.games.advice import Advice, Hint, Level
from companion.games.sleeping_queens_2.hints import hint_wording
from companion.games.sleeping_queens_2.hints.options import Outlook
from companion.games.sleeping_queens_2.hints.player_knowledge import fitting_share
from companion.games.sleeping_queens_2.notation.action_notation import write_action
from companion.games.sleeping_queens_2.rules.actions import Equation, Fetch
from companion.games.sleeping_queens_2.rules.hidden_state import chance_decides
from companion.games.sleeping_queens_2.rules.state import State

MOST = 3
"""Largest number of choices that one hint names."""


def advise(known: State, level: Level = Level.COACH) -> Advice:
    """Hints for the player on turn, best first.

    Empty if chance decides or the game is over. `known`: the state as players know it (see
    `player_knowledge.known_state`). `level`: how much a hint gives away.
    """
    if chance_decides(known):
        return Advice(level, ())
    if level is Level.REFEREE:
        return Advice(level, (Hint(hint_wording.rule(known)),))
    if level is Level.MEMORY:
        return Advice(level, tuple(map(Hint, hint_wording.remembered(known))))
    outlook = Outlook(known)
    found = outlook.options()[:MOST]
    said = hint_wording.sentences(known, found)
    if level is Level.NUDGE:
        why = next(said).why
        return Advice(level, (Hint(hint_wording.question(why), why),), outlook.positions)
    share = fitting_share(known, known.turn)
    hints = tuple(
        Hint(
            one.text,
            one.why,
            write_action(option.action),
            round(option.worth, 4),
            round(share, 4) if share is not None and isinstance(option.action, Equation | Fetch) else None,
        )
        for option, one in zip(found, said, strict=True)
    )
    return Advice(level, hints, outlook.positions)
