"""Words that games share, and the catalogue of a game: every sentence that it can say, by id."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

DIFFERENCES: Mapping[str, str] = MappingProxyType(
    {
        "extra": "{place} I see {extra} too many.",
        "missing": "{place} I miss {missing}.",
        "other": "{place} I see {extra}, and miss {missing}.",
    }
)
"""What lies otherwise than it should, by id."""


def difference(place: str, extra: str, missing: str) -> str:
    """What a place holds too many of, and what is missing there; either may be empty."""
    kind = "other" if extra and missing else "extra" if extra else "missing"
    return DIFFERENCES[kind].format(place=place, extra=extra, missing=missing)


def listed(words: Sequence[str]) -> str:
    """Words with commas, and "and" before the last."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def catalogue(**groups: Mapping[str, str]) -> Mapping[str, str]:
    """All sentences of some groups, by `group.id`; what changes stands in braces."""
    return MappingProxyType(
        {f"{group}.{name}": text for group, texts in groups.items() for name, text in texts.items()}
    )
