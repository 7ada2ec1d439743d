"""Model time and seeded chance, shared by a board's chips."""


class ModelTime:
    """Time `us` (us) since power-on; buses and waits advance it."""

    def __init__(self) -> None:
        self.us = 0


class Chance:
    """Random numbers by xorshift32 from `seed`.

    The numbers are alike in CPython and MicroPython.
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2654435761 + 0x9E3779B9) & 0xFFFFFFFF or 1

    def u32(self) -> int:
        """Draw 32 random bits (1 to 0xFFFFFFFF)."""
        x = self._state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        self._state = x
        return x

    def random(self) -> float:
        """Draw a uniform number from 0 to 1, 1 excluded."""
        return (self.u32() >> 8) / 16777216

    def happens(self, probability: float) -> bool:
        """Draw an event: True with this probability (0 to 1).

        Zero gives False and draws nothing.
        """
        return probability > 0 and self.random() < probability

    def normal(self) -> float:
        """Draw a nearly normal number with sigma 1, from the sum of eight random bytes.

        A pressure matrix draws 256 of these a scan, so `u32` is written out, and bytes are added in pairs.
        """
        x = self._state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        y = x ^ (x << 13) & 0xFFFFFFFF
        y ^= y >> 17
        y ^= (y << 5) & 0xFFFFFFFF
        self._state = y
        pairs = (x & 0xFF00FF) + (x >> 8 & 0xFF00FF) + (y & 0xFF00FF) + (y >> 8 & 0xFF00FF)
        return ((pairs & 0xFFFF) + (pairs >> 16) - 1020) / 209.0
