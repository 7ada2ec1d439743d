"""Models of parts without registers: a bouncing button, a chain of lamps, a beeper."""

from firmware.simulator.chips.model_time import Chance, ModelTime


class ButtonModel:
    """Button that connects its pin with ground while pressed.

    Its contact bounces for `bounce_us` (us) after each change.
    """

    def __init__(self, time: ModelTime, chance: Chance) -> None:
        self.time = time
        self.chance = chance
        self.bounce_us = 4000
        self.pressed = False
        self._changed_us = -1000000

    def press(self, pressed: bool) -> None:
        """Press the button (True) or release it."""
        if pressed != self.pressed:
            self.pressed = pressed
            self._changed_us = self.time.us

    def value(self) -> int:
        """Level of the pin: 0 while pressed, 1 while not, random while the contact bounces."""
        if self.time.us - self._changed_us < self.bounce_us:
            return self.chance.u32() & 1
        return 0 if self.pressed else 1


class StripModel:
    """Chain of `count` WS2812 lamps.

    `colours`: each lamp's (red, green, blue), 0 to 255. `writes`: number of updates.
    """

    def __init__(self, count: int) -> None:
        self.colours = [(0, 0, 0)] * count
        self.writes = 0

    def write(self, data: bytes) -> None:
        """Show new colours.

        `data`: bytes green, red, blue for each lamp. Lamps beyond the data keep their colour.
        """
        self.writes += 1
        for at in range(min(len(self.colours), len(data) // 3)):
            green, red, blue = data[3 * at : 3 * at + 3]
            self.colours[at] = (red, green, blue)


class BeeperModel:
    """Beeper that remembers its tones.

    `hertz`: present tone, 0 while silent. `played`: all tones so far (Hz).
    """

    def __init__(self) -> None:
        self.hertz = 0
        self.played: list[int] = []

    def tone(self, hertz: int) -> None:
        """Start a tone (Hz), or stop with 0."""
        self.hertz = hertz
        if hertz:
            self.played.append(hertz)
