"""The board's program in MicroPython, copied to the Pico unchanged.

Hosts run it, too.
"""
