"""Recognises a board that left its program by its prompt or traceback."""

from firmware.clock import Clock
from firmware.wire.codec import Decoder
from firmware.wire.payloads import one_line

QUIET_S = 0.3  # silence after which an unfinished frame is read as text: a guess


class PromptWatch:
    """Watch for MicroPython's prompt in bytes that are no frames.

    `decoder`: its rejected and unfinished bytes are examined. `shown`: True once a prompt was seen; set it to
    False to watch again.
    """

    def __init__(self, decoder: Decoder, clock: Clock) -> None:
        self.shown = False
        self._decoder = decoder
        self._clock = clock

    def look(self, last_byte: float) -> str | None:
        """Look whether the board shows its prompt or a traceback.

        Returns the last line of the traceback, "" for a bare prompt, None for neither. Each prompt is reported
        once. `last_byte`: time (s) of the line's last byte; nothing is reported before QUIET_S of silence.
        """
        if self.shown or not (self._decoder.rejected or self._decoder.pending()):
            return None
        if self._clock.now() - last_byte < QUIET_S:
            return None  # let a frame on its way finish first
        text = bytes(self._decoder.rejected) + self._decoder.pending()
        crashed = text.rfind(b"Traceback (most")
        if crashed < 0 and b"\n>>> " not in text and not text.endswith(b">>> "):
            return None
        self.shown = True
        self._decoder.drop()
        if crashed < 0:
            return ""
        lines = text[crashed:].decode("ascii", "replace").splitlines()[1:]
        said = [line for line in lines if line.strip() and not line.startswith((" ", ">>>", "MicroPython"))]
        return one_line(said[0]) if said else "no message"
