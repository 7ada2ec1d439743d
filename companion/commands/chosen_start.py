"""What was chosen on the first screen: the form, filled from earlier starts, and what it starts."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from textual.screen import Screen

from companion.core.child_python import companion_command
from companion.core.config import Config, state_dir
from companion.core.errors import BadInputError
from companion.core.language import listed, localized, plural, text
from companion.core.last_start import LastStart, remember, remembered
from companion.core.plugged_in import boards, cameras
from companion.core.printable import erase_passing, say
from companion.core.sensor_terms import sensor_name
from companion.core.settings_file import write_entries
from companion.core.table_names import own_name
from companion.dashboard.display_settings import look_of
from companion.dashboard.start_app import GO_ON, LEAVE, SETUP, WATCH, StartApp
from companion.dashboard.start_form import GameOffer, StartForm
from companion.dashboard.widgets.rig_list import RigOffer
from companion.games.registry import GAME_NAMES, load_configured, load_rig_table
from companion.history.database import GameRecord, in_words, last_games, left_open
from companion.history.evening import evening_lines, last_evening

HISTORY = 10
"""Number of games that the first screen lists."""
RECENT = 100
"""Number of newest games that are read for the first screen.

It is far above HISTORY, because most may be unfinished virtual games, which share one line.
"""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What people chose on the first screen.

    `table`: "real" or "virtual". `game`, `variant`: names. `players`: how many play. `names`: theirs, in order
    of seats, "" for none. `journal`: file of the recorded game to go on with, which then says what is
    played; None: a new game.
    """

    table: str
    game: str
    variant: str
    players: int
    names: tuple[str, ...]
    journal: Path | None = None
    theme: str = ""
    """Name of the screen's colours. "": the one in the settings."""
    seat: int = 0
    """Seat (from 1) of the person at the screen. 0: the person only watches."""
    record: bool = False
    """The evening at a real table is recorded."""


def ask_first(
    settings: Config, theme: str | None, file: Path | None = None, game: str | None = None
) -> Chosen | None:
    """Show the first screen until a game is chosen.

    It is shown again after a setup or after a game was watched. None if people leave. `theme`: name of the
    colours; None: the settings'. `file`: settings file in which changes are kept; None: they are not kept.
    `game`: name of the game that comes first; None: the last one. The choice of a new game is remembered for
    the next start.
    """
    form, journals = filled_form(settings, game)
    from companion.commands.replay_screen import watch

    while (app := _asked(form, settings, theme, file)).choice in (WATCH, SETUP):
        if app.choice == WATCH:
            watch(app.watched or journals[0], app.theme)
        else:
            subprocess.call(companion_command("setup"))
            before = form
            form, journals = filled_form(settings)
            keep_choices(form, before)
        theme = app.theme
    if app.choice == LEAVE:
        return None
    record = form.record if form.asks else settings.record
    if form.asks and file is not None:
        _keep_answers(form, file)
        remember(msgspec.structs.replace(remembered(), asked=True))
    table = form.tables[form.table][0]
    seat = form.seat if table == "virtual" else 0
    # Without names of their own players would get those of the settings, which the form no longer shows.
    names = form.given_names or ("",) * form.players
    chosen = Chosen(
        table, form.offer.name, form.variant_name, form.players, names, None, app.theme, seat, record
    )
    if app.choice == GO_ON:
        return replace(chosen, table="real", names=(), journal=journals[form.last_at], seat=0)
    remember(LastStart(chosen.game, chosen.variant, chosen.players, chosen.names, asked=True))
    return chosen


def _asked(form: StartForm, settings: Config, theme: str | None, file: Path | None) -> StartApp:
    """Show the first screen once; return it with the choice.

    `form`: what it offers. `theme`: name of the colours; None: the settings'. `file`: settings file in which
    changes of the display are kept; None: they are not kept.
    """
    app = StartApp(form, look_of(settings.screen, theme, calm=False, big=False, file=file), _history)
    erase_passing()
    app.run()
    if wrong := app.kept.write():
        say(wrong, err=True)
    return app


def _history() -> Screen[Path | None]:
    from companion.history.history_screen import HistoryScreen

    return HistoryScreen()


def _rigs(game: str) -> tuple[RigOffer, ...]:
    """What each kind of rig can prove in a game, one RigOffer for each kind.

    Empty if the game has no such table.
    """
    rows = load_rig_table(game)
    return tuple(RigOffer(row.name, row.parts, row.proves, row.cannot, row.counted) for row in rows)


def filled_form(settings: Config, wanted: str | None = None) -> tuple[StartForm, Sequence[Path]]:
    """(form of the first screen, journals of the newest games).

    The form is filled from the game `wanted` on the command line, then from what was chosen at the last start,
    else from the settings. Journals are files, newest first, at most RECENT.
    """
    before = remembered()
    games = [load_configured(name, settings.parts) for name in GAME_NAMES]
    offers = [GameOffer(game.name, game.variants, _rigs(game.name)) for game in games]
    wanted = wanted or before.game or settings.game
    game = next((at for at, offer in enumerate(offers) if offer.name == wanted), 0)
    variants = list(offers[game].variants)
    variant = before.variant or settings.variant
    recent = last_games(RECENT, state_dir() / "journals")
    real = _real_table(settings)
    last_at, last = _unfinished(recent)
    form = StartForm(
        offers,
        game=game,
        variant=variants.index(variant) if variant in variants else 0,
        players=before.players or settings.players,
        names=list(before.names or settings.player_names),
        asks=not before.asked,
        record=settings.record,
        keep_days=settings.keep_days,
        tables=[
            *([("real", real)] if real else []),
            ("virtual", text("a virtual table")),
        ],
        last=last if real else "",
        last_at=last_at,
        history=listed_games(recent)[:HISTORY],
        evening=evening_lines(last_evening(recent)),
    )
    return form, [Path(one.journal) for one in recent]


def _unfinished(recent: Sequence[GameRecord]) -> tuple[int, str]:
    """(place, words) of the game at a real table that goes on.

    The place counts from 0 in `recent`. (0, "") without such a game.
    """
    left = left_open(recent)
    return (recent.index(left), in_words(left)) if left else (0, "")


def listed_games(recent: Sequence[GameRecord]) -> list[str]:
    """One line for each game, newest first.

    Unfinished virtual games share one line, except the newest. `recent`: games, newest first.
    """
    unfinished = [one for one in recent if one.virtual and not one.over]
    lines = []
    for one in recent:
        if one not in unfinished[1:]:
            lines.append(in_words(one))
        elif one is unfinished[1]:
            fold = plural(
                "and {n} more virtual game without an end",
                "and {n} more virtual games without an end",
                n=len(unfinished) - 1,
            )
            lines.append(localized(fold))
    return lines


def keep_choices(form: StartForm, before: StartForm) -> None:
    """Copy what people chose in the form `before` into `form`, where `form` still offers it."""
    table = before.tables[before.table][0]
    form.table = next((at for at, (name, _) in enumerate(form.tables) if name == table), form.table)
    form.game, form.variant, form.players = before.game, before.variant, before.players
    form.names, form.seat, form.row = before.names, before.seat, before.row
    form.record, form.keep_days = before.record, before.keep_days


def _keep_answers(form: StartForm, file: Path) -> None:
    """Write the answers about recordings into the settings file.

    If that fails a message says so, and the game goes on.
    """
    try:
        write_entries(file, {("record",): form.record, ("keep_days",): form.keep_days})
    except BadInputError as error:
        say(text("Not kept: {why}", why=error.told), err=True)


def _real_table(settings: Config) -> str:
    """Camera and board of a real table, in words. "" if there is none.

    They are those of the settings, else those plugged in. At a named table (`--at`) only those of its rig
    count.
    """
    if own_name():
        from calibration.rig_store import configured_rig

        settings = configured_rig(settings, None)
    seen, wired = settings.camera, bool(settings.port)
    if not (seen or wired or own_name()):
        seen, wired = next((name for _, name in cameras()), ""), bool(boards())
    camera = [text("camera {name}", name=seen)] if seen else []
    return listed([*camera, *([sensor_name("board")] if wired else [])])
