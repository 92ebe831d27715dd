"""One solver on one exact cover, in a process of its own; `bench_peers.py` starts these.

    python benchmarks/one_solver.py SOLVER PROBLEM.npz [--first] [--puzzle FILE]

prints what the solver found and what that took, as a line of JSON. Nothing is imported but numpy
and what the solver needs, so that whole processes can be compared. `whole` are the processor
seconds of the process until the answer. A quick solver runs again, and `solving` is the shortest
time from the options to the number: then no import is in it. A solver NAME=PATH is a program,
which reads Knuth's text, or a file of polycube if it is called so.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from time import process_time
from typing import Any

import numpy as np

AGAIN, MOST = 1.0, 7
"""A quick solver runs again until this second is over, at most so often."""

TWICE = 10.0
"""A solver whose first answer takes less runs twice at least: it may have compiled."""


@dataclass(frozen=True)
class Cover:
    """An exact cover: the options, the number of items, and how many of these must be covered."""

    rows: list[list[int]]
    items: int
    primary: int

    @classmethod
    def read(cls, file: str) -> Cover:
        stored = np.load(file)
        rows = np.split(stored["entries"], stored["starts"][1:-1])
        return cls([row.tolist() for row in rows], int(stored["items"]), int(stored["primary"]))

    @property
    def closed(self) -> list[list[int]]:
        """The options, and one for each item that may stay uncovered."""
        return self.rows + [[item] for item in range(self.primary, self.items)]

    def matrix(self, kind: type) -> Any:
        """The options as rows of a matrix."""
        rows = self.closed
        matrix: Any = np.zeros((len(rows), self.items), kind)
        for number, row in enumerate(rows):
            matrix[number, row] = 1
        return matrix

    def text(self) -> str:
        """The problem as Knuth's programs read it."""
        names = [f"i{item}" for item in range(self.items)]
        secondary = ["|", *names[self.primary :]] if self.primary < self.items else []
        lines = [[*names[: self.primary], *secondary]]
        lines += [[names[item] for item in row] for row in self.rows]
        return "".join(" ".join(line) + "\n" for line in lines)


def counted(solutions: Iterable[object], first: bool) -> int:
    """How many there are; of the first alone, whether there is one."""
    return sum(1 for _ in islice(solutions, 1 if first else None))


# -- solvers: from the options to the number -------------------------------------------------------


def by_default(cover: Cover, first: bool) -> int:
    import exactcover as ec

    problem = _problem(cover)
    return int(ec.first(problem) is not None) if first else ec.count(problem, counted="all")


def by_listing(cover: Cover, first: bool, strategy: str | None = None) -> int:
    import exactcover as ec

    return counted(ec.solve(_problem(cover), counted="all", strategy=strategy), first)


def by_dlx(cover: Cover, first: bool) -> int:
    return by_listing(cover, first, "dlx:s")


def _problem(cover: Cover) -> Any:
    from exactcover.problem import Problem

    starts = np.cumsum([0, *map(len, cover.rows)])
    entries = np.concatenate(cover.rows)
    return Problem.from_arrays(cover.items, starts, entries, primary=cover.primary)


def by_xcover(cover: Cover, first: bool) -> int:
    import xcover

    secondary = list(range(cover.primary, cover.items)) or None
    solutions = xcover.covers(cover.rows, primary=list(range(cover.primary)), secondary=secondary)
    return counted(solutions, first)


def by_exact_cover(cover: Cover, first: bool) -> int:
    import exact_cover
    from exact_cover.error import NoSolution

    matrix = cover.matrix(np.bool_)
    if first:
        try:
            return int(len(exact_cover.get_exact_cover(matrix)) > 0)
        except NoSolution:
            return 0
    return int(exact_cover.get_solution_count(matrix))


def by_exact_cover_py(cover: Cover, first: bool) -> int:
    from exact_cover_py import exact_covers

    return counted(exact_covers(cover.matrix(np.uint8)), first)


def by_algorithm_x(cover: Cover, first: bool) -> int:
    from algorithm_x import AlgorithmX

    solver = AlgorithmX(cover.items)
    for row in cover.closed:
        solver.appendRow(row)
    return counted(solver.solve(), first)


def by_miniexact(cover: Cover, first: bool) -> int:
    from miniexact import miniexacts_c

    solver, found = miniexacts_c(), 0
    items = [
        (solver.primary if item < cover.primary else solver.secondary)(f"i{item}")
        for item in range(cover.items)
    ]
    for row in cover.rows:
        solver.add([items[item] for item in row])
    while solver.solve() == 10:
        found += 1
        if first:
            break
    return found


def by_dlx_cython(cover: Cover, first: bool) -> int:
    from dlxsolver import DLXSolver

    solver = DLXSolver(cover.matrix(np.int32))
    return int(solver.solve_one() is not None) if first else len(solver.solve())


def by_dancing_links(cover: Cover, first: bool) -> int:
    from dancing_links.algorithm_x import AlgorithmX, Header, Node

    root = Node()
    headers = [Header() for _ in range(cover.items)]
    for header in headers:
        root.insert_left(header)
    for row in cover.closed:
        nodes = [Node(header=headers[item]) for item in row]
        for node in nodes:
            node.header.insert_up(node)
        for node in nodes[1:]:
            nodes[0].insert_left(node)
    return counted(AlgorithmX(root).solutions(), first)


def by_exact_multiset_cover(cover: Cover, first: bool) -> int:
    import exact_multiset_cover
    from exact_multiset_cover.error import NoSolution

    matrix = cover.matrix(np.uint8)
    if first:
        try:
            return int(len(exact_multiset_cover.get_exact_cover(matrix)) > 0)
        except NoSolution:
            return 0
    return int(exact_multiset_cover.get_solution_count(matrix))


def by_solvor(cover: Cover, first: bool) -> int:
    from solvor import solve_exact_cover

    matrix = cover.matrix(np.uint8).tolist()
    found = solve_exact_cover(matrix, find_all=not first, max_iter=1 << 60)
    if found.solution is None:
        return 0
    return 1 if first else len(found.solution)


def by_cpsat(cover: Cover, first: bool) -> int:
    from ortools.sat.python import cp_model

    class Counting(cp_model.CpSolverSolutionCallback):
        found = 0

        def on_solution_callback(self) -> None:
            self.found += 1

    model = cp_model.CpModel()
    holders: list[list[Any]] = [[] for _ in range(cover.items)]
    for number, row in enumerate(cover.rows):
        chosen = model.new_bool_var(str(number))
        for item in row:
            holders[item].append(chosen)
    for item, those in enumerate(holders):
        (model.add_exactly_one if item < cover.primary else model.add_at_most_one)(those)
    solver, counting = cp_model.CpSolver(), Counting()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = not first
    solver.solve(model, counting)
    return min(counting.found, 1) if first else counting.found


SOLVERS: dict[str, Callable[[Cover, bool], int]] = {
    "exactcover": by_default,
    "exactcover, listed": by_listing,
    "exactcover, dlx:s": by_dlx,
    "xcover": by_xcover,
    "exact-cover": by_exact_cover,
    "exact-cover-py": by_exact_cover_py,
    "miniexact": by_miniexact,
    "dlx-cython": by_dlx_cython,
    "exact-multiset-cover": by_exact_multiset_cover,
    "dancing-links": by_dancing_links,
    "solvor": by_solvor,
    "algorithm-x": by_algorithm_x,
    "CP-SAT": by_cpsat,
}

PACKAGES = (
    "xcover", "exact-cover", "exact-cover-py", "miniexact", "dlx-cython",
    "exact-multiset-cover", "dancing-links", "solvor", "algorithm-x", "ortools",
)  # fmt: skip


def by_program(program: str, cover: Cover, puzzle: str | None, first: bool) -> int:
    """The number that a program prints."""
    name, path = program.split("=", 1)
    if name == "polycube" and puzzle:
        command, text, pattern = [path, "-i", "-q", puzzle], "", r"(\d[\d,]*) solutions?"
    else:
        command, text = [path, *(["t1"] if first else [])], cover.text()
        pattern = r"Altogether (\d+) solutions?"
    printed = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    both = printed.stdout + printed.stderr
    if (match := re.search(pattern, both)) is None:
        raise SystemExit(f"{' '.join(command)} prints no number of solutions:\n{both[-2000:]}")
    return int(match[1].replace(",", ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("solver", help="one of the solvers here, or NAME=PATH")
    parser.add_argument("file")
    parser.add_argument("--puzzle", help="the same as a file of polycube")
    parser.add_argument("--first", action="store_true", help="only the first solution")
    asked = parser.parse_args()
    cover, times = Cover.read(asked.file), []
    if "=" in asked.solver:
        found = by_program(asked.solver, cover, asked.puzzle, asked.first)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        whole = used.ru_utime + used.ru_stime
        times.append(whole)
    else:
        count = SOLVERS[asked.solver]
        began = process_time()
        found = count(cover, asked.first)
        whole = process_time()
        times.append(whole - began)
        twice = times[0] < TWICE
        while len(times) < 1 + twice or (sum(times) < AGAIN and len(times) < MOST):
            began = process_time()
            count(cover, asked.first)
            times.append(process_time() - began)
    print(json.dumps({"found": found, "solving": min(times), "whole": whole}))


if __name__ == "__main__":
    main()
