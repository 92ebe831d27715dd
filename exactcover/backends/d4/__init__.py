"""d4, a model counter of other authors, counts the clauses of a problem. It needs `counters`.

It shares no code and no method with the engines here, and counts what CP-SAT would have to list. It
counts in a process of its own, see `counter`: so a limit of time or Ctrl-C ends it, and the setting
`memory` holds. It says nothing until it is done.
"""

from __future__ import annotations

import subprocess
import sys
import weakref
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from exactcover.backends.base import (
    MEBIBYTES,
    Backend,
    Begin,
    Branching,
    Capabilities,
    Slice,
    Status,
    Where,
)
from exactcover.backends.d4.counter import NO_MEMORY
from exactcover.backends.node import Node
from exactcover.base.machine import free_memory
from exactcover.errors import CapabilityError, ExactCoverError, TooLarge
from exactcover.problem import Layout, Problem
from exactcover.problem.clauses import Clause, clauses_of, constraints_of, dimacs

LOOK = 0.05
"""How many seconds a call waits for the process."""

KILLED = -9
"""The status of a process that the system ended, since its memory was full."""

OUT_OF_MEMORY = ("bad_alloc", "cannot allocate memory")
"""The messages of the libraries of d4 when their memory is full."""

SHARE = 2
"""By default a count may take the free memory divided by this number."""


class D4Search:
    """A count under way.

    process  that counts, once it has begun; it is ended when the search is dropped
    """

    def __init__(
        self, problem: Problem, mebibytes: int, node: Node, cut: int | None = None
    ) -> None:
        self._lines = _clauses(problem, node)
        self._mebibytes = mebibytes
        self.process: subprocess.Popen[str] | None = None
        self._done = False

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Wait a moment for the process; it never lists solutions."""
        if keep:
            raise CapabilityError("d4 counts solutions and lists none; dlx lists them")
        del steps, capacity
        if self._done:
            return Slice(Status.DONE)
        process = self.process = self.process or self._begin()
        try:
            answer, complaint = process.communicate(timeout=LOOK)
        except subprocess.TimeoutExpired:
            return Slice(Status.BUDGET)
        full = any(said in complaint.lower() for said in OUT_OF_MEMORY)
        if full or process.returncode in (NO_MEMORY, KILLED):
            more = 2 * self._mebibytes
            advice = f"give it more, as in 'd4 memory={more}', or count with another engine"
            raise TooLarge("the states of d4", 0, self._mebibytes << 20, advice=advice)
        if process.returncode:
            reason = complaint.strip()[-500:] or f"status {process.returncode}"
            raise ExactCoverError(f"d4 failed: {reason}")
        found, decisions = map(int, answer.split())  # the decisions of d4 count as fits
        self._done = True
        return Slice(Status.DONE, found=found, fits=decisions)

    def where(self) -> Where:
        """Where the count is: nothing is known before its end."""
        return Where(float(self._done))

    def _begin(self) -> subprocess.Popen[str]:
        folder = TemporaryDirectory(prefix="exactcover-d4-")
        file = Path(folder.name) / "problem.cnf"
        with file.open("w") as stream:
            stream.writelines(f"{line}\n" for line in self._lines)
        script = str(Path(__file__).with_name("counter.py"))
        process = subprocess.Popen(
            [sys.executable, "-P", script, str(file), str(self._mebibytes)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        weakref.finalize(self, _end, process, folder)
        return process


def _end(process: subprocess.Popen[str], folder: TemporaryDirectory[str]) -> None:
    """End the process if it still counts, and remove its files."""
    process.kill()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    folder.cleanup()


def _clauses(problem: Problem, node: Node) -> Iterator[str]:
    """The lines of a DIMACS file whose models are the solutions below a node."""
    made = constraints_of(problem)
    clauses = clauses_of(made)
    if clauses is None:
        raise CapabilityError("d4 takes clauses, and this problem counts too far for them")
    allowed = problem.choosable if node.allowed is None else node.allowed.copy()
    allowed[[*node.chosen]] = True
    # d4 divides by zero where there is no clause: here is one that is always true.
    fixed: list[Clause] = [(made.variable("always true"),)]
    fixed += [(option + 1,) for option in node.chosen]
    fixed += [(-option - 1,) for option in np.flatnonzero(~allowed).tolist()]
    return dimacs(made.n_variables, [*clauses, *fixed])


def _prepared(problem: Problem, layout: Layout | None, how: Branching) -> Begin:
    """A function that begins counts of nodes; raises if the extra is not installed."""
    if find_spec("py_d4") is None:
        raise CapabilityError(
            "the engine d4 needs the extra `counters`: pip install 'exactcover-tilings[counters]'"
        )
    mebibytes = int(how.settings.get("memory", free_memory() // SHARE >> 20))
    return partial(D4Search, problem, max(1, mebibytes))


backend = Backend(
    "d4",
    "the model counter d4, which is not ours: every kind of problem, with `counters`",
    Capabilities(
        features=frozenset({"secondary", "colours", "multiplicities"}),
        heuristics=("s",),
        lists_solutions=False,
        settings={"memory": MEBIBYTES},
        package="py_d4",
    ),
    _prepared,
)
