"""`apart`: which solutions come apart, and with how many moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli import (
    GivenPuzzles,
    Printer,
    end_words,
    exit_status,
    puzzle_in,
    quantity,
    searching,
    solutions,
    table,
)
from exactcover.cli import options as opt

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search import Solution
    from exactcover.studio.burrs import Apartness, Disassembling, TakenApart

MOST_LEVELS = 20
"""The most levels that a table lists, and the most numbers of solutions."""

MOST_ON_A_PAGE = 100
"""The most solutions of a page: those of the highest levels."""


@opt.command()
@opt.puzzles
@opt.limit
@click.option(
    "--states", type=click.IntRange(1), metavar="N", help="Give up a solution after N positions."
)
@click.option("--moves", is_flag=True, help="Print the moves of the highest level.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write a page of them, the hardest first: .html."
)
@opt.threads(help="Take apart with N threads. Default: each free processor.")
@opt.usual
@opt.question
def apart(
    puzzles: tuple[str, ...],
    report: Printer,
    states: int | None,
    moves: bool,
    output: str | None,
    workers: int | None,
    **asked: Any,
) -> int:
    """Say which solutions come apart, and with how many moves.

    A move shifts some pieces together by steps along the lattice, the others stay. The level of a
    solution, such as 7.3.1, has the number of moves until a first part comes off, then those of
    the parts that are left. Pieces are never turned. Solutions have the numbers of `draw`.
    """
    from exactcover.base import processors

    workers = workers or processors()
    given = GivenPuzzles(puzzles, asked["time_limit"])
    return given.answer(
        lambda one: _apart(one, report, moves, output, max_states=states, workers=workers, **asked)
    )


def _apart(
    document: Document, report: Printer, with_moves: bool, output: str | None, **asked: Any
) -> int:
    """Take the solutions of a puzzle apart, and report; return the exit status."""
    from exactcover.studio.burrs import Disassembling, view_apart

    puzzle = puzzle_in(document, "pieces to take apart")
    with document.faults_placed():
        taking = Disassembling(puzzle, **asked)
    kept: list[tuple[Solution, TakenApart]] = []
    found = Found(document, taking, report, asked["time_limit"], with_moves)
    with searching(document.name, taking, found.report) as progress:
        taking.between = progress.show
        for solution, outcome in taking:
            found.note(taking.number, outcome)
            if output is not None and outcome.status == "apart":
                kept.append((solution, outcome))
                kept.sort(key=lambda one: one[1].numbers, reverse=True)
                del kept[MOST_ON_A_PAGE:]
    if output is not None and kept:
        title = document.title or document.name.rpartition("/")[2]
        view_apart(kept, title=title).save(output)
    return found.report()


class Found:
    """The outcomes for the solutions of a puzzle; `noted` has the numbers of those that come
    apart."""

    def __init__(
        self,
        document: Document,
        taking: Disassembling,
        report: Printer,
        time_limit: float | None,
        with_moves: bool,
    ) -> None:
        self._document, self._taking, self._report = document, taking, report
        self._time_limit, self._with_moves = time_limit, with_moves
        self._highest: tuple[int, TakenApart] | None = None
        self._undecided = ""
        self.noted: list[int] = []

    def note(self, number: int, outcome: TakenApart) -> None:
        """Note a solution: its moves if it comes apart, or why that is not decided."""
        if outcome.status == "apart":
            self.noted.append(number)
            best = self._highest
            if best is None or outcome.numbers > best[1].numbers:
                self._highest = number, outcome
        if outcome.status == "undecided":
            self._undecided = self._undecided or outcome.reason

    def report(self) -> int:
        """Report the outcome; return the exit status."""
        result = self._taking.result
        record: dict[str, Any] = {"puzzle": self._document.name} | result.record()
        record["numbers"] = sorted(self.noted)
        if result.reason:
            record["reason"] = result.reason
        if self._undecided:
            record["not_decided"] = self._undecided
        if self._with_moves and self._highest is not None:
            record["moves_of"] = self._highest[0]
            record["moves"] = [
                {"pieces": list(move.pieces), "step": list(move.step), "steps": move.steps}
                for move in self._highest[1].moves
            ]
        self._report(record, self._lines(result))
        return exit_status("states" if result.undecided else result.stopped_by, result.status)

    def _lines(self, result: Apartness) -> Iterator[str]:
        """The report for a person."""
        end = end_words(result, seconds=self._time_limit, solutions=result.assemblies)
        verb = "comes" if result.apart == 1 else "come"
        yield (
            f"{self._document.name}: {result.apart:,} of "
            f"{solutions(result.assemblies, result.counted, self._document)} {verb} apart{end}"
        )
        if result.undecided:
            yield f"  {result.undecided:,} not decided: {self._undecided}"
        yield from _table(result.levels)
        if 0 < len(self.noted) < result.assemblies:
            comes = "comes" if len(self.noted) == 1 else "come"
            yield f"  {comes} apart: {_numbered(sorted(self.noted))}"
        if self._with_moves and self._highest is not None:
            yield f"  moves of the highest level, solution {self._highest[0]}"
            yield from (f"  {line}" for line in self._highest[1].lines())


def _numbered(numbers: Sequence[int]) -> str:
    """The numbers of solutions in words."""
    shown = [str(number) for number in numbers[:MOST_LEVELS]]
    if left := len(numbers) - len(shown):
        shown.append(f"{left:,} more")
    *first, last = shown
    return f"solutions {', '.join(first)} and {last}" if first else f"solution {last}"


def _table(levels: Mapping[str, int]) -> Iterator[str]:
    """The levels and how many solutions have each, as lines of a table."""
    if not levels:
        return
    shown = [*levels.items()][:MOST_LEVELS]
    rows = [("level", "solutions"), *((level, f"{number:,}") for level, number in shown)]
    yield from table(rows, left={0})
    if left := len(levels) - len(shown):
        yield f"  and {quantity(left, 'lower level')}"
