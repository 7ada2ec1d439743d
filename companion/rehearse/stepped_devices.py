"""Camera and board of a rehearsal, which give what they have at each step of one simulated clock."""

from functools import cached_property

from companion.core.clock import ManualClock
from companion.rehearse.game_recording import FRAME_S, VideoRecorder
from companion.virtual.virtual_table import VirtualTable
from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.host.port_recording import PortRecorder
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import VirtualBoard
from vision.camera.frames import ClosedAtEnd, Image
from vision.camera.open_camera import CameraInfo, CameraStatus, Frame


class SteppedCamera(ClosedAtEnd):
    """Virtual camera that gives the table's present picture at once.

    `table`: the virtual table that it sees. Every picture is offered to `recorder`, if there is one.
    """

    def __init__(self, table: VirtualTable, recorder: VideoRecorder | None = None) -> None:
        self._table = table
        self._recorder = recorder
        self.finished = False
        self.state = CameraStatus(True)
        self.info = CameraInfo(1920, 1080, 1 / FRAME_S, "virtual table")
        self.rate_hz = self.info.fps

    def read(self) -> Frame | None:
        """Return a picture of the table now; never None.

        A coloured table is drawn in colour only when needed; any other gives a grey picture.
        """
        table = self._table
        picture = Frame(table.clock.now(), ColourOnDemand(table) if table.coloured else table.grey())
        if self._recorder:
            self._recorder.look(self._table)
        return picture


class ColourOnDemand:
    """Picture of the virtual table, coloured only when needed.

    The grey picture is drawn at once. `height`, `width`: size (px) of both.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._grey = table.grey()
        self.height, self.width = self._grey.shape

    @cached_property
    def image(self) -> Image:
        """The picture in colour, (height, width, 3) in the order B, G, R, uint8; drawn once.

        Read it before the table moves on: it shows the table at the moment of drawing.
        """
        return self._table.frame()

    @property
    def quickest(self) -> Image:
        """The picture in grey, (height, width), uint8."""
        return self._grey


class BoardLink:
    """Real link to a board, whose messages pass through a subclass on their way.

    `link`: the real link.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self.finished = False

    def configure(self, setting: int, station: str | None, value: int) -> None:
        """Send a setting to the board through the real link.

        `setting`: number of the setting, one of the constants `CONF_*` of `firmware.wire.codec`. `station`:
        name of a station; None for all. `value`: in the setting's unit.
        """
        self._link.configure(setting, station, value)

    def close(self) -> None:
        """Close the port of the real link."""
        self._link.close()


class SteppedLink(BoardLink):
    """Real link to a virtual board, over a real pseudo-terminal.

    Each poll waits until the board has sent everything, so that equal games read equal bytes. `clock`: the
    table's clock. `capture` records the bytes; None records nothing.
    """

    def __init__(self, board: VirtualBoard, clock: ManualClock, capture: PortRecorder | None) -> None:
        super().__init__(Link(board.path, clock, capture=capture))
        self._board = board
        self._clock = clock

    def poll(self) -> list[Message]:
        """Let the board work up to the present time, and return its new messages."""
        return lockstep.step(self._board, self._link, self._clock.now())
