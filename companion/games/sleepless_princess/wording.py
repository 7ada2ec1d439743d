"""Sentences of Sleepless Princess: what players did, verdicts, misplaced cards, from public facts alone."""

from collections.abc import Mapping
from functools import lru_cache, partial

from companion.core.language import Text, listed, player, plural, text
from companion.games import table_words
from companion.games.appearance import Difference
from companion.games.claims import Judgement, Verdict
from companion.games.narrator import Message
from companion.games.signs import UNKNOWN_KIND
from companion.games.sleepless_princess import terms
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Know,
    Later,
    Lay,
    Look,
    Move,
    MoveOn,
    Open,
    Play,
    Recount,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import (
    princess_names,
)
from companion.games.sleepless_princess.rules.claim_rules import settled
from companion.games.sleepless_princess.rules.plays import play_value
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, Phase, State
from companion.games.sleepless_princess.sensing.appearance import bed_name


def princess_name(state: State, bed: int) -> str:
    """Name of the princess on a bed (from 0). "" before she is seated."""
    princess = state.princesses[bed]
    return terms.princess(princess) if princess >= 0 else ""


def hidden_layout(state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
    """Secret: station, e.g. "bed 1" -> mattresses there as (slot, name), bottom first.

    A slot is a mattress's number in the order of dealing, from 0.
    """
    return _layout(state.beds, state.faces, princess_names())


# Cached, because thousands of hypotheses a minute share few layouts. `names` is part of the cache key.
@lru_cache(maxsize=1 << 10)
def _layout(
    beds: tuple[tuple[int, ...], ...], faces: tuple[int, ...], names: tuple[str, ...]
) -> Mapping[str, tuple[tuple[int, str], ...]]:
    return {
        bed_name(bed): tuple((slot, terms.mattress(faces[slot])) for slot in slots)
        for bed, slots in enumerate(beds)
    }


def claimable(state: State, subject: int) -> str | None:
    """Why bed `subject` (from 0) is not claimable now.

    A sentence for people; None if it can be claimed.
    """
    if not 0 <= subject < len(state.beds):
        return text("There is no bed {number}.", number=subject + 1)
    if state.phase in (Phase.SETUP, Phase.FINAL, Phase.OVER):
        over, not_yet = text("The game is over: nothing can be claimed."), text("Nothing can be claimed yet.")
        return not_yet if state.phase is Phase.SETUP else over
    if state.fates[subject] != AWAKE:
        return text("{name} is not awake any more.", name=princess_name(state, subject))
    return None


def judge(state: State, subject: int) -> Judgement:
    """Verdict on the claim that the princess of bed `subject` (from 0) sleeps, from known faces.

    Its words depend only on verdict and number of mattresses, because nobody has seen the faces yet.
    """
    needed, lying = state.game.variant.mattresses_per_bed, len(state.beds[subject])
    hers = settled(state, subject) if lying == needed else None
    return _judgement(princess_name(state, subject), lying, needed, hers)


@lru_cache(maxsize=1 << 8)
def _judgement(name: str, lying: int, needed: int, hers: bool | None) -> Judgement:
    """The verdict in words on a bed with `lying` mattresses, of which the princess needs `needed`.

    `hers`: True if all of them are hers, False if not, None if nobody knows.
    """
    show = text("the mattresses in the bed of {name}", name=name)
    if lying != needed:
        lie = plural(
            "1 mattress lies on the bed of {name}; she needs {needed}.",
            "{n} mattresses lie on the bed of {name}; she needs {needed}.",
            n=lying,
            name=name,
            needed=needed,
        )
        return Judgement(Verdict.REFUTED, (lie,), show, counted=True)
    if hers is None:
        return Judgement(Verdict.CANNOT_TELL, (text("I do not know all that lies there."),), show)
    if not hers:
        both, some = text("Not both mattresses are hers."), text("Not all {needed} mattresses are hers.")
        return Judgement(Verdict.REFUTED, (both if needed == 2 else some.of(needed=needed),), show)
    both, every = text("Both mattresses are hers."), text("All {needed} mattresses are hers.")
    return Judgement(Verdict.PROVED, (both if needed == 2 else every.of(needed=needed),), show)


MESSAGES = {
    "seat": text("Bed {bed} belongs to {name}."),
    "dealt": text("All mattresses are dealt."),
    "witch opened": text("A witch! The open cards are swept away."),
    "begin": text("The game begins."),
    "discard": text("{who} discards {cards}."),
    "play": text("{who} plays {groups}."),
    "play, one look": text("{who} plays {groups}. One look through the glass."),
    "play, two looks": text("{who} plays {groups}. Two looks through the glass."),
    "skip": text("{who} skips."),
    "touch": text("{who} feels the bottom mattress in the bed of {name}."),
    "look": text("{who} looks under the bed of {name}."),
    "move, same bed": text("{who} lays it on top of the same bed."),
    "move": text("{who} moves it from the bed of {name} to the bed of {target}."),
    "moved on": text("The top mattress of {name} goes on to the bed of {target}: it belongs there now."),
    "take": text("{who} takes {card}."),
    "draw": text("{who} draws from the deck."),
    "witch drawn": text("{who} draws a witch! The open cards are swept away."),
    "sleeps": text("{name} sleeps sweetly!"),
    "stays awake": text("{name} stays awake and leaves the game."),
    "final, some": plural("Final check: {names} asleep.", "Final check: {names} asleep."),
    "final, none": text("Final check: nobody else sleeps."),
}
"""Message id -> its sentence."""
_message = partial(table_words.message, MESSAGES)
_BONUS = ("play", "play, one look", "play, two looks")


def _play_words(action: Play) -> str:
    value = play_value(action) or 0
    return text("{groups}", groups=[terms.group(group, action.covered, value) for group in action.groups])


def message(before: State, action: Action, after: State) -> Message | None:  # noqa: C901 - a case for each action
    """Sentence that tells everybody of an action; None for none.

    `before`, `after`: states around the action.
    """
    who = player(before.turn + 1)
    match action:
        case Seat(bed, _):
            return _message("seat", name=princess_name(after, bed), bed=str(bed + 1))
        case Lay() if len(after.faces) == before.game.variant.beds * before.game.variant.mattresses_per_bed:
            return _message("dealt")
        case Open() if len(after.discard) > len(before.discard):
            return _message("witch opened")
        case Open() if before.phase is Phase.SETUP and after.phase is not Phase.SETUP:
            return _message("begin")
        case Discard(cards):
            return _message("discard", who=who, cards=listed([terms.one(kind) for kind in cards]))
        case Play():
            return _message(_BONUS[after.looks], who=who, groups=_play_words(action))
        case Skip():
            return _message("skip", who=who)
        case Touch(bed):
            return _message("touch", who=who, name=princess_name(before, bed))
        case Look(bed):
            return _message("look", who=who, name=princess_name(before, bed))
        case Move(source, target) if source == target:
            return _message("move, same bed", who=who)
        case Move(source, target):
            source_name, target_name = princess_name(before, source), princess_name(before, target)
            return _message("move", who=who, name=source_name, target=target_name)
        case MoveOn(source, target):
            source_name, target_name = princess_name(before, source), princess_name(before, target)
            return _message("moved on", name=source_name, target=target_name)
        case Take(kind):
            return _message("take", who=who, card=terms.the_open(kind))
        case Deck() if after.discard and len(after.discard) > len(before.discard):
            return _message("witch drawn", who=who)
        case Deck(None):
            return _message("draw", who=who)
        case Claim(bed):
            word = "sleeps" if after.fates[bed] == ASLEEP else "stays awake"
            return _message(word, name=princess_name(after, bed))
        case Final():
            return _fallen_asleep(before, after)
    return None


def _fallen_asleep(before: State, after: State) -> Message:
    """Sentence about the end of the game: which princesses sleep who were awake `before`."""
    newly = [
        princess_name(after, bed)
        for bed, fate in enumerate(after.fates)
        if fate == ASLEEP and before.fates[bed] == AWAKE
    ]
    if not newly:
        return _message("final, none")
    return _message("final, some", names=listed(newly), n=len(newly))


def untold(before: State, action: Action) -> str:
    """Words for an action without a `message`, shown when a player takes it back.

    They name no hidden card.
    """
    who = player(before.turn + 1)
    match action:
        case Lay(bed, _):
            return text("A card is dealt to the bed of {name}.", name=princess_name(before, bed))
        case Open(card) if card is not None:
            return text("{Card} is turned up for the open row.", card=terms.one(card))
        case Open():
            return text("A card is turned up for the open row.")
        case Done() | Later() if before.phase is Phase.CHECK:
            return text("{who} begins to draw.", who=who)
        case Deck():
            return text("{who} draws from the deck.", who=who)
        case Done() | Later():
            return text("{who} ends the turn.", who=who)
        case Know():
            return text("A hidden card was noted.")
        case Recount():
            return text("The deck was counted anew.")
    return ""


PLACES = {
    "row": text("On the open row"),
    "play": text("On the play zone"),
    "discard": text("On the discard pile"),
    "glass": text("On the place of the looking glass"),
}
"""Zone of open cards -> its words at the beginning of a sentence."""
LEFT_ON_PAD = text("A mattress still lies on the pad.")
_THINGS = {
    "B": plural("a blanket", "{n} blankets"),
    "W": plural("a witch", "{n} witches"),
    "G": plural("a looking glass", "{n} looking glasses"),
    UNKNOWN_KIND: plural("a mattress", "{n} mattresses"),
}


def difference(state: State, found: Difference) -> str:
    """Sentence that asks people to put right the cards of a place that differ from the state."""
    if found.place == "pad":
        return LEFT_ON_PAD
    return table_words.difference(_place(state, found.place), _things(found.extra), _things(found.missing))


def _place(state: State, zone: str) -> str:
    if zone in PLACES:
        return PLACES[zone]
    where, _, number = zone.rpartition(" ")
    name = princess_name(state, int(number) - 1)
    if where == "bed":
        return text("On the bed of {name}", name=name)
    return text("On the foot of the bed of {name}", name=name)


def _things(kinds: tuple[str, ...]) -> str:
    things = [_thing(kind) for kind in kinds]
    return listed([thing.of(n=things.count(thing)) for thing in dict.fromkeys(things)])


def _thing(kind: str) -> Text:
    if kind[0] == "P":
        return plural("a tile of {name}", "{n} tiles of {name}", name=terms.princess(int(kind[1:-1])))
    if kind.isdigit():
        return _numbers(int(kind))
    return _THINGS.get(kind, _THINGS[UNKNOWN_KIND])


def _numbers(value: int) -> Text:
    """Sentence part on cards of a value, singular and plural: "a 5", "2 cards of value 5"."""
    one_eight, more = plural("an 8", "{n} cards of value 8"), plural("a {card}", "{n} cards of value {card}")
    return one_eight if value == 8 else more.of(card=value)


def corrected(state: State, bed: int, verdict: Verdict) -> str:
    """Sentence: turned up mattresses changed the verdict on a bed (from 0) to `verdict`."""
    name = princess_name(state, bed)
    if verdict is Verdict.PROVED:
        return text("The cards show otherwise: {name} sleeps after all.", name=name)
    return text("The cards show otherwise: {name} does not sleep.", name=name)
