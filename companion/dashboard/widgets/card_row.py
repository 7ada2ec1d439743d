"""The open cards side by side as they are printed, and the piles and hands beside them."""

import re
from collections.abc import Sequence

from textual.content import Content

from companion.core.language import localized, plural, tr
from companion.dashboard.labels import fit, padded, with_colon
from companion.dashboard.player_names import PlayerNames, ground, sign
from companion.dashboard.widgets.card_face import SIZES, card_back, card_face, no_card
from companion.dashboard.widgets.card_motion import Frame, lifted, shifted
from companion.session.stream.events import CardView, PileView, RowView, Table

ROW_ROOM = 5
"""ROW_ROOM: number of open cards side by side for which there is room in every game."""
ALIKE = 5
"""ALIKE: number of equal first letters at which two words count as the same (companion, companions)."""
LEAST_NAME = 4
"""LEAST_NAME: least letters to which the name of a pile's top card may be shortened."""
IN_BRACKETS = re.compile(r" \([^)]*\)")
Part = str | tuple[str, str] | Content
"""Part: row of text: a plain one, (words, style), or a Content of Textual."""


def lines(*rows: Part) -> Content:
    """Rows of text joined to one text."""
    return Content("\n").join(Content.assemble(row) for row in rows)


def row_width(size: int, room: int) -> int:
    """Columns that a row of cards takes, with a gap between two of them.

    `size`: index into SIZES. `room`: number of cards.
    """
    return (SIZES[size][0] + 1) * room - 1


def _faces(cards: Sequence[CardView], size: int, height: int) -> list[list[Content]]:
    """Open cards as rows of text, `height` rows each.

    A click on one shows its name.
    """
    return [
        [line.stylize(f"@click=app.card({at})") for line in card_face(card, size, height=height)]
        for at, card in enumerate(cards)
    ]


def rows_of_cards(
    rows: Sequence[RowView],
    size: int,
    height: int,
    others_lie: Sequence[PileView] = (),
    frame: Frame | None = None,
) -> Content:
    """Open cards of the table, as text of `height` rows.

    The first row of cards is drawn under its title; each other row is a line of words. `size`: index into
    SIZES. `others_lie`: piles to draw while the first row has no card, so that the screen is never empty.
    `frame`: picture of a motion, drawn instead of the first row; None for none.
    """
    if not rows:
        return Content("")
    first, *others = rows
    room = row_width(size, max(ROW_ROOM, first.room))
    below = [
        Content.assemble((f"{name} ", "$muted"), (_named(row, room - len(name) - 1), "bold"))
        for row in others
        for name in (with_colon(row.name),)
    ]
    tall = min(SIZES[size][1], height - len(below))
    cards = frame.cards if frame else first.cards
    titled = height - len(below) > tall or not cards
    width = row_width(size, max(first.room, len(cards)))
    title = Content.styled(f"{first.name} ".ljust(width, "─"), "$muted")
    faces = _faces(cards, size, tall)
    if not faces and others_lie:
        return lines(*_piles_drawn(others_lie, size, height - len(below)), *below)
    if not faces:
        return lines(title, "", Content.styled("  " + tr("no open cards"), "$muted"), *below)
    if frame:
        faces = [lifted(face, lift) for face, lift in zip(faces, frame.lifts, strict=True)]
    drawn = [Content(" ").join(face[y] for face in faces) for y in range(tall)]
    if frame:
        drawn = [shifted(row, frame.shift, width) for row in drawn]
    shown = [*([title] if titled else []), *drawn]
    return lines(*shown[: height - len(below)], *below)


def _piles_drawn(piles: Sequence[PileView], size: int, height: int) -> list[Content]:
    """Piles side by side under their names, as rows.

    Each shows its open top card, or a back with the number of cards. `size`: index into SIZES. `height`: rows.
    """
    width, tall = SIZES[size]
    tall = min(tall, height - 1)
    columns = [max(width, len(pile.name) + 1) for pile in piles]
    if sum(columns) + len(columns) - 1 > row_width(size, ROW_ROOM):
        columns = [width] * len(piles)
    names = [
        Content.styled(f"{fit(pile.name, wide - 1)} ".ljust(wide, "─"), "$muted")
        for pile, wide in zip(piles, columns, strict=True)
    ]
    faces = [
        [Content.assemble(row, " " * (wide - width)) for row in _top_of(pile, size, tall)]
        for pile, wide in zip(piles, columns, strict=True)
    ]
    return [Content(" ").join(names), *(Content(" ").join(face[y] for face in faces) for y in range(tall))]


def _top_of(pile: PileView, size: int, height: int) -> tuple[Content, ...]:
    if not pile.count:
        return no_card(size)
    return card_face(pile.top, size, height=height) if pile.top else card_back(pile.count, size)


def short(cards: Sequence[CardView]) -> str:
    """Cards in a few words, such as "3 7 cat".

    Cards with a number show it, all others their name.
    """
    return " ".join(card.kind if card.kind.isdigit() else card.name for card in cards)


def _named(row: RowView, width: int) -> str:
    """Names of the cards in a row, in at most `width` columns; "none" without cards.

    A word that all cards share with the row's name is left out ("companions face up: 8 c, 2 a"). If room is
    short, words in brackets are left out, too.
    """
    words = [card.name.split() for card in row.cards]
    first = words[0][0] if words else ""
    shared = len(first) > ALIKE and all(name[0] == first and name[1:] for name in words)
    if shared and row.name.lower().startswith(first[:ALIKE].lower()):
        said = ", ".join(" ".join(name[1:]) for name in words)
        return fit(said if len(said) <= width else IN_BRACKETS.sub("", said), width)
    return fit(short(row.cards) or tr("none"), width)


def _pile(pile: PileView, width: int) -> Content:
    """Pile as a row of `width` columns: name and number of cards.

    A pile whose full size is known has a bar; another one shows its top card.
    """
    count = f" {pile.count}"
    name = f"{pile.name:<11}"
    if pile.full is None:
        many = localized(plural("1 card", "{n} cards", n=pile.count)) if pile.count else tr("empty")
        top = f"{pile.top.name}, " if pile.top else ""
        said = pile.top.name if pile.top and pile.count == 1 else f"{top}{many}"
        if len(name) + len(said) > width:
            name = f"{pile.name} "
        room = width - len(name)
        if pile.top and len(said) > room > len(count) + LEAST_NAME:
            said = fit(pile.top.name, room - len(count)) + count
        if len(said) > room:
            name, said = fit(pile.name, width - len(count)), count
        return Content.assemble((name, "$muted"), said)
    of = " " + tr("of {number}", number=pile.full)
    if len(name) + len(count) + len(of) > width:
        name, of = fit(pile.name, width - len(count)), ""
    room = max(0, min(24, width - len(name) - len(count) - len(of))) if of else 0
    filled = min(room, -(-pile.count * room // max(1, pile.full)))
    bar = Content.assemble(("█" * filled, "$accent"), ("░" * (room - filled), "$line"))
    return Content.assemble((name, "$muted"), bar, (count, "bold"), of)


def piles(table: Table, names: PlayerNames, width: int, height: int) -> Content:
    """Piles, cards just played, and hands, as text of at most `height` rows.

    Hands show each player's number of cards. `names`: players' names. `width`: columns.
    """
    rows: list[Content] = [_pile(pile, width) for pile in table.piles]
    if table.played:
        cards, title = short(table.played), tr("played").ljust(11)
        title = title if len(title) + len(cards) <= width else ""
        rows.append(Content.assemble((title, "$muted"), (fit(cards, width), "bold")))
    if height - len(rows) >= len(table.hands):
        hands = [_hand(number, count, table, names, width) for number, count in enumerate(table.hands, 1)]
    else:
        chips = Content(" ").join(_chip(number, count, table) for number, count in enumerate(table.hands, 1))
        title = tr("hands") + "  "
        room = width - chips.cell_length
        hands = [Content.assemble((title if len(title) <= room else "", "$muted"), chips)]
    spare = height - len(rows) - len(hands)
    return lines(*rows, *([""] if spare > 0 else []), *hands)


def _hand(player: int, count: int, table: Table, names: PlayerNames, width: int) -> Content:
    """Row of text with a player, and the number of cards in that player's hand.

    The cards are also drawn as backs if `width` columns suffice. `count`: number of cards. The row of the
    player on turn is coloured.
    """
    cards = "▌" * count
    text = f" {sign(player)} {padded(names.name(player), 10)} {cards:<5} {count} "
    if len(text) > width:
        text = f"{sign(player)} {fit(names.name(player), max(3, width - 3 - len(str(count))))} {count}"
    if player == table.player:
        return Content.styled(text[:width], f"bold $state-ink on ${ground(player)}")
    return Content.styled(text[:width], f"${ground(player)}-text")


def _chip(player: int, count: int, table: Table) -> Content:
    if player == table.player:
        return Content.styled(f" {sign(player)}{count} ", f"bold $state-ink on ${ground(player)}")
    return Content.styled(f"{sign(player)}{count}", f"${ground(player)}-text")
