"""The ground truth of a virtual game: what was really done, when it came to rest, what is so now."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec

from companion.core.files import write_private
from companion.games.api import AskableFact
from companion.games.sleepless_princess.rules.actions import Move
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import State
from companion.games.sleepless_princess.wording import askable_fact, mattress_name, princess_name


class TruthEntry(msgspec.Struct, frozen=True):
    """One action: `t` is the table time at which everything it moved lay still with hands away.

    Setup actions (seat, lay, open) come with the state of a table on which hands and deck are hidden;
    from then on `state` is the true state, every card known. `t0` is when the action began, for a claim
    when its button was pressed.
    """

    t: float
    action: str
    state: str
    t0: float
    subject: int = 0
    """For a claim its subject, from 1; else 0."""
    true: bool | None = None
    """For a claim whether it was true."""


@dataclass(frozen=True, slots=True)
class ClaimTruth:
    """A claim about a subject, from 1, and whether it was true."""

    t: float
    subject: int
    true: bool


class TruthLog:
    """The entries of one game in order."""

    def __init__(self) -> None:
        self.entries: list[TruthEntry] = []

    @property
    def claims(self) -> list[ClaimTruth]:
        """Every claim made so far."""
        return [
            ClaimTruth(entry.t0, entry.subject, entry.true) for entry in self.entries if entry.true is not None
        ]

    @property
    def deeds(self) -> set[AskableFact]:
        """Everything that was done so far and that people may be asked about."""
        found = set()
        for before, entry in pairwise(self.entries):
            action = RULES.read_action(entry.action)
            if isinstance(action, Move):
                found.add(askable_fact(RULES.read_state(before.state), action))
        return {one for one in found if one is not None}

    def write(self, path: Path) -> None:
        """One JSON object a line, for the file's owner alone: it tells every hidden card."""
        encode = msgspec.json.encode
        write_private(path, b"".join(encode(entry) + b"\n" for entry in self.entries))


def read_truth(path: Path) -> list[TruthEntry]:
    """The entries of a file written by `TruthLog.write`; msgspec.DecodeError if it is none."""
    return [msgspec.json.decode(line, type=TruthEntry) for line in path.read_bytes().splitlines()]


def truth_in_words(state: State, last: str) -> list[str]:
    """The true state for people who may see it: beds bottom first, hands, the next cards of the deck."""

    def kinds(cards: tuple[int, ...]) -> str:
        return " ".join(KIND_TEXT[kind] for kind in cards) or "-"

    lines = [f"Turn {state.turns}, player {state.turn + 1}, {state.phase.name.lower()}. Last: {last or '-'}"]
    for bed, slots in enumerate(state.beds):
        fate = ("awake", "asleep", "out")[state.fates[bed]]
        names = ", ".join(mattress_name(state.faces[slot]) for slot in slots)
        lines.append(f"Bed {bed + 1} ({princess_name(state, bed)}, {fate}): {names or 'empty'}")
    lines += [f"Player {player + 1} holds {kinds(hand)}" for player, hand in enumerate(state.hands)]
    lines.append(f"Open: {kinds(state.row)}")
    lines.append(f"Next from the deck: {kinds(state.deck[:-9:-1])} ({len(state.deck)} cards)")
    return lines
