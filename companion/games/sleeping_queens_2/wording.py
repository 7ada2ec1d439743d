"""Sentences of Sleeping Queens 2: what players did, verdicts, misplaced cards, from public facts alone."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import prod

from companion.core.language import Text, listed, plural, text
from companion.core.language import player as named
from companion.games import win_claims
from companion.games.appearance import Difference
from companion.games.claims import Judgement
from companion.games.narrator import Headline, Message
from companion.games.rules import Outcome
from companion.games.signs import UNKNOWN_KIND
from companion.games.sleeping_queens_2 import terms
from companion.games.sleeping_queens_2.queens_2_cards import KNIGHT_OF_KIND
from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.against_rules import why_not
from companion.games.sleeping_queens_2.rules.apply import apply
from companion.games.sleeping_queens_2.rules.equations import is_equation, is_mixed
from companion.games.sleeping_queens_2.rules.kinds import (
    COMPANIONS,
    GNOME,
    KIND_OF_TEXT,
    QUEENS,
    UNKNOWN,
    WILLOW,
    Knight,
    kings_to_win,
)
from companion.games.sleeping_queens_2.rules.legal_actions import held, limit
from companion.games.sleeping_queens_2.rules.parts import DRAGON, Parts
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State
from companion.games.sleeping_queens_2.rules.table_changes import END
from companion.games.table_words import difference as differs
from companion.games.table_words import message as message_of
from companion.games.win_claims import ClaimWin, Insist, TakeBack

HEADLINE = text("{who} with {kings}")
MESSAGES = {
    "dragon": text("{who} rolls a dragon: all knights move on to the left."),
    "wakes": text("{who} wakes {queen}."),
    "all wake": text("{who} lays a pair of {card}s: all queens wake."),
    "gnome": text("{who} meets a wild gnome."),
    "witch": text("{who} meets a switch witch."),
    "willow": text("A sleeping willow: the queens of {other} fall asleep."),
    "willow no": text("A sleeping willow, and nobody falls asleep."),
    "fetches": text("{who} fetches {companion} from place {place}."),
    "mixed": text("All companions lie face up: they are shuffled and laid face down."),
    "steals": text("{who} steals {card} from {other}."),
    "takes": text("{who} takes {queen} from the discard pile."),
    "exchange": text("The knights of {one} and {two} change places."),
    "swap": text("{who} swaps {own} for {card} of {other}."),
    "unused": text("{who} does nothing with the card: {card}."),
    "equation": text("{who} lays an equation: {cards}."),
    "book": text("{who} reads a spell book and takes {card} from the discard pile."),
    "rescue": text("{who} rescues a king with {queen}."),
    "shuffled": text("The discard pile is shuffled."),
    "knight": text("{Other} has the {colour} knight: {power}."),
    "forbidden": text("{does}: {reason} (rulebook, {section}). Take it back, or play on."),
    **win_claims.MESSAGES,
}
"""Message id -> its sentence."""
_message = partial(message_of, MESSAGES)
FORBIDDEN = {
    do.Equation: text("{who} lays {cards} as an equation"),
    do.FalsePair: text("{who} lays {first} and {second} as a pair"),
    do.Rescue: text("{who} rescues a king with {queen} and {companion}"),
    do.Steal: text("{who} takes {kind} from {victim}"),
    do.Swap: text("{who} swaps {own} for {kind} of {victim}"),
    do.End: text("{who} keeps {cards} cards"),
    do.Lull: text("{who} has the queens of {player} fall asleep"),
    do.Reroll: text("{who} rolls the die again"),
    do.Draw: text("{who} draws {kind}"),
    do.OutOfOrder: text("{who} goes on with the turn"),
    do.Discard: text("{who} lays an instant card aside: {kind}"),
}
"""Type of a forbidden action -> what the player did, as a sentence."""
REASONS = {
    "sum": text("{sum} is {total} and {factors} is {product}, not {result}"),
    "mixed": text("an equation has one operation, on one side"),
    "knight": text("one more or less takes the {colour} knight"),
    "equal": text("an equation has at least three numbers"),
    "asleep": text("whoever sleeps rescues nobody"),
    "no-match": text("their symbols are {queen} and {companion}"),
    "companion": text("companions are not taken, and swapped for companions only"),
    "shielded": text("the {colour} knight protects that realm"),
    "too-many-cards": text("{limit} may be kept"),
}
"""Id -> why an action is forbidden, where the error of the rules has no words for people."""
PROMPTS = {
    "camera": text("No camera: I do not see the die or what is played."),
    "knights": text("Lay a knight in front of {player}, its sticker or picture up."),
    "open": text("Turn up the first card of the discard pile."),
    "roll": text("Roll the die."),
    "reroll": text("A 1: roll again, or draw one card."),
    "wake": text("Turn one sleeping queen up, or let all sleep."),
    "draw": text("Draw a card and lay it face up in the realm: {draws} to go."),
    "shuffle": text("Shuffle the discard pile: it is the draw pile now."),
    "instant": text("Play an instant card: {cards}."),
    "gnome": text("Roll the die for the gnome."),
    "fetch": text("Take a companion who lies face down."),
    "fetch or not": text("The gnome gives a companion who lies face down; she may stay."),
    "mix": text("Shuffle all companions of the grid and lay them face down."),
    "steal": text("The gnome takes a card from another realm, no companion and no king."),
    "take": text("The gnome takes a queen from the discard pile."),
    "exchange": text("The gnome lets two knights change places."),
    "swap": text("The witch swaps a card for one of another realm, or a companion for a companion."),
    "shielded": text("No witch for {player}: the knight protects that realm."),
    "play": text("Lay an equation, a pair, a spell book, or rescue a king; or end the turn."),
    "asleep": text("Whoever sleeps rescues nobody: a pair of numbers wakes all queens."),
    "no equation": text("No equation: no companion lies in the grid."),
    "back": text("Lay {companion} face up on an empty place and take a king."),
    "discard": text("Discard until you have {limit} cards."),
    "end": text("For another game clear the whole table, then lay it out anew."),
}
"""Id -> what a player may do now, or may not do and why."""
_UNTOLD = {
    do.Open: text("The first card of the discard pile is turned up."),
    do.Reroll: text("{who} rolls again."),
    do.Keep: text("{who} keeps the 1."),
    do.Pass: text("{who} lets it be."),
    do.End: text("{who} ends the turn."),
}
"""Type of an action without a `message` -> words shown when a player takes it back."""


def message(before: State, action: Action, after: State) -> Message | None:
    """Sentence that tells everybody of an action; None for none.

    `before`, `after`: states around the action.
    """
    who, parts = named(before.turn + 1), before.parts
    match action:
        case do.Give(knight):
            power, other = terms.POWERS[Knight(knight)], _other(before.knights.index(Knight.UNKNOWN))
            return _message("knight", other=other, colour=terms.colour(knight, parts), power=power)
        case do.Roll(face) if face == DRAGON and not before.played:
            return _message("dragon", who=who)
        case do.Wake(queen):
            return _message("wakes", who=who, queen=terms.one(queen, parts))
        case do.Pair(number):
            return _message("all wake", who=who, card=number)
        case do.Instant(kind) if kind == WILLOW:
            return _willow(before, after)
        case do.Instant(kind):
            return _message("gnome" if kind == GNOME else "witch", who=who)
        case do.Fetch(cell, companion):
            taken = before.cells[cell] if companion is None else companion
            companion_named = text("a companion") if taken == UNKNOWN else terms.one(taken, parts)
            return _message("fetches", who=who, companion=companion_named, place=cell + 1)
        case do.Mix():
            return _message("mixed")
        case do.Steal(victim, kind):
            return _message("steals", who=who, card=terms.one(kind, parts), other=_other(victim))
        case do.Take(queen):
            return _message("takes", who=who, queen=terms.one(queen, parts))
        case do.Exchange(one, two):
            return _message("exchange", one=_other(one), two=_other(two))
        case do.Swap(own, victim, kind):
            lost, won = terms.one(own, parts), terms.one(kind, parts)
            return _message("swap", who=who, own=lost, card=won, other=_other(victim))
        case do.Pass() if before.played:
            return _message("unused", who=who, card=terms.card(before.played, parts))
    return _of_play(before, action, who)


def untold(before: State, action: Action) -> str:
    """Words for an action without a `message`, shown when a player takes it back."""
    who, parts = named(before.turn + 1), before.parts
    match action:
        case do.Roll(face):
            return (
                text("The die shows {number}.", number=face)
                if face != DRAGON
                else text("The die shows a dragon.")
            )
        case do.Draw(kind) if kind is not None and kind != UNKNOWN:
            return text("{who} draws {card}.", who=who, card=terms.one(kind, parts))
        case do.Draw():
            return text("{who} draws a card.", who=who)
        case do.Discard(kind):
            return text("{who} discards {card}.", who=who, card=terms.one(kind, parts))
        case do.PutBack(_):
            return text("{who} lays the companion back and takes a king.", who=who)
    return _UNTOLD[type(action)].of(who=who) if type(action) in _UNTOLD else ""


def _other(player: int) -> Text:
    """Name of a player (from 0), in the form for the middle of a sentence."""
    return named(player + 1, within=True)


def _of_play(before: State, action: Action, who: Text) -> Message | None:
    match action:
        case do.Equation(cards):
            return _message("equation", who=who, cards=_equation(cards))
        case do.Book(number):
            return _message("book", who=who, card=terms.one(number, before.parts))
        case do.Rescue(queen, _):
            # The king counts only when the companion lies in the grid again, on the screen as on the table.
            return _message("rescue", who=who, queen=terms.one(queen, before.parts))
        case do.Shuffle():
            return _message("shuffled")
        case Insist(forbidden):
            return replace(_forbidden(before, forbidden, who), at_once=True)
        case ClaimWin(player):
            return _claimed(before, player)
        case TakeBack():
            return _message("taken back", who=named((before.undo or before).turn + 1))
    return None


def _equation(cards: Cards) -> str:
    """Number cards (ascending) as a sum or product.

    Listed if only a knight makes them an equation.
    """
    *others, result = map(str, cards)
    if sum(cards[:-1]) == cards[-1]:
        return f"{' + '.join(others)} = {result}"
    if prod(cards[:-1]) == cards[-1]:
        return f"{' x '.join(others)} = {result}"
    return listed([*others, result])


def _forbidden(state: State, action: Action, who: Text) -> Message:
    """The gentle sentence on a forbidden action of `who`, with the reason, because the table may let
    it stand."""
    error = why_not(state, action, apply)
    does = FORBIDDEN[type(action)].of(who=who, **_told(state, action))
    reason: str = REASONS[error.code].of(**_reasons(state, action)) if error.code in REASONS else error.text
    if isinstance(action, do.Equation):
        reason = why_no_equation(state, action.cards)
    return _message("forbidden", does=does, reason=reason, section=terms.SECTIONS[error.section])


def _told(state: State, action: Action) -> dict[str, object]:
    """An action's fields in words, by field name, to fill in a sentence.

    `state`: before the action. It gives the names of printed parts, and the size of the hand at the end.
    """
    if isinstance(action, do.End):
        return {"cards": len(held(state, state.turn))}
    if isinstance(action, do.Draw):
        return {"kind": terms.one(UNKNOWN if action.kind is None else action.kind, state.parts)}
    told: dict[str, object] = {}
    for name in action.__match_args__:
        value = getattr(action, name)
        match name:
            case "cards":
                told[name] = listed([*map(str, value)])
            case "first" | "second":
                told[name] = value
            case "victim" | "player":
                told[name] = _other(value)
            case _:
                told[name] = (terms.card if isinstance(action, do.Discard) else terms.one)(value, state.parts)
    return told


def _reasons(state: State, action: Action) -> dict[str, object]:
    told: dict[str, object] = {"limit": limit(state), "colour": terms.colour(Knight.WITCH, state.parts)}
    if isinstance(action, do.Rescue):
        parts = state.parts
        told["queen"] = parts.queens[action.queen - QUEENS.start]
        told["companion"] = parts.companions[action.companion - COMPANIONS.start]
    return told


def why_no_equation(state: State, cards: Cards) -> Text:
    """Why number cards (ascending) form no equation now.

    The cards belong to the player on turn.
    """
    *others, result = cards
    if len(cards) < 3:
        return REASONS["equal"]
    if is_equation(cards, knight=True):
        return REASONS["knight"].of(colour=terms.colour(Knight.MATH, state.parts))
    if is_mixed(cards):
        return REASONS["mixed"]
    return REASONS["sum"].of(
        sum=" + ".join(map(str, others)),
        total=sum(others),
        factors=" x ".join(map(str, others)),
        product=prod(others),
        result=result,
    )


def claimable(state: State, subject: int) -> str | None:
    """Why no win is claimable now; None if one is.

    `subject`, the player (from 0), makes no difference.
    """
    if state.phase is Phase.SETUP:
        return win_claims.UNCLAIMED["not begun"]
    return win_claims.UNCLAIMED["over"] if state.phase is Phase.OVER else None


def judge(state: State, subject: int) -> Judgement:
    """Verdict on a claim that `subject` (from 0) has won.

    A subject is a player. All cards that matter lie open.
    """
    wanted = kings_to_win(state.players)
    coming = state.phase is Phase.RETURN and subject == state.turn
    return win_claims.win_judgement(
        _kings(state.kings[subject]),
        _kings(wanted),
        terms.SECTIONS[END],
        won=state.kings[subject] >= wanted,
        waits=coming and state.kings[subject] + 1 >= wanted,
    )


def _claimed(state: State, player: int) -> Message:
    kind = win_claims.MESSAGE_OF[judge(state, player).verdict]
    has, wanted = _kings(state.kings[player]), _kings(kings_to_win(state.players))
    return _message(kind, who=named(player + 1), has=has, wanted=wanted)


def _kings(number: int) -> Text:
    return plural("{n} king", "{n} kings", n=number) if number else text("no kings")


def _willow(before: State, after: State) -> Message:
    slept = [
        player for player in range(before.players) if len(after.asleep[player]) > len(before.asleep[player])
    ]
    return _message("willow", other=_other(slept[0])) if slept else _message("willow no")


def headline(outcome: Outcome) -> Headline:
    """The winner of a finished game in few words, for large letters and for one line."""
    assert isinstance(outcome.text, Text)
    who, kings = outcome.text.values["won"], _kings(outcome.score or 0)
    return Headline(who, kings, HEADLINE.of(who=who, kings=kings))


def difference(state: State, found: Difference) -> str:
    """Sentence that asks people to put right the cards of a place that differ from the state."""
    extra, missing = (_things(kinds, state.parts) for kinds in (found.extra, found.missing))
    return differs(_place_name(found.place), extra, missing)


def _place_name(zone: str) -> str:
    where, _, number = zone.rpartition(" ")
    match where:
        case "companion":
            return text("On place {number} of the grid", number=number)
        case "player":
            return text("In the realm of {who}", who=_other(int(number) - 1))
    return text("On the discard pile")


def _things(kinds: tuple[str, ...], parts: Parts) -> str:
    return listed([*_named(kinds, parts)])


def _named(kinds: tuple[str, ...], parts: Parts) -> Iterator[Text]:
    for kind in kinds:
        if kind == UNKNOWN_KIND:
            yield terms.unread()
        elif kind in KIND_OF_TEXT:
            yield terms.one(KIND_OF_TEXT[kind], parts)
        elif kind in KNIGHT_OF_KIND:
            yield text("the {colour} knight", colour=terms.colour(KNIGHT_OF_KIND[kind], parts))
        else:
            yield text("a king") if kind == "KI" else text("the die")
