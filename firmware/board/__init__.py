"""The board's program: MicroPython, copied to the Pico as it stands, also run on the host."""
