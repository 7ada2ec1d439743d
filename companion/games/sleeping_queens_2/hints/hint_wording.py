"""Sentences of hints, which a child understands.

They depend only on open cards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import prod

from companion.core.language import Text, listed, player, plural, text
from companion.core.language import sentences as one_after_another
from companion.games.hint_words import WINS, Often, Sentence, compared
from companion.games.number_words import numbers as numbers_words
from companion.games.number_words import the_number
from companion.games.sleeping_queens_2 import terms
from companion.games.sleeping_queens_2.hints.options import Option
from companion.games.sleeping_queens_2.hints.player_knowledge import face_down, fitting_share, undrawn
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
from companion.games.sleeping_queens_2.rules.apply import apply
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
from companion.games.sleeping_queens_2.rules.legal_actions import has_knight, legal_actions
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State

HINTS = {
    "reroll": text("Roll again: a 1 brings one card only."),
    "keep": text("Keep the 1: you draw one card."),
    "gnome reroll": text("Roll again: the gnome may do something better."),
    "gnome keep": text("Keep the 1: the gnome brings a companion."),
    "wake": text("Wake {card}."),
    "sleep on": text("Wake nobody."),
    "willow": text("Play the sleeping willow now."),
    "gnome": text("Play the wild gnome now: the die says what it does."),
    "witch": text("Play the switch witch now: you may swap a card with another player."),
    "witch for nothing": text("Play the switch witch now, as you must: there is nothing to swap."),
    "fetch": text("Take a companion, such as the one on place {place}."),
    "no companion": text("Take no companion."),
    "steal": text("Take {card} from {who}."),
    "steal nothing": text("Take nothing."),
    "take": text("Take {card} from the discard pile."),
    "take nobody": text("Take no queen."),
    "own knight": text("Swap your knight for the {colour} one of {who}: {does}."),
    "knights": text("Swap the knights of {first} and {second}."),
    "no knights": text("Swap no knights."),
    "swap": text("Swap {own} for {card} of {who}."),
    "no swap": text("Swap nothing."),
    "equation": text("Make the equation {sum} and take a companion."),
    "pair": plural(
        "Lay down your two {numbers} and wake your queen.",
        "Lay down your two {numbers} and wake your {n} queens.",
    ),
    "book": text("Use a spell book and take {number} from the discard pile."),
    "rescue": text("Rescue a king with {queen} and {companion}."),
    "back": text("Lay {companion} face up on any empty place, such as place {place}."),
    "discard": text("Put away {card}."),
    "end": text("End your turn: you may keep all your cards."),
}
"""Id of a choice, e.g. "reroll" -> the sentence that recommends it."""
_FITS = Often(
    text("It fits a queen of yours for sure."),
    text("It nearly always fits a queen of yours."),
    plural(
        "It fits a queen of yours about {n} time out of {whole}.",
        "It fits a queen of yours about {n} times out of {whole}.",
    ),
    text("It hardly ever fits a queen of yours."),
    text("It fits no queen of yours."),
)
"""Sentences on how often a companion taken from the grid fits a queen who has none."""
_REASONS: Mapping[str, Text] = {
    "waits": text("It waits for a queen."),
    "yours asleep": text("Your queens fall asleep."),
    "theirs asleep": text("The queens of {who} fall asleep."),
    "none asleep": text("No queen falls asleep."),
    "she fits": text("She fits {companion} of yours."),
    "it fits": text("It fits {queen} of yours."),
    "pair": text("Two {numbers} wake your queens."),
    "equation": text("That makes an equation: {sum}."),
    "harm": text("{Who}, who has {kings} of {wanted} kings, has {card} for it."),
    "woken fits": text("{Queen} fits {companion}."),
    "keep equation": text("Keep an equation: {sum}."),
    "keep pair": text("Keep your two {numbers} to wake queens."),
    "keep book": text("Keep your spell book for later."),
}
"""Id -> a sentence why the best choice is good."""
_WITH_KNIGHT = text("{sum} with your knight's 1")

_QUESTIONS = {
    "reroll": text("Is one card enough for you?"),
    "keep": text("Is one card enough for you?"),
    "gnome reroll": text("Do you need a companion, or something else more?"),
    "gnome keep": text("Do you need a companion, or something else more?"),
    "wake": text("Which of your queens do you need first?"),
    "sleep on": text("Which of your queens do you need first?"),
    "willow": text("Will the willow hurt you more now or later?"),
    "gnome": text("Which of these cards should come first?"),
    "witch": text("Which of these cards should come first?"),
    "witch for nothing": text("Which of these cards should come first?"),
    "fetch": text("Does it matter which of them you take?"),
    "no companion": text("Do you need a companion?"),
    "steal": text("Whose card would help you most, or help another player most?"),
    "steal nothing": text("Does anybody have what you need?"),
    "take": text("Which queen fits a companion of yours?"),
    "take nobody": text("Do you have room for another queen?"),
    "own knight": text("Which knight would help you most?"),
    "knights": text("Which knight helps another player too much?"),
    "no knights": text("Do you like your knight?"),
    "swap": text("Which of your cards helps you least, and who has a better one?"),
    "no swap": text("Is any swap worth it?"),
    "equation": text("Can you make an equation of your numbers?"),
    "pair": text("Do two of your numbers look alike?"),
    "book": text("Which number of the discard pile would help you?"),
    "rescue": text("Does any of your queens fit a companion?"),
    "back": text("Does it matter where it lies?"),
    "discard": text("Which card helps you least?"),
    "end": text("Is there anything left that helps you now?"),
}
"""Id of a choice -> a question that points to it without naming the move."""

_RULES = {
    Phase.REROLL: text("You rolled a 1. Your knight lets you roll again."),
    Phase.WAKE: text("The dragon lets you wake one of your queens. Then roll again."),
    Phase.INSTANT: text("Gnomes, witches and willows are played at once, in any order you like."),
    Phase.FETCH: text("Take any companion that lies face down."),
    Phase.STEAL: text("Take a card of another player, but no companion and no king."),
    Phase.TAKE: text("Take a queen from the discard pile."),
    Phase.EXCHANGE: text("Any two knights may change places."),
    Phase.SWAP: text("Swap one of your cards for one of another player, a companion only for a companion."),
    Phase.PLAY: text("Make equations, wake queens with a pair, use spell books, rescue kings. Then discard."),
    Phase.RETURN: text("The companion goes back to the middle, face up."),
    Phase.DISCARD: text("Keep five cards, six with the knight for it. Companions and kings do not count."),
}

REMEMBERED = {
    "asleep": plural("{Who} has {queens} asleep.", "{Who} has {queens} asleep."),
    "face down": text("Face down in the middle: {cards}."),
    "draw pile": text("In the draw pile: {cards}."),
}
"""Id -> a sentence on cards that lie covered."""


def rule(known: State) -> Text:
    """Sentence on the rule that applies in the state's phase."""
    return _RULES[known.phase]


def question(why: str) -> Text:
    """The question that points to a choice without naming it.

    `why`: id of the choice's sentence in HINTS.
    """
    return _QUESTIONS[why]


def _name(known: State, kind: int) -> str:
    return terms.card(kind, known.parts)


def _one(known: State, kind: int) -> Text:
    return terms.one(kind, known.parts)


def _chosen(known: State, kind: int) -> Text:
    return terms.one_to_choose(kind, known.parts)


def _who(seat: int) -> Text:
    return player(seat + 1, within=True)


def remembered(known: State) -> Iterator[Text]:
    """Sentences about what lies covered.

    These are sleeping queens, the draw pile's cards, and face-down companions. `known`: the state as players
    know it.
    """
    for seat, queens in enumerate(known.asleep):
        if queens:
            names = listed([_name(known, kind) for kind in queens])
            yield REMEMBERED["asleep"].of(who=_who(seat), queens=names, n=len(queens))
    hidden = face_down(known)
    if hidden:
        yield REMEMBERED["face down"].of(cards=listed([_name(known, kind) for kind in hidden]))
    left = undrawn(known)
    unseen = [_name(known, kind) for kind in sorted(left) if kind in QUEENS]
    others: list[str] = [terms.counted(kind, left[kind]) for kind in (BOOK, *INSTANTS) if left[kind]]
    if numbers := sum(left[kind] for kind in NUMBERS):
        others.append(plural("{n} number", "{n} numbers", n=numbers))
    if unseen or others:
        yield REMEMBERED["draw pile"].of(cards=listed([*others, *unseen]))


def sentences(known: State, found: Sequence[Option]) -> Iterator[Sentence]:
    """A hint's sentence for each choice, in their order.

    `found`: choices, best first. The first sentence gives the reason; the others compare their choice with the
    first. `known`: the state as players know it.
    """
    for option in found:
        why, choice, reasons = _words(known, option.action)
        if option is found[0]:
            yield Sentence(one_after_another([choice, *filter(None, reasons)]), why)
        else:
            yield Sentence(compared(choice, found[0].worth - option.worth), why)


Words = tuple[str, Text, Sequence[str]]
"""(id of a choice's sentences, sentence about the choice, reasons for the choice). A reason may be ""."""


def _said(why: str, *reasons: str, **of: object) -> Words:
    return why, HINTS[why].of(**of), reasons


def _words(known: State, action: Action) -> Words:
    match action:
        case Reroll():
            return _said("gnome reroll" if known.played else "reroll")
        case Keep():
            return _said("gnome keep" if known.played else "keep")
        case Pass():
            return _said(_PASSED[known.phase])
        case Instant(kind):
            if kind == WITCH and not any(isinstance(one, Swap) for one in legal_actions(apply(known, action))):
                return _said("witch for nothing")
            return _said(_INSTANTS[kind], _falling_asleep(known) if kind == WILLOW else "")
        case Fetch(cell):
            return _said("fetch", _finding(known), place=cell + 1)
        case Exchange(first, second):
            return _exchanged(known, first, second)
        case PutBack(cell):
            return _said("back", companion=_one(known, known.carried), place=cell + 1)
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


def _play(known: State, action: Action) -> Words:
    match action:
        case Wake(queen) | Take(queen):
            why = "wake" if isinstance(action, Wake) else "take"
            return _said(why, _because(known, queen), card=_chosen(known, queen))
        case Steal(victim, kind):
            because = _because(known, kind) or _harm(known, victim, kind)
            return _said("steal", because, card=_chosen(known, kind), who=_who(victim))
        case Swap(own, victim, kind):
            because = _because(known, kind, own) or _harm(known, victim, kind)
            given, won = _chosen(known, own), _chosen(known, kind)
            return _said("swap", because, own=given, card=won, who=_who(victim))
        case Equation(cards):
            math = has_knight(known, known.turn, Knight.MATH)
            return _said("equation", _finding(known), sum=sum_text(cards, math))
        case Pair(number):
            return _said("pair", _waking(known), numbers=numbers_words(number), n=len(known.asleep[known.turn]))
        case Book(number):
            return _said("book", _because(known, number), number=the_number(number))
        case Rescue(queen, companion):
            last = known.kings[known.turn] + 1 >= kings_to_win(known.players)
            wins = WINS.sure if last else ""
            return _said("rescue", wins, queen=_one(known, queen), companion=_one(known, companion))
        case Discard(kind):
            return _said("discard", _keeping(known, kind), card=_one(known, kind))
    return _said("end")


def _falling_asleep(known: State) -> Text:
    """Sentence on the player whose queens a willow would lull."""
    for seat in range(known.players):
        asleep = (known.turn + seat) % known.players
        awake = [card for card in known.realms[asleep] if card in QUEENS]
        if awake and not has_knight(known, asleep, Knight.WILLOW):
            return _REASONS["theirs asleep"].of(who=_who(asleep)) if seat else _REASONS["yours asleep"]
    return _REASONS["none asleep"]


def _finding(known: State) -> str:
    share = fitting_share(known, known.turn)
    return _REASONS["waits"] if share is None else _FITS.of(share)


def _exchanged(known: State, first: int, second: int) -> Words:
    if known.turn not in (first, second):
        return _said("knights", first=_who(first), second=_who(second))
    other = second if known.turn == first else first
    knight = Knight(known.knights[other])
    colour = terms.colour(knight, known.parts)
    return _said("own knight", colour=colour, who=_who(other), does=terms.POWERS[knight])


def _because(known: State, kind: int, given: int | None = None) -> str:
    """How a gained card helps the player at once, in words. "" if it does not.

    `kind`: that card. `given`: card that the player loses in return; None: none.
    """
    asking = known.turn
    own = [card for card in (*known.realms[asking], *known.asleep[asking]) if card != kind]
    companions = list(known.companions[asking])
    for pile in (own, companions):
        if given in pile:
            pile.remove(given)
    if kind in QUEENS:
        fitting = [card for card in companions if known.parts.fits(kind, card)]
        return _REASONS["she fits"].of(companion=_one(known, fitting[0])) if fitting else ""
    if kind in COMPANIONS:
        queens = [card for card in own if card in QUEENS and known.parts.fits(card, kind)]
        return _REASONS["it fits"].of(queen=_one(known, queens[0])) if queens else ""
    return _because_of_number(known, kind, given)


def _because_of_number(known: State, kind: int, given: int | None) -> str:
    asking = known.turn
    numbers = [card for card in known.realms[asking] if card in NUMBERS]
    if given in numbers:
        numbers.remove(given)
    asleep = [queen for queen in known.asleep[asking] if queen != given]
    if kind not in NUMBERS:
        return ""
    if asleep and kind in numbers:
        return _REASONS["pair"].of(numbers=numbers_words(kind))
    math = has_knight(known, asking, Knight.MATH)
    made = [cards for cards in equations(tuple(sorted((*numbers, kind))), math) if kind in cards]
    return _REASONS["equation"].of(sum=sum_text(min(made, key=len), math)) if made else ""


def _harm(known: State, victim: int, kind: int) -> str:
    """What a player loses with a card, in words. "" for nothing that can be seen.

    `victim`: the player (from 0). `kind`: the card.
    """
    if kind not in QUEENS and kind not in COMPANIONS:
        return ""
    queens = [card for card in (*known.realms[victim], *known.asleep[victim]) if card in QUEENS]
    fits = known.parts.fits
    if kind in QUEENS:
        partners = [card for card in known.companions[victim] if fits(kind, card)]
    else:
        partners = [card for card in queens if fits(card, kind)]
    if not partners:
        return ""
    return _REASONS["harm"].of(
        who=_who(victim),
        kings=known.kings[victim],
        wanted=kings_to_win(known.players),
        card=_one(known, partners[0]),
    )


def _waking(known: State) -> str:
    asleep, companions = known.asleep[known.turn], known.companions[known.turn]
    pairs = ((queen, card) for queen in asleep for card in companions if known.parts.fits(queen, card))
    for queen, companion in pairs:
        return _REASONS["woken fits"].of(queen=_one(known, queen), companion=_one(known, companion))
    return ""


def _keeping(known: State, kind: int) -> str:
    """What the player keeps by discarding `kind` and no other card, in words.

    That is an equation, a pair or a spell book. "" for none.
    """
    kept = list(known.realms[known.turn])
    if kind in kept:
        kept.remove(kind)
    numbers = tuple(card for card in kept if card in NUMBERS)
    math = has_knight(known, known.turn, Knight.MATH)
    if made := equations(numbers, math):
        return _REASONS["keep equation"].of(sum=sum_text(min(made, key=len), math))
    pairs = [number for number, copies in Counter(numbers).items() if copies > 1]
    if pairs and known.asleep[known.turn]:
        return _REASONS["keep pair"].of(numbers=numbers_words(pairs[0]))
    return _REASONS["keep book"] if BOOK in kept else ""


def sum_text(cards: Cards, knight: bool) -> str:
    """An equation in writing, e.g. "2 + 3 = 5".

    `cards`: its numbers, ascending.

    `knight`: the knight of plus or minus one may change a card by 1; the text shows the change.
    """
    others, result = cards[:-1], cards[-1]
    if sum(others) == result:
        return f"{' + '.join(map(str, others))} = {result}"
    if prod(others) == result:
        return f"{' x '.join(map(str, others))} = {result}"
    assert knight, "only a knight makes an equation of other cards"
    sign = " + " if abs(sum(others) - result) == 1 else " x "
    return _WITH_KNIGHT.of(sum=f"{sign.join(map(str, others))} = {result}")
