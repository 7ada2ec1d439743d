"""Every sentence of a hint follows from what the team knows, and is true of the mattresses that lie there."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import pytest

from companion.games.advice import Hint
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.hints.advice import advise
from companion.games.sleepless_princess.hints.bed_plan import CONFIRMED, LIKELY
from companion.games.sleepless_princess.hints.hinted_players import CoachPolicy, HelpedPolicy
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge, kinds
from companion.games.sleepless_princess.players.policies import View
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.rules.actions import Claim, Discard, Look, Move, Take, Touch
from companion.games.sleepless_princess.rules.card_kinds import KIND_OF_TEXT, princess_names
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, State
from tests.support.hint_truth import NUMBER_NAMES
from tests.support.hinting import TABLES

NAMES = "|".join(princess_names())
CARD = rf"(?:(?:your|the open|the) )?(?:(?:two|\d) )?(?:\d+|blankets?|{'|'.join(NUMBER_NAMES)})"
CARDS = rf"(?:{CARD})(?:(?:, | and ){CARD})*"
PLAY = r"then you (?:have three (\w+)|can play (.*))"
WHERE = (
    rf"(?:(?:Touch the bottom mattress in|Look under) the bed of (?:{NAMES})|"
    rf"Put the bottom mattress of (?:{NAMES}) on (?:top of her bed|the bed of (?:{NAMES}))): "
)
DOUBT = "most likely "


class Said(NamedTuple):
    """A hint and all it may speak of. `place` is its rank among the hints that claim no princess."""

    hint: Hint
    place: int
    best: Hint
    known: TeamKnowledge
    view: View
    state: State

    @property
    def source(self) -> int:
        """The bed that a check or move concerns."""
        action = RULES.read_action(self.hint.action)
        assert isinstance(action, Touch | Look | Move)
        return action.source if isinstance(action, Move) else action.bed

    def home(self, slot: int) -> int:
        """The bed where a mattress really belongs."""
        return self.state.princesses.index(self.state.faces[slot] >> 1)

    @property
    def bottom(self) -> int:
        """The mattress that a check or move concerns."""
        return self.state.beds[self.source][0]

    @property
    def above(self) -> tuple[int, ...]:
        """Those above it."""
        return self.state.beds[self.source][1:]

    @property
    def hand(self) -> Counter[int]:
        """What is in the hand, or stays there once cards are discarded."""
        action = RULES.read_action(self.hint.action)
        return Counter(kinds(self.view["hand"])) - Counter(action.cards if isinstance(action, Discard) else ())


def bed_of(said: Said, name: str) -> int:
    return said.state.princesses.index(princess_names().index(name))


def cards_of(text: str) -> Counter[int]:
    found: Counter[int] = Counter()
    for many, card in re.findall(rf"(two |\d )?(\d+|blanket|{'|'.join(NUMBER_NAMES)})", text):
        kind = (
            NUMBER_NAMES.index(card) + 1
            if card in NUMBER_NAMES
            else KIND_OF_TEXT["B" if card == "blanket" else card]
        )
        found[kind] += {"": 1, "two ": 2}.get(many) or int(many)
    return found


def swap_holds(said: Said, given: str, opened: str, three: str | None, play: str | None) -> bool:
    """The cards given away are those of the action."""
    action = RULES.read_action(said.hint.action)
    assert isinstance(action, Discard)
    return cards_of(given) == Counter(action.cards) and plan_holds(said, opened, three, play)


def plan_holds(said: Said, opened: str, three: str | None, play: str | None) -> bool:
    """The cards of the play that is named are in the hand or among those to be taken."""
    taken = cards_of(opened)
    if three:
        play = ", ".join([str(NUMBER_NAMES.index(three) + 1)] * 3)
    assert play
    size = sum(said.hand.values()) + taken.total()
    groups = [re.sub(r"(\d+) under a blanket", r"\1", group) for group in play.split(", ")]
    values = [sum(map(int, group.split("+"))) for group in groups]
    covered = "under a blanket" in play
    used = cards_of(", ".join(" and ".join(group.split("+")) for group in groups))
    used += cards_of("blanket") if covered else Counter()
    return (
        taken <= Counter(kinds(said.view["row"]))
        and used <= said.hand + taken
        and size <= HAND_SIZE
        and len(values) == 3
        and (len(set(values)) == 1 or (covered and len(set(values)) == 2 and values.count(min(values)) == 2))
    )


def gap(said: Said) -> float:
    assert said.best.worth is not None
    assert said.hint.worth is not None
    return said.best.worth - said.hint.worth


def hardly_anything(said: Said) -> bool:
    """Every bottom mattress is known, certain to be smooth where no glass is left, or was touched already."""
    for bed, slots in enumerate(said.known.beds):
        if said.state.fates[bed] == ASLEEP or not slots:
            continue
        no_use = said.known.home(slots[0])[1] >= LIKELY
        fingers = said.known.smooth(slots[0]) == 1 or bed in said.view["checked_beds"]
        if not (no_use or (fingers and not said.view["looks"])):
            return False
    return True


def unknown_above(said: Said, least: float, most: float) -> bool:
    return any(least <= said.known.home(slot)[1] < most for slot in said.above)


def lulled(said: Said) -> bool:
    action = RULES.read_action(said.hint.action)
    assert isinstance(action, Claim)
    slots = said.state.beds[action.bed]
    return len(slots) == said.known.needed and all(said.home(slot) == action.bed for slot in slots)


def unneeded(said: Said) -> bool:
    return said.state.fates[said.home(said.bottom)] != AWAKE


def is_hers(said: Said) -> bool:
    action = RULES.read_action(said.hint.action)
    assert isinstance(action, Move)
    return said.home(said.bottom) == action.target


def always(_: Said, *__: str) -> bool:
    return True


def told_above(said: Said, text: str) -> bool:
    match text.removeprefix("one above it "):
        case "is not hers":
            return any(said.home(slot) != said.source for slot in said.above)
        case "most likely is not hers":
            return any(1 - said.known.homes(slot)[said.source] >= LIKELY for slot in said.above)
        case "is not known yet":
            return unknown_above(said, 0.0, LIKELY)
        case "is not known for sure":
            return unknown_above(said, LIKELY, CONFIRMED)
        case "may be needed":
            return any(
                sum(
                    chance
                    for bed, chance in enumerate(said.known.homes(slot))
                    if said.state.fates[bed] == AWAKE
                )
                > 0
                for slot in said.above
            )
    return False


TRUTHS: dict[str, Callable[..., bool]] = {
    rf"Say that (?:{NAMES}) sleeps: her mattresses are all there": lulled,
    rf"Say that (?:{NAMES}) sleeps: her mattresses are most likely right": lambda said: (
        (said.hint.chance or 0) >= 0.98
    ),
    r"Play .*: then you may touch a mattress.*": always,
    rf"Swap ({CARDS}) for ({CARDS}): {PLAY}": swap_holds,
    rf"Put away (?:{CARDS}) and draw (?:a new card|\d new cards)\. Keep ({CARDS})": lambda said, kept: (
        said.place == 0 and cards_of(kept) == said.hand
    ),
    rf"Take (the open \w+(?:, after it {CARDS})?): {PLAY}": plan_holds,
    r"Take the open \w+: it goes best with your other cards": lambda said: (
        said.place == 0 and said.hand.total() > 0
    ),
    r"Take the open \w+: no other card is better to begin with": lambda said: said.place == 0 and not said.hand,
    r"Draw from the deck: no open card helps you more": lambda said: said.place == 0 and bool(said.view["row"]),
    r"Draw from the deck: no card lies open": lambda said: not said.view["row"],
    r"(?:You could also|Put away) .*\. Just as good": lambda said: gap(said) <= 0.006,
    r"(?:You could also|Put away) .*\. Nearly as good": lambda said: 0.004 <= gap(said) <= 0.101,
    r"(?:You could also|Put away) .*\. Not as good": lambda said: gap(said) >= 0.099,
    r"Skip: there is nothing to play and nothing to draw": lambda said: (
        RULES.legal_actions(said.state)[0] == RULES.read_action("skip")
    ),
    r"You are done: nothing is left to check with, so put the cards away and draw": lambda said: (
        not said.view["touches"] and not said.view["looks"]
    ),
    r"You are done: another check would tell hardly anything now": hardly_anything,
    rf"{WHERE}it is hers": is_hers,
    rf"{WHERE}it is most likely hers(?:, about \d+ times out of \d+)?": lambda said: (
        said.known.home(said.bottom)[1] >= LIKELY
    ),
    rf"{WHERE}it belongs to ({NAMES}), so you can carry it to her": lambda said, name: (
        said.home(said.bottom) == bed_of(said, name) and said.state.fates[bed_of(said, name)] == AWAKE
    ),
    rf"{WHERE}it most likely belongs to ({NAMES}), so .*": lambda said, name: (
        said.known.homes(said.bottom)[bed_of(said, name)] >= LIKELY
    ),
    rf"{WHERE}(it is .*hers), but (one above .*)": lambda said, hers, above: (
        (DOUBT in hers or is_hers(said)) and told_above(said, above)
    ),
    rf"{WHERE}move it to the top, as (one above .*)": told_above,
    rf"{WHERE}nobody needs it, but (one above .*)": lambda said, above: (
        unneeded(said) and told_above(said, above)
    ),
    rf"{WHERE}perhaps nobody needs it, but (one above .*)": told_above,
    rf"{WHERE}nobody needs it, .*(?:way)": unneeded,
    rf"{WHERE}most likely nobody needs it, .*(?:way)": always,
    rf"{WHERE}it felt different each time, .*": lambda said: len(set(said.known.felt[said.bottom])) > 1,
    rf"{WHERE}it felt smooth, .*": lambda said: set(said.known.felt[said.bottom]) == {"smooth"},
    rf"{WHERE}it felt like ({NAMES}), .*": lambda said, name: (
        set(said.known.felt[said.bottom]) == {str(princess_names().index(name))}
    ),
    rf"{WHERE}nobody knows whose it is; fingers "
    r"(?:(?:will|nearly always|hardly ever|never) tell|tell about \d+ times? out of \d+)": lambda said: (
        said.known.home(said.bottom)[1] < LIKELY and said.bottom not in said.known.seen
    ),
    rf"{WHERE}the glass tells whose it is, even of a smooth one": lambda said: said.view["looks"] > 0,
}
"""Every sentence there is, and what makes it true. What is said without a doubt has to be true of the
mattresses as they lie; what is most likely has to be likely for the team."""


def heard(variant: str, players: int, seed: int, erring: bool) -> Iterator[Said]:
    """Every hint of one game: of people who always follow it, or of careless ones who sometimes do."""
    chance = Random(f"truth {variant} {players} {seed}")
    people = HelpedPolicy(Random(seed), 2, misread=0.0) if erring else CoachPolicy()
    for step in play_out(RULES.setup(variant, players, chance), people, chance):
        state, player = step.after, RULES.actor(step.after)
        if player == CHANCE:
            continue
        view = RULES.view(state, player)
        hints = advise(people.known, view).hints
        choices = [hint for hint in hints if hint.why != "claim"]
        for hint in hints:
            place = -1 if hint.why == "claim" else choices.index(hint)
            yield Said(hint, place, (choices or [hint])[0], people.known, view, state)


def holds(said: Said) -> bool:
    """Whether what is said is true; every sentence has to be one of those that can be judged."""
    for pattern, true in TRUTHS.items():
        if match := re.fullmatch(rf"{pattern}\.", said.hint.text):
            return true(said, *match.groups())
    raise AssertionError(f"nobody knows what makes this true: {said.hint.text}")


def untrue(games: int) -> tuple[Counter[str], int]:
    """Sentences that do not hold, of so many games, and how many were heard."""
    wrong: Counter[str] = Counter()
    number = 0
    for game in range(games):
        variant, players = TABLES[game % len(TABLES)]
        for said in heard(variant, players, game, bool(game % 3 == 1)):
            number += 1
            if not holds(said):
                wrong[said.hint.text] += 1
    return wrong, number


def test_what_is_said_is_known_and_true() -> None:
    wrong, number = untrue(5)
    assert number > 300
    assert not wrong


@pytest.mark.long
def test_what_is_said_in_500_games_is_known_and_true() -> None:
    wrong, number = untrue(500)
    assert number > 50_000
    assert not wrong


def test_a_take_names_the_plan() -> None:
    """Cards of the hand and open ones that make a play together are named with it."""
    plans = [
        said.hint.text
        for seed in range(1)
        for said in heard("basic", 2, seed, False)
        if isinstance(RULES.read_action(said.hint.action), Take) and ": then you " in said.hint.text
    ]
    assert len(plans) > 5
    assert all(re.search(rf": {PLAY}\.", text) for text in plans)
