"""Every sentence of a hint follows from what the player knows, and is true of the cards as they lie."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import comb
from typing import Any, NamedTuple

import pytest

from companion.games.advice import Hint, Level
from companion.games.sleeping_queens.hints.advice import advise
from companion.games.sleeping_queens.hints.player_knowledge import known_state
from companion.games.sleeping_queens.players.simulation import SIMULATION
from companion.games.sleeping_queens.queens_cards import POWERS, QUEENS
from companion.games.sleeping_queens.rules.actions import Defend, Discard, Power, Target, Wake, Yield
from companion.games.sleeping_queens.rules.kinds import COPIES, KIND_OF_TEXT, KIND_TEXT, KNIGHT, NUMBERS
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import Phase, State
from tests.support.hint_truth import COMPARED, NUMBER_NAMES, mixed_decisions, near, untrue

LETTERS = {name: letters for letters, name, _ in POWERS}
OFTEN = r"(?:nearly always |hardly ever )?"
TIMES = r"(?: about \d+ times? out of \d+)?"
WINS = rf"((?:\. That {OFTEN}wins the game{TIMES})?)"
GUARD = rf"\. (A (?:dragon|wand) {OFTEN}stops you{TIMES}|Player \d has (?:no|a) (?:dragon|wand))"
ELSE = r"((?:\. (?:That wins the game|If nothing stops you, you win))?)"
NAME = rf"({'|'.join(QUEENS)})"
SECOND = r"((?:\. She brings a second queen)?)"
STANDING = r"\. Player \d has (\d+) of (\d+) (points|queens)"
KEEP = r"(?:\. (Keep .*|These .*))?"


class Said(NamedTuple):
    """A sentence, and what the one who hears it knows and does not know."""

    hint: Hint
    best: Hint
    view: Mapping[str, Any]
    state: State

    @property
    def hand(self) -> list[str]:
        return list(self.view["hand"])

    @property
    def player(self) -> int:
        number: int = self.view["player"]
        return number - 1

    @property
    def strangers(self) -> list[str]:
        known = {name for queens in self.view["awake"] for name in queens} | set(self.view["cells"])
        return [name for name in QUEENS if name not in known]

    @property
    def left(self) -> Counter[str]:
        """Cards the player cannot place, by kind."""
        all_cards = Counter(dict(zip(KIND_TEXT[1:], COPIES[1:], strict=True)))
        return all_cards - Counter([*self.hand, *self.view["discard"], *self.view["played"]])


def wins_by_waking(said: Said, name: str, before: int = 0) -> bool:
    """Whether this queen, laid to the player's own, ends the game in their favour."""
    number, worth = (5, 50) if said.view["players"] <= 3 else (4, 40)
    own = said.view["awake"][said.player]
    rivals = {frozenset({"Cat", "Dog"})}
    if any({name, other} in rivals for other in own):
        return False
    total = sum(QUEENS[one] for one in (*own, name))
    if len(own) + 1 >= number or total >= worth:
        return True
    others = [sum(map(QUEENS.__getitem__, queens)) for queens in said.view["awake"]]
    return sum(map(bool, said.view["cells"])) == 1 and total >= max(others)


def wakes_stranger(said: Said, *words: str) -> bool:
    *_, mean, wins = words
    names = said.strangers
    chance = sum(wins_by_waking(said, name) for name in names) / len(names)
    points = sum(QUEENS[name] for name in names) / len(names)
    told = near(wins, chance) if "game " in wins or "ly" in wins else chance == float(bool(wins))
    return abs(points - int(mean)) <= 0.5 and told


def stands(said: Said, victim: str, has: str, wanted: str, unit: str) -> bool:
    """Whether somebody has so many points or queens of those that win."""
    few = said.view["players"] <= 3
    owner = int(victim) - 1
    if unit == "points":
        return (int(has), int(wanted)) == (said.view["points"][owner], 50 if few else 40)
    return (int(has), int(wanted)) == (len(said.view["awake"][owner]), 5 if few else 4)


def bewitches(said: Said, name: str, victim: str, has: str, wanted: str, unit: str, guard: str) -> bool:
    return stands(said, victim, has, wanted, unit) and attack(said, name, victim, guard)


def wakes_known(said: Said, name: str, place: str, points: str, second: str, wins: str) -> bool:
    cell = int(place) - 1
    seen = said.view["cells"][cell] == name == KNOWN[said.state.cells[cell]]
    won = wins_by_waking(said, name)
    brings = name == "Rose" and not won and sum(map(bool, said.view["cells"])) > 1
    return seen and QUEENS[name] == int(points) and bool(wins) == won and bool(second) == brings


KNOWN = list(QUEENS)


def attack(said: Said, name: str, victim: str, guard: str, wins: str = "") -> bool:
    """The victim has her, the answer is as likely as said, and a win is one."""
    owner = int(victim) - 1
    answer = "DR" if "dragon" in guard else "WA"
    cards, size = said.left.total(), said.view["hands"][owner]
    chance = 1 - comb(cards - said.left[answer], size) / comb(cards, size)
    holds = KIND_OF_TEXT[answer] in said.state.hands[owner]
    sure = guard.startswith("Player ")
    guarded = chance == float(holds) == float(" no " not in guard) if sure else near(guard, chance)
    state = said.state
    if state.phase is Phase.PLAY:
        state = RULES.apply(state, Power(KNIGHT if answer == "DR" else KIND_OF_TEXT["PO"]))
    taken = RULES.apply(RULES.apply(state, Target(KNOWN.index(name))), Yield())
    won = answer == "DR" and taken.phase is Phase.OVER
    return name in said.view["awake"][owner] and guarded and bool(wins) == won and owner != said.player


def jester(said: Said, again: str, mine: str, others: str) -> bool:
    """Whether each sentence has its own chance; "for sure", "no" and what comes now and then."""
    cards = said.left.total()
    numbers = {int(text): copies for text, copies in said.left.items() if text.isdecimal()}
    ours = sum(copies for kind, copies in numbers.items() if kind % said.view["players"] == 1)
    theirs = sum(numbers.values()) - ours
    return (
        near(again, 1 - (ours + theirs) / cards) and near(mine, ours / cards) and near(others, theirs / cards)
    )


def discarded(said: Said, cards: str, because: str | None) -> bool:
    """The cards are in the hand and a discard; what is kept is there still."""
    laid = re.findall(r"\d+|" + "|".join((*LETTERS, *NUMBER_NAMES)), cards)
    kinds = [str(NUMBER_NAMES.index(one) + 1) if one in NUMBER_NAMES else LETTERS.get(one, one) for one in laid]
    if said.hint.why == "pair":
        kinds *= 2
    kept = Counter(said.hand) - Counter(kinds)
    RULES.apply(said.state, Discard(tuple(sorted(map(KIND_OF_TEXT.__getitem__, kinds)))))
    if kept.total() + len(kinds) != len(said.hand):
        return False
    if because is None:
        return True
    if match := re.fullmatch(r"Keep your (.*) for later", because):
        return kept[LETTERS[match[1]]] > 0
    together = re.findall(r"\d+", because)
    RULES.apply(said.state, Discard(tuple(sorted(map(int, together)))))
    return not Counter(together) - kept and len(together) > 1


def defends(said: Said, answer: str, name: str, points: str) -> bool:
    RULES.apply(said.state, Defend())
    return said.view["target"] == name and QUEENS[name] == int(points) and LETTERS[answer] in said.hand


STRANGER = rf"a queen nobody has seen(?:, such as on place (\d+))?: about (\d+) points on average{WINS}"
TRUTHS: dict[str, Callable[..., bool]] = {
    **COMPARED,
    rf"Play your king and wake {STRANGER}": lambda said, place, mean, wins: (
        "KI" in said.hand and wakes_stranger(said, mean, wins)
    ),
    rf"Wake {STRANGER}": lambda said, place, mean, wins: (
        said.view["cells"][int(place) - 1] == "?" and wakes_stranger(said, mean, wins)
    ),
    rf"Play your king and wake the {NAME} queen on place (\d+): (\d+) points{SECOND}{WINS}": lambda said, *of: (
        "KI" in said.hand and wakes_known(said, *of)
    ),
    rf"Wake the {NAME} queen on place (\d+): (\d+) points{SECOND}{WINS}": wakes_known,
    rf"Turn up the {NAME} queen on place (\d+): she sleeps on, as the {NAME} queen is yours": (
        lambda said, name, place, enemy: (
            said.view["cells"][int(place) - 1] == name
            and enemy in said.view["awake"][said.player]
            and {name, enemy} == {"Cat", "Dog"}
        )
    ),
    rf"Play your knight and take the {NAME} queen from player (\d){GUARD}{ELSE}": (
        lambda said, *of: "KN" in said.hand and attack(said, *of)
    ),
    rf"Play your sleeping potion on the {NAME} queen of player (\d){STANDING}{GUARD}": (
        lambda said, *of: "PO" in said.hand and bewitches(said, *of)
    ),
    rf"Take the {NAME} queen from player (\d){GUARD}{ELSE}": attack,
    rf"Put the {NAME} queen of player (\d) to sleep{STANDING}{GUARD}": bewitches,
    r"Play your jester\. (.*power card.*)\. (You.* queen.*)\. (.*other player.*)": jester,
    r"Play your jester\. Perhaps it turns up a power card, which you keep: play again": (
        lambda said: not said.view["deck"]
    ),
    rf"Put away your ([\w ]+) and draw a new card{KEEP}": discarded,
    rf"Put away your two ({'|'.join(NUMBER_NAMES)}) and draw two cards{KEEP}": discarded,
    rf"Put away (\d+(?: \+ \d+)+ = \d+) and draw (?:three|four|five) cards{KEEP}": discarded,
    rf"Lay the {NAME} queen on any empty place: everybody sees where she goes": (
        lambda said, name: said.view["target"] == name and "" in said.view["cells"]
    ),
    rf"Lay down your (dragon|wand): you keep the {NAME} queen, (\d+) points": defends,
    rf"Let the {NAME} queen go and keep your (dragon|wand) for later": lambda said, name, answer: (
        said.view["target"] == name and LETTERS[answer] in said.hand
    ),
    rf"You have no (dragon|wand): let the {NAME} queen go": lambda said, answer, name: (
        said.view["target"] == name and LETTERS[answer] not in said.hand
    ),
}
"""Every sentence of a move, and what makes it true."""


def heard(players: int, seed: int) -> Iterator[Said]:
    """Every hint of one game."""
    for state in mixed_decisions(SIMULATION, players, seed):
        player = RULES.actor(state)
        view = RULES.view(state, player)
        hints = advise(known_state(view), player).hints
        assert hints
        for hint in hints:
            yield Said(hint, hints[0], view, state)


def test_what_is_said_is_known_and_true() -> None:
    wrong, kinds = untrue(heard, 4, TRUTHS, RULES)
    assert not wrong
    assert kinds.total() > 500
    assert {"king", "knight", "potion", "jester", "single", "pair", "equation", "wake", "defend"} <= set(kinds)


@pytest.mark.long
def test_what_is_said_in_400_games_is_known_and_true() -> None:
    wrong, kinds = untrue(heard, 400, TRUTHS, RULES)
    assert not wrong
    assert kinds.total() > 20_000


def test_what_is_remembered_is_true() -> None:
    told = 0
    for seed in range(4):
        for said in heard(3 + seed % 3, seed):
            lying = Counter(said.state.deck)
            for other, hand in enumerate(said.state.hands):
                if other != said.player:
                    lying.update(hand)
            for hint in advise(known_state(said.view), said.player, Level.MEMORY).hints:
                if match := re.fullmatch(rf"The {NAME} queen sleeps on place (\d+): (\d+) points\.", hint.text):
                    assert KNOWN[said.state.cells[int(match[2]) - 1]] == match[1]
                    assert QUEENS[match[1]] == int(match[3])
                    told += 1
                    continue
                parts = re.findall(r"(\d+) ([a-z ]+?)s?(?:,| and|\.)", hint.text.partition("still ")[2])
                counted = {KIND_OF_TEXT[LETTERS[name]]: int(copies) for copies, name in parts}
                assert counted == {kind: n for kind, n in lying.items() if kind not in NUMBERS}
                assert hint.text.startswith("In other hands and draw pile are still ") or not counted
    assert told > 10


@pytest.mark.long
def test_whom_to_wake_is_named_where_all_have_seen_her() -> None:
    """A queen that a potion put to sleep is woken from her place."""
    named = [
        said
        for seed in range(12)
        for said in heard(4, seed)
        if said.hint is said.best and said.hint.why in ("wake known", "king known")
    ]
    assert len(named) > 3
    for said in named:
        if isinstance(action := RULES.read_action(said.hint.action), Wake):
            assert said.view["cells"][action.cell] in said.hint.text
