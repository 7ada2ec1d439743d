"""Hints in sentences a child understands. All that is said follows from what the player knows."""

from collections.abc import Iterator, Sequence

from companion.core.language import listed
from companion.games.hint_words import COMPARED, Sentence, compared, odds
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
    ENEMY,
    JESTER,
    KING,
    KNIGHT,
    NUMBERS,
    POINTS,
    POTION,
    QUEEN_NAMES,
    UNKNOWN,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker, useful
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.terms import card as card_name
from companion.games.table_words import catalogue

HINTS = {
    "king known": "Play your king and wake the {queen} queen on place {place}: {points} points{second}{wins}.",
    "king": "Play your king and wake a queen nobody has seen: about {mean} points on average{wins}.",
    "knight": "Play your knight and take the {queen} queen from player {victim}: {guard}{wins}.",
    "potion": "Play your sleeping potion on the {queen} queen of player {victim}, who has {standing}: {guard}.",
    "jester": "Play your jester: {again} it turns up a power card, which you keep and play again{counts}.",
    "single": "Discard the {card} and draw a new card{because}.",
    "pair": "Discard your two {card}s and draw two new cards{because}.",
    "equation": "Discard {sum} and draw {number} new cards{because}.",
    "wake known": "Wake the {queen} queen on place {place}: {points} points{second}{wins}.",
    "wake": "Wake a queen nobody has seen, such as on place {place}: about {mean} points on average{wins}.",
    "quarrel": "Turn up the {queen} queen on place {place}: she sleeps on, as the {enemy} queen is yours.",
    "take": "Take the {queen} queen from player {victim}: {guard}{wins}.",
    "bewitch": "Put the {queen} queen of player {victim}, who has {standing}, to sleep: {guard}.",
    "sleep": "Lay the {queen} queen on any empty place: everybody sees where she goes.",
    "defend": "Lay down your {answer}: you keep the {queen} queen, {points} points.",
    "let go": "Let the {queen} queen go and keep your {answer} for later.",
    "helpless": "You have no {answer}: let the {queen} queen go.",
}
"""A sentence for every choice; {because}, {wins}, {second} and {counts} may be empty."""

_QUESTIONS = {
    "king known": "Do you remember where a good queen fell asleep?",
    "king": "Which of your cards brings you a queen?",
    "knight": "Whose queen would help you most? What could stop you?",
    "potion": "Who is near to winning? Which of your cards is against that?",
    "jester": "Do you dare to leave it to luck?",
    "single": "Which card helps you least?",
    "pair": "Do two of your numbers look alike?",
    "equation": "Can you make an equation of your numbers?",
    "wake known": "Do you remember where a good queen fell asleep?",
    "wake": "Have you seen any queen here who is better than luck?",
    "quarrel": "Is there any queen who may come to you?",
    "take": "Whose queen would help you most?",
    "bewitch": "Who is near to winning?",
    "sleep": "Does it matter where she lies?",
    "defend": "What do you hold against that?",
    "let go": "Is she worth the card?",
    "helpless": "Do you hold anything against that?",
}
"""A nudge for every choice: a direction, never the move."""

_RULES = {
    Phase.PLAY: "Play a king, knight, potion or jester, or discard one card, two equal numbers or an equation.",
    Phase.TARGET: "Name one queen of another player. Cat and Dog never come to the same player.",
    Phase.ANSWER: "A dragon stops a knight, a wand stops a sleeping potion: now or not at all.",
    Phase.SLEEP: "The queen is laid face down on any empty place.",
    Phase.WAKE: "Turn up any sleeping queen. Rose brings a second one, Cat and Dog are never together.",
}

_NUMBER_WORDS = {3: "three", 4: "four", 5: "five"}
_PLAYED = (KING, KNIGHT, POTION, JESTER)
REMEMBERED = {
    "asleep": "The {queen} queen sleeps on place {place}: {points} points.",
    "held": "Player {player} has a {card}, which all saw.",
    "left": "In {whose}hands and draw pile are still {cards}.",
    "none left": "No power card is left in {whose}hands and draw pile.",
}
"""What all have seen, by id; {whose} may be empty."""
TELL = "Tell me your cards, then I can say which of them help you most."
ANSWER_IT = "If you have a {answer}, lay it down now or never: the {queen} queen is {points} points."

SENTENCES = catalogue(
    hint=HINTS,
    question=_QUESTIONS,
    rule={phase.name.lower(): text for phase, text in _RULES.items()},
    memory=REMEMBERED,
    ask={"hand": TELL, "answer": ANSWER_IT},
    compared=COMPARED,
)
"""Every sentence of a hint."""


def rule(known: State) -> str:
    """What may be done now, by the rulebook."""
    return _RULES[known.phase]


def question(why: str) -> str:
    """A nudge towards a choice."""
    return _QUESTIONS[why]


def untold(known: State) -> str:
    """What can be said to a player whose cards nobody told."""
    if known.phase is Phase.ANSWER:
        queen = known.target
        answer = card_name(ANSWER_TO[attacker(known)])
        return ANSWER_IT.format(answer=answer, queen=QUEEN_NAMES[queen], points=POINTS[queen])
    return TELL


def remembered(known: State, player: int) -> Iterator[str]:
    """Sleeping queens that were seen, cards that others took openly, and power cards that were not seen yet."""
    for cell, queen in enumerate(known.cells):
        if queen >= 0:
            yield REMEMBERED["asleep"].format(queen=QUEEN_NAMES[queen], place=cell + 1, points=POINTS[queen])
    for other, hand in enumerate(known.hands):
        if other != player:
            for kind in sorted(set(hand) - {UNKNOWN}):
                yield REMEMBERED["held"].format(player=other + 1, card=card_name(kind))
    left = [
        f"{copies} {card_name(kind)}{'' if copies == 1 else 's'}"
        for kind, copies in enumerate(unseen(known))
        if copies and kind not in NUMBERS
    ]
    whose = "" if UNKNOWN in known.hands[player] else "other "
    yield REMEMBERED["left" if left else "none left"].format(whose=whose, cards=listed(left))


def sentences(known: State, player: int, found: Sequence[Option]) -> Iterator[Sentence]:
    """The choices of one decision, best first; the first with its reason, the others held against it."""
    for option in found:
        yield _sentence(known, player, option, found[0])


def _sentence(known: State, player: int, option: Option, best: Option) -> Sentence:
    why, of = _words(known, player, option)
    text = HINTS[why].format(**of)
    if option is best:
        return Sentence(text, why)
    return Sentence(compared(text, best.worth - option.worth), why)


def _words(known: State, player: int, option: Option) -> tuple[str, dict[str, str]]:
    """The id of a choice's sentence and what goes into it."""
    action = option.action
    match action:
        case Power(kind):
            if kind == JESTER:
                return "jester", _jester(known)
            assert option.then is not None
            after = apply(known, action)
            if kind == KING:
                return _waking(after, player, option.then, "king")
            return ("knight" if kind == KNIGHT else "potion"), _attack(after, player, option)
        case Discard(cards):
            return _discard(known, player, cards)
        case Target():
            return ("take" if attacker(known) == KNIGHT else "bewitch"), _attack(known, player, option)
        case Wake():
            return _waking(known, player, action, "wake")
        case PutToSleep():
            return "sleep", {"queen": QUEEN_NAMES[known.target]}
    return _answer(known, player, action)


def _waking(known: State, player: int, action: Action, why: str) -> tuple[str, dict[str, str]]:
    assert isinstance(action, Wake)
    place = str(action.cell + 1)
    if not known.seen[action.cell]:
        names = strangers(known)
        wins = sum(_wins(apply(known, Wake(action.cell, name)), player) for name in names) / len(names)
        return why, {"place": place, "mean": f"{points(names) / len(names):.0f}", "wins": _winning(wins)}
    queen = known.cells[action.cell]
    of = {"place": place, "queen": QUEEN_NAMES[queen], "points": str(POINTS[queen])}
    enemy = ENEMY.get(queen, -1)
    if enemy in known.awake[player]:
        return "quarrel", {**of, "enemy": QUEEN_NAMES[enemy]}
    after = apply(known, action)
    second = " and a second queen" if after.phase is Phase.WAKE else ""
    return f"{why} known", {**of, "second": second, "wins": _winning(float(_wins(after, player)))}


def _wins(after: State, player: int) -> bool:
    return after.phase is Phase.OVER and player in winners(after)


def _winning(chance: float) -> str:
    if chance >= 1.0:
        return ", and you win"
    return f", and you win {odds(chance)}" if chance > 0.0 else ""


def _attack(known: State, player: int, option: Option) -> dict[str, str]:
    """Words for an attack that begins in this state."""
    target = option.action if isinstance(option.action, Target) else option.then
    assert isinstance(target, Target)
    attacked = apply(known, target)
    answer = card_name(ANSWER_TO[attacker(known)])
    wins = ""
    if _wins(apply(attacked, Yield()), player):
        wins = ", and you win" if option.chance >= 1.0 else ", else you win"
    if option.chance >= 1.0:
        guard = f"player {attacked.acting + 1} has no {answer}"
    elif option.chance <= 0.0:
        guard = f"player {attacked.acting + 1} has a {answer}"
    else:
        guard = f"a {answer} stops you {odds(1.0 - option.chance)}"
    return {
        "queen": QUEEN_NAMES[target.queen],
        "victim": str(attacked.acting + 1),
        "standing": _standing(known, attacked.acting),
        "guard": guard,
        "wins": wins,
    }


def _standing(known: State, player: int) -> str:
    """How near a player is to the end, by what is nearer."""
    queens = known.awake[player]
    number, worth = wins_with(known.players)
    if len(queens) / number > points(queens) / worth:
        return f"{len(queens)} of {number} queens"
    return f"{points(queens)} of {worth} points"


def _jester(known: State) -> dict[str, str]:
    """What may be turned up: a power card, a number that ends at the player, one that ends elsewhere."""
    if not known.deck:
        return {"again": "perhaps", "counts": ""}
    left = unseen(known)
    cards, numbers = sum(left), sum(left[kind] for kind in NUMBERS)
    mine = sum(left[kind] for kind in NUMBERS if kind % known.players == 1)
    of_them = f"; else you wake a queen {odds(mine / cards)}, another player {odds((numbers - mine) / cards)}"
    return {"again": odds((cards - numbers) / cards), "counts": of_them if numbers else ""}


def _discard(known: State, player: int, cards: tuple[int, ...]) -> tuple[str, dict[str, str]]:
    because = _because(known, player, cards)
    if len(cards) == 1:
        return "single", {"card": card_name(cards[0]), "because": because}
    if len(cards) == 2:
        return "pair", {"card": card_name(cards[0]), "because": because}
    total = f"{' + '.join(map(str, cards[:-1]))} = {cards[-1]}"
    return "equation", {"sum": total, "number": _NUMBER_WORDS[len(cards)], "because": because}


def _because(known: State, player: int, cards: tuple[int, ...]) -> str:
    """What is kept: a power card that might have been played, else numbers that go together."""
    kept = list(known.hands[player])
    for card in cards:
        kept.remove(card)
    playable = [kind for kind in _PLAYED if kind in kept and useful(known, kind)]
    if playable:
        return f"; keep your {card_name(playable[0])} for later"
    together = max(discards(tuple(kept)), key=len, default=())
    if len(together) > 1:
        return f"; {listed([card_name(kind) for kind in together])} go together"
    return ""


def _answer(known: State, player: int, action: Action) -> tuple[str, dict[str, str]]:
    answer = ANSWER_TO[attacker(known)]
    queen = known.target
    of = {"answer": card_name(answer), "queen": QUEEN_NAMES[queen], "points": str(POINTS[queen])}
    if isinstance(action, Defend):
        return "defend", of
    return ("let go" if answer in known.hands[player] else "helpless"), of
