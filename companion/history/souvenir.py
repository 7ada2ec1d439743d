"""Souvenir of a game: a self-contained HTML page.

It is made only of what everybody at the table could see.
"""

import time
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from importlib.resources import files
from itertools import groupby

from companion.core.language import current, localized, plural, tr
from companion.dashboard.labels import BADGE_GROUNDS, BADGES, VERDICT_GROUNDS, title, variant_title, with_colon
from companion.dashboard.player_names import PlayerNames, ground, sign
from companion.dashboard.screens.verdict_and_score import MOST_STARS, STAR
from companion.dashboard.svg_pictures import svg_picture
from companion.dashboard.themes import DAY, NIGHT, Palette, variables
from companion.dashboard.widgets.sleeper_picture import sleeper_colours, sleeper_pixels
from companion.history.game_course import Course, TimelineEntry
from companion.session.stream.events import PlaceView
from companion.session.stream.stream import as_shown

WIDTH, BAND = 1000, 26
"""WIDTH: width of the drawn course. BAND: height of its strip of turns. Both in units of the SVG."""
GENERATOR = '<meta name="generator" content="companion">'
"""Line of HTML by which the program knows a souvenir."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SIGNS = {"proved": "✓", "refuted": "✗", "cannot tell": "?"}


def souvenir_page(course: Course, began: float) -> str:
    """A game's souvenir as HTML.

    `began`: beginning of the game (Unix time, s).
    """
    course = _as_shown(course)
    names = PlayerNames(course.opened.people)
    heading = title(course.opened.game)
    body = [
        f"<h1>{escape(heading)}</h1>",
        f'<p class="when">{escape(_when(course, began))}</p>',
        _people(course, names),
        _result(course, names),
        _places(course, names),
        _course(course, names),
        _claims(course, names),
        _turns(course, names),
    ]
    style = (files("companion.history") / "souvenir.css").read_text(encoding="utf-8")
    lines = [
        "<!doctype html>",
        f'<html lang="{current().code}">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        GENERATOR,
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{escape(heading)}, {escape(_day(began))}</title>",
        f"<style>{_colours()}",
        f"{style}</style></head>",
        "<body><main>",
        *filter(None, body),
        "</main></body></html>",
    ]
    return "\n".join(lines) + "\n"


def _as_shown(course: Course) -> Course:
    """Copy of a course, its sentences in the reader's language."""
    moments = [
        replace(one, text=localized(one.text), claim=None if one.claim is None else as_shown(one.claim))
        for one in course.moments
    ]
    table = None if course.table is None else as_shown(course.table)
    headline, outcome = localized(course.headline), localized(course.outcome)
    return replace(course, moments=moments, table=table, headline=headline, outcome=outcome)


def _colours() -> str:
    def rules(palette: Palette) -> str:
        scheme = "dark" if palette.dark else "light"
        return f"color-scheme:{scheme};" + "".join(f"--{name}:{of};" for name, of in variables(palette).items())

    return f":root{{{rules(DAY)}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{rules(NIGHT)}}}}}"


def _day(began: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(began))


def _when(course: Course, began: float) -> str:
    parts = [_day(began), variant_title(course.opened.variant)]
    parts.append(localized(plural("{n} minute", "{n} minutes", n=max(1, round(course.lasted_s / 60)))))
    parts.append(localized(plural("{n} turn", "{n} turns", n=course.turns)))
    return " · ".join(parts)


def _people(course: Course, names: PlayerNames) -> str:
    found = (
        f'<li style="background:var(--{ground(player)})">{sign(player)} {escape(names.name(player))}</li>'
        for player in range(1, course.opened.players + 1)
    )
    return f'<ul class="people">{"".join(found)}</ul>'


def _result(course: Course, names: PlayerNames) -> str:
    if course.out_of is None:
        said = tr("This game did not come to its end.")
        return f"<p>{escape(said)}</p>"
    stars = ""
    if course.score is not None and 0 < course.out_of <= MOST_STARS:
        drawn = (
            svg_picture(STAR, {"y": "art-gold" if number < course.score else "line"})
            for number in range(course.out_of)
        )
        stars = f'<div class="stars">{"".join(drawn)}</div>'
    headline, outcome = (escape(names.put_into(text)) for text in (course.headline, course.outcome))
    return f'{stars}<p class="result">{headline}</p><p>{outcome}</p>'


def _places(course: Course, names: PlayerNames) -> str:
    if course.table is None or not course.table.places:
        return ""
    drawn = "".join(_place(view, number, names) for number, view in enumerate(course.table.places, 1))
    heading = escape(tr("At the end"))
    return f'<h2>{heading}</h2><div class="places">{drawn}</div>'


def _place(view: PlaceView, number: int, names: PlayerNames) -> str:
    word = localized(BADGES.get(view.badge, view.badge.upper()))
    colour = ground(view.player) if view.player else BADGE_GROUNDS.get(view.badge, "")
    who = f"{sign(view.player)} {names.name(view.player)}" if view.player else str(number)
    style = f' style="background:var(--{colour});color:var(--state-ink)"' if colour else ""
    picture = ""
    if view.figure == "sleeper":
        pixels = sleeper_pixels(view.badge, view.look, view.count, large=True)
        svg = svg_picture(
            pixels, sleeper_colours(view.colour, view.look), f"{names.put_into(view.name)} {word}"
        )
        picture = f'<div class="picture">{svg}</div>'
    cards = "".join(f"<li>{escape(name)}</li>" for name in view.shown)
    return (
        f'<div class="place"><b{style}>{escape(f"{who} {word}")}</b>{picture}'
        f"<p>{escape(names.put_into(view.name))}</p>{f'<ul>{cards}</ul>' if cards else ''}</div>"
    )


def _course(course: Course, names: PlayerNames) -> str:
    """A game drawn as SVG: a strip of turns in the players' colours, claims marked above. "" for a game
    without turns."""
    told = [one for one in course.moments if one.turn]
    if not told or course.lasted_s <= 0:
        return ""

    def x(at: float) -> float:
        return round(WIDTH * at / course.lasted_s, 1)

    starts = [next(group) for _, group in groupby(told, key=lambda one: one.turn)]
    ends = [*(one.at for one in starts[1:]), course.lasted_s]
    band = "".join(
        f'<rect x="{x(one.at)}" y="30" width="{max(1.0, x(end) - x(one.at) - 1):.1f}" height="{BAND}" '
        f'fill="var(--{ground(one.player) if one.player else "line"})">'
        f"<title>{escape(tr('turn {n}', n=one.turn))}</title></rect>"
        for one, end in zip(starts, ends, strict=True)
    )
    claims = "".join(
        f'<circle cx="{x(one.at)}" cy="14" r="9" fill="var(--{_look(one)})">'
        f"<title>{escape(names.put_into(one.text))}</title></circle>"
        f'<text x="{x(one.at)}" y="18" text-anchor="middle" style="fill:var(--page);font-weight:700">'
        f"{_SIGNS.get(one.claim.verdict, '')}</text>"
        for one in told
        if one.claim is not None
    )
    marks = "".join(
        f'<text x="{x(60.0 * minute)}" y="72">{minute}</text>' for minute in _minutes(course.lasted_s)
    )
    heading = escape(tr("The course of the game, in minutes"))
    size = f"-10 0 {WIDTH + 20} 76"
    drawn = f'<svg class="line" viewBox="{size}" role="img" aria-label="{heading}">{band}{claims}{marks}</svg>'
    return f"<h2>{heading}</h2>{drawn}"


def _minutes(lasted_s: float) -> Iterable[int]:
    minutes = int(lasted_s // 60)
    return range(0, minutes + 1, max(1, minutes // 10))


def _look(one: TimelineEntry) -> str:
    return VERDICT_GROUNDS.get(one.claim.verdict, "muted") if one.claim is not None else "muted"


def _claims(course: Course, names: PlayerNames) -> str:
    found = []
    for one in course.moments:
        if one.claim is None:
            continue
        reasons = "".join(f"<br>{escape(names.put_into(reason))}" for reason in one.claim.reasons)
        found.append(
            f"<li><time>{_clock(one.at)}</time><div>{escape(_with_colon(names.put_into(one.claim.name)))} "
            f'<strong class="{_look(one)}">{escape(one.claim.text)}</strong>{reasons}</div></li>'
        )
    heading = escape(tr("Claims"))
    return f'<h2>{heading}</h2><ul class="claims">{"".join(found)}</ul>' if found else ""


def _with_colon(name: str) -> str:
    """A claim's name with a colon, to stand before its verdict.

    A question gets none.
    """
    return name if name.endswith("?") else with_colon(name)


def _turns(course: Course, names: PlayerNames) -> str:
    rows = []
    for (turn, player), group in groupby(course.moments, key=lambda one: (one.turn, one.player)):
        moments = list(group)
        who = f"{turn} · {sign(player)} {names.name(player)}" if player else str(turn) if turn else ""
        said = "".join(f"<div>{escape(names.put_into(one.text))}</div>" for one in moments)
        head = f'<div class="who">{escape(who)}</div>' if who else ""
        rows.append(f'<li class="turn"><time>{_clock(moments[0].at)}</time><div>{head}{said}</div></li>')
    heading = escape(tr("Turn by turn"))
    return f"<h2>{heading}</h2><ol>{''.join(rows)}</ol>" if rows else ""


def _clock(at: float) -> str:
    minutes, seconds = divmod(int(at), 60)
    return f"{minutes}:{seconds:02d}"
