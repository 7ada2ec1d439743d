"""Walk through the setup steps: the chosen step, the running one, the next. Screens show it."""

import threading
from collections.abc import Callable, Sequence

from calibration.wizard.screens.step_pages import PAGES
from calibration.wizard.setup_bench import Operator, StepLeftError
from calibration.wizard.setup_requests import Request
from calibration.wizard.setup_run import CAMERA, KEEPS_PROGRESS, LENS, STEP_NAMES, SetupRun
from calibration.wizard.step_result import StepResult, Verdict
from companion.core.errors import CompanionError
from companion.core.language import term, text

GO_ON = term("request", "BACK TO THE GAME")
KEY_S = 0.02
"""Longest wait (s) for an answer between two looks at the sensors. A guess."""
END_S = 10.0
"""Longest wait (s) for a running step when a screen is left. A guess."""


class ScreenPerson:
    """Person before a screen: requests are shown, answers come back.

    `table` carries out requests on a virtual rig.
    """

    def __init__(self, table: Operator | None = None) -> None:
        self.request: Request | None = None
        """The request that waits for an answer.
        None if none does."""
        self._table = table
        self._answer: bool | None = None
        self._typed = ""
        self._key = threading.Event()

    def ask(self, request: Request) -> None:
        """Show a request. It needs an answer if no sensor can tell that it was done."""
        self._answer = None
        self._key.clear()
        if request.confirmed:
            self.request = request
        else:
            self._do(request)

    def answered(self) -> bool | None:
        """Answer to the request, None while there is none.

        Waits up to KEY_S.
        """
        if self._answer is None:
            self._key.wait(KEY_S)
        return self._answer

    def typed(self) -> str:
        """Text typed for the last request that wanted one."""
        return self._typed

    def confirm(self, *, more: bool, text: str = "") -> None:
        """Answer the request: done (with `text` if typed), or without `more` the request's `no`."""
        request, self.request = self.request, None
        self._typed = text
        if request is not None and more:
            self._do(request)
        elif request is not None:
            self._answer = False
        self._key.set()

    def _do(self, request: Request) -> None:
        if self._table is None or request.typed:
            self._answer = True
            return
        self._table.ask(request)
        self._answer = self._table.answered()


class SetupWalk:
    """Setup steps of one rig, one at a time, each in its own thread.

    `person` answers the bench's requests. `mends` is a step done in a break of a game. `guided` steps follow
    each other by themselves, and `done` is True once all have ended.

    `tell` makes the screen's own thread call a function. `moved` is called there after each step, with True if
    no step follows.
    """

    def __init__(
        self,
        run: SetupRun,
        person: ScreenPerson,
        tell: Callable[[Callable[[], None]], None],
        moved: Callable[[bool], None],
        *,
        mends: str = "",
        guided: Sequence[str] = (),
    ) -> None:
        self.run, self.person, self.mends = run, person, mends
        self.guided = bool(guided)
        self.steps = tuple(guided) or STEP_NAMES
        self.done = False
        self.chosen = mends or self.steps[0]
        self.running = ""
        """Name of the running step; empty while none runs."""
        self.said = ""
        """Why the last step broke off.
        Empty if it did not."""
        self._tell, self._moved = tell, moved
        self._thread: threading.Thread | None = None
        self._skipped = False
        """True once somebody skips the running step: the next one follows."""

    @property
    def mended(self) -> bool:
        """True if the step of a game's break ended well."""
        result = self.run.results.get(self.mends)
        done = result is not None and result.verdict in (Verdict.GOOD, Verdict.USABLE)
        return done and not self.running and self.chosen == self.mends

    def go_on(self, typed: str = "") -> None:
        """Begin the chosen step, or confirm the request (`typed`: the text it wanted)."""
        request = self.person.request
        if request is not None:
            self.person.confirm(more=True, text=typed if request.typed else "")
        elif not self.running:
            self._begin()

    def say_no(self) -> None:
        """Give the request's other answer."""
        self.person.confirm(more=False)

    def skip(self) -> None:
        """Leave out the chosen step, even while it runs, and choose the next."""
        if self.running:
            self._skipped = True
            self.run.bench.cancel()
        else:
            self._skip(self.chosen)

    def leave(self) -> None:
        """Leave the running step.

        Its findings are dropped, except for steps that keep progress.
        """
        if self.running:
            self.run.bench.cancel()

    def end(self) -> None:
        """Cancel the running step and wait for its thread.

        A thread that computes while Python ends would crash the program.
        """
        self.run.bench.cancel()
        if self._thread is not None:
            self._thread.join(END_S)

    def spare(self, name: str) -> bool:
        """True if a step is not needed, or impossible."""
        return name not in self.run.results and bool(self.run.not_needed(name) or self.run.impossible(name))

    def result(self) -> StepResult | None:
        """Result of the chosen step, or of the nearest done step above it; None while a step runs."""
        if self.running and not self.guided:
            return None
        above = reversed(self.steps[: self.steps.index(self.chosen) + 1])
        return next((self.run.results[one] for one in above if one in self.run.results), None)

    def headline(self) -> tuple[str, tuple[str, ...]]:
        """Words for what to do now, in two or three words and in sentences.

        The first is "" for none, and some sentences are empty.
        """
        live, page = self.run.bench.live, PAGES[self.running or self.chosen]
        if self.person.request is not None:
            return live.headline, (live.asked, live.said)
        if self.running:
            return live.headline or page.big, (live.asked, live.said)
        if self.said:
            return "", (self.said,)
        why = self.run.not_needed(self.chosen)
        spare = text("Not needed: {why}.", why=why) if why else ""
        return page.big, (page.text, spare, text("Ready: {what}", what=page.ready))

    def _begin(self) -> None:
        self.running = self.chosen
        self.said, self._skipped = "", False
        self._thread = threading.Thread(target=self._work, args=(self.running,), daemon=True)
        self._thread.start()

    def _work(self, name: str) -> None:
        said = ""
        try:
            self.run.step(name)
        except StepLeftError:
            kept = name in KEEPS_PROGRESS
            said = (
                text("The step was left: what was found out so far is kept.")
                if kept
                else text("The step was left: nothing of it was kept.")
            )
        except CompanionError as error:
            said = error.told
        except Exception as error:  # any fault: the person can repeat the step, or leave
            said = text("The step broke off by a fault of this program: {why}", why=repr(error))
        self._tell(lambda: self._ended(name, said))

    def _ended(self, name: str, said: str) -> None:
        self.running, self.said = "", said
        self.person.request = None
        if self._skipped:
            self.said = ""
            self._skip(name)
        elif not self.said and not self._repeats(name):
            self._next(name)

    def _repeats(self, name: str) -> bool:
        """True if a guided step ended badly, so somebody repeats or skips it."""
        result = self.run.results.get(name)
        return self.guided and result is not None and result.verdict is Verdict.NOT_GOOD

    def _skip(self, name: str) -> None:
        self.run.skip(name)
        self._next(name)

    def _next(self, name: str) -> None:
        """Choose the next useful step.

        After the last one the result is due.
        """
        rest = [one for one in self.steps[self.steps.index(name) + 1 :] if not self._useless(one)]
        if name == LENS and self.run.looks_again:
            rest = [CAMERA]
        if rest and not self.mends:
            self.chosen = rest[0]
        self.done = self.guided and not rest
        self._moved(not rest and not self.mends)
        if rest and self.guided:
            self._begin()

    def _useless(self, name: str) -> bool:
        return bool(self.run.not_needed(name) or self.run.impossible(name))
