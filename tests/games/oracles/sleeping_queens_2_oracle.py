"""Sleeping Queens 2 a second time: state line in, legal actions and next state line out. Slow and plain.

Written from the rulebook, its open questions as decided, and docs/notation-sleeping-queens-2.md, without
a look at `companion.games.sleeping_queens_2.rules`. It takes possible states only: faults are not looked for.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import prod

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
QUEENS = [f"Q{number:02}" for number in range(1, 13)]
INSTANTS = {"WG": 6, "SW": 5, "WI": 5}
COMPANIONS = [f"RC{number:02}" for number in range(1, 11)]
ORDER = [UNKNOWN, *NUMBERS, *QUEENS, "SB", *INSTANTS, *COMPANIONS]
DECK = Counter(dict.fromkeys(NUMBERS, 4) | dict.fromkeys(QUEENS, 1) | {"SB": 4} | INSTANTS)
KNIGHTS = ["math", "witch", "reroll", "draw", "willow", "six"]
KINGS_TO_WIN = {2: 4, 3: 3, 4: 3, 5: 2}
INSTANT_WORDS = {"gnome": "WG", "witch": "SW", "willow": "WI"}
GNOME_POWERS = {"1": "fetch", "2": "steal", "3": "take", "dragon": "exchange"}


class Table:
    """A state line taken apart. Players and places count from 0 here, from 1 in the line."""

    def __init__(self, line: str) -> None:
        self.variant, self.players, self.fields = read_fields(line)
        self.phase = self.fields["phase"]
        self.turn = int(self.fields["turn"]) - 1
        self.turns = int(self.fields["turns"])
        self.draws = int(self.fields["draws"])
        self.realms = read_lists(self.fields["realms"])
        self.asleep = read_lists(self.fields["asleep"])
        self.companions = read_lists(self.fields["companions"])
        self.kings = [int(number) for number in self.fields["kings"].split("/")]
        self.knights = self.fields["knights"].split("/")
        self.deck = read_cards(self.fields["deck"])
        self.discard = read_cards(self.fields["discard"])
        self.fresh = int(self.fields["fresh"])
        self.drawn = read_cards(self.fields["drawn"])
        self.played = self.fields["played"]
        self.carried = self.fields["carried"]
        self.grid = self.fields["grid"].split("/")
        self.die = self.fields["die"].split(",")

    def line(self) -> str:
        """The state line; printed parts stay as they were read."""
        changed = {
            "phase": self.phase,
            "turn": str(self.turn + 1),
            "turns": str(self.turns),
            "draws": str(self.draws),
            "realms": write_lists(ascending(realm) for realm in self.realms),
            "asleep": write_lists(ascending(queens) for queens in self.asleep),
            "companions": write_lists(ascending(cards) for cards in self.companions),
            "kings": "/".join(str(number) for number in self.kings),
            "knights": "/".join(self.knights),
            "deck": write_cards(self.deck),
            "discard": write_cards(self.discard),
            "fresh": str(self.fresh),
            "drawn": write_cards(ascending(self.drawn)),
            "played": self.played,
            "carried": self.carried,
            "grid": "/".join(self.grid),
        }
        return write_fields(self.variant, self.players, self.fields | changed)

    def others(self) -> list[int]:
        """Everybody but the player on turn."""
        return [player for player in range(self.players) if player != self.turn]

    def knight(self) -> str:
        """The knight of the player on turn."""
        return self.knights[self.turn]

    def cards(self, player: int) -> list[str]:
        """The main deck's cards in the realm of a player, sleeping queens with them."""
        return self.realms[player] + self.asleep[player]

    def number_cards(self) -> list[str]:
        """The number cards of the player on turn."""
        return [card for card in self.realms[self.turn] if card in NUMBERS]

    def awake_queens(self, player: int) -> list[str]:
        """The queens of a player who are awake."""
        return [card for card in self.realms[player] if card in QUEENS]

    def places(self, face: str) -> list[int]:
        """Places of the grid that are `empty`, or whose companion lies face `up` or face `down`."""
        faces = ["empty" if card == NONE else "up" if card[0] == "!" else "down" for card in self.grid]
        return [place for place, found in enumerate(faces) if found == face]

    def unseen_cards(self) -> Counter[str]:
        """The cards that are unknown in the draw pile."""
        seen = Counter(card for player in range(self.players) for card in self.cards(player))
        seen += Counter(self.deck) + Counter(self.discard) + Counter(self.drawn) + Counter([self.played])
        return DECK - seen

    def unseen_companions(self) -> list[str]:
        """The companions of whom nobody knows where they lie."""
        seen = {card.lstrip("!") for card in self.grid} | {self.carried}
        seen |= {card for cards in self.companions for card in cards}
        return [card for card in COMPANIONS if card not in seen]

    def matches(self, queen: str, companion: str) -> bool:
        """Whether the companion can go with the queen to rescue a king."""
        queens, companions = self.fields["symbols"].split("/")
        return companions[COMPANIONS.index(companion)] in ("*", queens[QUEENS.index(queen)])

    def lay_off(self, cards: Sequence[str]) -> None:
        """Cards go to the discard pile together."""
        self.discard += ascending(cards)
        self.fresh = len(cards)

    def give(self, giver: int, taker: int, card: str) -> None:
        """A card goes from one player to another, as it lies."""
        for cards in (self.realms, self.asleep, self.companions):
            if card in cards[giver]:
                cards[giver].remove(card)
                cards[taker].append(card)
                return


def ascending(cards: Sequence[str]) -> list[str]:
    """Cards in the order of the notation."""
    return sorted(cards, key=ORDER.index)


def is_equation(values: Sequence[int]) -> bool:
    """Whether one number is the sum or the product of at least two others."""
    for place, result in enumerate(values):
        others = [*values[:place], *values[place + 1 :]]
        if len(others) >= 2 and result in (sum(others), prod(others)):
            return True
    return False


def makes_equation(cards: Sequence[str], *, math_knight: bool) -> bool:
    """Whether number cards make an equation; with the knight one card may count one more or one less."""
    values = [int(card) for card in cards]
    if is_equation(values):
        return True
    if not math_knight:
        return False
    return any(
        is_equation([*values[:place], values[place] + change, *values[place + 1 :]])
        for place in range(len(values))
        for change in (1, -1)
    )


def legal(line: str) -> set[str]:
    """Every action that is allowed now; of `shuffle` and `mix` the form without an order alone."""
    table = Table(line)
    return set(LEGAL[table.phase](table))


def legal_setup(table: Table) -> list[str]:
    """Knights are given out, then the first card of the discard pile is turned up."""
    if UNKNOWN in table.knights:
        free = [knight for knight in KNIGHTS if knight not in table.knights]
        return [f"knight {knight}" for knight in free if table.players > 2 or knight != "witch"]
    top = table.deck[-1]
    if top == UNKNOWN:
        return [f"open={card}" for card in table.unseen_cards() if card not in INSTANTS]
    return [] if top in INSTANTS else ["open"]


def legal_roll(table: Table) -> list[str]:
    """Any face of the die."""
    return [f"roll {face}" for face in table.die]


def legal_wake(table: Table) -> list[str]:
    """One sleeping queen after a dragon."""
    return ["pass", *(f"wake {queen}" for queen in table.asleep[table.turn])]


def legal_draw(table: Table) -> list[str]:
    """The top card; the discard pile is shuffled if there is none."""
    if not table.deck:
        return ["shuffle"]
    if table.deck[-1] != UNKNOWN:
        return ["draw"]
    return [f"draw={card}" for card in table.unseen_cards()]


def legal_instant(table: Table) -> list[str]:
    """Any instant card that was drawn."""
    return [word for word, card in INSTANT_WORDS.items() if card in table.drawn]


def legal_fetch(table: Table) -> list[str]:
    """Any companion that lies face down; if none does, all are shuffled first. A gnome forces nobody."""
    if not table.places("down") and table.places("up"):
        return ["mix"]
    actions = ["pass"] if table.played == "WG" else []
    for place in table.places("down"):
        if table.grid[place] == UNKNOWN:
            actions += [f"fetch {place + 1}={card}" for card in table.unseen_companions()]
        else:
            actions.append(f"fetch {place + 1}")
    return actions


def legal_steal(table: Table) -> list[str]:
    """Any card of another realm, but companions and kings."""
    stolen = [f"steal {player + 1} {card}" for player in table.others() for card in table.cards(player)]
    return ["pass", *stolen]


def legal_take(table: Table) -> list[str]:
    """Any queen of the discard pile."""
    return ["pass", *(f"take {card}" for card in table.discard if card in QUEENS)]


def legal_exchange(table: Table) -> list[str]:
    """The knights of any two players."""
    pairs = combinations(range(1, table.players + 1), 2)
    return ["pass", *(f"exchange {first} {second}" for first, second in pairs)]


def legal_swap(table: Table) -> list[str]:
    """A card for a card, or a companion for a companion, but not with who is protected against witches."""
    actions = ["pass"]
    for player in table.others():
        if table.knights[player] == "witch":
            continue
        for own, theirs in (
            (table.cards(table.turn), table.cards(player)),
            (table.companions[table.turn], table.companions[player]),
        ):
            actions += [f"swap {mine} {player + 1} {card}" for mine in own for card in theirs]
    return actions


def legal_play(table: Table) -> list[str]:
    """Equations, pairs, spell books and rescues; or the end of the turn."""
    return [*equations(table), *pairs(table), *books(table), *rescues(table), *legal_discard(table)]


def equations(table: Table) -> list[str]:
    """Number cards, three at least, that make an equation, if there is a companion to be had."""
    if not table.places("up") and not table.places("down"):
        return []
    numbers = ascending(table.number_cards())
    found = {cards for size in range(3, len(numbers) + 1) for cards in combinations(numbers, size)}
    knight = table.knight() == "math"
    return [f"equation {' '.join(cards)}" for cards in found if makes_equation(cards, math_knight=knight)]


def pairs(table: Table) -> list[str]:
    """Two equal numbers, if there is a queen to wake."""
    if not table.asleep[table.turn]:
        return []
    return [f"pair {card}" for card, number in Counter(table.number_cards()).items() if number >= 2]


def books(table: Table) -> list[str]:
    """A spell book for any number card of the discard pile."""
    if "SB" not in table.realms[table.turn]:
        return []
    return [f"book {card}" for card in table.discard if card in NUMBERS]


def rescues(table: Table) -> list[str]:
    """A queen who is awake and a companion who matches her."""
    return [
        f"rescue {queen} {companion}"
        for queen in table.awake_queens(table.turn)
        for companion in table.companions[table.turn]
        if table.matches(queen, companion)
    ]


def legal_return(table: Table) -> list[str]:
    """Any empty place."""
    return [f"back {place + 1}" for place in table.places("empty")]


def legal_discard(table: Table) -> list[str]:
    """Any card of the realm; the end of the turn once few enough are left."""
    cards = table.cards(table.turn)
    most = 6 if table.knight() == "six" else 5
    return [f"discard {card}" for card in cards] + (["end"] if len(cards) <= most else [])


def legal_reroll(_: Table) -> list[str]:
    """A 1 may be rolled again."""
    return ["reroll", "keep"]


LEGAL: dict[str, Callable[[Table], list[str]]] = {
    "setup": legal_setup,
    "roll": legal_roll,
    "reroll": legal_reroll,
    "wake": legal_wake,
    "draw": legal_draw,
    "instant": legal_instant,
    "gnome": legal_roll,
    "fetch": legal_fetch,
    "steal": legal_steal,
    "take": legal_take,
    "exchange": legal_exchange,
    "swap": legal_swap,
    "play": legal_play,
    "return": legal_return,
    "discard": legal_discard,
    "over": lambda table: [],
}


def actor(line: str) -> int:
    """The player on turn, from 0; CHANCE for die, piles and shuffling, and where the game is over."""
    table = Table(line)
    mixing = table.phase == "fetch" and LEGAL["fetch"](table) == ["mix"]
    return CHANCE if mixing or table.phase in ("setup", "roll", "draw", "gnome", "over") else table.turn


def winners(line: str) -> list[int]:
    """Who has rescued enough kings."""
    table = Table(line)
    return [player for player, kings in enumerate(table.kings) if kings >= KINGS_TO_WIN[table.players]]


def after(line: str, action: str) -> str:
    """The state line after an action; RefusedError if it is not allowed."""
    table = Table(line)
    verb, *words = action.split()
    name, _, outcome = verb.partition("=")
    allowed = LEGAL[table.phase](table)
    if outcome and name in ("shuffle", "mix") and name in allowed:
        SHUFFLES[name](table, read_cards(outcome))
    elif action not in allowed and not (outcome_seen(table, action) and action.partition("=")[0] in allowed):
        raise RefusedError(action)
    elif name in SHUFFLES:
        SHUFFLES[name](table, [])
    elif name in ("open", "draw"):
        turn_up(table, outcome)
    elif name in INSTANT_WORDS:
        instant(table, INSTANT_WORDS[name])
    else:
        AFTER[name](table, *words)
    return table.line()


def outcome_seen(table: Table, action: str) -> bool:
    """Whether the action names the card that the state knows."""
    words, _, name = action.partition("=")
    if words in ("open", "draw"):
        return table.deck[-1:] == [name]
    return words.startswith("fetch ") and name == table.grid[int(words.split()[1]) - 1]


def turn_up(table: Table, outcome: str) -> None:
    """The top card begins the discard pile, or is drawn."""
    top = table.deck.pop()
    card = outcome or top
    if table.phase == "setup":
        table.lay_off([card])
        table.phase, table.turn, table.turns = "roll", 0, 1
        return
    table.drawn.append(card)
    table.draws -= 1
    if table.draws == 0 or not (table.deck or table.discard):
        table.draws = 0
        after_instants(table)


def after_instants(table: Table) -> None:
    """The next instant card; after the last one the cards drawn come to the realm."""
    if any(card in INSTANTS for card in table.drawn):
        table.phase = "instant"
        return
    table.realms[table.turn] += table.drawn
    table.drawn = []
    table.phase = "play"


def used(table: Table) -> None:
    """The instant card has had its effect."""
    table.lay_off([table.played])
    table.played = NONE
    after_instants(table)


def give_knight(table: Table, knight: str) -> None:
    """The next player gets a knight."""
    table.knights[table.knights.index(UNKNOWN)] = knight


def roll(table: Table, face: str) -> None:
    """The die shows a face, for the turn or for a gnome."""
    if face == "1" and table.knight() == "reroll":
        table.phase = "reroll"
    else:
        count_roll(table, face)


def count_roll(table: Table, face: str) -> None:
    """The face counts."""
    if table.played == "WG":
        table.phase = GNOME_POWERS[face]
    elif face == "dragon":
        table.knights = [table.knights[-1], *table.knights[:-1]]
        table.phase = "wake" if table.asleep[table.turn] else "roll"
    else:
        table.draws = int(face) + (table.knight() == "draw")
        table.phase = "draw"


def reroll(table: Table) -> None:
    """The die is rolled again."""
    table.phase = "gnome" if table.played == "WG" else "roll"


def keep(table: Table) -> None:
    """The 1 counts."""
    count_roll(table, "1")


def wake(table: Table, queen: str) -> None:
    """A queen wakes after a dragon, and the die is rolled again."""
    table.asleep[table.turn].remove(queen)
    table.realms[table.turn].append(queen)
    table.phase = "roll"


def pass_on(table: Table) -> None:
    """Nothing is done with a dragon, a gnome or a witch."""
    if table.phase == "wake":
        table.phase = "roll"
    else:
        used(table)


def instant(table: Table, card: str) -> None:
    """An instant card is played; a willow acts at once."""
    table.drawn.remove(card)
    table.played = card
    if card == "WI":
        fall_asleep(table)
        used(table)
    else:
        table.phase = {"WG": "gnome", "SW": "swap"}[card]


def fall_asleep(table: Table) -> None:
    """All queens of the first player to the left who has some awake, and no shield against willows."""
    for step in range(table.players):
        player = (table.turn + step) % table.players
        queens = table.awake_queens(player)
        if queens and table.knights[player] != "willow":
            table.asleep[player] += queens
            table.realms[player] = [card for card in table.realms[player] if card not in queens]
            return


def fetch(table: Table, words: str) -> None:
    """A companion comes from the grid, for a gnome's 1 or an equation."""
    number, _, seen = words.partition("=")
    place = int(number) - 1
    table.companions[table.turn].append(seen or table.grid[place])
    table.grid[place] = NONE
    if table.played == "WG":
        used(table)
    else:
        table.phase = "play"


def steal(table: Table, player: str, card: str) -> None:
    """A card of another realm comes to the player."""
    table.give(int(player) - 1, table.turn, card)
    used(table)


def take(table: Table, queen: str) -> None:
    """A queen comes from the discard pile."""
    table.discard.remove(queen)
    table.realms[table.turn].append(queen)
    used(table)


def exchange(table: Table, first: str, second: str) -> None:
    """Two knights change places."""
    one, other = int(first) - 1, int(second) - 1
    table.knights[one], table.knights[other] = table.knights[other], table.knights[one]
    used(table)


def swap(table: Table, mine: str, player: str, theirs: str) -> None:
    """Two cards change hands; a queen stays asleep or awake."""
    other = int(player) - 1
    if mine != theirs:
        table.give(table.turn, other, mine)
        table.give(other, table.turn, theirs)
    used(table)


def equation(table: Table, *cards: str) -> None:
    """The cards go, and a companion may be fetched."""
    for card in cards:
        table.realms[table.turn].remove(card)
    table.lay_off(cards)
    table.phase = "fetch"


def pair(table: Table, card: str) -> None:
    """Two cards go, and all own queens wake."""
    for _ in range(2):
        table.realms[table.turn].remove(card)
    table.lay_off([card, card])
    table.realms[table.turn] += table.asleep[table.turn]
    table.asleep[table.turn] = []


def book(table: Table, card: str) -> None:
    """A number card comes from the discard pile, its newest copy, and the spell book goes there."""
    newest = max(place for place, found in enumerate(table.discard) if found == card)
    del table.discard[newest]
    table.realms[table.turn].append(card)
    table.realms[table.turn].remove("SB")
    table.lay_off(["SB"])


def rescue(table: Table, queen: str, companion: str) -> None:
    """The queen goes to the discard pile, her companion is to be laid back."""
    table.realms[table.turn].remove(queen)
    table.companions[table.turn].remove(companion)
    table.lay_off([queen])
    table.carried = companion
    table.phase = "return"


def back(table: Table, place: str) -> None:
    """The companion lies in the grid again, and a king is rescued."""
    table.grid[int(place) - 1] = "!" + table.carried
    table.carried = NONE
    table.kings[table.turn] += 1
    table.phase = "over" if table.kings[table.turn] >= KINGS_TO_WIN[table.players] else "play"


def discard(table: Table, card: str) -> None:
    """A card goes at the end of a turn, with all others of this end."""
    earlier = table.fresh if table.phase == "discard" else 0
    (table.realms if card in table.realms[table.turn] else table.asleep)[table.turn].remove(card)
    table.lay_off([card])
    table.fresh += earlier
    table.phase = "discard"


def end(table: Table) -> None:
    """The next player is on turn."""
    table.turn = (table.turn + 1) % table.players
    table.turns += 1
    table.phase = "roll"


def shuffle(table: Table, order: list[str]) -> None:
    """The discard pile becomes the draw pile."""
    if order and Counter(order) != Counter(table.discard):
        raise RefusedError("not the cards of the pile")
    table.deck = order or [UNKNOWN] * len(table.discard)
    table.discard, table.fresh = [], 0


def mix(table: Table, order: list[str]) -> None:
    """All companions of the grid are turned face down and shuffled."""
    places = table.places("up")
    if order and Counter(order) != Counter(table.grid[place][1:] for place in places):
        raise RefusedError("not the companions of the grid")
    for place, card in zip(places, order or [UNKNOWN] * len(places), strict=True):
        table.grid[place] = card


SHUFFLES: dict[str, Callable[[Table, list[str]], None]] = {"shuffle": shuffle, "mix": mix}

AFTER: dict[str, Callable[..., None]] = {
    "knight": give_knight,
    "roll": roll,
    "reroll": reroll,
    "keep": keep,
    "wake": wake,
    "pass": pass_on,
    "fetch": fetch,
    "steal": steal,
    "take": take,
    "exchange": exchange,
    "swap": swap,
    "equation": equation,
    "pair": pair,
    "book": book,
    "rescue": rescue,
    "back": back,
    "discard": discard,
    "end": end,
}
