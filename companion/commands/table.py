"""`companion table`: the virtual table, for an engine and dashboards."""

import shlex
import signal
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from companion.core.address_card import CONTROL_NAME, is_free
from companion.core.errors import BadInputError, SourceError
from companion.core.files import Scratch, clear_left, exists_already
from companion.core.language import localized, text, tr
from companion.core.option_types import FILE_PATH, FiniteRange, at_option, force_option
from companion.core.printable import say
from companion.session.stream.stream import make_room
from companion.virtual.card_art import ART, CORNERS, NO_MAT, PRINTED, STICKERS, Art

if TYPE_CHECKING:
    from companion.core.clock import RealClock
    from companion.rehearse.table_parts import Keys, Parts
    from companion.virtual.rig.board_readings import Board
    from companion.virtual.rig.rig_plan import RigPlan


@click.command()
@click.option("--game", help="Which game is played; the settings' without it.")
@click.option("--variant", help="Which variant of it; basic, or its first, without it.")
@click.option("--players", type=int, default=3, show_default=True, help="How many play.")
@click.option("--seed", type=int, default=1, show_default=True, help="Cards, players and every accident.")
@click.option("--speed", type=FiniteRange(0.25, 8), default=1.0, show_default=True, help="How fast they play.")
@click.option(
    "--noise", help="clean, home, unkind, evening, rough or hostile; without it clean, with --rig home."
)
@click.option("--cards", type=click.Choice([STICKERS, ART]), default=STICKERS, show_default=True,
              help="Cards have stickers, or are known by their printed pictures alone.")  # fmt: skip
@click.option("--mat", type=click.Choice([PRINTED, CORNERS, NO_MAT]), default=PRINTED, show_default=True,
              help="A printed mat, its corner cards on a cloth, or a cloth alone.")  # fmt: skip
@click.option(
    "--camera-alone", is_flag=True, help="No board: its players claim by keys at the engine's screen."
)
@click.option(
    "--rig",
    metavar="NAME",
    help="The rig that companion setup --table virtual --rig NAME set up: its cards and sensors; or the parts "
    "of camera, camera+pad, judge or full.",
)
@click.option("--rash", type=FiniteRange(0, 1), default=0.15, show_default=True,
              help="How readily players claim without being sure.")  # fmt: skip
@click.option("--address", type=FILE_PATH, metavar="FILE",
              help="Where to write the address card; without it a folder of its own, printed.")  # fmt: skip
@force_option
@click.option("--config", type=FILE_PATH, help="Settings file (TOML), for the names that the family gave.")
@click.option("--autostart/--paused", default=True, help="Play at once, or wait for the word.")
@click.option("--parent-pid", type=int, help="End when this process is gone.")
@click.option("--json", "as_json", is_flag=True, help="Print the address card as one JSON object.")
@at_option
def table(
    game: str | None,
    variant: str | None,
    players: int,
    seed: int,
    speed: float,
    noise: str | None,
    cards: str,
    mat: str,
    camera_alone: bool,
    rig: str | None,
    rash: float,
    address: Path | None,
    force: bool,
    config: Path | None,
    autostart: bool,
    parent_pid: int | None,
    as_json: bool,
) -> None:
    """A table that plays by itself: camera pictures over HTTP, a sensor board on a port.

    Says where its address card lies: camera, port, control socket and enrolled tags. Its players wait, for as
    long as it takes, until an engine watches them: companion run --table CARD.
    """
    from calibration.virtual_rig.table_hands import TableHands
    from companion.core.clock import RealClock
    from companion.core.config import load_config
    from companion.core.process_tuning import parent_watch
    from companion.dashboard.labels import title, variant_title
    from companion.games.registry import (
        check_table,
        first_variant,
        give_names,
        load_configured,
        load_virtual,
        printed_parts,
    )
    from companion.rehearse.enrolled_art import enrol_into
    from companion.virtual.table_server import TableServer, card_line
    from companion.virtual.virtual_table import VirtualTable

    settings = load_config(config)
    rules = load_configured(game or settings.game, settings.parts)
    load_virtual(rules.name)
    variant = variant or first_variant(rules, "basic")
    check_table(rules, variant, players)
    give_names(rules, settings.names)
    if address is not None:
        _check_address(address, force)
    noise = noise or ("clean" if rig is None else "home")
    laid = _laid(rig, rules.name, variant, seed, cards, mat, camera_alone=camera_alone)
    alive = parent_watch(parent_pid)
    clear_left()
    with Scratch("table-") as scratch:
        card = address or scratch.path / "table.json"
        clock = RealClock()
        plan = load_virtual(rules.name).rig(variant)
        keys, board = _board(laid, plan, clock)
        world = VirtualTable(
            laid.deck,
            variant,
            players,
            game=rules.name,
            noise=noise,
            clock=clock,
            rash=rash,
            waiting=True,
            parts=printed_parts(rules),
            art=Art.of(laid.deck) if laid.cards == ART else None,
            mat=laid.mat,
            board=board,
        )
        if laid.deck != seed:
            world.restart(seed)
        world.speed = speed
        world.paused = not autostart
        book = scratch.path / "cards.art"
        if laid.enrols:
            enrol_into(book, world)
        server = TableServer(
            world,
            card,
            clock,
            lambda said: say(f"companion: {localized(said)}", err=True),
            art=str(book) if book.exists() else "",
            helper=TableHands(world),
            keys=list if keys is None else keys.read,
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: server.stop())
        if as_json:
            click.echo(card_line(card))
        else:
            known = tr(
                "Virtual table: {game} ({variant}), {players} players, seed {seed}, noise {noise}; Ctrl-C: end",
                game=title(rules.name),
                variant=variant_title(variant),
                players=players,
                seed=seed,
                noise=noise,
            )
            _say_how_to_watch(known, card)
        server.run(alive)


class _Laid(NamedTuple):
    """Cards, mat and sensors of a virtual table.

    They come from a saved rig, or from the options. `cards`: "stickers" or "art". `mat`: kind of mat.
    """

    deck: int
    """Seed from which the cards' pictures are printed."""
    cards: str
    mat: str
    parts: "Parts | None"
    """Sensors of the built-in set that --rig names. None: all sensors."""
    enrols: bool
    """True if the table enrols its own cards, because no saved rig knows them."""


def _laid(
    rig: str | None, game: str, variant: str, seed: int, cards: str, mat: str, *, camera_alone: bool
) -> _Laid:
    """Determine a virtual table's cards, mat and sensors from options.

    `rig`: name of a built-in set of sensors (RIGS) or of a saved rig of a virtual table; None: all sensors. A
    saved rig's seed, cards and mat replace `seed`, `cards` and `mat`. `camera_alone`: no board.
    """
    from calibration.rig_store import RigStore, virtual_rig
    from companion.rehearse.table_parts import RIGS, is_rung

    parts = RIGS["camera"] if camera_alone else None
    if rig is not None and is_rung(rig, RigStore().names()):
        parts, rig = RIGS[rig], None
    if rig is None:
        return _Laid(seed, cards, mat, parts, mat == PRINTED)
    found = virtual_rig(rig, game, variant)
    deck = seed if found.virtual_seed is None else found.virtual_seed
    return _Laid(deck, ART if found.art else cards, NO_MAT if found.home else mat, parts, False)


def _board(laid: _Laid, plan: "RigPlan", clock: "RealClock") -> "tuple[Keys | None, Board | None]":
    """(keys that stand for missing buttons, board) of a table with only some of the sensors.

    (None, None) if the table has all sensors. Without a board the keys take its place.
    """
    from companion.rehearse.table_parts import Keys, board_with

    if laid.parts is None:
        return None, None
    keys = Keys(plan.stations)
    return keys, board_with(plan, laid.parts, clock, laid.deck, keys) if laid.parts.board else keys


def _check_address(address: Path, force: bool) -> None:
    """Check that an address card can be written to `address`.

    BadInputError if it is a folder, its folder does not exist or belongs to another virtual table, or the
    file exists without `force`.
    """
    if address.is_dir():
        raise BadInputError(text("a folder, not a file"), where=str(address), next_step="--address FILE")
    if not address.parent.is_dir():
        raise BadInputError(
            text("there is no such folder"), where=str(address.parent), next_step=text("create it first")
        )
    if not (force or is_free(address)):
        raise exists_already(address, "--address")
    try:
        make_room(address.with_name(CONTROL_NAME))
    except SourceError:
        # Its advice is another --socket, which this command has not.
        raise BadInputError(
            text("another virtual table keeps its card there"),
            where=str(address.parent),
            next_step=text("name a file in a folder of its own"),
        ) from None


def _say_how_to_watch(known: str, card: Path) -> None:
    """Print what the table plays, and how engines watch it.

    `known`: sentence about the game. `card`: file with the address card.
    """
    say(known)
    say(tr("Its address card, with camera, board and controls: {card}", card=str(card)))
    wanted = f"companion run --table {shlex.quote(str(card))}"
    say(tr("Its players wait for an engine: {command}", command=wanted))
