"""Hints in a watched game of Sleeping Queens, from the knowledge of the player who decides."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.advice.queens import last_check, nothing_to_tell, shown
from companion.core.errors import BadInputError
from companion.core.language import listed, plural, text
from companion.games.advice import level_of
from companion.games.rules import CHANCE
from companion.games.sleeping_queens.hints.advice import advise
from companion.games.sleeping_queens.hints.player_knowledge import known_state
from companion.games.sleeping_queens.hints.win_network import fitted
from companion.games.sleeping_queens.rules.actions import Action, Defend, DefendLate, Discard, Power, Reveal
from companion.games.sleeping_queens.rules.game_end import points, wins_with
from companion.games.sleeping_queens.rules.hidden_state import spell_out
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    COPIES,
    KIND_OF_TEXT,
    KIND_TEXT,
    NUMBERS,
    UNKNOWN,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import State
from companion.games.sleeping_queens.terms import card as card_name
from companion.games.win_claims import Insist, TakeBack
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_lines import Adopted, Done, Revoked
from companion.session.journal.retold_journal import fold_of, take
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Advice

__all__ = ["answer", "check_told", "last_check", "prepare"]

Held = tuple[tuple[int, ...], ...]
"""For each player: kinds that everybody saw enter the hand, and that are still there."""


def answer(recorded: Recorded, question: AskHint, *, assist: str = "", aloud: bool = False) -> Advice:
    """Hints for the deciding player of a recorded game.

    Empty if chance decides. `question`: level of help, and the player's hand if told. `assist`: highest level
    that the family allows; "": no limit. `aloud`: everybody hears the hints, so a told hand is ignored.
    BadInputError for an unknown level, an impossible hand or an impossible recorded game.
    """
    level = level_of(question.level, assist)
    state, held = _public(recorded)
    player = RULES.actor(state)
    if player == CHANCE:
        return Advice(level.name.lower(), 0, (), 0)
    view = dict(RULES.view(state, player))
    view["hand"] = _hand(view, held, "" if aloud else question.hand)
    found = advise(known_state(view, held), player, level)
    missing = max(0, wins_with(state.players)[1] - points(state.awake[player]))
    hints = tuple(shown(hint) for hint in found.hints)
    return Advice(found.level.name.lower(), player + 1, hints, missing, not aloud)


def prepare(variant: str, players: int, options: Collection[str] = ()) -> None:
    """Load what hints need, so that the first is quick.

    The arguments make no difference.
    """
    fitted()


def check_told(check: None, told: str) -> None:
    """Always BadInputError: no action tells one player alone anything."""
    raise nothing_to_tell(RULES.name, text("ask with your cards: k"))


def _public(recorded: Recorded) -> tuple[State, Held]:
    """(end state, openly held cards) of a recorded game.

    BadInputError for an impossible game.
    """
    lines = fold_of(recorded, RULES.name)
    none: Held = ((),) * recorded.opened.players
    held, before = none, []
    for line in recorded.lines:
        state: Any = lines.state
        take(lines, line)
        match line:
            case Done(_, action):
                before.append(held)
                held = _after(held, state, spell_out(state, RULES.read_action(action)))
            case Revoked(_, n):
                held = before[-n]
                del before[-n:]
            case Adopted():
                held = none
    return lines.state, held


def _after(held: Held, state: State, action: Action) -> Held:
    """Cards held openly after an action.

    A card that a jester turned up comes into a hand, played cards go.
    """
    match action:
        case Insist(forbidden):
            return _after(held, state, forbidden)
        case TakeBack():
            back = (kind for kind in state.played if kind != UNKNOWN)
            return _with(held, state.turn, tuple(sorted((*held[state.turn], *back))))
        case DefendLate(_, owner):
            return _with(held, owner, _without(held[owner], (ANSWER_TO[attacker(state)],)))
        case Reveal(int(kind), None) if kind != UNKNOWN and kind not in NUMBERS:
            return _with(held, state.turn, tuple(sorted((*held[state.turn], kind))))
        case Power(kind):
            return _with(held, state.turn, _without(held[state.turn], (kind,)))
        case Discard(cards) if UNKNOWN in cards:
            return _with(held, state.turn, ())
        case Discard(cards):
            return _with(held, state.turn, _without(held[state.turn], cards))
        case Defend():
            return _with(held, state.acting, _without(held[state.acting], (ANSWER_TO[attacker(state)],)))
    return held


def _with(held: Held, player: int, kinds: tuple[int, ...]) -> Held:
    return (*held[:player], kinds, *held[player + 1 :])


def _without(kinds: Sequence[int], played: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted((Counter(kinds) - Counter(played)).elements()))


def _hand(view: Mapping[str, Any], held: Held, told: str) -> list[str]:
    """Cards of `view`'s player, "?" for an unknown one.

    In the notation, e.g. "7" or "KI". `told`: the hand as typed by the player; "" if not. BadInputError if it
    is no hand, lacks a card that was taken openly, or names one that lies elsewhere.
    """
    player = view["player"] - 1
    size = view["hands"][player]
    public = [KIND_TEXT[kind] for kind in held[player]][:size]
    cards = told.upper().replace(",", " ").split()
    if not cards:
        return [KIND_TEXT[UNKNOWN]] * (size - len(public)) + public
    if len(cards) != size or not set(cards) <= set(KIND_TEXT[1:]):
        example = ["3", "3", "KI", "10", "WA"][:size]
        raise BadInputError(
            plural(
                "{cards} is no hand of {n} card",
                "{cards} is no hand of {n} cards",
                n=size,
                cards=repr(told),
            ),
            next_step=text(
                "name {size}, each 1 to 10, KI, JE, KN, PO, WA or DR, such as {example}",
                size=size,
                example=" ".join(example),
            ),
        )
    if lacking := sorted((Counter(public) - Counter(cards)).elements()):
        raise BadInputError(
            text(
                "these cards are missing from that hand, and all saw you take them: {cards}",
                cards=listed([card_name(KIND_OF_TEXT[one]) for one in lacking]),
            ),
            next_step=text("name all your cards, or undo what was seen wrongly"),
        )
    elsewhere = Counter([*view["discard"], *view["played"]])
    for other, kinds in enumerate(held):
        if other != player:
            elsewhere.update(KIND_TEXT[kind] for kind in kinds)
    for one, number in sorted(Counter(cards).items()):
        kind = KIND_OF_TEXT[one]
        if number > COPIES[kind] - elsewhere[one]:
            raise BadInputError(
                text(
                    "you cannot hold {number} of {card}: all saw where others are, {left} can be yours",
                    number=number,
                    card=card_name(kind),
                    left=COPIES[kind] - elsewhere[one],
                ),
                next_step=text("name your cards again"),
            )
    return sorted(cards, key=KIND_OF_TEXT.__getitem__)
