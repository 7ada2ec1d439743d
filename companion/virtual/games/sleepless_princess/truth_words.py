"""The true state of a virtual game in words, and the facts that players could be asked."""

from collections.abc import Iterable
from itertools import pairwise

from companion.games.hidden_cards import AskableFact, numbered
from companion.games.sleepless_princess.questions import askable_fact, claimed_fact, proved_fact
from companion.games.sleepless_princess.rules.actions import Action, Claim, Final, Move, MoveOn
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT
from companion.games.sleepless_princess.rules.claim_rules import settled
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import AWAKE, State
from companion.games.sleepless_princess.terms import mattress
from companion.games.sleepless_princess.wording import princess_name
from companion.virtual.ground_truth import TruthEntry


def facts_so_far(entries: Iterable[TruthEntry]) -> set[AskableFact]:
    """Facts about the true actions so far that people can confirm or deny.

    `entries`: of the truth log.
    """
    found: list[AskableFact] = []
    for before, entry in pairwise(entries):
        action = RULES.read_action(entry.action)
        if isinstance(action, Move | MoveOn | Claim | Final):
            found += askable_facts(RULES.read_state(before.state), action)
    return set(numbered(found))


def askable_facts(before: State, action: Action) -> tuple[AskableFact, ...]:
    """Facts about one true action that people can confirm or deny.

    That it was done, and which princesses it proved asleep. `before`: true state before it.
    """
    done = [one for one in (askable_fact(before, action),) if one is not None]
    done += [claimed_fact(before, action.bed)] if isinstance(action, Claim) else []
    all_beds = range(len(before.beds))
    turned_up = all_beds if isinstance(action, Final) else (action.bed,) if isinstance(action, Claim) else ()
    asleep = (bed for bed in turned_up if before.fates[bed] == AWAKE and settled(before, bed))
    return (*done, *(proved_fact(before, bed) for bed in asleep))


def truth_in_words(state: State, last: str) -> list[str]:
    """Words for the true state, one sentence a line.

    Beds (bottom mattress first), hands, next cards. `last`: words for the last action; "" for none.
    """

    def kinds(cards: tuple[int, ...]) -> str:
        return " ".join(KIND_TEXT[kind] for kind in cards) or "-"

    lines = [f"Turn {state.turns}, player {state.turn + 1}, {state.phase.name.lower()}. Last: {last or '-'}"]
    for bed, slots in enumerate(state.beds):
        fate = ("awake", "asleep", "out")[state.fates[bed]]
        names = ", ".join(mattress(state.faces[slot]) for slot in slots)
        lines.append(f"Bed {bed + 1} ({princess_name(state, bed)}, {fate}): {names or 'empty'}")
    lines += [f"Player {player + 1} holds {kinds(hand)}" for player, hand in enumerate(state.hands)]
    lines.append(f"Open: {kinds(state.row)}")
    lines.append(f"Next from the deck: {kinds(state.deck[:-9:-1])} ({len(state.deck)} cards)")
    return lines
