"""Turns readings of the pressure matrix into conductances of its crossings, without the detours of the current.

Rows that are not selected hang on 470 ohm to ground, so a pressed crossing takes current from its whole
column. The forward model is nodal analysis of the strips, as in `firmware/simulator/chips/matrix_network.py`,
written here for whole pictures. A fixed-point iteration finds the conductances that give the readings.
"""

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float64]

SIDE = 16
ROW_OHM, SIG_OHM, SWITCH_OHM = 470.0, 2200.0, 85.0
"""Resistors of docs/build-guide.md: from each row, and from SIG, to ground. SWITCH_OHM: a closed switch of the
74HC4067 (data sheet: 70 to 100)."""
GAIN = 4
"""The board sends 255 for a quarter of the supply (`firmware/wire/hot_loops.py`)."""
FULL = 255
FLOATING = 60
"""Crossings at full reading in one press from which on the rows float. With the resistors no press of
`companion bench parts` has as many; without them some 200 of 256 have."""
LEAK_S = 1e-9
"""Leakage (S) of each strip: keeps the nodal matrix regular where nothing is pressed."""
STEPS = 12
"""Steps of the iteration. With five, a third of the presses on the most conductive sheets were not told."""
FAINTEST = 0.25
"""Reading (of 255) below which a crossing is taken to read that much."""
UNIT_OHM = 4000.0
"""A crossing of this resistance is 255 in a picture of conductances."""


def conductances(readings: Plane) -> Plane:
    """Conductance of each crossing (16 x 16) as a share of 1 / UNIT_OHM, from readings of 0 to 255."""
    share = np.maximum(readings, FAINTEST) / (GAIN * FULL)
    siemens = share / (SIG_OHM * (1 - share))
    for _ in range(STEPS):
        siemens = np.clip(siemens * share / _shares(siemens), 1e-8, 1e-2)
    return np.asarray(siemens * UNIT_OHM)


def picture(readings: Plane) -> bytes:
    """Conductances as bytes of 0 to 255, row by row: the picture of a press."""
    return np.asarray(np.clip(np.round(conductances(readings) * FULL), 0, FULL), np.uint8).tobytes()


def readings(shares: Plane) -> Plane:
    """What the board reads (0 to 255) of conductances that `conductances` would find."""
    return np.clip(_shares(np.maximum(shares, 1e-4) / UNIT_OHM) * GAIN * FULL, 0, FULL)


def rows_float(readings: Plane) -> bool:
    """Whether a press lights crossings that nobody presses: the resistors at the rows, or at SIG, are
    missing."""
    return int((readings >= FULL).sum()) >= FLOATING


def _shares(siemens: Plane) -> Plane:
    """Share of the supply that SIG shows at each crossing: the inverse of all strips, updated for one closed
    switch at either end (rank 2, Woodbury)."""
    nodal = np.zeros((2 * SIDE, 2 * SIDE))
    nodal[:SIDE, SIDE:], nodal[SIDE:, :SIDE] = -siemens, -siemens.T
    to_ground = np.repeat((1 / ROW_OHM, LEAK_S), SIDE)
    nodal[np.diag_indices(2 * SIDE)] = np.concatenate((siemens.sum(1), siemens.sum(0))) + to_ground
    inverse = np.linalg.inv(nodal)
    own, other = np.diag(inverse)[:SIDE, None], np.diag(inverse)[None, SIDE:]
    mutual = inverse[:SIDE, SIDE:]
    drive, load = 1 / SWITCH_OHM, 1 / (SWITCH_OHM + SIG_OHM)
    whole = 1 + load * other + drive * own + (own * other - mutual**2) * drive * load
    return np.asarray(mutual * drive / whole * SIG_OHM * load)
