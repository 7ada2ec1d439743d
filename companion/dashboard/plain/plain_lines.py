"""Every fact of the screens in plain lines: for a screen reader, a braille line or an ear."""

from collections.abc import Iterable, Sequence

from companion.core.board_state import BoardState
from companion.core.language import listed, localized, plural, text, tr
from companion.core.sensor_terms import place_name, sensor_name
from companion.dashboard.labels import ANSWERS, BADGES, OPEN_CLAIM, begun, title, variant_title, with_colon
from companion.dashboard.model import Link, PublicModel
from companion.dashboard.player_names import NOBODY_NAMED, PlayerNames
from companion.dashboard.screens.position_screen import LETTERS
from companion.dashboard.widgets.table_panels import ENDED, FOREIGN, GONE, NOT_THERE, STARTED_AGAIN, starting
from companion.session.stream.events import (
    Advice,
    CardView,
    Claimed,
    ClaimHeard,
    Event,
    Goodbye,
    LessonView,
    Names,
    PlaceView,
    Position,
    Question,
    Refused,
    Said,
    Score,
    SensorHealth,
    SensorView,
    Signals,
    StationView,
    Table,
    Welcome,
)
from companion.session.stream.virtual_table_events import TableState, WorldEvent, YourTurn

BOARD_STATES = {
    "connected": text("connected"),
    "connecting": text("connecting"),
    "lost": text("lost"),
}
"""BOARD_STATES: state of the link to the board -> its word for people."""


def event_lines(event: Event, model: PublicModel, before: Table | None) -> list[str]:
    """Lines of text on what an engine's event tells people.

    `model` has already taken the event. `before`: table before the event; None for none. For a table: only
    lines that have changed. [] if there is nothing to tell.
    """
    names = model.names
    match event:
        case Welcome():
            return _welcome(event, names)
        case Table():
            old = [] if before is None else news_of(before, names)
            goes_on = before is not None and before.paused and not event.paused
            again = [tr("The companion watches again.")] if goes_on else []
            return [*again, *_changed(news_of(event, names), old)]
        case Said():
            return [names.put_into(event.text)]
        case ClaimHeard():
            # A claim of a win is a question already; no full stop follows it.
            return [tr("A claim was heard: {claim}", claim=names.put_into(event.name))]
        case Claimed():
            shown = [tr("Show the camera {cards}.", cards=event.show)] if event.show else []
            return [names.put_into(line) for line in (event.text, *event.reasons)] + shown
        case Question():
            return question_lines(event, names)
        case SensorHealth():
            return [sensor_line(event)]
        case Names():
            return [tr("The players are {names}.", names=listed(_players(model)))]
        case Score():
            return score_lines(event, names)
        case Advice():
            return _advice(event, names)
        case Position():
            return position_lines(event, names)
        case SensorView():
            return sensed_lines(event, names)
        case Signals():
            return _signals(event)
        case Refused() | Goodbye():
            return [names.put_into(event.text)]
    return []


def table_lines(table: Table, names: PlayerNames) -> list[str]:
    """Lines of text on everything public on the table.

    Places, cards, piles, hands, what may be done, and sentences that are not yet certain. `names` replace the
    players' numbers.
    """
    states = [_state(place) for place in table.places]
    lines = [line for line in news_of(table, names) if line not in states]
    lines += [line for place in table.places if (line := _place(place, names))]
    if table.played:
        lines.append(tr("Played: {cards}", cards=_cards(table.played)))
    for pile in table.piles:
        words = [_count(pile.count), *([tr("of {full}", full=pile.full)] if pile.full is not None else [])]
        words += [tr("on top {card}", card=pile.top.name)] if pile.top else []
        lines.append(f"{with_colon(pile.name)} {', '.join(words)}")
    for player, cards in enumerate(table.hands, 1):
        lines.append(f"{with_colon(names.name(player))} {_count(cards)}")
    lines += [tr("Not now: {why}", why=names.put_into(line)) for line in table.may_not]
    lines += perhaps_lines(table, names)
    return lines if table.settled else [*lines, tr("A hand is over the table.")]


def perhaps_lines(table: Table, names: PlayerNames) -> list[str]:
    """Lines on actions that may still be revised, oldest first."""
    return [tr("Perhaps: {what}", what=names.put_into(line)) for line in table.provisional]


def sensor_line(health: SensorHealth) -> str:
    """Line on one sensor: whether it works, works in part or fails, and why."""
    state = tr("works") if health.ok else tr("works in part") if health.works else tr("fails")
    return (
        f"{with_colon(localized(sensor_name(health.source)))} {', '.join(filter(None, (state, health.detail)))}"
    )


def sensor_lines(model: PublicModel) -> list[str]:
    """Lines on all sensors, the board's link, lamps and beeper.

    If no sensor was heard, one line says so.
    """
    lines = [sensor_line(one) for one in model.health.values()]
    if model.board is not None:
        lines += _board(model.board)
    if model.signals is not None:
        lines += _signals(model.signals)
    return lines or [tr("No sensor was heard yet.")]


def score_lines(score: Score, names: PlayerNames) -> list[str]:
    """Lines on the final score: result, points, turns, places."""
    told = [_as_sentence(score.headline), score.counted, score.line, score.text]
    after = localized(plural("after {n} turn", "after {n} turns", n=score.turns))
    points = "" if score.score is None else tr("{score} of {out_of}", score=score.score, out_of=score.out_of)
    told += [", ".join(filter(None, (points, after)))]
    return [names.put_into(line) for line in dict.fromkeys(filter(None, told))] + [
        line for place in score.places if (line := _place(place, names))
    ]


def position_lines(position: Position, names: PlayerNames) -> list[str]:
    """Lines on the cards that sensors see on the table.

    They are shown before a person takes them as the true position. Statements to confirm begin with their
    letter. If the sensors cannot tell, the only line is the reason.
    """
    if position.problem:
        return [names.put_into(position.problem)]
    who = [tr("{who} goes on.", who=names.name(position.player))] if position.player else []
    rows = [f"{with_colon(row.name)} {_cards(row.cards)}" for row in position.rows]
    lines = [names.put_into(line) for line in position.lines]
    asked = zip(LETTERS, (*position.unseen, *position.judged), strict=False)
    lines += [f"{letter}: {names.put_into(one.text)}" for letter, one in asked]
    return [*who, *rows, *(line for place in position.places if (line := _place(place, names))), *lines]


def sensed_lines(view: SensorView, names: PlayerNames) -> list[str]:
    """Lines on what camera and board sense, without picture.

    One for each zone of the mat with the cards read there, and one for each station that senses something;
    `view.why` follows if it is not empty.
    """
    lines = [
        f"{with_colon(names.put_into(localized(place_name(zone.name))))} {', '.join(zone.cards)}"
        for zone in view.zones
    ]
    lines += [
        f"{with_colon(localized(place_name(one.name)))} {', '.join(words)}"
        for one in view.stations
        if (words := _station(one))
    ]
    return [*lines, *filter(None, [view.why])]


def _station(one: StationView) -> list[str]:
    words = [] if one.cards is None else [tr("{number} cards", number=round(one.cards, 1))]
    if one.cards is None and one.loaded is not None:
        words.append(tr("loaded") if one.loaded else tr("empty"))
    parts = ((tr("touch"), one.touched), (tr("tag"), one.tag), (tr("pressed"), one.pressed))
    return words + [name for name, on in parts if on]


def state_lines(model: PublicModel) -> list[str]:
    """Line on what is unusual, such as that no engine answers; [] if all is well.

    At most one line: the most important state.
    """
    if model.foreign:
        return [localized(FOREIGN)]
    if model.ended:
        return [localized(ENDED)]
    if model.link is Link.WAITING:
        return [starting(model) or localized(NOT_THERE.of(command=model.command))]
    if model.link is Link.LOST:
        return [localized(STARTED_AGAIN if model.started else GONE.of(command=model.command))]
    if model.welcome is None and model.bad_lines:
        return [tr("Something answers, but not in the words of an engine.")]
    return [waiting] if (waiting := starting(model)) else []


def lesson_lines(lesson: LessonView) -> list[str]:
    """Lesson in three lines: title, text, section of the rulebook."""
    return [tr("LEARN: {title}", title=lesson.title), lesson.text, lesson.section]


def world_lines(
    event: WorldEvent,
    before: TableState | None,
    turn: YourTurn | None = None,
    names: PlayerNames = NOBODY_NAMED,
) -> list[str]:
    """Lines for people on an event of the virtual table.

    `before`, `turn`: state of the virtual table, and private view of the
    seat, before the event; None for none. Only lines that have changed.
    """
    match event:
        case TableState():
            return _changed(_players_state(event), [] if before is None else _players_state(before))
        case YourTurn():
            lines = _changed(_hand_lines(event), [] if turn is None else _hand_lines(turn))
            if turn is None or event.actions != turn.actions:
                lines += _choices(event)
            return [names.put_into(line) for line in lines]
        case Refused() | Goodbye():
            return [event.text]
    return []


def seat_lines(turn: YourTurn, names: PlayerNames = NOBODY_NAMED) -> list[str]:
    """Private lines for the person in a seat: cards in hand, new facts, choices.

    Each choice begins with the number (from 1) to type.
    """
    return [names.put_into(line) for line in (*_hand_lines(turn), *_choices(turn))]


def _hand_lines(turn: YourTurn) -> list[str]:
    hand = [tr("Your hand: {cards}", cards=_cards(turn.hand))] if turn.hand else []
    return [*hand, *turn.learned]


def _choices(turn: YourTurn) -> list[str]:
    if not turn.actions:
        return []
    many = plural("Choose: there is {n} choice.", "Choose one of {n} by its number.", n=len(turn.actions))
    return [localized(many), *(f"{number}: {begun(action)}" for number, action in enumerate(turn.actions, 1))]


def _welcome(welcome: Welcome, names: PlayerNames) -> list[str]:
    players = localized(plural("{n} player", "{n} players", n=welcome.players))
    lines = [
        *filter(None, [welcome.table]),
        f"{title(welcome.game)}, {variant_title(welcome.variant)}, {players}",
    ]
    if welcome.names:
        lines.append(tr("The players are {names}.", names=listed([*filter(None, welcome.names)])))
    return lines if welcome.kept else [*lines, tr("Nothing of this game is kept.")]


def _call(table: Table, names: PlayerNames) -> str:
    """Line on what must be done next, and by which player."""
    who = names.name(table.player) if table.player else ""
    call = _as_sentence(table.call or table.title)
    return f"{with_colon(who)} {call}" if who else call


def news_of(table: Table, names: PlayerNames) -> list[str]:
    """Lines on a table that are printed after each change.

    Turn, what to do, what is allowed, open cards, states of places, turns left, claims that wait, a pause.
    """
    lines = [tr("Turn {n}", n=table.turn)] if table.turn else []
    lines.append(_call(table, names))
    if table.within:
        lines.append(tr("It is in the turn of {who}.", who=names.within(table.within)))
    lines += [names.put_into(line) for line in (*table.may, table.put_right) if line]
    empty = tr("empty")
    lines += [f"{with_colon(row.name)} {_cards(row.cards) or empty}" for row in table.rows]
    lines += [line for place in table.places if place.badge and (line := _state(place))]
    if table.last_turns is not None:
        left = plural("{n} turn is left.", "{n} turns are left.", n=table.last_turns)
        lines.append(localized(left) if table.last_turns else tr("This is the last turn."))
    lines += [localized(OPEN_CLAIM.of(claim=claim)) for claim in table.open_claims]
    return [*lines, tr("Paused.")] if table.paused else lines


def _as_sentence(call: str) -> str:
    """Words that screens show in capitals, written as a sentence begins.

    A text that has small letters (German nouns) keeps its capitals.
    """
    return call.capitalize() if call.isupper() else begun(call)


def _state(place: PlaceView) -> str:
    state = localized(BADGES.get(place.badge, "")).lower()
    return f"{with_colon(place.name)} {state}" if place.name and state else ""


def _place(place: PlaceView, names: PlayerNames) -> str:
    """Line on everything public about a place of the table; "" for nothing."""
    # The name of a player's place is what the player has.
    head = names.name(place.player) if place.player else place.name
    words = [place.name] if place.player else []
    words.append(localized(BADGES.get(place.badge, "")).lower())
    if place.count is not None:
        words.append(_count(place.count))
    words += [tr("open: {cards}", cards=listed(list(place.shown)))] if place.shown else []
    if place.progress:
        has, full = place.progress
        told = tr("{has} of {full}", has=has, full=full)
        words += [] if told in place.name or f"{has}/{full}" in place.name else [told]
    words += [tr("can be claimed: {claim}", claim=names.put_into(place.claim))] if place.claim else []
    said = ", ".join(filter(None, words))
    return f"{with_colon(head)} {said}" if head and said else ""


def _count(cards: int) -> str:
    return localized(plural("{n} card", "{n} cards", n=cards))


def _cards(cards: Iterable[CardView]) -> str:
    return ", ".join(card.name for card in cards)


def question_lines(asked: Question, names: PlayerNames) -> list[str]:
    """Lines on the engine's open question, and answering words.

    [] if nothing is asked.
    """
    if not asked.text:
        return []
    words = [_answer(option) for option in asked.options]
    answers = [tr("Type one of: {words}", words=", ".join(words))] if words else []
    return [names.put_into(asked.text), *answers]


def _answer(option: str) -> str:
    """Word to type for an option of a question, with its meaning in brackets.

    `option`: as in Question.options.
    """
    key, label, _ = ANSWERS.get(option, (option, "", ""))
    return f"{key} ({localized(label)})" if label else key


def _advice(advice: Advice, names: PlayerNames) -> list[str]:
    if not advice.hints:
        return [tr("Nobody has to decide anything now.")]
    lines = [tr("Hint for {who}", who=names.within(advice.player))] if advice.player else []
    for hint in advice.hints:
        lines += [names.put_into(line) for line in (hint.text, hint.expects) if line]
    return lines


def _board(board: BoardState) -> list[str]:
    state = localized(BOARD_STATES.get(board.state, board.state))
    lines = [", ".join(filter(None, (tr("Board: {state}", state=state), board.detail)))]
    if board.rtt_ms is not None:
        counted = (board.resends, board.bad_frames, board.reconnects)
        lines.append(
            tr("{ms} ms; sent again {again}, damaged {bad}, new connections {new}", ms=board.rtt_ms,
               again=counted[0], bad=counted[1], new=counted[2])
        )  # fmt: skip
    lines += [tr("Does not answer: {parts}", parts=listed(list(board.missing)))] if board.missing else []
    lines += [tr("The board runs other code: companion flash")] if board.outdated else []
    return [*lines, *([board.said] if board.said else [])]


def _signals(signals: Signals) -> list[str]:
    on, off = tr("on"), tr("off")
    return [tr("Lamps {lamps}, beeper {beeper}", lamps=on if signals.lamps else off,
               beeper=on if signals.beeper else off)]  # fmt: skip


def _players_state(state: TableState) -> list[str]:
    lines = [tr("Speed {speed}", speed=f"{state.speed:g}")]
    if state.waiting:
        lines.append(tr("The players wait for an engine."))
    lines.append(tr("The players are held.") if state.paused else tr("The players play."))
    if state.over:
        lines.append(tr("The game at the virtual table is over."))
    if state.seat:
        lines.append(tr("You are player {n}.", n=state.seat))
    return lines + [tr("Broken: {part}", part=localized(sensor_name(part))) for part in state.broken]


def _changed(now: Sequence[str], before: Sequence[str]) -> list[str]:
    return [line for line in now if line not in before]


def _players(model: PublicModel) -> list[str]:
    return [model.names.name(player) for player in range(1, model.players + 1)]
