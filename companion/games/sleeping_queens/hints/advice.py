"""Ranked hints for a player, at the family's help level."""

from companion.games.advice import Advice, Hint, Level
from companion.games.sleeping_queens.hints import hint_wording
from companion.games.sleeping_queens.hints.options import Outlook
from companion.games.sleeping_queens.notation.action_notation import write_action
from companion.games.sleeping_queens.rules.kinds import UNKNOWN
from companion.games.sleeping_queens.rules.state import Phase, State

MOST = 3
"""Largest number of choices that one hint names."""


def advise(known: State, player: int, level: Level = Level.COACH) -> Advice:
    """Hints for the player (from 0) who decides, best first.

    Empty if somebody else has to decide, or chance. `known`: the state as this player knows it (see
    `player_knowledge.known_state`). `level`: how much a hint gives away. If the hand is unknown, the hint asks
    for it.
    """
    if known.phase is Phase.OVER or known.acting != player:
        return Advice(level, ())
    if level is Level.REFEREE:
        return Advice(level, (Hint(hint_wording.rule(known)),))
    if level is Level.MEMORY:
        return Advice(level, tuple(map(Hint, hint_wording.remembered(known, player))))
    if UNKNOWN in known.hands[player] and known.phase in (Phase.PLAY, Phase.ANSWER):
        return Advice(level, (Hint(hint_wording.untold(known)),))
    outlook = Outlook(known, player)
    found = outlook.options()[:MOST]
    said = hint_wording.sentences(known, player, found)
    if level is Level.NUDGE:
        why = next(said).why
        return Advice(level, (Hint(hint_wording.question(why), why),), outlook.positions)
    hints = tuple(
        Hint(one.text, one.why, write_action(option.action), round(option.worth, 4), round(option.chance, 4))
        for option, one in zip(found, said, strict=True)
    )
    return Advice(level, hints, outlook.positions)
