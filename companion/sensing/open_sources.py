"""Opens the camera and the board that the options or settings name, as sources of observations."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.core.clock import Clock, Gate
from companion.core.config import Config
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import say
from companion.core.system_words import system_words

if TYPE_CHECKING:
    from companion.sensing.recorder import Recorder
    from companion.sensing.recording_folder import NoRecorder
    from vision.art.art_recogniser import ArtBook
    from vision.camera.frames import Camera
    from vision.mat.remembered_table import Home


def open_sources(
    rules: Any,
    variant: str,
    camera: str,
    port: str,
    settings: Config,
    clock: Clock,
    gate: Gate,
    art: Path | None = None,
    lying: Mapping[str, Sequence[tuple[float, float]]] = MappingProxyType({}),
    recorder: "Recorder | NoRecorder | None" = None,
) -> list[Any]:
    """Open the board at `port` and camera `camera` ("": none).

    Returns sources in this order.

    What is not plugged in yet is opened once it is. A recording waits until the `gate` opens. `rules`,
    `variant`: the game whose mat and cards the camera looks for. `art`: file of cards known by their print,
    which need no sticker. `lying`: zone -> places (mm) of cards that lay unread when an earlier run ended.
    `recorder` gets all frames and bytes.
    BadInputError if both are "", SourceError for a name that cannot be one.
    """
    from companion.sensing import board_words
    from companion.sensing.board_source import BoardSource
    from companion.sensing.camera_source import watch
    from companion.sensing.press_recogniser import read_book
    from companion.sensing.vision_words import in_words
    from firmware.host.link import open_link
    from vision.camera.open_camera import open_camera

    if not camera and not port:
        raise BadInputError(
            text("neither a camera nor a board is named"),
            next_step=text("try --camera 0, or `companion play` for a virtual table"),
        )
    sources: list[Any] = []
    with ExitStack() as unless_all_are_there:
        if port:
            presses = read_book(settings.textures)
            known = settings.fingerprints.board
            with board_words.in_words():
                link = open_link(port, clock, recorder, gate=gate, wait=True, expected=known)
            unless_all_are_there.callback(link.close)
            sources.append(
                BoardSource(
                    link,
                    settings.tags,
                    settings.stations,
                    presses,
                    settings.wires,
                    board_id=known,
                    clock=clock,
                    buttons=settings.buttons,
                    electrodes=settings.electrodes,
                )
            )
        if camera:
            book = None if art is None else kinds_in(art, rules, variant)
            with in_words():
                opened = open_camera(camera, clock, colour=book is not None, gate=gate, wait=True)
            unless_all_are_there.callback(opened.close)
            source = watch(rules, variant, opened, clock, settings.lens, book, lying, home_in(settings.home))
            source.recorder = recorder
            tell = partial(_tell_camera, camera, opened, settings.fingerprints.camera)
            if opened.state.ok:
                tell()
            else:
                source.on_first = tell
            sources.append(source)
        unless_all_are_there.pop_all()
    return sources


def _tell_camera(spec: str, opened: "Camera", known: str) -> None:
    """Print which camera was opened.

    Also prints whether setup knew another one (`known`). `spec`: value of --camera.
    """
    from companion.sensing.vision_words import words_of
    from vision.camera.camera_identity import camera_fingerprint

    say(f"companion: camera: {words_of(opened.state.detail)}", err=True)
    if known not in ("", camera_fingerprint(spec, opened.info)):
        say("companion: another camera than the one that was set up: companion setup camera", err=True)


def home_in(path: str) -> "Home | None":
    """Where a table without a mat lies, from the file that `companion setup camera` wrote.

    None for "".

    BadInputError if the file cannot be read.
    """
    if not path:
        return None
    from companion.sensing.vision_words import in_words
    from vision.mat.remembered_table import home_of

    try:
        with in_words():
            return home_of(Path(path).read_bytes(), path)
    except OSError as error:
        raise BadInputError(
            system_words(error),
            where=path,
            next_step=text("companion setup camera learns it again"),
        ) from None


def kinds_in(path: Path, rules: Any, variant: str) -> "ArtBook":
    """Cards known by their print, from the file `path`, as far as a game (`rules`) has their kinds.

    BadInputError if it has none.
    """
    from companion.sensing.vision_words import in_words
    from vision.art.art_book import load_book
    from vision.art.art_recogniser import ArtBook

    kinds = {card.kind for card in rules.cards(variant)}
    with in_words():
        book = ArtBook(tuple(view for view in load_book(path).views if view.name in kinds))
    if not book.views:
        raise BadInputError(
            text("knows no card of this game by its art"),
            where=str(path),
            next_step=text(
                "enrol them: companion enrol --kinds {kinds},... PHOTOGRAPH", kinds=",".join(sorted(kinds)[:3])
            ),
        )
    return book
