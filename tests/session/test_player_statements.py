"""Cards that were turned up: where all players know them to lie."""

from companion.games.registry import load_game
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.sensing.observation import Seen, Sighting
from companion.session.entries.player_statements import PlayerStatements
from companion.session.journal.journal_lines import Opened

GAME = load_game("sleepless-princess")
OVER = RULES.read_state(
    "5+ 3 phase=over turn=1 turns=10 hands=?x5/?x5/?x5 row=- deck=- discard=- fresh=0 played=- "
    "beds=1,2/3,4/5,6/7,8 faces=?,?,?,?,?,?,9t,9t princesses=4,2,9,6 fates=oooo touches=0 looks=0 checked=- "
    "shown=7,8 last=0 skips=0"
)


def turned_up(zone: str, *kinds: str) -> Sighting:
    """The camera's report of one card of each of `kinds`, face up."""
    codes = {card.kind: card.code for card in GAME.cards("5+")}
    return Sighting(1.0, zone, tuple(Seen(codes[kind], 0.0, 0.0) for kind in kinds))


def test_a_card_that_is_turned_up_elsewhere_no_longer_lies_where_it_was_seen_first() -> None:
    known = PlayerStatements(GAME, Opened(3, GAME.name, "5+", 3), OVER)
    known.look([turned_up("bed 4", "9t", "9t")], OVER)
    assert known.turned_up == {"bed 4": ("9t", "9t")}
    known.look([turned_up("bed 2", "6t")], OVER)
    known.look([turned_up("bed 3", "2t", "9t", "4t", "9t")], OVER)
    assert known.turned_up == {"bed 2": ("6t",), "bed 3": ("2t", "4t", "9t", "9t")}
