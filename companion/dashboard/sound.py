"""What is heard at a screen: a voice and chimes, made only once something is switched on."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.config import SoundConfig
from companion.dashboard.display_settings import SILENT
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.session.stream.events import Claimed, Event
from companion.session.stream.virtual_table_events import WorldEvent

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
            for event in (model.welcome, model.table, model.question if model.question.text else None):
                if event is not None:
                    self._voice.hear(event, model)

    def hear(self, event: Event, model: PublicModel) -> None:
        """An event that `model` has taken."""
        if self._voice is not None:
            self._voice.hear(event, model)

    def hear_world(self, event: WorldEvent, world: WorldModel, names: PlayerNames) -> None:
        """An event of a virtual table that `world` has taken."""
        if self._voice is not None:
            self._voice.hear_world(event, world, names)

    def reply(self, lines: Sequence[str]) -> None:
        """Lines that answer what somebody has typed or chosen."""
        if self._voice is not None:
            self._voice.reply(lines)

    def tell(self, lines: Sequence[str]) -> None:
        """Lines that nobody asked for."""
        if self._voice is not None:
            self._voice.tell(lines)

    def hush(self) -> None:
        """Say nothing of what waits."""
        if self._voice is not None:
            self._voice.hush()

    def verdict(self, claimed: Claimed, model: PublicModel) -> None:
        """The word of a verdict stands on the screen: now it may be heard, too."""
        if self._voice is not None:
            self._voice.verdict(claimed, model)

    def close(self) -> None:
        """Fall silent; another screen may speak."""
        if self._voice is not None:
            self._voice.close()
        self._voice = None
