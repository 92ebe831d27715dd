"""How far a long run is: sums over its ledger, read at any time, also while it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactcover.runs.ledger.ledger import Ledger, RunTotals, Terms
from exactcover.runs.ledger.lock import Holder, holder
from exactcover.search.result import Result


@dataclass(frozen=True)
class Standing:
    """How far the run of one puzzle is.

    parts      the parts of the tree in this ledger, of `terms.parts`
    symmetric  how many of the solutions have each group of symmetries
    at_work    who searches now; None: nobody
    stopped_by `time` if a time limit has just stopped it
    """

    terms: Terms
    totals: RunTotals
    parts: tuple[int, ...]
    symmetric: dict[str, int]
    at_work: Holder | None = None
    stopped_by: str = ""

    @property
    def missing(self) -> tuple[int, ...]:
        """The parts that are not in this ledger."""
        return tuple(n for n in range(1, self.terms.parts + 1) if n not in self.parts)

    @property
    def status(self) -> str:
        """`complete`, `impossible`, `searching`, `limit` or `interrupted`; `part` if parts of the
        tree are missing, and all others are done."""
        if self.terms.reason:
            return "impossible"
        if not self.totals.tasks_waiting:
            return "part" if self.missing else "complete"
        if self.at_work is not None:
            return "searching"
        return "limit" if self.stopped_by else "interrupted"

    @property
    def left(self) -> float | None:
        """The seconds until it is done, if it is searched now."""
        seconds = self.totals.seconds_left
        if self.at_work is None or seconds is None:
            return None
        return seconds / max(1, self.at_work.workers)

    @property
    def result(self) -> Result:
        """The same as the result of a search."""
        totals = self.totals
        return Result(
            status="interrupted" if self.status == "part" else self.status,
            solutions=totals.solutions,
            counted=self.terms.counted,
            fits=totals.fits,
            nofits=totals.nofits,
            seconds=totals.seconds,
            compiling=totals.compiling,
            strategy=self.terms.strategy,
            reason=self.terms.reason,
            symmetric=self.symmetric,
            stopped_by=self.stopped_by,
        )

    def record(self) -> dict[str, Any]:
        """The same for a script."""
        totals = self.totals
        record: dict[str, Any] = {
            "puzzle": self.terms.puzzle,
            **self.result.record(),
            "status": self.status,
            "done": round(totals.done, 6),
            "tasks_done": totals.tasks_done,
            "tasks_waiting": totals.tasks_waiting,
            "workers": 0 if self.at_work is None else self.at_work.workers,
            "left": None if self.left is None else round(self.left, 1),
        }
        if self.terms.reason:
            record["reason"] = self.terms.reason
        if self.terms.parts > 1:
            record |= {"parts": self.terms.parts, "missing": list(self.missing)}
        if self.symmetric:
            record["symmetries"] = self.symmetric
        return record


def standing_of(
    ledger: Ledger, run: int, at_work: Holder | None = None, stopped_by: str = ""
) -> Standing:
    """How far one run of a ledger is."""
    return Standing(
        terms=ledger.runs()[run],
        totals=ledger.totals(run),
        parts=tuple(ledger.parts(run)),
        symmetric=ledger.symmetric(run),
        at_work=at_work,
        stopped_by=stopped_by,
    )


def standings(folder: str | Path) -> list[Standing]:
    """How far the runs in a directory are; it changes nothing there.

    folder  the directory of a run

    Raises `LedgerError` if there is no ledger, or if it is damaged.
    """
    at_work = holder(Path(folder))
    # The run that is going on has read all of it when it began.
    with Ledger.open(folder, check=at_work is None) as ledger, ledger.unchanging():
        return [standing_of(ledger, run, at_work) for run in ledger.runs()]
