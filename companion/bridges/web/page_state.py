"""The page's content in plain values, from the screens' model.

It is a pure function of the model. It contains no hidden card. The page draws and says nothing by itself:
every word and every picture is made here, in the language of this process. Pictures are rows of pixels, a
letter each, and the names of their colours in the theme.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.language import current, localized, plural, text, tr
from companion.core.sensor_terms import sensor_name
from companion.dashboard.labels import (
    ANSWERS,
    BADGE_GROUNDS,
    BADGES,
    MARKS,
    NEW_GAME,
    OPEN_CLAIM,
    PARTY,
    PARTY_ENDS,
    PROVISIONAL,
    STAYS_SAID,
    TAKE_BACK,
    VERDICT_GROUNDS,
    new_games,
    title,
    variant_title,
    without_paths,
)
from companion.dashboard.model import Link, PublicModel
from companion.dashboard.player_names import PlayerNames, ground, sign
from companion.dashboard.themes import COLOURS, PLAIN
from companion.dashboard.widgets.banner import call_of
from companion.dashboard.widgets.call_pictures import COLOURS as CALL_COLOURS
from companion.dashboard.widgets.call_pictures import PICTURES
from companion.dashboard.widgets.card_face import SYMBOLS, symbol_colours, symbol_pixels
from companion.dashboard.widgets.sleeper_picture import sleeper_colours, sleeper_pixels
from companion.session.stream.events import (
    LOST_TRACK,
    NEXT_PARTY,
    CardView,
    Claimed,
    PileView,
    PlaceView,
    Score,
    Table,
)

Page = dict[str, Any]
"""The web page, or a part of it, as plain values for JSON."""
TAP = text(
    "I have lost track of what was done. I still see what lies open. Tap the answer, and I go on from there."
)
"""Sentence beside the question asked when the engine lost track of the game."""
LOG_LINES = 12
"""Largest number of sentences in the page's log."""


def page_state(model: PublicModel, *, breath: bool = False, claimed: Claimed | None = None) -> Page:
    """What everybody sees of the table, as plain values for the web page.

    Keys: "call" (what to do now), "places", "rows", "piles", "hands" (a list each), "question", "verdict",
    "log", "notes", "sensors", "score", "live" and more; those without content are None or empty. No hidden card
    is in it. `claimed`: verdict to show over the table; None for none. `breath`: the verdict's word is left
    out, in the pause before it.
    """
    names, table = model.names, None if model.foreign else model.table
    live = model.link is Link.LIVE and not model.foreign and not model.ended
    score = model.score if table is not None and table.over else None
    state: Page = {
        "language": current().code,
        "heading": _heading(model),
        "live": live and model.fresh,
        "ended": model.ended,
        "call": _call(model, names),
        "notes": _notes(model, names),
        **(_cards(table, names) if table is not None else _NO_CARDS),
        "may": [],
        "may_not": [],
        "log": _log(model, names),
        "verdict": _verdict(claimed, table, names, breath=breath) if claimed and table else None,
        "score": _score(score, names) if score else None,
        "undo": _undo(table, names),
        "party": _party(table, model),
        **_OF_NO_ENGINE,
    }
    if live:
        state |= {
            "sensors": _sensors(model),
            "question": _question(model, names),
            "advice": _advice(model, names),
            "new_game": _new_game(model) if score else None,
        }
    if table is not None and not model.ended:
        state["may"] = list(map(names.put_into, table.may))
        state["may_not"] = list(map(names.put_into, table.may_not))
    return state


_OF_NO_ENGINE: Page = {"sensors": [], "question": None, "advice": None, "new_game": None}
"""Page entries without an engine: empty, because only a connected one fills them."""
_NO_CARDS: Page = {"places": [], "rows": [], "piles": [], "hands": []}
"""`_cards` without a table."""


def _cards(table: Table, names: PlayerNames) -> Page:
    """What lies on the table, and how many cards each player has."""
    return {
        "places": [_place(view, number, table, names) for number, view in enumerate(table.places, 1)],
        "rows": [
            {"name": localized(row.name), "cards": [_card(card) for card in row.cards]} for row in table.rows
        ],
        "played": [_card(card) for card in table.played],
        "piles": [_pile(pile) for pile in table.piles],
        "hands": [
            {
                **_player(player, names),
                "cards": count,
                "many": _many(count),
                "on_turn": player == table.player,
            }
            for player, count in enumerate(table.hands, 1)
        ],
    }


def page_words() -> dict[str, str]:
    """Texts of the page's own buttons and messages: name used by the page -> text."""
    return {
        "lost": tr("No connection. What you see here is old; play on."),
        "full": tr("Too many screens are connected. Close one of them."),
        "log": tr("What happened"),
        "played": tr("Just played"),
        "colours": tr("Other colours"),
        "mine": tr("My own view"),
        "who": tr("Who are you? Everybody sees that this view is taken."),
        "taken": tr("taken"),
        "leave": tr("Give this view back"),
        "back": tr("Back to the table"),
        "hint": tr("A hint for me alone"),
        "more": tr("More"),
        "cards": tr("My cards"),
        "empty": tr("No cards"),
        "typed": tr("3 3 4 7; empty: none"),
        "camera": tr("They lie in the private corner"),
        "not_you": tr("A hint comes on your turn."),
        "gone": tr("This view has been given back."),
        "claim": tr("Claim"),
        "yes": localized(ANSWERS["yes"][1]),
        "no": localized(ANSWERS["no"][1]),
        "undo": tr("Undo"),
        "new_game": tr("New game"),
        "party": tr("Next party"),
        "pause": tr("Pause"),
        "go_on": tr("Go on"),
        "not_sent": tr("Not sent: no connection."),
        "language": tr("Language"),
    }


def _heading(model: PublicModel) -> str:
    """Heading of the page: table, game, variant and turn. "companion" without a game."""
    hello, table = model.welcome, model.table
    if hello is None or model.foreign:
        return "companion"
    parts = [*filter(None, [hello.table]), title(hello.game), variant_title(hello.variant)]
    if table is not None and table.turn:
        parts.append(tr("turn {n}", n=table.turn))
    return " · ".join(parts)


def _sensors(model: PublicModel) -> list[Page]:
    """Name, state ("ok") and detail of each sensor, sorted by name."""
    return [
        {"name": localized(sensor_name(name)), "ok": one.ok, "detail": without_paths(one.detail)}
        for name, one in sorted(model.health.items())
    ]


def _player(player: int, names: PlayerNames) -> Page:
    """Number (from 1), name, sign and colour of a player."""
    return {"player": player, "name": names.name(player), "sign": sign(player), "ground": ground(player)}


def players(model: PublicModel) -> list[Page]:
    """All players, first player first.

    Each has the keys "player" (number from 1), "name", "sign" and "ground" (name of a colour).
    """
    return [_player(player, model.names) for player in range(1, model.players + 1)]


def hand_cards(model: PublicModel) -> list[Page]:
    """All kinds of cards that a hand may hold; [] before the engine told.

    On a private page the player taps the cards in hand. Each has "kind", "name", "colour" and perhaps
    "picture".
    """
    return [_card(card) for card in model.welcome.hand_cards] if model.welcome else []


def _call(model: PublicModel, names: PlayerNames) -> Page:
    """What to do now, in large letters ("big"), with words above, colour and picture."""
    call = call_of(model, names)
    table = model.table
    paused = table is not None and table.paused and model.link is Link.LIVE
    above = f"{sign(call.player)} {call.above}" if call.player else call.above
    return {
        "big": localized(call.big).upper(),
        "above": "" if paused else localized(above),
        "look": ground(call.player) if call.player else call.look,
        "picture": _picture(PICTURES[call.symbol], CALL_COLOURS) if call.symbol in PICTURES else None,
    }


def _notes(model: PublicModel, names: PlayerNames) -> list[Page]:
    """Sentences about unusual states, such as a failing sensor or a pause.

    Each has "text" and "look": "bad", "warn" or "calm".
    """
    if model.foreign:
        return [_note(tr("Page and engine are of different versions. Update both, start again."), "bad")]
    if model.ended:
        return []  # the call says why
    if model.link is not Link.LIVE:
        return [_no_engine(model, names)]
    notes = [] if model.table is None else _table_notes(model.table, names)
    failing = [one for one in model.health.values() if not one.ok]
    silent = tr("no word from it")
    notes += [
        _note(
            tr("{sensor}: {what}", sensor=sensor_name(one.source), what=without_paths(one.detail) or silent),
            "bad",
        )
        for one in failing
    ]
    return notes


def _no_engine(model: PublicModel, names: PlayerNames) -> Page:
    """Note that no engine answers, yet or any more."""
    waiting = tr("No engine answers yet; this page goes on waiting.")
    gone = tr("The engine is gone, this picture is old. Play on: the page goes on when it is back.")
    said = model.goodbye or (waiting if model.link is Link.WAITING else gone)
    return _note(names.put_into(said), "calm" if model.link is Link.WAITING else "bad")


def _table_notes(table: Table, names: PlayerNames) -> list[Page]:
    """Notes about the game: last turns, a pause, open claims."""
    notes = []
    if table.last_turns is not None and not table.over:
        left = table.last_turns
        notes.append(_note(tr("Last turns: {n} left", n=left) if left else tr("Last turn"), "warn"))
    if table.paused:
        notes.append(_note(tr("The companion is paused."), "warn"))
    claims = (names.put_into(localized(OPEN_CLAIM.of(claim=claim))) for claim in table.open_claims)
    return [*notes, *(_note(claim, "warn") for claim in claims)]


def _note(text: str, look: str) -> Page:
    """A sentence with its look: "bad", "warn" or "calm"."""
    return {"text": text, "look": look}


def _question(model: PublicModel, names: PlayerNames) -> Page | None:
    """The question that is open, with its answers. None without one."""
    asked = model.question
    if not asked.text:
        return None
    answers = [
        {"option": option, "says": localized(ANSWERS[option][1]) if option in ANSWERS else option}
        for option in asked.options
    ]
    # Who may answer there is told to tap.
    tap = {"tap": localized(TAP)} if asked.id == LOST_TRACK else {}
    # What an answer brought is said beside the answers: the log lies further down, out of sight on a phone.
    last = model.said[-1] if model.said else None
    if last is not None and last.kind in ("fault", "notice") and not last.source:
        tap["said"] = names.put_into(last.text)
    return {"id": asked.id, "text": names.put_into(asked.text), "answers": answers} | tap


def _advice(model: PublicModel, names: PlayerNames) -> Page | None:
    """Hints that the engine gave: "level", "who" and "hints".

    None without advice. "who": name of the player, "" for everybody. Each hint has "text" and "expects".
    """
    advice = model.advice
    if advice is None:
        return None
    hints = [{"text": names.put_into(one.text), "expects": names.put_into(one.expects)} for one in advice.hints]
    nobody = [{"text": tr("Nobody has to decide anything now."), "expects": ""}]
    who = names.name(advice.player) if advice.player else ""
    return {"level": advice.level, "who": who, "hints": hints or nobody}


def _place(view: PlaceView, number: int, table: Table, names: PlayerNames) -> Page:
    """A place of the table: number (from 1), name, state in a word, number of cards, claim, cards."""
    colour = view.colour if view.colour in COLOURS else PLAIN
    found: Page = {
        "number": number,
        "name": names.put_into(view.name),
        "word": localized(BADGES.get(view.badge, view.badge.upper())),
        "ground": BADGE_GROUNDS.get(view.badge, ""),
        "count": view.count,
        "claim": names.put_into(view.claim),
        "sure": tr("{claim}?", claim=names.put_into(view.claim)) if view.claim else "",
        "figure": view.figure,
        "shown": [
            {"name": name, "colour": colour if name.lstrip("*") == view.name else PLAIN} for name in view.shown
        ],
        "cards": [_card(card) for card in view.cards],
    }
    if view.player:
        found["player"] = _player(view.player, names)
        found["on_turn"] = view.player == table.player
    if view.progress is not None:
        found["progress"] = list(view.progress)
    if view.figure == "sleeper":
        found["picture"] = _sleeper(view)
    return found


def _sleeper(view: PlaceView) -> Page:
    """Picture of the figure that sleeps at a place, or is awake."""
    pixels = sleeper_pixels(view.badge, view.look, view.count, large=True)
    return _picture(pixels, sleeper_colours(view.colour, view.look))


def _picture(rows: Sequence[str], colours: Mapping[str, str]) -> Page:
    """A picture: "rows" of pixels, a letter each, and "colours": letter -> name in the theme."""
    used = set("".join(rows))
    return {"rows": list(rows), "colours": {pixel: name for pixel, name in colours.items() if pixel in used}}


def _card(card: CardView) -> Page:
    """A card: "kind", "name", "colour" and, if it has one, "picture"."""
    colour = card.colour if card.colour in COLOURS else PLAIN
    found: Page = {"kind": card.kind, "name": card.name, "colour": colour}
    if card.symbol in SYMBOLS and not card.kind.isdigit():
        inks = {pixel: name for pixel, name in symbol_colours(card).items() if pixel != "."}
        found["picture"] = _picture(symbol_pixels(card), inks)
    return found


def _pile(pile: PileView) -> Page:
    """A pile: its name, how many cards it has in words, and its top card or None."""
    top = _card(pile.top) if pile.top else None
    many = f"{pile.count} / {pile.full}" if pile.full is not None else _many(pile.count)
    return {"name": localized(pile.name), "many": many, "top": top}


def _many(count: int) -> str:
    """Number of cards in words."""
    return localized(plural("{n} card", "{n} cards", n=count))


def _log(model: PublicModel, names: PlayerNames) -> list[Page]:
    """The log, newest sentence first, at most LOG_LINES.

    Each has "kind", "mark" and "text". Before all others come what people should put right, and sentences that
    may still be revoked.
    """
    if model.foreign:
        return []
    provisional = model.table.provisional if model.table else ()
    off = model.table.put_right if model.table else ""
    lines = [{"kind": "repair", "mark": MARKS["repair"], "text": names.put_into(off)}] if off else []
    lines += [{"kind": PROVISIONAL, "mark": "", "text": names.put_into(text)} for text in reversed(provisional)]
    lines += [
        {"kind": one.kind, "mark": MARKS.get(one.kind, " ").strip(), "text": names.put_into(one.text)}
        for one in reversed(model.said)
    ]
    return lines[:LOG_LINES]


def _verdict(said: Claimed, table: Table, names: PlayerNames, *, breath: bool) -> Page:
    """The verdict on a claim: "subject", "picture", "told", and its word and reasons.

    In the pause before the verdict (`breath`), word and reasons are left out, and "told" is False.
    """
    place = table.places[said.subject - 1] if said.subject <= len(table.places) else PlaceView(said.name, "")
    badge = "asleep" if said.badge == "asleep" and not breath else "awake"
    pixels = sleeper_pixels(badge, place.look, place.count, large=True)
    found: Page = {
        "subject": names.put_into(said.name),
        "picture": _picture(pixels, sleeper_colours(place.colour, place.look))
        if place.figure == "sleeper"
        else None,
        "told": not breath,
    }
    if breath:
        return found
    return found | {
        "look": VERDICT_GROUNDS.get(said.verdict, "accent"),
        "word": said.text,
        "reasons": [names.put_into(reason) for reason in said.reasons],
        "show": tr("Show the camera {cards}.", cards=said.show) if said.show else "",
        "cards": [
            {"name": name, "colour": place.colour if name.lstrip("*") == place.name else PLAIN}
            for name in place.shown
        ],
    }


def _undo(table: Table | None, names: PlayerNames) -> Page:
    """Button that takes the last action back: "send", "asks" and "answers".

    "send" is the command. Before a verdict is taken back, the question "asks" comes first; it is "" otherwise.
    """
    verdict = table.verdict if table else None
    if verdict is None:
        return {"send": {"c": "undo"}, "asks": "", "answers": []}
    send = {"c": "undo", "verdict": verdict.id}
    answers = [
        {"says": localized(STAYS_SAID), "send": send},
        {"says": localized(ANSWERS["no"][1]), "send": None},
    ]
    return {
        "send": send,
        "asks": localized(TAKE_BACK.of(what=names.put_into(verdict.text))),
        "answers": answers,
    }


def _party(table: Table | None, model: PublicModel) -> Page:
    """Button that begins anew for other people: "send", "asks" and "answers".

    "send" is the command. During a game the question "asks" comes first; it is "" otherwise.
    """
    send = {"c": "next_party", "ends": True}
    if table is None or table.over or not table.turn or model.question.id == NEXT_PARTY:
        return {"send": send, "asks": "", "answers": []}
    answers = [
        {"says": localized(PARTY_ENDS), "send": send},
        {"says": localized(ANSWERS["no"][1]), "send": None},
    ]
    return {"send": send, "asks": localized(PARTY), "answers": answers}


def _new_game(model: PublicModel) -> Page:
    """Question whether a new game lies on the table: "asks" and "answers".

    Each answer has its words ("says") and the command that it sends; None: nothing is sent.
    """
    begins, same = new_games(model.players, model.names)
    answers = [
        {"says": says, "send": {"c": "table_is_right", "player": player, "new_game": True}}
        for player, says in begins
    ]
    return {"asks": localized(NEW_GAME), "answers": [*answers, {"says": same, "send": None}]}


def _score(score: Score, names: PlayerNames) -> Page:
    """Result of a game: headline, what was counted, sentence, score, highest score, turns."""
    return {
        "headline": names.put_into(score.headline),
        "counted": score.counted,
        "text": names.put_into(score.text),
        "score": score.score,
        "out_of": score.out_of,
        "turns": localized(plural("{n} turn", "{n} turns", n=score.turns)),
    }
