"""Sleeping Queens a second time: state line in, legal actions and next state line out. Slow and plain.

Written from the rulebook, its open questions as decided, and docs/notation-sleeping-queens.md, without
a look at `companion.games.sleeping_queens.rules`. It takes possible states only: faults are not looked for.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

from tests.games.oracles.lines import (
    CHANCE,
    NONE,
    UNKNOWN,
    RefusedError,
    read_cards,
    read_fields,
    read_lists,
    write_cards,
    write_fields,
    write_lists,
)

NUMBERS = [str(value) for value in range(1, 11)]
POWERS = {"KI": 8, "JE": 5, "KN": 4, "PO": 4, "WA": 3, "DR": 3}
ORDER = [UNKNOWN, *NUMBERS, *POWERS]
DECK = Counter(dict.fromkeys(NUMBERS, 4) | POWERS)
POINTS = {
    **dict.fromkeys(["Rose", "Cake", "Rainbow", "Starfish"], 5),
    **dict.fromkeys(["Ladybug", "Moon", "Peacock", "Sunflower"], 10),
    **dict.fromkeys(["Cat", "Dog", "Pancake"], 15),
    "Heart": 20,
}
QUEENS = list(POINTS)
ENEMY = {"Cat": "Dog", "Dog": "Cat"}
HAND = 5
PLAYED_FOR_POWER = {"king": "KI", "jester": "JE", "knight": "KN", "potion": "PO"}


class Table:
    """A state line taken apart. Players and places count from 0 here, from 1 in the line."""

    def __init__(self, line: str) -> None:
        self.variant, self.players, fields = read_fields(line)
        self.phase = fields["phase"]
        self.turn = int(fields["turn"]) - 1
        self.acting = int(fields["acting"]) - 1
        self.turns = int(fields["turns"])
        self.hands = read_lists(fields["hands"])
        self.deck = read_cards(fields["deck"])
        self.discard = read_cards(fields["discard"])
        self.fresh = int(fields["fresh"])
        self.played = read_cards(fields["played"])
        self.grid = fields["grid"].split("/")
        self.awake = read_lists(fields["awake"])
        self.target = fields["target"]

    def line(self) -> str:
        """The state line."""
        fields = {
            "phase": self.phase,
            "turn": str(self.turn + 1),
            "acting": str(self.acting + 1),
            "turns": str(self.turns),
            "hands": write_lists(ascending(hand) for hand in self.hands),
            "deck": write_cards(self.deck),
            "discard": write_cards(self.discard),
            "fresh": str(self.fresh),
            "played": write_cards(ascending(self.played)),
            "grid": "/".join(self.grid),
            "awake": write_lists(sorted(queens, key=QUEENS.index) for queens in self.awake),
            "target": self.target,
        }
        return write_fields(self.variant, self.players, fields)

    def opponents(self) -> list[int]:
        """Everybody but the player on turn, clockwise."""
        return [(self.turn + step) % self.players for step in range(1, self.players)]

    def places(self, *, empty: bool) -> list[int]:
        """The places of the grid where nobody sleeps, or somebody does."""
        return [place for place, queen in enumerate(self.grid) if (queen == NONE) is empty]

    def unseen_cards(self) -> Counter[str]:
        """The cards that nobody has seen: they are the unknown ones of hands and draw pile."""
        seen = Counter(card for hand in self.hands for card in hand)
        return DECK - seen - Counter(self.deck) - Counter(self.discard) - Counter(self.played)

    def unseen_queens(self) -> list[str]:
        """The queens of whom nobody knows on which place they sleep."""
        seen = {name.lstrip("!") for name in self.grid} | {queen for queens in self.awake for queen in queens}
        return [queen for queen in QUEENS if queen not in seen]

    def may_have(self, player: int) -> Callable[[Sequence[str]], bool]:
        """Tells of cards whether they are, or may be, in the hand of the player."""
        hand, unseen = Counter(self.hands[player]), self.unseen_cards()

        def possible(cards: Sequence[str]) -> bool:
            missing = Counter(cards) - hand
            return missing.total() <= hand[UNKNOWN] and missing <= unseen

        return possible

    def lay_down(self, player: int, cards: Sequence[str]) -> None:
        """These cards leave the hand; a card that is not among the known ones was an unknown one."""
        for card in cards:
            self.hands[player].remove(card if card in self.hands[player] else UNKNOWN)
            self.played.append(card)

    def attack(self) -> str:
        """`KN` or `PO`: what was played in this turn to attack a queen."""
        return "KN" if "KN" in self.played else "PO"

    def targets(self, attack: str) -> list[str]:
        """The queens that may be attacked: any opponent's, but none for a knight whose enemy the thief has."""
        queens = [queen for player in self.opponents() for queen in self.awake[player]]
        if attack == "PO":
            return queens
        return [queen for queen in queens if ENEMY.get(queen) not in self.awake[self.turn]]

    def points(self, player: int) -> int:
        """What the queens of a player are worth together."""
        return sum(POINTS[queen] for queen in self.awake[player])

    def enough(self, player: int) -> bool:
        """Whether a player has the queens or the points that end the game."""
        queens, points = (5, 50) if self.players <= 3 else (4, 40)
        return len(self.awake[player]) >= queens or self.points(player) >= points

    def short(self) -> int:
        """How many cards all hands together lack."""
        return sum(max(0, HAND - len(hand)) for hand in self.hands)


def ascending(cards: Sequence[str]) -> list[str]:
    """Cards in the order of the notation."""
    return sorted(cards, key=ORDER.index)


def may_be_discarded(cards: Sequence[str]) -> bool:
    """One card of any kind, two equal numbers, or an equation: one number is the sum of at least two others."""
    if len(cards) == 1:
        return True
    if any(card not in NUMBERS for card in cards):
        return False
    values = [int(card) for card in cards]
    if len(values) == 2:
        return values[0] == values[1]
    return any(value == sum(values) - value for value in values)


DISCARDS = [
    cards
    for number in range(1, HAND + 1)
    for cards in combinations_with_replacement([*NUMBERS, *POWERS], number)
    if may_be_discarded(cards)
]


def legal(line: str) -> set[str]:
    """Every action that is allowed now; of `shuffle` the form without an order alone."""
    table = Table(line)
    return set(LEGAL[table.phase](table))


def legal_play(table: Table) -> list[str]:
    """One card for its power, or a discard."""
    possible = {
        "king": bool(table.places(empty=False)),
        "jester": bool(table.deck or table.discard),
        "knight": bool(table.targets("KN")),
        "potion": bool(table.targets("PO")),
    }
    may_have = table.may_have(table.turn)
    powers = [word for word, card in PLAYED_FOR_POWER.items() if possible[word] and may_have([card])]
    return powers + [f"discard {' '.join(cards)}" for cards in DISCARDS if may_have(cards)]


def legal_target(table: Table) -> list[str]:
    """The queens that the knight or potion may be for."""
    return [f"target {queen}" for queen in table.targets(table.attack())]


def legal_answer(table: Table) -> list[str]:
    """A dragon stops a knight, a wand a potion."""
    shield = {"KN": "DR", "PO": "WA"}[table.attack()]
    return ["yield"] + (["defend"] if table.may_have(table.acting)([shield]) else [])


def legal_sleep(table: Table) -> list[str]:
    """Any empty place."""
    return [f"sleep {place + 1}" for place in table.places(empty=True)]


def legal_jester(table: Table) -> list[str]:
    """The top card is turned up; the discard pile is shuffled first if there is none."""
    if not table.deck:
        return ["shuffle"]
    if table.deck[-1] != UNKNOWN:
        return ["reveal"]
    return [f"reveal={card}" for card in table.unseen_cards()]


def legal_wake(table: Table) -> list[str]:
    """Any sleeping queen."""
    actions = []
    for place in table.places(empty=False):
        if table.grid[place] == UNKNOWN:
            actions += [f"wake {place + 1}={queen}" for queen in table.unseen_queens()]
        else:
            actions.append(f"wake {place + 1}")
    return actions


def legal_refill(table: Table) -> list[str]:
    """The refill; before it the discard pile is shuffled if the draw pile does not suffice."""
    if len(table.deck) < table.short() and (table.discard or table.played):
        return ["shuffle"]
    return ["refill"]


LEGAL: dict[str, Callable[[Table], list[str]]] = {
    "play": legal_play,
    "target": legal_target,
    "answer": legal_answer,
    "sleep": legal_sleep,
    "jester": legal_jester,
    "wake": legal_wake,
    "refill": legal_refill,
    "over": lambda table: [],
}


def actor(line: str) -> int:
    """The player who acts, from 0; CHANCE for piles, and where the game is over."""
    table = Table(line)
    return CHANCE if table.phase in ("jester", "refill", "over") else table.acting


def winners(line: str) -> list[int]:
    """Who has enough queens or points; if nobody has, all who have most points. None while the game goes on."""
    table = Table(line)
    if table.phase != "over":
        return []
    having_enough = [player for player in range(table.players) if table.enough(player)]
    most = max(table.points(player) for player in range(table.players))
    return having_enough or [player for player in range(table.players) if table.points(player) == most]


def after(line: str, action: str) -> str:
    """The state line after an action; RefusedError if it is not allowed."""
    table = Table(line)
    word, _, rest = action.partition(" ")
    verb, _, outcome = word.partition("=")
    allowed = LEGAL[table.phase](table)
    if verb == "shuffle" and outcome and "shuffle" in allowed:
        shuffle(table, read_cards(outcome))
    elif action not in allowed and not (outcome_seen(table, action) and action.partition("=")[0] in allowed):
        raise RefusedError(action)
    elif verb in PLAYED_FOR_POWER:
        play(table, verb)
    elif verb == "shuffle":
        shuffle(table, [])
    elif verb == "reveal":
        reveal(table, outcome)
    else:
        AFTER[verb](table, rest)
    return table.line()


def outcome_seen(table: Table, action: str) -> bool:
    """Whether the action names the card that the state knows."""
    words, _, name = action.partition("=")
    if words == "reveal":
        return table.deck[-1:] == [name]
    return words.startswith("wake ") and name == table.grid[int(words.split()[1]) - 1].lstrip("!")


def play(table: Table, verb: str) -> None:
    """A card is played for its power."""
    table.lay_down(table.turn, [PLAYED_FOR_POWER[verb]])
    table.phase = {"king": "wake", "jester": "jester", "knight": "target", "potion": "target"}[verb]


def discard(table: Table, rest: str) -> None:
    """Cards are discarded, and the turn ends."""
    table.lay_down(table.turn, rest.split())
    end_turn(table)


def end_turn(table: Table) -> None:
    """Nothing is left but to fill the hands."""
    table.phase, table.acting, table.target = "refill", table.turn, NONE


def target(table: Table, queen: str) -> None:
    """Her owner may answer."""
    table.target, table.phase = queen, "answer"
    table.acting = next(player for player in table.opponents() if queen in table.awake[player])


def defend(table: Table, _: str) -> None:
    """The attack fails."""
    table.lay_down(table.acting, [{"KN": "DR", "PO": "WA"}[table.attack()]])
    end_turn(table)


def give_in(table: Table, _: str) -> None:
    """A knight takes the queen at once; after a potion a place for her is chosen."""
    if table.attack() == "PO":
        table.phase, table.acting = "sleep", table.turn
        return
    table.awake[table.acting].remove(table.target)
    table.awake[table.turn].append(table.target)
    end_turn(table)
    end_game(table, table.turn)


def sleep(table: Table, place: str) -> None:
    """The queen is laid face down, and everybody knows who she is."""
    for queens in table.awake:
        if table.target in queens:
            queens.remove(table.target)
    table.grid[int(place) - 1] = "!" + table.target
    end_turn(table)


def wake(table: Table, rest: str) -> None:
    """A queen wakes, or goes back because of her enemy; the Rose queen brings another."""
    number, _, seen = rest.partition("=")
    place = int(number) - 1
    queen = seen or table.grid[place].lstrip("!")
    player = table.acting
    if ENEMY.get(queen) in table.awake[player]:
        table.grid[place] = "!" + queen
        end_turn(table)
        return
    table.grid[place] = NONE
    table.awake[player].append(queen)
    if queen != "Rose" or not table.places(empty=False):
        end_turn(table)
    end_game(table, player)


def end_game(table: Table, player: int) -> None:
    """The game is over if the player, who acted last, has enough, or nobody sleeps any more."""
    if table.enough(player) or not table.places(empty=False):
        end_turn(table)
        table.phase, table.acting = "over", player


def reveal(table: Table, outcome: str) -> None:
    """A power card goes to the hand for another turn; a number counts off who wakes a queen."""
    top = table.deck.pop()
    card = outcome or top
    if card in POWERS:
        put_away(table)
        table.hands[table.turn].append(card)
        table.turns += 1
        table.phase = "play"
        return
    table.played.append(card)
    table.acting = (table.turn + int(card) - 1) % table.players
    table.phase = "wake"


def shuffle(table: Table, order: list[str]) -> None:
    """The discard pile, at the end of a turn with what was played, goes beneath the draw pile."""
    cards = table.discard
    table.discard, table.fresh = [], 0
    if table.phase == "refill":
        cards = cards + table.played
        table.played = []
    if order and Counter(order) != Counter(cards):
        raise RefusedError("not the cards of the pile")
    table.deck = (order or [UNKNOWN] * len(cards)) + table.deck


def put_away(table: Table) -> None:
    """What was played goes to the discard pile together."""
    if table.played:
        table.discard += ascending(table.played)
        table.fresh = len(table.played)
        table.played = []


def refill(table: Table, _: str) -> None:
    """What was played is put away, all hands are filled up, and the next player is on turn."""
    put_away(table)
    for step in range(table.players):
        hand = table.hands[(table.turn + step) % table.players]
        while len(hand) < HAND and table.deck:
            hand.append(table.deck.pop())
    table.turn = table.acting = (table.turn + 1) % table.players
    table.turns += 1
    table.phase = "play"


AFTER: dict[str, Callable[[Table, str], None]] = {
    "discard": discard,
    "target": target,
    "defend": defend,
    "yield": give_in,
    "sleep": sleep,
    "wake": wake,
    "refill": refill,
}
