"""The start of a game: dealt with every card known, or an empty table with none known.

>>> from random import Random
>>> state = setup("basic", 2, Random(1))
>>> state.phase.name, len(state.row), len(state.deck), len(state.beds)
('PLAY', 5, 54, 5)
"""

from collections.abc import Sequence
from random import Random

from companion.games.sleepless_princess.rules.card_kinds import PRINCESS_TYPES, UNKNOWN, WITCH, face_of
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE, totals
from companion.games.sleepless_princess.rules.state import AWAKE, VARIANTS, Game, Phase, State


def game_of(variant: str, players: int, *, silent: bool = False) -> Game:
    """Look up the variant, and keep it with the number of players and whether they keep silent.

    ValueError for an unknown variant or an impossible number of players.
    """
    rule = VARIANTS.get(variant)
    if rule is None:
        raise ValueError(f"no variant {variant!r} of sleepless-princess; there are {', '.join(VARIANTS)}")
    if players not in rule.players:
        raise ValueError(
            f"{players} players cannot play {variant}; it takes {rule.players[0]} to {rule.players[-1]}"
        )
    return Game(rule, players, silent)


def setup(
    variant: str,
    players: int,
    chance: Random,
    *,
    princesses: Sequence[int] | None = None,
    silent: bool = False,
) -> State:
    """Deal a game with every card known.

    Player 0 is on turn (rulebook, "Setup").

    `princesses`: type (0 to 9) for each bed; None: chosen by chance. `silent`: players keep secret what
    they felt or saw.
    ValueError for an unknown variant, number of players or list of princesses.
    """
    game = game_of(variant, players, silent=silent)
    rule = game.variant
    if princesses is None:
        types = chance.sample(range(PRINCESS_TYPES), rule.beds)
    else:
        types = list(princesses)
        if len(types) != rule.beds or len(set(types)) != rule.beds or not set(types) <= set(range(10)):
            raise ValueError(f"{variant} needs {rule.beds} different princess types from 0 to 9, got {types}")
    faces = [face_of(kind, smooth) for kind in types for smooth in _mattresses(rule.smooth)]
    chance.shuffle(faces)
    counts = totals(variant, players)
    cards = [kind for kind in range(1, WITCH) for _ in range(counts[kind])]
    chance.shuffle(cards)
    hands = tuple(tuple(sorted(_deal(cards, HAND_SIZE))) for _ in range(players))
    row = tuple(sorted(_deal(cards, ROW_SIZE)))
    # Witches join last, so that no hand and no first row contains one.
    cards += [WITCH] * counts[WITCH]
    chance.shuffle(cards)
    per_bed = rule.mattresses_per_bed
    beds = tuple(tuple(range(bed * per_bed, (bed + 1) * per_bed)) for bed in range(rule.beds))
    return _state(game, Phase.PLAY, hands, row, tuple(cards), beds, tuple(faces), tuple(types), turns=1)


def empty_table(variant: str, players: int, *, silent: bool = False) -> State:
    """The state before any card lies on the table.

    Hands are dealt but unknown; the unknown deck still holds the witches and the first open row. `silent`:
    players keep secret what they felt or saw.
    """
    game = game_of(variant, players, silent=silent)
    beds = game.variant.beds
    size = sum(totals(variant, players)) - HAND_SIZE * players
    hands = ((UNKNOWN,) * HAND_SIZE,) * players
    return _state(game, Phase.SETUP, hands, (), (UNKNOWN,) * size, ((),) * beds, (), (-1,) * beds, turns=0)


def _mattresses(smooth: bool) -> tuple[bool, ...]:
    return (False, False, True) if smooth else (False, False)


def _deal(cards: list[int], count: int) -> list[int]:
    return [cards.pop() for _ in range(count)]


def _state(
    game: Game,
    phase: Phase,
    hands: tuple[tuple[int, ...], ...],
    row: tuple[int, ...],
    deck: tuple[int, ...],
    beds: tuple[tuple[int, ...], ...],
    faces: tuple[int, ...],
    princesses: tuple[int, ...],
    *,
    turns: int,
) -> State:
    return State(
        game=game,
        phase=phase,
        turn=0,
        hands=hands,
        row=row,
        deck=deck,
        discard=(),
        fresh=0,
        played=(),
        beds=beds,
        faces=faces,
        princesses=princesses,
        fates=(AWAKE,) * game.variant.beds,
        touches=0,
        looks=0,
        checked=(),
        shown=(),
        last=-1,
        skips=0,
        turns=turns,
    )
