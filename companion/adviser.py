"""Hints for a game that is being watched: what its players can know, from the lines of its journal."""

import contextlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.errors import BadInputError
from companion.events import Advice, AskHint, Felt, HintView
from companion.games.engine import CHANCE
from companion.games.registry import check_table, load_game
from companion.games.sleepless_princess.actions import Action, Look, Touch
from companion.games.sleepless_princess.cards import KIND_OF_TEXT, KIND_TEXT, UNKNOWN, face_of, face_text
from companion.games.sleepless_princess.rules import RULES
from companion.games.sleepless_princess.state import Phase, State
from companion.games.sleepless_princess.view import told, touch_text
from companion.hints.advice import Advice as Advised
from companion.hints.advice import Hint, Level, advise
from companion.hints.knowledge import SMOOTH, TeamKnowledge
from companion.hints.policies import MISREAD
from companion.journal import Done, Fold, Observed, Recorded, Revoked
from companion.observation import ManualEntry
from companion.talk import FELT

LEVELS = tuple(level.name.lower() for level in Level)
TELL = "Tell me your cards, then I can say which of them help you most."
_LATER = {"touch": "If you can play, ", "look": "If you get a look, "}
"""Checks that come once cards are played -> how they begin before that."""
_SURE = {
    "claim": "{:.0%} sure that she sleeps",
    "move": "{:.0%} sure whose it is",
    "touch": "{:.0%} that fingers can tell",
}
"""Verb of a move -> how sure it is of what it counts on; other moves count on nothing."""


class Happened(NamedTuple):
    """An action that still stands."""

    before: State
    action: Action
    said: str = ""
    """What a player said it told them, as a word of view.told; empty where nobody said anything."""


def answer(recorded: Recorded, question: AskHint) -> Advice:
    """Hints for the player on turn at the end of a recorded game; none where nobody has to decide.

    BadInputError: an unknown level, a hand that cannot be, or a game without hints.
    """
    if question.level not in LEVELS:
        raise BadInputError(f"no level {question.level!r}", next_step=f"choose one of: {', '.join(LEVELS)}")
    _check_game(recorded)
    state, history = _relive(recorded)
    actor = RULES.actor(state)
    if actor == CHANCE:
        return Advice(question.level, 0, (), 0)
    known = team_knowledge(history, state)
    view = {**RULES.view(state, actor), "hand": _hand(known, state, question.hand)}
    untold = KIND_TEXT[UNKNOWN] in view["hand"]
    # Where what people said of the mattresses cannot be so, only what sensors saw them find out counts.
    for heard in (known, team_knowledge([one._replace(said="") for one in history], state)):
        with contextlib.suppress(ValueError):
            found = advise(heard, view, Level[question.level.upper()])
            hints = tuple(_without_cards(found, state) if untold else _all_shown(found))
            return Advice(question.level, actor + 1, hints, found.work_left)
    raise BadInputError("what was seen of the mattresses cannot be so", next_step="undo the last action")


def check_felt(recorded: Recorded, felt: Felt) -> None:
    """BadInputError if nobody can have felt or seen that in the running turn."""
    _check_game(recorded)
    state, history = _relive(recorded)
    place = _last_check(history, state)
    if place is None:
        raise BadInputError("nobody has checked a mattress in this turn", next_step="touch one first")
    _word(history[place], felt.bed, felt.smooth)


def team_knowledge(history: Sequence[Happened], now: State) -> TeamKnowledge:
    """What the team can know after `history`, which led to `now`: what players said, or else found out.

    What sensors know of a mattress is taken only where a player touched, saw or was shown that very mattress.
    """
    played = [one for one in history if one.before.phase is not Phase.SETUP]
    first = played[0].before if played else now
    known = TeamKnowledge(RULES.view(first, None), MISREAD, first.beds)
    for before, action, said in played:
        # A table that was taken over may lie otherwise than the actions before left it.
        known.beds = [list(slots) for slots in before.beds]
        # A sensor may have named the mattress only later, and forgotten it amid doubt: the player felt it then.
        faces = [new if new >= 0 else old for old, new in zip(before.faces, now.faces, strict=True)]
        shown = (said,) if said else told(before._replace(faces=tuple(faces)), action)
        known.observe(RULES.actor(before), action, shown)
    known.beds = [list(slots) for slots in now.beds]
    return known


def _shown(hint: Hint, work_left: int, text: str = "") -> HintView:
    expects = _expects(hint, work_left) if hint.action else ""
    return HintView(text or hint.text, hint.action, hint.worth, hint.chance, expects)


def _all_shown(found: Advised) -> Iterable[HintView]:
    return (_shown(hint, found.work_left) for hint in found.hints)


def _expects(hint: Hint, work_left: int) -> str:
    sure = _SURE.get(hint.action.partition(" ")[0], "")
    said = [sure.format(hint.chance)] if sure else []
    checks = f"{work_left} check{'' if work_left == 1 else 's'}"
    said.append(f"at least {checks} to go" if work_left else "nothing left to check, as far as known")
    return " · ".join(said)


def _without_cards(found: Advised, state: State) -> Iterable[HintView]:
    """Hints for a hand nobody told: a check that has to wait for cards says so, cards have to be told."""
    if state.phase is Phase.CHECK or found.level in (Level.REFEREE, Level.MEMORY):
        yield from _all_shown(found)
        return
    for hint in found.hints:
        verb = hint.why.partition("-")[0]
        if verb == "claim":
            yield _shown(hint, found.work_left)
        elif state.phase is Phase.PLAY and (verb == "touch" or state.game.variant.glass):
            later = _LATER[verb] if hint.action else ""
            text = f"{later}{hint.text[0].lower()}{hint.text[1:]}" if later else hint.text
            yield _shown(hint, found.work_left, text)
    yield HintView(TELL)


def _check_game(recorded: Recorded) -> None:
    if recorded.opened.game != RULES.name:
        raise BadInputError(f"no hints for {recorded.opened.game}", next_step=f"play {RULES.name}")
    check_table(load_game(RULES.name), recorded.opened.variant, recorded.opened.players)


def _relive(recorded: Recorded) -> tuple[State, list[Happened]]:
    """The state reached, and what led to it."""
    opened = recorded.opened
    lines: Fold = Fold(RULES, RULES.empty_table(opened.variant, opened.players))  # type: ignore[arg-type]
    history: list[Happened] = []
    for line in recorded.lines:
        before = lines.state
        lines.take(line)
        if isinstance(line, Done):
            history.append(Happened(before, RULES.read_action(line.a)))
        elif isinstance(line, Revoked):
            del history[-line.n :]
        elif isinstance(line, Observed):
            for seen in line.o:
                match seen:
                    case ManualEntry(_, what, {"bed": int(bed), "smooth": bool(smooth)}) if what == FELT:
                        _say(history, before, bed, smooth)
    return lines.state, history


def _say(history: list[Happened], now: State, bed: int, smooth: bool) -> None:
    place = _last_check(history, now)
    if place is not None:
        with contextlib.suppress(BadInputError):
            history[place] = history[place]._replace(said=_word(history[place], bed, smooth))


def _last_check(history: Sequence[Happened], now: State) -> int | None:
    """The last touch or look of the running turn."""
    for place in reversed(range(len(history))):
        before, action, _ = history[place]
        if before.turns != now.turns:
            return None
        if isinstance(action, Touch | Look):
            return place
    return None


def _word(check: Happened, bed: int, smooth: bool) -> str:
    """What a player says a check told them, as view.told words it; BadInputError if it cannot tell that."""
    princesses, looked = check.before.princesses, isinstance(check.action, Look)
    if not 0 <= bed <= len(princesses):
        raise BadInputError(f"there is no bed {bed}")
    if smooth and not check.before.game.variant.smooth:
        raise BadInputError("no mattress of this game is smooth")
    if looked and not bed:
        raise BadInputError("the glass shows whose it is", next_step="say whose")
    if not looked and smooth == (bed > 0):
        raise BadInputError("fingers tell either whose it is or that it is smooth", next_step="say which")
    if not bed:
        return SMOOTH
    face = face_of(princesses[bed - 1], smooth)
    return face_text(face) if looked else touch_text(face)


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
