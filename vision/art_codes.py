"""Codes of cards that are known by their pictures: the kind, and a number."""

from collections.abc import Mapping

_MARK = "~"


def art_code(kind: str, number: int) -> str:
    """Code for a card that is known by its printed picture.

    `kind`: which card the picture shows. Nobody knows which copy of it lies there, so the caller gives each
    newly seen card a new `number`. The code is "KIND~NUMBER".
    """
    return f"{kind}{_MARK}{number}"


def kind_by_art(code: str) -> str | None:
    """Kind of card in a code made by `art_code`.

    None for any other code.
    """
    kind, mark, _ = code.rpartition(_MARK)
    return kind if mark else None


class CardKinds(dict[str, str]):
    """Mapping of a card's code to its kind, for known copies and codes of `art_code`.

    `kinds`: code of each copy -> its kind. KeyError for a code of another game.
    """

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
