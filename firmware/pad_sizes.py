"""Sizes (mm) of the pad: copper strips of its pressure matrix, tag, and a card between the stops.

Drawings and the model of presses share them. They are designs of ours: nobody has built a pad by them yet.
"""

STRIPS, PITCH, STRIP_W = 16, 4.0, 3.0
"""Strips each way, the distance from one to the next, and the width of the copper."""
FIELD = STRIPS * PITCH
"""Side of the square field of strips."""
CARD_W, CARD_H = 80.0, 50.0
"""Size of the card between the stops."""
TAG = 25.0
"""Diameter of a round tag."""
TAG_FROM_END = 13.0
"""Distance of the tag's middle from a short end of its card."""
TAG_CLEAR = 2.0
"""Distance of copper from the tag: copper beside a tag shields and detunes it. A guess."""
RAISED_FROM_END = 25.0
"""Distance of a raised picture's middle from the short end opposite the tag."""
RAISED_OFF_MIDDLE = FIELD / 2 + TAG_CLEAR - (CARD_W - RAISED_FROM_END - TAG_FROM_END - TAG / 2)
"""Distance of a raised picture's middle from the field's, towards the tag.

The field ends beside the tag. Strips every 5 mm would make it 12.5 mm.
"""
