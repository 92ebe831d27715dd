"""Workers for tests: one does a nodes at once, several do slices in a random order."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any, TypeVar

import exactcover as ec
from exactcover.runs.executors import WAIT, AnswerT, Doing, Pool, TaskT, Work
from exactcover.runs.frontier import SearchExecutor, SharingTeam
from exactcover.runs.workers import Nodes, SearchJob, SearchOutcome, SearchTask
from exactcover.search.plan import make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

MOST_WORKERS = 3

ValueT = TypeVar("ValueT")


class InProcess(Pool[TaskT, AnswerT]):
    """The calling thread does one task after the other, while it waits for answers: a pool
    whose order is certain."""

    def __init__(self, work: Work[TaskT, AnswerT]) -> None:
        self.number, self.ready = 1, True
        self._do = work.begin()
        self._waiting: deque[tuple[Any, TaskT]] = deque()
        self._doing: tuple[Any, Iterator[AnswerT | None]] | None = None

    def submit(self, key: Any, task: TaskT) -> None:
        """Note a task."""
        self._waiting.append((key, task))

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """Go on with the first task for at most this time; its answer, once it is done."""
        until = monotonic() + wait
        while self._doing is not None or self._waiting:
            if self._doing is None:
                number, task = self._waiting.popleft()
                self._doing = number, self._do(task)
            number, slices = self._doing
            if (answer := next(slices)) is not None:
                self._doing = None
                return [(number, answer)]
            if monotonic() >= until:
                break
        return []

    def close(self) -> None:
        """Forget what is not done."""
        self._waiting.clear()
        self._doing = None


class Shuffled(Pool[TaskT, AnswerT]):
    """A pool in this process, without threads: whatever it does follows from what is drawn.

    Workers come and go, become ready late, hold answers back, and answer in any order. Works,
    tasks and answers travel as bytes.

    answered  called each time when answers are asked for

    open  the tasks that are submitted and not answered, by their numbers
    """

    def __init__(
        self,
        work: Work[TaskT, AnswerT],
        drawn: Random,
        answered: Callable[[], object] = lambda: None,
    ) -> None:
        self._drawn, self._when_asked = drawn, answered
        self._waiting: deque[tuple[Any, TaskT]] = deque()
        self._workers: list[
            tuple[Doing[TaskT, AnswerT], list[tuple[Any, Iterator[AnswerT | None]]]]
        ] = [(travelled(work).begin(), []) for _ in range(MOST_WORKERS)]
        self._done: list[tuple[Any, AnswerT]] = []
        self._keys: set[Any] = set()
        self.open: dict[Any, TaskT] = {}
        self.ready = self.closed = False

    @property
    def number(self) -> int:  # type: ignore[override]
        """Of workers, which changes at any time."""
        return self._drawn.randint(1, MOST_WORKERS)

    def submit(self, key: Any, task: TaskT) -> None:
        """Add a task; its key is a new one."""
        assert not self.closed
        assert key not in self._keys
        self._keys.add(key)
        self.open[key] = task
        self._waiting.append((key, task))

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """Let some workers go on for some slices; hand out some of the answers."""
        self.ready |= self._drawn.random() < 0.5
        for _ in range(self._drawn.randint(0, 8) if self.ready else 0):
            self._go_on(*self._drawn.choice(self._workers))
        self._drawn.shuffle(self._done)
        held = self._drawn.choice((0, 0, 0, 1, 2))
        given, self._done = self._done[held:], self._done[:held]
        for number, _ in given:
            del self.open[number]
        self._when_asked()
        return given

    def _go_on(
        self, doing: Doing[TaskT, AnswerT], at_work: list[tuple[Any, Iterator[AnswerT | None]]]
    ) -> None:
        """A slice of the task that a worker has; an idle one takes the next task."""
        if not at_work:
            if self._waiting:
                number, task = self._waiting.popleft()
                at_work.append((number, doing(travelled(task))))
            return
        number, slices = at_work[0]
        if (answer := next(slices)) is not None:
            at_work.clear()
            self._done.append((number, travelled(answer)))

    def close(self) -> None:
        """Take no more tasks."""
        self.closed = True


def job_of(name: str, strategy: str, counted: str = "rotations") -> SearchJob:
    """The search of a shipped puzzle as a job for workers."""
    parsed = Strategy.parse(strategy)
    return SearchJob(make_plan(Subject.of(ec.read(name), counted), parsed), parsed)


def travelled(value: ValueT) -> ValueT:
    """A copy of the value that travelled as bytes."""
    return pickle.loads(pickle.dumps(value))  # type: ignore[no-any-return]


def done(job: SearchJob, nodes: Nodes, patience: float) -> SearchOutcome:
    """The outcome of a nodes that is searched at once."""
    [outcome] = filter(None, job.begin()(SearchTask(nodes, patience)))
    return outcome


@dataclass
class AtOnce(SharingTeam):
    """A team that shares a search after its first slice."""

    recruit: Callable[[SearchJob], SearchExecutor] = InProcess
    least: float = 0.0
    alone = -1.0

    def executor(self, job: SearchJob) -> SearchExecutor:
        """Its workers."""
        return self.recruit(job)
