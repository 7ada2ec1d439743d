"""What `companion play` plays: its options, completed by screens, a journal, the settings and a rig."""

import contextlib
import time
from pathlib import Path
from typing import Any

import msgspec

from companion.commands.first_evening import Plan, evening
from companion.commands.played_rig import rung_named, set_up_virtually, with_rig
from companion.commands.what_is_played import Played, journal_to_go_on_with, what_is_played
from companion.core.config import Config, art_file, config_file, state_dir
from companion.core.engine_command import at_words
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.option_types import players_named
from companion.games.registry import check_table, first_variant, load_configured
from companion.games.table_game import TableGame
from companion.virtual.card_art import ART, NO_MAT, STICKERS


class PlayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of `companion play` (see its --help), one field each."""

    table: str
    game: str | None
    variant: str | None
    players: int | None
    names: tuple[str, ...] | None
    camera: str | None
    port: str | None
    seed: int | None
    speed: float
    cards: str
    art: Path | None
    noise: str | None
    show_truth: bool
    journal: Path | None
    resume: bool
    serve: bool
    config: Path | None
    rig: str | None
    first_evening: bool
    plain: bool
    aloud: bool
    record: Path | None
    record_mb: int
    theme: str | None
    switch: str | None
    calm: bool
    big: bool
    children: bool
    seat: int = 0
    """Seat (from 1) of the person at the screen of a virtual table. 0: none."""
    may_record: bool = False
    """People have agreed that evenings at a real table are recorded."""


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """What `companion play` plays, and with which camera and board."""

    options: PlayOptions
    settings: Config
    """Settings, completed by the rig's."""
    rules: TableGame[Any, Any]
    variant: str
    players: int
    table: str
    """Table asked for: "auto", "real" or "virtual". See `virtual` for what "auto" means."""
    camera: str
    port: str
    rung: str | None
    """Name of a built-in set of sensors of a virtual table, such as "full".

    The names are those in RIGS. None: no built-in set was named.
    """
    rig: str | None
    """Name of a saved rig profile. None: the usual one."""
    own: list[str]
    """["--rig", name] for a saved rig that was set up at a virtual table. Else []."""
    record: Path | None
    """Folder for the recording; None if nothing is recorded."""

    @property
    def virtual(self) -> bool:
        """True if the table is a virtual one."""
        return plays_virtual(self.table, self.camera, self.port)

    @property
    def started(self) -> list[str]:
        """Parts whose first report the screen waits for.

        "engine", then "camera" and "board" if the table has them.
        """
        pad = self.virtual and not self.options.first_evening and self.rung != "camera"
        camera = ["camera"] if self.virtual or self.camera else []
        return ["engine", *camera, *(["board"] if self.port or pad else [])]


def plays_virtual(table: str, camera: str | None, port: str | None) -> bool:
    """True if the game is played at a virtual table.

    That is so if `table` is "virtual", or if it is "auto" and neither `camera` nor `port` is named.
    """
    return table == "virtual" or (table == "auto" and not camera and not port)


def asked_first(settings: Config, options: PlayOptions) -> PlayOptions | None:
    """Ask on the first screen what is played.

    Returns `options` with what people chose; None if they leave.
    """
    from companion.commands.chosen_start import ask_first

    chosen = ask_first(settings, options.theme, config_file())
    if chosen is None:
        return None
    return msgspec.structs.replace(
        options,
        theme=chosen.theme,
        seat=chosen.seat,
        table=chosen.table,
        game=chosen.game,
        variant=chosen.variant,
        players=chosen.players,
        names=chosen.names,
        journal=chosen.journal,
        resume=chosen.journal is not None,
        may_record=chosen.record,
    )


def gone_on_with(settings: Config, options: PlayOptions) -> PlayOptions:
    """Complete options by the journal of the continued game.

    Game, variant, players and names come from the journal that `options` names, or else from the last one.
    `settings` tell whether that is a virtual or a real table's. BadInputError if there is none.
    """
    from companion.session.journal.journal import read_opened, read_people

    journal = journal_to_go_on_with(options.journal, virtual=_known_virtual(settings, options))
    wanted = Played(options.game, options.variant, options.players, options.names)
    found = what_is_played(wanted, read_opened(journal), None, read_people(journal))
    return msgspec.structs.replace(options, journal=journal, **found._asdict())


def _known_virtual(settings: Config, options: PlayOptions) -> bool:
    """True if the game is at a virtual table.

    Options, settings and rig decide it; the game itself is not known yet.
    """
    from calibration.rig_store import configured_rig

    with contextlib.suppress(BadInputError):  # the error is told when the rig is used
        settings = configured_rig(settings, options.rig)
    return plays_virtual(options.table, options.camera or settings.camera, options.port or settings.port)


def led_on_first_evening(settings: Config, options: PlayOptions) -> PlayOptions | None:
    """Offer the guided first evening; complete the options by it.

    Unchanged if it is not needed or not wanted: with a board, enrolled pictures, --resume, or a complete rig.
    None if people leave it.
    """
    asked = options
    if asked.port or settings.port or asked.resume or asked.art or asked.cards != STICKERS:
        return options
    plan = Plan(
        asked.table,
        asked.game,
        asked.variant,
        asked.players,
        asked.names,
        asked.theme,
        asked.camera,
        asked.seat,
        asked.may_record,
    )
    led = evening(settings, plan, asked.rig, plain=asked.plain, anew=asked.first_evening)
    if led is None:
        return None
    found = msgspec.structs.asdict(led)
    return msgspec.structs.replace(options, may_record=found.pop("record"), **found)


def game_to_play(settings: Config, options: PlayOptions) -> PlayedGame:
    """Determine what is played, and with which camera and board.

    Options count before the rig, the rig before the settings. BadInputError if they contradict, or if the game
    does not exist.
    """
    rung, rig = rung_named(options.rig, options.table, options.camera, options.port)
    table = "virtual" if rung else options.table
    if table != "virtual":
        parts = (options.camera, options.port, settings.camera, settings.port)
        needed = any((rig, settings.rig, table == "real", *parts))
        settings = with_rig(settings, rig, options.game, needed=needed)
    own, game, variant = set_up_virtually(rig, table, options.game, options.variant)
    players = players_named(options.players, options.names, settings.players)
    rules = load_configured(game or settings.game, settings.parts)
    variant = variant or first_variant(rules, settings.variant)
    check_table(rules, variant, players)
    camera, port = options.camera or settings.camera, options.port or settings.port
    record = options.record
    if options.may_record and not plays_virtual(table, camera, port):
        record = state_dir() / "recordings" / time.strftime("%Y-%m-%d")
    played = PlayedGame(
        options=options,
        settings=settings,
        rules=rules,
        variant=variant,
        players=players,
        table=table,
        camera=camera,
        port=port,
        rung=rung,
        rig=rig,
        own=own,
        record=record,
    )
    _check_parts(played)
    return played


def _check_parts(played: PlayedGame) -> None:
    """Raise BadInputError if the options do not fit the table.

    Refused are --resume and --art at a virtual table, and cards known by art without a camera. At a table
    "real" a camera or a port must be named.
    """
    options = played.options
    if played.virtual and options.resume:
        raise BadInputError(
            text("a game at a virtual table can be watched again, not gone on with"),
            where="--resume",
            next_step=text("companion replay JOURNAL; at a real table add --camera or --port"),
        )
    if played.virtual and options.art is not None:
        raise BadInputError(
            text("the virtual table enrols its own cards"), where="--art", next_step="--cards art"
        )
    if not played.virtual and options.cards == ART and not played.camera:
        raise BadInputError(text("only a camera sees art"), next_step=text("add --camera 0"))
    if played.table == "real" and not played.camera and not played.port:
        raise BadInputError(
            text("no camera and no board is named"), next_step=text("add --camera 0 or --port auto")
        )


# command lines of the other processes


def engine_words(played: PlayedGame, socket: Path) -> list[str]:
    """Arguments that start the engine, without camera and board.

    Those on camera and board are left out. `socket`: where screens connect. BadInputError if the folder for the
    recording cannot be used.
    """
    words = [*_game_words("run", played), "--socket", str(socket), *_option("--config", played.options.config)]
    if played.record is not None:
        from companion.sensing.recording_folder import claim_folder

        claim_folder(played.record)
        record = str(played.record.absolute())
        words += ["--record", record, "--record-mb", str(played.options.record_mb)]
    return words


def own_part_words(played: PlayedGame) -> list[str]:
    """Engine arguments that name rig, camera, enrolled pictures and port.

    They are for a real table. What is not named is left out.
    """
    options = played.options
    art = (options.art or art_file()) if options.art or options.cards == ART else None
    return [
        *_option("--rig", played.rig),
        *_option("--camera", played.camera),
        *_option("--art", art),
        *_option("--port", played.port),
    ]


def world_words(played: PlayedGame, dealt: int, card: Path) -> list[str]:
    """Arguments that start the process of the virtual table.

    `dealt`: seed of its cards and players. `card`: file into which it writes its address card.
    """
    options = played.options
    return [
        *_game_words("table", played),
        *("--seed", str(dealt), "--speed", str(options.speed), "--cards", options.cards),
        *("--address", str(card)),
        *_option("--noise", options.noise),
        *_option("--config", options.config),
        *(played.own or _option("--rig", played.rung)),
        *(["--cards", ART, "--mat", NO_MAT, "--camera-alone"] if options.first_evening else []),
    ]


def again_words(played: PlayedGame) -> tuple[str, ...]:
    """Command line, as words, that plays at this table again.

    It begins with "companion", "play". Seed and journal are left out, so that it is a new game.
    """
    options = played.options
    words = [*_option("--rig", played.rig or played.rung), *_option("--config", options.config)]
    if played.virtual:
        words += _game_words("", played)[1:]
    else:
        words += ["--table", "real", *_option("--camera", played.camera), *_option("--port", played.port)]
    return ("companion", "play", *at_words(), *words)


def _game_words(command: str, played: PlayedGame) -> list[str]:
    """Command with options for game, variant and number of players."""
    game = ["--game", played.rules.name, "--variant", played.variant]
    return [command, *game, "--players", str(played.players)]


def _option(name: str, value: object) -> list[str]:
    """[name, value as text] for a command line.

    [] for an empty value.
    """
    return [name, str(value)] if value else []
