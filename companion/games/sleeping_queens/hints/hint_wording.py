"""Sentences of hints, which a child understands.

They depend only on the player's knowledge.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.core.language import Text, listed, player, plural, text
from companion.core.language import sentences as one_after_another
from companion.games.hint_words import WINS, Often, Sentence, compared
from companion.games.number_words import numbers
from companion.games.sleeping_queens import terms
from companion.games.sleeping_queens.hints.options import Option
from companion.games.sleeping_queens.hints.player_knowledge import strangers, unseen
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    Discard,
    Power,
    PutToSleep,
    Target,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.apply import apply
from companion.games.sleeping_queens.rules.equations import discards
from companion.games.sleeping_queens.rules.game_end import points, winners, wins_with
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    DRAGON,
    ENEMY,
    JESTER,
    KIND_TEXT,
    KING,
    KNIGHT,
    NUMBERS,
    POINTS,
    POTION,
    UNKNOWN,
    WAND,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker, useful
from companion.games.sleeping_queens.rules.state import Phase, State

HINTS: Mapping[str, Text] = {
    "king known": text("Play your king and wake the {queen} queen on place {place}: {points} points."),
    "king": text("Play your king and wake a queen nobody has seen: about {mean} points on average."),
    "knight": text("Play your knight and take the {queen} queen from {who}."),
    "potion": text("Play your sleeping potion on the {queen} queen of {who}."),
    "jester": text("Play your jester."),
    "single": text("Put away {card} and draw a new card."),
    "pair": text("Put away your two {numbers} and draw two cards."),
    "equation 3": text("Put away {sum} and draw three cards."),
    "equation 4": text("Put away {sum} and draw four cards."),
    "equation 5": text("Put away {sum} and draw five cards."),
    "wake known": text("Wake the {queen} queen on place {place}: {points} points."),
    "wake": text("Wake a queen nobody has seen, such as on place {place}: about {mean} points on average."),
    "quarrel": text(
        "Turn up the {queen} queen on place {place}: she sleeps on, as the {enemy} queen is yours."
    ),
    "take": text("Take the {queen} queen from {who}."),
    "bewitch": text("Put the {queen} queen of {who} to sleep."),
    "sleep": text("Lay the {queen} queen on any empty place: everybody sees where she goes."),
    "defend dragon": text("Lay down your dragon: you keep the {queen} queen, {points} points."),
    "defend wand": text("Lay down your wand: you keep the {queen} queen, {points} points."),
    "let go dragon": text("Let the {queen} queen go and keep your dragon for later."),
    "let go wand": text("Let the {queen} queen go and keep your wand for later."),
    "helpless dragon": text("You have no dragon: let the {queen} queen go."),
    "helpless wand": text("You have no wand: let the {queen} queen go."),
}
"""Id of a choice, e.g. "king known" -> the sentence that recommends it."""
_STOPPED = {
    DRAGON: Often(
        text("{Who} has a dragon."),
        text("A dragon nearly always stops you."),
        plural(
            "A dragon stops you about {n} time out of {whole}.",
            "A dragon stops you about {n} times out of {whole}.",
        ),
        text("A dragon hardly ever stops you."),
        text("{Who} has no dragon."),
    ),
    WAND: Often(
        text("{Who} has a wand."),
        text("A wand nearly always stops you."),
        plural(
            "A wand stops you about {n} time out of {whole}.",
            "A wand stops you about {n} times out of {whole}.",
        ),
        text("A wand hardly ever stops you."),
        text("{Who} has no wand."),
    ),
}
"""Card that stops an attack -> sentences on how likely the attacked player has it."""
_KEEPS = Often(
    text("It turns up a power card for sure, which you keep: play again."),
    text("It nearly always turns up a power card, which you keep: play again."),
    plural(
        "About {n} time out of {whole} it turns up a power card, which you keep: play again.",
        "About {n} times out of {whole} it turns up a power card, which you keep: play again.",
    ),
    text("It hardly ever turns up a power card, which you keep."),
    text("It turns up no power card."),
)
_WAKES = Often(
    text("You wake a queen for sure."),
    text("You nearly always wake a queen."),
    plural(
        "You wake a queen about {n} time out of {whole}.", "You wake a queen about {n} times out of {whole}."
    ),
    text("You hardly ever wake a queen."),
    text("You wake no queen."),
)
_OTHERS_WAKE = Often(
    text("Another player wakes a queen for sure."),
    text("Another player nearly always wakes a queen."),
    plural(
        "Another player wakes a queen about {n} time out of {whole}.",
        "Another player wakes a queen about {n} times out of {whole}.",
    ),
    text("Another player hardly ever wakes a queen."),
    text("No other player wakes a queen."),
)
_WAKE_FOR = (_KEEPS, _WAKES, _OTHERS_WAKE)
_REASONS: Mapping[str, Text] = {
    "second": text("She brings a second queen."),
    "unless": text("If nothing stops you, you win."),
    "queens": plural("{Who} has {n} of {number} queens.", "{Who} has {n} of {number} queens."),
    "points": plural("{Who} has {n} of {worth} points.", "{Who} has {n} of {worth} points."),
    "perhaps": text("Perhaps it turns up a power card, which you keep: play again."),
    "keep KI": text("Keep your king for later."),
    "keep KN": text("Keep your knight for later."),
    "keep PO": text("Keep your sleeping potion for later."),
    "keep JE": text("Keep your jester for later."),
    "together": text("These go together: {cards}."),
}
"""Id -> a sentence why the best choice is good."""

_QUESTIONS: Mapping[str, Text] = {
    "king known": text("Do you remember where a good queen fell asleep?"),
    "king": text("Which of your cards brings you a queen?"),
    "knight": text("Whose queen would help you most? What could stop you?"),
    "potion": text("Who will win soon? Which of your cards stops them?"),
    "jester": text("Do you dare to leave it to luck?"),
    "single": text("Which card helps you least?"),
    "pair": text("Do two of your numbers look alike?"),
    "equation": text("Can you make an equation of your numbers?"),
    "wake known": text("Do you remember where a good queen fell asleep?"),
    "wake": text("Have you seen any queen here who is better than luck?"),
    "quarrel": text("Is there any queen who may come to you?"),
    "take": text("Whose queen would help you most?"),
    "bewitch": text("Who will win soon?"),
    "sleep": text("Does it matter where she lies?"),
    "defend": text("What do you hold against that?"),
    "let go": text("Is she worth the card?"),
    "helpless": text("Do you hold anything against that?"),
}
"""Id of a choice -> a question that points to it without naming the move."""

_RULES: Mapping[Phase, Text] = {
    Phase.PLAY: text(
        "Play a king, knight, potion or jester, or discard one card, two equal numbers or an equation."
    ),
    Phase.TARGET: text("Name one queen of another player. Cat and Dog never come to the same player."),
    Phase.ANSWER: text("A dragon stops a knight, a wand stops a sleeping potion: now or not at all."),
    Phase.SLEEP: text("The queen is laid face down on any empty place."),
    Phase.WAKE: text("Turn up any sleeping queen. Rose brings a second one, Cat and Dog are never together."),
}

_PLAYED = (KING, KNIGHT, POTION, JESTER)
_LEFT: Mapping[str, Text] = {
    "JE": plural("{n} jester", "{n} jesters"),
    "KI": plural("{n} king", "{n} kings"),
    "KN": plural("{n} knight", "{n} knights"),
    "PO": plural("{n} sleeping potion", "{n} sleeping potions"),
    "WA": plural("{n} wand", "{n} wands"),
    "DR": plural("{n} dragon", "{n} dragons"),
}
REMEMBERED: Mapping[str, Text] = {
    "asleep": text("The {queen} queen sleeps on place {place}: {points} points."),
    "held": text("{Who} has {card}: all saw it."),
    "left": text("In hands and draw pile are still {cards}."),
    "left elsewhere": text("In other hands and draw pile are still {cards}."),
    "none left": text("No power card is left in hands and draw pile."),
    "none left elsewhere": text("No power card is left in other hands and draw pile."),
}
"""Id -> a sentence on cards that everybody has seen, or that nobody has."""
TELL = text("Tell me your cards, then I can say which of them help you most.")
"""Sentence that asks a player for the cards in hand."""
ANSWER_IT = {
    DRAGON: text("If you have a dragon, lay it down now or never: the {queen} queen is {points} points."),
    WAND: text("If you have a wand, lay it down now or never: the {queen} queen is {points} points."),
}
"""Card that stops an attack -> hint for an attacked player whose hand is unknown."""


def rule(known: State) -> Text:
    """Sentence on the rule that applies in the state's phase."""
    return _RULES[known.phase]


def question(why: str) -> Text:
    """The question that points to a choice without naming it.

    `why`: id of the choice's sentence in HINTS.
    """
    return _QUESTIONS[why]


def untold(known: State) -> Text:
    """The hint for a player whose hand is not known.

    It asks for the hand, or tells an attacked player what is at stake.
    """
    if known.phase is Phase.ANSWER:
        queen = known.target
        return ANSWER_IT[ANSWER_TO[attacker(known)]].of(queen=terms.queen(queen), points=POINTS[queen])
    return TELL


def remembered(known: State, asking: int) -> Iterator[Text]:
    """Sentences about what everybody could have seen.

    They tell of sleeping queens, cards taken openly, and power cards not seen yet. `known`: the state as the
    player who asked knows it. `asking`: this player (from 0).
    """
    for cell, queen in enumerate(known.cells):
        if queen >= 0:
            yield REMEMBERED["asleep"].of(queen=terms.queen(queen), place=cell + 1, points=POINTS[queen])
    for other, hand in enumerate(known.hands):
        if other != asking:
            for kind in sorted(set(hand) - {UNKNOWN}):
                yield REMEMBERED["held"].of(who=player(other + 1, within=True), card=terms.one(KIND_TEXT[kind]))
    left = [
        _LEFT[KIND_TEXT[kind]].of(n=copies)
        for kind, copies in enumerate(unseen(known))
        if copies and kind not in NUMBERS
    ]
    where = "" if UNKNOWN in known.hands[asking] else " elsewhere"
    yield REMEMBERED[f"left{where}" if left else f"none left{where}"].of(cards=listed(left))


def sentences(known: State, asking: int, found: Sequence[Option]) -> Iterator[Sentence]:
    """A hint's sentence for each choice, in their order.

    `found`: choices, best first. The first sentence gives the reason; the others compare their choice with the
    first. `known`: the state as the player who asked knows it. `asking`: this player (from 0).
    """
    for option in found:
        yield _sentence(known, asking, option, found[0])


def _sentence(known: State, asking: int, option: Option, best: Option) -> Sentence:
    why, choice, reasons = _words(known, asking, option)
    if option is best:
        return Sentence(one_after_another([choice, *filter(None, reasons)]), why)
    return Sentence(compared(choice, best.worth - option.worth), why)


Words = tuple[str, Text, Sequence[str]]
"""(id of a choice's sentences, sentence about the choice, reasons for the choice). A reason may be ""."""


def _words(known: State, asking: int, option: Option) -> Words:
    action = option.action
    match action:
        case Power(kind):
            if kind == JESTER:
                return "jester", HINTS["jester"], _jester(known)
            assert option.then is not None
            after = apply(known, action)
            if kind == KING:
                return _waking(after, asking, option.then, "king")
            return _attack(after, asking, option, "knight" if kind == KNIGHT else "potion")
        case Discard(cards):
            return _discard(known, asking, cards)
        case Target():
            return _attack(known, asking, option, "take" if attacker(known) == KNIGHT else "bewitch")
        case Wake():
            return _waking(known, asking, action, "wake")
        case PutToSleep():
            return "sleep", HINTS["sleep"].of(queen=terms.queen(known.target)), ()
    return _answer(known, asking, action)


def _waking(known: State, asking: int, action: Action, why: str) -> Words:
    assert isinstance(action, Wake)
    place = action.cell + 1
    if not known.seen[action.cell]:
        names = strangers(known)
        wins = sum(_wins(apply(known, Wake(action.cell, name)), asking) for name in names) / len(names)
        mean = f"{points(names) / len(names):.0f}"
        return why, HINTS[why].of(place=place, mean=mean), (WINS.of(wins),)
    queen = known.cells[action.cell]
    enemy = ENEMY.get(queen, -1)
    if enemy in known.awake[asking]:
        quarrel = HINTS["quarrel"].of(place=place, queen=terms.queen(queen), enemy=terms.queen(enemy))
        return "quarrel", quarrel, ()
    after = apply(known, action)
    second = _REASONS["second"] if after.phase is Phase.WAKE else ""
    why = f"{why} known"
    wakes = HINTS[why].of(place=place, queen=terms.queen(queen), points=POINTS[queen])
    return why, wakes, (second, WINS.of(float(_wins(after, asking))))


def _wins(after: State, asking: int) -> bool:
    return after.phase is Phase.OVER and asking in winners(after)


def _attack(known: State, asking: int, option: Option, why: str) -> Words:
    """Words for an attack by knight or potion in `known`.

    `known`: the state as the player knows it. `asking`: the player who attacks (from 0). `option`: the attack.
    `why`: id of the choice.
    """
    target = option.action if isinstance(option.action, Target) else option.then
    assert isinstance(target, Target)
    attacked = apply(known, target)
    who = player(attacked.acting + 1, within=True)
    reasons = [_STOPPED[ANSWER_TO[attacker(known)]].of(1.0 - option.chance, who=who)]
    if attacker(known) == POTION:
        reasons.insert(0, _standing(known, attacked.acting))
    if _wins(apply(attacked, Yield()), asking):
        reasons.append(WINS.sure if option.chance >= 1.0 else _REASONS["unless"])
    return why, HINTS[why].of(queen=terms.queen(target.queen), who=who), reasons


def _standing(known: State, seat: int) -> Text:
    """Sentence: how near the player in `seat` (from 0) is to a win, by queens or by points."""
    queens, who = known.awake[seat], player(seat + 1, within=True)
    number, worth = wins_with(known.players)
    if len(queens) / number > points(queens) / worth:
        return _REASONS["queens"].of(who=who, n=len(queens), number=number)
    return _REASONS["points"].of(who=who, n=points(queens), worth=worth)


def _jester(known: State) -> Sequence[str]:
    """Sentences about what a jester may turn up, and how likely that is.

    It is a power card, the player's own number, or another player's.
    """
    if not known.deck:
        return (_REASONS["perhaps"],)
    left = unseen(known)
    cards, numbers = sum(left), sum(left[kind] for kind in NUMBERS)
    mine = sum(left[kind] for kind in NUMBERS if kind % known.players == 1)
    chances = ((cards - numbers) / cards, mine / cards, (numbers - mine) / cards)
    said = [often.of(chance) for often, chance in zip(_WAKE_FOR, chances, strict=True)]
    return said if numbers else said[:1]


def _discard(known: State, asking: int, cards: tuple[int, ...]) -> Words:
    reasons = (_because(known, asking, cards),)
    if len(cards) == 1:
        return "single", HINTS["single"].of(card=terms.yours(cards[0])), reasons
    if len(cards) == 2:
        return "pair", HINTS["pair"].of(numbers=numbers(cards[0])), reasons
    total = f"{' + '.join(map(str, cards[:-1]))} = {cards[-1]}"
    return "equation", HINTS[f"equation {len(cards)}"].of(sum=total), reasons


def _because(known: State, asking: int, cards: tuple[int, ...]) -> str:
    """Reason to discard `cards`, in words; "" for none.

    A useful power card is kept, or several numbers go together afterwards. `asking`: whose hand it is (from 0).
    """
    kept = list(known.hands[asking])
    for card in cards:
        kept.remove(card)
    playable = [kind for kind in _PLAYED if kind in kept and useful(known, kind)]
    if playable:
        return _REASONS[f"keep {KIND_TEXT[playable[0]]}"]
    together = max(discards(tuple(kept)), key=len, default=())
    if len(together) > 1:
        return _REASONS["together"].of(cards=listed([terms.card(kind) for kind in together]))
    return ""


def _answer(known: State, asking: int, action: Action) -> Words:
    answer = ANSWER_TO[attacker(known)]
    queen = known.target
    why = "defend" if isinstance(action, Defend) else "let go" if answer in known.hands[asking] else "helpless"
    said = HINTS[f"{why} {'dragon' if answer == DRAGON else 'wand'}"]
    return why, said.of(queen=terms.queen(queen), points=POINTS[queen]), ()
