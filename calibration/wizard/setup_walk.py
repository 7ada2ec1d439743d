"""Walk through the setup steps for any screen: the chosen step, the running step, the next step."""

import threading
from collections.abc import Callable, Sequence

from calibration.wizard.screens.step_pages import PAGES
from calibration.wizard.setup_bench import Operator, StepLeftError
from calibration.wizard.setup_requests import Request
from calibration.wizard.setup_run import CAMERA, KEEPS_PROGRESS, LENS, STEP_NAMES, SetupRun
from calibration.wizard.step_result import StepResult, Verdict
from companion.core.errors import CompanionError, as_told, is_own_module
from companion.core.language import term, text

GO_ON = term("request", "BACK TO THE GAME")
KEY_S = 0.02
"""Longest wait (s) for an answer before the sensors are read again. A guess."""
END_S = 10.0
"""Longest wait (s) for the thread of a running step when the screen is left. A guess."""


class ScreenPerson:
    """Person before a screen: requests go to the screen, answers come back from it.

    `request`: the request that waits for an answer, None without one. `table`, if given, carries out confirmed
    requests on a virtual rig.
    """

    def __init__(self, table: Operator | None = None) -> None:
        self.request: Request | None = None
        """The request that waits for an answer.
        None if none does."""
        self._table = table
        self._answer: bool | None = None
        self._agreed: Request | None = None
        """The request that was confirmed, and which the virtual table does next."""
        self._typed = ""
        self._key = threading.Event()

    def ask(self, request: Request) -> None:
        """Show a request of setup on the screen.

        It waits for an answer if no sensor can tell that it was done.
        """
        self._answer = self._agreed = None
        self._key.clear()
        if request.confirmed:
            self.request = request
        else:
            self._do(request)

    def answered(self) -> bool | None:
        """Last request's answer: True for done, None while open.

        False for the other answer. Waits for it up to 0.02 s. A confirmed request is carried out on the
        virtual table in the caller's thread. SourceError if that table is gone.
        """
        if self._answer is None:
            self._key.wait(KEY_S)
        agreed, self._agreed = self._agreed, None
        if agreed is not None:
            self._do(agreed)
        return self._answer

    def typed(self) -> str:
        """Text typed for the last request that wanted text."""
        return self._typed

    def confirm(self, *, more: bool, text: str = "") -> None:
        """Answer the open request for the person: done if `more`, else `n`.

        `text`: what was typed.
        """
        request, self.request = self.request, None
        self._typed = text
        if request is not None and more:
            self._agreed = request
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
    """Setup steps of one rig, done one at a time, each in a thread of its own.

    `person` answers the requests. `mends` is the only step to do, in a break of a game; "" for all steps.
    `guided` steps follow each other by themselves, and `done` is True once all have ended.

    `tell` makes the screen's thread call a function. After each step it calls `moved`, with True if no step
    follows.
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
        self.thread: threading.Thread | None = None
        self._skipped = False
        """True once somebody skips the running step: the next one follows."""

    @property
    def mended(self) -> bool:
        """True if the step of a game's break has ended well, and is still chosen."""
        result = self.run.results.get(self.mends)
        done = result is not None and result.verdict in (Verdict.GOOD, Verdict.USABLE)
        return done and not self.running and self.chosen == self.mends

    def go_on(self, typed: str = "") -> None:
        """Confirm the open request, or else begin the chosen step.

        `typed`: the text that the request wanted.
        """
        request = self.person.request
        if request is not None:
            self.person.confirm(more=True, text=typed if request.typed else "")
        elif not self.running:
            self._begin()

    def say_no(self) -> None:
        """Give the open request its other answer (`n`)."""
        self.person.confirm(more=False)

    def skip(self) -> None:
        """Skip the chosen step, even if it runs, and choose the next one."""
        if self.running:
            self._skipped = True
            self.run.bench.cancel()
        else:
            self._skip(self.chosen)

    def leave(self) -> None:
        """Leave the running step.

        Its findings are dropped, unless it keeps its progress.
        """
        if self.running:
            self.run.bench.cancel()

    def end(self) -> None:
        """Cancel the running step and wait for its thread.

        A thread that computes while Python ends would crash the program.
        """
        self.run.bench.cancel()
        if self.thread is not None:
            self.thread.join(END_S)

    def spare(self, name: str) -> bool:
        """True if a step not done yet can be left out: it is not needed, or impossible."""
        return name not in self.run.results and bool(self.run.not_needed(name) or self.run.impossible(name))

    def result(self) -> StepResult | None:
        """Result to show: of the chosen step, or the nearest before it.

        None while a step runs, unless steps are guided, or if no such step has a result. What a running step
        found the last time is not shown, nor a lost part that answers again.
        """
        if self.running and not self.guided:
            return None
        results = self.run.results
        above = reversed(self.steps[: self.steps.index(self.chosen) + 1])
        told = (results[one] for one in above if one in results and one != self.running)
        return next((one for one in told if not self.run.answers_again(one)), None)

    def headline(self) -> tuple[str, tuple[str, ...]]:
        """Words on what to do now: (a few words, sentences).

        Any of them may be "".
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
        self.thread = threading.Thread(target=self._work, args=(self.running,), daemon=True)
        self.thread.start()

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
            said = as_told(error).told if is_own_module(error) else said
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
        """True if the person must repeat or skip a guided step, as it was rated not good."""
        result = self.run.results.get(name)
        return self.guided and result is not None and result.verdict is Verdict.NOT_GOOD

    def _skip(self, name: str) -> None:
        self.run.skip(name)
        self._next(name)

    def _next(self, name: str) -> None:
        """Choose the next possible and needed step after `name`.

        If none follows, a guided walk is done.
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
