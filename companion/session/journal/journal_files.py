"""The journals of one engine: a file for each game that it follows."""

import time
from pathlib import Path

from companion.core.config import state_dir
from companion.session.journal.journal import Journal
from companion.session.journal.journal_order import note_begun


class JournalFiles:
    """Opens the journal of each game, one after another.

    `journals`: folder for journals, or the file (ending in .jsonl) of the first game. `resume`: True if an
    earlier engine wrote the games beside that file, and its last one goes on.
    """

    def __init__(self, journals: Path, *, resume: bool) -> None:
        self._journals = journals
        self._games = _games_in(journals) - 1 if resume else 0

    def open(self, *, resume: bool = False, further: bool = False) -> Journal:
        """Open the journal of a new or resumed game.

        JournalError if it cannot be written. `resume`: go on with the game in it. `further`: True for any game
        after the engine's first.
        """
        self._games += 1
        path = self._journals
        if path.suffix != ".jsonl":
            path = _unused(path, time.strftime("%Y-%m-%d-%H%M%S"), self._games)
        else:
            path = _nth(path, self._games)
            while further and path.exists():  # a journal of another evening
                self._games += 1
                path = _nth(self._journals, self._games)
        journal = Journal(path, resume=resume)
        if path.parent == state_dir() / "journals" or self._journals.suffix != ".jsonl":
            note_begun(path)
        return journal


def _unused(folder: Path, when: str, game: int) -> Path:
    """Path of a new journal: time `when` and number `game`, or the next number that is free.

    Another engine may begin a game in the same second.
    """
    path = folder / f"{when}-{game}.jsonl"
    while path.exists():
        game += 1
        path = folder / f"{when}-{game}.jsonl"
    return path


def _nth(journals: Path, game: int) -> Path:
    """Path of the journal of game number `game` (from 1).

    `journals`: path of the first.
    """
    return journals if game == 1 else journals.with_stem(f"{journals.stem}-{game}")


def _games_in(journals: Path) -> int:
    """Number of games whose journals exist beside the first one, `journals`; at least 1."""
    game = 1
    while _nth(journals, game + 1).exists():
        game += 1
    return game
