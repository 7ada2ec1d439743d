"""Recognises that a board left its program: its prompt or traceback among bytes that are no frames."""

from companion.core.clock import Clock
from companion.core.printable import printable
from firmware.wire.codec import Decoder

QUIET = 0.3


class PromptWatch:
    """Examines what the decoder rejected, and an unfinished frame once the line is quiet."""

    def __init__(self, decoder: Decoder, clock: Clock) -> None:
        self.shown = False
        self._decoder = decoder
        self._clock = clock

    def look(self, last_byte: float) -> str | None:
        """The last line of a traceback, "" for a bare prompt, None for neither. Each is reported once."""
        if self.shown or not (self._decoder.rejected or self._decoder.pending()):
            return None
        if self._clock.now() - last_byte < QUIET:
            return None  # let it finish: a frame on its way looks unfinished too
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
        return printable(said[0]) if said else "no message"
