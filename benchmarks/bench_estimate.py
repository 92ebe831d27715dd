"""How often the intervals of `exactcover estimate` hold the truth.

    python benchmarks/bench_estimate.py [--trials 200] [--effort 4] [--walks] [PUZZLE ...]

Each trial estimates a puzzle whose tree and solutions are known from a complete search, with a seed
of its own. A line says how often the intervals of nodes and of solutions held the truth, how wide
they were, and the mean estimate. At 95 %, at least 190 of 200 should hold it. `--effort` shrinks
all limits by that power of two, and no search is made beside the probes, so that small puzzles are
estimated, too. `--walks` sets the time limit to 0 s, so only the first eight batches are made.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, median
from time import process_time

import exactcover as ec
from exactcover.base.values import Convention
from exactcover.search.estimating import EFFORT, cutting_strategy
from exactcover.search.sampler import Effort
from exactcover.search.subject import Solvable, Subject
from examples.langford import langford
from examples.queens import queens

SUBJECTS: dict[str, Callable[[], Solvable]] = {
    name: lambda name=name: ec.read(name)
    for name in (
        "pentominoes_10x6",
        "somacube",
        "hexiamonds_6x6",
        "tetrasticks_5x5_without_Y",
        "tetriscube",
    )
} | {"queens_12": lambda: queens(12), "langford_12": lambda: langford(12)}


@dataclass(frozen=True)
class Truth:
    """What a complete search did."""

    nodes: int
    solutions: int


def effort_of(power: int) -> Effort:
    """The effort of an estimate, divided by a power of two."""
    return Effort(EFFORT.known >> power, EFFORT.kept, max(EFFORT.probe >> power, 1 << 6))


def truth_of(subject: Solvable, counted: Convention | None) -> Truth:
    """The nodes and the solutions, by a complete search."""
    strategy = cutting_strategy(Subject.of(subject, counted), None)
    result = ec.Solving(subject, strategy=strategy, counted=counted).run()
    return Truth(result.fits, result.solutions)


def trials(
    subject: Solvable,
    many: int,
    effort: Effort,
    *,
    counted: Convention | None = None,
    precision: float = 0.25,
    time_limit: float = 60.0,
    first: int = 1,
) -> list[ec.Estimate]:
    """Independent estimates."""
    return [
        ec.Estimating(
            subject,
            counted=counted,
            precision=precision,
            time_limit=time_limit,
            seed=seed,
            effort=effort,
            searched=0,
        ).run()
        for seed in range(first, first + many)
    ]


def held(estimates: list[ec.Estimate], truth: Truth) -> tuple[int, int]:
    """How many intervals hold the nodes, and how many the solutions."""
    return (
        sum(truth.nodes in one.nodes for one in estimates),
        sum(truth.solutions in one.solutions for one in estimates),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("puzzles", nargs="*", default=list(SUBJECTS), metavar="PUZZLE")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--effort", type=int, default=4)
    parser.add_argument("--precision", type=float, default=0.3)
    parser.add_argument("--walks", action="store_true")
    parser.add_argument("--counted")
    asked = parser.parse_args()
    effort = effort_of(asked.effort)
    print("puzzle, trials: nodes held, half width, mean / truth; solutions likewise; CPU s a trial")
    for name in asked.puzzles:
        subject = SUBJECTS[name]() if name in SUBJECTS else ec.read(name)
        truth = truth_of(subject, asked.counted)
        began = process_time()
        made = trials(
            subject,
            asked.trials,
            effort,
            counted=asked.counted,
            precision=asked.precision,
            time_limit=0.0 if asked.walks else 60.0,
        )
        seconds = (process_time() - began) / asked.trials
        nodes, solutions = held(made, truth)
        node_width = median(one.nodes.error for one in made)
        solution_width = median(one.solutions.error for one in made)
        node_mean = mean(one.nodes.value for one in made) / truth.nodes
        solution_mean = mean(one.solutions.value for one in made) / max(truth.solutions, 1)
        exact = sum(one.status == "exact" for one in made)
        print(
            f"{name}, {asked.trials}: {nodes} held, {node_width:.1%}, {node_mean:.3f}; "
            f"{solutions} held, {solution_width:.1%}, {solution_mean:.3f}; {seconds:.2f} s"
            f"; batches {median(one.batches for one in made):g}"
            + (f"; {exact} exact" if exact else ""),
            flush=True,
        )


if __name__ == "__main__":
    main()
