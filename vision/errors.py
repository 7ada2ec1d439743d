"""Errors of vision: a reason without words, and where it holds."""

from vision.reasons import At, Reason


class VisionError(Exception):
    """Base of all errors of vision.

    `reason`: what is wrong. `where`: file, address, device or option; "" for nowhere.
    """

    def __init__(self, reason: Reason | str, where: Reason | str = "") -> None:
        super().__init__(reason, where)
        self.reason, self.where = reason, where

    @property
    def at(self) -> At:
        """The reason together with where it holds."""
        return At(self.where, self.reason)


class UnusableError(VisionError, ValueError):
    """A file, picture, number or name that was handed to vision cannot be used."""


class CameraError(VisionError):
    """A camera is missing, lost, or silent."""


class NotThereError(CameraError):
    """A camera is not there yet, but may come: plugged in, switched on or set free."""


class LostError(VisionError):
    """A device delivers no more frames.

    `LiveCamera` then opens it again.
    """
