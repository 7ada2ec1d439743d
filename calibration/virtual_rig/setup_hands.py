"""Virtual hands that obey setup: lay cards, load scales, touch, push."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from calibration.wizard import setup_requests as req
from companion.games.appearance import PhysicalCard
from companion.virtual.laid_corners import lay_corner_cards
from companion.virtual.render.looks import Looks
from companion.virtual.rig.board_readings import PAD, Rig
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.world import World
from vision.mat_geometry import Mat

_EDGE_MM, _GAP_MM = 62.0, 8.0
"""_EDGE_MM: distance (mm) of a row of cards from the mat's sides. _GAP_MM: distance (mm) between cards."""
_APART_MM = 16.0
"""Distance (mm) between cards if their outlines must be found in the picture."""
_CARD_S = 0.9
"""Time (s) that a card lies on the pad before its press, and that the press takes."""

TOUCH_S = 1.0
"""Time (s) that a finger rests on an electrode."""

Script = Iterator[float]
"""Movement of hands, part by part; yields the pause (s) before the next part."""
Lamps = Callable[[], Mapping[str, tuple[int, int, int]]]
"""Function () -> the lamps as people see them: station -> colour (red, green, blue)."""


def finished(script: Script) -> bool:
    """Do all parts of a movement of hands at once, without its pauses.

    Returns True.
    """
    for _ in script:
        pass
    return True


class SetupHands:
    """Hands of a virtual person at setup: they move cards of `world` and load the sensors of `rig`.

    `rig` is None without a board. `lay_paper` lays the four corner cards; None if nobody has a printer.
    `sees`: False without a camera. `art`: cards have pictures, no stickers. `bare`: there is no mat. `lost`:
    code of a card that nobody finds; "" for none.
    """

    def __init__(
        self,
        world: World,
        rig: Rig | None,
        mat: Mat,
        looks: Looks,
        cards: Sequence[PhysicalCard],
        noise: Noise,
        chance: Random,
        lamps: Lamps,
        *,
        lay_paper: Callable[[], None] | None = None,
        sees: bool = True,
        art: bool = False,
        bare: bool = False,
        lost: str = "",
    ) -> None:
        self.world, self._rig, self._mat, self._looks = world, rig, mat, looks
        self._noise, self._chance, self._lamps = noise, chance, lamps
        self._lay_paper = lay_paper
        self._sees, self._art, self._bare, self._lost = sees, art, bare, lost
        self._deck = [] if art else [card for card in cards if card.payload]
        self._kinds = {card.code: card.kind for card in cards}
        self._by_kind = {card.kind: card.code for card in reversed(cards)}
        self._raised = [card.code for card in cards if card.texture is not None]
        self.laid_in_order = 0
        """Number of cards that were laid for the last LayInOrder."""
        self.lit: dict[str, bool] = {}
        """Stations whose button was pushed last -> whether the lamp was lit that people see there."""
        self._shown: set[str] = set()
        self._times_shown: Counter[str] = Counter()
        self._photographed: set[str] = set()

    def answer(self, request: req.Request) -> bool | Script:
        """Begin to obey a request of setup.

        Returns the movement, or True if it is done at once. False if the person has nothing more to show, or
        answers a question with no. A request that people would have to confirm is done at once.
        """
        if isinstance(request, req.LampsBeside):
            return all(self.lit.values())
        if isinstance(request, req.LeaveOut):
            return True
        if isinstance(request, req.LayLeftOut):
            return self._art
        if isinstance(request, req.ConfirmOrder):
            # Without cards on the mat it is a photograph, whose order nobody here knows better.
            return self.laid_in_order in (0, sum(map(len, request.rows)))
        script = self._script(request)
        if script is None:
            return False
        return finished(script) if request.confirmed else script

    def _script(self, request: req.Request) -> Script | None:
        match request:
            case req.ClearTable():
                return self._clear()
            case req.LayPaper():
                return self._lay_printed()
            case req.LayCorners():
                return self._lay_corners() if self._bare else None
            case req.LayRows():
                return self._lay_rows()
            case req.LayInOrder(kinds):
                return self._lay_in_order(kinds) if self._art else None
            case req.ShowCard(_, code, called):
                return self._show_next(self._any_copy(code) if called else code)
            case req.PressCard(_, code):
                return self._press(code)
            case req.LoadScale(station, cards):
                return self._load(station, cards)
            case req.TouchElectrode(station):
                return self._finger(station)
            case req.PushButton(station):
                return self._push(station)
            case req.PushBesideLamp():
                return self._push_beside_lamp()
            case req.LayCard(zone, code):
                return self._lay(zone, code)
        return None

    def _clear(self) -> Script:
        self.world.clear()
        if self._rig is not None:
            self._rig.clear()
        yield 0.0

    def _lay_printed(self) -> Script | None:
        if self._lay_paper is None:
            return None
        return self._laid_paper(self._lay_paper)

    def _laid_paper(self, lay: Callable[[], None]) -> Script:
        self.world.clear()
        lay()
        yield 0.0

    def _lay_corners(self) -> Script:
        lay_corner_cards(self.world, self._mat, self._chance)
        yield 0.0

    def _lay_rows(self) -> Script | None:
        if not self._sees:
            return None
        self.world.clear()
        rest = [card for card in self._deck if card.code not in self._photographed and card.code != self._lost]
        if not rest:
            return None
        return self._laid_rows(rest)

    def _laid_rows(self, rest: list[PhysicalCard]) -> Script:
        self._photographed.update(self.in_rows([card.code for card in rest], _GAP_MM))
        yield 0.0

    def in_rows(self, codes: list[str], gap: float) -> list[str]:
        """Lay cards on the mat in rows; return the codes of those that fit.

        `gap`: distance between two cards (mm).
        """
        chance, mat = self._chance, self._mat
        x, y, tall = _EDGE_MM, 14.0, 0.0
        laid = []
        for code in codes:
            w, h = self._looks.size_of(code, "up")
            if x + w > mat.w - _EDGE_MM:
                x, y, tall = _EDGE_MM, y + tall + gap, 0.0
            if y + h > mat.h - 10:
                break
            spread = 3.0 if chance.random() < self._noise.askew else 1.0
            at = (x + w / 2 + chance.uniform(-1, 1) * spread, y + h / 2 + chance.uniform(-1, 1) * spread)
            self.world.put(code, at, chance.uniform(-2, 2) * spread)
            laid.append(code)
            x, tall = x + w + gap, max(tall, h)
        return laid

    def _lay_in_order(self, kinds: tuple[str, ...]) -> Script:
        self.world.clear()
        self.laid_in_order = len(self.in_rows([self._by_kind[kind] for kind in kinds], _APART_MM))
        yield 0.0

    def _show_next(self, code: str) -> Script | None:
        """Show the card `code`; "": the next card with a raised picture, None if all were shown."""
        rest = [one for one in self._raised if one not in self._shown]
        return self._show(code or rest[0]) if code or rest else None

    def _show(self, code: str) -> Script:
        assert self._rig is not None
        self._shown.add(code)
        self._times_shown[code] += 1
        chance, rig = self._chance, self._rig
        x, y = self._mat.zone(PAD).centre
        glare = chance.random() < self._noise.glare
        self.world.put(
            code, (x + chance.uniform(-3, 3), y + chance.uniform(-3, 3)), chance.uniform(-6, 6), glare=glare
        )
        yield _CARD_S
        rig.tag_on(code)
        yield _CARD_S
        rig.tag_off(code)
        self.world.take(code)

    def _any_copy(self, code: str) -> str:
        """Choose the copy of a card shown least often.

        Copies have the same face as the card `code`.
        """
        kind = self._kinds[code]
        return min((one for one in self._raised if self._kinds[one] == kind), key=self._times_shown.__getitem__)

    def _press(self, code: str) -> Script:
        assert self._rig is not None
        yield 0.2
        self._rig.tag_on(code)
        yield _CARD_S
        self._rig.tag_off(code)

    def _load(self, station: str, cards: int) -> Script:
        assert self._rig is not None
        yield 0.5
        self._rig.load(station, cards)

    def _finger(self, station: str) -> Script:
        assert self._rig is not None
        yield 0.2
        self._rig.finger(station, True)
        yield TOUCH_S
        self._rig.finger(station, False)

    def _push(self, station: str) -> Script:
        assert self._rig is not None
        yield 0.2
        self.lit[station] = any(self._lamps().get(station, ()))
        self._rig.button(station, True)
        yield 0.3
        self._rig.button(station, False)

    def _push_beside_lamp(self) -> Script:
        """Movement that pushes the button beside the lit lamp; nothing without one."""
        yield 0.4
        lit = [one for one, colour in self._lamps().items() if any(colour)]
        if lit:
            yield from self._push(lit[0])

    def _lay(self, zone: str, code: str) -> Script:
        place = self._mat.zone(zone)
        for thing in list(self.world.things.values()):
            if place.contains(thing.x, thing.y):
                self.world.take(thing.code)
        yield 0.3
        if code:
            self.world.put(code, place.centre, self._chance.uniform(-3, 3))
