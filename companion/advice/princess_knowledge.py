"""The knowledge of the players of a recorded game: what they felt, saw, were shown or said."""

import contextlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.appearance import PhysicalCard
from companion.games.sleepless_princess.hints.hinted_players import MISREAD
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge, is_private
from companion.games.sleepless_princess.rules.actions import Action, Claim, Know, Look, Touch
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN, UNKNOWN_FACE, WITCH, face_of, face_text
from companion.games.sleepless_princess.rules.cardsets import unseen
from companion.games.sleepless_princess.rules.claim_rules import full_set
from companion.games.sleepless_princess.rules.hidden_state import spell_out
from companion.games.sleepless_princess.rules.player_view import told, touch_text
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, Phase, State
from companion.games.sleepless_princess.sensing.appearance import bed_at
from companion.sensing.observation import ManualEntry, Observation, Sighting
from companion.session.entries.player_statements import TOLD
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_lines import Adopted, Done, LaterLine, Observed, Revoked
from companion.session.journal.retold_journal import fold_of, take
from vision.art_codes import CardKinds


class Happened(NamedTuple):
    """Action of the recorded game, with the state before.

    Revoked actions are left out.
    """

    before: State
    action: Action
    said: str = ""
    """What the player said about its result, in words of `player_view.told`, e.g. "3". "" if nothing."""


class Settled(NamedTuple):
    """State of a game as people corrected it, e.g. took over from the table.

    `actions`: number of actions before the correction. `lost`: mattresses that nobody can identify any more.
    """

    actions: int
    state: State
    lost: tuple[int, ...]


class Relived(NamedTuple):
    """A recorded game, replayed: its end state, and what players could learn.

    `history`: actions that were not revoked, oldest first.
    """

    state: State
    history: list[Happened]
    unordered: frozenset[int]
    """Mattress slots whose face is known only from a picture of several mattresses together, in
    unknown order."""
    turned_up: tuple[tuple[str, ...], ...]
    """For each bed: the most faces seen turned up at once, as words of `player_view.told` (3t, 3s), in no
    order."""
    settled: tuple[Settled, ...] = ()
    """Every state that people corrected, in order."""


def relive(recorded: Recorded) -> Relived:
    """Replay a recorded game of Sleepless Princess.

    BadInputError for another game.
    """
    lines = fold_of(recorded, RULES.name)
    mattresses = filter(_is_mattress, lines.game.cards(recorded.opened.variant))
    life = _Life(lines.state, CardKinds({card.code: card.kind for card in mattresses}))
    for line in recorded.lines:
        before = lines.state
        take(lines, line)
        life.go_on(line, before, lines.state)
    known = life.known
    return Relived(
        lines.state,
        life.history,
        frozenset(known.unordered),
        tuple(known.turned_up),
        tuple(known.settled),
    )


@dataclass(slots=True)
class _Known:
    """What `Relived` tells besides state and history, so far."""

    turned_up: list[tuple[str, ...]]
    unordered: set[int] = field(default_factory=set)
    settled: list[Settled] = field(default_factory=list)

    def copy(self) -> "_Known":
        """What is known now, unchanged by later lines."""
        return _Known(list(self.turned_up), set(self.unordered), list(self.settled))


class _Life:
    """A recorded game that is relived, line by line.

    `start`: its first state. `faces`: code of a mattress -> its kind.
    """

    def __init__(self, start: State, faces: CardKinds) -> None:
        self.history: list[Happened] = []
        self.known = _Known([()] * len(start.beds))
        self._earlier = self.known.copy()
        """Knowledge before people last said that the table lies otherwise. Undone, it counts again."""
        self._faces = faces

    def go_on(self, line: LaterLine, before: State, after: State) -> None:
        """Go on by one line of the journal. `before`, `after`: states around it."""
        match line:
            case Done(_, action):
                self.history.append(Happened(before, RULES.read_action(action)))
                if isinstance(done := self.history[-1].action, Know):
                    self.known.unordered.discard(done.slot)
            case Adopted(back=True):
                shown = self.known.turned_up
                self.known = self._earlier
                # Mattresses turned up since then stay seen.
                pairs = zip(self.known.turned_up, shown, strict=True)
                self.known.turned_up = [max(seen, key=len) for seen in pairs]
            case Adopted():
                self._adopt(line.lost, before, after)
            case Revoked(_, n):
                del self.history[-n:]
            case Observed(_, observations):
                for seen in observations:
                    self._observe(seen, before, after)

    def _adopt(self, lost: tuple[int, ...], before: State, after: State) -> None:
        """The state was replaced. `lost`: mattresses whose face nobody knows any more."""
        if lost or not _turned_up_alone(before, after):
            self._earlier = self.known.copy()
        pairs = zip(before.faces, after.faces, strict=False)
        self.known.unordered |= {slot for slot, (old, new) in enumerate(pairs) if old != new != UNKNOWN_FACE}
        drawn = (before.hands, before.discard) != (after.hands, after.discard)
        if not (lost or drawn):
            return
        self.known.settled.append(Settled(len(self.history), after, lost))
        for bed, slots in enumerate(after.beds):
            if not set(slots).isdisjoint(lost):
                self.known.turned_up[bed] = ()

    def _observe(self, seen: Observation, before: State, state: State) -> None:
        """Note a player's statement, or the mattresses that lie open on a bed."""
        match seen:
            case ManualEntry(_, what, {"id": str(told_id)}) if what == TOLD:
                _say(self.history, before, told_id)
            case Sighting(_, zone, cards) if (bed := bed_at(state, zone)) is not None:
                found = tuple(sorted(self._faces[one.card] for one in cards if one.card in self._faces))
                self.known.turned_up[bed] = max(self.known.turned_up[bed], found, key=len)


def _turned_up_alone(before: State, after: State) -> bool:
    """True if two states differ in mattress faces alone.

    Then cards were turned up, and nothing else happened.
    """
    return before.faces != after.faces and before._replace(faces=after.faces) == after


def _is_mattress(card: PhysicalCard) -> bool:
    return card.kind[:1].isdecimal() and card.kind[1:] in ("t", "s")


def team_knowledge(game: Relived, told_by: Collection[int]) -> TeamKnowledge:
    """What a recorded game's players know of mattresses and cards.

    `told_by`: players (from 0) whose touches and looks count; in a silent game one player, or none. What a
    player said of a mattress counts before a sensor's result. A sensor's result counts only for a mattress that
    a player touched or saw, or was shown. Of mattresses turned up together only the set of faces counts. So
    hints do not depend on which sensors a table has.
    """
    now, history = game.state, game.history
    played = [one for one in history if one.before.phase is not Phase.SETUP]
    first = played[0].before if played else now
    known = TeamKnowledge(RULES.view(first, None), MISREAD, first.beds)
    setup = len(history) - len(played)
    # `known` starts after every adoption before the first play, so those are skipped.
    settled = [one for one in game.settled if one.actions > setup]
    for number, (before, action, said) in enumerate(played, setup):
        _begin_anew(known, settled, number)
        # After a take-over the beds may differ from what the actions led to.
        known.beds = [list(slots) for slots in before.beds]
        if isinstance(action, Claim):
            _turn_up(known, before, action, game)
            continue
        if is_private(action) and RULES.actor(before) not in told_by:
            known.observe(RULES.actor(before), action, ())
            continue
        shown = (said,) if said else told(before._replace(faces=_felt_faces(game, before)), action)
        known.observe(RULES.actor(before), spell_out(before, action), shown)
    _begin_anew(known, settled, len(history))
    known.beds = [list(slots) for slots in now.beds]
    return known


def _begin_anew(known: TeamKnowledge, settled: list[Settled], actions: int) -> None:
    """Apply corrected states to the team's knowledge.

    States from just before action number `actions` are applied, and dropped from `settled`. A
    correction replaces all that the team knew of lost mattresses and of cards.
    """
    while settled and settled[0].actions <= actions:
        _, state, lost = settled.pop(0)
        left = unseen(state)
        hands = [tuple(kind for kind in hand if kind != UNKNOWN) for hand in state.hands]
        known.begin_anew(lost, hands, left[1:WITCH], left[WITCH])


def _turn_up(known: TeamKnowledge, before: State, claim: Claim, game: Relived) -> None:
    """Add mattresses that a claim showed to the team's knowledge.

    If the princess sleeps, they are her own; else what the camera saw. No other sensor counts: a verdict is one
    word, and the cards may still lie face down.
    """
    slots, now, seen = before.beds[claim.bed], game.state, game.turned_up[claim.bed]
    if now.fates[claim.bed] == ASLEEP:
        seen = tuple(map(face_text, full_set(before.game.variant, before.princesses[claim.bed])))
    if len(seen) == len(slots):
        known.turn_up(slots, seen)


def check_of(game: Relived) -> Happened | None:
    """Last touch or look in the running turn of a replayed game; None if there was none."""
    place = _last_check(game.history, game.state)
    return None if place is None else game.history[place]


def last_check(recorded: Recorded) -> Happened | None:
    """Last touch or look in the running turn of a recorded game; None if there was none."""
    return check_of(relive(recorded))


def check_told(check: Happened | None, told_id: str) -> None:
    """Raise BadInputError unless a touch or look can have told a player's statement.

    `check`: the touch or look; None can have told nothing. `told_id`: id of the statement (see
    `public_screen.statements`).
    """
    if check is None:
        raise BadInputError(
            text("nobody has checked a mattress in this turn"), next_step=text("touch one first")
        )
    _word(check, told_id)


def _say(history: list[Happened], now: State, told_id: str) -> None:
    place = _last_check(history, now)
    if place is not None:
        with contextlib.suppress(BadInputError):
            history[place] = history[place]._replace(said=_word(history[place], told_id))


def _last_check(history: Sequence[Happened], now: State) -> int | None:
    """Index in `history` of this turn's last touch or look.

    None if there was none.
    """
    for place in reversed(range(len(history))):
        before, action, _ = history[place]
        if before.turns != now.turns:
            return None
        if isinstance(action, Touch | Look):
            return place
    return None


def _felt_faces(game: Relived, before: State) -> tuple[int, ...]:
    """Face of each mattress as players could find it in the state `before`.

    A sensor may name a mattress late, or forget it in doubt. The player felt it at this action.
    """
    return tuple(
        UNKNOWN_FACE if slot in game.unordered else new if new >= 0 else old
        for slot, (old, new) in enumerate(zip(before.faces, game.state.faces, strict=True))
    )


def _read_statement(told_id: str) -> tuple[bool, int]:
    """(whether a statement says smooth, bed from 1 that it names, 0 for none). BadInputError if it is none."""
    smooth, number = told_id.startswith("smooth"), told_id.removeprefix("smooth").strip()
    bed = int(number) if number.isdecimal() and number.isascii() and len(number) < 3 else 0
    if not told_id or (number and not bed):
        raise BadInputError(
            text("nobody can tell {told_id}", told_id=repr(told_id[:20])),
            next_step=text("choose one of what is offered"),
        )
    return smooth, bed


def _word(check: Happened, told_id: str) -> str:
    """A player's statement on a mattress in the notation of results, e.g. "3" or "smooth".

    `told_id`: id of the statement (see `public_screen.statements`). BadInputError if the touch or look `check`
    cannot have told that.
    """
    smooth, bed = _read_statement(told_id)
    princesses, looked = check.before.princesses, isinstance(check.action, Look)
    if not 0 <= bed <= len(princesses):
        raise BadInputError(text("there is no bed {bed}", bed=bed))
    if smooth and not check.before.game.variant.smooth:
        raise BadInputError(text("no mattress of this game is smooth"))
    if looked and not bed:
        raise BadInputError(text("the glass shows whose it is"), next_step=text("say whose"))
    if not looked and smooth == (bed > 0):
        raise BadInputError(
            text("fingers tell either whose it is or that it is smooth"), next_step=text("say which")
        )
    if not bed:
        return SMOOTH
    face = face_of(princesses[bed - 1], smooth)
    return face_text(face) if looked else touch_text(face)
