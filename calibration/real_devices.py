"""Camera and board of a real rig for the setup steps, and a person at a plain terminal."""

import select
import sys

from calibration.setup_bench import Operator
from calibration.setup_requests import ClearTable, Request
from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import localized, tr
from companion.core.plugged_in import cameras
from companion.core.printable import say
from firmware.host.link import Link, open_link
from firmware.host.messages import Disconnected, Message
from firmware.host.ports import list_ports
from vision.camera.frames import Camera, CameraInfo, Frame
from vision.camera.open_camera import open_camera


class RealDevices:
    """Opens the camera and board of these names; without a name the only one that is found.

    What cannot be opened is reported by the step that finds parts: nothing raises here.
    """

    def __init__(self, camera: str, port: str, clock: Clock, expected: str = "", *, board: bool = True) -> None:
        """`expected`: serial number of the board that was set up; it wins over a port's name. Without `board`
        none is looked for."""
        plugged_in = tuple(cameras())
        self.camera_spec = camera or next((device for device, _ in plugged_in), "")
        self.choice = plugged_in if not camera and len(plugged_in) > 1 else ()
        """Cameras among which a person has to choose: (spec, name)."""
        self.port_spec = port or ("auto" if board and list_ports() else "")
        self._clock, self._expected = clock, expected
        self._down: list[Message] = []
        self.refused: SourceError | None = None
        """Why the camera could not be opened."""
        self._last: Frame | None = None
        self._camera = self._open_camera()
        self._link = self._open_link()

    @property
    def link(self) -> Link | None:
        """The board's link; one that never connects if the port cannot be opened."""
        return self._link

    def use_camera(self, spec: str) -> None:
        """Close the camera and open another one."""
        if spec == self.camera_spec and self._camera is not None:
            return
        if self._camera is not None:
            self._camera.close()
        self.camera_spec, self.refused, self._last = spec, None, None
        self._camera = self._open_camera()

    @property
    def specs(self) -> tuple[str, str]:
        """Camera and port by their names; empty for none."""
        return self.camera_spec, self.port_spec

    @property
    def camera(self) -> CameraInfo | None:
        """What was negotiated with the camera."""
        return None if self._camera is None else self._camera.info

    def poll(self) -> list[Message]:
        """Messages of the board, first why its port cannot be opened."""
        told, self._down = self._down, []
        return told + ([] if self._link is None else self._link.poll())

    def frame(self) -> Frame | None:
        """The newest picture. A recording that is over, or a single picture, goes on showing its last one."""
        if self._camera is None:
            return None
        if (frame := self._camera.read()) is not None:
            self._last = frame
        elif self._last is not None and self._camera.finished:
            frame = Frame(self._clock.now(), self._last.image)
        return frame

    def close(self) -> None:
        """Close both."""
        if self._camera is not None:
            self._camera.close()
        if self._link is not None:
            self._link.close()

    def _open_camera(self) -> Camera | None:
        if not self.camera_spec:
            return None
        try:
            opened = open_camera(self.camera_spec, self._clock, colour=True)
        except SourceError as error:
            self.refused = error
            return None
        self._last = opened.read()  # a single picture is gone a moment later
        return opened

    def _open_link(self) -> Link | None:
        if not self.port_spec:
            return None
        try:
            return open_link(self.port_spec, self._clock, expected=self._expected)
        except SourceError as error:
            self._down.append(Disconnected(self._clock.now(), str(error), error.next_step))
            return Link(self.port_spec, self._clock)


class Terminal:
    """A person at a terminal without screens: each request is a line; Enter confirms, `n` says no.

    Ctrl-D raises KeyboardInterrupt, where it does not end what is typed. `table` does at a virtual table what
    was confirmed.
    """

    def __init__(self, table: Operator | None = None) -> None:
        self._table = table
        self._request: Request = ClearTable()
        self._line = ""

    def ask(self, request: Request) -> None:
        """Print the request."""
        self._request = request
        asked = localized(request.words)
        if request.confirmed and not (request.no or request.typed):
            asked = tr("{request} [Enter] ", request=asked)
        if request.no:
            asked = tr("{request} [Enter, or n: {no}] ", request=asked, no=request.no)
        say(asked, err=True)

    def answered(self) -> bool | None:
        """The answer, as soon as there is one. Without a terminal what lies there is measured as it is."""
        if not self._request.confirmed:
            return True
        if not sys.stdin.isatty() and not self._request.typed:
            return self._request.true_unwatched
        if not select.select([sys.stdin], [], [], 0)[0]:
            return None
        self._line = sys.stdin.readline()
        if self._request.typed:
            return bool(self._line)  # the end of the input: no more
        if not self._line:
            raise KeyboardInterrupt  # Ctrl-D confirms nothing: it leaves, as Ctrl-C does
        done = not self._line.strip().lower().startswith("n")
        if done and self._table is not None:
            self._table.ask(self._request)
            done = bool(self._table.answered())
        return done

    def typed(self) -> str:
        """The line that was typed last."""
        return self._line.strip()
