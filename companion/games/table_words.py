"""Sentences about misplaced cards, and the catalogue of a game's sentences."""

from collections.abc import Mapping
from types import MappingProxyType

from companion.core.language import Text, text

DIFFERENCES: Mapping[str, Text] = MappingProxyType(
    {
        "extra": text("{place} I see {extra} too many."),
        "missing": text("{place} I miss {missing}."),
        "other": text("{place} I see {extra}, and miss {missing}."),
    }
)
"""What is wrong with a place (extra, missing, other) -> its sentence."""


def difference(place: str, extra: str, missing: str) -> str:
    """Sentence for a place with surplus cards (`extra`), missing cards, or both. One of the lists may be
    empty."""
    kind = "other" if extra and missing else "extra" if extra else "missing"
    return DIFFERENCES[kind].of(place=place, extra=extra, missing=missing)


def catalogue(**groups: Mapping[str, str]) -> Mapping[str, str]:
    """All sentences of several groups under the ids `group.id`. Changing values stand in braces."""
    return MappingProxyType(
        {f"{group}.{name}": text for group, texts in groups.items() for name, text in texts.items()}
    )
