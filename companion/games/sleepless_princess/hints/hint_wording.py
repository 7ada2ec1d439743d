"""Sentences of hints, which a child understands.

They depend only on the option and the team's knowledge.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.language import Text, listed, plural, text
from companion.core.language import sentences as one_after_another
from companion.games import number_words
from companion.games.hint_words import Often, compared
from companion.games.sleepless_princess import terms
from companion.games.sleepless_princess.hints.bed_plan import LIKELY, BedPlan
from companion.games.sleepless_princess.hints.hand_tables import without
from companion.games.sleepless_princess.hints.option_values import prospects, to_be_taken
from companion.games.sleepless_princess.hints.ranked_options import Option
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge, kinds
from companion.games.sleepless_princess.rules.actions import Claim, Discard, Look, Move, Play, Take, Touch
from companion.games.sleepless_princess.rules.card_kinds import BLANKET
from companion.games.sleepless_princess.rules.cardsets import Cards
from companion.games.sleepless_princess.rules.plays import play_table, plays_for
from companion.games.sleepless_princess.rules.state import VARIANTS
from companion.games.sleepless_princess.terms import card, group, princess

SURE = 0.9999
"""From this chance (0 to 1) on a hint mentions no doubt. A guess."""
EQUAL, NEAR = 0.005, 0.1
"""Largest loss (checks: touches or looks) at which a choice is called as good as the best.

EQUAL: "just as good". NEAR: "nearly as good". Guesses.
"""
_BONUS = {
    "play-0": text("Play {groups}: then you may touch a mattress."),
    "play-1": text("Play {groups}: then you may touch a mattress and look once through the glass."),
    "play-2": text("Play {groups}: then you may touch a mattress and look twice through the glass."),
}

_BRINGS = {
    "play-0": text("You could also play {groups}: one touch."),
    "play-1": text("You could also play {groups}: one touch, one look."),
    "play-2": text("You could also play {groups}: one touch, two looks."),
}

_QUESTIONS = {
    "claim": text("Is there a princess who has only her own mattresses by now?"),
    "play-0": text("Do you see three equal cards in your hand, or a blanket that makes them equal?"),
    "play-1": text("Can you add cards up to get three equal numbers? That gives a look through the glass."),
    "play-2": text("Can you make a sum twice? Two sums give two looks through the glass."),
    "discard": text("Would your hand be better with another card? Which one fits the others least?"),
    "skip": text("Is there anything you can play or discard?"),
    "take": text("Is there an open card that goes well with yours?"),
    "deck": text("Do the open cards help you at all, or might the deck have something better?"),
    "touch": text("Which bottom mattress does nobody know yet?"),
    "look": text("Where does the glass tell more than fingers do?"),
    "carry": text("Whose mattress is it? Where does she sleep?"),
    "cycle": text("Is a wrong mattress lying above it? Then move this one to the top."),
    "clear": text("May somebody need a mattress above it? Then move this one to the top."),
    "away": text("Does anybody still need it? Where is it in nobody's way?"),
    "done-used": text("Is there anything left to check with?"),
    "done": text("Is there anything left that is worth checking this turn?"),
}
"""Reason for an option (see `Option.why`) -> a question that points to it without naming it."""

_RULES = {
    "play": text(
        "Play three of equal value: cards, or sums such as 3 and 4 for 7. Each sum gives a look, and one "
        "blanket "
        "may help. Or discard one or two cards."
    ),
    "check": text("Touch once, look as often as you made sums, and put what you checked on top of any bed."),
    "draw": text("Draw from the open row or the deck until you have five cards."),
    "lay": text("Lay cards open until there are five."),
    "final": text("Turn up the mattresses of every princess still awake."),
}
_RULES_WITHOUT_GLASS = {
    **_RULES,
    "play": text("Play three equal cards; one blanket may help. Or discard one or two cards."),
    "check": text("Touch once, and put what you touched on top of any bed."),
}


_MOVABLE = text("Do you remember what lies at the bottom of the beds? Can one of them be moved?")
"""Question that points to a mattress whose owner is known.

It has to be touched or looked at only so that it may be moved.
"""
_REGARDLESS = {
    "skip": text("Skip: there is nothing to play and nothing to draw."),
    "done": text("You are done: another check would tell hardly anything now."),
    "done-used": text("You are done: nothing is left to check with, so put the cards away and draw."),
}


_FINGERS = Often(
    text("nobody knows whose it is; fingers will tell"),
    text("nobody knows whose it is; fingers nearly always tell"),
    plural(
        "nobody knows whose it is; fingers tell about {n} time out of {whole}",
        "nobody knows whose it is; fingers tell about {n} times out of {whole}",
    ),
    text("nobody knows whose it is; fingers hardly ever tell"),
    text("nobody knows whose it is; fingers never tell"),
)
"""Reasons to touch an unknown mattress, by the chance that fingers can tell whose it is."""
_HERS = Often(
    text("Put the bottom mattress of {own} on the bed of {name}: it is hers."),
    text("Put the bottom mattress of {own} on the bed of {name}: it is most likely hers."),
    plural(
        "Put the bottom mattress of {own} on the bed of {name}: it is most likely hers, about {n} time out of "
        "{whole}.",
        "Put the bottom mattress of {own} on the bed of {name}: it is most likely hers, about {n} times out "
        "of {whole}.",
    ),
    text("Put the bottom mattress of {own} on the bed of {name}: it is most likely hers."),
    text("Put the bottom mattress of {own} on the bed of {name}: it is most likely hers."),
)


class Said(NamedTuple):
    """What a hint's sentence is made from.

    `plan`: plan for the beds. `view`: what the player sees.
    """

    plan: BedPlan
    view: Mapping[str, Any]
    best: Option
    """The best option among those that play, discard or draw cards."""

    @property
    def known(self) -> TeamKnowledge:
        """What the team knows."""
        return self.plan.known


def name(known: TeamKnowledge, bed: int) -> str:
    """Name of the princess of a bed (from 0)."""
    return princess(known.princesses[bed])


def rule(variant: str, phase: str) -> str:
    """The sentence on the rule that applies in a phase; "" if none does."""
    return (_RULES if VARIANTS[variant].glass else _RULES_WITHOUT_GLASS).get(phase, "")


def question(option: Option) -> str:
    """Question that points to an option without naming it.

    The question belongs to the help level "nudge".
    """
    verb, _, purpose = option.why.partition("-")
    return _MOVABLE if purpose and verb in ("touch", "look") else _QUESTIONS[option.why]


def sentences(plan: BedPlan, view: Mapping[str, Any], found: Sequence[Option]) -> Iterator[str]:
    """Sentences that recommend options, each with move and reason, in the order of `found`.

    `found`: the options, best first. `plan`: plan for the beds. `view`: what the player sees.
    """
    best = next((option for option in found if not isinstance(option.action, Claim)), None)
    for option in found:
        yield _sentence(Said(plan, view, best or option), option)


def _sentence(said: Said, option: Option) -> str:
    known, action = said.known, option.action
    match action:
        case Claim(bed):
            if option.chance > SURE:
                return text("Say that {name} sleeps: her mattresses are all there.", name=name(known, bed))
            return text("Say that {name} sleeps: her mattresses are most likely right.", name=name(known, bed))
        case Play():
            groups = _groups(action)
            if option is said.best:
                return _BONUS[option.why].of(groups=groups)
            return _behind(said, option, _BRINGS[option.why].of(groups=groups))
        case Discard(cards):
            return _discarding(said, option, cards)
        case Take(kind):
            return _taking(said, option, kind)
        case Touch(bed) | Look(bed):
            bottom = (
                text("Touch the bottom mattress in the bed of {name}: {why}.")
                if isinstance(action, Touch)
                else text("Look under the bed of {name}: {why}.")
            )
            return bottom.of(name=name(known, bed), why=_check(said, option, bed, isinstance(action, Touch)))
        case Move(source, target):
            return _move(said, option, source, target)
    if option.why == "deck":
        return _from_deck(said, option)
    return _REGARDLESS[option.why]


def _behind(said: Said, option: Option, choice: str) -> str:
    """Card choice in words (`choice`), compared with the best option."""
    return compared(choice, said.best.worth - option.worth, EQUAL, NEAR)


def _from_deck(said: Said, option: Option) -> str:
    if option is not said.best:
        return _behind(said, option, text("You could also draw from the deck."))
    if said.view["row"]:
        return text("Draw from the deck: no open card helps you more.")
    return text("Draw from the deck: no card lies open.")


def _discarding(said: Said, option: Option, cards: Cards) -> str:
    discarded = terms.yours(cards)
    put_away = plural(
        "Put away {cards} and draw a new card.",
        "Put away {cards} and draw {n} new cards.",
        n=len(cards),
        cards=discarded,
    )
    if option is not said.best:
        return _behind(said, option, put_away)
    kept = without(kinds(said.view["hand"]), cards)
    taken = _to_be_taken(said, kept, kinds(said.view["row"]))
    play = _best_play(said, kept, taken)
    if play:
        return text("Swap {cards} for {taken}: {play}.", cards=discarded, taken=_open(taken), play=play)
    if not kept:
        return put_away
    names: list[str] = [card(kind) for kind in kept if kind != BLANKET]
    if blankets := [kind for kind in kept if kind == BLANKET]:
        names.append(terms.yours(blankets))
    return one_after_another([put_away, text("Keep {kept}.", kept=listed(names))])


def _taking(said: Said, option: Option, kind: int) -> str:
    take = text("Take {card}: {why}.", card=terms.the_open(kind))
    if option is not said.best:
        return _behind(said, option, text("You could also take {card}.", card=terms.the_open(kind)))
    hand = kinds(said.view["hand"])
    more = _to_be_taken(said, tuple(sorted((*hand, kind))), without(kinds(said.view["row"]), (kind,)))
    play = _best_play(said, hand, (kind, *more))
    if play and more:
        others = listed([terms.the(other) for other in more])
        return text("Take {card}, after it {more}: {why}.", card=terms.the_open(kind), more=others, why=play)
    if play:
        return take.of(why=play)
    if hand:
        return take.of(why=text("it goes best with your other cards"))
    return take.of(why=text("no other card is better to begin with"))


def _open(cards: Cards) -> str:
    """Names of cards in the row: the first "the open ...", the others "the ..."."""
    first, *others = cards
    return listed([terms.the_open(first), *map(terms.the, others)])


def _to_be_taken(said: Said, hand: Cards, row: Cards) -> Cards:
    return to_be_taken(prospects(said.plan, said.view), hand, row, said.view["deck"])


def _best_play(said: Said, hand: Cards, taken: Cards) -> str:
    """The best play of a hand with the cards `taken` added, in words.

    "" unless the play uses all of `taken`.
    """
    table = play_table(said.known.variant)
    plays = plays_for(said.known.variant, tuple(sorted((*hand, *taken))))
    best = max(plays, key=lambda play: (table[play].looks, -len(table[play].cards)), default=None)
    if not taken or best is None or any(kind not in table[best].cards for kind in taken):
        return ""
    value = min(sum(group) for group in best.groups)
    if best.covered is None and all(group == (value,) for group in best.groups):
        return text("then you have three {numbers}", numbers=number_words.numbers(value))
    return text("then you can play {groups}", groups=_groups(best))


def _groups(play: Play) -> str:
    value = min(sum(group) for group in play.groups)
    return text("{groups}", groups=[group(one, play.covered, value) for one in play.groups])


def _check(said: Said, option: Option, bed: int, touch: bool) -> str:
    """Why to touch a bed's (from 0) bottom mattress, or to look at it if not `touch`."""
    known, slot = said.known, said.known.beds[bed][0]
    home, chance = known.home(slot)
    hers = name(known, home)
    match option.why.partition("-")[2]:
        case "carry" if chance > SURE:
            return text("it belongs to {name}, so you can carry it to her", name=hers)
        case "carry":
            return text("it most likely belongs to {name}, so you can carry it to her", name=hers)
        case "cycle":
            return text("move it to the top, as {above}", above=_above(said, bed))
        case "clear":
            return text("move it to the top, as one above it may be needed")
        case "away" if _needless(said, slot) > SURE:
            return text("nobody needs it, so it can go out of the way")
        case "away":
            return text("most likely nobody needs it, so it can go out of the way")
    felt = known.felt.get(slot, ())
    if not touch:
        if felt:
            return text("it {felt}, and the glass tells whose it is", felt=_felt(felt))
        return text("the glass tells whose it is, even of a smooth one")
    if felt:
        return text("it {felt}, so make sure", felt=_felt(felt))
    if chance >= LIKELY:
        return text("it most likely belongs to {name}, so make sure", name=hers)
    return _FINGERS.of(counted(option.chance))


def _needless(said: Said, slot: int) -> float:
    """Chance (0 to 1) that no awake princess needs a mattress."""
    homes = said.known.homes(slot)
    return 1 - sum(chance for chance, fate in zip(homes, said.plan.fates, strict=True) if fate == "awake")


def _above(said: Said, bed: int) -> str:
    """Reason to move a bed's bottom mattress to the top of its bed, in words.

    What lies above is unknown, or not that princess's.
    """
    known = said.known
    above = [slot for slot in known.beds[bed][1:] if not said.plan.settled(bed, slot)]
    foreign = 1 - min(known.homes(slot)[bed] for slot in above)
    if foreign > SURE:
        return text("one above it is not hers")
    if foreign >= LIKELY:
        return text("one above it most likely is not hers")
    if any(known.home(slot)[1] >= LIKELY for slot in above):
        return text("one above it is not known for sure")
    return text("one above it is not known yet")


def _move(said: Said, option: Option, source: int, target: int) -> str:
    known, slot = said.known, said.known.beds[source][0]
    own, other = name(known, source), name(known, target)
    useless, sure = _needless(said, slot) > SURE, option.chance > SURE
    if option.why == "cycle":
        put = (
            text("Put the bottom mattress of {name} on top of her bed: it is hers, but {above}.")
            if sure
            else text(
                "Put the bottom mattress of {name} on top of her bed: it is most likely hers, but {above}."
            )
        )
        return put.of(name=own, above=_above(said, source))
    if option.why == "clear":
        put = (
            text(
                "Put the bottom mattress of {name} on top of her bed: nobody needs it, but one above it may "
                "be needed."
            )
            if useless
            else text(
                "Put the bottom mattress of {name} on top of her bed: perhaps nobody needs it, but one above "
                "it may be needed."
            )
        )
        return put.of(name=own)
    if option.why == "away":
        put = (
            text(
                "Put the bottom mattress of {own} on the bed of {name}: nobody needs it, and there it is in "
                "nobody's way."
            )
            if useless
            else text(
                "Put the bottom mattress of {own} on the bed of {name}: most likely nobody needs it, and "
                "there it is in nobody's way."
            )
        )
        return put.of(own=own, name=other)
    return _HERS.of(counted(option.chance), own=own, name=other)


def counted(chance: float) -> float:
    """A chance (0 to 1), rounded to 0 or 1 where a difference is too small to mention."""
    return 1.0 if chance > SURE else 0.0 if chance < 1 - SURE else chance


def remembered(known: TeamKnowledge, view: Mapping[str, Any], bed: int, *, counts: bool) -> str:
    """Sentences about everything that the team found out about a bed (from 0).

    The bottom mattress comes first. `counts`: they may tell the number of mattresses.
    """
    slots = known.beds[bed]
    told = [
        said
        for at, slot in enumerate(slots)
        if (said := _found(known, slot, bed, _place(at, len(slots), counts=counts)))
    ]
    for seen in known.turned_up:
        if seen.slots <= set(slots) and not seen.slots <= known.seen.keys() and view["fates"][bed] != "asleep":
            faces = [face for face, number in enumerate(seen.copies) for _ in range(number)]
            told.append(text("You have seen: {faces}.", faces=listed([_face(known, face) for face in faces])))
    fate, own = view["fates"][bed], name(known, bed)
    if counts:
        begun: str = _COUNTED[fate].of(n=len(slots), name=own)
        return one_after_another([begun, *(told or [text("Nothing is known of them.")])] if slots else [begun])
    return one_after_another([(_TOLD if told else _UNTOLD)[fate].of(name=own), *told])


_COUNTED = {
    "awake": plural("{name} has 1 mattress.", "{name} has {n} mattresses."),
    "asleep": plural("{name} sleeps on 1 mattress.", "{name} sleeps on {n} mattresses."),
    "out": plural("{name} is out; 1 mattress is there.", "{name} is out; {n} mattresses are there."),
}
_TOLD = {
    "awake": text("This is known of {name}."),
    "asleep": text("{name} sleeps. This is known of her bed."),
    "out": text("{name} is out. This is known of her bed."),
}
_UNTOLD = {
    "awake": text("Nothing is known of {name}."),
    "asleep": text("{name} sleeps. Nothing is known of her bed."),
    "out": text("{name} is out. Nothing is known of her bed."),
}
"""Fate of a princess -> start of the sentence on a bed of whose mattresses nothing is known."""


def _face(known: TeamKnowledge, face: int) -> str:
    own = name(known, face // 2)
    return text("the smooth one of {name}", name=own) if face % 2 else own


def _place(at: int, count: int, *, counts: bool) -> Text:
    if at == 0:
        return text("the bottom one")
    if not counts:
        return text("one higher up")
    return text("the top one") if at == count - 1 else text("number {number} from below", number=at + 1)


def _found(known: TeamKnowledge, slot: int, bed: int, where: Text) -> str:
    """Sentence on everything known of a mattress (`slot`); "" if nothing is.

    `bed`: where it lies (from 0). `where`: its place there in words.
    """
    if slot in known.seen:
        home, smooth = divmod(known.seen[slot], 2)
        if home == bed:
            hers = text("{Where} is smooth, and hers.") if smooth else text("{Where} is hers.")
            return hers.of(where=where)
        theirs = (
            text("{Where} is smooth, and belongs to {name}.") if smooth else text("{Where} belongs to {name}.")
        )
        return theirs.of(where=where, name=name(known, home))
    felt = known.felt.get(slot, ())
    return text("{Where} {felt}.", where=where, felt=_felt(felt)) if felt else ""


def _felt(felt: Sequence[str]) -> str:
    """What fingers felt, in words, without a conclusion."""
    first, *others = dict.fromkeys(felt)
    if others:
        return text("felt different each time")
    return text("felt smooth") if first == SMOOTH else text("felt like {name}", name=princess(int(first)))
