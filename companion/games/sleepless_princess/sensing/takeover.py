"""A table taken over as it lies: sensors decide, and what nobody can know becomes unknown."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from companion.core.language import listed, plural, text
from companion.games.appearance import Survey, TakenOver
from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.actions import Action, Lay, Open, Seat
from companion.games.sleepless_princess.rules.apply import apply
from companion.games.sleepless_princess.rules.card_kinds import (
    KIND_OF_TEXT,
    UNKNOWN,
    UNKNOWN_FACE,
    WITCH,
)
from companion.games.sleepless_princess.rules.cardsets import ROW_SIZE, Cards, totals
from companion.games.sleepless_princess.rules.claim_rules import completed, settled
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State
from companion.games.sleepless_princess.rules.state_faults import status
from companion.games.sleepless_princess.sensing.appearance import bed_name, dreams, needed_kinds
from companion.games.sleepless_princess.sensing.unseen_turns import (
    MISCOUNTED,
    SPENT,
    goes_on,
    recounted,
    start_of_turn,
)
from companion.games.sleepless_princess.wording import princess_name

FORGOTTEN = text(
    "Which mattresses lie where I do not know any more: claims stay open until the cards are shown."
)
OVER = text("the game is over; undo takes back what ended it")
NOT_BEGUN = text("the game has not begun")
UNPAID = "out-unshown"
"""Code of the fault that more mattresses changed beds than the turns so far allow."""
TOO_MANY = text(
    "the scales carry more mattresses than the game has. Take hands and other things off the beds, then try "
    "again; or g at the table's own screen, whose turn it is, goes on without the scales"
)
HIDDEN_FAULTS = {"too-many", "asleep-foreign", "asleep-elsewhere", "out-unshown"}
"""Codes of faults that depend on hidden faces. Their texts would name secrets, so nobody sees them."""
UNFIT = text(
    "the mattresses do not fit the tiles. Show the camera those of the beds that changed, then try again"
)


def take_over(state: State, found: Survey) -> TakenOver[State]:
    """State that fits table `found` with fewest changes to `state`.

    ValueError says what is impossible.

    A bed with an unexpected count, or with an unknown move, gets unknown mattresses. A princess whose tile
    lies dreaming side up sleeps. A missing tile looks to the camera like a standing one: so a princess is
    out only if her bed was claimed and turned up, or if players say so. Players may also say that a
    princess still plays, because nobody meant the claim.
    """
    if found.playing and state.phase is Phase.OVER:
        raise ValueError(OVER)
    if state.phase is Phase.SETUP:
        return _possible(_laid_out(state, found))
    taken = _beds_taken(state, found)
    after = taken.state
    if state.phase < Phase.FINAL:
        after = _cards_taken(_played_unseen(after, found), found)
    if AWAKE not in after.fates:
        after = _over(after)
    # After the end no claim is possible, so nothing is asked.
    playing = after.phase is not Phase.OVER
    if not playing:
        return _possible(TakenOver(after, taken.lost))
    unseen, judged = _unseen(after, found), _judged(after, found)
    return _possible(TakenOver(after, taken.lost, taken.open, unseen=unseen, judged=judged))


def _unseen(state: State, found: Survey) -> tuple[tuple[int, str], ...]:
    """Awake princesses whose claim may have failed unseen.

    Returns (bed from 0, sentence). The camera cannot tell a missing tile from a standing one. Empty if the
    table was watched all the time.
    """
    if found.trusted is None:
        return ()
    awake = (bed for bed, fate in enumerate(state.fates) if fate == AWAKE)
    return tuple((bed, text("{name} has left the game", name=princess_name(state, bed))) for bed in awake)


def _judged(state: State, found: Survey) -> tuple[tuple[int, str], ...]:
    """Princesses who are out by a verdict alone and may still play: (bed from 0, sentence)."""
    judged = (bed for bed, fate in enumerate(state.fates) if fate != AWAKE and not _dreams(state, bed, found))
    return tuple((bed, text("{name} still plays", name=princess_name(state, bed))) for bed in judged)


def _dreams(state: State, bed: int, found: Survey) -> bool:
    """True if the tile of a bed's princess is seen on her bed, dreaming side up."""
    return dreams(state, bed, found.zones.get(bed_name(bed)))


def at_turn(state: State, player: int, *, missed: bool) -> State:
    """The state at the start of a turn of `player` (from 0).

    ValueError says why it cannot start.

    `missed`: turns may have passed unseen, so it is the player's next turn, else the nearest one. A turn
    starts with a short row only if the deck is empty: so after missed turns a deck believed small becomes
    empty.
    """
    if not 0 <= player < state.game.players:
        raise ValueError(text("there is no player {number}", number=player + 1))
    if state.phase is Phase.OVER:
        raise ValueError(OVER)
    if state.phase is Phase.FINAL:
        state = state._replace(last=-1)
    if state.phase is Phase.SETUP:
        state = _begun(state)
    begun = start_of_turn(state, player, missed=missed)
    guess = MISCOUNTED + SPENT * state.game.players
    if missed and len(begun.row) < ROW_SIZE and 0 < len(begun.deck) <= guess and begun.turns > 1:
        begun = recounted(begun, begun.row, deck=0)
    return _possible(TakenOver(begun)).state


def ended(state: State, found: Survey) -> TakenOver[State]:
    """The finished game, with the cards of the table `found`.

    ValueError before the game has begun.

    A princess sleeps if her tile or turned up mattresses show it. Any other stays awake, is not counted,
    and is named in a sentence. Impossible scale readings are ignored, because a game can always be ended.
    """
    if state.phase is Phase.SETUP:
        raise ValueError(NOT_BEGUN)
    shown = {bed for bed, fate in enumerate(state.fates) if fate == AWAKE and _shown_asleep(state, bed, found)}
    try:
        taken = _beds_taken(state, found, shown)
    except ValueError:
        taken = _beds_taken(state, replace(found, counts={}), shown)
    after = taken.state
    unknown = [bed for bed, fate in enumerate(after.fates) if fate == AWAKE]
    names = [princess_name(after, bed) for bed in unknown]
    told = (text("Not known, so not counted: {names}.", names=names),) if unknown else ()
    left = (slot for bed, slots in enumerate(after.beds) if after.fates[bed] == AWAKE for slot in slots)
    after = _over(after._replace(shown=tuple(sorted({*after.shown, *left}))))
    return _possible(TakenOver(after, taken.lost, told))


def _possible(taken: TakenOver[State]) -> TakenOver[State]:
    """Make a state taken from the table possible, by assuming as many past rounds as its moves need.

    Each assumed round uses SPENT deck cards a player. ValueError if no game can reach the state even so.
    """
    state = taken.state
    while (faults := status(state)) and faults[0].code == UNPAID and state.deck:
        state = recounted(state, state.row, deck=len(state.deck) - SPENT * state.game.players)
        state = state._replace(turns=state.turns + state.game.players)
    if faults:
        if faults[0].code in HIDDEN_FAULTS:
            raise ValueError(UNFIT)
        raise ValueError(text("no game can look like that: {fault}", fault=faults[0].text.removesuffix(".")))
    return replace(taken, state=state)


def _over(state: State) -> State:
    return state._replace(phase=Phase.OVER, touches=0, looks=0, checked=())


def _kinds(found: Survey, zone: str) -> Cards | None:
    """Kinds of the deck cards seen in a zone, ascending.

    None if nobody watches the zone.
    """
    seen = found.zones.get(zone)
    return None if seen is None else tuple(sorted(KIND_OF_TEXT[kind] for kind in seen if kind in KIND_OF_TEXT))


def _shown_asleep(state: State, bed: int, found: Survey) -> bool:
    """True if the mattresses last turned up on a bed are its princess's, and may still lie there."""
    turned_up = found.shown.get(bed_name(bed), ())
    return turned_up == tuple(sorted(needed_kinds(state, bed))) and settled(state, bed) is not False


# Before the game


def _laid_out(state: State, found: Survey) -> TakenOver[State]:
    """The state of a table still being laid out: `state`, and each card that `found` has in addition."""
    lost = [slot for bed, slots in enumerate(state.beds) if bed_name(bed) in found.moved for slot in slots]
    known = enumerate(state.faces)
    state = state._replace(faces=tuple(UNKNOWN_FACE if slot in lost else face for slot, face in known))
    after = _laid(state, found)
    return TakenOver(after, tuple(lost), (FORGOTTEN,) if lost else ())


def _laid(state: State, found: Survey) -> State:
    for bed, slots in enumerate(state.beds):
        for kind in found.zones.get(bed_name(bed), ()):
            if kind[0] == "P":
                state = _tried(state, Seat(bed, int(kind[1:-1])))
        for _ in range(found.counts.get(bed_name(bed), 0) - len(slots)):
            state = _tried(state, Lay(bed, UNKNOWN_FACE))
    row = _kinds(found, "row")
    if row is None or state.phase is not Phase.SETUP:
        return state
    if Counter(state.row) - Counter(row):
        return recounted(state, row, deck=len(state.deck) + len(state.row))
    for opened in (Counter(row) - Counter(state.row)).elements():
        state = _tried(state, Open(opened))
    return state


def _tried(state: State, action: Action) -> State:
    try:
        return apply(state, action)
    except IllegalError:
        return state


def _begun(state: State) -> State:
    """Start the first turn of a table that is still being laid out.

    Beds that lack mattresses get unknown ones. ValueError if a princess is missing.
    """
    unseen = [str(bed + 1) for bed, princess in enumerate(state.princesses) if princess < 0]
    if unseen:
        raise ValueError(
            plural(
                "not seen yet is who sleeps in bed {beds}: lay her flat there for a moment first",
                "not seen yet is who sleeps in beds {beds}: lay each flat there for a moment first",
                n=len(unseen),
                beds=listed(unseen),
            )
        )
    for bed, slots in enumerate(state.beds):
        for _ in range(state.game.variant.mattresses_per_bed - len(slots)):
            state = _tried(state, Lay(bed, UNKNOWN_FACE))
    if state.phase is Phase.SETUP:
        state = completed(state._replace(phase=Phase.PLAY, turns=1, turn=0))
    return state


# Cards


def _played_unseen(state: State, found: Survey) -> State:
    """Forget kinds in hands and on the discard pile that were only guessed, after unwatched turns.

    A wrong guess would make a later play impossible. The visible top card of the discard pile is kept.
    """
    if found.trusted is None:
        return state
    known = len(found.trusted.discard)
    pile = state.discard
    if pile[:known] != found.trusted.discard:
        known = 0
    guessed = range(known, len(pile))
    seen = _kinds(found, "discard") or ()
    top = seen if len(seen) == 1 and seen[0] in pile[len(pile) - state.fresh :] else ()
    fresh = state.fresh
    left = [UNKNOWN if at in guessed else kind for at, kind in enumerate(pile)]
    if top and UNKNOWN in left:
        left.remove(UNKNOWN)
        left, fresh = [*left, *top], 1
    deck = len(state.deck)
    witches = totals(state.game.variant.name, state.game.players)[WITCH] - left.count(WITCH)
    while 0 < deck < min(witches + SPENT, MISCOUNTED) and UNKNOWN in left:
        # Witches not seen so far are still in the deck, together with other cards, because the game goes on.
        left.remove(UNKNOWN)
        deck += 1
    for _ in range(min(witches - deck, left.count(UNKNOWN))):
        left[left.index(UNKNOWN)] = WITCH
    hands = tuple((UNKNOWN,) * len(hand) for hand in state.hands)
    return state._replace(discard=tuple(left), deck=(UNKNOWN,) * deck, hands=hands, fresh=min(fresh, len(left)))


def _cards_taken(state: State, found: Survey) -> State:
    row, play, pile = (_kinds(found, zone) for zone in ("row", "play", "discard"))
    lies = _open_row(state, row)
    known = tuple(kind for kind in state.played if kind != UNKNOWN)
    if play is not None and _names_covered(state, play, known):
        state = state._replace(played=play)
    over = play is not None and state.played and play not in (state.played, known)
    top = _only(pile)
    if lies == state.row and not over and (top is None or _may_lie_on_top(state, top)):
        return goes_on(state)
    full = len(lies) == ROW_SIZE > len(state.row)
    state = recounted(state, lies, top=top)
    if over or (state.phase is Phase.DRAW and full):
        # The turn is over, because its cards are gone or the row is full again.
        return start_of_turn(state, (state.turn + 1) % state.game.players)
    return goes_on(state)


# Beds


def _only(pile: Sequence[int] | None) -> int | None:
    """The card of a pile in which one card is seen; None for any other number, or if nobody sees the pile."""
    return pile[0] if pile and len(pile) == 1 else None


def _names_covered(state: State, play: Sequence[int], known: Sequence[int]) -> bool:
    """True if the seen cards are those of the play, the one beneath the blanket included.

    `known`: cards of the play that were known before.
    """
    return len(play) == len(state.played) and not Counter(known) - Counter(play)


def _open_row(state: State, row: tuple[int, ...] | None) -> tuple[int, ...]:
    """Cards that lie open, as seen; as believed if nobody sees them. ValueError if they are too many."""
    lies = state.row if row is None else row
    if len(lies) > ROW_SIZE:
        raise ValueError(
            text(
                "{number} cards lie open, {most} are the most: take the others away, then try again",
                number=len(lies),
                most=ROW_SIZE,
            )
        )
    return lies


def _may_lie_on_top(state: State, kind: int) -> bool:
    """True if a card of this kind may be the top of the discard pile: one of those that came last together."""
    tops = state.discard[len(state.discard) - state.fresh :]
    return kind in tops or UNKNOWN in tops


def _beds_taken(state: State, found: Survey, shown: Collection[int] = ()) -> TakenOver[State]:
    """State with fates and mattresses as on table `found`.

    Each bed gets as many mattresses as its scale counts. Mattresses that may be others than believed become
    unknown, and are listed as lost. Princesses of beds in `shown` (from 0) sleep as well.
    """
    believed, state = state, _still_playing(state, found)
    fates, claimed = _fates_found(state, found, shown)
    newly = [bed for bed, fate in enumerate(fates) if fate == ASLEEP != state.fates[bed]]
    in_play = {bed for bed, fate in enumerate(fates) if fate != ASLEEP}
    beds = list(map(list, state.beds))
    changed = {bed for bed in in_play if bed_name(bed) in found.moved}
    unsettled = [bed for bed in newly if settled(state, bed) is not True]
    astray = _astray(believed, state, in_play, unsettled)
    if unsettled:
        _lull(state, unsettled, beds, fates, changed)
    if state.phase < Phase.FINAL:
        changed |= _weighed(beds, {bed: found.counts.get(bed_name(bed)) for bed in sorted(in_play)})
    lost = astray | _slots_of(beds, changed & in_play)
    turned_up = _slots_of(beds, [*newly, *claimed])
    after = _as_laid(state, beds, fates, turned_up, lost)
    return TakenOver(completed(after), tuple(sorted(lost)), (FORGOTTEN,) if lost else ())


def _as_laid(
    state: State, beds: Sequence[Sequence[int]], fates: Sequence[int], turned_up: set[int], lost: set[int]
) -> State:
    """The state with these beds and fates. `turned_up`: mattresses that all see now. `lost`: unknown ones."""
    bottoms = {slots[0] for slots, fate in zip(beds, fates, strict=True) if slots and fate != ASLEEP}
    return state._replace(
        beds=tuple(map(tuple, beds)),
        faces=tuple(UNKNOWN_FACE if slot in lost else face for slot, face in enumerate(state.faces)),
        fates=tuple(fates),
        shown=tuple(sorted({*state.shown, *turned_up})),
        checked=tuple(one for one in state.checked if one[0] in bottoms - lost),
    )


def _fates_found(state: State, found: Survey, shown: Collection[int]) -> tuple[list[int], list[int]]:
    """(fate of each bed by the table `found`, beds that leave the game by a claim).

    Princesses of beds in `shown` sleep as well.
    """
    fates, claimed = list(state.fates), []
    for bed, fate in enumerate(state.fates):
        name = bed_name(bed)
        refuted = bed in found.refuted or (found.zones.get(name) == () and name in found.claimed)
        if bed in shown or _dreams(state, bed, found):
            fates[bed] = ASLEEP
        elif fate == AWAKE and bed not in found.playing and refuted:
            fates[bed] = OUT
            claimed.append(bed)
    return fates, claimed


def _astray(believed: State, state: State, in_play: Collection[int], unsettled: Sequence[int]) -> set[int]:
    """Mattresses whose faces become unknown, before any is moved.

    `believed`: the state before the take-over. `unsettled`: beds that sleep now, though the known faces do not
    prove it.
    """
    # If a verdict of sleep is revoked, the faces it told become unknown.
    woken = [bed for bed, fate in enumerate(believed.fates) if fate == ASLEEP != state.fates[bed]]
    if not unsettled:
        return _slots_of(state.beds, woken)
    # Keeping the other faces would reveal which mattresses are hers, so all become unknown.
    return _slots_of(state.beds, [*woken, *in_play, *unsettled])


def _slots_of(beds: Sequence[Sequence[int]], some: Iterable[int]) -> set[int]:
    """Mattresses on some of the beds."""
    return {slot for bed in some for slot in beds[bed]}


def _still_playing(state: State, found: Survey) -> State:
    """State without verdicts on princesses who still play.

    Players say that they do.
    """
    woken = [
        bed
        for bed, fate in enumerate(state.fates)
        if bed in found.playing and fate != AWAKE and not _dreams(state, bed, found)
    ]
    if not woken:
        return state
    fates = tuple(AWAKE if bed in woken else fate for bed, fate in enumerate(state.fates))
    hidden = {slot for bed in woken for slot in state.beds[bed]}
    # If no other bed was claimed, no mattress counts as shown.
    shown = tuple(slot for slot in state.shown if slot not in hidden) if {*fates} != {AWAKE} else ()
    return state._replace(fates=fates, shown=shown)


def _lull(
    state: State, asleep: Collection[int], beds: list[list[int]], fates: Sequence[int], near: Collection[int]
) -> None:
    """Give each bed in `asleep` exactly as many mattresses as its princess needs, by changing `beds` in place.

    Missing ones come from beds in play, those in `near` first. They are chosen by place, never by face.
    `fates`: AWAKE, ASLEEP or OUT for each bed.
    """
    needed = state.game.variant.mattresses_per_bed
    in_play = [bed for bed, fate in enumerate(fates) if fate != ASLEEP]
    spare = [slot for bed in asleep for slot in beds[bed][:-needed]]
    for bed in asleep:
        # Players take mattresses from the bottom.
        beds[bed] = beds[bed][-needed:]
    for bed in asleep:
        while len(beds[bed]) < needed:
            if not spare:
                fullest = max(in_play, key=lambda at: (at in near, len(beds[at])) if beds[at] else (False, 0))
                spare.append(beds[fullest].pop(0))
            beds[bed].append(spare.pop())
        beds[bed].sort()
    for slot in spare:
        if not in_play:
            raise ValueError(text("more mattresses lie on beds that sleep than belong there"))
        beds[min(in_play, key=lambda at: len(beds[at]))].append(slot)


def _weighed(beds: list[list[int]], weights: dict[int, int | None]) -> set[int]:
    """Move mattresses in `beds`, in place, until their numbers equal the scales' counts.

    Returns the changed beds.

    `weights`: bed -> count, None without a scale. Beds without a scale take what is too much and give what
    is missing; if there is none, surplus mattresses stay. ValueError if more are counted than exist.
    """
    counted = {bed: n for bed, n in weights.items() if n is not None}
    blind = [bed for bed, n in weights.items() if n is None]
    loose: list[tuple[int, int]] = []
    changed = set()
    for bed, n in counted.items():
        gone = len(beds[bed]) - n
        if gone > 0:
            # Players take mattresses from the bottom.
            loose += [(bed, slot) for slot in beds[bed][:gone]]
            del beds[bed][:gone]
            changed.add(bed)
    wanted = [(bed, n - len(beds[bed])) for bed, n in counted.items() if n > len(beds[bed])]
    for bed, n in wanted:
        for _ in range(n):
            if not loose:
                loose.append(_given_by_fullest(beds, blind))
                changed.add(loose[-1][0])
            beds[bed].append(loose.pop()[1])
        changed.add(bed)
    for bed, slot in loose:
        at = min(blind, key=lambda one: len(beds[one]), default=bed)
        beds[at].insert(0, slot)
        changed.add(at)
    return changed


def _given_by_fullest(beds: list[list[int]], blind: Sequence[int]) -> tuple[int, int]:
    """Take the lowest mattress of the fullest bed without a scale: (bed, mattress). ValueError without any."""
    fullest = max(blind, key=lambda at: len(beds[at]), default=None)
    if fullest is None or not beds[fullest]:
        raise ValueError(TOO_MANY)
    return fullest, beds[fullest].pop(0)
