"""Hints in watched games of Sleepless Princess.

They are computed from the players' knowledge.
"""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from companion.advice.princess_knowledge import (
    Relived,
    check_of,
    check_told,
    last_check,
    relive,
    team_knowledge,
)
from companion.core.errors import BadInputError
from companion.core.language import listed, plural, sentences, text
from companion.games.advice import Hint, Level, level_of
from companion.games.hint_words import Often
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.hints import hint_wording, option_values
from companion.games.sleepless_princess.hints.advice import TeamAdvice, advise
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.public_screen import COUNTING
from companion.games.sleepless_princess.rules.actions import Look, Touch
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, KIND_OF_TEXT, KIND_TEXT, UNKNOWN
from companion.games.sleepless_princess.rules.rulebook import RULES, SILENT
from companion.games.sleepless_princess.rules.state import Phase, State
from companion.games.sleepless_princess.terms import card
from companion.session.journal.journal import Recorded
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Advice, HintView

__all__ = ["answer", "check_told", "last_check", "prepare"]

ASK_FELT = text("What did you feel? Say it first, then I help with what it means.")
"""Question to a player who touched a mattress and has not said what was felt. Asked even if sensors know."""
ASK_SEEN = text("What did the glass show? Say it first, then I help with what it means.")
"""Question to a player who looked through the glass and has not said what was seen. Asked even if sensors
know."""
TELL = text("Tell me your cards, then I can say which of them help you most.")
_LATER = {
    "touch": text("If you can play: {hint}"),
    "look": text("If you get a look through the glass: {hint}"),
}
"""What a hint recommends ("touch" or "look") -> sentence around it while cards must be played first."""
_RIGHT = Often(
    text("That is right for sure."),
    text("That is nearly always right."),
    plural("That is right {n} time out of {whole}.", "That is right {n} times out of {whole}."),
    text("That is hardly ever right."),
    text("That is never right."),
)
_FINGERS_KNOW = Often(
    text("Fingers will know it for sure."),
    text("Fingers nearly always know it."),
    plural("Fingers will know it {n} time out of {whole}.", "Fingers will know it {n} times out of {whole}."),
    text("Fingers hardly ever know it."),
    text("Fingers never know it: it is smooth."),
)
_SURE = {"claim": _RIGHT, "move": _RIGHT, "touch": _FINGERS_KNOW}
"""What a hint recommends ("claim", ...) -> sentences on how likely it succeeds. Other moves cannot fail."""


def answer(recorded: Recorded, question: AskHint, *, assist: str = "", aloud: bool = False) -> Advice:
    """Hints for the player on turn in a recorded game.

    Empty if chance decides. `question`: level of help, and the player's hand if told. `assist`: highest level
    that the family allows; "": no limit. From "memory" on hints tell how many mattresses a bed has. In a silent
    game only what that player knows counts; with `aloud`, only what everybody was shown. BadInputError for an
    unknown level, an impossible hand or another game.
    """
    level = level_of(question.level, assist)
    game = relive(recorded)
    state = game.state
    actor = RULES.actor(state)
    if actor == CHANCE:
        return Advice(level.name.lower(), 0, (), 0)
    if level is Level.NUDGE and (asking := _ask_what_was_found(game)):
        return Advice(level.name.lower(), actor + 1, (HintView(asking),), 0)
    silent = SILENT in recorded.opened.options
    told_by = range(state.game.players) if not silent else () if aloud else (actor,)
    known = team_knowledge(game, told_by)
    view = {**RULES.view(state, actor), "hand": _hand(known, state, question.hand)}
    untold = KIND_TEXT[UNKNOWN] in view["hand"]
    # If people's statements contradict each other, only what sensors saw them find out counts.
    unsaid = game._replace(history=[one._replace(said="") for one in game.history])
    for heard in (known, team_knowledge(unsaid, told_by)):
        with contextlib.suppress(ValueError):
            found = advise(heard, view, level, counts=assist in COUNTING)
            hints = tuple(_without_cards(found, state) if untold else _all_shown(found))
            return Advice(level.name.lower(), actor + 1, hints, found.work_left, silent and not aloud)
    raise BadInputError(
        text("what was seen of the mattresses cannot be so"), next_step=text("undo the last action")
    )


def prepare(variant: str, players: int, options: Collection[str] = ()) -> None:
    """Compute in advance what hints on cards need: 0.2 s."""
    option_values.prepare(variant, players, silent=SILENT in options)


def _shown(hint: Hint, work_left: int, words: str = "") -> HintView:
    expects = _expects(hint, work_left) if hint.action else ""
    return HintView(words or hint.text, hint.action, hint.worth, hint.chance, expects)


def _all_shown(found: TeamAdvice) -> Iterable[HintView]:
    return (_shown(hint, found.work_left) for hint in found.hints)


def _expects(hint: Hint, work_left: int) -> str:
    # A known mattress is checked only to be moved, so nothing is said of what fingers tell.
    verb = hint.action.partition(" ")[0]
    sure = None if verb == "touch" and hint.why != "touch" else _SURE.get(verb)
    still = plural("About {n} more touch or look.", "About {n} more touches and looks.", n=work_left)
    said: list[str] = [still if work_left else text("Nothing is left to check, as far as known.")]
    if sure and hint.chance is not None:
        said.insert(0, sure.of(hint_wording.counted(hint.chance)))
    return sentences(said)


def _ask_what_was_found(game: Relived) -> str:
    """Question to a player who has not said what a touch or look told; "" for none."""
    check = check_of(game)
    if check is None or check.said or not isinstance(check.action, Touch | Look):
        return ""
    # A player who has moved the mattress has already decided.
    if check.before.beds[check.action.bed][0] not in {slot for slot, _ in game.state.checked}:
        return ""
    return ASK_FELT if isinstance(check.action, Touch) else ASK_SEEN


def _without_cards(found: TeamAdvice, state: State) -> Iterable[HintView]:
    """Hints for a player whose hand is unknown.

    Touches and looks come after a play; the last hint asks for the hand.
    """
    if state.phase is Phase.CHECK or found.level in (Level.REFEREE, Level.MEMORY):
        yield from _all_shown(found)
        return
    for hint in found.hints:
        verb = hint.why.partition("-")[0]
        if verb == "claim":
            yield _shown(hint, found.work_left)
        elif state.phase is Phase.PLAY:
            later = _LATER.get(verb) if hint.action else None
            yield _shown(hint, found.work_left, hint.text if later is None else later.of(hint=hint.text))
    yield HintView(TELL)


def _hand(known: TeamKnowledge, state: State, told_by_player: str) -> list[str]:
    """Cards of the player on turn, "?" for an unknown one.

    In the notation, e.g. "7" or "B". `told_by_player`: the hand as typed; "" if not. BadInputError if it is no
    hand, lacks a card that was taken openly, or names one that lies elsewhere.
    """
    size = len(state.hands[state.turn])
    cards = told_by_player.upper().replace(",", " ").split()
    if not cards:
        public = [KIND_TEXT[kind] for kind in sorted(known.held[state.turn])][:size]
        return [KIND_TEXT[UNKNOWN]] * (size - len(public)) + public
    highest = state.game.variant.helpers_up_to
    allowed = {*map(str, range(1, highest + 1)), "B"}
    if not size:
        raise BadInputError(text("the hand is empty now"), next_step=text("ask without one"))
    if len(cards) != size or not set(cards) <= allowed:
        raise BadInputError(
            plural(
                "{cards} is no hand of {n} card",
                "{cards} is no hand of {n} cards",
                n=size,
                cards=repr(told_by_player),
            ),
            next_step=text(
                "name {size}, each 1 to {highest} or B, such as {example}",
                size=size,
                highest=highest,
                example="3 3 B 4 1"[: 2 * size - 1],
            ),
        )
    _check_told(known, [KIND_OF_TEXT[card] for card in cards], state.turn)
    return sorted(cards, key=KIND_OF_TEXT.__getitem__)


def _check_told(known: TeamKnowledge, hand: Sequence[int], player: int) -> None:
    """BadInputError if a told hand contradicts openly seen cards.

    Everybody saw them. `hand`: kinds. `player`: whose hand it is, from 0.
    """
    told, held = Counter(hand), Counter(known.held[player])
    if missing := sorted((held - told).elements()):
        raise BadInputError(
            text(
                "these cards are missing from that hand, and all saw you take them: {cards}",
                cards=listed([card(kind) for kind in missing]),
            ),
            next_step=text("name all your cards, or undo what was seen wrongly"),
        )
    for kind, number in sorted(told.items()):
        left = max(0, known.unseen[kind - 1 if kind < BLANKET else -1]) + held[kind]
        if number > left:
            raise BadInputError(
                text(
                    "you cannot hold {number} cards {card}: all saw where the others are, {left} can be yours",
                    number=number,
                    card=card(kind),
                    left=left,
                ),
                next_step=text("name your cards again"),
            )
