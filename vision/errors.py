"""Errors of vision: a reason without words, and where it holds."""

from vision.reasons import At, Reason


class VisionError(Exception):
    """Base of all errors that vision raises.

    `reason` says what is wrong. `where` names the file, address, device or option; "" for nowhere.
    """

    def __init__(self, reason: Reason | str, where: Reason | str = "") -> None:
        super().__init__(reason, where)
        self.reason, self.where = reason, where

    @property
    def at(self) -> At:
        """Reason and place of the error together."""
        return At(self.where, self.reason)


class UnusableError(VisionError, ValueError):
    """A file, picture, number or name that cannot be used."""


class CameraError(VisionError):
    """A camera that is missing, lost, or silent."""


class NotThereError(CameraError):
    """A camera that is not there yet, but may come later."""


class LostError(VisionError):
    """Raised by a device that no longer delivers frames.

    `LiveCamera` then opens it again.
    """
