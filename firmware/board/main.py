# mypy: ignore-errors
"""The Pico's main program: a window for a way out, then the app until the host says EXIT."""

import sys
import time

from firmware.board.app import App
from firmware.board.hal import pico

try:
    from rig import RIG  # the owner's own wiring, beside this file
except ImportError:
    from firmware.board.rig import DEFAULT_RIG as RIG

SAFE_MODE_MS = 1500  # Ctrl-C in this window leads to the prompt: nobody can be locked out


def main():
    """Run the app; after a crash print the traceback and start over, after EXIT leave to the prompt."""
    time.sleep_ms(SAFE_MODE_MS)
    pico.take_over_port()
    try:
        app = App(pico.PicoHal(RIG), RIG)
        while not app.exit:
            time.sleep_us(app.step())
    except Exception as error:
        sys.print_exception(error)
        time.sleep_ms(1000)
        pico.reset()
    finally:
        pico.release_port()


if __name__ == "__main__":
    main()
