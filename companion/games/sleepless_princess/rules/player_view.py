"""The knowledge of one player, or of everybody.

Screens and policies are built from this view alone.
"""

from collections.abc import Mapping
from typing import Any

from companion.games.sleepless_princess.rules.actions import Action, Claim, Final, Look, Touch
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, face_text
from companion.games.sleepless_princess.rules.game_outcome import outcome
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, Phase, State

FATE_TEXT = ("awake", "asleep", "out")


def view(state: State, player: int | None, *, counts: bool = False) -> Mapping[str, Any]:
    """All that `player` (from 0) may know, as JSON values.

    None: what everybody may know.

    Beds, players and turns count from 0; cards and faces are notation.
    `hand`: the player's cards, absent for None. `hands`: sizes of all hands.
    `discard_tops`: kinds that may lie on top of the discard pile.
    `felt`: this turn's checks, each as bed and result: a face after a look, a number or "smooth" after a
    touch. In a silent game only the player on turn gets it.
    `shown`: mattresses that everybody has seen, with their bed, lower ones first.
    `bed_counts`: mattresses on each bed, only if `counts`, because the rulebook forbids players to count.
    """
    game = state.game
    if player is not None and not 0 <= player < game.players:
        raise ValueError(f"there is no player {player + 1}; there are {game.players}")
    seen: dict[str, Any] = {
        "game": "sleepless-princess",
        "variant": game.variant.name,
        "players": game.players,
        "silent": game.silent,
        "you": player,
        "phase": state.phase.name.lower(),
        "turn": state.turn,
        "turns": state.turns,
        "last_turns": None if state.last < 0 else state.last,
        "hands": [len(hand) for hand in state.hands],
        "row": _cards(state.row),
        "deck": len(state.deck),
        "discard": len(state.discard),
        "discard_tops": _cards(tuple(sorted(state.discard[len(state.discard) - state.fresh :]))),
        "played": _cards(state.played),
        "princesses": [None if kind < 0 else kind for kind in state.princesses],
        "fates": [FATE_TEXT[fate] for fate in state.fates],
        "touches": state.touches,
        "looks": state.looks,
        "checked_beds": _checked_beds(state),
        "shown": [
            {"bed": bed, "face": face_text(state.faces[slot])}
            for bed, slots in enumerate(state.beds)
            for slot in slots
            if slot in state.shown
        ],
    }
    if player is not None:
        seen["hand"] = _cards(state.hands[player])
    if not game.silent or player == state.turn:
        seen["felt"] = _felt(state)
    if counts:
        seen["bed_counts"] = [len(slots) for slots in state.beds]
    result = outcome(state)
    if result is not None:
        seen["outcome"] = {"score": result.score, "out_of": result.out_of, "text": result.text}
    return seen


def touch_text(face: int) -> str:
    """What fingers tell of a face: its type "0" to "9", "smooth", or "?" for an unknown face."""
    if face < 0:
        return "?"
    return "smooth" if face & 1 else str(face >> 1)


def told(before: State, action: Action) -> tuple[str, ...]:
    """What people learn from an action, in notation words.

    A word is "3" (type 3 felt), "smooth", or a face such as "3t". Touch and look: one word, for the player on
    turn, and for the team unless the game is silent. Claim: faces of the bed, bottom first, for everybody.
    Final check: faces of each awake bed. Any other action: ().
    """
    if isinstance(action, Touch):
        return (touch_text(before.faces[before.beds[action.bed][0]]),)
    if isinstance(action, Look):
        return (face_text(before.faces[before.beds[action.bed][0]]),)
    if isinstance(action, Claim):
        return tuple(face_text(before.faces[slot]) for slot in before.beds[action.bed])
    if isinstance(action, Final):
        return tuple(
            face_text(before.faces[slot])
            for slots, fate in zip(before.beds, before.fates, strict=True)
            if fate == AWAKE
            for slot in slots
        )
    return ()


def _cards(kinds: tuple[int, ...]) -> list[str]:
    return [KIND_TEXT[kind] for kind in kinds]


def _checked_beds(state: State) -> list[int]:
    """Beds (from 0) whose bottom mattress may be moved now.

    Everybody knows, having seen the checks.
    """
    slots = [slot for slot, _ in state.checked]
    return [
        bed
        for bed, pile in enumerate(state.beds)
        if state.phase is Phase.CHECK and state.fates[bed] != ASLEEP and pile and pile[0] in slots
    ]


def _felt(state: State) -> list[dict[str, Any]]:
    """Mattresses checked this turn, each with its result.

    One that is not at the bottom of a bed any more is left out, because the bed's order may be lost.
    """
    bottoms = {slots[0]: bed for bed, slots in enumerate(state.beds) if slots}
    return [
        {
            "bed": bottoms[slot],
            "result": face_text(state.faces[slot]) if looked else touch_text(state.faces[slot]),
        }
        for slot, looked in state.checked
        if slot in bottoms
    ]
