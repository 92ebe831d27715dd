"""A run in a child: it searches, and tells the server what it has found so far.

It tells its progress a few times a second, with the pieces that lie on the board now, and hands its
solutions over in groups. When the server keeps enough of them it goes on and counts the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import Any, BinaryIO

from exactcover.app.serving.client_puzzles import posed
from exactcover.base import compiled
from exactcover.base.patience import within
from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError, LimitReached
from exactcover.puzzle import Model
from exactcover.puzzle.rectangles import FloorModel
from exactcover.puzzle.symmetry import fixing
from exactcover.runs.portfolio.finding import finding
from exactcover.search import Result, Solution, Solving
from exactcover.search.counting import Counting, sample
from exactcover.search.driver import LEAST_DONE, seconds_left
from exactcover.search.underway import Underway

PACE = 0.2
"""Seconds between two messages of progress."""

TOGETHER = 50
"""The most solutions of a message."""

STATES = {"interrupted": "stopped", "unknown": "limit", "searching": "limit"}
"""The states of a search whose name differs on the server."""

SAMPLED = 10
"""The default number of solutions drawn at random."""

MEMORY = 0.6
"""The part of the memory of a run that states may take."""

AGAIN, SPARE = 1.0, 10.0
"""Seconds that a count of all positions may take more than the search before it, and that must be
left of the time of the run after it, for compilation."""

PROOF = 2.0
"""Seconds to look for a reason why a puzzle has no solution, after the search."""

TRIED = "Every placement was tried."


class Teller:
    """Tells the server of a run, not too often.

    found  how many solutions it has told, or tells with the next message
    """

    def __init__(self, out: BinaryIO) -> None:
        self.found = 0
        self._out = out
        self._began = monotonic()
        self._next = 0.0
        self._waiting: list[dict[str, Any]] = []

    @property
    def seconds(self) -> float:
        """The seconds that the run has taken."""
        return monotonic() - self._began

    @property
    def is_due(self) -> bool:
        """Whether it is time to tell something."""
        return monotonic() >= self._next or len(self._waiting) >= TOGETHER

    def find(self, solution: dict[str, Any]) -> None:
        """Tell a solution, with the next message."""
        self.found += 1
        self._waiting.append(solution)

    def tell(self, facts: Mapping[str, Any], **end: object) -> None:
        """Send a message; `end`: how the run has ended."""
        facts, seconds = dict(facts), self.seconds
        done = facts.get("done", 0.0)
        left = seconds_left(seconds, done, 1 - done)
        if left is not None and done > LEAST_DONE:
            facts["left"] = round(left, 1)
        facts["seconds"] = round(seconds, 2)
        message = {"facts": facts, "solutions": self._waiting, **end}
        self._out.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        self._out.flush()
        self._waiting, self._next = [], monotonic() + PACE


class CellOwners:
    """Says of solutions which piece covers which cell."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._numbers = {piece.name: at for at, piece in enumerate(model.puzzle.pieces)}
        self._cells = {tuple(cell): at for at, cell in enumerate(model.puzzle.space.cells.tolist())}

    def owners(self, options: Iterable[int]) -> tuple[list[int], list[int]]:
        """For each cell the number of its piece, and of its placement; -1: none."""
        owners = [-1] * len(self._cells)
        parts = [-1] * len(self._cells)
        for part, placement in enumerate(self.model.placements(options)):
            for cell in placement.cells:
                at = self._cells[cell]
                owners[at], parts[at] = self._numbers[placement.piece], part
        return owners, parts

    def said(self, options: Sequence[int]) -> dict[str, Any]:
        """A solution as it is sent to the server."""
        owners, parts = self.owners(options)
        return {
            "options": [*options],
            "owners": owners,
            "parts": parts,
            "symmetric": self.symmetric(options),
        }

    def symmetric(self, options: Sequence[int]) -> bool:
        """Whether a symmetry of the puzzle takes a solution to itself."""
        return fixing(self.model.symmetries.options, options) > 1

    def positions(self, options: Sequence[int], counted: Convention) -> int:
        """How many solutions count as one with this one, itself included."""
        symmetries = self.model.symmetries.selected(counted)
        return len(symmetries) // fixing(symmetries, options)


def search(task: Mapping[str, Any], out: BinaryIO) -> None:
    """Do the task of a run."""
    teller = Teller(out)
    compiled.on_first_compile = lambda message: teller.tell({"why": message})
    try:
        with within(task["seconds"]):
            model = posed("run", task["text"]).puzzle.model
        if task["what"] == "sample":
            _draw(task, model, teller)
        elif task["what"] == "count":
            _count(task, model, teller)
        else:
            _list(task, model, teller)
    except LimitReached:
        teller.tell({}, state="limit")
    except ExactCoverError as error:
        teller.tell({}, state="failed", error=str(error))
    except MemoryError:
        teller.tell({}, state="failed", error=f"it took more than {task['mib']} MiB of memory")


def _draw(task: Mapping[str, Any], model: Model, teller: Teller) -> None:
    """Draw solutions at random."""
    many = min(task["limit"] or SAMPLED, task["keep"])
    memory = int(task["mib"] * MEMORY)
    with within(task["seconds"]):
        drawn = sample(model.puzzle, many, seed=task["seed"], memory=memory)
    drawer = CellOwners(model)
    for solution in drawn:
        teller.find(drawer.said(solution.options))
        if teller.is_due:
            teller.tell({})
    facts = {"solutions": len(drawn), "done": 1.0, "strategy": "states, drawn at random"}
    teller.tell(facts, state="complete" if drawn else "impossible")


def _count(task: Mapping[str, Any], model: Model, teller: Teller) -> None:
    """Count the solutions, and list none."""
    counting = Counting(
        model.puzzle,
        counted=task["unique"],
        strategy=task["strategy"],
        limit=task["limit"],
        time_limit=max(0.0, task["seconds"] - teller.seconds),
        memory=int(task["mib"] * MEMORY) if task["strategy"] is None else None,
    )
    drawer = CellOwners(model)
    with counting:
        while counting.step():
            if teller.is_due:
                teller.tell(_facts(counting, drawer))
        _end(task, counting, drawer, teller)


def _list(task: Mapping[str, Any], model: Model, teller: Teller) -> None:
    """List solutions: one, or all of them."""
    asked = {
        "counted": task["unique"],
        "strategy": task["strategy"],
        "time_limit": max(0.0, task["seconds"] - teller.seconds),
    }
    if task["what"] == "first":
        solving = finding(model.puzzle, workers=1, seed=task["seed"] or 0, **asked)
    else:
        solving = Solving(model.puzzle, limit=task["limit"], tally=True, **asked)
    drawer = CellOwners(model)

    def tell(solving: Solving, **more: object) -> None:
        if teller.is_due:
            teller.tell(_facts(solving, drawer) | more)

    # A run can be stopped at any time: it has found what it has told.
    solving.between = lambda solving: tell(solving, solutions=teller.found)
    with solving:
        more, positions = _hand_over(task, solving, drawer, teller)
        while more and solving.step():
            tell(solving)
        _end(task, solving, drawer, teller, None if more else positions)


def _hand_over(
    task: Mapping[str, Any], solving: Solving, drawer: CellOwners, teller: Teller
) -> tuple[bool, int]:
    """Hand solutions over, as many as the server keeps; that takes time of the run.

    Returns whether there may be more, and how many solutions these are in all positions.
    """
    taken = positions = 0
    solution: Solution
    for solution in solving:
        began = monotonic()
        said = drawer.said(solution.options)
        teller.find(said)
        positions += drawer.positions(solution.options, solving.counted)
        taken += 4 * (2 * len(said["owners"]) + len(said["options"])) + 400
        if teller.found == 1 or teller.is_due:
            teller.tell(_facts(solving, drawer) | {"solutions": teller.found})
        if teller.found >= task["keep"] or taken >= task["bytes"]:
            return True, positions
        solving.elapse(monotonic() - began)
    return False, positions


def _facts(search: Underway, drawer: CellOwners) -> dict[str, Any]:
    """The figures of a running search that are sent to the server."""
    result = search.result
    placed = search.placed
    return {
        "solutions": result.solutions,
        "done": round(search.progress, 6),
        "strategy": result.strategy,
        "why": result.why,
        "board": drawer.owners(placed)[0] if placed else None,
        "profile": [[row.remaining, row.fits, row.nofits] for row in result.by_remaining],
    }


def _end(
    task: Mapping[str, Any],
    search: Underway,
    drawer: CellOwners,
    teller: Teller,
    positions: int | None = None,
) -> None:
    """Tell the end of a search.

    positions  how many solutions there are in all positions; None: not each was looked at
    """
    result = search.result
    state = STATES.get(result.status, result.status)
    if search.limit == 1 and result.solutions:
        state = "complete"
    facts = _facts(search, drawer) | {"board": None, "placements": positions}
    if state in ("complete", "impossible"):
        facts |= {"done": 1.0, "left": 0.0}
    facts["why"] = result.reason or result.why
    if state == "complete" and not result.solutions:
        state = "impossible"
        facts["why"] = result.reason or _reason(drawer.model)
    elif state == "complete" and positions is None and search.limit is None:
        facts["placements"] = _placements(task, drawer.model, result)
    teller.tell(facts, state=state)


def _placements(task: Mapping[str, Any], model: Model, result: Result) -> int | None:
    """How many solutions there are in all positions, if a second count is as quick as the first."""
    if result.counted == "all":
        return result.solutions
    left = task["seconds"] - result.seconds - result.compiling - SPARE
    if left <= 0:
        return None
    seconds, memory = min(result.seconds + AGAIN, left), int(task["mib"] * MEMORY / 4)
    whole = Counting(model.puzzle, counted="all", time_limit=seconds, memory=memory).run()
    return whole.solutions if whole.status == "complete" else None


def _reason(model: Model) -> str:
    """Why a puzzle has no solution, for a reader."""
    from exactcover.app.serving.advice import proved

    if isinstance(model, FloorModel):
        return TRIED
    return str(proved(model, PROOF).get("why", TRIED))
