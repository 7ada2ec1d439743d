"""What players can remember of a recorded game: what they felt, saw, were shown, or said themselves."""

import contextlib
from collections.abc import Collection, Sequence
from typing import NamedTuple

from companion.errors import BadInputError
from companion.events import Felt
from companion.games.registry import check_table, load_game
from companion.games.sleepless_princess.actions import Action, Claim, Know, Look, Touch
from companion.games.sleepless_princess.cards import UNKNOWN_FACE, face_of, face_text
from companion.games.sleepless_princess.claims import full_set
from companion.games.sleepless_princess.hidden import spell_out
from companion.games.sleepless_princess.rules import RULES
from companion.games.sleepless_princess.state import ASLEEP, Phase, State
from companion.games.sleepless_princess.view import told, touch_text
from companion.hints.knowledge import SMOOTH, TeamKnowledge, is_private
from companion.hints.policies import MISREAD
from companion.journal import Adopted, Done, Fold, Observed, Recorded, Revoked
from companion.observation import ManualEntry
from companion.talk import FELT


class Happened(NamedTuple):
    """An action that still stands."""

    before: State
    action: Action
    said: str = ""
    """What a player said it told them, as a word of view.told; empty where nobody said anything."""


class Relived(NamedTuple):
    """A recorded game so far."""

    state: State
    history: list[Happened]
    unordered: frozenset[int]
    """Mattresses of which no sensor told the face: the camera saw them beside others, in no order."""


def relive(recorded: Recorded) -> Relived:
    """The state reached, and what led to it; BadInputError for a game without hints."""
    _check_game(recorded)
    opened = recorded.opened
    lines: Fold = Fold(RULES, RULES.empty_table(opened.variant, opened.players))  # type: ignore[arg-type]
    history: list[Happened] = []
    unordered: set[int] = set()
    for line in recorded.lines:
        before = lines.state
        lines.take(line)
        if isinstance(line, Done):
            history.append(Happened(before, RULES.read_action(line.a)))
            if isinstance(action := history[-1].action, Know):
                unordered.discard(action.slot)
        elif isinstance(line, Adopted):
            pairs = zip(before.faces, lines.state.faces, strict=False)
            unordered |= {slot for slot, (old, new) in enumerate(pairs) if old != new != UNKNOWN_FACE}
        elif isinstance(line, Revoked):
            del history[-line.n :]
        elif isinstance(line, Observed):
            for seen in line.o:
                match seen:
                    case ManualEntry(_, what, {"bed": int(bed), "smooth": bool(smooth)}) if what == FELT:
                        _say(history, before, bed, smooth)
    return Relived(lines.state, history, frozenset(unordered))


def team_knowledge(game: Relived, told_by: Collection[int]) -> TeamKnowledge:
    """What people can know of a game: what players said, or else found out.

    `told_by` are the players whose touches and looks count: in a silent game one alone, or nobody.

    What sensors know of a mattress is taken only where a player touched, saw or was shown that very mattress.
    Of mattresses turned up together only what they are is taken, never which of them is which: players and a
    pad that reads tags know, a camera does not, and a hint must not tell what a table is equipped with.
    """
    now, history = game.state, game.history
    played = [one for one in history if one.before.phase is not Phase.SETUP]
    first = played[0].before if played else now
    known = TeamKnowledge(RULES.view(first, None), MISREAD, first.beds)
    for before, action, said in played:
        # A table that was taken over may lie otherwise than the actions before left it.
        known.beds = [list(slots) for slots in before.beds]
        if isinstance(action, Claim):
            _turn_up(known, before, action, now)
            continue
        if is_private(action) and RULES.actor(before) not in told_by:
            known.observe(RULES.actor(before), action, ())
            continue
        # A sensor may have named the mattress only later, and forgotten it amid doubt: the player felt it then.
        faces = tuple(
            UNKNOWN_FACE if slot in game.unordered else new if new >= 0 else old
            for slot, (old, new) in enumerate(zip(before.faces, now.faces, strict=True))
        )
        shown = (said,) if said else told(before._replace(faces=faces), action)
        known.observe(RULES.actor(before), spell_out(before, action), shown)
    known.beds = [list(slots) for slots in now.beds]
    return known


def _turn_up(known: TeamKnowledge, before: State, claim: Claim, now: State) -> None:
    """A claim shows the whole bed: hers if she sleeps, else what the camera or, once, the pad saw of it."""
    slots = before.beds[claim.bed]
    if now.fates[claim.bed] == ASLEEP:
        faces = list(full_set(before.game.variant, before.princesses[claim.bed]))
    else:
        seen = zip((before.faces[slot] for slot in slots), (now.faces[slot] for slot in slots), strict=True)
        faces = [old if old >= 0 else new for old, new in seen]
    if UNKNOWN_FACE not in faces:
        known.turn_up(slots, [face_text(face) for face in faces])


def check_felt(recorded: Recorded, felt: Felt) -> None:
    """BadInputError if nobody can have felt or seen that in the running turn."""
    state, history, _ = relive(recorded)
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
