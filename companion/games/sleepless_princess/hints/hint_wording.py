"""Hints in sentences a child understands. Everything said follows from the option and the team's knowledge."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.language import listed, plural, text
from companion.games.hint_words import Often
from companion.games.sleepless_princess.hints.bed_plan import LIKELY, BedPlan
from companion.games.sleepless_princess.hints.hand_options import prospects, to_be_taken
from companion.games.sleepless_princess.hints.hand_tables import without
from companion.games.sleepless_princess.hints.ranked_options import Option
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge, kinds
from companion.games.sleepless_princess.rules.actions import Claim, Discard, Look, Move, Play, Take, Touch
from companion.games.sleepless_princess.rules.cardsets import Cards
from companion.games.sleepless_princess.rules.plays import play_table, plays_for
from companion.games.sleepless_princess.rules.state import VARIANTS
from companion.games.sleepless_princess.terms import card, group, princess

SURE = 0.9999
"""From this chance on nothing is said of doubts."""
EQUAL, NEAR = 0.005, 0.1
"""Checks by which a choice may be behind the best one to be as good, or nearly as good."""
_BONUS = {
    "play-0": text("Play {groups}: then you may touch a mattress."),
    "play-1": text("Play {groups}: then you may touch a mattress and look once through the glass."),
    "play-2": text("Play {groups}: then you may touch a mattress and look twice through the glass."),
}

_BRINGS = {
    "play-0": text("Play {groups}: {behind}, for a touch."),
    "play-1": text("Play {groups}: {behind}, for a touch and a look."),
    "play-2": text("Play {groups}: {behind}, for a touch and two looks."),
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
    "cycle": text("Does anything above it belong elsewhere? How does that come to the bottom?"),
    "clear": text("May somebody need what lies above it? How does that come to the bottom?"),
    "away": text("Does anybody still need it? Where is it in nobody's way?"),
    "done-used": text("Is there anything left to check with?"),
    "done": text("Is there anything left that is worth checking this turn?"),
}
"""A nudge for every reason: a direction, never the move."""

_RULES = {
    "play": text(
        "Play three groups of equal value (sums give looks, a blanket may help) or discard one or two."
    ),
    "check": text("Touch once, look as often as you made sums, and put what you checked on top of any bed."),
    "draw": text("Draw up to five cards, one at a time, from the open row or the deck."),
    "lay": text("Lay cards open until there are five."),
    "final": text("Turn up the mattresses of every princess still awake."),
}
_RULES_WITHOUT_GLASS = {
    **_RULES,
    "play": text("Play three equal cards (a blanket may help) or discard one or two."),
    "check": text("Touch once, and put what you touched on top of any bed."),
}


_MOVABLE = text("Do you remember what lies at the bottom of the beds? Can one of them be moved?")
"""A nudge towards checking what is known already, so that it can be moved."""
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
"""Why a mattress is worth a touch of which nothing is known."""
_HERS = Often(
    text("Put it on the {name} bed: it is hers."),
    text("Put it on the {name} bed: it is most likely hers."),
    plural(
        "Put it on the {name} bed: it is most likely hers, about {n} time out of {whole}.",
        "Put it on the {name} bed: it is most likely hers, about {n} times out of {whole}.",
    ),
    text("Put it on the {name} bed: it is most likely hers."),
    text("Put it on the {name} bed: it is most likely hers."),
)


class Said(NamedTuple):
    """What a sentence may speak of."""

    plan: BedPlan
    view: Mapping[str, Any]
    best: Option
    """The choice of cards that is better than all others, which has the best words."""

    @property
    def known(self) -> TeamKnowledge:
        """The team's."""
        return self.plan.known


def name(known: TeamKnowledge, bed: int) -> str:
    """The princess of a bed."""
    return princess(known.princesses[bed])


def rule(variant: str, phase: str) -> str:
    """What may be done in a phase, by the rulebook."""
    return (_RULES if VARIANTS[variant].glass else _RULES_WITHOUT_GLASS).get(phase, "")


def question(option: Option) -> str:
    """A nudge towards an option."""
    verb, _, purpose = option.why.partition("-")
    return _MOVABLE if purpose and verb in ("touch", "look") else _QUESTIONS[option.why]


def sentences(plan: BedPlan, view: Mapping[str, Any], found: Sequence[Option]) -> Iterator[str]:
    """The moves of one decision, best first, and why, each in one sentence; only the first is called best."""
    best = next((option for option in found if not isinstance(option.action, Claim)), None)
    for option in found:
        yield _sentence(Said(plan, view, best or option), option)


def _sentence(said: Said, option: Option) -> str:
    known, action = said.known, option.action
    match action:
        case Claim(bed):
            if option.chance > SURE:
                return text("Claim {name}: her mattresses are all there.", name=name(known, bed))
            return text("Claim {name}: they are most likely all hers.", name=name(known, bed))
        case Play():
            groups = _groups(action)
            if option is said.best:
                return _BONUS[option.why].of(groups=groups)
            return _BRINGS[option.why].of(groups=groups, behind=_behind(said, option))
        case Discard(cards):
            return _discarding(said, option, cards)
        case Take(kind):
            return _taking(said, option, kind)
        case Touch(bed) | Look(bed):
            bottom = (
                text("Touch the bottom mattress of the {name} bed: {why}.")
                if isinstance(action, Touch)
                else text("Look under the {name} bed: {why}.")
            )
            return bottom.of(name=name(known, bed), why=_check(said, option, bed, isinstance(action, Touch)))
        case Move(source, target):
            return _move(said, option, source, target)
    if option.why == "deck":
        return text("Draw from the deck: {why}.", why=_from_deck(said, option))
    return _REGARDLESS[option.why]


def _behind(said: Said, option: Option) -> str:
    """How a choice compares with the best one."""
    gap = said.best.worth - option.worth
    if gap <= EQUAL:
        return text("just as good")
    return text("nearly as good") if gap <= NEAR else text("possible, but not as good")


def _from_deck(said: Said, option: Option) -> str:
    if option is not said.best:
        return _behind(said, option)
    return text("no open card helps you more") if said.view["row"] else text("no card lies open")


def _discarding(said: Said, option: Option, cards: Cards) -> str:
    discarded = _cards(cards)
    if option is not said.best:
        return text("Discard {cards} and draw anew: {why}.", cards=discarded, why=_behind(said, option))
    kept = without(kinds(said.view["hand"]), cards)
    taken = _to_be_taken(said, kept, kinds(said.view["row"]))
    play = _best_play(said, kept, taken)
    if play:
        return text(
            "Discard {cards}, then take the open {taken}: {play}.",
            cards=discarded,
            taken=_cards(taken),
            play=play,
        )
    return plural(
        "Discard {cards} and draw anew: {kept} is better to keep.",
        "Discard {cards} and draw anew: {kept} are better to keep.",
        n=len(kept),
        cards=discarded,
        kept=_cards(kept),
    )


def _taking(said: Said, option: Option, kind: int) -> str:
    take = text("Take the open {card}: {why}.", card=card(kind))
    if option is not said.best:
        return take.of(why=_behind(said, option))
    hand = kinds(said.view["hand"])
    more = _to_be_taken(said, tuple(sorted((*hand, kind))), without(kinds(said.view["row"]), (kind,)))
    play = _best_play(said, hand, (kind, *more))
    if play and more:
        return text("Take the open {card}, then {more}: {why}.", card=card(kind), more=_cards(more), why=play)
    if play:
        return take.of(why=play)
    if hand:
        return take.of(why=text("it goes best with your other cards"))
    return take.of(why=text("no other card is better to begin with"))


def _to_be_taken(said: Said, hand: Cards, row: Cards) -> Cards:
    return to_be_taken(prospects(said.plan, said.view), hand, row, said.view["deck"])


def _best_play(said: Said, hand: Cards, taken: Cards) -> str:
    """What a hand and the cards taken make together, the first of those taken among them; empty if nothing."""
    table = play_table(said.known.variant)
    plays = plays_for(said.known.variant, tuple(sorted((*hand, *taken))))
    best = max(plays, key=lambda play: (table[play].looks, -len(table[play].cards)), default=None)
    if not taken or best is None or any(kind not in table[best].cards for kind in taken):
        return ""
    return text("{cards} make {groups}", cards=_cards(table[best].cards), groups=_groups(best))


def _cards(cards: Cards) -> str:
    return listed([card(kind) for kind in cards])


def _groups(play: Play) -> str:
    value = min(sum(group) for group in play.groups)
    return text("{groups}", groups=[group(one, play.covered, value) for one in play.groups])


def _check(said: Said, option: Option, bed: int, touch: bool) -> str:
    """Why a mattress is worth a check."""
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
            return text("it {felt}, and the glass tells whose it is", felt=_felt(known, felt))
        return text("the glass tells whose it is, even of a smooth one")
    if felt:
        return text("it {felt}, so make sure", felt=_felt(known, felt))
    if chance >= LIKELY:
        return text("it most likely belongs to {name}, so make sure", name=hers)
    return _FINGERS.of(_counted(option.chance))


def _needless(said: Said, slot: int) -> float:
    """The chance that a mattress is of no more use."""
    homes = said.known.homes(slot)
    return 1 - sum(chance for chance, fate in zip(homes, said.plan.fates, strict=True) if fate == "awake")


def _above(said: Said, bed: int) -> str:
    """Why a mattress at home has to make way for those above it."""
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
            text("Put it on top of the {name} bed: it is hers, but {above}.")
            if sure
            else text("Put it on top of the {name} bed: it is most likely hers, but {above}.")
        )
        return put.of(name=own, above=_above(said, source))
    if option.why == "clear":
        put = (
            text("Put it on top of the {name} bed: nobody needs it, but one above it may be needed.")
            if useless
            else text(
                "Put it on top of the {name} bed: most likely nobody needs it, but one above it may be needed."
            )
        )
        return put.of(name=own)
    if option.why == "away":
        put = (
            text("Put it on the {name} bed: nobody needs it, and there it is in nobody's way.")
            if useless
            else text("Put it on the {name} bed: most likely nobody needs it, and there it is in nobody's way.")
        )
        return put.of(name=other)
    return _HERS.of(_counted(option.chance), name=other)


def _counted(chance: float) -> float:
    """A chance without what is too small to be spoken of."""
    return 1.0 if chance > SURE else 0.0 if chance < 1 - SURE else chance


def remembered(known: TeamKnowledge, view: Mapping[str, Any], bed: int, *, counts: bool) -> str:
    """What was found out about a bed, bottom first, and with `counts` how many mattresses lie where."""
    slots = known.beds[bed]
    told = [
        text("{where} {what}", where=_place(at, len(slots), counts=counts), what=what)
        for at, slot in enumerate(slots)
        if (what := _found(known, slot))
    ]
    for seen in known.turned_up:
        if seen.slots <= set(slots) and not seen.slots <= known.seen.keys() and view["fates"][bed] != "asleep":
            faces = [face for face, number in enumerate(seen.copies) for _ in range(number)]
            told.append(text("turned up were {faces}", faces=listed([_face(known, face) for face in faces])))
    if counts:
        told.insert(0, plural("{n} mattress", "{n} mattresses", n=len(slots)))
    return _REMEMBERED[view["fates"][bed]].of(name=name(known, bed), found=told or text("nothing found out"))


_REMEMBERED = {
    "awake": text("{name}: {found}."),
    "asleep": text("{name} (asleep): {found}."),
    "out": text("{name} (out): {found}."),
}


def _face(known: TeamKnowledge, face: int) -> str:
    own = name(known, face // 2)
    return text("the smooth one of {name}", name=own) if face % 2 else own


def _place(at: int, count: int, *, counts: bool) -> str:
    if at == 0:
        return text("the bottom one")
    if not counts:
        return text("one above it")
    return text("the top one") if at == count - 1 else text("number {number} from below", number=at + 1)


def _found(known: TeamKnowledge, slot: int) -> str:
    if slot in known.seen:
        return text("is {face}", face=_face(known, known.seen[slot]))
    felt = known.felt.get(slot, ())
    return _felt(known, felt) if felt else ""


def _felt(known: TeamKnowledge, felt: Sequence[str]) -> str:
    """What fingers named, not what follows from it."""
    first, *others = dict.fromkeys(felt)
    if others:
        return text("felt different each time")
    return text("felt smooth") if first == SMOOTH else text("felt like {name}", name=princess(int(first)))
