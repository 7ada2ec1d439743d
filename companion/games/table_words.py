"""Words that games share, and the catalogue of a game: every sentence that it can say, by id."""

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
"""What lies otherwise than it should, by id."""


def difference(place: str, extra: str, missing: str) -> str:
    """What a place holds too many of, and what is missing there; either may be empty."""
    kind = "other" if extra and missing else "extra" if extra else "missing"
    return DIFFERENCES[kind].of(place=place, extra=extra, missing=missing)


def catalogue(**groups: Mapping[str, str]) -> Mapping[str, str]:
    """All sentences of some groups, by `group.id`; what changes stands in braces."""
    return MappingProxyType(
        {f"{group}.{name}": text for group, texts in groups.items() for name, text in texts.items()}
    )
