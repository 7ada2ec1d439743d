"""The observations of a perfect rig, made from the rules alone, without pixels or bytes.

For rehearsing the fusion in milliseconds a game. Every action leaves exactly the signs that a perfect rig
shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from companion.games.appearance import PhysicalCard
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Lay,
    Look,
    Move,
    Open,
    Play,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, WITCH, face_text
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, State
from companion.sensing.observation import Button, Count, Observation, Reach, Seen, Sighting, TagRead, Texture
from companion.sensing.observation import Touch as TouchSeen


@dataclass(slots=True)
class PerfectRig:
    """Perfect sensors that report each action of a simulated game.

    They know every physical card. An action gives batches; the observations of a batch arrive together, one
    second apart. `t`: time (s) of the last one.
    """

    cards: tuple[PhysicalCard, ...]
    chance: Random
    t: float = 0.0
    _free: dict[str, list[str]] = field(default_factory=dict)
    """Kind -> codes of the copies that nobody has seen: in the deck, or drawn from it."""
    _taken: dict[int, list[str]] = field(default_factory=dict)
    """Player (from 0) -> codes of the open cards that the player took and still holds."""
    _row: list[str] = field(default_factory=list)
    _play: list[str] = field(default_factory=list)
    _slots: list[str] = field(default_factory=list)
    _counts: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for card in self.cards:
            self._free.setdefault(card.kind, []).append(card.code)

    def glass(self) -> list[Observation]:
        """Report the looking glass at its place, while laying out."""
        return [self._zone("glass", ["G"])]

    def setup(self, dealt: State) -> Iterator[list[Observation]]:
        """Report how the table is laid out, up to the open row, in batches.

        `dealt`: the state with all cards known.
        """
        yield self.glass()
        for bed, princess in enumerate(dealt.princesses):
            yield from self.notice(dealt, Seat(bed, princess), dealt)
        for bed, slots in enumerate(dealt.beds):
            for slot in slots:
                yield from self.notice(dealt, Lay(bed, dealt.faces[slot]), dealt)
        for kind in dealt.row:
            yield self.lay_open(KIND_TEXT[kind])

    def lay_open(self, kind: str) -> list[Observation]:
        """Report a card of this kind that the dealer lays open, while laying out."""
        self._row.append(self._take_copy(kind))
        return [self._zone("row", self._row)]

    def notice(  # noqa: C901 - one case for each kind of action
        self, before: State, action: Action, after: State
    ) -> Iterator[list[Observation]]:
        """Report an action as the sensors notice it, in batches.

        `before`, `after`: the true states around it, with every card known.
        """
        match action:
            case Seat(bed, princess):
                yield [self._zone(f"bed {bed + 1}", [f"P{princess}A"])]
                yield [self._zone(f"bed {bed + 1}", [])]
            case Lay(bed, face):
                code = self._take_copy(face_text(face))
                self._slots.append(code)
                yield self._on_pad(code)
                yield [TagRead(self._tick(), "pad", None)]
                yield [self._count(bed, 1)]
            case Play():
                yield from self._lay_down(before, after.played)
            case Discard(cards):
                yield from self._lay_down(before, cards)
                yield from self._sweep()
            case Done():
                yield from self._sweep()
            case Touch(bed, True):
                yield [self._count(bed, -1)]
                yield self._on_pad(self._slots[before.beds[bed][0]])
                yield [TagRead(self._tick(), "pad", None)]
                yield [self._count(bed, 1)]
            case Touch(bed):
                yield [TouchSeen(self._tick(), f"bed {bed + 1}", True)]
                yield [TouchSeen(self._tick(), f"bed {bed + 1}", False)]
            case Look(bed):
                yield [self._zone("glass", []), self._zone(f"foot {bed + 1}", ["G"])]
                yield [self._zone("glass", ["G"]), self._zone(f"foot {bed + 1}", [])]
            case Move(source, target):
                yield [self._count(source, -1)]
                if self.chance.random() < 0.3:
                    yield self._on_pad(self._slots[before.beds[source][0]])
                    yield [TagRead(self._tick(), "pad", None)]
                yield [self._count(target, 1)]
            case Take(kind):
                code = next(code for code in self._row if self._kind(code) == KIND_TEXT[kind])
                self._row.remove(code)
                self._taken.setdefault(before.turn, []).append(code)
                yield [self._zone("row", self._row)]
            case Skip():
                yield [Reach(self._tick(), "deck")]
            case Deck() | Open():
                yield [Reach(self._tick(), "deck")]
                yield from self._drawn(before.deck[-1], laid_open=isinstance(action, Open))
            case Claim(bed):
                yield [Button(self._tick(), f"bed {bed + 1}")]
                yield from self._turn_up(before, after, bed)
            case Final():
                for bed, fate in enumerate(before.fates):
                    if fate == AWAKE and before.beds[bed]:
                        yield from self._turn_up(before, after, bed)

    def _drawn(self, kind: int, *, laid_open: bool) -> Iterator[list[Observation]]:
        """A witch takes the open row with her; any other card is seen only if it is laid open."""
        if kind == WITCH:
            top = self.chance.choice([*self._row, self._take_copy("W")])
            self._row, self._play = [], []
            yield [self._zone("row", []), self._zone("discard", [top])]
        elif laid_open:
            yield self.lay_open(KIND_TEXT[kind])

    def _lay_down(self, before: State, kinds: tuple[int, ...]) -> Iterator[list[Observation]]:
        hand = list(before.hands[before.turn])
        self._play = []
        for kind in kinds:
            self._play.append(self._from_hand(before.turn, KIND_TEXT[kind], hand.count(kind)))
            hand.remove(kind)
        yield [self._zone("play", self._play)]

    def _sweep(self) -> Iterator[list[Observation]]:
        top = self.chance.choice(self._play)
        self._play = []
        yield [self._zone("play", []), self._zone("discard", [top])]

    def _turn_up(self, before: State, after: State, bed: int) -> Iterator[list[Observation]]:
        zone = f"bed {bed + 1}"
        n = len(before.beds[bed])
        turned_up = self._zone(zone, [self._slots[slot] for slot in before.beds[bed]])
        yield [self._count(bed, -n), turned_up]
        asleep = after.fates[bed] == ASLEEP
        yield [self._count(bed, n), self._zone(zone, [f"P{before.princesses[bed]}D"] if asleep else [])]

    def _on_pad(self, code: str) -> list[Observation]:
        """Report that a mattress is laid on the pad and pressed."""
        t, kind = self._tick(), self._kind(code)
        return [TagRead(t, "pad", code), Texture(t, "pad", kind if kind.endswith("t") else None, 1.0)]

    def _tick(self) -> float:
        self.t += 1.0
        return self.t

    def _zone(self, zone: str, codes: list[str]) -> Sighting:
        return Sighting(self._tick(), zone, tuple(Seen(code, 0.0, 0.0) for code in codes))

    def _count(self, bed: int, change: int) -> Count:
        n = self._counts.get(bed, 0) + change
        self._counts[bed] = n
        return Count(self._tick(), f"bed {bed + 1}", n, float(n))

    def _from_hand(self, player: int, kind: str, n: int) -> str:
        """Choose, by chance, the copy of a kind that a player's hand gives up.

        `n`: number of such cards in the hand. Some of them may be open cards that the player took, whose codes
        are known.
        """
        taken = self._taken.get(player, [])
        open_ones = [code for code in taken if self._kind(code) == kind]
        if (at := self.chance.randrange(n)) < len(open_ones):
            taken.remove(open_ones[at])
            return open_ones[at]
        return self._take_copy(kind)

    def _take_copy(self, kind: str) -> str:
        """Choose, by chance, a copy of a kind that nobody has seen.

        Hands and deck are hidden, so any copy will do.
        """
        return self._free[kind].pop(self.chance.randrange(len(self._free[kind])))

    def _kind(self, code: str) -> str:
        return next(card.kind for card in self.cards if card.code == code)
