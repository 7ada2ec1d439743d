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
""""extra", "missing" or "other": what is wrong with the cards of a place -> its sentence."""


def difference(place: str, extra: str, missing: str) -> str:
    """Sentence on a place with surplus cards (`extra`), missing cards, or both.

    Both are lists in words; one may be empty. `place` is the place in words.
    """
    kind = "other" if extra and missing else "extra" if extra else "missing"
    return DIFFERENCES[kind].of(place=place, extra=extra, missing=missing)


def catalogue(**groups: Mapping[str, str]) -> Mapping[str, str]:
    """Collect the sentences of several groups under ids `group.id`. Values to be filled in stand in braces."""
    return MappingProxyType(
        {f"{group}.{name}": text for group, texts in groups.items() for name, text in texts.items()}
    )
