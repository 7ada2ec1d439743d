"""What players can remember of a recorded game: what they felt, saw, were shown, or said themselves."""

import contextlib
from collections.abc import Sequence
from typing import NamedTuple

from companion.errors import BadInputError
from companion.events import Felt
from companion.games.registry import check_table, load_game
from companion.games.sleepless_princess.actions import Action, Look, Touch
from companion.games.sleepless_princess.cards import face_of, face_text
from companion.games.sleepless_princess.rules import RULES
from companion.games.sleepless_princess.state import Phase, State
from companion.games.sleepless_princess.view import told, touch_text
from companion.hints.knowledge import SMOOTH, TeamKnowledge
from companion.hints.policies import MISREAD
from companion.journal import Done, Fold, Observed, Recorded, Revoked
from companion.observation import ManualEntry
from companion.talk import FELT


class Happened(NamedTuple):
    """An action that still stands."""

    before: State
    action: Action
    said: str = ""
    """What a player said it told them, as a word of view.told; empty where nobody said anything."""


def relive(recorded: Recorded) -> tuple[State, list[Happened]]:
    """The state reached, and what led to it; BadInputError for a game without hints."""
    _check_game(recorded)
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


def check_felt(recorded: Recorded, felt: Felt) -> None:
    """BadInputError if nobody can have felt or seen that in the running turn."""
    state, history = relive(recorded)
    place = _last_check(history, state)
    if place is None:
        raise BadInputError("nobody has checked a mattress in this turn", next_step="touch one first")
    _word(history[place], felt.bed, felt.smooth)


def _check_game(recorded: Recorded) -> None:
    if recorded.opened.game != RULES.name:
        raise BadInputError(f"no hints for {recorded.opened.game}", next_step=f"play {RULES.name}")
    check_table(load_game(RULES.name), recorded.opened.variant, recorded.opened.players)


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
