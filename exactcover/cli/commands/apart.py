"""`apart`: which solutions come apart, and with how many moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from exactcover.base.values import COUNTED_AS
from exactcover.cli import options as opt
from exactcover.cli.ends import exit_status
from exactcover.cli.files import GivenPuzzles, puzzle_of
from exactcover.cli.reports import end_words, quantity, table
from exactcover.cli.searches import searching

if TYPE_CHECKING:
    from exactcover.burrs import Disassembly
    from exactcover.formats import Document
    from exactcover.runs.disassembling import Apartness

MOST_LEVELS = 20
"""The most levels that a table lists, and the most numbers of solutions."""


@dataclass(frozen=True)
class ApartOptions(opt.SearchOptions):
    limit: int | None = opt.integer("--limit", least=0, help="Stop after N solutions.")
    states: int | None = opt.integer(
        "--states",
        help="Give up a solution after N positions of its pieces: it is then not decided. A "
        "million positions of six pieces take about 60 MB. Default: 1000000.",
    )
    moves: bool = opt.flag(
        "--moves", help="Print the moves of the solution with the highest level."
    )
    workers: int | None = opt.integer(
        "--workers", most=1024, common=True,
        help="Take solutions apart with N threads. Default: one for each free processor.",
    )  # fmt: skip


@opt.puzzle_command(ApartOptions)
def apart(puzzles: tuple[str, ...], options: ApartOptions) -> int:
    """Say which solutions come apart, and with how many moves.

    A move shifts some pieces together by steps along the lattice, the others stay. The level of a
    solution, such as 7.3.1, has the number of moves until a first part comes off, then those of
    the parts that are left. Pieces are never turned. A solution has the same number as in
    `exactcover draw --solution N` with the same --counted and --strategy.
    """
    given = GivenPuzzles(puzzles, options.time_limit)
    return given.answer(partial(_apart, options=options))


def _apart(document: Document, options: ApartOptions) -> int:
    """Take the solutions of a puzzle apart, and report; return the exit status."""
    from exactcover.runs.disassembling import Disassembling
    from exactcover.runs.executors import free_processors

    puzzle = puzzle_of(document, "pieces to take apart")
    with document.faults_placed():
        taking = Disassembling(
            puzzle,
            counted=options.counted,
            strategy=options.strategy,
            limit=options.limit,
            time_limit=options.time_limit,
            max_states=options.states,
            workers=options.workers or free_processors(),
        )
    highest: tuple[int, Disassembly] | None = None
    undecided = ""
    numbers: list[int] = []
    with searching(document.name, taking, lambda: _report(document, taking.result, options)) as bar:
        taking.between = bar.show
        for _, found in taking:
            made, number = found.disassembly, taking.number
            if made is not None:
                numbers.append(number)
                if highest is None or (made.numbers, -number) > (highest[1].numbers, -highest[0]):
                    highest = number, made
            if found.status == "undecided":
                undecided = undecided or found.reason
    result = taking.result
    numbers.sort()
    return _report(document, result, options, highest, undecided, numbers)


def _report(
    document: Document,
    result: Apartness,
    options: ApartOptions,
    highest: tuple[int, Disassembly] | None = None,
    undecided: str = "",
    numbers: list[int] | None = None,
) -> int:
    """Report the outcome; return the exit status.

    undecided  why a solution is not decided
    numbers    those of the solutions that come apart; None: not known
    """
    record: dict[str, Any] = {"puzzle": document.name} | result.record()
    if numbers is not None:
        record["numbers"] = numbers
    if result.reason:
        record["reason"] = result.reason
    if undecided:
        record["not_decided"] = undecided
    made = highest if options.moves else None
    if made is not None:
        record["moves_of"] = made[0]
        record["moves"] = [
            {"pieces": list(move.pieces), "step": list(move.step), "steps": move.steps}
            for move in made[1].moves
        ]
    lines = _lines(document, result, options, made, undecided, numbers or [])
    options.report(record, lines)
    return exit_status("states" if result.undecided else result.stopped_by, result.status)


def _lines(
    document: Document,
    result: Apartness,
    options: ApartOptions,
    made: tuple[int, Disassembly] | None,
    why: str,
    numbers: Sequence[int],
) -> Iterator[str]:
    """The report for a person."""
    end = end_words(result, seconds=options.time_limit, solutions=result.assemblies)
    verb = "comes" if result.apart == 1 else "come"
    yield (
        f"{document.name}: {result.apart:,} of {quantity(result.assemblies, 'solution')} "
        f"({COUNTED_AS[result.counted]}) {verb} apart{end}"
    )
    if result.undecided:
        yield f"  {result.undecided:,} not decided: {why}"
    yield from _table(result.levels)
    if 0 < len(numbers) < result.assemblies:
        yield f"  come{'s' if len(numbers) == 1 else ''} apart: {_numbered(numbers)}"
    if made is not None:
        yield f"  moves of the highest level, solution {made[0]}"
        yield from (f"  {line}" for line in made[1].lines())


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
