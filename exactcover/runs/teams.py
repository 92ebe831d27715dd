"""Teams: who searches, for `solve`, `count`, `Solving` and `Counting`.

A short search is not worth splitting, so in each team the calling thread begins alone. Counts,
fits and no-fits are those of one thread, whatever the team. Two exceptions: with a filter at every
step, `fila` makes its lists for each subtree; and an item with multiplicities may be branched on
otherwise in a subtree. There fits and no-fits depend on where the tree is split.

Modules of processes and clusters are imported where they are needed: a thread needs none of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from exactcover.backends.base import Search
from exactcover.base.machine import processors
from exactcover.base.plugins import extra
from exactcover.base.values.arguments import check_kind, check_whole
from exactcover.errors import ExactCoverError
from exactcover.runs.executors import thread_pool
from exactcover.runs.frontier import SearchExecutor, SharingTeam
from exactcover.runs.workers import SearchJob
from exactcover.search.begun import alone
from exactcover.search.judge import Judge
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy

ItemT = TypeVar("ItemT")
DoneT = TypeVar("DoneT")

ADDRESS = re.compile(r"(tcp|tls)://.+:[0-9]+")


@dataclass(frozen=True)
class Threads(SharingTeam):
    """A team of threads, for `solve`, `count` and `Solving`.

        >>> import exactcover as ec
        >>> from exactcover.runs import Threads
        >>> ec.count(ec.read("pentominoes_10x6"), team=Threads(2))
        2339

    number  how many search side by side; a search that cannot be split is searched by one.
            Default: None, one for each free processor
    pays    they join only if the search still seems to take this many seconds. Default: 0

    Solutions come in the order of one thread; those found too early wait. With `dlx`, or filters at
    every step, the order depends on where the tree is split: one thread lists then, all count.
    """

    number: int | None = None
    pays: float = 0.0
    alone, least = 0.05, 0.1  # threads start at once, so they join early
    grain, strict = 0.001, True

    def __post_init__(self) -> None:
        check_whole("number", self.number, least=1)
        check_kind("pays", self.pays, (int, float), "a number of seconds")

    @property
    def most(self) -> int:
        """How many threads search once all have joined."""
        return self.number or processors()

    def executor(self, job: SearchJob) -> SearchExecutor:
        """Its threads."""
        return thread_pool(job, self.most)

    def counting_threads(self) -> CountingThreads | None:
        """Its threads, for an engine that shares the work of a count."""
        return None if self.most == 1 else CountingThreads(self.most)

    def start(self, plan: Plan, strategy: Strategy, judge: Judge, *, tally: bool = False) -> Search:
        """The search of a plan; with `tally` it raises `CapabilityError` if an engine has none."""
        start = alone if self.most == 1 else super().start
        return start(plan, strategy, judge, tally=tally)


@dataclass(frozen=True)
class Processes(SharingTeam):
    """A team of processes on this machine, for `solve`, `count` and `Solving`.

        >>> import exactcover as ec
        >>> from exactcover.runs import Processes
        >>> ec.count(ec.read("pentominoes_10x6"), team=Processes(2))
        2339

    number  how many search side by side, once the calling thread has searched alone for a while. A
            search that cannot be split is searched by the calling thread

    A script that uses it must do so under `if __name__ == "__main__":`, since each process imports
    the script.
    """

    number: int
    alone, least = 1.5, 0.1

    def __post_init__(self) -> None:
        check_whole("number", self.number, least=1, optional=False)

    def executor(self, job: SearchJob) -> SearchExecutor:
        """Its processes."""
        from exactcover.runs.processes import process_pool

        return process_pool(job, self.number)


@dataclass(frozen=True)
class Dask(SharingTeam):
    """The workers of a Dask cluster as a team, for `solve`, `count` and `Solving`.

        >>> import exactcover as ec
        >>> from exactcover.runs import Dask
        >>> ec.count(ec.read("pentominoes_10x6"), team=Dask("tcp://127.0.0.1:8786"))
        2339

    address  of the scheduler, as in tcp://HOST:8786. The connection is made once the calling thread
             has searched alone for a while

    It needs the extra `cluster`.
    """

    address: str
    alone, least = 1.5, 0.25

    def __post_init__(self) -> None:
        check_kind("address", self.address, str, 'an address such as "tcp://HOST:8786"')
        if not ADDRESS.fullmatch(self.address):
            raise ExactCoverError(
                f"{self.address!r} is no address of a Dask scheduler: it is written tcp://HOST:PORT"
            )

    def executor(self, job: SearchJob) -> SearchExecutor:
        """A connection to its workers."""
        extra("distributed", "cluster", "a cluster needs")
        from exactcover.runs.cluster import DaskCluster

        return DaskCluster(job, self.address)


class CountingThreads:
    """Threads that do the parts of one piece of work side by side, see `backends.Abreast`; they end
    when this is dropped."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._pool = ThreadPoolExecutor(number, "count")

    def map(self, do: Callable[[ItemT], DoneT], items: Iterable[ItemT], /) -> list[DoneT]:
        """The results of `do` for each item, in their order.

        It returns when all calls have ended, and raises an error of a call.
        """
        calls = [self._pool.submit(do, item) for item in items]
        try:
            return [call.result() for call in calls]
        finally:
            wait(calls)  # after an error or Ctrl-C too: nothing works on while the caller goes on
