"""Hints for a game that is being watched: what its players can know, from the lines of its journal."""

from companion.errors import BadInputError
from companion.events import Advice, AskHint, HintView
from companion.games.engine import CHANCE
from companion.games.sleepless_princess.actions import Action
from companion.games.sleepless_princess.cards import KIND_OF_TEXT, KIND_TEXT, UNKNOWN
from companion.games.sleepless_princess.rules import RULES
from companion.games.sleepless_princess.state import Phase, State
from companion.games.sleepless_princess.view import told
from companion.hints.advice import Level, advise
from companion.hints.knowledge import TeamKnowledge
from companion.hints.policies import MISREAD
from companion.journal import Done, Fold, Recorded, Revoked

LEVELS = tuple(level.name.lower() for level in Level)


def answer(recorded: Recorded, question: AskHint) -> Advice:
    """Hints for the player on turn at the end of a recorded game; none where nobody has to decide.

    BadInputError: an unknown level, a hand that cannot be, or a game without hints.
    """
    if question.level not in LEVELS:
        raise BadInputError(f"no level {question.level!r}", next_step=f"choose one of: {', '.join(LEVELS)}")
    if recorded.opened.game != RULES.name:
        raise BadInputError(f"no hints for {recorded.opened.game}", next_step=f"play {RULES.name}")
    state, history = _relive(recorded)
    actor = RULES.actor(state)
    if actor == CHANCE:
        return Advice(question.level, 0, (), 0)
    known = team_knowledge(history, state)
    view = {**RULES.view(state, actor), "hand": _hand(known, state, question.hand)}
    found = advise(known, view, Level[question.level.upper()])
    hints = tuple(HintView(hint.text, hint.action, hint.worth, hint.chance) for hint in found.hints)
    return Advice(question.level, actor + 1, hints, found.work_left)


def team_knowledge(history: list[tuple[State, Action]], now: State) -> TeamKnowledge:
    """What the team can know after `history`, which led to `now`.

    What sensors know of a mattress is taken only where a player touched, saw or was shown that very mattress.
    """
    played = [(before, action) for before, action in history if before.phase is not Phase.SETUP]
    first = played[0][0] if played else now
    known = TeamKnowledge(RULES.view(first, None), MISREAD, first.beds)
    for before, action in played:
        # A table that was taken over may lie otherwise than the actions before left it.
        known.beds = [list(slots) for slots in before.beds]
        # A sensor may have named the mattress only later, and forgotten it amid doubt: the player felt it then.
        faces = [new if new >= 0 else old for old, new in zip(before.faces, now.faces, strict=True)]
        shown = told(before._replace(faces=tuple(faces)), action)
        known.observe(RULES.actor(before), action, shown)
    known.beds = [list(slots) for slots in now.beds]
    return known


def _relive(recorded: Recorded) -> tuple[State, list[tuple[State, Action]]]:
    """The state reached, and every action that still stands with the state before it."""
    opened = recorded.opened
    lines: Fold = Fold(RULES, RULES.empty_table(opened.variant, opened.players))  # type: ignore[arg-type]
    history: list[tuple[State, Action]] = []
    for line in recorded.lines:
        if isinstance(line, Done):
            history.append((lines.state, RULES.read_action(line.a)))
        elif isinstance(line, Revoked):
            del history[-line.n :]
        lines.take(line)
    return lines.state, history


def _hand(known: TeamKnowledge, state: State, told_by_player: str) -> list[str]:
    """The player's cards as text; "?" for those nobody told or saw go there."""
    size = len(state.hands[state.turn])
    cards = told_by_player.upper().replace(",", " ").split()
    if not cards:
        public = [KIND_TEXT[kind] for kind in known.held[state.turn]][:size]
        return [KIND_TEXT[UNKNOWN]] * (size - len(public)) + public
    highest = state.game.variant.helpers_up_to
    allowed = {*map(str, range(1, highest + 1)), "B"}
    if not size:
        raise BadInputError("the hand is empty now", next_step="ask without one")
    if len(cards) != size or not set(cards) <= allowed:
        raise BadInputError(
            f"{told_by_player!r} is no hand of {size} cards",
            next_step=f"name {size}, each 1 to {highest} or B, such as {'3 3 B 4 1'[: 2 * size - 1]}",
        )
    return sorted(cards, key=KIND_OF_TEXT.__getitem__)
