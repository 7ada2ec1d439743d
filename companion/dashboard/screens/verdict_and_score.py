"""Full screens: the verdict on a claim, the final score."""

import textwrap
from collections.abc import Sequence
from functools import partial

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.widgets import Static

from companion.core.language import localized, plural, tr
from companion.dashboard.labels import BADGE_GROUNDS, BADGES, VERDICT_GROUNDS, fit, with_colon
from companion.dashboard.one_switch.scanner import Choice
from companion.dashboard.player_names import PlayerNames, ground
from companion.dashboard.screens.close_once import PassingModal
from companion.dashboard.themed_app import room_of
from companion.dashboard.themes import COLOURS, PLAIN
from companion.dashboard.widgets.big_letters import big, biggest, joined
from companion.dashboard.widgets.pixels import picture, scaled
from companion.dashboard.widgets.place_box import cards_size, place_box
from companion.dashboard.widgets.sleeper_picture import (
    DOZING,
    DROWSY,
    LARGE,
    NODDED_OFF,
    SMALL,
    sleeper_picture,
)
from companion.session.stream.events import Claimed, ClaimHeard, PlaceView, Score, Table

VERDICT_S = 9.0
"""VERDICT_S: time (s) for which a verdict on a claim is shown. A guess."""
BREATH_S = 1.5
"""BREATH_S: pause (s) before the word of a verdict appears; none if motion is off. A guess."""
HEARD_S = 8.0
"""HEARD_S: longest time (s) for which a claim is shown that has no verdict yet. A guess."""
BLINK = ((0.5, DROWSY), (0.7, DOZING), (1.0, DROWSY), (1.2, "awake"))
"""BLINK: faces of the drawn sleeper during the pause before any verdict's word. Each is (time (s) from the
beginning of the pause, face)."""
FALL_ASLEEP = ((0.0, DROWSY), (0.25, DOZING), (0.6, NODDED_OFF), (1.0, "asleep"))
"""FALL_ASLEEP: faces of a drawn sleeper who is proved asleep. Each is (time (s) from the appearance of the
verdict's word, face)."""
REVEAL_S = 0.7
"""REVEAL_S: time (s) between two turned-up cards on the verdict page, which appear one by one. A guess."""
LEAST_ROWS = 22
"""LEAST_ROWS: rows of the verdict page on the smallest terminal. On a larger one, a third of the further rows
is empty above the verdict."""
CARD_ROWS = 4
"""CARD_ROWS: rows of a turned-up card on the verdict page, with an empty row above."""
TALL = 34
"""TALL: least rows of a terminal on which turned-up cards take CARD_ROWS; on a lower one, a single row."""
HUGE = 54
"""HUGE: least rows of a terminal on which the sleepers of a score are drawn large."""
REALM_ROWS = (16, 11, 7)
"""REALM_ROWS: possible numbers of rows for a player's cards on the score page, the greatest first."""
STAR = ("...y...", "...y...", "yyyyyyy", ".yyyyy.", "..yyy..", ".yy.yy.", "yy...yy", ".......")
"""STAR: picture of a star, 7 columns x 8 rows of pixels; `y` is drawn, `.` is transparent."""
MOST_STARS = 5
"""MOST_STARS: greatest possible score that is drawn in stars; beyond it there are none."""


class FullPage(PassingModal[None]):
    """Page over the table that fills the screen; any key or click closes it.

    A function key then does what it does at the table.
    """

    DEFAULT_CSS = """
    FullPage { align: center middle; background: $page; }
    FullPage #frame { width: 100%; height: 100%; content-align: left middle; }
    """

    def compose(self) -> ComposeResult:
        """Yield the page's only widget: one text, empty at first."""
        yield Static(id="frame")

    def on_mount(self) -> None:
        """Write the text of the page for the first time."""
        self.paint()

    def on_resize(self) -> None:
        """Write the page's text for the terminal's new size."""
        self.paint()

    def paint(self) -> None:
        """Write the text that `page` makes for the terminal's size."""
        frames = self.query("#frame")
        if frames:
            frames.first(Static).update(self.page(*room_of(self.app)))

    def page(self, width: int, height: int) -> Content:
        """Text of the page, of `width` columns and `height` rows.

        Subclasses define it; here it raises NotImplementedError.
        """
        raise NotImplementedError

    def choices_now(self) -> list[Choice]:
        """Choice for a person with one switch key: close the page."""
        return [Choice(tr("go on"), self.leave)]

    def on_key(self, event: Key) -> None:
        """Close this page, whichever key was pressed."""
        event.stop()
        event.prevent_default()
        self.leave()
        if event.key.startswith("f") and event.key[1:].isdigit():
            self.app.post_message(Key(event.key, event.character))

    def on_click(self) -> None:
        """Close this page, wherever the click was."""
        self.leave()


def _words(text: str, width: int, rows: int, style: str) -> list[Content]:
    """Text in the biggest fitting letters, as styled rows.

    `style`: of the rows. They take at most `width` - 4 columns and `rows` rows. The text is broken into lines
    if letters can then be bigger. If it does not fit in big letters, it is one plain row.
    """
    whole = biggest(text, width - 4, rows)
    words = text.split(" ")  # a no-break space holds: DORT !
    tall = (rows - len(words) + 1) // max(1, len(words))
    each = min((biggest(word, width - 4, tall) for word in words), default=0)
    if each > whole:
        lines = joined(words, width - 4, each)
        return [Content.styled(row, style) for line in lines for row in (*big(line, each), "")][:-1]
    if whole:
        return [Content.styled(line, style) for line in big(text, whole)]
    return [Content.styled(text, style)]


def _centred(rows: list[Content], width: int) -> Content:
    """Rows of text, each in the middle of `width` columns."""
    return Content("\n").join(
        Content.assemble(" " * max(0, (width - row.cell_length) // 2), row) for row in rows
    )


def _balanced(text: str, width: int) -> list[str]:
    """Text wrapped to as few rows of at most `width` columns as possible.

    The rows are about equally long.
    """
    rows = textwrap.wrap(text, max(1, width))
    fewer = (textwrap.wrap(text, narrow) for narrow in range(len(text) // max(1, len(rows)), width))
    return next((one for one in fewer if len(one) == len(rows)), rows) if len(rows) > 1 else rows


def _above(height: int) -> int:
    """Number of empty rows above the verdict, for `height` rows."""
    return max(0, height - LEAST_ROWS) // 3


class VerdictScreen(FullPage):
    """Page for a claim: pause, verdict's word, reasons, cards.

    Cards of the claimed place appear one by one, as people turn them up. Cards that do not lie face up are
    never shown.
    """

    class Told(Message):
        """Message to the app: a verdict's word has just appeared.

        `claimed`: that verdict.
        """

        def __init__(self, claimed: Claimed) -> None:
            super().__init__()
            self.claimed = claimed

    def __init__(
        self,
        claimed: Claimed | ClaimHeard,
        place: PlaceView | None = None,
        names: PlayerNames | None = None,
        *,
        seconds: float = VERDICT_S,
        breath: float = BREATH_S,
        reasons: bool = True,
    ) -> None:
        """Prepare the page for a claim.

        `claimed`: the verdict, or a claim (ClaimHeard) whose verdict will follow. `place`: claimed place, None
        if unknown. `names`: players' names. `seconds`: time (s) for which the verdict is shown. `breath`:
        pause (s) before its word. `reasons`: True to show the reasons; False for children.
        """
        super().__init__()
        self.heard = claimed
        """Claim, or verdict, that opened the page."""
        self.claimed = claimed if isinstance(claimed, Claimed) else None
        """Verdict on the claim; None until it is known."""
        self.place = place or PlaceView(claimed.name, "")
        self.names = names or PlayerNames()
        self.seconds = seconds
        self.reasons = reasons
        self.breath = breath
        self.breathed = breath <= 0
        """True once the pause before the verdict's word is over."""
        self.told = self.breathed and self.claimed is not None
        """True once the verdict's word is on the page."""
        self.shown = len(self.place.shown) if self.told else 0
        """Number of turned-up cards on the page."""
        self.expired = False
        """True once the time of the page is over."""
        self.eyes = ""
        """Face of the sleeper while it moves; "" for her known state."""

    def on_mount(self) -> None:
        """Start the pause before the verdict, and the timers that close the page."""
        super().on_mount()
        if not self.breathed:
            self.set_timer(self.breath, self.breathe_out)
            self._move_eyes(BLINK)
        if self.claimed is None:
            self.set_timer(HEARD_S, self._give_up)
        if self.told and self.claimed is not None:
            self.set_timer(self.seconds, self._expire)
            self.post_message(self.Told(self.claimed))

    def take(self, table: Table) -> None:
        """Show cards that people turned up at the claimed place.

        They appear one by one, REVEAL_S apart, once the verdict's word is visible. `table`: newest table.
        """
        if self.heard.subject <= len(table.places):
            place = table.places[self.heard.subject - 1]
            more = len(place.shown) > len(self.place.shown)
            self.place = place
            if self.told and more:
                self._next_card()

    def judge(self, claimed: Claimed) -> None:
        """Show the claim's verdict; its word appears after the pause."""
        self.claimed = claimed
        self._tell()

    def breathe_out(self) -> None:
        """End the pause: the verdict's word appears, and is spoken.

        If no verdict is known yet, `judge` shows it at once.
        """
        self.breathed = True
        self._tell()

    def _tell(self) -> None:
        """Show the word of the verdict once it is known and the pause is over."""
        if self.told or not self.breathed or self.claimed is None:
            return
        self.told = True
        self.set_timer(self.seconds, self._expire)
        self.post_message(self.Told(self.claimed))
        self.eyes = ""
        if self.breath > 0 and self.claimed.badge == "asleep":
            self._move_eyes(FALL_ASLEEP)
        self.paint()
        self._next_card()

    def _move_eyes(self, steps: Sequence[tuple[float, str]]) -> None:
        """Draw the claimed sleeper with other faces, one after another.

        `steps`: (time (s) from now, face).
        """
        told = self.told
        for seconds, eyes in steps:
            self.set_timer(max(seconds, 0.001), partial(self._draw_eyes, eyes, told))

    def _draw_eyes(self, eyes: str, told: bool) -> None:
        if told == self.told:
            self.eyes = eyes
            self.paint()

    def _give_up(self) -> None:
        if self.claimed is None:
            self._expire()

    def _next_card(self) -> None:
        if self.shown < len(self.place.shown):
            self.shown += 1
            self.paint()
            self.set_timer(REVEAL_S, self._next_card)

    def _expire(self) -> None:
        self.expired = True
        self.leave()

    def on_screen_resume(self) -> None:
        """Close the page if its time ended behind another screen."""
        if self.expired:
            self.leave()

    def page(self, width: int, height: int) -> Content:
        """Page for the claim: `width` columns by `height` rows."""
        said = self.claimed
        rows = [*self._picture(height), self._subject(), Content("")]
        if said is None or not self.told:
            claim = self.names.put_into(self.place.claim or self.heard.name)
            room = min(height - _above(height) - len(rows) - 5, 16)
            rows += [*_words(claim.upper(), width, room, "$muted"), Content("")]
            rows += _words("...", width, 3, "$muted")
            return self._placed(rows, width, height)
        colour = VERDICT_GROUNDS.get(said.verdict, "accent")
        below = [Content(""), *self._why(said, min(width - 6, 90))]
        # Rows are left for cards from the beginning: the word keeps its size while they come.
        cards = CARD_ROWS + 2 if height >= TALL else 3
        room = max(3, height - _above(height) - len(rows) - len(below) - cards)
        rows += [*_words(said.text.upper().rstrip("."), width, min(room, 20), f"bold ${colour}"), *below]
        rows += self._cards(min(width - 4, 120), height - len(rows) - 2)
        rows += [Content("")] if len(rows) + 2 <= height else []
        rows.append(Content.styled(tr("any key: back to the table"), "$muted"))
        return self._placed(rows, width, height)

    def _why(self, said: Claimed, width: int) -> list[Content]:
        """Rows of text with the verdict's reasons.

        Below, which cards would settle the claim if the camera saw them. `width`: columns.
        """
        rows: list[Content] = []
        for reason in said.reasons if self.reasons else ():
            rows += [Content(line) for line in textwrap.wrap(self.names.put_into(reason), max(1, width))]
        if said.show:
            lines = textwrap.wrap(tr("Show the camera {cards}.", cards=said.show), max(1, width))
            shown = [Content.styled(f" {line} ", "bold $state-ink on $perhaps") for line in lines]
            rows += [*([Content("")] if rows else []), *shown]
        return rows

    def _placed(self, rows: list[Content], width: int, height: int) -> Content:
        """Verdict page's rows, centred on `width` x `height` cells.

        The first row has the same height before and after the word appears.
        """
        above = min(_above(height), max(0, height - len(rows)))
        below = height - above - len(rows)
        return _centred([*[Content("")] * above, *rows, *[Content("")] * below], width)

    def _picture(self, height: int) -> list[Content]:
        """Rows with the claimed sleeper; [] if the place has none.

        She is awake until a verdict says otherwise. `height`: rows of the page.
        """
        if self.place.figure != "sleeper":
            return []
        badge = "asleep" if self.told and self.claimed and self.claimed.badge == "asleep" else "awake"
        sizes = ((2, LARGE[1]), (1, LARGE[1] // 2), (0, SMALL[1] // 2))
        size = next((n for n, rows in sizes if rows <= height // 3 - 1), 0)
        look = (self.eyes or badge, self.place.colour, self.place.look, self.place.count, size)
        return [*sleeper_picture(*look), Content("")]

    def _subject(self) -> Content:
        """Row with the name of the claimed place.

        Its state follows if the verdict proves or refutes the claim.
        """
        name = Content.styled(self.names.put_into((self.claimed or self.heard).name), "bold")
        if not self.told or self.claimed is None or self.claimed.verdict == "cannot tell":
            return name
        word, ground = localized(BADGES.get(self.claimed.badge, "")), BADGE_GROUNDS.get(self.claimed.badge, "")
        if not word:
            return name
        return Content.assemble(name, "  ", (f" {word} ", f"bold $state-ink on ${ground}"))

    def _cards(self, width: int, room: int) -> list[Content]:
        """Rows with turned-up cards side by side in `width` columns.

        A card is three rows high if `room` (rows) suffices, else one. [] without cards.
        """
        cards = self.place.shown[: self.shown]
        if not cards:
            return []
        blocks = room > CARD_ROWS and sum(len(name) + 5 for name in cards) <= width
        chips = []
        for name in cards:
            own = name.lstrip("*") == self.place.name and self.place.colour in COLOURS
            colour = self.place.colour if own else PLAIN
            words = f"  {name}  " if blocks else f" {name} "
            around = [" " * len(words)] if blocks else []
            style = f"bold ${colour}-ink on ${colour}"
            chips.append([Content.styled(row, style) for row in (*around, words, *around)])
        rows = [Content(" ").join(chip[y] for chip in chips) for y in range(len(chips[0]))]
        if not blocks:  # a number alone in a row does not look like a card
            rows = [Content.assemble((tr("turned up:"), "$muted"), " ", rows[0])]
        return [Content(""), *rows]


class ScoreScreen(FullPage):
    """Page of the final score.

    It has big words, stars, a sentence on the result, the state of each place, and results of the evening's
    games.
    """

    def __init__(self, score: Score, names: PlayerNames | None = None, evening: Sequence[str] = ()) -> None:
        """Prepare the page of the final score.

        `names`: players' names. `evening`: results of the evening's games, one line each.
        """
        super().__init__()
        self.score = score
        self.names = names or PlayerNames()
        self.evening = evening

    def tell_evening(self, lines: Sequence[str]) -> None:
        """Show the evening's results on the open score page.

        `lines`: one for each game.
        """
        self.evening = lines
        self.paint()

    def page(self, width: int, height: int) -> Content:
        """Page of the final score as text of `width` columns and `height` rows."""
        score = self.score
        sleepers = any(view.figure == "sleeper" for view in score.places)
        sentence = _balanced(self.names.put_into(score.text), min(width - 6, 90))
        foot = [Content(""), *(Content.styled(line, "bold") for line in sentence), Content("")]
        turns = plural(
            "{n} turn · any key: look at the table again",
            "{n} turns · any key: look at the table again",
            n=score.turns,
        )
        last = Content.styled(localized(turns), "$muted")
        stars = self._stars(height) if sleepers else []
        evening = self._evening(min(width - 6, 110))
        counted = [Content.styled(score.counted, "bold")]
        if height >= TALL:
            counted = [Content(""), *_words(score.counted.upper(), width, 3, "bold"), Content("")]
        others = len(foot) + len(stars) + len(evening) + len(counted) + 3
        places = self._sleepers(width, height) if sleepers else self._realms(width, height - others - 3)
        room = height - others - len(places)
        headline = self.names.put_into(score.headline.title() if not sleepers else score.headline)
        rows = _words(headline.upper(), width, max(3, min(room, 10)), "bold $good")
        rows = [*stars, *rows, *counted, *foot, *places, *evening, Content(""), last]
        return _centred(rows, width)

    def _stars(self, height: int) -> list[Content]:
        """Rows with a bright star for each point, a faint one for each missed.

        [] without points, on a page of less than 24 rows (`height`), or if more than MOST_STARS points are
        possible.
        """
        earned = self.score.score
        if earned is None or not 0 < self.score.out_of <= MOST_STARS or height < 24:
            return []
        factor = 2 if height >= 44 else 1
        pixels = scaled(STAR, factor)
        drawn = [
            picture(pixels, {"y": "art-gold" if number < earned else "line"})
            for number in range(self.score.out_of)
        ]
        return [Content("   ").join(star[row] for star in drawn) for row in range(len(drawn[0]))] + [
            Content("")
        ]

    def _sleepers(self, width: int, height: int) -> list[Content]:
        """Rows with all sleepers, their names and states below.

        The sleepers lie side by side. `width`, `height`: columns and rows of the page.
        """
        views = self.score.places
        each = width // max(1, len(views))
        sizes = (
            (HUGE, 2, 2 * LARGE[0], LARGE[1]),
            (TALL, 1, LARGE[0] + 1, LARGE[1] // 2),
            (0, 0, SMALL[0], SMALL[1] // 2),
        )
        fitting = [found for least, *found in sizes if height >= least and each >= found[1]]
        if not fitting:
            return [_state(view) for view in views]
        size, _, rows = fitting[0]
        drawn = [sleeper_picture(view.badge, view.colour, view.look, view.count, size) for view in views]
        columns = drawn[0][0].cell_length
        pad = " " * ((each - columns) // 2)
        rest = " " * (each - columns - len(pad))
        lines = [
            Content("").join(Content.assemble(pad, one[row], rest) for one in drawn) for row in range(rows)
        ]
        names = [Content.styled(fit(view.name, each).center(each), "bold") for view in views]
        words = []
        for view in views:
            ground = BADGE_GROUNDS.get(view.badge, "")
            word = localized(BADGES.get(view.badge, view.badge.upper()))
            style = f"bold $state-ink on ${ground}" if ground else "bold"
            chip = Content.styled(f" {word} ", style)
            before = (each - chip.cell_length) // 2
            words.append(Content.assemble(" " * before, chip, " " * (each - chip.cell_length - before)))
        return [*lines, Content("").join(names), Content("").join(words)]

    def _evening(self, width: int) -> list[Content]:
        """Rows with results of the evening's games, as many on a row as fit.

        `width`: columns. [] without results.
        """
        if not self.evening:
            return []
        rows = [tr("this evening")]
        for line in self.evening:
            joined = f"{rows[-1]}   {line}"
            rows[-1:] = [joined] if len(joined) <= width else [rows[-1], line]
        return [Content(""), *(Content.styled(fit(row, width), "bold $accent") for row in rows)]

    def _realms(self, width: int, room: int) -> list[Content]:
        """Rows with each player's cards and points; winners are marked.

        `width`: columns. Cards are drawn if `room` (rows) suffices; else each player has one row of words.
        """
        views = self.score.places
        each = width // max(1, len(views)) - 1
        tall = next((rows for rows in REALM_ROWS if rows <= room), 0)
        if tall and each >= SMALL[0]:
            largest = cards_size(views, each, tall)
            drawn = [
                place_box(view, number, each, tall, self.names, largest=largest).split("\n")
                for number, view in enumerate(views, 1)
            ]
            return [Content(" ").join(_wide(box[y], each) for box in drawn) for y in range(tall)]
        rows = []
        for view in self.score.places:
            name = self.names.name(view.player) if view.player else view.name
            word = localized(BADGES.get(view.badge, ""))
            # In the winner's own colour: green is a player's.
            own = ground(view.player) if view.player else "yes"
            style = f"bold $state-ink on ${own}" if view.badge == "won" else "bold"
            rows.append(Content.styled(f" {with_colon(name)} {view.name} {word} ".replace("  ", " "), style))
        return rows


def _wide(row: Content, width: int) -> Content:
    """Row of text with spaces at its end, `width` columns in all."""
    return Content.assemble(row, " " * (width - row.cell_length))


def _state(view: PlaceView) -> Content:
    word = localized(BADGES.get(view.badge, view.badge.upper()))
    return Content.styled(f"{view.name}  {word}", "bold")
