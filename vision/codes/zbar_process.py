"""A second decoder, zbar, in a child process, because hostile pictures make it hang or abort.

The child runs this file as a module. It reads pictures from its standard input, answers on its standard output,
and is killed when it takes too long. It is no pool of multiprocessing or concurrent.futures: a pool cannot end
a worker that hangs amid a write. A spawned worker would import the parent's main module first.
"""

import json
import os
import struct
import subprocess
import sys
import threading
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np

from vision.codes.sticker_set import Gray

_HEAD = struct.Struct("<II")
"""Head of each picture sent to the child: its width and height in px."""
_LENGTH = struct.Struct("<I")
"""Head of each answer of the child: its number of bytes."""
_FAILURES_MOST = 3
"""_FAILURES_MOST: failures of the child process after which it is not started again."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A QR code from zbar: raw bytes, and outline (px).

    The outline has any number of points, in any order.
    """

    raw: bytes
    outline: tuple[tuple[float, float], ...]


class SecondOpinion:
    """Decoder zbar for QR codes, in a child process that is started at the first picture.

    Use it in a `with` block. `limit_s`: the child is killed if a picture takes longer (s). Without zbar
    installed every reading is empty.
    """

    def __init__(self, limit_s: float = 2.0) -> None:
        self._limit_s = limit_s
        self._child: subprocess.Popen[bytes] | None = None
        self._failures = 0

    def read(self, gray: Gray) -> list[Opinion]:
        """Read the QR codes in a grey picture.

        Empty if the child fails or exceeds the time limit. After three failures the child is not started again.
        """
        if min(gray.shape) < 12 or self._failures >= _FAILURES_MOST:
            return []
        try:
            answer = json.loads(self._asked(self._child or self._start(), gray))
        except (OSError, EOFError, ValueError):
            self._failures += 1
            self.close()
            return []
        return [
            Opinion(b64decode(raw), tuple((float(x), float(y)) for x, y in outline)) for raw, outline in answer
        ]

    def close(self) -> None:
        """End the child process. A later picture starts another."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for stream in (self._child.stdin, self._child.stdout):
                # Unwritten data cannot be flushed to a dead child.
                with suppress(OSError):
                    if stream is not None:
                        stream.close()
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> subprocess.Popen[bytes]:
        self._child = subprocess.Popen(
            # -P: a module in the folder with the pictures is not imported.
            [sys.executable, "-P", "-m", "vision.codes.zbar_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Warnings of zbar, and of a dying child, do not belong on the screen.
            stderr=subprocess.DEVNULL,
            # `-m` must find this file, however the program itself was found.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        return self._child

    def _asked(self, child: subprocess.Popen[bytes], gray: Gray) -> bytes:
        """Send the child process a picture; return its raw answer.

        OSError or EOFError if the child died or was killed because it took too long.
        """
        assert child.stdin is not None
        assert child.stdout is not None
        # Writing to a child that hangs blocks, too.
        guard = threading.Timer(self._limit_s, child.kill)
        guard.start()
        try:
            height, width = gray.shape
            child.stdin.write(_HEAD.pack(width, height))
            child.stdin.write(np.ascontiguousarray(gray).data)
            child.stdin.flush()
            head = child.stdout.read(_LENGTH.size)
            if len(head) < _LENGTH.size:
                raise EOFError("the child died")
            return child.stdout.read(*_LENGTH.unpack(head))
        finally:
            guard.cancel()


def serve() -> None:
    """Answer each picture on standard input with its codes.

    The loop ends with the input. This is all that the child process does.
    """
    from pyzbar.pyzbar import ZBarSymbol, decode

    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(_HEAD.size):
        width, height = _HEAD.unpack(head)
        found = decode((source.read(width * height), width, height), symbols=[ZBarSymbol.QRCODE])
        answer = json.dumps(
            [(b64encode(code.data).decode(), [(p.x, p.y) for p in code.polygon]) for code in found]
        ).encode()
        sink.write(_LENGTH.pack(len(answer)) + answer)
        sink.flush()


if __name__ == "__main__":
    serve()
