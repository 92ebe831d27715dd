"""The cases of M. Busche's articles on FILA and polycube: fits and no-fits beside his figures.

    python benchmarks/cases.py              all that end within minutes
    python benchmarks/cases.py P TC         these groups
    python benchmarks/cases.py OP --long    whole runs, where otherwise a sample is taken

A fit is an image placed, a no-fit one tried in vain; both are exact and the same on every machine.
His seconds are those of his machine, so only the ratios within a group can be compared.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np

from benchmarks.puzzles import read_puzzle
from exactcover.backends import Node, Status
from exactcover.base.values import Convention
from exactcover.search.plan import make_plan
from exactcover.search.solving import Solving
from exactcover.search.stages import Stages
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.small_problems import finished

SAMPLE = 100
"""So many subtrees of a case that is too long are searched."""


@dataclass(frozen=True)
class Case:
    """A row of the article's table, and the strategy that means the same."""

    name: str
    puzzle: str
    strategy: str
    fits: int
    nofits: int
    solutions: int
    seconds: float
    counted: Convention = "rotations"
    cut: int | None = None  # too long: sampled among the states with so many pieces left

    @property
    def group(self) -> str:
        return self.name.rstrip("0123456789")


P, OP, TC, PT = "pentominoes_10x6", "pentominoes_1s_18x5", "tetriscube", "PT12"
TC_F = "redundancy=L; dlx:s; fila:e@11 nof=0"

CASES = (
    Case("P1", P, "redundancy; dlx:s", 892_247, 0, 2339, 2.082),
    Case("P2", P, "redundancy; volume; dlx:s", 768_356, 0, 2339, 1.754),
    Case("P3", P, "redundancy; volume; dlx:s; dlx:f@11", 1_000_250, 0, 2339, 2.050),
    Case("P4", P, "redundancy; volume; dlx:s; fila:f@11 nof=0", 2_091_215, 13_106_789, 2339, 0.168),
    Case(
        "P5", P, "redundancy; volume; dlx:s; fila:f@11 nof=adjacent",
        2_091_215, 4_682_886, 2339, 0.157,
    ),
    Case("OP1", OP, "redundancy; dlx:s", 1_816_931_170, 0, 686_628, 4458.0, "reflections", 15),
    Case(
        "OP2", OP, "redundancy; volume; dlx:s", 1_771_195_065, 0, 686_628, 4285.1, "reflections", 15
    ),
    Case(
        "OP3", OP, "redundancy; volume; dlx:s; fila:f@17 nof=0",
        13_151_493_569, 83_733_447_441, 686_628, 1387.7, "reflections", 16,
    ),
    Case(
        "OP4", OP, "redundancy; volume; dlx:s; fila:f@17 nof=adjacent",
        13_151_493_569, 25_422_589_384, 686_628, 1152.3, "reflections", 16,
    ),
    Case("TC1", TC, "redundancy=L; dlx:s", 30_255_329, 0, 9839, 113.0),
    Case("TC2", TC, TC_F, 48_705_459, 1_093_916_558, 9839, 22.206),
    Case("TC3", TC, TC_F + "; fila:f@3 nof=0", 80_346_268, 1_526_897_959, 9839, 19.945),
    Case(
        "TC4", TC, "redundancy=L; dlx:s; fila:e@11 nof; fila:f@3 nof=adjacent",
        80_346_268, 393_143_352, 9839, 17.007,
    ),
    Case("PT1", PT, "redundancy; dlx:s", 207_341_751, 0, 51_184, 645.5),
    Case("PT2", PT, "redundancy; volume@13; dlx:s", 78_145_746, 0, 51_184, 182.4),
    Case(
        "PT3", PT, "redundancy; volume@13; dlx:s; fila:e@13 nof=0",
        153_069_413, 1_094_305_862, 51_184, 70.2,
    ),
    Case(
        "PT4", PT, "redundancy; volume@13; dlx:s; fila:e@13 nof=0; fila:f@3 nof=0",
        185_469_244, 1_203_943_050, 51_184, 67.7,
    ),
    Case(
        "PT5", PT, "redundancy; volume@13; dlx:s; fila:e@13 nof; fila:f@3 nof=adjacent",
        185_469_244, 291_191_337, 51_184, 60.6,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """What a run came to; of a sample, scaled up, with the relative error of the fits."""

    fits: float
    nofits: float
    solutions: float
    seconds: float
    error: float | None = None


def run(case: Case) -> Measured:
    """A whole run."""
    began = process_time()
    result = Solving(read_puzzle(case.puzzle), counted=case.counted, strategy=case.strategy).run()
    return Measured(result.fits, result.nofits, result.solutions, process_time() - began)


def sample(case: Case, cut: int, many: int = SAMPLE, seed: int = 7) -> Measured:
    """A random sample of the subtrees below the states with so many pieces left."""
    model = read_puzzle(case.puzzle).model
    strategy = Strategy.parse(case.strategy)
    stages = Stages(make_plan(Subject(model.problem, model, case.counted), strategy), strategy)
    above = list(states(stages, cut))
    random = np.random.default_rng(seed)
    picked = random.permutation(len(above))[:many]
    rows, began = [], process_time()
    for number in picked.tolist():
        made = finished(stages.begin(above[number]))
        rows.append((made.fits, made.nofits, made.found))
    seconds = process_time() - began
    scale = len(above) / len(rows)
    fits, nofits, found = np.array(rows, float).T
    spread = fits.std(ddof=1) / fits.mean() / np.sqrt(len(rows)) if len(rows) < len(above) else 0.0
    return Measured(
        fits.sum() * scale, nofits.sum() * scale, found.sum() * scale, seconds * scale, spread
    )


def states(stages: Stages, cut: int) -> Iterator[Node]:
    """The states with this number of pieces left."""
    search = stages.begin(cut=cut)
    while True:
        batch = search.advance(1 << 20, capacity=1)
        if batch.state is not None:
            yield batch.state
        if batch.status is Status.DONE:
            return


def row(case: Case, made: Measured, first: Measured, first_seconds: float) -> str:
    """A row of the table in Markdown."""
    error = "" if made.error is None else f" +-{made.error:.0%} (sampled)"
    return (
        f"| {case.name} | `{case.strategy}` | {case.fits:,} | {made.fits:,.0f}{error} | "
        f"{case.nofits:,} | {made.nofits:,.0f} | {case.solutions:,} | {made.solutions:,.0f} | "
        f"{first_seconds / case.seconds:.1f} | {first.seconds / made.seconds:.1f} | "
        f"{made.seconds:.2f} |"
    )


def main() -> None:
    """Run the cases that are asked for and print a table a group."""
    parser = argparse.ArgumentParser(description="The articles' test cases, run here.")
    parser.add_argument("groups", nargs="*", help="P, OP, TC, PT, or single cases such as P4")
    parser.add_argument("--long", action="store_true", help="no samples: whole runs")
    arguments = parser.parse_args()
    first: dict[str, tuple[Measured, float]] = {}
    for case in CASES:
        if arguments.groups and not {case.name, case.group} & set(arguments.groups):
            continue
        if case.group not in first:
            print("\n| case | strategy | fits, article | fits | no-fits, article | no-fits | "
                  "solutions, article | solutions | speed, article | speed | seconds |\n"
                  "|---|---|---|---|---|---|---|---|---|---|---|")  # fmt: skip
        made = run(case) if arguments.long or case.cut is None else sample(case, case.cut)
        first.setdefault(case.group, (made, case.seconds))
        print(row(case, made, *first[case.group]), flush=True)


if __name__ == "__main__":
    main()
