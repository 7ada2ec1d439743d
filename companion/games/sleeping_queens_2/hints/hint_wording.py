"""Hints in sentences a child understands. All that is said follows from what lies open."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

from companion.core.language import listed
from companion.games.hint_words import COMPARED, Sentence, compared, odds
from companion.games.sleeping_queens_2.hints.options import Option
from companion.games.sleeping_queens_2.hints.player_knowledge import face_down, fitting_share, undrawn
from companion.games.sleeping_queens_2.queens_2_cards import KNIGHT_POWERS
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Book,
    Discard,
    Equation,
    Exchange,
    Fetch,
    Instant,
    Keep,
    Pair,
    Pass,
    PutBack,
    Reroll,
    Rescue,
    Steal,
    Swap,
    Take,
    Wake,
)
from companion.games.sleeping_queens_2.rules.equations import equations
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    COMPANIONS,
    GNOME,
    INSTANTS,
    NUMBERS,
    QUEENS,
    WILLOW,
    WITCH,
    Knight,
    kings_to_win,
)
from companion.games.sleeping_queens_2.rules.legal_actions import has_knight
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State
from companion.games.sleeping_queens_2.wording import card_name
from companion.games.table_words import catalogue

HINTS = {
    "reroll": "Roll again: a 1 brings one card only.",
    "keep": "Keep the 1: you draw one card.",
    "gnome reroll": "Roll again: the gnome may do something better.",
    "gnome keep": "Keep the 1: the gnome brings a companion.",
    "wake": "Wake {card}{because}.",
    "sleep on": "Wake nobody.",
    "willow": "Play the sleeping willow now: {asleep}.",
    "gnome": "Play the wild gnome now: the die says what it does.",
    "witch": "Play the switch witch now: you may swap a card with another player.",
    "fetch": "Take a companion, such as the one on place {place}: {find}.",
    "no companion": "Take no companion.",
    "steal": "Take {card} from player {victim}{because}.",
    "steal nothing": "Take nothing.",
    "take": "Take {card} from the discard pile{because}.",
    "take nobody": "Take no queen.",
    "own knight": "Swap your knight for the {colour} one of player {victim}: {does}.",
    "knights": "Swap the knights of players {first} and {second}.",
    "no knights": "Swap no knights.",
    "swap": "Swap your {own} for {card} of player {victim}{because}.",
    "no swap": "Swap nothing.",
    "equation": "Make the equation {sum} and take a companion: {find}.",
    "pair": "Lay down your two {number}s and wake {queens}{because}.",
    "book": "Use a spell book and take the {number} from the discard pile{because}.",
    "rescue": "Rescue a king with {queen} and {companion}{wins}.",
    "back": "Lay {companion} face up on any empty place, such as place {place}.",
    "discard": "Discard {card}{because}.",
    "end": "End your turn: you may keep all your cards.",
}
"""A sentence for every choice; {because} and {wins} may be empty."""

_QUESTIONS = {
    "reroll": "Is one card enough for you?",
    "keep": "Is one card enough for you?",
    "gnome reroll": "Do you need a companion, or something else more?",
    "gnome keep": "Do you need a companion, or something else more?",
    "wake": "Which of your queens do you need first?",
    "sleep on": "Which of your queens do you need first?",
    "willow": "Do you have queens awake now, and later?",
    "gnome": "Which of these cards should come first?",
    "witch": "Which of these cards should come first?",
    "fetch": "Does it matter which of them you take?",
    "no companion": "Do you need a companion?",
    "steal": "Whose card would help you most, or help another player most?",
    "steal nothing": "Does anybody have what you need?",
    "take": "Which queen fits a companion of yours?",
    "take nobody": "Do you have room for another queen?",
    "own knight": "Which knight would help you most?",
    "knights": "Which knight helps another player too much?",
    "no knights": "Do you like your knight?",
    "swap": "Which of your cards helps you least, and who has a better one?",
    "no swap": "Is any swap worth it?",
    "equation": "Can you make an equation of your numbers?",
    "pair": "Do two of your numbers look alike?",
    "book": "Which number of the discard pile would help you?",
    "rescue": "Does any of your queens fit a companion?",
    "back": "Does it matter where it lies?",
    "discard": "Which card helps you least?",
    "end": "Is there anything left that helps you now?",
}
"""A nudge for every choice: a direction, never the move."""

_RULES = {
    Phase.REROLL: "Your knight lets you roll a 1 again.",
    Phase.WAKE: "The dragon lets you wake one of your queens. Then roll again.",
    Phase.INSTANT: "Gnomes, witches and willows are played at once, in any order you like.",
    Phase.FETCH: "Take any companion that lies face down.",
    Phase.STEAL: "Take a card of another player, but no companion and no king.",
    Phase.TAKE: "Take a queen from the discard pile.",
    Phase.EXCHANGE: "Any two knights may change places.",
    Phase.SWAP: "Swap one of your cards for one of another player, a companion only for a companion.",
    Phase.PLAY: "Make equations, wake your queens with a pair, use spell books, rescue kings. Then discard.",
    Phase.RETURN: "The companion goes back to the middle, face up.",
    Phase.DISCARD: "Keep five cards, six with the knight for it. Companions and kings do not count.",
}

REMEMBERED = {
    "asleep": "Player {player} has {queens} asleep.",
    "face down": "Face down in the middle: {cards}.",
    "draw pile": "In the draw pile: {cards}.",
}
"""What lies covered, by id."""
SENTENCES = catalogue(
    hint=HINTS,
    question=_QUESTIONS,
    rule={phase.name.lower(): text for phase, text in _RULES.items()},
    memory=REMEMBERED,
    compared=COMPARED,
)
"""Every sentence of a hint."""


def rule(known: State) -> str:
    """What may be done now, by the rulebook."""
    return _RULES[known.phase]


def question(why: str) -> str:
    """A nudge towards a choice."""
    return _QUESTIONS[why]


def _name(known: State, kind: int) -> str:
    return card_name(kind, known.parts)


def _the(known: State, kind: int) -> str:
    """A card in words, with its article where it has no name."""
    if kind in QUEENS or kind in COMPANIONS:
        return _name(known, kind)
    return f"{'the' if kind in NUMBERS else 'a'} {_name(known, kind)}"


def remembered(known: State) -> Iterator[str]:
    """What lies covered, and what draw pile and face-down companions must hold."""
    for player, queens in enumerate(known.asleep):
        if queens:
            names = listed([_name(known, kind) for kind in queens])
            yield REMEMBERED["asleep"].format(player=player + 1, queens=names)
    hidden = face_down(known)
    if hidden:
        yield REMEMBERED["face down"].format(cards=listed([_name(known, kind) for kind in hidden]))
    left = undrawn(known)
    unseen = [_name(known, kind) for kind in sorted(left) if kind in QUEENS]
    counted = [(left[kind], _name(known, kind)) for kind in (BOOK, *INSTANTS)]
    counted.append((sum(left[kind] for kind in NUMBERS), "number"))
    others = [f"{number} {name}{'' if number == 1 else 's'}" for number, name in counted if number]
    if unseen or others:
        yield REMEMBERED["draw pile"].format(cards=listed([*others, *unseen]))


def sentences(known: State, found: Sequence[Option]) -> Iterator[Sentence]:
    """The choices of one decision, best first; the first with its reason, the others held against it."""
    for option in found:
        why, of = _words(known, option.action)
        text = HINTS[why].format(**of)
        if option is not found[0]:
            text = compared(text, found[0].worth - option.worth)
        yield Sentence(text, why)


def _words(known: State, action: Action) -> tuple[str, dict[str, str]]:
    """The id of a choice's sentence and what goes into it."""
    match action:
        case Reroll():
            return ("gnome reroll" if known.played else "reroll"), {}
        case Keep():
            return ("gnome keep" if known.played else "keep"), {}
        case Pass():
            return _PASSED[known.phase], {}
        case Instant(kind):
            return _INSTANTS[kind], {"asleep": _falling_asleep(known)}
        case Fetch(cell):
            return "fetch", {"place": str(cell + 1), "find": _finding(known)}
        case Exchange(first, second):
            return _exchanged(known, first, second)
        case PutBack(cell):
            return "back", {"companion": _name(known, known.carried), "place": str(cell + 1)}
    return _play(known, action)


_PASSED = {
    Phase.WAKE: "sleep on",
    Phase.FETCH: "no companion",
    Phase.STEAL: "steal nothing",
    Phase.TAKE: "take nobody",
    Phase.EXCHANGE: "no knights",
    Phase.SWAP: "no swap",
}
_INSTANTS = {GNOME: "gnome", WITCH: "witch", WILLOW: "willow"}


def _play(known: State, action: Action) -> tuple[str, dict[str, str]]:
    match action:
        case Wake(queen) | Take(queen):
            of = {"card": _name(known, queen), "because": _because(known, queen)}
            return ("wake" if isinstance(action, Wake) else "take"), of
        case Steal(victim, kind):
            because = _because(known, kind) or _harm(known, victim, kind)
            return "steal", {"card": _the(known, kind), "victim": str(victim + 1), "because": because}
        case Swap(own, victim, kind):
            because = _because(known, kind, own) or _harm(known, victim, kind)
            of = {"own": _name(known, own), "card": _the(known, kind), "victim": str(victim + 1)}
            return "swap", {**of, "because": because}
        case Equation(cards):
            math = has_knight(known, known.turn, Knight.MATH)
            return "equation", {"sum": sum_text(cards, math), "find": _finding(known)}
        case Pair(number):
            return "pair", _waking(known, number)
        case Book(number):
            return "book", {"number": str(number), "because": _because(known, number)}
        case Rescue(queen, companion):
            last = known.kings[known.turn] + 1 >= kings_to_win(known.players)
            of = {"queen": _name(known, queen), "companion": _name(known, companion)}
            return "rescue", {**of, "wins": ", and you win" if last else ""}
        case Discard(kind):
            return "discard", {"card": _the(known, kind), "because": _keeping(known, kind)}
    return "end", {}


def _falling_asleep(known: State) -> str:
    """Whose queens a willow puts to sleep now."""
    for seat in range(known.players):
        player = (known.turn + seat) % known.players
        awake = [card for card in known.realms[player] if card in QUEENS]
        if awake and not has_knight(known, player, Knight.WILLOW):
            return f"{f'the queens of player {player + 1}' if seat else 'your queens'} fall asleep"
    return "no queen falls asleep"


def _finding(known: State) -> str:
    """How likely a companion that is fetched fits a queen who has none yet."""
    share = fitting_share(known, known.turn)
    if share is None:
        return "it waits for a queen"
    return f"it fits a queen of yours {odds(share)}"


def _exchanged(known: State, first: int, second: int) -> tuple[str, dict[str, str]]:
    if known.turn not in (first, second):
        return "knights", {"first": str(first + 1), "second": str(second + 1)}
    other = second if known.turn == first else first
    knight = Knight(known.knights[other])
    does = KNIGHT_POWERS[knight]
    return "own knight", {"colour": known.parts.colours[knight], "victim": str(other + 1), "does": does}


def _because(known: State, kind: int, given: int | None = None) -> str:
    """What a card that is won does for the player at once, `given` being gone; empty if nothing."""
    player = known.turn
    own = [card for card in (*known.realms[player], *known.asleep[player]) if card != kind]
    companions = list(known.companions[player])
    for pile in (own, companions):
        if given in pile:
            pile.remove(given)
    if kind in QUEENS:
        fitting = [card for card in companions if known.parts.fits(kind, card)]
        return f"; she fits your {_name(known, fitting[0])}" if fitting else ""
    if kind in COMPANIONS:
        queens = [card for card in own if card in QUEENS and known.parts.fits(card, kind)]
        return f"; it fits your {_name(known, queens[0])}" if queens else ""
    return _because_of_number(known, kind, given)


def _because_of_number(known: State, kind: int, given: int | None) -> str:
    player = known.turn
    numbers = [card for card in known.realms[player] if card in NUMBERS]
    if given in numbers:
        numbers.remove(given)
    asleep = [queen for queen in known.asleep[player] if queen != given]
    if kind not in NUMBERS:
        return ""
    if asleep and kind in numbers:
        return f"; two {kind}s wake your queens"
    math = has_knight(known, player, Knight.MATH)
    made = [cards for cards in equations(tuple(sorted((*numbers, kind))), math) if kind in cards]
    return f"; {sum_text(min(made, key=len), math)} is an equation" if made else ""


def _harm(known: State, victim: int, kind: int) -> str:
    """What the other player loses with a card; empty if nothing that shows."""
    if kind not in QUEENS and kind not in COMPANIONS:
        return ""
    queens = [card for card in (*known.realms[victim], *known.asleep[victim]) if card in QUEENS]
    fits = known.parts.fits
    if kind in QUEENS:
        partners = [card for card in known.companions[victim] if fits(kind, card)]
    else:
        partners = [card for card in queens if fits(card, kind)]
    kings, wanted = known.kings[victim], kings_to_win(known.players)
    if not partners:
        return ""
    return f"; player {victim + 1}, who has {kings} of {wanted} kings, has {_name(known, partners[0])} for it"


def _waking(known: State, number: int) -> dict[str, str]:
    asleep, companions = known.asleep[known.turn], known.companions[known.turn]
    fitting = next(
        ((queen, card) for queen in asleep for card in companions if known.parts.fits(queen, card)), None
    )
    because = f"; {_name(known, fitting[0])} fits your {_name(known, fitting[1])}" if fitting else ""
    queens = "your queen" if len(asleep) == 1 else f"your {len(asleep)} queens"
    return {"number": str(number), "queens": queens, "because": because}


def _keeping(known: State, kind: int) -> str:
    """What goes together among the cards that are kept."""
    kept = list(known.realms[known.turn])
    if kind in kept:
        kept.remove(kind)
    numbers = tuple(card for card in kept if card in NUMBERS)
    math = has_knight(known, known.turn, Knight.MATH)
    if made := equations(numbers, math):
        return f"; keep {sum_text(min(made, key=len), math)}"
    pairs = [number for number, copies in Counter(numbers).items() if copies > 1]
    if pairs and known.asleep[known.turn]:
        return f"; keep your two {pairs[0]}s to wake queens"
    return "; keep your spell book for later" if BOOK in kept else ""


def sum_text(cards: Cards, knight: bool) -> str:
    """An equation, ascending, as it is written; with what the knight of plus or minus one does."""
    others, result = cards[:-1], cards[-1]
    if sum(others) == result:
        return f"{' + '.join(map(str, others))} = {result}"
    if prod(others) == result:
        return f"{' x '.join(map(str, others))} = {result}"
    assert knight, "only a knight makes an equation of other cards"
    sign = " + " if abs(sum(others) - result) == 1 else " x "
    return f"{sign.join(map(str, others))} = {result} with your knight's 1"
