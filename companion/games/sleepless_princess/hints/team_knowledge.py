"""The team's knowledge: public actions, known mattresses, shown cards.

It has no room for secrets.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.games.sleepless_princess.hints.face_posterior import Likelihood, TurnedUp, posterior
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Look,
    Move,
    MoveOn,
    Open,
    Play,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, KIND_OF_TEXT, UNKNOWN, WITCH
from companion.games.sleepless_princess.rules.cardsets import BLANKETS, HELPER_COPIES, remove
from companion.games.sleepless_princess.rules.plays import play_cards, play_value
from companion.games.sleepless_princess.rules.state import VARIANTS

SMOOTH = "smooth"
"""Word for what fingers feel of a smooth mattress."""


class TeamKnowledge:
    """What a team knows that sees every public action and tells what fingers feel.

    A mattress is named by its slot: its number in the order of dealing, from 0. So evidence stays with it when
    it moves. A face is 2 * bed + smooth (0 or 1), for the bed of the princess who owns the mattress. `view`:
    any player's view of the dealt game. `misread`: chance (0 to 1) that fingers name a wrong texture. `beds`:
    slots of each bed, bottom first; None: as dealt, bed by bed.
    """

    def __init__(
        self, view: Mapping[str, Any], misread: float = 0.0, beds: Sequence[Sequence[int]] | None = None
    ) -> None:
        rule = VARIANTS[view["variant"]]
        self.variant = rule.name
        self.needed = rule.mattresses_per_bed
        self.misread = misread
        self.princesses: tuple[int, ...] = tuple(view["princesses"])
        self.copies: tuple[int, ...] = (2, 1 if rule.smooth else 0) * rule.beds
        """Number of mattresses with each face."""
        dealt = [range(bed * self.needed, (bed + 1) * self.needed) for bed in range(rule.beds)]
        self.beds = [list(slots) for slots in beds or dealt]
        """Mattress slots of each bed, the bottom one first."""
        self.felt: dict[int, tuple[str, ...]] = {}
        """Mattress slot -> words of its touches: a princess type as text, or "smooth"."""
        self.seen: dict[int, int] = {}
        """Mattress slot -> face, seen through the glass or shown to all."""
        self.turned_up: list[TurnedUp] = []
        """Mattresses shown to all together, in unknown order."""
        self.held: list[tuple[int, ...]] = [()] * view["players"]
        """For each player, the cards that everybody saw enter the hand and not leave it since."""
        self.witches = rule.witches[rule.players.index(view["players"])]
        """Number of witches that nobody has seen."""
        self.unseen = [HELPER_COPIES] * rule.helpers_up_to + [BLANKETS]
        """Number of unseen cards of each kind, blankets last."""
        for kind in kinds(view["row"]):
            self._see(kind)
        self._flat: Likelihood = tuple(1.0 for _ in self.copies)
        self._chances: tuple[tuple[float, ...], ...] | None = None
        self._homes: tuple[tuple[float, ...], ...] = ()
        self._best: tuple[tuple[int, float], ...] = ()
        self.steps = 0
        """Work done for the last posterior, as a count."""

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """Learn from an action of `player` (from 0, or CHANCE).

        `seen`: what it showed to people, as in `player_view.told`; empty if nobody told. `action` has to
        name opened cards and witches (see `hidden_state.spell_out`).
        """
        if isinstance(action, Move):
            self.beds[action.target].append(self.beds[action.source].pop(0))
        elif isinstance(action, MoveOn):
            self.beds[action.target].append(self.beds[action.source].pop())
        elif isinstance(action, Touch) and seen:
            self.feel(self.beds[action.bed][0], seen[0])
        elif isinstance(action, Look) and seen:
            self.show(self.beds[action.bed][0], seen[0])
        elif isinstance(action, Claim) and seen:
            for slot, word in zip(self.beds[action.bed], seen, strict=True):
                self.show(slot, word)
        elif isinstance(action, Open | Deck) and action.card == WITCH:
            self.witches -= 1
        elif isinstance(action, Open) and action.card is not None:
            self._see(action.card)
        elif isinstance(action, Take):
            self.held[player] = (*self.held[player], action.card)
        elif isinstance(action, Play | Discard):
            cards = action.cards if isinstance(action, Discard) else play_cards(action)
            for kind in cards:
                left = remove(self.held[player], kind)
                if left is None:
                    self._see(kind)
                else:
                    self.held[player] = left
            if UNKNOWN in cards:
                # The unread card may be one that all saw go to the hand, so the rest of the hand is uncertain.
                beneath = isinstance(action, Play) and play_value(action)
                self.held[player] = tuple(
                    kind for kind in self.held[player] if beneath and (kind <= beneath or kind == BLANKET)
                )

    def _see(self, kind: int) -> None:
        """Count a card as seen. An unknown one is ignored."""
        if kind != UNKNOWN:
            self.unseen[min(kind, len(self.unseen)) - 1] -= 1

    def begin_anew(
        self,
        lost: Collection[int],
        held: Sequence[tuple[int, ...]],
        unseen: Sequence[int],
        witches: int,
    ) -> None:
        """Start over after a time in which nobody watched.

        What was known of the mattresses `lost` (slots) is forgotten, and everything about cards is replaced.
        `held`: for each player, kinds seen going to the hand. `unseen`: number of unseen cards of each kind,
        blankets last. `witches`: number of unseen witches.
        """
        for slot in lost:
            self.felt.pop(slot, None)
            self.seen.pop(slot, None)
        self.turned_up = [one for one in self.turned_up if one.slots.isdisjoint(lost)]
        self._chances = None
        self.held = list(held)
        self.unseen = [*unseen[: len(self.unseen) - 1], unseen[-1]]
        self.witches = witches

    def odds(self, player: int, hand: Sequence[int]) -> tuple[float, ...]:
        """Chance (0 to 1) of each kind to be drawn from the deck, if no witch comes.

        Blankets are last. `hand`: kinds that `player` (from 0) holds.
        """
        left = list(self.unseen)
        told = list(self.held[player])
        for kind in hand:
            if kind in told:
                told.remove(kind)
            else:
                left[min(kind, len(left)) - 1] -= 1
        # The camera may have misread cards, so a kind may be seen more often than it exists.
        left = [max(0, count) for count in left]
        total = sum(left)
        return tuple(count / total if total else 1 / len(left) for count in left)

    def feel(self, slot: int, word: str) -> None:
        """Note what fingers felt of a mattress.

        `slot`: its number. `word`: a princess type such as "3", or "smooth"; other words are ignored.
        """
        if word == SMOOTH or (word.isdecimal() and int(word) in self.princesses):
            self.felt[slot] = (*self.felt.get(slot, ()), word)
            self._chances = None

    def show(self, slot: int, word: str) -> None:
        """Note the face of a mattress that everybody has seen.

        `slot`: its number. `word`: princess type and "t" (textured) or "s" (smooth), e.g. "3t"; other words are
        ignored.
        """
        if word[0].isdecimal() and int(word[0]) in self.princesses:
            self.seen[slot] = self._face(word)
            self._chances = None

    def turn_up(self, slots: Sequence[int], words: Sequence[str]) -> None:
        """Note that mattresses were turned up together.

        `slots`: their numbers. `words`: their faces, e.g. "3t", in unknown order. Nothing is noted if a face
        belongs to no princess of the game, or occurs too often.
        """
        if any(int(word[0]) not in self.princesses for word in words):
            return
        copies = [0] * len(self.copies)
        for word in words:
            copies[self._face(word)] += 1
        if any(map(int.__gt__, copies, self.copies)):
            return
        self.turned_up.append(TurnedUp(frozenset(slots), tuple(copies)))
        self._chances = None

    def _face(self, word: str) -> int:
        """Number of a face written as "3t" or "3s"."""
        return 2 * self.princesses.index(int(word[0])) + word.endswith("s")

    def likelihood(self, slot: int) -> Likelihood:
        """Likelihood of all that was felt and seen of a mattress (`slot`), for each possible face."""
        if slot in self.seen:
            return tuple(float(face == self.seen[slot]) for face in range(len(self.copies)))
        row = self._flat
        for word in self.felt.get(slot, ()):
            row = tuple(weight * self._felt(word, face) for face, weight in enumerate(row))
        return row

    def _felt(self, word: str, face: int) -> float:
        """Likelihood (0 to 1) that fingers say `word` of a mattress with a face."""
        smooth_too = self.copies[1] > 0
        classes = len(self.princesses) + smooth_too
        named = face % 2 == 1 if word == SMOOTH else face == 2 * self.princesses.index(int(word))
        return 1 - self.misread if named else self.misread / (classes - 1)

    def chances(self) -> tuple[tuple[float, ...], ...]:
        """Chance (0 to 1) of each mattress's faces: `[slot][face]`."""
        if self._chances is None:
            slots = range(sum(self.copies))
            try:
                found = posterior(self.copies, [self.likelihood(slot) for slot in slots], self.turned_up)
            except ValueError:
                # Touches contradict each other although `misread` is 0, so only seen faces count.
                rows = [self.likelihood(slot) if slot in self.seen else self._flat for slot in slots]
                found = posterior(self.copies, rows, self.turned_up)
            self._chances, self.steps = found
            faces = range(0, len(self.copies), 2)
            self._homes = tuple(tuple(row[face] + row[face + 1] for face in faces) for row in found.chances)
            self._best = tuple((homes.index(max(homes)), max(homes)) for homes in self._homes)
        return self._chances

    def forget_chances(self) -> None:
        """Empty the cache of chances, for measuring computing time."""
        self._chances = None

    def homes(self, slot: int) -> tuple[float, ...]:
        """Chance (0 to 1) that a mattress (`slot`) belongs to the princess of each bed."""
        self.chances()
        return self._homes[slot]

    def home(self, slot: int) -> tuple[int, float]:
        """(bed to which a mattress (`slot`) most likely belongs, chance that it does)."""
        self.chances()
        return self._best[slot]

    def smooth(self, slot: int) -> float:
        """Chance (0 to 1) that a mattress (`slot`) is smooth."""
        return sum(self.chances()[slot][1::2])


def is_private(action: Action) -> bool:
    """True for a touch or look: in a silent game only the acting player learns its result."""
    return isinstance(action, Touch | Look)


def kinds(cards: Sequence[str]) -> tuple[int, ...]:
    """Kinds of cards that are written as in a view, e.g. "7" or "B"."""
    return tuple(KIND_OF_TEXT[card] for card in cards)
