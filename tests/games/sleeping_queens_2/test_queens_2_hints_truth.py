"""Every sentence of a hint is true of the cards as they lie; the arithmetic here is the test's own."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import prod
from random import Random
from typing import NamedTuple

import pytest

from companion.games.advice import Hint, Level
from companion.games.sleeping_queens_2.hints.advice import advise
from companion.games.sleeping_queens_2.hints.player_knowledge import fitting_share, known_state
from companion.games.sleeping_queens_2.players.simulation import SIMULATION
from companion.games.sleeping_queens_2.rules.kinds import Knight
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import State
from tests.support.hint_truth import COMPARED, NUMBER_NAMES, mixed_decisions, near, untrue

SYMBOL = r"(?: \((?:symbol [abc]|any queen)\))?"
QUEEN, COMPANION = rf"queen (\d+)({SYMBOL})", rf"companion (\d+)({SYMBOL})"
CARD = rf"(an? \d+|a spell book|queen \d+{SYMBOL}|companion \d+{SYMBOL})"
FIND = r"(It waits for a queen|It (?:nearly always |hardly ever )?fits .* of yours.*)"
BECAUSE = r"((?:\. .*)?)"


class Said(NamedTuple):
    """A sentence, the best one of its decision, and the state as it is."""

    hint: Hint
    best: Hint
    state: State

    @property
    def realm(self) -> Counter[int]:
        return Counter(self.state.realms[self.state.turn])

    @property
    def numbers(self) -> Counter[int]:
        return Counter({kind: n for kind, n in self.realm.items() if kind <= 10})

    @property
    def queens(self) -> list[int]:
        """Awake and asleep."""
        all_cards = self.state.realms[self.state.turn] + self.state.asleep[self.state.turn]
        return [kind for kind in all_cards if 11 <= kind <= 22]

    @property
    def companions(self) -> list[int]:
        return list(self.state.companions[self.state.turn])

    @property
    def math(self) -> bool:
        return self.state.knights[self.state.turn] == Knight.MATH


def kind_of(words: str) -> int:
    """The kind a card's words stand for."""
    if match := re.fullmatch(rf"(queen|companion) (\d+)({SYMBOL})", words[:1].lower() + words[1:]):
        start, letters = (10, "aaaabbbbcccc") if match[1] == "queen" else (26, "aaabbbccc*")
        said = {"": "", " (any queen)": "*"}.get(match[3], match[3][-2:-1])
        assert said in ("", letters[int(match[2]) - 1])
        return start + int(match[2])
    return 23 if words.endswith("spell book") else int(words.removeprefix("an ").removeprefix("a "))


def symbol(kind: int) -> str:
    return "aaaabbbbcccc"[kind - 11] if kind <= 22 else "aaabbbccc*"[kind - 27]


def fit(queen: int, companion: int) -> bool:
    return symbol(companion) in (symbol(queen), "*")


def covered(state: State) -> list[int]:
    """The companions face down, as they are."""
    return sorted(kind for kind, up in zip(state.cells, state.face_up, strict=True) if kind > 0 and not up)


def most_pairs(queens: list[int], companions: list[int]) -> int:
    """How many of these queens have a companion of their own at best, whoever takes whom."""
    if not queens or not companions:
        return 0
    first, *rest = queens
    left = [companions[:at] + companions[at + 1 :] for at, kind in enumerate(companions) if fit(first, kind)]
    return max([most_pairs(rest, companions), *(1 + most_pairs(rest, others) for others in left)])


def share_that_fits(said: Said) -> Fraction | None:
    """Of the companions face down, or else of all in the grid, with whom one queen more has a companion."""
    pool = covered(said.state) or [kind for kind in said.state.cells if kind > 0]
    pairs = most_pairs(said.queens, said.companions)
    if pairs == len(said.queens) or not pool:
        return None
    finding = [kind for kind in pool if most_pairs(said.queens, [*said.companions, kind]) > pairs]
    return Fraction(len(finding), len(pool))


def finds(said: Said, words: str) -> bool:
    share = share_that_fits(said)
    if "waits" in words:
        return share is None
    return share is not None and near(words, float(share)) and said.hint.chance == round(float(share), 4)


def is_sum(said: Said, words: str, more: Counter[int] | None = None) -> bool:
    """Whether an equation holds and its cards lie in the realm; `more` cards come to it."""
    plain = words.removesuffix(" with your knight's 1")
    sign = "+" if "+" in plain else "x"
    left, _, right = plain.partition(" = ")
    cards, result = [int(card) for card in left.split(f" {sign} ")], int(right)
    have = said.numbers + (more or Counter())
    if Counter([*cards, result]) - have or len(cards) < 2:
        return False
    made = sum if sign == "+" else prod
    if plain == words:
        return made(cards) == result
    changes = [(at, by) for at in range(len(cards)) for by in (-1, 1)]
    near_by = {made([*cards[:at], cards[at] + by, *cards[at + 1 :]]) for at, by in changes}
    return said.math and (abs(made(cards) - result) == 1 or result in near_by)


def helps(said: Said, won: int, because: str, victim: int | None = None, given: int = 0) -> bool:
    """Whether the reason given for a card that is won is a true one."""
    if not because:
        return True
    words = because.removeprefix(". ")
    if match := re.fullmatch(rf"(?:She|It) fits ({QUEEN}|{COMPANION}) of yours", words):
        partner = kind_of(match[1])
        own = Counter(said.queens + said.companions) - Counter([given])
        pair = (won, partner) if won <= 22 else (partner, won)
        return own[partner] > 0 and fit(*pair)
    if match := re.fullmatch(r"Two (\w+) wake your queens", words):
        left = said.numbers - Counter([given])
        return (
            NUMBER_NAMES.index(match[1]) + 1 == won
            and left[won] > 0
            and bool(said.state.asleep[said.state.turn])
        )
    if match := re.fullmatch(r"That makes an equation: (.*)", words):
        gone = Counter([given]) if given else Counter[int]()
        without = said._replace(state=_without_cards(said.state, gone))
        return str(won) in re.findall(r"\d+", match[1]) and is_sum(without, match[1], Counter([won]))
    match = re.fullmatch(rf"Player (\d), who has (\d) of (\d) kings, has ({QUEEN}|{COMPANION}) for it", words)
    assert match, because
    assert victim is not None
    theirs = said.state.realms[victim] + said.state.asleep[victim] + said.state.companions[victim]
    partner = kind_of(match[4])
    pair = (won, partner) if won <= 22 else (partner, won)
    kings = (said.state.kings[victim], {2: 4, 3: 3, 4: 3, 5: 2}[said.state.players])
    return (int(match[1]), int(match[2]), int(match[3])) == (victim + 1, *kings) and (
        partner in theirs and fit(*pair)
    )


def _without_cards(state: State, gone: Counter[int]) -> State:
    realm = tuple(sorted((Counter(state.realms[state.turn]) - gone).elements()))
    return state._replace(realms=(*state.realms[: state.turn], realm, *state.realms[state.turn + 1 :]))


def takes(said: Said, card: str, player: str, because: str) -> bool:
    victim, kind = int(player) - 1, kind_of(card)
    return (
        victim != said.state.turn
        and kind in said.state.realms[victim] + said.state.asleep[victim]
        and helps(said, kind, because, victim)
    )


def swaps(said: Said, own: str, card: str, player: str, because: str) -> bool:
    victim, kind, given = int(player) - 1, kind_of(card), kind_of(own)
    state = said.state
    theirs = state.realms[victim] + state.asleep[victim] + state.companions[victim]
    mine = state.realms[state.turn] + state.asleep[state.turn] + state.companions[state.turn]
    shielded = state.knights[victim] == Knight.WITCH
    return kind in theirs and given in mine and not shielded and helps(said, kind, because, victim, given=given)


def wakes_all(said: Said, number: str, which: str, because: str) -> bool:
    asleep = said.state.asleep[said.state.turn]
    told = len(asleep) == (1 if which == "queen" else int(which.split()[0]))
    fits = True
    if match := re.fullmatch(rf"\. (Q{QUEEN[1:]}) fits ({COMPANION})", because):
        queen, companion = kind_of(match[1]), kind_of(match[4])
        fits = queen in asleep and companion in said.companions and fit(queen, companion)
    return said.numbers[NUMBER_NAMES.index(number) + 1] >= 2 and told and fits


def rescues(said: Said, queen: str, companion: str, wins: str) -> bool:
    kinds = kind_of(queen), kind_of(companion)
    last = said.state.kings[said.state.turn] + 1 == {2: 4, 3: 3, 4: 3, 5: 2}[said.state.players]
    return kinds[0] in said.realm and kinds[1] in said.companions and fit(*kinds) and bool(wins) == last


def discards(said: Said, card: str, because: str) -> bool:
    kind = kind_of(card)
    if kind not in said.state.realms[said.state.turn] + said.state.asleep[said.state.turn]:
        return False
    kept = said._replace(state=_without_cards(said.state, Counter([kind])))
    if match := re.fullmatch(r"\. Keep your two (\w+) to wake queens", because):
        return kept.numbers[NUMBER_NAMES.index(match[1]) + 1] >= 2 and bool(kept.state.asleep[kept.state.turn])
    if because == ". Keep your spell book for later":
        return kept.realm[23] > 0
    return not because or is_sum(kept, because.removeprefix(". Keep an equation: "))


def asleep_now(said: Said, whom: str) -> bool:
    state = said.state
    for seat in range(state.players):
        player = (state.turn + seat) % state.players
        awake = any(11 <= kind <= 22 for kind in state.realms[player])
        if awake and state.knights[player] != Knight.WILLOW:
            return whom == ("Your queens fall" if not seat else f"The queens of player {player + 1} fall")
    return whom == "No queen falls"


def knights(said: Said, colour: str, player: str, does: str) -> bool:
    knight = said.state.knights[int(player) - 1]
    colours = ("red", "black", "blue", "yellow", "white", "green")
    told = {0: "one more or less", 3: "one card more", 5: "six cards kept"}
    return colours[knight] == colour and told.get(knight, does) == does


def phase(said: Said, name: str) -> bool:
    return said.state.phase.name == name


def after_witch(said: Said) -> bool:
    """Whether anything can be swapped once the witch is played."""
    assert 25 in said.state.drawn
    played = RULES.apply(said.state, RULES.read_action(said.hint.action))
    return len(list(RULES.legal_actions(played))) > 1


TRUTHS: dict[str, Callable[..., bool]] = {
    **COMPARED,
    "Roll again: a 1 brings one card only": lambda said: phase(said, "REROLL") and not said.state.played,
    "Keep the 1: you draw one card": lambda said: phase(said, "REROLL") and not said.state.played,
    "Roll again: the gnome may do something better": lambda said: said.state.played == 24,
    "Keep the 1: the gnome brings a companion": lambda said: said.state.played == 24,
    rf"Wake ({QUEEN}){BECAUSE}": lambda said, queen, n, letter, because: (
        kind_of(queen) in said.state.asleep[said.state.turn] and helps(said, kind_of(queen), because)
    ),
    "Wake nobody": lambda said: phase(said, "WAKE"),
    r"Play the sleeping willow now\. (.* falls?) asleep": lambda said, whom: (
        26 in said.state.drawn and asleep_now(said, whom)
    ),
    "Play the wild gnome now: the die says what it does": lambda said: 24 in said.state.drawn,
    "Play the switch witch now: you may swap a card with another player": after_witch,
    "Play the switch witch now, as you must: there is nothing to swap": lambda said: not after_witch(said),
    rf"Take a companion, such as the one on place (\d+)\. {FIND}": lambda said, place, words: (
        said.state.cells[int(place) - 1] > 0 and not said.state.face_up[int(place) - 1] and finds(said, words)
    ),
    rf"Take {CARD} from player (\d){BECAUSE}": takes,
    "Take nothing": lambda said: phase(said, "STEAL"),
    rf"Take ({QUEEN}) from the discard pile{BECAUSE}": lambda said, queen, n, letter, because: (
        kind_of(queen) in said.state.discard and helps(said, kind_of(queen), because)
    ),
    "Take no queen": lambda said: phase(said, "TAKE"),
    "Take no companion": lambda said: phase(said, "FETCH"),
    r"Swap your knight for the (\w+) one of player (\d): (.*)": knights,
    r"Swap the knights of player (\d) and player (\d)": lambda said, one, two: (
        str(said.state.turn + 1) not in (one, two) and one < two
    ),
    "Swap no knights": lambda said: phase(said, "EXCHANGE"),
    rf"Swap {CARD} for {CARD} of player (\d){BECAUSE}": swaps,
    "Swap nothing": lambda said: phase(said, "SWAP"),
    rf"Make the equation (.*) and take a companion\. {FIND}": lambda said, made, words: (
        is_sum(said, made) and finds(said, words)
    ),
    rf"Lay down your two (\w+) and wake your (queen|\d+ queens){BECAUSE}": wakes_all,
    rf"Use a spell book and take the (\d+) from the discard pile{BECAUSE}": lambda said, number, because: (
        said.realm[23] > 0 and int(number) in said.state.discard and helps(said, int(number), because)
    ),
    rf"Rescue a king with (queen \d+) and (companion \d+{SYMBOL})((?:\. That wins the game)?)": rescues,
    rf"Lay ({COMPANION}) face up on any empty place, such as place (\d+)": lambda said, card, n, of, place: (
        kind_of(card) == said.state.carried and said.state.cells[int(place) - 1] == -1
    ),
    rf"Put away {CARD}{BECAUSE}": discards,
    "End your turn: you may keep all your cards": lambda said: (
        len(said.state.realms[said.state.turn] + said.state.asleep[said.state.turn])
        <= 5 + (said.state.knights[said.state.turn] == Knight.SIX)
    ),
}
"""Every sentence of a move, and what makes it true."""


def heard(players: int, seed: int) -> Iterator[Said]:
    """Every hint of one game."""
    for state in mixed_decisions(SIMULATION, players, seed):
        hints = advise(known_state(RULES.view(state, state.turn))).hints
        assert hints
        for hint in hints:
            yield Said(hint, hints[0], state)


def test_what_is_said_is_true() -> None:
    wrong, kinds = untrue(heard, 4, TRUTHS, RULES)
    assert not wrong
    assert kinds.total() > 400
    assert {"equation", "rescue", "discard", "steal", "swap", "pair", "book", "fetch", "willow"} <= set(kinds)


@pytest.mark.long
def test_what_is_said_in_300_games_is_true() -> None:
    wrong, kinds = untrue(heard, 300, TRUTHS, RULES)
    assert not wrong
    assert kinds.total() > 20_000


def test_a_companion_who_fits_every_queen_is_free_for_another_one() -> None:
    """Three queens of three symbols and the companion for all: whoever is fetched finds a queen."""
    chance = Random("fits every queen")
    state = RULES.setup("standard", 2, chance)
    hidden = tuple(kind for kind in range(27, 36))
    state = state._replace(
        realms=((11, 17, 20), *state.realms[1:]),
        asleep=((), *state.asleep[1:]),
        companions=((36,), *state.companions[1:]),
        cells=(*hidden, -1),
        face_up=(False,) * 10,
    )
    assert fitting_share(known_state(RULES.view(state, 0)), 0) == 1.0
    alone = state._replace(realms=((11, 17, 17), *state.realms[1:]), companions=((), *state.companions[1:]))
    assert fitting_share(known_state(RULES.view(alone, 0)), 0) == pytest.approx(7 / 10)
    paired = state._replace(realms=((11,), *state.realms[1:]))
    assert fitting_share(known_state(RULES.view(paired, 0)), 0) is None


def test_what_is_remembered_is_true() -> None:
    told: Counter[str] = Counter()
    for said in (said for seed in range(3) for said in heard(3 + seed, seed) if said.hint is said.best):
        state = said.state
        for hint in advise(known_state(RULES.view(state, state.turn)), Level.MEMORY).hints:
            cards = [kind_of(words) for words in re.findall(rf"(?:queen|companion) \d+{SYMBOL}", hint.text)]
            if match := re.fullmatch(r"Player (\d) has .* asleep\.", hint.text):
                assert tuple(cards) == state.asleep[int(match[1]) - 1]
                told["asleep"] += 1
            elif hint.text.startswith("Face down in the middle: "):
                down = [
                    kind for kind, up in zip(state.cells, state.face_up, strict=True) if kind > 0 and not up
                ]
                assert cards == sorted(down)
                told["down"] += 1
            else:
                assert hint.text.startswith("In the draw pile: ")
                lies = Counter(state.deck)
                assert cards == [kind for kind in sorted(lies) if 11 <= kind <= 22]
                counted = dict(zip((23, 24, 25, 26), _counts(hint.text), strict=True))
                assert counted == {kind: lies[kind] for kind in counted}
                told["deck"] += 1
    assert min(told["asleep"], told["down"], told["deck"]) > 50


def _counts(text: str) -> list[int]:
    names = ("spell book", "wild gnome", "switch witch", "sleeping willow")
    found = (re.search(rf"(\d+) {name}", text) for name in names)
    return [int(match[1]) if match else 0 for match in found]
