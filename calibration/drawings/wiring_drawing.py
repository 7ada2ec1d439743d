"""Draws the wiring of a rig as SVG: the Pico, each part, and the wires between."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from calibration.drawings.svg_shapes import drawing, shape
from calibration.drawings.wired_parts import Rig, Terminal, WiredPart, wired_parts
from companion.core.errors import BadInputError
from companion.core.language import text

_LEFT = "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15"
_RIGHT = "GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 GND GP28 VREF 3V3 EN GND VSYS VBUS"
_EDGE = (*_LEFT.split(), *_RIGHT.split())
"""Names of the Pico's pins 1 to 40 (data sheet).

Pins 1 to 20 run down the left side, 21 to 40 up the right side. The USB plug is on top.
"""
_PIN_OF = {int(name[2:]): number for number, name in enumerate(_EDGE, 1) if name.startswith("GP")}
_COLOURS = ("#b02318", "#1f5fa8", "#2c7a2c", "#8a5a00", "#6b3fa0", "#00777a", "#c2477f", "#4a4a4a")
_LEGEND = (
    "Crossing wires are not joined; a dot is a joint. Bold: GP numbers; small: numbers of pins on the edge."
)
_UNUSED, _BORDER = "#bbbbbb", "#7a6a3a"
_RAILS = {"GND": "#111111", "3V3": "#e03020", "VBUS": "#e07800"}
# Lengths in px. Terminals lie on multiples of 16 and pins 8 beside them, so no wire runs along another one.
_STEP, _PIN_STEP = 16, 32
_BOX_W, _GAP, _LANE, _PICO_W = 320, 16, 10, 150
_MARGIN, _TOP = 16, 64


@dataclass(slots=True)
class _Box:
    """Part of the rig as a box in the drawing.

    `x`, `y`: its upper left corner (px). `left`: it stands left of the Pico.
    """

    part: WiredPart
    left: bool
    x: int = 0
    y: int = 0

    @property
    def height(self) -> int:
        """Height (px) of the drawn box."""
        return _STEP * (2 + max(1, len(self.part.terminals)) + len(self.part.notes))

    @property
    def edge(self) -> int:
        """X (px) of the box side that faces the Pico."""
        return self.x + _BOX_W if self.left else self.x

    def terminal_y(self, at: int) -> int:
        """Y (px) of a terminal of the box; `at`: its number from 0."""
        return self.y + _STEP * (2 + at)


@dataclass(slots=True)
class _Net:
    """Wires that join a Pico's pin with parts' terminals.

    `gp`: number of the pin. `ends`: (box, number of the terminal, terminal) of each.
    """

    gp: int
    ends: list[tuple[_Box, int, Terminal]]
    colour: str
    lanes: dict[bool, int]
    """Side of the Pico (True: left) -> x (px) of the net's vertical wire on that side."""


def draw_rig(rig: Rig, title: str, renamed: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Draw the wiring of a rig as SVG text.

    Every wire carries `data-part`, `data-terminal` and `data-gp`. `renamed` puts crossed wires right:
    capability -> station that the board names -> true station. BadInputError for a rig with faults.
    """
    return _Drawing(wired_parts(_checked(rig), renamed), title).svg()


def recommended_rig() -> Rig:
    """Load the description of the rig that a board without a rig file uses."""
    # Imported by name, because the board's code is untyped.
    rig: Rig = importlib.import_module("firmware.board.default_rig").DEFAULT_RIG
    return rig


def _checked(rig: Rig) -> Rig:
    faults = list(importlib.import_module("firmware.flashing.rig_check").check(rig))
    if faults:
        raise BadInputError("; ".join(faults), where="rig", next_step=text("see docs/board.md"))
    return rig


class _Drawing:
    def __init__(self, parts: Sequence[WiredPart], title: str) -> None:
        self._title = title
        self._boxes = [_Box(part, self._mostly_left(part)) for part in parts]
        for left in (True, False):
            column = [box for box in self._boxes if box.left == left]
            column.sort(key=self._first_row)
            y = _TOP + 2 * _STEP
            for box in column:
                box.y = y
                y += _STEP * ((box.height + _GAP + _STEP - 1) // _STEP)
        self._nets = self._joined()
        lanes = [sum(left in net.lanes for net in self._nets) for left in (True, False)]
        self._pico_x = _MARGIN + _BOX_W + _LANE * (lanes[0] + 4)
        self._right_x = self._pico_x + _PICO_W + _LANE * (lanes[1] + 4)
        bottom = max([box.y + box.height for box in self._boxes], default=0)
        pico_h = 20 * _PIN_STEP
        over = sum(len(net.lanes) == 2 for net in self._nets)
        self._pico_y = _STEP * max(0, (bottom - _TOP - pico_h) // (2 * _STEP)) + _TOP + 3 * _STEP + _STEP * over
        self._height = max(bottom, self._pico_y + pico_h) + _MARGIN + 2 * _STEP
        self._width = self._right_x + _BOX_W + _MARGIN
        for box in self._boxes:
            box.x = _MARGIN if box.left else self._right_x
        self._place_lanes()

    @staticmethod
    def _mostly_left(part: WiredPart) -> bool:
        return sum(_PIN_OF[one.gp] <= 20 for one in part.terminals) * 2 >= len(part.terminals)

    def _first_row(self, box: _Box) -> int:
        """Row of a part's first pin, on the part's side of the Pico.

        Pins shared with other parts count only if the part has no others.
        """
        pins = [one.gp for one in box.part.terminals]
        others = {one.gp for other in self._boxes if other is not box for one in other.part.terminals}
        own = [gp for gp in pins if gp not in others and (_PIN_OF[gp] <= 20) == box.left]
        return min(self._row(gp) for gp in own or pins)

    @staticmethod
    def _row(gp: int) -> int:
        """Row (0 to 19, from the top) of the pin with a GP number."""
        number = _PIN_OF[gp]
        return number - 1 if number <= 20 else 40 - number

    def _pin(self, gp: int) -> tuple[int, int]:
        """Place (x, y in px) of a Pico pin.

        The pin is on the Pico's edge.
        """
        x = self._pico_x if _PIN_OF[gp] <= 20 else self._pico_x + _PICO_W
        return x, self._pico_y + _PIN_STEP * self._row(gp) + _STEP // 2

    def _joined(self) -> list[_Net]:
        nets: dict[int, _Net] = {}
        for box in self._boxes:
            for at, terminal in enumerate(box.part.terminals):
                gp = terminal.gp
                colour = _COLOURS[len(nets) % len(_COLOURS)]
                net = nets.setdefault(gp, _Net(gp, [], colour, {_PIN_OF[gp] <= 20: 0}))
                net.ends.append((box, at, terminal))
                net.lanes.setdefault(box.left, 0)
        return list(nets.values())

    def _place_lanes(self) -> None:
        """Give every net a vertical line for itself.

        So parallel wires do not cover each other.
        """
        for left in (True, False):
            nets = [net for net in self._nets if left in net.lanes]
            nets.sort(key=lambda net: self._lane_order(net, left))
            start = _MARGIN + _BOX_W + 2 * _LANE if left else self._right_x - 2 * _LANE
            for number, net in enumerate(nets):
                net.lanes[left] = start + _LANE * number if left else start - _LANE * number

    def _lane_order(self, net: _Net, left: bool) -> tuple[bool, int]:
        """Sort key of a net among the vertical lines of one side (`left` or right of the Pico).

        Lines are placed in ascending order, from the parts to the Pico. Nets with several ends on this side
        come first, nets without one last. The number is the height y (px) of the net's first end there; it is
        negated if the Pico's pin lies at this height or below.
        """
        ys = [box.terminal_y(at) for box, at, _ in net.ends if box.left == left]
        if not ys:
            return (True, 10_000)
        down = self._pin(net.gp)[1] >= ys[0]
        return (len(ys) == 1, -ys[0] if down else ys[0])

    def svg(self) -> str:
        """Whole drawing as SVG text: wires, Pico and parts."""
        over = count(1)
        wires = [line for net in self._nets for line in self._wires(net, over)]
        boxes = [line for box in self._boxes for line in _box(box)]
        return drawing(self._width, self._height, self._title, _LEGEND, [*wires, *self._pico(), *boxes])

    def _wires(self, net: _Net, over: "count[int]") -> list[str]:
        """Draw a net's wires: one SVG path for each terminal.

        Dots show where wires join. `over`: counts the wires that cross above the Pico.
        """
        home = _PIN_OF[net.gp] <= 20
        pin_x, pin_y = self._pin(net.gp)
        lane = net.lanes[home]
        across = None if len(net.lanes) == 1 else self._pico_y - 2 * _STEP - _LANE * next(over)
        found = []
        for box, at, terminal in net.ends:
            y = box.terminal_y(at)
            points = [(box.edge, y), (net.lanes[box.left], y)]
            if box.left != home and across is not None:
                points += [(net.lanes[box.left], across), (lane, across)]
            points += [(lane, pin_y), (pin_x, pin_y)]
            path = "M" + " L".join(f"{px} {py}" for px, py in points)
            # A white rim shows which of two crossing wires is on top.
            found.append(shape("path", d=path, fill="none", stroke="#ffffff", stroke_width=5))
            data = {"data_part": box.part.title, "data_terminal": terminal.name, "data_gp": net.gp}
            found.append(shape("path", d=path, fill="none", stroke=net.colour, stroke_width=2, **data))
        ends = sorted((box.terminal_y(at), net.lanes[box.left]) for box, at, _ in net.ends)
        low, high = min(pin_y, ends[0][0]), max(pin_y, ends[-1][0])
        joints = [(x, y) for y, x in ends if len(ends) > 1 and low < y < high]
        return found + [shape("circle", cx=x, cy=y, r=4, fill=net.colour) for x, y in joints]

    def _pico(self) -> list[str]:
        x, y, h = self._pico_x, self._pico_y - _STEP // 2, 20 * _PIN_STEP
        middle = x + _PICO_W // 2
        used = {net.gp: net.colour for net in self._nets}
        lines = [
            shape(
                "rect",
                x=x,
                y=y,
                width=_PICO_W,
                height=h,
                rx=8,
                fill="#eef4ee",
                stroke="#2f5d3a",
                stroke_width=2,
            ),
            shape("rect", x=middle - 25, y=y - 18, width=50, height=24, fill="#d0d0d0", stroke="#777777"),
            shape("text", "USB", x=middle, y=y - 2, text_anchor="middle", font_size=11),
            shape(
                "text", "Raspberry Pi Pico", x=middle, y=y + h + 18, text_anchor="middle", font_weight="bold"
            ),
        ]
        for number, name in enumerate(_EDGE, 1):
            left = number <= 20
            row = number - 1 if left else 40 - number
            px, py = (x if left else x + _PICO_W), self._pico_y + _PIN_STEP * row + _STEP // 2
            gp = int(name[2:]) if name.startswith("GP") else None
            colour = _RAILS.get(name, _UNUSED) if gp is None else used.get(gp, _UNUSED)
            wanted = colour != _UNUSED
            anchor, inward = ("start", 1) if left else ("end", -1)
            lines += [
                shape("circle", cx=px, cy=py, r=5, fill=colour, data_pin=name),
                shape("text", name, x=px + 10 * inward, y=py + 4, text_anchor=anchor,
                      font_weight="bold" if wanted else "normal", fill="#000000" if wanted else "#999999"),
                shape("text", str(number), x=px + 52 * inward, y=py + 3, text_anchor=anchor, font_size=9,
                      fill="#777777"),
            ]  # fmt: skip
        return lines


def _box(box: _Box) -> list[str]:
    """Draw a part as SVG: box, title, terminals and notes."""
    part, x = box.part, box.x
    lines = [
        shape("rect", x=x, y=box.y, width=_BOX_W, height=box.height, rx=5, fill="#fbf7ec", stroke=_BORDER,
              data_box=part.title),
        shape("text", part.title, x=x + 8, y=box.y + 18, font_weight="bold"),
    ]  # fmt: skip
    near, far = (("end", x + _BOX_W - 10), ("start", x + 12))
    if not box.left:
        near, far = ("start", x + 10), ("end", x + _BOX_W - 12)
    for at, terminal in enumerate(part.terminals):
        y = box.terminal_y(at)
        lines += [
            shape("circle", cx=box.edge, cy=y, r=4, fill=_BORDER),
            shape("text", terminal.name, x=near[1], y=y + 4, text_anchor=near[0]),
            shape("text", f"to GP{terminal.gp}", x=far[1], y=y + 4, text_anchor=far[0], fill="#777777"),
        ]
    below = box.terminal_y(len(part.terminals)) + 4
    lines += [
        shape("text", note, x=x + 12, y=below + _STEP * at, font_size=11, fill="#444444")
        for at, note in enumerate(part.notes)
    ]
    return lines
