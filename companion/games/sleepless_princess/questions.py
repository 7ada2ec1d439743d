"""What the players may be asked: questions of yes or no about what everybody saw."""

from companion.core.language import player, text
from companion.games.askable_facts import AskableFact
from companion.games.sleepless_princess.rules.actions import Action, Claim, Move, MoveOn
from companion.games.sleepless_princess.rules.state import State
from companion.games.sleepless_princess.wording import princess_name


def askable_fact(before: State, action: Action) -> AskableFact | None:
    """A move of a mattress or a claim, which everybody saw, as a question of yes or no; None for all else."""
    if isinstance(action, Claim):
        asked = _was_meant(before, action.bed)
        return AskableFact(before.turns, asked, f"claim:turn{before.turns}:bed{action.bed + 1}")
    if isinstance(action, MoveOn):
        asked = text(
            "Did somebody move the top mattress of the {name} bed on to the {target} bed?",
            name=princess_name(before, action.source),
            target=princess_name(before, action.target),
        )
        return AskableFact(
            before.turns, asked, f"on:turn{before.turns}:bed{action.source + 1}:bed{action.target + 1}"
        )
    if not isinstance(action, Move):
        return None
    who, source = player(before.turn + 1, within=True), princess_name(before, action.source)
    if action.source == action.target:
        asked = text(
            "Did {who} take the bottom mattress of the {name} bed out and lay it on top of the same bed?",
            who=who,
            name=source,
        )
    else:
        asked = text(
            "Did {who} move the bottom mattress of the {name} bed to the {target} bed?",
            who=who,
            name=source,
            target=princess_name(before, action.target),
        )
    subject = f"turn{before.turns}:player{before.turn + 1}:bed{action.source + 1}:bed{action.target + 1}"
    return AskableFact(before.turns, asked, f"move:{subject}")


def proved_fact(state: State, bed: int) -> AskableFact:
    """That a princess sleeps, by mattresses that everybody saw. It belongs to no turn: it is asked of what lies
    there now."""
    asked = text(
        "I did not see the mattresses of the {name} bed turned up. Does she sleep?",
        name=princess_name(state, bed),
    )
    return AskableFact(0, asked, f"proved:bed{bed + 1}")


def claimed_fact(state: State, bed: int) -> AskableFact:
    """That a princess was claimed, in whatever turn."""
    return AskableFact(0, _was_meant(state, bed), f"claimed:bed{bed + 1}")


def _was_meant(state: State, bed: int) -> str:
    return text(
        "I did not see the mattresses of the {name} bed turned up. Was that claim meant?",
        name=princess_name(state, bed),
    )
