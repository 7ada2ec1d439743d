"""All contradictions within a state of Sleepless Princess."""

from collections import Counter
from collections.abc import Iterator

from companion.games.rules import Fault
from companion.games.sleepless_princess.rules.card_kinds import (
    BLANKET,
    KIND_TEXT,
    PRINCESS_TYPES,
    UNKNOWN,
    WITCH,
    face_text,
)
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE, totals, unseen
from companion.games.sleepless_princess.rules.claim_rules import full_set
from companion.games.sleepless_princess.rules.plays import GROUPS, looks_earned
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State

MOST_LOOKS = 2
"""Largest number of looks that a play earns: it has at most two sums."""


def status(state: State) -> tuple[Fault, ...]:
    """Contradictions within a state.

    Empty if some game can reach it. Hidden cards are no contradiction.
    """
    shape = tuple(_shape(state))
    if shape:
        # The other checks need the right number of beds, players and kinds.
        return shape
    return (
        *_deck_cards(state),
        *_order(state),
        *_mattresses(state),
        *_princesses(state),
        *_turn(state),
        *_ending(state),
    )


def _shape(state: State) -> Iterator[Fault]:
    game = state.game
    if game.players not in game.variant.players:
        yield Fault("players", f"{game.players} players cannot play {game.variant.name}.")
    elif len(state.hands) != game.players:
        yield Fault("hands", f"{len(state.hands)} hands for {game.players} players.")
    if not 0 <= state.turn < game.players:
        yield Fault("turn", f"There is no player {state.turn + 1}.")
    for field in ("beds", "princesses", "fates"):
        if len(getattr(state, field)) != game.variant.beds:
            yield Fault(field, f"{len(getattr(state, field))} {field} in a game of {game.variant.beds} beds.")
    for name, pile in _piles(state):
        wrong = sorted({kind for kind in pile if not UNKNOWN <= kind <= WITCH})
        if wrong:
            yield Fault("no-such-card", f"No such card in {name}: {wrong}.", tuple(map(str, wrong)))
    if not set(state.fates) <= {AWAKE, ASLEEP, OUT}:
        yield Fault("fates", f"A fate is awake, asleep or out, not {sorted(set(state.fates))}.")
    yield from _unknown_mattresses(state)


def _unknown_mattresses(state: State) -> Iterator[Fault]:
    """Faults of faces and mattresses that the game does not have."""
    highest = 2 * PRINCESS_TYPES
    for slot, face in enumerate(state.faces):
        if not -1 <= face < highest:
            yield Fault("no-such-face", f"Mattress {slot + 1} has no such face: {face}.")
    for slot in sorted({slot for slots in _slots_named(state) for slot in slots}):
        if not 0 <= slot < len(state.faces):
            yield Fault("no-such-mattress", f"There is no mattress {slot + 1}.")


def _piles(state: State) -> list[tuple[str, tuple[int, ...]]]:
    hands = [(f"hand {player + 1}", hand) for player, hand in enumerate(state.hands)]
    piles = [("the row", state.row), ("the deck", state.deck), ("the discard pile", state.discard)]
    return [*hands, *piles, ("the played cards", state.played)]


def _slots_named(state: State) -> list[tuple[int, ...]]:
    return [*state.beds, state.shown, tuple(slot for slot, _ in state.checked)]


def _deck_cards(state: State) -> Iterator[Fault]:
    counts = totals(state.game.variant.name, state.game.players)
    for kind, left in enumerate(unseen(state)):
        if left < 0:
            name = KIND_TEXT[kind]
            text = f"{counts[kind] - left} cards of kind {name}, but the game has {counts[kind]}."
            yield Fault("too-many", text, (name,))
    size = sum(len(pile) for _, pile in _piles(state))
    if size != sum(counts):
        yield Fault("card-count", f"{size} cards in all, but the game has {sum(counts)}.")
    for name, pile in _piles(state):
        if WITCH in pile and name not in ("the deck", "the discard pile"):
            yield Fault(
                "witch-out-of-place", f"A witch in {name}; she goes to the discard pile at once.", ("W",)
            )
        # The card beneath a blanket may be unread.
        beneath = int(pile is state.played and BLANKET in pile)
        if pile.count(UNKNOWN) > beneath and name in ("the row", "the played cards"):
            yield Fault("open-card-unknown", f"A card in {name} lies open and has to be named.", ("?",))
        if name.startswith("hand") and len(pile) > HAND_SIZE:
            yield Fault("hand-too-long", f"{len(pile)} cards in {name}, {HAND_SIZE} are the most.")
    if len(state.row) > ROW_SIZE:
        yield Fault("row-too-long", f"{len(state.row)} cards lie open, {ROW_SIZE} are the most.")
    hidden_witches = unseen(state)[WITCH]
    if hidden_witches > state.deck.count(UNKNOWN):
        text = f"{hidden_witches} witches are nowhere, and the deck has no room for them."
        yield Fault("witch-missing", text, ("W",))


def _order(state: State) -> Iterator[Fault]:
    for name, pile in _piles(state):
        if name not in ("the deck", "the discard pile") and list(pile) != sorted(pile):
            yield Fault("not-sorted", f"The cards of {name} are not in ascending order.")
    if list(state.shown) != sorted(set(state.shown)):
        yield Fault("not-sorted", "The mattresses shown are not in ascending order.")


def _mattresses(state: State) -> Iterator[Fault]:
    variant = state.game.variant
    expected = variant.beds * variant.mattresses_per_bed
    dealt = len(state.faces)
    if state.phase is Phase.SETUP:
        if dealt > expected:
            yield Fault("mattress-count", f"{dealt} mattresses dealt, the game has {expected}.")
        for bed, slots in enumerate(state.beds):
            if len(slots) > variant.mattresses_per_bed:
                yield Fault("bed-overfull", f"{len(slots)} mattresses dealt onto bed {bed + 1}.")
    elif dealt != expected:
        yield Fault("mattress-count", f"{dealt} mattresses dealt, the game has {expected}.")
    places = Counter(slot for slots in state.beds for slot in slots)
    for slot in range(dealt):
        if places[slot] > 1:
            yield Fault("mattress-twice", f"Mattress {slot + 1} lies in {places[slot]} places.")
        elif not places[slot]:
            yield Fault("mattress-nowhere", f"Mattress {slot + 1} lies on no bed.")
    for face, count in sorted(Counter(face for face in state.faces if face >= 0).items()):
        # A foreign mattress is no fault: people mixed it in, and a claim turned it up.
        most = full_set(variant, face >> 1).count(face)
        if count > most > 0:
            text = f"{count} mattresses {face_text(face)}, but there are {most}."
            yield Fault("too-many", text, (face_text(face),))


def _princesses(state: State) -> Iterator[Fault]:
    seats = Counter(kind for kind in state.princesses if kind != -1)
    for kind, count in sorted(seats.items()):
        if not 0 <= kind < PRINCESS_TYPES:
            yield Fault("no-such-princess", f"There is no princess {kind}; 0 to 9 are.")
        elif count > 1:
            yield Fault("princess-twice", f"Princess {kind} stands on {count} beds.")
    if state.phase is not Phase.SETUP and -1 in state.princesses:
        yield Fault("princess-missing", "A bed has no princess, though the game goes on.")
    most_moves = _most_moves(state)
    for bed, fate in enumerate(state.fates):
        if fate == ASLEEP:
            yield from _asleep(state, bed)
        if fate == OUT and _moves_to_hide(state, bed) > most_moves:
            text = f"The princess of bed {bed + 1} is out, but its mattresses were never shown."
            yield Fault("out-unshown", text)
    if state.shown and set(state.fates) == {AWAKE} and state.phase is not Phase.OVER:
        yield Fault("shown", "Mattresses were shown, though nobody has claimed anything.")


def _asleep(state: State, bed: int) -> Iterator[Fault]:
    slots = state.beds[bed]
    if len(slots) != state.game.variant.mattresses_per_bed:
        yield Fault("asleep-count", f"The princess of bed {bed + 1} sleeps on {len(slots)} mattresses.")
    hers_all = full_set(state.game.variant, state.princesses[bed])
    foreign = [face for slot in slots if (face := state.faces[slot]) >= 0 and face not in hers_all]
    if foreign:
        names = tuple(face_text(face) for face in foreign)
        text = f"The princess of bed {bed + 1} sleeps on foreign mattresses."
        yield Fault("asleep-foreign", text, names)
    if not set(slots) <= set(state.shown):
        yield Fault("asleep-unshown", f"Bed {bed + 1} sleeps, but its mattresses were never shown.")
    hers = [face for slot, face in enumerate(state.faces) if face in hers_all and slot not in slots]
    if hers:
        names = tuple(face_text(face) for face in hers)
        yield Fault("asleep-elsewhere", f"The princess of bed {bed + 1} sleeps without all of hers.", names)


def _moves_to_hide(state: State, bed: int) -> int:
    """Least number of moves since a bed was shown.

    Beds count from 0. A claim shows every mattress of its bed. So mattresses not shown came later, and shown
    ones that are missing have left.
    """
    unshown = len(set(state.beds[bed]) - set(state.shown))
    shown = len(state.beds[bed]) - unshown
    return unshown + max(0, state.game.variant.mattresses_per_bed - shown)


def _most_moves(state: State) -> int:
    """Largest number of moves that the game so far allows.

    Each move needs a check, and each check costs cards.
    """
    variant = state.game.variant
    cards = len(state.discard) + len(state.played)
    dearest = 3 * cards // HAND_SIZE if variant.addition else cards // GROUPS
    return min(dearest, state.turns * (1 + (MOST_LOOKS if variant.glass else 0)))


def _turn(state: State) -> Iterator[Fault]:
    yield from _checks(state)
    phase = state.phase
    short = len(state.hands[state.turn]) < HAND_SIZE
    drawable = bool(state.row or state.deck)
    if phase is Phase.DRAW and not (short and drawable):
        yield Fault("draw", "Drawing, but the hand is full or nothing is left to draw.")
    if phase is Phase.LAY and not (len(state.row) < ROW_SIZE and state.deck):
        yield Fault("lay", "Laying out, but the row is full or the deck is empty.")
    yield from _counters(state)
    playing = Phase.PLAY <= phase <= Phase.FINAL
    if playing and AWAKE not in state.fates:
        yield Fault("nobody-awake", "No princess is awake, so the game is over.")
    if phase is Phase.SETUP and set(state.fates) != {AWAKE}:
        yield Fault("fates", "Every princess is awake before the game.")


def _counters(state: State) -> Iterator[Fault]:
    """Faults of the numbers that the rules count: turns, discarded cards, last turns, skips."""
    phase, players = state.phase, state.game.players
    if (phase is Phase.SETUP) != (state.turns == 0):
        yield Fault("turns", f"{state.turns} turns begun in phase {phase.name}.")
    if not 0 <= state.fresh <= len(state.discard) or (state.discard and not state.fresh):
        yield Fault("fresh", f"{state.fresh} of {len(state.discard)} discarded cards came last together.")
    if not -1 <= state.last < players or (state.last == 0 and phase not in (Phase.FINAL, Phase.OVER)):
        yield Fault("last", f"{state.last} turns left after the end was triggered.")
    if not 0 <= state.skips <= players:
        yield Fault("skips", f"{state.skips} turns skipped in a row by {players} players.")


def _checks(state: State) -> Iterator[Fault]:
    """Faults of played cards, and of checks they allow."""
    phase = state.phase
    if state.touches not in (0, 1) or not 0 <= state.looks <= MOST_LOOKS:
        yield Fault("checks", f"{state.touches} touches and {state.looks} looks left; 1 and 2 are the most.")
    if phase is Phase.CHECK:
        if looks_earned(state.game.variant.name, state.played) is None:
            names = tuple(KIND_TEXT[kind] for kind in state.played)
            yield Fault("played", "The cards in the play zone are no play.", names)
    else:
        yield from _left_of_checks(state)
    bottoms = {slots[0] for bed, slots in enumerate(state.beds) if slots and state.fates[bed] != ASLEEP}
    names_checked = [slot for slot, _ in state.checked]
    if len(set(names_checked)) != len(names_checked) or not set(names_checked) <= bottoms:
        yield Fault("checked", "A mattress checked this turn is not at the bottom of a bed in play.")


def _left_of_checks(state: State) -> Iterator[Fault]:
    """Faults of cards and checks that are left over in a phase without checks."""
    phase = state.phase
    if state.played and phase not in (Phase.DRAW, Phase.LAY, Phase.OVER):
        yield Fault("played", f"Cards lie in the play zone in phase {phase.name}.")
    if state.touches or state.looks or state.checked:
        yield Fault("checks", f"Checks of mattresses are open in phase {phase.name}.")


def _ending(state: State) -> Iterator[Fault]:
    """Faults between hands, turns and the end of the game."""
    phase, players = state.phase, state.game.players
    nothing_left = not state.row and not state.deck
    if phase is not Phase.SETUP and state.turn != (state.turns - 1) % players:
        yield Fault("turn-order", f"Turn {state.turns} of {players} players is not player {state.turn + 1}'s.")
    yield from _short_hands(state)
    yield from _open_checks(state)
    short = any(len(hand) < HAND_SIZE for hand in state.hands)
    if state.last >= 0 and not (nothing_left and short):
        yield Fault("last", "The end was triggered, though no hand is short or cards are still to be had.")
    if state.skips and not nothing_left:
        yield Fault("skips", "Somebody skipped, though cards could be had.")
    if phase is Phase.FINAL and state.last != 0 and state.skips < players:
        yield Fault("final", "The final check has come, though neither last turns nor skips led to it.")


def _short_hands(state: State) -> Iterator[Fault]:
    """Faults of hands with fewer cards than are due."""
    phase = state.phase
    for player, hand in enumerate(state.hands):
        on_turn = player == state.turn and phase not in (Phase.SETUP, Phase.PLAY)
        # Only a player who plays or draws, or who triggered the end, may hold fewer.
        if len(hand) < HAND_SIZE and not on_turn and state.last < 0:
            yield Fault("hand-short", f"Player {player + 1} holds {len(hand)} cards, {HAND_SIZE} are due.")
    mine = len(state.hands[state.turn])
    if phase is Phase.PLAY and mine < HAND_SIZE and state.last >= 0:
        yield Fault("hand-short", f"A turn begins with {HAND_SIZE} cards, not with {mine}.")


def _open_checks(state: State) -> Iterator[Fault]:
    """Faults between a play, the checks that it earns, and those done."""
    if state.phase is Phase.CHECK:
        mine = len(state.hands[state.turn])
        if mine + len(state.played) != HAND_SIZE:
            text = f"{mine} cards in the hand and {len(state.played)} played; together they are {HAND_SIZE}."
            yield Fault("hand-and-play", text)
        earned = looks_earned(state.game.variant.name, state.played)
        earned = MOST_LOOKS if earned is None else earned
        looked = sum(seen for _, seen in state.checked)
        if state.looks + looked > earned:
            yield Fault("looks", f"{state.looks + looked} looks from a play that earns {earned}.")
        if state.touches and looked < len(state.checked):
            yield Fault("touched", "A mattress was felt, and the touch is still to be had.")
