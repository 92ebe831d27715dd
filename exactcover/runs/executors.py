"""Who does tasks: one pool, of threads, processes or a cluster.

A search, a run with a ledger and a batch of puzzles submit tasks under keys of their own, and take
the answers as they come. A pool does not know the tasks: a `Work` says how a worker does them.
`processes` and `cluster` have the pools whose workers are elsewhere.
"""

from __future__ import annotations

import pickle
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any, Generic, TypeVar

from exactcover.backends.heuristics.base import divided, user_heuristic
from exactcover.base.text.files import MIB, text_of
from exactcover.errors import ExactCoverError
from exactcover.problem.filters import get_filter_kind
from exactcover.search.strategy import Strategy

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")

WAIT = 0.04
"""Seconds to wait for answers, before looking whether the work is to stop."""

Doing = Callable[[TaskT], Iterator[AnswerT | None]]
"""Does a task: None after each slice of about a fiftieth of a second, and the answer last."""


class Work(ABC, Generic[TaskT, AnswerT]):
    """How to do the tasks of one kind. It pickles, for workers elsewhere.

    strategy  the one that they search by, whose plug-ins they need. Default: None, there is none
    tries     how many workers a task may end before it is lost
    """

    strategy: Strategy | str | None = None
    tries = 1

    @abstractmethod
    def begin(self) -> Doing[TaskT, AnswerT]:
        """Prepare for tasks, once in each worker; return what does them."""

    def lost(self, task: TaskT, reason: str) -> AnswerT:
        """The answer to a task that no worker can do; raises if there is none."""
        raise ExactCoverError(reason)


class Pool(Generic[TaskT, AnswerT]):
    """Workers that do the tasks of one work, until its owner closes it.

    They are threads that each take the next task when they have done one. They hold the pool, and
    do not keep the program from ending.

    beginning  for each thread the means to prepare for the work, and to do its tasks then
    ending     ends what they do; it is called at any time

    number  how many there are now, to decide how much to submit
    ready   whether one has prepared for the work
    closed  whether its owner has closed it
    """

    def __init__(
        self,
        beginning: Sequence[Callable[[], Doing[TaskT, AnswerT]]],
        ending: Callable[[], object] = lambda: None,
    ) -> None:
        self.number, self.ready, self.closed = len(beginning), False, False
        self._ending = ending
        self._tasks = SimpleQueue[tuple[Any, TaskT] | None]()
        self._answers = SimpleQueue[tuple[Any, AnswerT] | BaseException]()
        try:
            for number, begin in enumerate(beginning, 1):
                name = f"worker {number}"
                Thread(target=self._serve, args=(begin,), name=name, daemon=True).start()
        except BaseException:  # the system has no more threads
            self.close()
            raise

    def submit(self, key: Any, task: TaskT) -> None:
        """Let a worker do a task. Each has another key; any thread may call it."""
        self._tasks.put((key, task))

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """The answers that have come in, each once, with the keys of their tasks.

        If there is none yet, wait at most that many seconds for the first. An error of a worker is
        raised here.
        """
        done: list[tuple[Any, AnswerT]] = []
        with suppress(Empty):
            while True:
                answer = self._answers.get(not done and wait > 0, wait)
                if isinstance(answer, BaseException):
                    raise answer
                done.append(answer)
        return done

    def close(self) -> None:
        """End the workers: processes at once, threads after the slice that they are in."""
        self.closed = True
        for _ in range(self.number):
            self._tasks.put(None)
        self._ending()

    def _serve(self, begin: Callable[[], Doing[TaskT, AnswerT]]) -> None:
        try:
            do = begin()
            self.ready = True
            while (following := self._tasks.get()) is not None:
                key, task = following
                for answer in do(task):
                    if self.closed:
                        return
                    if answer is not None:
                        self._answers.put((key, answer))
        except BaseException as error:  # the thread that waits for the answers raises it
            self._answers.put(error)


def thread_pool(work: Work[TaskT, AnswerT], number: int) -> Pool[TaskT, AnswerT]:
    """A pool of threads: compiled engines release the interpreter lock."""
    return Pool([work.begin] * number)


# -- workers elsewhere ----------------------------------------------------------------------------


FILE = "exactcover_plugin_"
"""How the names of modules begin that `load_plugin` makes of files."""


def packed(work: Work[Any, Any]) -> bytes:
    """A work for another process, behind the modules that define the heuristics and filters of its
    strategy.

    The source of a plug-in file travels with the work, since another machine need not have it.
    Heuristics of a script itself exist in processes that import the script again, as spawned ones
    do, and nowhere else.
    """
    homes = [] if work.strategy is None else sorted(_homes(Strategy.of(work.strategy)))
    sources = dict.fromkeys(homes, "")
    for home in homes:
        if home.startswith(FILE):
            sources[home] = text_of(Path(sys.modules[home].__file__ or ""), MIB)
    return pickle.dumps((sources, pickle.dumps(work, pickle.HIGHEST_PROTOCOL)))


def _homes(strategy: Strategy) -> set[str]:
    """The modules that define what is not built in."""
    rated = {divided(stage.heuristic)[0] for stage in strategy.stages}
    made: list[Any] = [one.rate for name in rated if (one := user_heuristic(name)) is not None]
    made += [get_filter_kind(one.name).apply for one in strategy.filters]
    homes = {function.__module__ for function in made if function is not None}
    return {home for home in homes - {"__main__"} if home.split(".")[0] != "exactcover"}


def unpacked(raw: bytes) -> Doing[Any, Any]:
    """Load the modules that a work needs, and begin it."""
    sources, inner = pickle.loads(raw)
    for name, source in sources.items():
        if source:
            module = sys.modules[name] = ModuleType(name)
            exec(compile(source, f"{name}.py", "exec"), vars(module))
            continue
        try:
            import_module(name)
        except ImportError as error:
            raise ExactCoverError(
                f"the module {name}, which defines a heuristic or a filter of the strategy, cannot "
                f"be imported: {error}"
            ) from None
    begun: Doing[Any, Any] = pickle.loads(inner).begin()
    return begun


def portable(error: Exception) -> Exception:
    """The error of a worker in a form that another process can raise; one that is no user's mistake
    has its traceback as a note."""
    if isinstance(error, ExactCoverError):
        return error
    kind = MemoryError if isinstance(error, MemoryError) else RuntimeError
    carried = kind(f"{type(error).__name__}: {error}")
    carried.add_note("in a worker:\n" + "".join(traceback.format_exception(error)).rstrip())
    return carried
