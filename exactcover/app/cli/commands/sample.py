"""`sample`: solutions drawn at random, each with the same probability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactcover.app.cli import options as opt
from exactcover.app.cli.exit_status import DONE, STOPPED
from exactcover.app.cli.given_puzzles import GivenPuzzles
from exactcover.app.cli.outputs import ON_ONE_SHEET, picture_file, save_solutions
from exactcover.app.cli.progress import Progress
from exactcover.app.cli.reports import emit, quantity
from exactcover.app.cli.solution_files import cost_line, key_of, written
from exactcover.app.cli.terminal import say
from exactcover.base.text.names import escaped
from exactcover.errors import TooLarge

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution


@dataclass(frozen=True)
class SampleOptions(opt.TextLook, opt.Common):
    many: int = opt.integer(
        "-n", default=1, help="How many to draw; the same one may be drawn twice."
    )
    seed: int | None = opt.integer("--seed", least=None, help="Draw the same ones again.")
    memory: int | None = opt.integer(
        "--memory", metavar="MIB", help="Memory limit in MiB. Default: half of the free memory."
    )
    picture: Path | None = picture_file(f"the solutions, up to {ON_ONE_SHEET} on a sheet")


@opt.puzzle_command(SampleOptions)
def sample(puzzles: tuple[str, ...], options: SampleOptions) -> int:
    """Draw solutions at random, symmetric copies among them, each as likely as any other.

    It counts all solutions without listing them, so it needs a puzzle whose states fit the memory.
    """
    from exactcover.search.counting.sampling import diagram
    from exactcover.search.driver import Clock
    from exactcover.search.result import Solution

    many = options.many
    pictured: list[Solution] = []

    def answer(document: Document) -> int:
        clock = Clock()
        with clock.running():
            model, problem = document.model, document.problem
        progress = Progress(document.name)
        try:
            with clock.running(), progress.ticking("counting solutions"):
                made = diagram(document.content, memory=options.memory)
        except TooLarge as error:
            if options.as_json:
                emit({"puzzle": document.name, "status": "limit", "counted": "all"})
            say(escaped(str(error)))
            return STOPPED
        drawn = []
        with clock.running(), progress:
            for chosen in made.samples(many, options.seed):
                drawn.append(Solution(chosen, problem, model))
                progress.tell(f"{len(drawn):,} of {many:,} drawn")
        pictured.extend(drawn[: ON_ONE_SHEET - len(pictured)])
        reason = "" if model is None else model.reason
        record: dict[str, Any] = {
            "puzzle": document.name,
            "status": "complete" if made.count else "impossible",
            "solutions": made.count,
            "counted": "all",
            "seconds": round(clock.working, 6),
            "compiling": round(clock.compiling, 6),
        }
        if reason:
            record["reason"] = reason
        if options.as_json:
            record[key_of(document)] = [written(solution) for solution in drawn]
        options.report(
            record,
            _lines(document, drawn, made.count, reason, options),
            drawn=True,
            document=document,
            solutions=made.count,
            whole=True,
            strategies=("diagram",),
            seed=options.seed,
        )
        return DONE

    status = GivenPuzzles(puzzles).answer(answer)
    if options.picture is not None:
        save_solutions(pictured, options.picture)
    return status


def _lines(
    document: Document, drawn: list[Solution], count: int, reason: str, options: SampleOptions
) -> Iterator[str]:
    """The report for a person."""
    from exactcover.show.render.text import heading

    for number, solution in enumerate(drawn, 1):
        yield f"{heading(number)}\n{options.draw(solution)}{cost_line(solution)}\n"
    why = f": {reason}" if reason else ""
    yield f"{document.name}: {len(drawn):,} drawn from {quantity(count, 'solution')}{why}"
