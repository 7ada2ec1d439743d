"""Effects of actions on a state of Sleepless Princess.

>>> from random import Random
>>> from companion.games.sleepless_princess.rules.actions import Discard
>>> from companion.games.sleepless_princess.rules.dealing import setup
>>> state = setup("basic", 2, Random(1))
>>> after = apply(state, Discard((state.hands[0][0],)))
>>> after.phase.name, len(after.hands[0])
('DRAW', 4)
"""

from collections.abc import Callable
from typing import Any

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Know,
    Later,
    Lay,
    Look,
    Move,
    MoveOn,
    Open,
    Play,
    Recount,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import (
    BLANKET,
    PRINCESS_TYPES,
    UNKNOWN,
    UNKNOWN_FACE,
    WITCH,
)
from companion.games.sleepless_princess.rules.cardsets import (
    HAND_SIZE,
    ROW_SIZE,
    Cards,
    can_hold,
    spend,
    unseen,
)
from companion.games.sleepless_princess.rules.claim_rules import apply_claim, apply_final, completed
from companion.games.sleepless_princess.rules.legal_actions import (
    MOST_DISCARDS,
    faces_left,
    to_be_had,
    types_possible,
)
from companion.games.sleepless_princess.rules.plays import (
    BONUS,
    SECTION,
    may_lack_plays,
    play_cards,
    play_table,
    plays_for,
    plays_within,
    unread_plays,
    why_no_play,
)
from companion.games.sleepless_princess.rules.state import ASLEEP, Phase, State
from companion.games.sleepless_princess.rules.turn_flow import (
    HOW,
    SETUP_SECTION,
    apply_deck,
    apply_open,
    apply_take,
    end_turn,
    settle,
    text_of,
)

DISCARD_SECTION = "Discard 1 or 2 cards"
END = "End of the game"

_new = tuple.__new__
_SETUP, _PLAY, _DRAW = Phase.SETUP, Phase.PLAY, Phase.DRAW


def apply(state: State, action: Action) -> State:
    """The state after an action.

    IllegalError if the rules refuse it.
    """
    return _APPLY[type(action)](state, action)


def _play(state: State, action: Play) -> State:
    if state.phase is not Phase.PLAY:
        raise IllegalError("play-wrong-time", SECTION, "Cards are played at the beginning of a turn.")
    use = play_table(state.game.variant.name).get(action)
    if use is not None:
        hands, cards, looks = _without(state, use.cards, SECTION), use.cards, use.looks
    else:
        hands, cards, looks = _played_unread(state, action)
    return state._replace(
        phase=Phase.CHECK, hands=hands, played=cards, touches=1, looks=looks, checked=(), skips=0
    )


def _played_unread(state: State, action: Play) -> tuple[tuple[Cards, ...], Cards, int]:
    """(hands, played cards, looks) after a play whose card under the blanket nobody read.

    IllegalError if no card of the hand can be the covered one, or only one: then it is not unread.
    """
    name, turn = state.game.variant.name, state.turn
    plays = unread_plays(name).get(action)
    if plays is None or not _hides(state):
        raise why_no_play(state.game.variant, action)
    others = tuple(kind for kind in play_cards(action) if kind != UNKNOWN)
    hand = _without(state, others, SECTION)[turn]
    left = tuple(min(count, HAND_SIZE) for count in unseen(state))
    possible = set(plays).intersection(plays_within(name, state.hands[turn], left))
    faces = {play.covered for play in possible if play.covered is not None}
    if not faces:
        raise IllegalError("card-not-in-hand", SECTION, "No card of the hand can lie beneath the blanket.")
    if len(faces) == 1:
        names = [text_of(kind) for kind in faces]
        text = f"Only {names[0]} can lie beneath the blanket: name it."
        raise IllegalError("play-covered-known", SECTION, text, names)
    # Nobody can tell which fitting card left the hand, so all of them become unknown.
    stay = tuple(kind for kind in hand if kind not in faces and kind != UNKNOWN)
    rest = (*(UNKNOWN,) * (len(hand) - len(stay) - 1), *stay)
    hands = (*state.hands[:turn], rest, *state.hands[turn + 1 :])
    return hands, play_cards(action), play_table(name)[plays[0]].looks


def _discard(state: State, action: Discard) -> State:
    if state[1] is not _PLAY:
        raise IllegalError(
            "discard-wrong-time", DISCARD_SECTION, "Cards are discarded at the beginning of a turn."
        )
    cards = action.cards
    if not 1 <= len(cards) <= MOST_DISCARDS:
        raise _no_discard(cards, "discard-number", "Discard one or two cards.")
    # An unread card can be discarded only in a state with hidden cards.
    unsure = cards[0] == UNKNOWN and _hides(state)
    if not (UNKNOWN if unsure else 1) <= cards[0] <= cards[-1] <= BLANKET:
        raise _no_discard(cards, "discard-cards", "Discard helpers or blankets, named ascending.")
    if to_be_had(state) < len(cards):
        text = f"Only {to_be_had(state)} cards are left to draw, so {len(cards)} cannot be exchanged."
        raise _no_discard(cards, "discard-no-cards-left", text)
    (game, _, turn, _, row, deck, discard, _, *rest) = state
    hands = _without_unseen(state, cards) if unsure else _without(state, cards, DISCARD_SECTION)
    rest[-2] = 0  # skips in a row
    return _new(State, (game, _DRAW, turn, hands, row, deck, discard + cards, len(cards), *rest))


def _hides(state: State) -> bool:
    return any(UNKNOWN in pile for pile in (state.deck, *state.hands))


def _without_unseen(state: State, cards: Cards) -> tuple[Cards, ...]:
    """All hands after the player on turn discarded unread cards.

    That hand becomes unknown, because nobody can tell what stays in it.
    """
    hands = list(_without(state, tuple(kind for kind in cards if kind != UNKNOWN), DISCARD_SECTION))
    hands[state.turn] = (UNKNOWN,) * len(hands[state.turn])
    forgotten = state._replace(hands=tuple(hands))
    return _without(forgotten, tuple(kind for kind in cards if kind == UNKNOWN), DISCARD_SECTION)


def _no_discard(cards: Cards, code: str, text: str) -> IllegalError:
    return IllegalError(code, DISCARD_SECTION, text, [text_of(kind) for kind in cards])


def _without(state: State, cards: Cards, section: str) -> tuple[Cards, ...]:
    turn, hands = state.turn, state.hands
    spent = spend(hands[turn], cards)
    if spent is None:
        missing = [kind for kind in sorted(set(cards)) if hands[turn].count(kind) < cards.count(kind)]
        names = [text_of(kind) for kind in missing]
        raise IllegalError("card-not-in-hand", section, f"Not in the hand: {', '.join(names)}.", names)
    rest, guessed = spent
    guessed = tuple(kind for kind in guessed if kind != UNKNOWN)
    if guessed:
        left = unseen(state)
        if not can_hold(guessed, left):
            names = [text_of(kind) for kind in sorted(set(guessed)) if left[kind] < guessed.count(kind)]
            raise IllegalError("card-not-left", section, f"Seen elsewhere already: {', '.join(names)}.", names)
    return (*hands[:turn], rest, *hands[turn + 1 :])


def _skip(state: State, _: Skip) -> State:
    if state.phase is not Phase.PLAY:
        raise IllegalError("skip-wrong-time", END, "A turn is skipped at its beginning.")
    hand = state.hands[state.turn]
    if hand and to_be_had(state):
        raise IllegalError("skip-can-discard", END, "A player who can discard does not skip.")
    name = state.game.variant.name
    if UNKNOWN in hand:
        stuck = may_lack_plays(name, hand, tuple(min(count, HAND_SIZE) for count in unseen(state)))
    else:
        stuck = not plays_for(name, hand)
    if not stuck:
        raise IllegalError("skip-can-play", END, "A player who can play does not skip.")
    return end_turn(state._replace(skips=state.skips + 1))


def _bottom(state: State, bed: int) -> int:
    if state.phase is not Phase.CHECK:
        raise IllegalError("check-wrong-time", SECTION, "Mattresses are checked and moved after a play.")
    _in_play(state, bed)
    if not state.beds[bed]:
        raise IllegalError("bed-empty", SECTION, f"No mattress lies on bed {bed + 1}.")
    return state.beds[bed][0]


def _in_play(state: State, bed: int) -> None:
    if not 0 <= bed < len(state.beds):
        raise IllegalError("no-such-bed", SECTION, f"There is no bed {bed + 1}.")
    if state.fates[bed] == ASLEEP:
        raise IllegalError("bed-asleep", SECTION, f"Bed {bed + 1} is set aside, its princess sleeps.")


def _touch(state: State, action: Touch) -> State:
    slot = _bottom(state, action.bed)
    if not state.touches:
        raise IllegalError("no-touch-left", SECTION, "One mattress is touched a turn.")
    return state._replace(touches=state.touches - 1, checked=_note(state, slot, False))


def _look(state: State, action: Look) -> State:
    slot = _bottom(state, action.bed)
    if not state.looks and not action.extra:
        text = "Each sum in a play gives one look through the glass; none is left."
        raise IllegalError("no-look-left", BONUS, text)
    if state.looks and action.extra:
        raise IllegalError("look-left", BONUS, "A look is left; nobody needs an extra one.")
    return state._replace(looks=max(0, state.looks - 1), checked=_note(state, slot, True))


def _note(state: State, slot: int, looked: bool) -> tuple[tuple[int, bool], ...]:
    # One entry for each mattress, because a look tells all that a touch tells.
    for at, (known, seen) in enumerate(state.checked):
        if known == slot:
            return (*state.checked[:at], (slot, seen or looked), *state.checked[at + 1 :])
    return (*state.checked, (slot, looked))


def _move(state: State, action: Move) -> State:
    source, target = action.source, action.target
    slot = _bottom(state, source)
    _in_play(state, target)
    checked = tuple(entry for entry in state.checked if entry[0] != slot)
    if len(checked) == len(state.checked):
        text = f"The bottom mattress of bed {source + 1} was not checked this turn."
        raise IllegalError("move-not-checked", SECTION, text)
    beds = list(state.beds)
    beds[source] = beds[source][1:]
    beds[target] = (*beds[target], slot)
    return state._replace(beds=tuple(beds), checked=checked)


def _move_on(state: State, action: MoveOn) -> State:
    source, target = action.source, action.target
    for bed in (source, target):
        _in_play(state, bed)
    if not Phase.PLAY <= state.phase <= Phase.LAY or source == target or not state.beds[source]:
        text = f"No mattress came to bed {source + 1} that could go on to bed {target + 1}."
        raise IllegalError("nothing-to-put-right", SECTION, text)
    if any(slot == state.beds[source][0] for slot, _ in state.checked):
        text = f"The bottom mattress of bed {source + 1} was checked: that is the one that is moved."
        raise IllegalError("bottom-checked", SECTION, text)
    beds = list(state.beds)
    beds[source], slot = beds[source][:-1], beds[source][-1]
    beds[target] = (*beds[target], slot)
    return state._replace(beds=tuple(beds))


def _done(state: State, _: Done) -> State:
    if state.played and state.phase in (Phase.DRAW, Phase.LAY):
        return state._replace(discard=state.discard + state.played, fresh=len(state.played), played=())
    if state.phase is not Phase.CHECK:
        raise IllegalError(
            "done-wrong-time", SECTION, "There is nothing to be done with: no cards were played."
        )
    played = state.played
    return settle(
        state._replace(
            phase=Phase.DRAW,
            discard=state.discard + played,
            fresh=len(played),
            played=(),
            touches=0,
            looks=0,
            checked=(),
        )
    )


def _later(state: State, _: Later) -> State:
    if state.phase is Phase.LAY and len(state.hands[state.turn]) == HAND_SIZE:
        return end_turn(state)
    if state.phase is Phase.SETUP and _dealt(state):
        return completed(state._replace(phase=Phase.PLAY, turns=1))
    if state.phase is not Phase.CHECK:
        raise IllegalError("later-wrong-time", HOW, "Nothing is left to be done later.")
    return settle(state._replace(phase=Phase.DRAW, touches=0, looks=0, checked=()))


def _seat(state: State, action: Seat) -> State:
    bed, princess = action.bed, action.princess
    if state.phase is not Phase.SETUP:
        raise IllegalError("seat-wrong-time", SETUP_SECTION, "Princesses are seated before the game.")
    if not 0 <= bed < len(state.beds):
        raise IllegalError("no-such-bed", SETUP_SECTION, f"There is no bed {bed + 1}.")
    if not 0 <= princess < PRINCESS_TYPES:
        raise IllegalError("no-such-princess", SETUP_SECTION, f"There is no princess {princess}; 0 to 9 are.")
    if state.princesses[bed] >= 0:
        raise IllegalError("bed-taken", SETUP_SECTION, f"A princess stands on bed {bed + 1} already.")
    if princess in state.princesses:
        raise IllegalError(
            "princess-seated", SETUP_SECTION, f"Princess {princess} stands on another bed already."
        )
    if princess not in types_possible(state):
        text = f"The mattresses on the table belong to others than princess {princess}."
        raise IllegalError("princess-without-mattresses", SETUP_SECTION, text)
    seats = list(state.princesses)
    seats[bed] = princess
    return _begin(state._replace(princesses=tuple(seats)))


def _lay(state: State, action: Lay) -> State:
    bed, face = action.bed, action.face
    if state.phase is not Phase.SETUP:
        raise IllegalError("lay-wrong-time", SETUP_SECTION, "Mattresses are dealt before the game.")
    if not 0 <= bed < len(state.beds):
        raise IllegalError("no-such-bed", SETUP_SECTION, f"There is no bed {bed + 1}.")
    if len(state.beds[bed]) >= state.game.variant.mattresses_per_bed:
        raise IllegalError("bed-full", SETUP_SECTION, f"Bed {bed + 1} has its mattresses already.")
    if face != UNKNOWN_FACE and face not in faces_left(state):
        raise IllegalError("mattress-not-left", SETUP_SECTION, "No mattress with this face is left to deal.")
    beds = list(state.beds)
    beds[bed] = (*beds[bed], len(state.faces))
    return _begin(state._replace(beds=tuple(beds), faces=(*state.faces, face)))


def _lay_first(state: State, action: Open) -> State:
    return _begin(apply_open(state, action))


def _open(state: State, action: Open) -> State:
    return _lay_first(state, action) if state[1] is _SETUP else apply_open(state, action)


def _begin(state: State) -> State:
    """Start the first turn, once princesses, mattresses and open cards lie on the table."""
    ready = len(state.row) == ROW_SIZE and _dealt(state)
    return completed(state._replace(phase=Phase.PLAY, turns=1)) if ready else state


def _dealt(state: State) -> bool:
    per_bed = state.game.variant.mattresses_per_bed
    return -1 not in state.princesses and all(len(slots) == per_bed for slots in state.beds)


def _know(state: State, action: Know) -> State:
    slot, face = action.slot, action.face
    if not 0 <= slot < len(state.faces):
        raise IllegalError("no-such-mattress", HOW, f"There is no mattress {slot + 1} on the table.")
    highest = 2 * PRINCESS_TYPES
    if face != UNKNOWN_FACE and not (0 <= face < highest and (state.game.variant.smooth or not face & 1)):
        raise IllegalError("no-such-face", HOW, f"No mattress of this game has face {face}.")
    known = state._replace(faces=(*state.faces[:slot], face, *state.faces[slot + 1 :]))
    return known if face == UNKNOWN_FACE or state.phase is _SETUP else completed(known)


def _recount(state: State, action: Recount) -> State:
    wanted, held = action.deck, state.discard.count(UNKNOWN)
    if not held or any(state.deck):
        text = "No card was missed, so the number of cards in the deck is known."
        raise IllegalError("recount-known", HOW, text)
    more = wanted - len(state.deck)
    # Witches for which the recounted deck has no room lie on the discard pile.
    witches = max(0, unseen(state)[WITCH] - wanted)
    if wanted < 0 or more > held or witches > held - more:
        text = f"The deck holds 0 to {len(state.deck) + held} cards, not {wanted}."
        raise IllegalError("recount-number", HOW, text)
    pile = [*(UNKNOWN,) * -more, *state.discard]
    for _ in range(more):
        pile.remove(UNKNOWN)
    for _ in range(witches):
        pile[pile.index(UNKNOWN)] = WITCH
    fresh = min(state.fresh, len(pile))
    counted = state._replace(deck=(UNKNOWN,) * wanted, discard=tuple(pile), fresh=fresh)
    return settle(counted) if state.phase in (Phase.DRAW, Phase.LAY) else counted


_APPLY: dict[type, Callable[[State, Any], State]] = {
    Seat: _seat,
    Lay: _lay,
    Open: _open,
    Discard: _discard,
    Play: _play,
    Skip: _skip,
    Touch: _touch,
    Look: _look,
    Move: _move,
    MoveOn: _move_on,
    Done: _done,
    Take: apply_take,
    Deck: apply_deck,
    Claim: apply_claim,
    Final: apply_final,
    Know: _know,
    Later: _later,
    Recount: _recount,
}
