"""The desk of the page: whoever holds the code begins and ends games there, and sets parts up."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from companion.bridges.host.hosted_setup import HostedSetup, SetupAct
from companion.bridges.host.network import HomeNetwork, JoinWish
from companion.bridges.web.page_state import Page
from companion.core.config import checked_names
from companion.core.errors import CompanionError
from companion.core.language import LANGUAGES, localized, tr, use
from companion.core.language import player as player_number
from companion.core.settings_file import write_entries
from companion.core.system_words import system_words
from companion.dashboard.labels import title, variant_title
from companion.dashboard.player_names import ground, sign
from companion.dashboard.start_form import StartForm


class GameWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's request for a new game.

    `players`: how many play. `names`: of the players, first player first. `table`: name of a kind of table that
    the first screen offers, such as "real" or "virtual".
    """

    game: str
    variant: str
    players: int
    names: tuple[str, ...] = ()
    table: str = "virtual"


class LanguageWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Person's request to change the language of table screens.

    `language`: a code in LANGUAGES.
    """

    language: str


class SetupWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's request to set up camera and sensors.

    `table`: "real" or "virtual". `game`, `variant`: whose mat and cards are used.
    """

    table: str
    game: str
    variant: str


class KeptGame(Protocol):
    """The game that `companion host` plays; its engine is a child process."""

    on: bool
    """True while a game is on: its engine runs, or is being started again."""
    said: str
    """Why the last game ended by itself, as a sentence. "" if people ended it."""

    def begin(self, wish: GameWish) -> None:
        """Start an engine for a new game.

        CompanionError if that fails.
        """
        ...

    def go_on(self) -> None:
        """Go on with the last game at a real table.

        CompanionError if that fails.
        """
        ...

    def end(self) -> None:
        """End the engine, if one runs. The game's journal stays."""
        ...


class HostDesk:
    """Part of the web page with which people begin games, set up parts, and join a network.

    `form`: returns what can be played now. `language`: code of the screens' language; a change is written into
    the file `settings`. `changed`: called without arguments after each change of this part.
    """

    def __init__(
        self,
        game: KeptGame,
        setup: HostedSetup,
        network: HomeNetwork,
        form: Callable[[], StartForm],
        settings: Path,
        language: str,
    ) -> None:
        self.game, self.setup, self._language = game, setup, language
        self.network = network
        setup.changed = network.changed = self._tell
        self.changed: Callable[[], None] = lambda: None
        self._new_form, self._settings = form, settings
        self.form = form()
        self._acting = asyncio.Lock()
        self._ending = False

    @property
    def picture(self) -> bytes:
        """What the camera sees during the set-up, as JPEG. b"" if there is none."""
        return self.setup.picture

    def _tell(self) -> None:
        """Call `changed`, because set-up or network have changed."""
        self.changed()

    def renew(self) -> None:
        """Find out again which games and tables can be chosen.

        It is called when parts were plugged in or out, or a game has ended.
        """
        self.form = self._new_form()
        self.changed()

    def page(self, *, holder: bool) -> Page:
        """This part of the web page, as plain values in the reader's language.

        Keys: "holder", "phase" ("setup", "ending", "on" or "idle") and "said" (why the last game or set-up
        ended). If `holder`, the reader has the page's token, and "form", "setup" and "network" follow; each is
        None outside its phase.
        """
        setup = self.setup.on
        phase = "setup" if setup else "ending" if self._ending else "on" if self.game.on else "idle"
        page: Page = {"holder": holder, "phase": phase, "said": localized(self.game.said or self.setup.said)}
        if holder:
            page["form"] = self._form() if phase == "idle" else None
            page["setup"] = self.setup.page() if setup else None
            page["network"] = self.network.page() if phase == "idle" else None
        return page

    def words(self) -> dict[str, str]:
        """Texts of this part's buttons and fields: name used by the page -> text."""
        return {
            "no_game": tr("No game is on. Whoever has scanned the code on the screen can begin one."),
            "what_now": tr("What do you play?"),
            "game": tr("Game"),
            "variant": tr("Variant"),
            "players": tr("Players"),
            "names": tr("Names, if you like"),
            "table": tr("Table"),
            "table_language": tr("Language of the screens"),
            "begin_game": tr("Begin the game"),
            "begins": tr("The game begins. The table's picture comes in a moment."),
            "ends": tr("The game is ended and kept."),
            "end_game": tr("End the game"),
            "set_up": tr("Set parts up"),
            "set_up_begins": tr("The set-up begins. This takes a moment."),
            "back_to_games": tr("Back to the games"),
            "step_done": tr("Done"),
            "step_yes": tr("Yes"),
            "step_begin": tr("Begin"),
            "step_again": tr("Once more"),
            "step_skip": tr("Skip this step"),
            "step_leave": tr("Leave this step"),
            "step_before": tr("Step before"),
            "camera_sees": tr("What the sensor sees"),
            "live_values": tr("live values"),
            "not_finished": tr("Not finished yet:"),
            "unproved": tr("What this rig does not prove:"),
            "network": tr("Home network"),
            "network_why": tr(
                "Choose your home's network. This phone loses this one then: look at the screen."
            ),
            "network_hidden": tr("another name"),
            "network_name": tr("Name of the network"),
            "password": tr("Its password"),
            "join": tr("Join this network"),
            "end_sure": tr("End this game? It is kept."),
        }

    def knows(self, name: str) -> bool:
        """True if a request of this name is for this part of the page.

        The names are begin, go_on, end, speak, setup, step and join.
        """
        return name in ("begin", "go_on", "end", "speak", "setup", "step", "join")

    async def do(self, name: str, body: bytes) -> str:
        """Carry out a request of a person.

        Returns why it is refused or has failed, as a sentence; "" if it succeeded. `name`: see `knows`. `body`:
        JSON of the request. A request is refused while another one is carried out. MsgspecError if `body` is
        malformed.
        """
        self.network.asked()
        if self._acting.locked():
            return tr("One moment.")
        async with self._acting:
            try:
                return await self._do(name, body)
            except CompanionError as error:
                return localized(error.told)
            except OSError as error:  # a full disk, a machine without room for another process
                return localized(system_words(error))
            finally:
                self.changed()

    async def _do(self, name: str, body: bytes) -> str:
        match name:
            case "begin":
                return await self._begin(msgspec.json.decode(body, type=GameWish))
            case "go_on":
                if self.game.on or self.setup.on:
                    return tr("A game is on already, or parts are set up.")
                if not self.form.last:
                    return tr("No game at a real table was left unfinished.")
                await asyncio.to_thread(self.game.go_on)
            case "end":
                await self._end()
            case "setup":
                return await self._set_up(msgspec.json.decode(body, type=SetupWish))
            case "step":
                await self._step(msgspec.json.decode(body, type=SetupAct))
            case "join":
                return self.network.join(msgspec.json.decode(body, type=JoinWish))
            case "speak":
                return self._speak(msgspec.json.decode(body, type=LanguageWish))
        return ""

    async def _begin(self, wish: GameWish) -> str:
        """Begin a game. Returns why that is refused, as a sentence; "" if it began."""
        if self.game.on or self.setup.on:
            return tr("A game is on already, or parts are set up.")
        if refused := self._wrong(wish):
            return refused
        self.setup.said = ""
        await asyncio.to_thread(self.game.begin, wish)
        return ""

    def _wrong(self, wish: GameWish) -> str:
        """Sentence: why the wished game is impossible; else ""."""
        offer = next((one for one in self.form.games if one.name == wish.game), None)
        if offer is None or wish.players not in offer.variants.get(wish.variant, ()):
            return tr("That cannot be played here. Choose again.")
        if wish.table not in [name for name, _ in self.form.tables]:
            return tr("That table is not there any more. Choose another one.")
        try:
            names = checked_names(wish.names)
        except ValueError as error:
            return localized(error.args[0])
        if len(names) > wish.players or any("," in name for name in names):
            return tr("That cannot be played here. Choose again.")
        return ""

    async def _end(self) -> None:
        """End the game; find out again what can be played."""
        self._ending = True
        self.changed()
        try:
            await asyncio.to_thread(self.game.end)
        finally:
            self._ending = False
        self.form = await asyncio.to_thread(self._new_form)

    def _speak(self, wish: LanguageWish) -> str:
        """Change the screens' language. Returns why that is refused; "" if it is not."""
        if wish.language not in LANGUAGES:
            return tr("That cannot be played here. Choose again.")
        write_entries(self._settings, {("language",): wish.language})
        use(wish.language)
        self._language = wish.language
        return ""

    async def _set_up(self, wish: SetupWish) -> str:
        """Begin the set-up of parts. Returns why that is refused; "" if it began."""
        if self.game.on or self.setup.on:
            return tr("A game is on already, or parts are set up.")
        offer = next((one for one in self.form.games if one.name == wish.game), None)
        if offer is None or wish.variant not in offer.variants:
            return tr("That cannot be played here. Choose again.")
        self.game.said = ""
        await self.setup.begin(virtual=wish.table == "virtual", game=wish.game, variant=wish.variant)
        return ""

    async def _step(self, act: SetupAct) -> None:
        """Pass on what a person did in the set-up. "close" ends the set-up."""
        if act.act != "close":
            self.setup.act(act)
            return
        await self.setup.end()
        self.form = await asyncio.to_thread(self._new_form)

    def _form(self) -> Page:
        """What can be chosen, as plain values.

        Keys: "games" (with variants and numbers of players), "tables", "seats" (sign and colour of each
        player), "chosen" (as filled in), "language", and "last" (words for the unfinished game; "" for none).
        """
        form = self.form
        return {
            "games": [
                {
                    "id": offer.name,
                    "says": title(offer.name),
                    "variants": [
                        {"id": name, "says": variant_title(name), "players": list(players)}
                        for name, players in offer.variants.items()
                    ],
                }
                for offer in form.games
            ],
            "tables": [{"id": name, "says": localized(says)} for name, says in form.tables],
            "seats": [
                {"sign": sign(n), "ground": ground(n), "says": localized(player_number(n, within=True))}
                for n in range(1, len(form.names) + 1)
            ],
            "chosen": {
                "game": form.offer.name,
                "variant": form.variant_name,
                "players": form.players,
                "names": form.names,
                "table": form.tables[form.table][0],
            },
            "language": self._language,
            "last": tr("go on with {game}", game=form.last) if form.last else "",
        }
