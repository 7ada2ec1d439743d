"""Sentences of Sleeping Queens: what players did, verdicts, misplaced cards, from public facts alone."""

from collections.abc import Iterator, Set
from dataclasses import replace
from functools import partial

from companion.core.language import Text, listed, plural, text
from companion.core.language import player as named
from companion.games import win_claims
from companion.games.appearance import Difference
from companion.games.claims import Judgement, Verdict
from companion.games.narrator import Headline, Message
from companion.games.rules import Outcome
from companion.games.signs import UNKNOWN_KIND
from companion.games.sleeping_queens import terms
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    DefendLate,
    Discard,
    Power,
    PutToSleep,
    Refill,
    Reveal,
    Shuffle,
    Target,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.equations import Cards, readings
from companion.games.sleeping_queens.rules.game_end import points, points_words, wins_with
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    ENEMY,
    JESTER,
    KIND_TEXT,
    KING,
    KNIGHT,
    NUMBERS,
    POTION,
    QUEEN_NAMES,
    UNKNOWN,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.rules.table_changes import DISCARDS, END, PILE, QUEENS
from companion.games.sleeping_queens.terms import SECTIONS
from companion.games.table_words import difference as differs
from companion.games.table_words import message as message_of
from companion.games.win_claims import ClaimWin, Insist, TakeBack

_ALL_QUEENS = frozenset(range(len(QUEEN_NAMES)))
_MOST_WON = 2
"""Most queens that one turn brings: one, and one more with the Rose queen."""
HEADLINE = text("{who} with {points}")
MESSAGES = {
    "king": text("{who} plays a king."),
    "knight": text("{who} plays a knight."),
    "potion": text("{who} plays a sleeping potion."),
    "jester": text("{who} plays a jester."),
    "discard": text("{who} discards {cards}."),
    "pair": text("{who} discards a pair of {card}s."),
    "equation": text("{who} discards an equation: {sum}."),
    "unread": text("{who} discards {number}, unread."),
    "some unread": text("{who} discards {cards} and {number}, unread."),
    "dragon": text("{who} stops the knight with a dragon."),
    "wand": text("{who} breaks the spell with a wand."),
    "stolen": text("{who} takes the {queen} queen from {other}."),
    "asleep": text("The {queen} queen of {other} falls asleep again."),
    "wakes": text("{who} wakes the {queen} queen: {points} points."),
    "quarrel": text("{who} wakes the {queen} queen, who cannot stand the {enemy} queen and sleeps on."),
    "jester power": text("The jester turns up {card}: {who} keeps it and plays again."),
    "jester number": text("The jester counts to {number}: {who} wakes a queen."),
    "jester unread": text("The jester turns up a card, unread: {who} keeps it and plays again."),
    "jester unread number": text("The jester turns up a number, unread: {who} wakes a queen."),
    "no discard": text("{who} discards {cards}: {reason} (rulebook, {section}). Take them back, or play on."),
    "enemies": text(
        "Cat and Dog are never together (rulebook, {section}): {who} may not take the {queen} queen. "
        "Choose another, or play on."
    ),
    "late": text(
        "The {card} came when the {queen} queen had gone (rulebook, {section}). "
        "She goes back if you let it count."
    ),
    "shuffled": text("The discard pile is shuffled."),
    "and shuffled": text("{before} The discard pile is shuffled."),
    **win_claims.MESSAGES,
}
"""Message id -> its sentence."""
_message = partial(message_of, MESSAGES)
REASONS = {
    "powers": text("only numbers go together"),
    "unread": text("these are no pair and no equation"),
    "pair": text("{one} and {other} are no pair"),
    "sum": text("{sum} is {total}, not {result}"),
}
"""Id -> why cards may not be discarded together."""
PROMPTS = {
    "camera": text("No camera: I do not see what is played."),
    "play": text("Play {cards}."),
    "or discard": text("Or discard one card, a pair of numbers, or an equation."),
    "no knight": text("No knight: there is no queen to steal."),
    "no potion": text("No potion: there is no queen to put to sleep."),
    "target": text("Say which queen of another player it is for."),
    "enemies": text("Cat and Dog are never together."),
    "answer": text("The {queen} queen is attacked: lay down {answer}, or let it happen."),
    "sleep": text("Lay the {queen} queen face down on an empty place."),
    "jester": text("Turn up the top card of the draw pile beside the jester."),
    "wake": text("Turn up a sleeping queen and take her."),
    "refill": text("Sweep what was played onto the discard pile and draw until you have five cards."),
    "within": text("It is still the turn of {who}."),
    "over": text("For another game clear the whole table, then lay it out anew."),
}
"""Id -> what a player may do now, or may not do and why."""
POWER_WORDS = {KING: "king", KNIGHT: "knight", POTION: "potion", JESTER: "jester"}


def message(before: State, action: Action, after: State) -> Message | None:
    """Sentence that tells everybody of an action; None for none.

    `before`, `after`: states around the action.
    """
    who = named(before.acting + 1)
    match action:
        case Power(kind):
            return _message(POWER_WORDS[kind], who=who)
        case Discard((kind,)) if kind in POWER_WORDS:
            return _message("discard", who=who, cards=terms.one(KIND_TEXT[kind]))
        case Discard():
            # Cards come one by one and one may be read late, so a discard is told when it is swept.
            return None
        case Refill():
            return _discarded(before)
        case Insist() | TakeBack() | DefendLate() | ClaimWin():
            checked = _checked(before, action, who)
            return None if checked is None else replace(checked, at_once=True)
        case Defend():
            return _message("dragon" if attacker(before) == KNIGHT else "wand", who=who)
        case Yield() if attacker(before) == KNIGHT:
            thief, queen = named(before.turn + 1), terms.queen(before.target)
            return _message("stolen", who=thief, queen=queen, other=named(before.acting + 1, within=True))
        case PutToSleep():
            owner = next(at for at, queens in enumerate(before.awake) if before.target in queens)
            return _message("asleep", queen=terms.queen(before.target), other=named(owner + 1, within=True))
        case Wake(cell, queen):
            return _woken(before, before.cells[cell] if queen is None else queen, after, who)
        case Reveal(0, None):
            return _message("jester unread", who=named(after.turn + 1, within=True))
        case Reveal(0):
            return _message("jester unread number", who=named(after.acting + 1, within=True))
        case Reveal() if after.phase is Phase.WAKE:
            number = str(_turned_up(before, action))
            return _message("jester number", number=number, who=named(after.acting + 1, within=True))
        case Reveal():
            card = terms.one(KIND_TEXT[_turned_up(before, action)])
            return _message("jester power", card=card, who=named(after.turn + 1, within=True))
        case Shuffle():
            told = _discarded(before) if before.phase is Phase.REFILL else None
            return _message("shuffled") if told is None else _message("and shuffled", before=told.text)
    return None


def tells_step_before(before: State, action: Action) -> bool:
    """True if the action sweeps a discard, which is told only now.

    `before`: state before the action.
    """
    sweeps = isinstance(action, Refill) or (isinstance(action, Shuffle) and before.phase is Phase.REFILL)
    return sweeps and _discarded(before) is not None


def untold(before: State, action: Action) -> str:
    """Words for an action without a `message`, shown when a player takes it back.

    They name no drawn card.
    """
    who = named(before.acting + 1)
    match action:
        case Discard(cards):
            read = [terms.one(KIND_TEXT[kind]) for kind in cards if kind != UNKNOWN]
            unread = cards.count(UNKNOWN)
            names = listed([*read, *([terms.unread(unread)] if unread else [])])
            return MESSAGES["discard"].of(who=who, cards=names)
        case Target(queen):
            return text("{who} names the {queen} queen.", who=who, queen=terms.queen(queen))
        case Yield():
            return text("{who} lets it happen.", who=who)
        case Refill():
            return text("{who} draws cards.", who=named(before.turn + 1))
    return ""


def _checked(before: State, action: Insist | TakeBack | DefendLate | ClaimWin, who: str) -> Message | None:
    """Sentence about a claim or forbidden action; None without.

    It accuses nobody, because the table may let the action stand. `who`: the player, in words.
    """
    match action:
        case Insist(Discard(cards)):
            reason = why_no_discard(cards)
            names = listed([terms.one(KIND_TEXT[kind]) for kind in cards])
            return _message("no discard", who=who, cards=names, reason=reason, section=SECTIONS[DISCARDS])
        case Insist(Target(queen)):
            return _message(
                "enemies",
                section=SECTIONS[QUEENS],
                who=named(before.acting + 1, within=True),
                queen=terms.queen(queen),
            )
        case TakeBack():
            return _message("taken back", who=who)
        case DefendLate(queen):
            answer = terms.card(ANSWER_TO[attacker(before)])
            return _message("late", card=answer, queen=terms.queen(queen), section=SECTIONS[PILE])
        case ClaimWin(player):
            return _claimed(before, player)
    return None


def why_no_discard(cards: Cards) -> str:
    """Why cards (kinds, ascending) may not be discarded together."""
    if any(kind not in NUMBERS for kind in cards):
        return REASONS["unread" if UNKNOWN in cards else "powers"]
    *others, result = cards
    if not others[1:]:
        return REASONS["pair"].of(one=others[0], other=result)
    return REASONS["sum"].of(sum=" + ".join(map(str, others)), total=sum(others), result=result)


def claimable(state: State, subject: int) -> str | None:
    """Why no win is claimable now; None if one is.

    `subject`, the player (from 0), makes no difference.
    """
    return win_claims.UNCLAIMED["over"] if state.phase is Phase.OVER else None


def judge(state: State, subject: int) -> Judgement:
    """Verdict on a claim that `subject` (from 0) has won.

    A subject is a player. All cards that matter lie open.
    """
    number, worth = wins_with(state.players)
    queens = state.awake[subject]
    wakes = state.phase is Phase.WAKE and subject == state.acting
    running = state.phase not in (Phase.PLAY, Phase.REFILL)
    return win_claims.win_judgement(
        _holding(state, subject),
        _wanted(number, worth),
        SECTIONS[END],
        won=len(queens) >= number or points(queens) >= worth,
        waits=running and _may_win(state, subject, _MOST_WON, _ALL_QUEENS - {*queens}),
        show=text("the queen that is woken") if wakes else "",
    )


def _may_win(state: State, subject: int, cards: int, left: Set[int]) -> bool:
    """True if a player (from 0) would have won with `cards` more queens, the best of `left`."""
    number, worth = wins_with(state.players)
    own = state.awake[subject]
    best = sorted(points((queen,)) for queen in left)[-cards:]
    return len(own) + cards >= number or points(own) + sum(best) >= worth


def judge_unread(state: State, subject: int, cards: int) -> Judgement | None:
    """Verdict on a player's (from 0) claimed win while some of the queens are unread.

    `cards`: number of unread queens of that player. CANNOT_TELL if they might make the player a winner. None if
    even the best queens would not.
    """
    awake = {queen for queens in state.awake for queen in queens}
    if not _may_win(state, subject, cards, _ALL_QUEENS - awake):
        return None
    reason = text("I cannot read every queen in front of {who}.", who=named(subject + 1, within=True))
    show = plural("the queen that is unread", "the {n} queens that are unread", n=cards)
    return Judgement(Verdict.CANNOT_TELL, (reason,), show)


def _wanted(number: int, worth: int) -> Text:
    return text("{number} queens or {worth} points", number=number, worth=worth)


def _holding(state: State, player: int) -> str:
    queens = state.awake[player]
    return plural(
        "{n} queen, {points}", "{n} queens, {points}", n=len(queens), points=points_words(points(queens))
    )


def _claimed(state: State, player: int) -> Message:
    number, worth = wins_with(state.players)
    kind = win_claims.MESSAGE_OF[judge(state, player).verdict]
    has, wanted = _holding(state, player), _wanted(number, worth)
    return _message(kind, who=named(player + 1), has=has, wanted=wanted)


def _discarded(state: State) -> Message | None:
    """Sentence about discarded cards, when they are swept.

    None if they were no legal discard, or a power card. `state`: before the cards are swept.
    """
    cards, who = state.played, named(state.turn + 1)
    if not readings(cards) or any(kind in POWER_WORDS for kind in cards):
        return None
    read, unread = [kind for kind in cards if kind != UNKNOWN], cards.count(UNKNOWN)
    number = terms.unread(unread)
    if not read:
        return _message("unread", who=who, number=number)
    if unread:
        return _message(
            "some unread", who=who, cards=listed([terms.one(KIND_TEXT[kind]) for kind in read]), number=number
        )
    if len(cards) == 1:
        return _message("discard", who=who, cards=terms.one(KIND_TEXT[cards[0]]))
    if len(cards) == 2:
        return _message("pair", who=who, card=terms.card(cards[0]))
    return _message("equation", who=who, sum=f"{' + '.join(map(str, cards[:-1]))} = {cards[-1]}")


def _turned_up(before: State, action: Reveal) -> int:
    return before.deck[-1] if action.kind is None else action.kind


def _woken(before: State, queen: int, after: State, who: str) -> Message:
    name = terms.queen(queen)
    if queen not in after.awake[before.acting]:
        return _message("quarrel", who=who, queen=name, enemy=terms.queen(ENEMY[queen]))
    return _message("wakes", who=who, queen=name, points=str(points((queen,))))


def headline(outcome: Outcome) -> Headline:
    """The winner of a finished game in few words, for large letters and for one line."""
    assert isinstance(outcome.text, Text)
    who = outcome.text.values["won"]
    return Headline(
        who, points_words(outcome.score or 0), HEADLINE.of(who=who, points=points_words(outcome.score or 0))
    )


def difference(state: State, found: Difference) -> str:
    """Sentence that asks people to put right the cards of a place that differ from the state."""
    return differs(_place_name(found.place), _things(found.extra), _things(found.missing))


def _place_name(zone: str) -> str:
    where, _, number = zone.rpartition(" ")
    match where:
        case "queen":
            return text("On place {number} of the sleeping queens", number=number)
        case "player":
            return text("In front of {who}", who=named(int(number), within=True))
    return text("On the discard pile") if zone == "discard" else text("Among the played cards")


def _things(kinds: tuple[str, ...]) -> str:
    return listed([*_named(kinds)])


def _named(kinds: tuple[str, ...]) -> Iterator[str]:
    for kind in kinds:
        if kind == UNKNOWN_KIND:
            yield terms.unread(1)
        elif kind in QUEEN_NAMES:
            yield text("the {queen} queen", queen=terms.QUEENS[kind])
        else:
            yield terms.one(kind)
