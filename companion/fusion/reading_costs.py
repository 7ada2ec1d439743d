"""Costs in nats (negative log-likelihood) of odd readings: late, hidden, out of order, taken back.

The rates of single signs are in `sign_models.py`. Where a rough table misses three times as often,
a cost lies between the two.
"""

from math import log

SURE_TEXTURE = 0.95
"""Least probability (0..1) of a texture reading: a less certain one is ignored."""

MISFELT = -log(0.0045)
"""Cost of a card that felt like another one. `companion bench texture` found one in 1,500 presses of one
card that gave a result, so at most 0.3 %. The cost has more than that rate: a texture weighs less than a tag
that contradicts it."""

REAPPEARED = -log(0.75)
"""Cost of a card that was out of sight for a while and lies there again: a hand, glare, a row made tidy."""

TAKEN_UP = -log(0.1)
"""Cost of cards that left a zone and lie there again: somebody changed their mind."""

RESTLESS, RESTLESS_S = -log(0.003), 15.0
"""Cost of a scale that loses a card and has it again within RESTLESS_S, or the reverse: its reading lies
between two counts. A rough table has 0.3 such events a minute on its five scales: one in 300 while a card is
checked."""

PUT_BACK, CHECK_S = -log(0.04), 4.0
"""Cost of a hidden card that was laid back and taken again within CHECK_S: somebody changed their mind.
CHECK_S is also the least time to check a card and then take it."""

HASTY = -log(0.02)
"""Cost of a check without a detection when a card was taken within CHECK_S."""

NOBODY = -log(0.2)
"""Cost of a detection by a scale or an electrode with no hand near, and of its undoing: a restless part."""

HALF_ALONE = -log(0.2 * 0.04)
"""The same if a hand was near at one of the two times: 99 of 1,051 restless events looked so."""

ALONE = -log(0.02)
"""Cost of a hand at a station that the camera did not see."""

LATE = -log(0.15)
"""Cost of a scale that reported only after the hand had left: 4 to 5 % of cards laid back in observations;
15 % through the board's filter."""

QUICK, QUICK_S = -log(0.015), 1.2
"""Cost of a card taken out and laid back within QUICK_S: 1.5 % of 593; of restless scales a third are."""

SLOW, SLOW_S = -log(0.08), 4.5
"""Cost of a detection that came after a later sign of the same action, at most SLOW_S late."""

COVERED, COVERED_S = -log(0.2), 6.0
"""Cost of a scale that missed a card because a hand rested on it, or that reported several cards at once.
COVERED_S: longest time after the hand left for which this holds."""

UNFELT, UNFELT_S = -log(0.2), 20.0
"""Cost of a missed touch within UNFELT_S after the board came back: it may have happened during the outage. The
same for a look beneath a card and the camera."""

YOUNG = -log(0.13)
"""Cost of the count of a scale that has just changed: a card in a hand, or a restless scale."""

HIDDEN_CARD = -log(0.05)
"""Cost of each card that the state expects in a settled zone and the camera does not show there."""

HIDDEN_ZONE = -log(0.02)
"""The most that it costs when nothing of a zone is seen: an arm above it, or somebody makes it tidy."""

STRANGE_CARD = -log(0.001)
"""Cost of each card that a settled zone shows and the state does not expect there: stickers are not misread."""

UNCOUNTED_CARD = -log(0.002)
"""UNCOUNTED_CARD: cost of each card that should lie there and was neither read nor counted as unread, where
unread cards count. Set, not measured."""

READ_CARD = -log(0.02)
"""READ_CARD: cost of each card that an action holds for unreadable and that was read before it was swept away.
Set, not measured."""

STRAY_CARD = -log(0.005)
"""Cost of each thing that was counted as an unread card and is none. Set, not measured."""

UNSEEN = -log(0.1)
"""Cost of an action that left no sign, when another one followed it in the same glance."""

BEGUN = -log(0.22)
"""Cost of each card of an action that has only begun: most people lay all of them down at once."""

WRONG_TOP = -log(0.005)
"""Cost of a pile that shows another card on top than it should."""

UNREAD_TOP = -log(0.1)
"""Cost of this very card on top of a pile whose top nobody has seen."""

RIGHTED_S = 150.0
"""Longest time (s) from laying a card at a wrong place until somebody puts that right: two turns."""

FUMBLED = -log(0.02)
"""Highest permanent cost of a view that lasted for a while without a cause: people change their mind."""

LINGERING, LINGERING_MOST = 0.25, 1.0
"""Share of a contradiction's cost that is added with each further detection while it lasts, and its maximum."""

WRONG_COUNT = -log(0.01)
"""Cost of each card by which a load cell at rest differs from the state."""

WRONG_BACK = -log(0.02)
"""Cost of each card more or less, of those that lie face down in a zone, than the state has there. Set, not
measured: a back is seen as well as a face, but a reflection also makes a card unreadable."""

WRONG_FACE = -log(0.005)
"""Cost of each hidden card that turns out to be another one than the hypothesis has."""

DENIED = 9.0
"""Cost of an action that players deny. Set, not measured: their answer must decide between two hypotheses that
are both likely enough to be asked about."""

MISTAKEN = 2 * DENIED
"""Cost of a claim that players say nobody meant: more than that of a button without a cause."""

INVERSION, INVERSION_A_SECOND, INVERSION_MOST = -log(0.3), 1.0, -log(0.01)
"""Cost of a sign that came before those of an earlier action: two people at once, or a step done late.
INVERSION_MOST: highest cost for signs of cards."""

SWAPPED_TAGS = -log(0.03)
"""Cost, beside that, of a card that was tapped on the pad, put aside, and moved only after another one."""

MARGIN, CLEAR = 0.4, 1.0
"""Least lead (nats) over every other hypothesis to be published: MARGIN if it lasts, CLEAR at once."""
