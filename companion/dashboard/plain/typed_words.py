"""What people type beside the plain lines, as commands to the engine or to a virtual table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.core.language import LANGUAGES, localized, text, tr
from companion.core.printable import plain_letters
from companion.core.sensor_terms import sensor_name
from companion.dashboard.labels import (
    ANSWERS,
    ENDS_GAME,
    NEW_GAME,
    PARTY,
    STAYS_SAID,
    TAKE_BACK,
    begun,
    kept_on_leaving,
    new_games,
    with_colon,
)
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.plain.plain_lines import (
    perhaps_lines,
    question_lines,
    score_lines,
    seat_lines,
    sensor_lines,
    state_lines,
    table_lines,
)
from companion.dashboard.screens.hint_screen import FIRST, own_hand, stronger
from companion.dashboard.screens.position_screen import LETTERS
from companion.session.stream.commands import (
    Answer,
    AskHint,
    AskPosition,
    AskSensors,
    Claim,
    Command,
    CompanionIsRight,
    EndGame,
    NamePlayers,
    NextParty,
    Pause,
    SetSignals,
    TableIsRight,
    Tell,
    Turn,
    Undo,
)
from companion.session.stream.events import NEXT_PARTY, Position
from companion.session.stream.virtual_table_events import (
    CallClaim,
    Choose,
    Restart,
    SetFault,
    SetPaused,
    SetSpeed,
    Step,
    TakeSeat,
    WorldCommand,
)

SAID_AGAIN = 10
"""SAID_AGAIN: number of sentences that the typed word `log` prints, the newest ones."""


@dataclass(slots=True)
class Typed:
    """What a typed line causes.

    `lines`: text to print. `engine`, `table`: commands to send to the engine and the virtual table. `leaves`:
    True to leave the screen.
    """

    lines: list[str] = field(default_factory=list)
    engine: list[Command] = field(default_factory=list)
    table: list[WorldCommand] = field(default_factory=list)
    leaves: bool = False
    lists: bool = False
    """`lines` say what may follow the word. A number or name typed next, alone, completes it."""
    asks_screen: str = ""
    """Word to be obeyed by the screen itself; "" for none.

    "always", "teach", "aloud", "phones", or "language" with a code ("language de").
    """


WORDS = {
    "help": (text("help"), text("all words")),
    "table": (text("table"), text("everything that lies there")),
    "log": (text("log"), text("what happened last")),
    "sensors": (text("sensors"), text("camera, board and scales")),
    "claim": (text("claim"), text("claim 2: claim what the game lets you claim there; alone: what there is")),
    "undo": (text("undo"), text("that did not happen")),
    "yes": (text("yes"), text("to a question")),
    "no": (text("no"), text("to a question")),
    "right": (
        text("right"),
        text("the table is right: take over what lies there; right 2: player 2 begins; right 2 a: and a is so"),
    ),
    "next": (text("next"), text("after the score, a new game lies there; next 2: player 2 begins")),
    "wrong": (text("wrong"), text("the companion is right: it says what to put back")),
    "turn": (text("turn"), text("turn 2: a turn of player 2 begins")),
    "end": (text("end"), text("the game is over: score it")),
    "party": (text("party"), text("the next party: names are forgotten, a new game begins")),
    "hint": (text("hint"), text("a hint; again: the move; hint 3 3 5: with these cards")),
    "always": (text("always"), text("a hint at every move, or only when asked")),
    "teach": (text("teach"), text("each rule when it first matters, or no longer")),
    "tell": (text("tell"), text("tell 1: what only players can know; alone: what there is")),
    "names": (text("names"), text("names Anna, Ben: the players from the first on")),
    "lamps": (text("lamps"), text("the lamps at the table on or off")),
    "beeper": (text("beeper"), text("the beeper at the table on or off")),
    "aloud": (text("aloud"), text("every line is spoken, or none; Enter alone: silence")),
    "language": (text("language"), text("language de: everything in German; en, fr, it")),
    "phones": (text("phones"), text("the address of the page for phones and browsers")),
    "pause": (text("pause"), text("the companion stops watching, and goes on")),
    "seat": (text("seat"), text("seat 1: play this player at a virtual table; seat 0: give it back")),
    "hold": (text("hold"), text("the players of a virtual table stop, and go on")),
    "step": (text("step"), text("one action while they are held")),
    "speed": (text("speed"), text("speed 4: how fast they play, 0.25 to 8")),
    "new": (text("new"), text("a new game at a virtual table; new 7: with these cards")),
    "break": (text("break"), text("break camera: break a part of a virtual rig, or mend it; alone: which")),
    "quit": (text("quit"), text("leave")),
}
"""WORDS: English word, understood in all languages -> (word in the reader's language, what it does)."""


KEYS = {
    "c": "claim", "u": "undo", "t": "right", "o": "wrong", "y": "yes", "n": "no", "p": "pause", "h": "hint",
    "k": "hint",
    "a": "always", "w": "tell", "g": "turn", "f": "end", "f8": "party", "l": "log", "s": "seat",
    "x": "break", "r": "new",
    "q": "quit", "?": "help",
}  # fmt: skip
"""KEYS: key of the drawn screen -> typed word of equal meaning. Sentences for people name these keys."""

ON_CARDS = "k"
"""ON_CARDS: key of a hint on cards that are typed after it; typed alone, it asks for them."""


def _explained(word: str, about: str) -> str:
    """Line of help on a typed word; one that begins with an example names the word itself."""
    return about if about.startswith(f"{word} ") else f"{with_colon(word)} {about}"


class TypedWords:
    """Words typed by a person, turned into commands.

    A claim, the end of a game and the like wait for a typed yes. `model`, `world`: facts of the game and of a
    virtual table.
    """

    def __init__(self, model: PublicModel, world: WorldModel) -> None:
        self.model, self._world = model, world
        self._sure: Typed | None = None
        """Effects that wait for a yes; None for none."""
        self._listed: tuple[str, tuple[str, ...]] = ("", ())
        """(word whose list was printed last, a seat's choices then). ("", ()) for no such list."""
        self.position: Position | None = None
        """The engine's newest answer on which cards lie on the table."""
        self._handlers: dict[str, Callable[[Sequence[str]], Typed]] = {
            "help": self._help,
            "table": self._table,
            "log": self._log,
            "sensors": lambda _: Typed(sensor_lines(model), engine=[AskSensors()]),
            "claim": self._claim,
            "undo": self._undo,
            "yes": lambda _: self._answer(yes=True),
            "no": lambda _: self._answer(yes=False),
            "right": self._right,
            "next": self._next,
            "wrong": lambda _: Typed(engine=[CompanionIsRight()]),
            "turn": lambda words: self._numbered(words, lambda n: Typed(engine=[Turn(n)])),
            "end": lambda _: self._end(),
            "party": lambda _: self._party(),
            "hint": self._hint,
            "always": lambda _: Typed(asks_screen="always"),
            "teach": lambda _: Typed(asks_screen="teach"),
            "lamps": lambda _: self._signals(lamps=True),
            "beeper": lambda _: self._signals(lamps=False),
            "aloud": lambda _: Typed(asks_screen="aloud"),
            "language": self._language,
            "phones": lambda _: Typed(asks_screen="phones"),
            "tell": self._tell,
            "names": self._names,
            "pause": lambda _: Typed(engine=[Pause(not (model.table and model.table.paused))]),
            "seat": lambda words: self._numbered(words, lambda n: Typed(table=[TakeSeat(n)])),
            "hold": lambda _: Typed(table=[SetPaused(not (world.state and world.state.paused))]),
            "step": lambda _: Typed(table=[Step()]),
            "speed": self._speed,
            "new": self._new,
            "break": self._break,
            "quit": lambda _: self._quit(),
        }

    def take(self, line: str) -> Typed:
        """What a typed line causes; advice for an unknown word.

        A number alone chooses an action in the seat, or completes the word before that listed numbers. A word
        other than yes cancels a command that waits for a yes.
        """
        words = (
            line.replace(",", " , ").split() if line.strip().casefold().startswith("names") else line.split()
        )
        if not words:
            return Typed()
        first, rest = plain_letters(words[0]), words[1:]
        if first == ON_CARDS and not rest:
            self._listed = ("hint", self._choices)
            return Typed([tr("Cards as 3 3 4 7, then enter:")])
        first = KEYS.get(first, first)
        meant = [key for key, (word, _) in WORDS.items() if first in (key, plain_letters(localized(word)))]
        listed, self._listed = self._listed, ("", ())
        # A seat's choices that were printed after the list are what a number means then.
        if not meant and listed[0] and (listed[1] == self._choices or not first.isdecimal()):
            return self._obeyed(listed[0], words)
        if first.isdecimal() and not rest:
            return self._choose(int(first))
        if not meant:
            return Typed(
                [tr("{word}: not understood. Type {help}.", word=words[0], help=localized(WORDS["help"][0]))]
            )
        return self._obeyed(meant[0], rest)

    @property
    def _choices(self) -> tuple[str, ...]:
        """Actions that a person in a seat may choose now."""
        return self._world.turn.actions if self._world.turn is not None else ()

    def _obeyed(self, word: str, rest: Sequence[str]) -> Typed:
        """What a word causes; `rest`: the words typed after it."""
        if self._sure is not None and self._sure.leaves and word == "quit":
            word = "yes"  # typed twice, as its key is pressed twice
        if word != "yes":
            self._sure = None
        typed = self._handlers[word](rest)
        if typed.table and not self._world.attached:
            return Typed([tr("There is no virtual table here.")])
        self._listed = (word, self._choices) if typed.lists else ("", ())
        return typed

    def _put(self, sentence: str) -> str:
        return self.model.names.put_into(sentence)

    def _ask(self, question: str, sends: Typed) -> Typed:
        """Ask a person to type yes, which then causes `sends`.

        Returns the lines to print.
        """
        self._sure = sends
        return Typed([question, tr("Type {yes} if you mean it.", yes=localized(WORDS["yes"][0]))])

    def _help(self, _words: Sequence[str]) -> Typed:
        lines = [_explained(localized(word), localized(about)) for word, about in WORDS.values()]
        hello = self.model.welcome
        if hello is not None and hello.assist:
            lines.append(tr("Hints give away at most: {level}", level=hello.assist))
        return Typed([*lines, *(hello.help if hello else ())])

    def _table(self, _words: Sequence[str]) -> Typed:
        table, turn = self.model.table, self._world.turn
        if table is None:
            return Typed([*state_lines(self.model), tr("There is no game yet.")])
        lines = [*state_lines(self.model), *question_lines(self.model.question, self.model.names)]
        lines += table_lines(table, self.model.names)
        if self.model.score is not None:
            lines += score_lines(self.model.score, self.model.names)
        return Typed(lines + (seat_lines(turn, self.model.names) if turn else []))

    def _log(self, _words: Sequence[str]) -> Typed:
        table = self.model.table
        said = [self._put(one.text) for one in list(self.model.said)[-SAID_AGAIN:]]
        # Lines that may still be revised were printed too.
        return Typed(said + perhaps_lines(table, self.model.names) if table else said)

    def _claim(self, words: Sequence[str]) -> Typed:
        table = self.model.table
        claims = {n: place.claim for n, place in enumerate(table.places, 1) if place.claim} if table else {}
        if not claims:
            return Typed([tr("There is nothing to claim now.")])
        if not words or not words[0].isdecimal() or int(words[0]) not in claims:
            hello = self.model.welcome
            title = [hello.claim_title] if hello and hello.claim_title else []
            return Typed(
                [*title, *(f"{number}: {begun(self._put(claim))}" for number, claim in claims.items())],
                lists=True,
            )
        return self._ask_claim(int(words[0]), claims)

    def _ask_claim(self, number: int, claims: Mapping[int, str]) -> Typed:
        """Ask for a typed yes before a claim is made.

        `number`: claimed place, from 1. `claims`: number -> the claim in words. At a virtual table with
        buttons, the virtual players press the button themselves.
        """
        board = self.model.health.get("board")
        pressed = self._world.attached and self._world.presses
        sends = Typed(table=[CallClaim(number)] if pressed else [])
        if not pressed or (board is not None and not board.ok):
            sends.engine.append(Claim(number))
        return self._ask(self._put(claims[number]), sends)

    def _undo(self, _words: Sequence[str]) -> Typed:
        verdict = self.model.table.verdict if self.model.table else None
        if verdict is None:
            return Typed(engine=[Undo()])
        question = localized(TAKE_BACK.of(what=self._put(verdict.text)))
        asked = self._ask(question, Typed(engine=[Undo(verdict.id)]))
        return Typed([*asked.lines, localized(STAYS_SAID)])

    def _answer(self, *, yes: bool) -> Typed:
        if self._sure is not None:
            sends, self._sure = self._sure, None
            return sends if yes else Typed()
        question = self.model.question
        if not question.text or "yes" not in question.options:
            return Typed([tr("Nothing is asked.")])
        return Typed(engine=[Answer(question.id, yes)])

    def _right(self, words: Sequence[str]) -> Typed:
        if self.model.table is None:
            return Typed([tr("There is no game yet.")])
        if self.model.question.id == NEXT_PARTY:
            return Typed(engine=[TableIsRight(new_game=True)])
        anew = None if self.model.score is None else False
        if not words:
            asked = self._ask(
                localized(ANSWERS["table_is_right"][1]), Typed(engine=[TableIsRight(new_game=anew)])
            )
            new = [] if anew is None else self._new_games()
            return Typed([*new, *asked.lines], engine=[AskPosition()], lists=True)
        return self._right_by(words, anew)

    def _right_by(self, words: Sequence[str], anew: bool | None) -> Typed:
        """Ask to take the cards on the table as the true position, by a typed yes.

        `words`: number of the player whose turn begins, then letters of the sentences that are right. The
        letters belong to the sentences `unseen` and `judged` of the last `Position` answer. `anew`: the
        command's `TableIsRight.new_game`: True (a new game lies there), False (it does not), None (not asked).
        """
        found, marks = self.position, [word.casefold() for word in words[1:]]
        told = [] if found is None else list(zip(LETTERS, (*found.unseen, *found.judged), strict=False))
        if not self._is_player(words[0]) or not set(marks) <= {letter for letter, _ in told}:
            return Typed([localized(WORDS["right"][1])])
        marked = [one for letter, one in told if letter in marks]
        unseen, judged = (found.unseen, found.judged) if found is not None else ((), ())
        sends = TableIsRight(
            int(words[0]),
            tuple(int(one.id) for one in marked if one in unseen),
            tuple(int(one.id) for one in marked if one in judged),
            anew,
        )
        whose = [tr("{who} begins a turn.", who=self.model.names.name(sends.player))] if sends.player else []
        asked = self._ask(localized(ANSWERS["table_is_right"][1]), Typed(engine=[sends]))
        return Typed([*whose, *(self._put(one.text) for one in marked), *asked.lines])

    def _next(self, words: Sequence[str]) -> Typed:
        if self.model.score is None:
            return Typed([tr("The game is not over.")])
        if not words or not self._is_player(words[0]):
            return Typed(self._new_games(), lists=True)
        sends = TableIsRight(int(words[0]), new_game=True)
        says = next(says for player, says in self._begin_games() if player == sends.player)
        return self._ask(says, Typed(engine=[sends]))

    def _new_games(self) -> list[str]:
        word = localized(WORDS["next"][0])
        return [localized(NEW_GAME), *(f"{word} {player}: {says}" for player, says in self._begin_games())]

    def _begin_games(self) -> list[tuple[int, str]]:
        return new_games(self.model.players, self.model.names)[0]

    def _is_player(self, word: str) -> bool:
        """True if a typed word is the number of a player, or 0 for nobody."""
        return word.isdecimal() and int(word) <= self.model.players

    def _signals(self, *, lamps: bool) -> Typed:
        now = self.model.signals
        if now is None:
            return Typed([tr("No board is here.")])
        sends = SetSignals(now.lamps ^ lamps, now.beeper ^ (not lamps))
        return Typed(engine=[sends])

    def _language(self, words: Sequence[str]) -> Typed:
        if words and words[0].casefold() in LANGUAGES:
            return Typed(asks_screen=f"language {words[0].casefold()}")
        return Typed([f"{code}: {name}" for code, name in LANGUAGES.items()], lists=True)

    def _end(self) -> Typed:
        if self.model.table is None or not self.model.table.turn:
            return Typed([tr("The game has not begun.")])
        asked = self._ask(tr("Is the game over as it lies there?"), Typed(engine=[EndGame()]))
        when = self.model.welcome.score_when if self.model.welcome else ""
        return Typed([when, *asked.lines]) if when else asked

    def _party(self) -> Typed:
        table = self.model.table
        sends = Typed(engine=[NextParty(ends=True)], table=[Restart()] if self._world.attached else [])
        if table is None or table.over or not table.turn or self.model.question.id == NEXT_PARTY:
            return sends
        return self._ask(localized(PARTY), sends)

    def _new(self, words: Sequence[str]) -> Typed:
        sends = Typed(table=[Restart(int(words[0]) if words and words[0].isdecimal() else None)])
        return self._ask(localized(ENDS_GAME), sends) if self._world.attached and self._is_on else sends

    def _quit(self) -> Typed:
        """Leave; while a game is on that ends with this screen, ask for a typed yes first."""
        sends = Typed(leaves=True)
        if "engine" not in self.model.started or not self._is_on:
            return sends
        return self._ask(begun(kept_on_leaving(self.model, virtual=self._world.attached)), sends)

    @property
    def _is_on(self) -> bool:
        """True if a turn has begun in a game that is not over."""
        table = self.model.table
        return table is not None and table.turn > 0 and not table.over

    def _hint(self, words: Sequence[str]) -> Typed:
        given, hello = self.model.advice, self.model.welcome
        again = given is not None and not words
        level = stronger(given.level, hello.assist if hello else "") if given and again else FIRST
        hand = " ".join(words) or own_hand(self._world, self.model.table)
        return Typed(engine=[AskHint(level, hand)])

    def _tell(self, words: Sequence[str]) -> Typed:
        told = self.model.table.statements if self.model.table and not self.model.table.over else ()
        if not told:
            return Typed([tr("There is nothing to tell now.")])
        if not words or not words[0].isdecimal() or not 1 <= int(words[0]) <= len(told):
            hello = self.model.welcome
            title = [hello.tell_title] if hello and hello.tell_title else []
            lines = [*title, *(f"{number}: {self._put(one.text)}" for number, one in enumerate(told, 1))]
            return Typed(lines, lists=True)
        one = told[int(words[0]) - 1]
        return Typed([tr("Noted: {what}.", what=self._put(one.text))], [Tell(one.id)])

    def _names(self, words: Sequence[str]) -> Typed:
        if not words:
            return Typed([localized(WORDS["names"][1])], lists=True)
        names = tuple(name.strip() for name in " ".join(words).split(","))
        return Typed(engine=[NamePlayers(names)])

    def _speed(self, words: Sequence[str]) -> Typed:
        try:
            return Typed(table=[SetSpeed(float(words[0]))])
        except (IndexError, ValueError):
            return Typed([localized(WORDS["speed"][1])], lists=True)

    def _break(self, words: Sequence[str]) -> Typed:
        state = self._world.state
        parts = {localized(sensor_name(part)): part for part in state.parts} if state else {}
        if not parts:
            return Typed([tr("There is no virtual table here.")])
        named = " ".join(words).casefold()
        part = next((part for name, part in parts.items() if named in (name.casefold(), part)), "")
        if not part:
            return Typed([", ".join(parts)], lists=True)
        broken = state is not None and part in state.broken
        return Typed(table=[SetFault(part, not broken)])

    def _numbered(self, words: Sequence[str], sends: Callable[[int], Typed]) -> Typed:
        if words and self._is_player(words[0]):
            return sends(int(words[0]))
        if not self.model.players:
            return Typed([tr("There is no game yet.")])
        return Typed([tr("A number from 1 to {most} is wanted.", most=self.model.players)], lists=True)

    def _choose(self, number: int) -> Typed:
        turn = self._world.turn
        if turn is None or not turn.actions:
            return Typed([self._why_no_choices()])
        if not 1 <= number <= len(turn.actions):
            return Typed([tr("There is no choice of that number.")])
        sends = Typed(table=[Choose(number - 1)])
        return self._ask(self._put(turn.actions[number - 1]), sends) if number - 1 in turn.claims else sends

    def _why_no_choices(self) -> str:
        """Sentence on why a number typed now chooses no action in a seat."""
        turn = self._world.turn
        if not self._world.attached:
            return tr("A number chooses nothing here. Type {help}.", help=localized(WORDS["help"][0]))
        if not self._world.seat:
            return tr("You have no seat. Type {seat} and its number.", seat=localized(WORDS["seat"][0]))
        if turn is not None and turn.on_turn:
            return tr("One moment: the last choice is still being done.")
        return tr("It is not your turn yet.")
