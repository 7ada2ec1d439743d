"""Model time and seeded chance, shared by all chips of one board."""


class ModelTime:
    """Microseconds since the board was powered. Buses and waits advance it."""

    def __init__(self) -> None:
        self.us = 0


class Chance:
    """A small generator (xorshift32) with the same numbers on CPython and MicroPython."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2654435761 + 0x9E3779B9) & 0xFFFFFFFF or 1

    def u32(self) -> int:
        """32 random bits."""
        x = self._state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        self._state = x
        return x

    def random(self) -> float:
        """Uniform in 0..1, 1 excluded."""
        return (self.u32() >> 8) / 16777216

    def happens(self, probability: float) -> bool:
        """True with `probability`; draws nothing if that is zero."""
        return probability > 0 and self.random() < probability

    def normal(self) -> float:
        """Approximately normal with sigma 1: the sum of twelve bytes of uniform noise."""
        x = self.u32()
        y = self.u32()
        total = (x & 255) + (x >> 8 & 255) + (x >> 16 & 255) + (x >> 24)
        total += (y & 255) + (y >> 8 & 255) + (y >> 16 & 255) + (y >> 24)
        return (total - 1020) / 209.0
