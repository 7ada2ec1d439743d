"""Work in processes of their own, one each: a process that is killed loses its own result and no other."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def isolated(
    work: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[tuple[Task, Result | None]]:
    """Each task with its result as soon as it is there, `jobs` at one time; None if its process ended without.

    `work`, tasks and results have to be picklable.
    """
    with ThreadPoolExecutor(jobs) as threads:
        begun = {threads.submit(_in_process, work, task): task for task in tasks}
        try:
            for done in as_completed(begun):
                yield begun[done], done.result()
        finally:
            for one in begun:
                one.cancel()


def _in_process(work: Callable[[Task], Result], task: Task) -> Result | None:
    spawn = get_context("spawn")
    here, there = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_send, args=(there, work, task))
    process.start()
    # Now the child alone holds this end, so that its death is the end of the pipe.
    there.close()
    try:
        result: Result | None = here.recv()
    except EOFError:
        result = None
    process.join()
    return result


def _send(there: Connection, work: Callable[[Task], Result], task: Task) -> None:
    there.send(work(task))
