"""Jobs on machines: when each begins and where, and what it costs to be late.

Every job is a primary item, every hour of every machine a secondary one. An option runs a job from
a start without a break, and costs what the model says; the cheapest solution is the best schedule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exactcover.errors import ProblemError
from exactcover.problem import Problem


@dataclass(frozen=True)
class Job:
    """A job that takes some hours, starts at `release` or later, and should end by `due`.

    Every hour that it ends after `due` costs `weight`. `machines` names those that can do it; None:
    all of them.
    """

    hours: int
    release: int = 0
    due: int = 0
    weight: float = 1.0
    machines: frozenset[str] | None = None


def schedule(jobs: Mapping[str, Job], machines: Mapping[str, int]) -> Problem:
    """The schedules of jobs on machines, each of which runs for a number of hours from 0.

    Options are named `(job, machine, start)`.
    """
    options: dict[tuple[str, str, int], list[tuple[str, int] | str]] = {}
    costs: list[float] = []
    for name, job in jobs.items():
        if name in machines:
            raise ProblemError(f"{name!r} names both a job and a machine")
        if job.hours < 1:
            raise ProblemError(f"job {name!r} takes {job.hours} hours: at least 1 is needed")
        for machine, open_ in machines.items():
            if job.machines is not None and machine not in job.machines:
                continue
            for start in range(job.release, open_ - job.hours + 1):
                end = start + job.hours
                options[name, machine, start] = [
                    name,
                    *((machine, hour) for hour in range(start, end)),
                ]
                costs.append(job.weight * max(end - job.due, 0))
    return Problem.from_options(options, primary=list(jobs), costs=costs)
