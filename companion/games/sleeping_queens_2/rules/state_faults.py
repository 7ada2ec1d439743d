"""All contradictions within a state of Sleeping Queens 2."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from companion.games.rules import Fault
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    CELLS,
    COMPANIONS,
    COPIES,
    DECK_CARDS,
    EMPTY,
    GNOME,
    INSTANTS,
    KIND_TEXT,
    KINGS,
    MAIN_DECK,
    NUMBERS,
    QUEENS,
    UNKNOWN,
    WITCH,
    Knight,
    kings_to_win,
    knights_for,
)
from companion.games.sleeping_queens_2.rules.state import PLAYERS, Cards, Phase, State

_GNOME_PHASES = (Phase.GNOME, Phase.STEAL, Phase.TAKE, Phase.EXCHANGE)
_MAY_LEAVE_INSTANTS = (Phase.FETCH, Phase.PLAY, Phase.RETURN, Phase.DISCARD, Phase.OVER)
_MAY_HAVE_GNOME = (*_GNOME_PHASES, Phase.FETCH, Phase.REROLL)


def status(state: State) -> tuple[Fault, ...]:
    """Contradictions within a state.

    Empty if some game can reach it.
    """
    if shape := tuple(_shape_faults(state)):
        return shape
    faults = (*_card_faults(state), *_place_faults(state), *_player_faults(state), *_phase_faults(state))
    return faults if state.undo is None else (*faults, *_undo_faults(state.undo))


def _undo_faults(before: State) -> Iterator[Fault]:
    if before.undo is not None:
        yield Fault("undo", "Only the last step that the rules forbid can be taken back.")
    else:
        yield from status(before)


def _shape_faults(state: State) -> Iterator[Fault]:
    """Faults in the state's form, e.g. too few realms; with one of them no other check is possible."""
    if state.players not in PLAYERS:
        yield Fault("players", f"The game is for {PLAYERS[0]} to {PLAYERS[-1]} players, not {state.players}.")
    if not 0 <= state.turn < state.players:
        yield Fault("player", "A player is on turn who does not play.")
    per_player = (state.realms, state.asleep, state.companions, state.kings, state.knights)
    if any(len(values) != state.players for values in per_player):
        yield Fault("seats", "Realms, kings and knights are not one for each player.")
    if len(state.cells) != CELLS or len(state.face_up) != CELLS:
        yield Fault("grid", f"The grid has {CELLS} places.")


def _card_faults(state: State) -> Iterator[Fault]:
    deck_cards = [card for pile in _main_piles(state) for card in pile]
    number = len(deck_cards)
    if number != DECK_CARDS:
        yield Fault("card-count", f"The main deck has {DECK_CARDS} cards, not {number}.")
    companions = [card for pile in _companion_piles(state) for card in pile]
    if len(companions) != len(COMPANIONS):
        yield Fault("companion-count", f"There are {len(COMPANIONS)} companions, not {len(companions)}.")
    counted = Counter(deck_cards + companions)
    many = tuple(
        KIND_TEXT[kind] for kind in sorted(counted) if 0 < kind < len(COPIES) and counted[kind] > COPIES[kind]
    )
    if many:
        yield Fault("too-many", f"There are too many cards {', '.join(many)}.", many)
    if sum(state.kings) > KINGS or any(kings < 0 for kings in state.kings):
        yield Fault("kings", f"There are {KINGS} kings.")


def _main_piles(state: State) -> tuple[Cards, ...]:
    played = (state.played,) if state.played else ()
    return (*state.realms, *state.asleep, state.deck, state.discard, state.drawn, played)


def _companion_piles(state: State) -> tuple[Cards, ...]:
    carried = (state.carried,) if state.carried else ()
    return (*state.companions, tuple(card for card in state.cells if card != EMPTY), carried)


_IN_REALM = {*NUMBERS, *QUEENS, BOOK}
_IN_DECK = {*MAIN_DECK}
_all = chain.from_iterable


def _place_faults(state: State) -> Iterator[Fault]:
    for code, lying, allowed, told in (
        ("realm", _all(state.realms), _IN_REALM, "In a realm lie numbers, queens and spell books."),
        ("asleep", _all(state.asleep), {*QUEENS}, "Only queens fall asleep."),
        (
            "companions",
            _all(state.companions),
            {*COMPANIONS},
            "Something else lies among a player's companions.",
        ),
        (
            "pile",
            _all((state.discard, state.drawn)),
            _IN_DECK,
            "Discard pile and drawn cards are known cards of the main deck.",
        ),
        ("deck", state.deck, _IN_DECK | {UNKNOWN}, "The draw pile holds cards of the main deck."),
        ("cells", state.cells, {UNKNOWN, EMPTY, *COMPANIONS}, "In the grid lie companions."),
    ):
        if not allowed.issuperset(lying):
            yield Fault(code, told)
    if any(up and card in (UNKNOWN, EMPTY) for card, up in zip(state.cells, state.face_up, strict=True)):
        yield Fault("face-up", "A companion lies face up, but nobody knows which.")
    sorted_piles = (*state.realms, *state.asleep, *state.companions, state.drawn)
    if any(pile != tuple(sorted(pile)) for pile in sorted_piles):
        yield Fault("order", "Cards of players are not ascending.")
    if not 0 <= state.fresh <= len(state.discard):
        yield Fault("fresh", "More cards came to the discard pile than lie there.")


def _player_faults(state: State) -> Iterator[Fault]:
    told = [knight for knight in state.knights if knight != Knight.UNKNOWN]
    if len(set(told)) != len(told) or not set(told) <= set(knights_for(state.players)):
        yield Fault("knights", "Knights are there twice, or do not take part.")
    if len(told) < state.players and state.phase is not Phase.SETUP:
        yield Fault("unknown-knight", "Nobody has told which knight each player has.")


def _phase_faults(state: State) -> Iterator[Fault]:
    phase = state.phase
    yield from _end_faults(state)
    if (state.draws > 0) != (phase is Phase.DRAW):
        yield Fault("draws", "Cards are to be drawn, or are not, against the rules.")
    yield from _instant_faults(state)
    if (state.carried in COMPANIONS) != (phase is Phase.RETURN) or (
        state.carried and phase is not Phase.RETURN
    ):
        yield Fault("carried", "A companion is to be laid back, or is not, against the rules.")
    if phase is Phase.WAKE and not state.asleep[state.turn]:
        yield Fault("nobody-asleep", "None of the player's queens is asleep.")
    if phase is Phase.FETCH and not state.played and all(card == EMPTY for card in state.cells):
        yield Fault("nothing-to-take", "No companion lies in the grid.")


def _end_faults(state: State) -> Iterator[Fault]:
    """Faults between the kings and the end of the game."""
    won = winner(state)
    ready = sum(kings >= kings_to_win(state.players) for kings in state.kings)
    if (state.phase is Phase.OVER) != (won is not None) or ready > 1:
        yield Fault("end", "The game is over, or is not, against the rules.")
    if won is not None and won != state.turn:
        yield Fault("winner", "Who wins is on turn.")


def _instant_faults(state: State) -> Iterator[Fault]:
    """Faults of instant cards that are played or wait, and of other cards that were drawn."""
    phase, instant = state.phase, state.played
    if not _instant_fits(phase, instant):
        yield Fault("played", "An instant card is being played, or is not, against the rules.")
    drawn = [card in INSTANTS for card in state.drawn]
    # The table may leave instant cards lying while the turn goes on.
    waiting = phase in _MAY_LEAVE_INSTANTS and all(drawn)
    if (phase is Phase.INSTANT) != any(drawn) and not (phase is Phase.DRAW or instant or waiting):
        yield Fault("instant", "Instant cards that were drawn are played at once.")
    if state.drawn and not (instant or waiting or phase in (Phase.DRAW, Phase.INSTANT)):
        yield Fault("drawn", "Cards that were drawn are not placed in the realm.")


def _instant_fits(phase: Phase, instant: int) -> bool:
    if instant == GNOME:
        return phase in _MAY_HAVE_GNOME
    if instant == WITCH:
        return phase is Phase.SWAP
    return instant == UNKNOWN and phase not in (*_GNOME_PHASES, Phase.SWAP)
