"""Errors of the host's side of firmware: a reason without words, and where it holds."""

from firmware.reasons import At, Reason


class FirmwareError(Exception):
    """Base of all errors that the host's side raises.

    `reason` says what is wrong. `where` names the port, file or drive; "" for nowhere.
    """

    def __init__(self, reason: Reason | str, where: str = "") -> None:
        super().__init__(reason, where)
        self.reason, self.where = reason, where

    @property
    def at(self) -> At:
        """Reason and place together."""
        return At(self.where, self.reason)


class UnusableError(FirmwareError, ValueError):
    """Error about a file that cannot be used, such as a damaged capture; also a ValueError."""


class BoardError(FirmwareError):
    """Error about a port or board that is missing, lost, silent, or of another kind."""
