"""Virtual rig under setup: camera, board, and a person who obeys requests, on one clock."""

import dataclasses
import heapq
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from calibration.virtual_rig.lens_sheet_picture import LensSheet
from calibration.virtual_rig.rig_defects import SOUND, Defect
from calibration.virtual_rig.setup_hands import SetupHands
from calibration.wizard import setup_requests as req
from companion.core.clock import Clock, ManualClock, RealClock
from companion.games.appearance import PhysicalCard
from companion.games.registry import GAME_NAMES, load_game, load_virtual
from companion.virtual.card_art import CORNERS, NO_MAT, PRINTED, Art
from companion.virtual.game_api import VirtualGame
from companion.virtual.render.camera_optics import Lens
from companion.virtual.render.looks import Looks
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.render.table_surface import corners_alone, tablecloth
from companion.virtual.rig.board_readings import PAD, RoughRig, enrol_cards
from companion.virtual.rig.matrix_presses import RaisedCards
from companion.virtual.rig.noise_profiles import Noise, profile
from companion.virtual.rig.part_board import PartBoard
from companion.virtual.world import World
from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd, MemoryPort
from vision.camera.frames import CameraInfo, Frame
from vision.mat_geometry import Mat

FRAME_S = 1 / 15
FREE_PIN = 20
"""GP number of a pin of the Pico that no part of the rig uses."""
TILT_RAD = 0.35
"""Angle (radians) of a lens sheet with one edge on a box."""
SHEET_PLACES = ((0.2, 0.27), (0.8, 0.27), (0.78, 0.73), (0.22, 0.73), (0.5, 0.5), (0.3, 0.5), (0.7, 0.5))
"""Middle of the lens sheet in each view, as shares (0 to 1) of the mat's width and height."""

NAMES = ("Clouds", "Kites", "Frogs", "Boats")
"""NAMES: names that the virtual family gives to characters."""


BEGIN_S = 0.3
"""Time (s) from a request to the virtual person's first movement. A guess."""


class _CrossedBoard:
    """Virtual board some of whose wires lead to wrong stations.

    `wires`: capability -> station of a wire -> station that it leads to; "" if it is cut.
    """

    def __init__(self, board: VirtualBoard, wires: dict[str, dict[str, str]]) -> None:
        self._board, self._wires = board, wires

    def __getattr__(self, name: str) -> Any:
        return getattr(self._board, name)

    def _at(self, capability: str, station: str) -> str:
        return self._wires.get(capability, {}).get(station, station)

    def set_weight(self, station: str, grams: float) -> None:
        """Put a weight (g) on the scale to which the wire of `station` leads."""
        self._board.set_weight(self._at("count", station), grams)

    def touch(self, station: str, pressed: bool) -> None:
        """Touch or release the electrode to which the wire of `station` leads; nothing if it is cut."""
        if at := self._at("touch", station):
            self._board.touch(at, pressed)

    def press_button(self, station: str, pressed: bool) -> None:
        """Press or release the button to which the wire of `station` leads; nothing if it is cut."""
        if at := self._at("button", station):
            self._board.press_button(at, pressed)


class _Port:
    """Disk of a virtual machine."""

    def __init__(self, free_mb: float) -> None:
        self._free_mb = free_mb

    def free_mb(self) -> float:
        """Free space (MB)."""
        return self._free_mb


class VirtualSetup:
    """Virtual rig with one set of cards (`seed`): both the devices and the person of a setup.

    `noise`: a noise profile or its name. `defect`: what is wrong with the rig. `art`: cards have these drawn
    pictures and no stickers. `mat`: whether a mat is printed, missing, or its corner cards are laid on
    request. Without `lens_sheet` nobody has printed the lens sheet. `board_rig`: the board's rig file, by
    default the recommended one.
    With `live` the rig runs in real time, for screens. Otherwise the setup moves the clock, and equal
    arguments and requests give equal pictures and bytes.
    """

    def __init__(
        self,
        game: str,
        variant: str,
        *,
        seed: int,
        noise: str | Noise = "home",
        defect: Defect = SOUND,
        has_camera: bool = True,
        has_board: bool = True,
        lens_sheet: bool = True,
        live: bool = False,
        art: Art | None = None,
        mat: str = PRINTED,
        board_rig: dict[str, Any] | None = None,
    ) -> None:
        self._board_rig = board_rig
        self.clock: Clock = RealClock() if live else ManualClock()
        rules = load_game(game)
        virtual: VirtualGame = load_virtual(game)
        self.seed, self.variant = seed, variant
        self.defect = defect
        self.machine = _Port(defect.free_mb)
        self._lens_sheet = lens_sheet
        self._plan = virtual.rig(variant)
        self._chance = Random(f"{seed} setup")
        cards = rules.cards(variant)
        self._noise = dataclasses.replace(
            profile(noise) if isinstance(noise, str) else noise, nudges_per_game=0.0
        )
        self._raised = [card.code for card in cards if card.texture is not None]
        tags = enrol_cards(cards, seed)
        self.true_tags = {uid.hex(): code for code, uid in tags.items()}
        """RFID tag (hex) -> the card that really carries it, without defects."""
        self.world = World()
        self._mat = surface = rules.mat(variant)
        looks = virtual.looks
        if defect.other_mat:
            surface, looks = _another_game(rules.name)
        if mat != PRINTED:
            surface = tablecloth(surface)
        self._looks: Looks = looks if art is None else art.looks(looks, cards)
        self._coloured = art is not None
        self._camera = self._camera_over(surface, cards) if has_camera else None
        self._sheet: LensSheet | None = None
        self._frames = 0
        self._frame_at = 0.0
        self._zero = self.clock.now()
        self.wires: dict[str, dict[str, str]] = {}
        """Capability -> station that people see -> station whose wire it has; "" is a cut wire."""
        self._board: VirtualBoard | None = None
        self._link: Link | None = None
        self._rig: RoughRig | None = None
        if has_board and self._plan.stations:
            self._connect(tags)
        self._due: list[tuple[float, int, Callable[[], float | None]]] = []
        self._order = count()
        self._answer = True
        self._said = ""
        self.hands = SetupHands(
            self.world,
            self._rig,
            self._mat,
            self._looks,
            cards,
            self._noise,
            self._chance,
            self._lamps,
            sees=has_camera,
            art=art is not None,
            bare=mat == NO_MAT,
            lay_paper=self._lay_corners if has_camera and mat == CORNERS else None,
            lost=defect.lost_of(cards),
        )

    def _camera_over(self, surface: Mat, cards: tuple[PhysicalCard, ...]) -> TableCamera:
        """Make the camera over a mat with the printed cards.

        It has the defect's zoom.
        """
        chance = Random(f"{self.seed} camera")
        camera = TableCamera(self.world, surface, self._printed(cards), self._looks, self._noise, chance)
        if self.defect.zoom != 1:
            camera.nudge(0, 0, 0, self.defect.zoom)
        return camera

    # Devices

    @property
    def link(self) -> Link | None:
        """Link of the virtual board; None without a board."""
        return self._link

    @property
    def specs(self) -> tuple[str, str]:
        """Camera and port by name: ("", ""), because virtual devices are never opened again."""
        return "", ""

    @property
    def choice(self) -> tuple[tuple[str, str], ...]:
        """Cameras to choose from: none, because there is at most one."""
        return ()

    def use_camera(self, spec: str) -> None:
        """Do nothing, because there is no other camera."""

    @property
    def refused(self) -> None:
        """Why the camera could not be opened: always None."""

    @property
    def camera(self) -> CameraInfo | None:
        """Size and rate of virtual pictures; None without a camera."""
        if self._camera is None:
            return None
        low = self.defect.fault == "low resolution"
        return CameraInfo(854 if low else 1920, 480 if low else 1080, 1 / FRAME_S, "virtual table")

    def poll(self) -> list[Message]:
        """Move board and hands on to the clock's time; return the board's messages."""
        now = self.clock.now()
        while self._due and self._due[0][0] <= now:
            at, _, go_on = heapq.heappop(self._due)
            pause = go_on()
            if pause is not None:
                heapq.heappush(self._due, (at + pause, next(self._order), go_on))
        if self._rig is None or self._board is None or self._link is None:
            return []
        if self.defect.creep_g_s:
            crept = self.defect.creep_g_s * (now - self._zero)
            self._board.misbehave("count", self._plan.stations[1], "drift", crept)
        self._rig.step(now - self._zero)
        return lockstep.step(self._board, self._link, now)

    def frame(self) -> Frame | None:
        """Take a picture, at most 15 times a second.

        None in between, or without a camera.
        """
        now = self.clock.now()
        if self._camera is None or now < self._frame_at:
            return None
        self._frame_at = now + FRAME_S
        self._frames += 1
        if self._coloured and self._sheet is None and self.defect.look is None:
            return Frame(now, self._camera.frame(now - self._zero))
        gray = self._camera.grey(now - self._zero)
        if self._sheet is not None:
            gray = self._sheet.laid_on(gray)
        if self.defect.look is not None:
            gray = self.defect.look(gray, self._frames, self._camera)
        return Frame(now, gray)

    @property
    def lens(self) -> Lens:
        """True lens of the virtual camera, which must exist."""
        assert self._camera is not None
        return self._camera.lens

    @property
    def in_sight(self) -> frozenset[str]:
        """Codes of the cards that lie on the mat."""
        return frozenset(thing.code for thing in self.world.things.values())

    def unplug(self) -> None:
        """Pull the board's cable."""
        assert self._board is not None
        self._board.unplug()

    def nudge(self, dx: float, dy: float) -> None:
        """Push the camera: its picture moves by (`dx`, `dy`) px."""
        assert self._camera is not None
        self._camera.nudge(dx, dy, 0.0)

    def pressed(self, kind: str, age: float) -> tuple[bytes, bytes]:
        """Press a raised picture on the matrix, as in games.

        Returns two readings of the pressure matrix (256 bytes): with the picture, and empty. `kind`: of the
        picture. `age`: seconds since the game began.
        """
        assert self._rig is not None
        return self._rig.press_of(self._plan.raised.pictures[kind], age)

    def load(self, station: str, cards: int) -> None:
        """Load the scale of a station with exactly `cards` cards."""
        assert self._rig is not None
        self._rig.load(station, cards)

    def free_for(self, station: str) -> float:
        """Time (s) since a hand last rested on a station's scale.

        Infinite if none ever did.
        """
        assert self._rig is not None
        return self._rig.free_for(station)

    def close(self) -> None:
        """Close link and board."""
        if self._link is not None and self._board is not None:
            self._link.close()
            self._board.close()

    # Operator

    def ask(self, request: req.Request) -> None:
        """Begin to obey a request of setup.

        One that people would have to confirm is done at once.
        """
        self._answer = self._begin(request)

    def answered(self) -> bool | None:
        """Answer to the last request: True for done, False for no or nothing more, None while open."""
        return self._answer

    def typed(self) -> str:
        """Text that the virtual family typed for the last request; "" for none."""
        return self._said

    def _lay_corners(self) -> None:
        assert self._camera is not None
        self._camera.lay(corners_alone(self._mat, Random(f"{self.seed} corners")))

    def _begin(self, request: req.Request) -> bool:
        if isinstance(request, req.NameCharacter):
            self._said = NAMES[int(request.usual.split()[-1]) % len(NAMES)]
            return True
        if isinstance(request, req.NameLacking):
            self._said = ""
            return True
        if isinstance(request, req.LayLensSheet):
            return self._lens_sheet and self._lay_sheet(request.view, request.tilted)
        if isinstance(request, req.ClearTable):
            self._sheet = None
        script = self.hands.answer(request)
        if isinstance(script, bool):
            return script

        def go_on() -> float | None:
            return next(script, None)

        heapq.heappush(self._due, (self.clock.now() + BEGIN_S, next(self._order), go_on))
        return True

    # The rig

    def _connect(self, tags: dict[str, bytes]) -> None:
        defect, stations = self.defect, self._plan.stations
        rig = self._board_rig or self._plan.board_rig()
        end = MemoryEnd()
        self._board = PartBoard(_as_told(rig, defect), self.clock, self.seed, end=end, wired=rig)
        if defect.old_firmware:
            self._board.machine.cut_power()
            self._board.machine._code_hash ^= 0x1234
            self._board.machine.boot(1, 0)

        def refuse(_path: str) -> MemoryPort:
            raise PermissionError(13, "Permission denied")

        self._link = Link(end.path, self.clock, opener=refuse if defect.no_permission else end.open, session=5)
        self._break_chips(self._board)
        wires = self.wires = {
            capability: {stations[one]: stations[other] if other >= 0 else "" for one, other in those.items()}
            for capability, those in defect.crossed.items()
        }
        plan = self._plan
        if defect.alike:
            plan = dataclasses.replace(plan, raised=_alike(plan.raised))
        codes = self._raised
        if defect.tags_swapped:
            tags = {**tags, codes[0]: tags[codes[3]], codes[3]: tags[codes[0]]}
        if defect.tag_twice:
            tags = {**tags, codes[3]: tags[codes[0]]}
        board: Any = _CrossedBoard(self._board, wires) if wires else self._board
        self._rig = RoughRig(board, tags, plan, self._noise, Random(f"{self.seed} rig"))
        self._rig.zero = self._zero
        # The noise profile set the same numbers, and a defect is worse.
        self._break_chips(self._board)

    def _break_chips(self, board: VirtualBoard) -> None:
        for part, number, fault, value in self.defect.chips:
            board.misbehave(part, PAD if number < 0 else self._plan.stations[number], fault, value)

    def _printed(self, cards: tuple[PhysicalCard, ...]) -> list[PhysicalCard]:
        if not self.defect.sticker_twice:
            return list(cards)
        deck = [card for card in cards if card.payload]
        return [
            dataclasses.replace(card, payload=deck[0].payload) if card is deck[5] else card for card in cards
        ]

    def _lamps(self) -> dict[str, tuple[int, int, int]]:
        """Station -> colour (red, green, blue) of the lamp that people see there."""
        assert self._board is not None
        driven = self._board.lamps
        wires = self.wires.get("lamp", {})
        return {one: driven.get(wires.get(one, one), (0, 0, 0)) for one in driven}

    def _lay_sheet(self, view: int, tilted: bool) -> bool:
        if self._camera is None:
            return False
        chance, mat = self._chance, self._mat
        u, v = SHEET_PLACES[(view - 1) % len(SHEET_PLACES)]
        at = (u * mat.w + chance.uniform(-15, 15), v * mat.h + chance.uniform(-10, 10))
        turn = chance.uniform(-0.15, 0.15)
        tilt = TILT_RAD if tilted else 0.0
        self._sheet = LensSheet(self._camera.lens, at, turn, tilt, view % 2 == 0, self._noise)
        return True


def _another_game(name: str) -> tuple[Mat, Looks]:
    """Mat of a game other than this one, and the looks of its things."""
    other = next(one for one in GAME_NAMES if one != name)
    game = load_game(other)
    return game.mat(next(iter(game.variants))), load_virtual(other).looks


def _as_told(rig: dict[str, Any], defect: Defect) -> dict[str, Any]:
    """Rig file that the board is given, which may be wrong.

    If that is the defect, the third scale has a wrong pin in it.
    """
    if not (defect.pin or defect.loose_pin):
        return rig
    stations = rig["stations"]
    pin = FREE_PIN if defect.loose_pin else stations[0]["count"]["dout"]
    broken = dict(stations[2], count={**stations[2]["count"], "dout": pin})
    return {**rig, "stations": [*stations[:2], broken, *stations[3:]]}


def _alike(raised: RaisedCards) -> RaisedCards:
    """Copy raised cards so that the first two pictures are nearly equal."""
    kinds = list(raised.pictures)
    first, second = raised.pictures[kinds[0]], raised.pictures[kinds[1]]
    nearly = tuple((x1 + 0.4, y1, x2 + 0.4, y2, pen) for x1, y1, x2, y2, pen in first)
    pictures = {**raised.pictures, kinds[1]: nearly}

    def of(code: str) -> Any:
        picture = raised.of(code)
        return nearly if picture == second else picture

    return dataclasses.replace(raised, pictures=pictures, of=of)
