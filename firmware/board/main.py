# mypy: ignore-errors
"""The Pico's main program: a window for Ctrl-C, then the app until the host sends EXIT."""

import micropython

# First of all: a host that is already sending would interrupt the start by a byte 3 in a frame.
micropython.kbd_intr(-1)

import sys  # noqa: E402 - see above
import time  # noqa: E402

from firmware.board.hal import pico  # noqa: E402

SAFE_MODE_MS = 1500  # Ctrl-C in this window leads to the prompt: nobody can be locked out
QUIET_MS = 50
CRASHES = 3
GOOD_RUN_MS = 60000  # a run that lasts so long was none of a row of crashes
PAUSE_MS = 1000  # for the host to read the traceback
CRASH_FILE = "firmware/crash.txt"
KEYS = b"\x01\x02\x03\x04\r\n"


def main():
    """Run the app again and again. EXIT, Ctrl-C at the start, or consecutive crashes lead to the prompt."""
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
    """Run the app until it ends. Every end resets the board, because an armed watchdog cannot be stopped."""
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
    """Build the app and step it until EXIT; `failed` starts preceded this one."""
    # Imported late: the window must be open however large or broken the rest is.
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
    """Wait for Ctrl-C. Only a key by itself counts, because the host's frames sometimes contain a byte 3."""
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
    """Store the traceback for the next start and the flasher."""
    try:
        with open(CRASH_FILE, "w") as file:
            sys.print_exception(error, file)
    except OSError:
        pass  # a full flash must not hide the crash itself


def last_crash():
    """The last line of the traceback that `keep` wrote."""
    try:
        with open(CRASH_FILE) as file:
            lines = file.read().strip().split("\n")
        return lines[-1]
    except OSError:
        return "unknown"


if __name__ == "__main__":
    main()
