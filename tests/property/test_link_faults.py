"""Random play on a bad line: whatever is pulled, stalled, reset or flipped, the host ends with the truth."""

import random

import pytest

from companion.core.clock import ManualClock
from firmware.host.link import Link
from firmware.host.messages import ButtonEvent, TagEvent, WeightEvent
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd

UID = bytes.fromhex("04a1b2c3d4e580")


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(12))
def test_the_host_ends_with_the_truth(seed):
    chance = random.Random(seed)
    clock = ManualClock()
    end = MemoryEnd()
    board = VirtualBoard(clock=clock, seed=seed, end=end)
    link = Link(board.path, clock, opener=end.open, session=5)
    for cell in board.chips.cells.values():
        cell.sigma = 0.4
    board.chips.touch.sigma = 3.0
    rate = chance.choice([15, 30, 60])
    heard = []

    def run(seconds):
        for _ in range(max(1, round(seconds * rate))):
            clock.sleep(1 / rate)
            heard.extend(lockstep.step(board, link, clock.now()))

    run(3)
    board.flip_bits(chance.choice([0.0, 1e-5, 1e-4, 5e-4]))
    pressed, grams, colours, tagged = {}, {}, {}, False
    for _ in range(30):
        bed = f"bed {chance.randint(1, 5)}"
        match chance.randrange(12):
            case 0 | 1 | 2:
                pressed[bed] = not pressed.get(bed, False)
                board.press_button(bed, pressed[bed])
            case 3 | 4:
                tagged = not tagged
                (board.place_tag if tagged else board.lift_tag)("pad", UID)
            case 5 | 6 | 7:
                grams[bed] = chance.randint(0, 12) * 3.0
                board.set_weight(bed, grams[bed])
            case 8:
                board.stall(chance.random() * 6)
            case 9:
                board.reset()
            case 10:
                board.unplug()
                run(chance.random() * 3)
                board.plug(reset=chance.random() < 0.7)
            case _:
                colours[bed] = (chance.randrange(256), 0, 1)
                link.lamp(bed, colours[bed])
        run(chance.random() * 2)
    board.flip_bits(0.0)
    run(14)

    assert link.up
    for bed in pressed:
        states = [m.pressed for m in heard if isinstance(m, ButtonEvent) and m.station == bed]
        assert all(one != other for one, other in zip([False, *states], states, strict=False)), bed
        assert (states or [False])[-1] == pressed[bed], bed
    tags = [m.uid for m in heard if isinstance(m, TagEvent)]
    assert all(one != other for one, other in zip([None, *tags], tags, strict=False))
    assert (tags or [None])[-1] == (UID if tagged else None)
    for bed, truth in grams.items():
        weights = [m.grams for m in heard if isinstance(m, WeightEvent) and m.station == bed]
        assert weights[-1] == pytest.approx(truth, abs=0.9), bed
    for bed, colour in colours.items():
        assert board.lamps[bed] == colour
