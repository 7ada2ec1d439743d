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
    """Voice and chimes of a screen; silent until switched on.

    `engine`: socket of the engine; of all screens connected to it, only one speaks. `on_silent` is called in
    another thread with a sentence on why, if no program can make a sound.
    """

    def __init__(self, engine: Path, on_silent: Callable[[str], None]) -> None:
        self.switches = SILENT
        self._engine, self._on_silent = engine, on_silent
        self._voice: Voice | None = None

    def switch(self, switches: SoundConfig, model: PublicModel) -> None:
        """Set which events are spoken or chimed from now on.

        If nothing was on before, greeting, table and open question are spoken at once. `model`: facts of the
        game.
        """
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
        """Speak an engine event that `model` has already taken."""
        if self._voice is not None:
            self._voice.hear(event, model)

    def hear_world(self, event: WorldEvent, world: WorldModel, names: PlayerNames) -> None:
        """Speak an event of the virtual table, which `world` has already taken.

        `names`: players' names.
        """
        if self._voice is not None:
            self._voice.hear_world(event, world, names)

    def reply(self, lines: Sequence[str]) -> None:
        """Speak lines that answer a person's command or choice.

        They are spoken before all other lines.
        """
        if self._voice is not None:
            self._voice.reply(lines)

    def tell(self, lines: Sequence[str]) -> None:
        """Speak lines of text that answer nobody, once nothing more urgent waits."""
        if self._voice is not None:
            self._voice.tell(lines)

    def hush(self) -> None:
        """Stop the line being spoken, and drop all waiting lines."""
        if self._voice is not None:
            self._voice.hush()

    def verdict(self, claimed: Claimed, model: PublicModel) -> None:
        """Speak a verdict on a claim, because its word is now on the screen."""
        if self._voice is not None:
            self._voice.verdict(claimed, model)

    def close(self) -> None:
        """Stop speech and chimes, so that another screen may speak."""
        if self._voice is not None:
            self._voice.close()
        self._voice = None
