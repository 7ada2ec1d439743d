"""What holds in every state of every game: no fault, exact notation, hidden replay, no secret in a view."""

import json
from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games.claims import Verdict
from companion.games.rules import IllegalError
from companion.games.sleepless_princess.notation.state_notation import (
    read_action,
    read_state,
    write_action,
    write_state,
)
from companion.games.sleepless_princess.rules.actions import Action, Claim, Done, Final, Know, Later, Open
from companion.games.sleepless_princess.rules.apply import apply
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN, UNKNOWN_FACE, WITCH
from companion.games.sleepless_princess.rules.claim_rules import full_set, settled
from companion.games.sleepless_princess.rules.hidden_state import hide, spell_out
from companion.games.sleepless_princess.rules.legal_actions import legal_actions
from companion.games.sleepless_princess.rules.player_view import view
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, State
from companion.games.sleepless_princess.rules.state_faults import status
from companion.games.sleepless_princess.wording import judge
from tests.support.sleepless import after_steps, walk

TABLES = [(v, n) for v, most in (("basic", 5), ("5+", 4)) for n in range(2, most + 1)]
SAME = set(State._fields) - {"hands", "deck", "faces"}

tables = st.sampled_from(TABLES)
seeds = st.integers(0, 10_000)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_game_replayed_with_hidden_cards(variant: str, players: int) -> None:
    for seed in range(3):
        hidden: State | None = None
        for before, action, after in walk(variant, players, seed):
            hidden = hide(before) if hidden is None else hidden
            said = spell_out(before, action)
            # Outcomes that a hidden table can work out itself are listed without being told.
            if not isinstance(said, Claim | Final):
                assert said in legal_actions(hidden)
            hidden = apply(hidden, said)
            assert not status(hidden)
            assert not status(after)
            for field in SAME:
                assert getattr(hidden, field) == getattr(after, field), field
            assert [len(hand) for hand in hidden.hands] == [len(hand) for hand in after.hands]
            assert len(hidden.deck) == len(after.deck)
            for known, true in zip(hidden.hands, after.hands, strict=True):
                for kind in set(known) - {UNKNOWN}:
                    assert known.count(kind) <= true.count(kind)
            for known, true in zip(hidden.faces, after.faces, strict=True):
                assert known in (-1, true)
        assert hidden is not None


@given(tables, seeds, st.integers(0, 120), st.booleans())
@settings(max_examples=40)
def test_everything_legal_can_be_done_and_written(
    table: tuple[str, int], seed: int, steps: int, hid: bool
) -> None:
    state = after_steps(*table, seed, steps)
    if hid:
        state = hide(state)
    assert read_state(write_state(state)) == state
    legal = legal_actions(state)
    assert len(set(legal)) == len(legal)
    for action in legal:
        assert read_action(write_action(action)) == action
        after = apply(state, action)
        assert not status(after), write_action(action)
        assert read_state(write_state(after)) == after


@given(tables, seeds)
@settings(max_examples=25)
def test_whatever_is_put_off_no_card_is_lost(table: tuple[str, int], seed: int) -> None:
    """Turns begin with a short row and draws before the sweep; then it is caught up with, or not."""
    chance = Random(seed)
    state = after_steps(*table, seed, 0)
    put_off = 0
    for _ in range(150):
        if not (legal := legal_actions(state)):
            break
        also = [action for action in (Later(), Open(), Done()) if chance.random() < 0.3 and _may(state, action)]
        moves = [action for action in legal if not isinstance(action, Claim)]
        action = chance.choice(also or moves or legal) if put_off or not _may(state, Later()) else Later()
        put_off += isinstance(action, Later)
        state = apply(state, action)
        assert not status(state), write_action(action)
        assert read_state(write_state(state)) == state
    assert put_off


def _may(state: State, action: Action) -> bool:
    try:
        apply(state, action)
    except IllegalError:
        return False
    return True


@given(tables, seeds, st.integers(0, 120))
@example(("5+", 2), 7673, 58)
@settings(max_examples=40)
def test_what_is_not_listed_is_refused(table: tuple[str, int], seed: int, steps: int) -> None:
    state = hide(after_steps(*table, seed, steps))
    legal = set(legal_actions(state))
    others = {action for _, action, _ in walk("basic", 4, seed)} | {
        spell_out(before, action) for before, action, _ in walk("5+", 2, seed)
    }
    for action in others - legal:
        # A claim may carry an outcome that the faces settle anyway.
        if isinstance(action, Claim) and Claim(action.bed) in legal:
            continue
        if isinstance(action, Final) and Final(_open_only(state, action.asleep)) in legal:
            continue
        with pytest.raises(IllegalError):
            apply(state, action)


def _open_only(state: State, told: tuple[bool | None, ...]) -> tuple[bool | None, ...]:
    """Outcomes without those that the known faces settle in the same way."""
    left = tuple(
        None if bed < len(state.beds) and settled(state, bed) is outcome else outcome
        for bed, outcome in enumerate(told)
    )
    return left if any(outcome is not None for outcome in left) else ()


@given(tables, seeds, st.integers(0, 120), st.booleans(), seeds)
@settings(max_examples=40)
def test_a_view_depends_on_nothing_hidden(
    table: tuple[str, int], seed: int, steps: int, silent: bool, other: int
) -> None:
    state = after_steps(*table, seed, steps, silent=silent)
    chance = Random(other)
    for player in (None, *range(table[1])):
        swapped = _swap(state, player, chance)
        assert json.dumps(view(swapped, player)) == json.dumps(view(state, player))


def _swap(state: State, player: int | None, chance: Random) -> State:
    """Other cards wherever this player cannot see: hands of others, deck, mattresses never shown or checked."""
    pool = [kind for kind in state.deck if kind != WITCH]
    for other, hand in enumerate(state.hands):
        pool += hand if other != player else ()
    chance.shuffle(pool)
    hands = tuple(
        hand if other == player else tuple(sorted(pool.pop() for _ in hand))
        for other, hand in enumerate(state.hands)
    )
    deck = [*pool, *[kind for kind in state.deck if kind == WITCH]]
    chance.shuffle(deck)
    told = not state.game.silent or player == state.turn
    fixed = {*state.shown, *(slot for slot, looked in state.checked if told)}
    free = [slot for slot in range(len(state.faces)) if slot not in fixed]
    mixed = [state.faces[slot] for slot in free]
    chance.shuffle(mixed)
    faces = list(state.faces)
    for slot, face in zip(free, mixed, strict=True):
        faces[slot] = face
    # What a finger feels of a smooth mattress is the same for every type.
    felt = [
        slot for slot, looked in state.checked if not looked and faces[slot] & 1 and slot not in state.shown
    ]
    twins = [slot for slot in free if faces[slot] & 1]
    if felt and twins:
        faces[felt[0]], faces[twins[0]] = faces[twins[0]], faces[felt[0]]
    return state._replace(hands=hands, deck=tuple(deck), faces=tuple(faces))


@given(seeds, st.integers(0, 120), st.data())
@settings(max_examples=40)
def test_a_claim_is_settled_only_by_what_is_true(seed: int, steps: int, data: st.DataObject) -> None:
    state = after_steps("basic", 3, seed, steps)
    known = data.draw(st.sets(st.integers(0, 14)))
    partly = hide(state)
    for slot in known:
        partly = apply(partly, Know(slot, state.faces[slot]))
    for bed in range(5):
        # A bed that sleeps is out of play; its mattresses were never told to this table.
        if state.fates[bed] == 0:
            verdict = settled(partly, bed)
            assert verdict is None or verdict is settled(state, bed)


@pytest.mark.parametrize("silent", [False, True])
def test_fingers_do_not_tell_smooth_mattresses_apart(silent: bool) -> None:
    met = 0
    for seed in range(12):
        for _, _, state in walk("basic", 2, seed, silent=silent):
            felt = [slot for slot, looked in state.checked if not looked and state.faces[slot] & 1]
            met += len(felt) > 0
            if felt and not state.shown:
                for player in (None, 0, 1):
                    swapped = _swap(state, player, Random(seed))
                    assert swapped.faces != state.faces
                    assert json.dumps(view(swapped, player)) == json.dumps(view(state, player))
    assert met > 10


@given(seed=seeds, steps=st.integers(0, 60), table=tables, hidden=st.integers(1, 6))
@settings(max_examples=120)
def test_a_claim_is_settled_by_all_that_follows(
    seed: int, steps: int, table: tuple[str, int], hidden: int
) -> None:
    """Held against every way in which the mattresses of a half known table can be handed out."""
    state = after_steps(*table, seed, steps)
    chance = Random(seed)
    unknown = chance.sample(range(len(state.faces)), min(hidden, len(state.faces)))
    partly = state._replace(
        faces=tuple(UNKNOWN_FACE if slot in unknown else face for slot, face in enumerate(state.faces))
    )
    own = [Counter(full_set(state.game.variant, princess)) for princess in state.princesses]

    def holds_own(faces: tuple[int, ...], bed: int) -> bool:
        return Counter(faces[slot] for slot in state.beds[bed]) == own[bed]

    found: list[set[bool]] = [set() for _ in state.beds]
    for handed_out in set(permutations(state.faces[slot] for slot in unknown)):
        world = dict(zip(unknown, handed_out, strict=True))
        faces = tuple(world.get(slot, face) for slot, face in enumerate(state.faces))
        if all(holds_own(faces, bed) for bed, fate in enumerate(state.fates) if fate == ASLEEP):
            for bed, seen in enumerate(found):
                seen.add(holds_own(faces, bed))
    for bed, seen in enumerate(found):
        if state.fates[bed] == AWAKE:
            expected = None if len(seen) == 2 else seen.pop()
            assert settled(partly, bed) is expected
            word = {None: Verdict.CANNOT_TELL, True: Verdict.PROVED, False: Verdict.REFUTED}[expected]
            assert judge(partly, bed).verdict is word
