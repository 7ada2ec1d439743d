# mypy: ignore-errors
"""Main program of the Pico: a window for Ctrl-C, then the app until EXIT."""

import micropython

# This comes first, because a frame of a host that is already sending may contain a byte 3.
micropython.kbd_intr(-1)

import sys  # noqa: E402 - see above
import time  # noqa: E402

from firmware.board.hal import pico  # noqa: E402

SAFE_MODE_MS = 1500  # Ctrl-C in this window leads to the prompt, so nobody is locked out: a guess
QUIET_MS = 50  # silence that ends a key: a guess
CRASHES = 3  # crashes in a row after which the program stays off: a guess
GOOD_RUN_MS = 60000  # a run this long ends a row of crashes: a guess
PAUSE_MS = 1000  # time for the host to read a traceback: a guess
CRASH_FILE = "firmware/crash.txt"
KEYS = b"\x01\x02\x03\x04\r\n"  # keys that people press to get to the prompt: Ctrl-A to Ctrl-D, Enter


def main():
    """Run the board's program.

    EXIT, Ctrl-C at the start, or three crashes in a row lead to the prompt.
    """
    try:
        if pico.take_exit_mark():
            print("companion: ended by the host")
        elif wants_prompt():
            print("companion: stopped by Ctrl-C")
        elif pico.starts() >= CRASHES:
            print("companion: failed", CRASHES, "times in a row and stays off;", CRASH_FILE, "says why")
        else:
            run()
            return
        pico.set_starts(0)
    finally:
        pico.release_port()


def run():
    """Run the app until it ends, then reset: an armed watchdog cannot be stopped."""
    before = pico.starts()
    pico.set_starts(before + 1)
    try:
        play(before)
        pico.set_starts(0)
        pico.leave_exit_mark()
    except Exception as error:
        sys.print_exception(error)
        keep(error)
        pico.set_starts(pico.starts() or 1)
        time.sleep_ms(PAUSE_MS)
    pico.reset()


def play(failed):
    """Build the app and step it until EXIT.

    `failed` is the number of failed starts before this one.
    """
    # Imported late, because the window must open even if the rest is too large or broken.
    from firmware.board import default_rig
    from firmware.board.app import App

    wiring, complaints = default_rig.load()
    if pico.hung():
        complaints.append("the program hung and was restarted")
    elif failed:
        complaints.append("the program crashed and was restarted: " + last_crash())
    hal = pico.PicoHal(wiring)
    app = App(hal, wiring, complaints=complaints)
    started = time.ticks_ms()
    proven = False
    hal.arm()
    while not app.exit:
        wait = app.step()
        if not proven and time.ticks_diff(time.ticks_ms(), started) > GOOD_RUN_MS:
            proven = True
            pico.set_starts(0)
        time.sleep_us(wait)


def wants_prompt():
    """Wait 1.5 s for Ctrl-C; True if it came.

    Only keys by themselves count, because frames of a host sometimes contain a byte 3.
    """
    port = pico.Port()
    byte = bytearray(1)
    typed = b""
    quiet = started = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), started) < SAFE_MODE_MS:
        if port.read(byte):
            typed = typed + bytes(byte) if byte[0] else b""
            quiet = time.ticks_ms()
            continue
        if time.ticks_diff(time.ticks_ms(), quiet) >= QUIET_MS:
            if b"\x03" in typed and all(key in KEYS for key in typed):
                return True
            typed = b""
        time.sleep_ms(1)
    return False


def keep(error):
    """Store the traceback of `error` for the next start and the flasher."""
    try:
        with open(CRASH_FILE, "w") as file:
            sys.print_exception(error, file)
    except OSError:
        pass  # a full flash must not hide the crash itself


def last_crash():
    """Last line of the stored traceback, "unknown" without one."""
    try:
        with open(CRASH_FILE) as file:
            lines = file.read().strip().split("\n")
        return lines[-1]
    except OSError:
        return "unknown"


if __name__ == "__main__":
    main()
