"""Teams whose workers are other processes, on this machine or on a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from exactcover.backends.base import Search
from exactcover.backends.kinds import CuttingBackend
from exactcover.runs.cluster import DaskCluster, check_address
from exactcover.runs.executors import Executor
from exactcover.runs.jobs import Job, Outcome, Portion
from exactcover.runs.pooled import PooledSearch
from exactcover.runs.processes import process_pool
from exactcover.search.plan import Plan
from exactcover.search.planned import Alone, TallyingSearch
from exactcover.search.stages import engine_of
from exactcover.search.strategy import Strategy
from exactcover.values.arguments import check_whole


class _Apart(ABC):
    """A team that searches with an executor."""

    any_order = False

    least: float
    """Seconds that a worker should search at least: sending bundles takes time too."""

    @abstractmethod
    def recruit(self) -> Executor[Portion, Outcome]:
        """Make the executor."""

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""
        if not isinstance(engine_of(strategy, plan.subject.layout), CuttingBackend):
            return Alone().start(plan, strategy)
        return PooledSearch(Job.of(plan, strategy), self.recruit, least=self.least)

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""
        return PooledSearch(Job.of(plan, strategy, tally=True), self.recruit, least=self.least)

    def crew(self) -> None:
        """Nobody: a count by states is not sent to other processes."""
        return


@dataclass(frozen=True)
class Processes(_Apart):
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
    least = 0.1

    def __post_init__(self) -> None:
        check_whole("number", self.number, least=1, optional=False)

    def recruit(self) -> Executor[Portion, Outcome]:
        """Make the executor; its processes start with a job."""
        return process_pool(self.number)


@dataclass(frozen=True)
class Dask(_Apart):
    """The workers of a Dask cluster as a team, for `solve`, `count` and `Solving`.

        >>> import exactcover as ec
        >>> from exactcover.runs import Dask
        >>> ec.count(ec.read("pentominoes_10x6"), team=Dask("tcp://127.0.0.1:8786"))
        2339

    address  of the scheduler, as in tcp://HOST:8786; "local" starts a scheduler and workers on this
             machine. The connection is made once the calling thread has searched alone for a while
    number   how many workers "local" starts. Default: None, one for each processor

    It needs the extra `cluster`.
    """

    address: str
    number: int | None = None
    least = 0.25

    def __post_init__(self) -> None:
        check_address(self.address)
        check_whole("number", self.number, least=1)

    def recruit(self) -> Executor[Portion, Outcome]:
        """Connect to the cluster."""
        return DaskCluster(self.address, self.number)
