"""A link to a board that says what it is told to."""

from typing import Any


class ToldLink:
    """Link that tells `messages` at the next poll, and keeps the settings that a host sends."""

    def __init__(self, *messages: Any) -> None:
        self.messages = list(messages)
        self.finished = False
        self.closed = False
        self.settings: dict[tuple[int, str | None], int] = {}

    def poll(self) -> list[Any]:
        told, self.messages = self.messages, []
        return told

    def configure(self, setting: int, station: str | None, value: int) -> None:
        self.settings[setting, station] = value

    def close(self) -> None:
        self.closed = True
