"""How surprising a reading is: costs in nats (negative log-likelihood), one table for every sensor.

Taken from the measured rates of the rig (hardware notes: a touch is missed in 1 % and ghosted in 0.5 % of
turns, a tag is missed on 2 % of placements, a sticker is hidden in 5 %, but never read as another). What is
missed three times as often on a rough table has a price between the two.
"""

from dataclasses import dataclass
from math import log


@dataclass(frozen=True, slots=True)
class TraceCost:
    """`missed`: an action happened and left no such trace. `ghost`: such a trace came without an action;
    `young`: the same for `young_s` seconds, while it may still be undone."""

    missed: float
    ghost: float
    young: float = 0.0
    young_s: float = 0.0


TRACE_COSTS = {
    "touch": TraceCost(missed=-log(0.01), ghost=-log(0.005)),
    "press": TraceCost(missed=-log(0.0001), ghost=-log(0.001)),
    "lift": TraceCost(missed=-log(0.01), ghost=-log(0.01), young=-log(0.13), young_s=12.0),
    "put": TraceCost(missed=-log(0.01), ghost=-log(0.01), young=-log(0.13), young_s=4.0),
    "new": TraceCost(missed=-log(0.002), ghost=-log(0.05)),
    "gone": TraceCost(missed=-log(0.01), ghost=-log(0.1), young=-log(0.6), young_s=6.0),
    "back": TraceCost(missed=0.0, ghost=-log(0.005)),
    "again": TraceCost(missed=0.0, ghost=-log(0.001)),
    "left": TraceCost(missed=-log(0.01), ghost=-log(0.02)),
    "came": TraceCost(missed=-log(0.000003), ghost=-log(0.003)),
    "shown": TraceCost(missed=-log(0.02), ghost=-log(0.003)),
    "top": TraceCost(missed=-log(0.4), ghost=-log(0.05)),
    "off": TraceCost(missed=0.0, ghost=-log(0.005)),
    "glance": TraceCost(missed=-log(0.01), ghost=-log(0.003)),
    "tag": TraceCost(missed=-log(0.05), ghost=-log(0.01), young=-log(0.5), young_s=6.0),
    "texture": TraceCost(missed=-log(0.4), ghost=-log(0.01), young=-log(0.5), young_s=6.0),
    "pressed": TraceCost(missed=0.0, ghost=-log(0.01)),
    "visit": TraceCost(missed=-log(0.7), ghost=-log(0.01)),
    "silent": TraceCost(missed=-log(0.05), ghost=0.0),
    "idle": TraceCost(missed=-log(0.05), ghost=0.0),
    "later": TraceCost(missed=-log(0.1), ghost=0.0),
    "hand": TraceCost(missed=0.0, ghost=0.0),
    "stay": TraceCost(missed=0.0, ghost=-log(0.03), young=0.0, young_s=1.0),
    "reach": TraceCost(missed=-log(0.2), ghost=-log(0.4)),
    "unread": TraceCost(missed=-log(0.002), ghost=-log(0.02)),
}
"""By verb. A reach says least: hands pass over a deck for many reasons. "silent", "later" and
"idle" are never seen: the price of an action that leaves no sign, of one that people put off, and of cards that
somebody played and checked nothing. Young are a card in a hand, on the pad perhaps, a restless scale, a sticker
that lies hidden. The price of "unread" is set, not measured."""

SURE_TEXTURE = 0.95
"""What a pressure matrix tells of a press that is less probable than this counts as nothing told."""

MISFELT = -log(0.009)
"""Cost of a card that felt like another one. `companion bench texture` found none in 2,000 presses of one card;
what a texture alone says is still to weigh half of what a tag does, and less than a tag that says otherwise."""

REAPPEARED = -log(0.75)
"""Cost of a card that was out of sight for a while and lies there again: a hand, a glare, a row made tidy."""

TAKEN_UP = -log(0.1)
"""Cost of cards that left a zone and lie there again: somebody changed their mind."""

RESTLESS, RESTLESS_S = -log(0.003), 15.0
"""Cost of a scale that lost a card and has it again soon, or the reverse: it lies halfway between two counts. A
rough table has 0.3 such moments a minute on its five scales: one in 300 while somebody checks one bed."""

PUT_BACK, CHECK_S = -log(0.04), 4.0
"""Cost of a mattress that was laid back on its bed and taken again within so long (s): somebody changed their
mind. In that time no other one is felt, or looked at, and then taken."""

HASTY = -log(0.02)
"""Cost of such a check that left no sign, when a mattress was taken within that time."""

NOBODY = -log(0.2)
"""Cost of what a scale or an electrode told with no hand near, and of what cancels it: a restless part."""

HALF_ALONE = -log(0.2 * 0.04)
"""Cost of that if a hand was there in one of the two moments: 99 of 1,051 restless moments looked so, in either
of the two ways."""

ALONE = -log(0.02)
"""Cost of a hand at a bed that the camera did not see."""

LATE = -log(0.15)
"""Cost of a scale that told only some time after the hand had left: 4 to 5 % of the mattresses laid back in
observations had such an end; through the board's filter 15 % are told late."""

QUICK, QUICK_S = -log(0.015), 1.2
"""Cost of a mattress that was taken out and laid back within so long (s): 1.5 % of 593 were, a third of the
moments in which a scale was restless."""

SLOW, SLOW_S = -log(0.08), 4.5
"""Cost of a sign that came late, behind a later one of the same action, and how late it may come."""

COVERED, COVERED_S = -log(0.2), 6.0
"""Cost of a scale that told nothing of a card while a hand rested on it, or that told of several at once, laid
there before it had come to rest; and how late (s) that is understood."""

UNFELT, UNFELT_S = -log(0.2), 20.0
"""Cost of a finger that the board did not tell of, so soon (s) after it came back: perhaps it was away. The
same for a look beneath a mattress, and the camera."""

YOUNG = -log(0.13)
"""Cost of the count of a scale that has just changed: a card in a hand, or a restless scale."""

HIDDEN_CARD = -log(0.05)
"""Cost of each card that the state expects in a settled zone and the camera does not show there."""

HIDDEN_ZONE = -log(0.02)
"""The most that it costs when nothing of a zone is seen: an arm above it, or somebody makes it tidy."""

STRANGE_CARD = -log(0.001)
"""Cost of each card that a settled zone shows and the state does not expect there: stickers are not misread."""

UNSEEN = -log(0.1)
"""Cost of an action that left no sign, when another one followed it in the same glance."""

BEGUN = -log(0.22)
"""Cost of each card that lies there of an action that has only begun: most lay all of them down at once."""

WRONG_TOP = -log(0.005)
"""Cost of a pile that shows another card on top than it should."""

UNREAD_TOP = -log(0.1)
"""Cost of a pile that shows on top just this card, where one lies that nobody has seen."""

FUMBLED = -log(0.02)
"""The most that a view costs which lasted for a while and had no cause: people change their mind."""

LINGERING, LINGERING_MOST = 0.25, 1.0
"""Share of a contradiction that is paid again with each further thing seen while it lasts, and the most."""

WRONG_COUNT = -log(0.01)
"""Cost of each card by which a load cell at rest differs from the state."""

WRONG_FACE = -log(0.005)
"""Cost of each mattress that turns out to be another one than believed."""

DENIED = 9.0
"""Cost of what those at the table say was otherwise. No rate but a rule: they saw it, and their word decides
between explanations of which either is likely enough to be asked about."""

DELAY_S = {
    "touch": (0.0, 0.1),
    "press": (0.0, 0.1),
    "tag": (0.0, 0.1),
    "texture": (0.0, 0.1),
    "lift": (0.1, 0.5),
    "put": (0.1, 0.5),
}
"""By verb, how long after the fact its sensor tells, at least and at most (s)."""
CAMERA_DELAY_S = (0.0, 0.4)
"""The same for what the camera sees."""

INVERSION, INVERSION_A_SECOND, INVERSION_MOST = -log(0.3), 1.0, -log(0.01)
"""Cost of a trace that came before those of an earlier action: two people at once, or a step done late; and
the most that it costs of cards."""

SWAPPED_TAGS = -log(0.03)
"""Cost, beside that, of a card that was tapped on the pad, put aside, and moved only after another one."""

MARGIN, CLEAR = 0.4, 1.0
"""An explanation is told when it is better than every other by this much for a while, or at once."""
