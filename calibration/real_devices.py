"""Camera and board of a real rig at setup, and a person at a plain terminal."""

import select
import sys

from calibration.wizard.setup_bench import Operator
from calibration.wizard.setup_requests import ClearTable, Request
from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import localized, tr
from companion.core.plugged_in import cameras
from companion.core.printable import say
from companion.sensing.board_words import words_of
from companion.sensing.vision_words import in_words
from firmware.errors import BoardError
from firmware.host.link import Link, open_link
from firmware.host.messages import Disconnected, Message
from firmware.host.ports import list_ports
from vision.camera.frames import Camera, CameraInfo, Frame
from vision.camera.open_camera import open_camera


class RealDevices:
    """Camera and board of a real rig, for setup.

    Opening never raises. The setup step that finds parts reports what cannot be opened.
    """

    def __init__(self, camera: str, port: str, clock: Clock, expected: str = "", *, board: bool = True) -> None:
        """Open the camera and the board, if they are there.

        `camera`, `port`: as on the command line; "" takes the first camera plugged in, and the only board.
        `expected`: serial number of the board that was set up; it wins over a port's name. Without `board` no
        board is looked for.
        """
        plugged_in = tuple(cameras())
        self.camera_spec = camera or next((device for device, _ in plugged_in), "")
        self.choice = plugged_in if not camera and len(plugged_in) > 1 else ()
        """Cameras among which a person must choose, as (spec, name)."""
        self.port_spec = port or ("auto" if board and list_ports() else "")
        self._clock, self._expected = clock, expected
        self._down: list[Message] = []
        self.refused: SourceError | None = None
        """Reason why the camera could not be opened.
        None if it was."""
        self._last: Frame | None = None
        self._camera = self._open_camera()
        self._link = self._open_link()

    @property
    def link(self) -> Link | None:
        """Link of the board; None without a board.

        A port that cannot be opened gives a link that never connects.
        """
        return self._link

    def use_camera(self, spec: str) -> None:
        """Open the camera `spec` instead of the present one.

        Does nothing if it is open already.
        """
        if spec == self.camera_spec and self._camera is not None:
            return
        if self._camera is not None:
            self._camera.close()
        self.camera_spec, self.refused, self._last = spec, None, None
        self._camera = self._open_camera()

    @property
    def specs(self) -> tuple[str, str]:
        """Camera and port as `--camera` and `--port` take them; "" for none."""
        return self.camera_spec, self.port_spec

    @property
    def camera(self) -> CameraInfo | None:
        """Open camera's size, rate and settings; None without one."""
        return None if self._camera is None else self._camera.info

    def poll(self) -> list[Message]:
        """Messages of the board since the last call.

        A port that cannot be opened gives one message with the reason.
        """
        told, self._down = self._down, []
        return told + ([] if self._link is None else self._link.poll())

    def frame(self) -> Frame | None:
        """Newest picture of the camera; None without a new one.

        A recording that is over, or a single picture, repeats its last picture.
        """
        if self._camera is None:
            return None
        if (frame := self._camera.read()) is not None:
            self._last = frame
        elif self._last is not None and self._camera.finished:
            frame = Frame(self._clock.now(), self._last.image)
        return frame

    def close(self) -> None:
        """Close the camera and the board's port."""
        if self._camera is not None:
            self._camera.close()
        if self._link is not None:
            self._link.close()

    def _open_camera(self) -> Camera | None:
        if not self.camera_spec:
            return None
        try:
            with in_words():
                opened = open_camera(self.camera_spec, self._clock, colour=True)
        except SourceError as error:
            self.refused = error
            return None
        self._last = opened.read()  # a single picture can be read only once
        return opened

    def _open_link(self) -> Link | None:
        if not self.port_spec:
            return None
        try:
            return open_link(self.port_spec, self._clock, expected=self._expected)
        except BoardError as error:
            self._down.append(Disconnected(self._clock.now(), words_of(error.at)))
            return Link(self.port_spec, self._clock)


class Terminal:
    """Person at a plain terminal, who does what setup asks.

    Each request is printed; Enter confirms, `n` refuses. Ctrl-D raises KeyboardInterrupt, except while a text
    is typed, which it ends. `table`, if given, carries out confirmed requests on a virtual table.
    """

    def __init__(self, table: Operator | None = None) -> None:
        self._table = table
        self._request: Request = ClearTable()
        self._line = ""

    def ask(self, request: Request) -> None:
        """Print a request to the person, with answering keys."""
        self._request = request
        asked = localized(request.sentence)
        if request.confirmed and not (request.no or request.typed):
            asked = tr("{request} [Enter] ", request=asked)
        if request.no:
            asked = tr("{request} [Enter, or n: {no}] ", request=asked, no=request.no)
        say(asked, err=True)

    def answered(self) -> bool | None:
        """Answer to the last request: True for done, False for refused, None while open.

        Without a terminal, the request's `true_unwatched` is the answer, so the table is measured as it is.
        """
        if not self._request.confirmed:
            return True
        if not sys.stdin.isatty() and not self._request.typed:
            return self._request.true_unwatched
        if not select.select([sys.stdin], [], [], 0)[0]:
            return None
        self._line = sys.stdin.readline()
        if self._request.typed:
            return bool(self._line)  # False at the end of the input: no more
        if not self._line:
            raise KeyboardInterrupt  # Ctrl-D confirms nothing and leaves, as Ctrl-C does
        done = not self._line.strip().lower().startswith("n")
        if done and self._table is not None:
            self._table.ask(self._request)
            done = bool(self._table.answered())
        return done

    def typed(self) -> str:
        """Text that the person typed last, without spaces around it."""
        return self._line.strip()
