"""Give jobs to machines, as cheaply as possible.

    python examples/schedule.py

Each job is a primary item, each hour of each machine a secondary one. An option runs a job from a
start without a break; it costs something for each hour that the job ends too late.
"""

from collections.abc import Mapping
from typing import NamedTuple

import exactcover as ec


class Job(NamedTuple):
    """A job that takes some hours, starts at `release` or later, and should end by `due`.

    Each hour that it ends after `due` costs `weight`. `machines` names those that can do it; None:
    all of them.
    """

    hours: int
    release: int = 0
    due: int = 0
    weight: float = 1.0
    machines: frozenset[str] | None = None


def schedule(jobs: Mapping[str, Job], machines: Mapping[str, int]) -> ec.Problem:
    """The schedules of jobs on machines, each of which runs for a number of hours from 0.

    Options are named `(job, machine, start)`.
    """
    options, costs = {}, []
    for name, job in jobs.items():
        for machine, hours in machines.items():
            if job.machines is None or machine in job.machines:
                for start in range(job.release, hours - job.hours + 1):
                    end = start + job.hours
                    busy = [(machine, hour) for hour in range(start, end)]
                    options[name, machine, start] = [name, *busy]
                    costs.append(job.weight * max(end - job.due, 0))
    return ec.Problem.from_options(options, primary=list(jobs), costs=costs)


if __name__ == "__main__":
    jobs = {
        "cut": Job(hours=2, due=2, weight=3),
        "drill": Job(hours=3, due=4, weight=2, machines=frozenset({"north"})),
        "paint": Job(hours=2, release=1, due=3),
        "pack": Job(hours=1, release=2, due=3, weight=5),
    }
    cheapest = ec.best(schedule(jobs, {"north": 6, "south": 4}))
    print(f"cost {cheapest.value:g}, {cheapest.status}")
    for job, machine, start in cheapest.solution.names:
        print(f"{job}: {machine} from {start}")
