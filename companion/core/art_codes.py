"""Codes of cards known by their art: the kind, and a number for each card while it is watched."""

from collections.abc import Mapping

_MARK = "~"


def art_code(kind: str, number: int) -> str:
    """The code of a card that looks like `kind`, of unknown copy. Each card that comes has a new number."""
    return f"{kind}{_MARK}{number}"


def kind_by_art(code: str) -> str | None:
    """The kind in a code of `art_code`; None for the code of a known copy."""
    kind, mark, _ = code.rpartition(_MARK)
    return kind if mark else None


class CardKinds(dict[str, str]):
    """Code -> kind, of the copies that exist and of cards that are known by their art alone."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        super().__init__(kinds)
        self._exist = frozenset(kinds.values())

    def __missing__(self, code: str) -> str:
        kind = kind_by_art(code)
        if kind is None or kind not in self._exist:
            raise KeyError(code)
        return kind

    def __contains__(self, code: object) -> bool:
        if super().__contains__(code):
            return True
        return isinstance(code, str) and kind_by_art(code) in self._exist
