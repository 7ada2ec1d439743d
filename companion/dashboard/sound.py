"""What is heard at a screen: a voice and chimes, made only once something is switched on."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.config import SoundConfig
from companion.dashboard.display_settings import SILENT
from companion.dashboard.model import PublicModel
from companion.session.events import Claimed, Event

if TYPE_CHECKING:
    from companion.dashboard.voice.speaker import Voice


class Sound:
    """Hears the events of the engine at `engine`, and says what is switched on; nothing at first.

    `on_silent` is called from another thread, with a sentence, when no program here can be heard.
    """

    def __init__(self, engine: Path, on_silent: Callable[[str], None]) -> None:
        self.switches = SILENT
        self._engine, self._on_silent = engine, on_silent
        self._voice: Voice | None = None

    def switch(self, switches: SoundConfig, model: PublicModel) -> None:
        """Say from now on what `switches` want, beginning with the table as it is."""
        self.switches = switches
        if not switches.on:
            self.close()
        elif self._voice is not None:
            self._voice.switches = switches
        else:
            # Whoever wants no sound does not wait for its modules.
            from companion.dashboard.voice.speaker import Voice

            self._voice = Voice(self._engine, switches, self._on_silent)
            if model.table is not None:
                self._voice.hear(model.table, model)

    def hear(self, event: Event, model: PublicModel) -> None:
        """An event that `model` has taken."""
        if self._voice is not None:
            self._voice.hear(event, model)

    def verdict(self, claimed: Claimed, model: PublicModel) -> None:
        """The word of a verdict stands on the screen: now it may be heard, too."""
        if self._voice is not None:
            self._voice.verdict(claimed, model)

    def close(self) -> None:
        """Fall silent; another screen may speak."""
        if self._voice is not None:
            self._voice.close()
        self._voice = None
