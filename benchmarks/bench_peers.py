"""Our default and `dlx` beside the packages of PyPI: the same instances, one run, ratios.

    python benchmarks/bench_peers.py                     measure, keep, print
    python benchmarks/bench_peers.py --only soma queens  rows whose name holds one of these words
    python benchmarks/bench_peers.py --against FILE      beside the results of another version
    python benchmarks/bench_peers.py --show FILE --page docs/speed.md     its section of the page
    python benchmarks/bench_peers.py --knuth PATH/dlx1 --polycube PATH/polycube

An instance is an exact cover as two arrays, written to a file once. Each measurement is a process
of its own, which reads that file, hands the options to one solver in the form that it wants, and
counts the solutions (or stops at the first). Two figures are kept, in processor seconds: of solving
alone, from the options to the number, and of the whole process, with its imports. Solvers take
turns, in another order each round, and the medians count. The first round, in which a solver may
compile for later processes, is left out.

Packages without secondary items are given an option for each of these alone, which changes no
number. Where the first solution is searched, options are shuffled, alike for all, since it is a
matter of luck when it comes.

`exactcover` may count without listing; `exactcover, listed` hands out each solution. polycube and
Knuth's programs are no packages: build them, and give their paths.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.one_solver import PACKAGES, SOLVERS
from benchmarks.page_section import with_section
from benchmarks.puzzles import read_puzzle
from exactcover.base import __version__
from exactcover.problem import Problem
from examples.blocks import partridge
from examples.langford import langford
from examples.queens import queens
from examples.sudoku import givens, sudoku

HERE = Path(__file__).parent
RESULTS = HERE / "results"
KEYS = "solving", "whole"
OURS = "exactcover"

INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

# -- instances -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """An exact cover, and the number of solutions that every solver must find.

    puzzle  a shipped puzzle, for programs that read files of polycube
    first   only the first solution is searched
    """

    name: str
    problem: Callable[[], Problem]
    solutions: int
    puzzle: str | None = None
    first: bool = False


def shipped(name: str) -> Callable[[], Problem]:
    """The exact cover of a shipped puzzle, with every symmetric solution."""
    return lambda: read_puzzle(name).model.problem


def below(problem: Problem, given: Iterable[int]) -> Problem:
    """The rest of a problem after these options are chosen."""
    covered = {int(item) for option in given for item in problem.items_of(option)}
    left = [item for item in range(problem.n_items) if item not in covered]
    number = {item: count for count, item in enumerate(left)}
    rows = [problem.items_of(option).tolist() for option in range(problem.n_options)]
    rows = [[number[item] for item in row] for row in rows if covered.isdisjoint(row)]
    starts = np.cumsum([0, *map(len, rows)])
    primary = sum(item < problem.primary for item in left)
    return Problem.from_arrays(len(left), starts, np.concatenate(rows), primary=primary)


def with_copies(problem: Problem) -> Problem:
    """An item that is covered k times becomes k items, as packages without multiplicities need."""
    first = np.cumsum([0, *problem.high.tolist()])
    rows: list[list[int]] = []
    for option in range(problem.n_options):
        items = problem.items_of(option).tolist()
        copies = max(int(problem.high[item]) for item in items)
        for copy in range(copies):
            rows.append([int(first[i]) + copy * bool(problem.high[i] > 1) for i in items])
    starts = np.cumsum([0, *map(len, rows)])
    return Problem.from_arrays(int(first[-1]), starts, np.concatenate(rows))


def hard_sudoku() -> Problem:
    return below(sudoku(), givens([INKALA])[0])


INSTANCES = (
    Instance("pentominoes 20 x 3", shipped("pentominoes_20x3"), 8, "pentominoes_20x3"),
    Instance("pentominoes 10 x 6", shipped("pentominoes_10x6"), 9356, "pentominoes_10x6"),
    Instance("dominoes 8 x 8", shipped("dominoes_8x8"), 12_988_816),
    Instance("Soma cube", shipped("somacube"), 11_520, "somacube"),
    Instance("solid pentominoes 10 x 3 x 2", shipped("solid_pentominoes_10x3x2"), 96),
    Instance("hexiamonds 6 x 6", shipped("hexiamonds_6x6"), 624),
    Instance("tetratesseracts 3 x 2 x 2 x 2", shipped("tetratesseracts_3x2x2x2"), 2016),
    Instance("Sudoku, Inkala 2012", hard_sudoku, 1),
    Instance("queens 10", lambda: queens(10), 724),
    Instance("Langford 11", lambda: langford(11), 17_792),
    Instance("queens 28, first", lambda: queens(28), 1, first=True),
    Instance("partridge of order 4", lambda: with_copies(partridge(4)), 0),
)


# -- measuring -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """The number that a process found, its processor seconds in solving and in all."""

    found: int
    solving: float
    whole: float


def run(solver: str, instance: Instance, file: Path, limit: float) -> Run | None:
    """One measurement; None if it took longer than the limit in seconds."""
    command = [sys.executable, str(HERE / "one_solver.py"), solver, str(file)]
    if instance.puzzle:
        command += ["--puzzle", str(next(HERE.parent.glob(f"defs/*/{instance.puzzle}.txt")))]
    try:
        done = subprocess.run(
            [*command, *(["--first"] if instance.first else [])],
            timeout=limit, check=True, capture_output=True, text=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{solver} on {instance.name}:\n{error.stderr[-2000:]}") from error
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def shuffled(problem: Problem, seed: int) -> Problem:
    """The options in another order."""
    rows = [problem.items_of(option).tolist() for option in range(problem.n_options)]
    random.Random(seed).shuffle(rows)
    starts = np.cumsum([0, *map(len, rows)])
    entries = np.concatenate(rows)
    return Problem.from_arrays(problem.n_items, starts, entries, primary=problem.primary)


def measure(instance: Instance, solvers: Sequence[str], rounds: int, limit: float) -> Row:
    """All solvers in turns; one that was too slow after the first round is not tried again."""
    problem = instance.problem()
    runs: dict[str, list[Run]] = {solver: [] for solver in solvers}
    slow: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem.npz"
        for number in range(rounds + 1):
            some = shuffled(problem, number) if instance.first else problem
            np.savez(
                file, items=some.n_items, primary=some.primary, starts=some.starts,
                entries=some.entries,
            )  # fmt: skip
            for solver in random.Random(number).sample(solvers, len(solvers)):
                if solver in slow:
                    continue
                got = run(solver, instance, file, limit)
                if number and got is None:
                    slow.add(solver)
                    runs[solver].clear()
                elif number and got is not None:
                    runs[solver].append(got)
                print(f"  {instance.name}, round {number}: {solver} {got}", file=sys.stderr)
    figures = {
        solver: Run(some[0].found, *(median(getattr(one, key) for one in some) for key in KEYS))
        for solver, some in runs.items()
        if some
    }
    wrong = {
        solver: one.found for solver, one in figures.items() if one.found != instance.solutions
    }
    return Row(instance.name, problem.n_options, instance.solutions, figures, sorted(slow), wrong)


# -- results ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """An instance: the medians of each solver, which were ended at the limit, which are wrong."""

    name: str
    options: int
    solutions: int
    figures: Mapping[str, Run]
    slow: Sequence[str]
    wrong: Mapping[str, int]


def versions() -> dict[str, str]:
    """The versions of the packages that are installed; a message names each of the others."""
    found = {OURS: __version__}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            print(f"{package} is not installed, so it is left out: pip install {package}")
    return found


def results(
    rows: Sequence[Row], packages: Mapping[str, str], rounds: int, limit: float
) -> dict[str, object]:
    """All that is kept of a run."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "packages": dict(packages),
        "rounds": rounds,
        "limit": limit,
        "rows": [asdict(row) for row in rows],
    }


def rows_in(file: Path) -> list[Row]:
    stored = json.loads(file.read_text("utf-8"))["rows"]
    return [
        Row(**{**row, "figures": {name: Run(**one) for name, one in row["figures"].items()}})
        for row in stored
    ]


def table(rows: Sequence[Row], key: str) -> list[str]:
    """A table in Markdown: our figure, and how many times as much the others need."""
    names = sorted({name for row in rows for name in [*row.figures, *row.slow]}, key=_place)
    others = [name for name in names if name != OURS]
    lines = [
        f"| instance | solutions | {OURS}, s | " + " | ".join(others) + " |",
        "|---|--:|--:|" + "--:|" * len(others),
    ]
    for row in rows:
        ours = getattr(row.figures[OURS], key)
        cells = [_cell(row, name, key, ours) for name in others]
        cells = [f"{row.name} | {row.solutions:,} | {ours:.3g}", *cells]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _place(name: str) -> int:
    return [*SOLVERS].index(name) if name in SOLVERS else len(SOLVERS)


def _cell(row: Row, name: str, key: str, ours: float) -> str:
    if name in row.slow:
        return "ended"
    if name not in row.figures:
        return ""
    if name in row.wrong:
        return f"**{row.wrong[name]:,}**"
    return f"{getattr(row.figures[name], key) / ours:.3g}"


def compared(rows: Sequence[Row], older: Sequence[Row]) -> list[str]:
    """Our figures beside those of another version, and a word where one is a fifth worse."""
    before = {row.name: row for row in older}
    lines = []
    for row in rows:
        for name, one in row.figures.items():
            if not name.startswith(OURS) or row.name not in before:
                continue
            if (then := before[row.name].figures.get(name)) is not None:
                ratio = one.solving / then.solving
                word = "  slower" if ratio > 1.2 else ""
                lines.append(f"{row.name}: {name} {then.solving:.3g} to {one.solving:.3g} s{word}")
    return lines


def plot(rows: Sequence[Row], file: Path) -> None:
    """Seconds of solving on a logarithmic scale, a line of points for each instance."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "exactcover"
    from matplotlib import pyplot

    names = sorted({name for row in rows for name in row.figures}, key=_place)
    figure, axes = pyplot.subplots(figsize=(8, 0.42 * len(rows) + 1.6), layout="constrained")
    marks = "o*s^vDPX<>hdp8"
    for number, name in enumerate(names):
        some = [
            (row.figures[name].solving, -line)
            for line, row in enumerate(rows)
            if name in row.figures and name not in row.wrong
        ]
        across, down = zip(*some, strict=True)
        colour = pyplot.cm.tab20(number % 10 * 2 + number // 10)
        axes.scatter(across, down, marker=marks[number], color=colour, label=name, s=42)
    axes.set_xscale("log")
    axes.set_xlabel("processor seconds of solving, from the options to the number")
    axes.set_yticks([-line for line in range(len(rows))], [row.name for row in rows])
    axes.grid(axis="x", alpha=0.3)
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.4, 1.0), frameon=False, fontsize=8)
    figure.savefig(file, metadata={"Date": None})


def section(file: Path) -> str:
    """The section of the documentation."""
    stored, rows = json.loads(file.read_text("utf-8")), rows_in(file)
    packages = ", ".join(f"{name} {number}" for name, number in stored["packages"].items())
    parts = [
        SECTION_HEAD.format(**stored, names=packages),
        "### Solving alone\n", SOLVING_TEXT, *table(rows, "solving"),
        "\n![processor seconds of each solver](pictures/peers.svg)\n",
        "### Whole processes\n", WHOLE_TEXT, *table(rows, "whole"),
    ]  # fmt: skip
    return "\n".join(parts)


SECTION_HEAD = """## Beside other packages

`make bench` measures these tables in about an hour. They were made on {date} with Python
{python} ({machine}):
{names}.

The solvers take turns, each in a process of its own and on one thread; the medians of {rounds}
rounds are shown. "Ended" means more than {limit:g} s. A wrong number of solutions stands in bold in
place of a ratio.

`exactcover` is the default, which may count without listing; `exactcover, listed` hands out each
solution; `exactcover, dlx:s` searches as the packages do. CP-SAT is the solver of OR-Tools when it
enumerates. Packages without secondary items are given an option for each of these alone.
"""

SOLVING_TEXT = """Processor seconds from the options to the number, tables included. The columns of
the others say how many times as long they take.
"""

WHOLE_TEXT = """Processor seconds of the process: start of Python, imports, reading the options,
solving. Compiled code comes from the cache of numba where a package keeps one.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", nargs="+", metavar="WORD", help="instances with one of these words"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds for one measurement")
    parser.add_argument("--polycube", metavar="PATH", help="polycube as you built it")
    parser.add_argument("--knuth", metavar="PATH", help="one of Knuth's programs: dlx1, ssxcc ...")
    parser.add_argument("--against", type=Path, metavar="FILE", help="results of another version")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / f"{__version__}.json")
    parser.add_argument(
        "--show", type=Path, metavar="FILE", help="measure nothing: show these results"
    )
    parser.add_argument("--page", type=Path, metavar="FILE", help="write its section of this page")
    asked = parser.parse_args()
    if asked.show:
        file = asked.show
    else:
        file = asked.output
        file.parent.mkdir(parents=True, exist_ok=True)
        rows = []
        packages = versions()
        missing = {*PACKAGES} - {*packages}
        for instance in INSTANCES:
            if not asked.only or any(word.lower() in instance.name.lower() for word in asked.only):
                solvers = [one for one in _wanted(asked, instance) if one not in missing]
                rows.append(measure(instance, solvers, asked.rounds, asked.limit))
                kept = json.dumps(results(rows, packages, asked.rounds, asked.limit), indent=1)
                file.write_text(kept + "\n", "utf-8")
    rows = rows_in(file)
    print("\n".join(table(rows, "solving")))
    if asked.against:
        print("\n".join(compared(rows, rows_in(asked.against))))
    if asked.page:
        text = asked.page.read_text("utf-8")
        asked.page.write_text(with_section(text, "peers", section(file)), "utf-8")
        plot(rows, asked.page.parent / "pictures" / "peers.svg")
    if wrong := [row.name for row in rows if any(name.startswith(OURS) for name in row.wrong)]:
        raise SystemExit(f"our own number is wrong: {', '.join(wrong)}")


def _wanted(asked: argparse.Namespace, instance: Instance) -> list[str]:
    """The solvers that can take an instance."""
    solvers = [*SOLVERS]
    if asked.knuth:
        solvers.append(f"{Path(asked.knuth).name}={asked.knuth}")
    if asked.polycube and instance.puzzle and not instance.first:
        solvers.append(f"polycube={asked.polycube}")
    return solvers


if __name__ == "__main__":
    main()
