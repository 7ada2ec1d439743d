"""Yes-or-no questions about moves and claims that everybody saw.

Facts are cached, because hypotheses are compared by them thousands of times a minute.
"""

from functools import lru_cache

from companion.core.language import player, text
from companion.games.hidden_cards import AskableFact
from companion.games.sleepless_princess.rules.actions import Action, Claim, Move, MoveOn
from companion.games.sleepless_princess.rules.state import State
from companion.games.sleepless_princess.wording import princess_name

_KEPT = 1 << 10


def askable_fact(before: State, action: Action) -> AskableFact | None:
    """Yes-or-no question to players: was a move of a mattress, or a claim, really done?

    None for any other action. `before`: the state before the action.
    """
    if isinstance(action, Claim):
        return _meant(
            before.turns, princess_name(before, action.bed), f"claim:turn{before.turns}:bed{action.bed + 1}"
        )
    if isinstance(action, MoveOn):
        source, target = action.source, action.target
        return _moved_on(
            before.turns, source, princess_name(before, source), target, princess_name(before, target)
        )
    if not isinstance(action, Move):
        return None
    source, target = action.source, action.target
    return _moved(
        before.turns, before.turn, source, princess_name(before, source), target, princess_name(before, target)
    )


@lru_cache(maxsize=_KEPT)
def _moved_on(turn: int, source: int, name: str, target: int, target_name: str) -> AskableFact:
    asked = text(
        "Did somebody move the top mattress in the bed of {name} on to the bed of {target}?",
        name=name,
        target=target_name,
    )
    return AskableFact(turn, asked, f"on:turn{turn}:bed{source + 1}:bed{target + 1}")


@lru_cache(maxsize=_KEPT)
def _moved(turn: int, mover: int, source: int, name: str, target: int, target_name: str) -> AskableFact:
    who = player(mover + 1, within=True)
    if source == target:
        asked = text(
            "Did {who} take the bottom mattress in the bed of {name} out and lay it on top of the same bed?",
            who=who,
            name=name,
        )
    else:
        asked = text(
            "Did {who} move the bottom mattress in the bed of {name} to the bed of {target}?",
            who=who,
            name=name,
            target=target_name,
        )
    return AskableFact(turn, asked, f"move:turn{turn}:player{mover + 1}:bed{source + 1}:bed{target + 1}")


def proved_fact(state: State, bed: int) -> AskableFact:
    """Yes-or-no question to players: did mattresses that the camera missed show that a princess sleeps?

    It may also have misread them. `bed`: her bed (from 0). The fact's `turn` is 0, because the question is
    about now and not about one turn.
    """
    asked = text(
        "I did not see for sure which mattresses lie in the bed of {name}. Does she sleep?",
        name=princess_name(state, bed),
    )
    return AskableFact(0, asked, f"proved:bed{bed + 1}")


def claimed_fact(state: State, bed: int) -> AskableFact:
    """Yes-or-no question to players: did anybody mean to claim a bed (from 0)?

    The fact's `turn` is 0, because the question is about any turn.
    """
    return _meant(0, princess_name(state, bed), f"claimed:bed{bed + 1}")


@lru_cache(maxsize=_KEPT)
def _meant(turn: int, name: str, said: str) -> AskableFact:
    asked = text(
        "I did not see the mattresses in the bed of {name} turned up. Was that claim meant?",
        name=name,
    )
    return AskableFact(turn, asked, said)
