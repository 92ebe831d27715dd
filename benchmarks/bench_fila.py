"""The fila engine with its settings, beside xcover and exact-cover on the same options, in one run.

    python benchmarks/bench_fila.py [--repeats 3] [--only P TC OP30 ...] [--without xcover]
    python benchmarks/bench_fila.py --processes [--only P OP30]

Seconds tell of the machine; the ratios are what to look at. A row is one way to search a puzzle:
how many solutions, images placed and images tried in vain, the median of the processor seconds it
took, and how many times faster it is than xcover (or, where that is left out, than the first row).
The ways take turns. Reading the puzzle and filtering its images is not counted; making the tables
is. The others have the symmetries broken by the same images; where ours get fewer, by the volume
filter, xcover is also given those. Everybody lists all solutions.

exact-cover would take an hour for some puzzles. There it lists what is below the first few images
of the piece that is placed first; lines below the table say how all do on that part, and with
`--part` there is nothing else: xcover takes more than ten minutes for all of PT.

With `--processes` whole processes are timed, from start to end, each a second time on this machine:
`exactcover solve --quiet`, which chooses its own strategy, and one that loads the ready-made matrix
and lets the other package list the solutions.

    P      the pentominoes in a box of 10 x 6, each solution once: X in a quarter and placed first
    P all  the same, all solutions
    TC     the Tetris Cube, each solution once: L is placed first
    OP30   the one-sided pentominoes in a box of 30 x 3, each solution once
    PT     12 pentominoes and 5 tetrominoes in a diamond with a hole, each solution once: o is
           placed first
    SOMA   the Soma cube, all solutions
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers import installed
from benchmarks.puzzles import read_puzzle
from exactcover.backends import Branching, Node, Status, get_backend
from exactcover.backends.base import Phase
from exactcover.backends.tasks import prepared
from exactcover.base.values import Convention
from exactcover.problem.filters.redundancy import Constraint, piece_pivots
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import Subtree
from exactcover.puzzle import Model

Ways = dict[str, tuple[Phase, ...]]


@dataclass(frozen=True)
class Case:
    """A puzzle of the shelf, the piece that breaks its symmetries, and the ways to search it.

    first     that piece is placed first, and each of its images is a node of its own
    filtered  the volume filter is applied once
    part      exact-cover lists what is below so many first placements; None: everything
    """

    puzzle: str
    ways: Ways
    piece: str | None = None
    first: bool = True
    filtered: bool = False
    counted: Convention = "rotations"
    part: int | None = None


@dataclass
class Count:
    """What a search came to, and how long it took each time."""

    solutions: int = 0
    fits: int = 0
    nofits: int = 0
    seconds: list[float] = field(default_factory=list)


def first_cell(**settings: str) -> tuple[Phase, ...]:
    return (Phase("f", None, settings),)


def estimate(then: int, near: str, near_f: str) -> tuple[Phase, ...]:
    """`e`, and from so many pieces left on `f`."""
    return Phase("e", None, {"nof": near}), Phase("f", then, {"nof": near_f})


PLAIN: Ways = {
    "f nof=0": first_cell(nof="0"),
    "f nof=adjacent": first_cell(nof="adjacent"),
    "f nof=4": first_cell(nof="4"),
    "f nof": first_cell(),
    "f nof=8": first_cell(nof="8"),
}

CASES: dict[str, Case] = {
    "P": Case("pentominoes_10x6", PLAIN, "X", filtered=True),
    "P all": Case("pentominoes_10x6", PLAIN, filtered=True),
    "TC": Case(
        "tetriscube",
        {
            "e; f@3 nof=0": estimate(3, "0", "0"),
            "e; f@3 nof=adjacent": estimate(3, "adjacent", "adjacent"),
            "e; f@3 nof": estimate(3, "adjacent", "6"),
            "e; f@2 nof": estimate(2, "adjacent", "6"),
            "e; f@4 nof": estimate(4, "adjacent", "6"),
            "e nof": (Phase("e"),),
        },
        "L",
        part=1,
    ),
    "OP30": Case(
        "pentominoes_1s_30x3", PLAIN, "W", first=False, filtered=True, counted="reflections"
    ),
    "PT": Case(
        "PT12",
        {
            "e; f@3 nof": estimate(3, "adjacent", "6"),
            "e; f@2 nof": estimate(2, "adjacent", "6"),
            "e; f@4 nof": estimate(4, "adjacent", "6"),
            "f nof": first_cell(),
        },
        "o",
        filtered=True,
        part=1,
    ),
    "SOMA": Case("somacube", {**PLAIN, "e; f@2": estimate(2, "adjacent", "6")}),
}


Flags = npt.NDArray[np.bool_]


def images_left(model: Model, case: Case) -> tuple[Flags, Flags, list[Node]]:
    """The images before and after the filter, and the nodes that make up the search."""
    allowed = np.ones(model.problem.n_options, bool)
    shape = -1
    if case.piece is not None:
        shape = model.shape_called(case.piece)
        symmetries = model.symmetries.selected(case.counted)
        [pivot] = piece_pivots(model.layout, symmetries, shape)
        allowed = Constraint.to(pivot, model.problem.n_options).allowed
    filtered = volume(Subtree(model.problem, model, (), allowed)) if case.filtered else allowed
    if case.piece is None or not case.first:
        return allowed, filtered, [Node((), filtered)]
    images = np.flatnonzero(filtered & (model.layout.option_shape == shape))
    return allowed, filtered, [Node((int(image),), filtered) for image in images]


def by_fila(model: Model, nodes: list[Node], phases: tuple[Phase, ...]) -> Count:
    count = Count()
    above = Branching(Node((), nodes[0].allowed), phases)
    begin = prepared(get_backend("fila"), model.problem, model.layout, above)
    for node in nodes:
        search, status = begin(node, None), Status.BUDGET
        while status is not Status.DONE:
            made = search.advance(1 << 20)
            status = made.status
            count.solutions += made.found
            count.fits += made.fits
            count.nofits += made.nofits
    return count


def by_xcover(xcover: Any, matrix: Flags) -> Count:
    return Count(solutions=sum(1 for _ in xcover.covers_bool(matrix)))


def by_exact_cover(exact_cover: Any, matrix: Flags) -> Count:
    return Count(solutions=len(exact_cover.get_all_solutions(matrix.astype(np.int32))))


def matrix_of(model: Model, allowed: Flags) -> Flags:
    problem = model.problem
    matrix = np.zeros((problem.n_options, problem.n_items), bool)
    matrix[np.repeat(np.arange(problem.n_options), np.diff(problem.starts)), problem.entries] = True
    return matrix[allowed]


def beside(model: Model, node: Node) -> Flags:
    """The options that may be chosen beside those of a node, with them."""
    matrix = matrix_of(model, np.ones(model.problem.n_options, bool)).astype(np.int8)
    assert node.allowed is not None
    alive: Flags = node.allowed & ~(matrix @ matrix[list(node.chosen)].any(axis=0)).astype(bool)
    alive[list(node.chosen)] = True
    return alive


@dataclass(frozen=True)
class Others:
    """The other packages; None: not wanted, or not installed."""

    xcover: Any
    exact_cover: Any


def rows(case: Case, others: Others) -> Iterator[tuple[str, Callable[[], Count]]]:
    """Each way with what runs it."""
    model = read_puzzle(case.puzzle).model
    allowed, filtered, nodes = images_left(model, case)
    matrix = matrix_of(model, allowed)
    if others.xcover is not None:
        yield "xcover", lambda: by_xcover(others.xcover, matrix)
        if case.filtered:
            less = matrix_of(model, filtered)
            yield "xcover, filtered too", lambda: by_xcover(others.xcover, less)
    if others.exact_cover is not None and case.part is None:
        yield "exact-cover", lambda: by_exact_cover(others.exact_cover, matrix)
    for name, phases in case.ways.items():
        yield name, partial(by_fila, model, nodes, phases)


def measure(case: Case, others: Others, repeats: int) -> None:
    ways = list(rows(case, others))
    found: dict[str, Count] = {}
    for name, run in ways:
        if name in case.ways:
            run()  # compiled before it is timed
    for _ in range(repeats):
        for name, run in ways:
            began = process_time()
            count = run()
            seconds = process_time() - began
            found.setdefault(name, count).seconds.append(seconds)
    reference = median(found[ways[0][0]].seconds)
    for name, count in found.items():
        its = median(count.seconds)
        print(
            f"  {name:22} {count.solutions:9,} {count.fits:13,} {count.nofits:15,} "
            f"{its:9.4f} {reference / its:8.2f}"
        )
    sys.stdout.flush()
    if len({count.solutions for count in found.values()}) > 1:
        raise SystemExit("they do not agree")


def measure_part(case: Case, others: Others) -> None:
    """The first placements alone, where another package would take too long for all."""
    if case.part is None:
        return
    model = read_puzzle(case.puzzle).model
    _, _, nodes = images_left(model, case)
    part = nodes[: case.part]
    name = "e; f@3 nof"
    phases = case.ways[name]
    began = process_time()
    mine = by_fila(model, part, phases).solutions
    seconds = process_time() - began
    print(
        f"  below {len(part)} of {len(nodes)} first placements, the same images for all: {mine:,} "
        f"solutions; {name}: {seconds:.3f} s"
    )
    matrices = [matrix_of(model, beside(model, node)) for node in part]
    for package, run in {"xcover": by_xcover, "exact_cover": by_exact_cover}.items():
        if getattr(others, package) is None:
            continue
        began = process_time()
        its = sum(run(getattr(others, package), matrix).solutions for matrix in matrices)
        its_seconds = process_time() - began
        ratio = its_seconds / seconds
        print(f"    {package.replace('_', '-')}: {its_seconds:.1f} s, {ratio:.1f} times as long")
        if mine != its:
            raise SystemExit("they do not agree")


PROCESSES = {
    "xcover": "sum(1 for _ in __import__('xcover').covers_bool(matrix))",
    "exact-cover": "len(__import__('exact_cover').get_all_solutions(matrix.astype('int32')))",
}


def measure_processes(case: Case, others: Others, repeats: int) -> None:
    """Whole processes: processor seconds, and by the clock."""
    model = read_puzzle(case.puzzle).model
    allowed, _, _ = images_left(model, case)
    run = ["-m", "exactcover", "solve", case.puzzle, "--quiet"]
    counted = f"--counted={'all' if case.piece is None else case.counted}"
    commands = {"exactcover solve": [sys.executable, *run, counted]}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "matrix.npy")
        np.save(file, matrix_of(model, allowed))
        for name, wanted in PROCESSES.items():
            if getattr(others, name.replace("-", "_")) is None:
                continue
            if name == "exact-cover" and case.part is not None:
                continue
            code = f"import numpy; matrix = numpy.load({str(file)!r}); print({wanted})"
            commands[name] = [sys.executable, "-c", code]
        seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(repeats + 1):
            for name, command in commands.items():
                began = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                ended = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
                user = ended[0].ru_utime - began[0].ru_utime
                system = ended[0].ru_stime - began[0].ru_stime
                seconds[name].append((user + system, ended[1] - began[1]))
    ours = median(cpu for cpu, _ in seconds["exactcover solve"][1:])
    for name, times in seconds.items():
        cpu, clock = (median(column) for column in zip(*times[1:], strict=True))
        print(f"  {name:22} {cpu:9.3f} {clock:9.3f} {cpu / ours:8.2f}")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description="fila beside xcover and exact-cover")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--without", nargs="+", choices=["xcover", "exact-cover"], default=[])
    parser.add_argument("--processes", action="store_true", help="time whole processes")
    parser.add_argument("--part", action="store_true", help="only the parts of long cases")
    chosen = parser.parse_args()
    packages = ("xcover", "exact-cover")
    others = Others(*(None if one in chosen.without else installed(one) for one in packages))
    if chosen.processes:
        print(f"  {'':22} {'processor':>9} {'clock':>9} {'to ours':>8}")
    else:
        heads = f"{'solutions':>9} {'fits':>13} {'no-fits':>15} {'seconds':>9} {'faster':>8}"
        print(f"  {'':22} {heads}")
    for name in chosen.only:
        case = CASES[name]
        print(f"{name}: {case.puzzle}")
        if chosen.processes:
            measure_processes(case, others, chosen.repeats)
        else:
            if not chosen.part:
                measure(case, others, chosen.repeats)
            measure_part(case, others)


if __name__ == "__main__":
    main()
