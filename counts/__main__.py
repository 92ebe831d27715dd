"""Count every row of `counts/known.csv` by two engines: `make counts`.

    python -m counts                        1 s of the processor for each engine, then 5, then 60
    python -m counts --limits 600           more
    python -m counts --only Soma            rows whose id, name or source has this text
    python -m counts --open                 rows that are not settled
    python -m counts counts/new.csv         another list; in this one the number is our own

Each count is a line of JSON in `build/counts.jsonl`, written when it ends. A second call skips what
is there, so a run that was killed goes on. Remove the file to count everything again. What the
limits do not reach keeps its number in the list.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from math import inf
from pathlib import Path
from time import process_time

import exactcover as ec
from counts.known import (
    EXHIBITED,
    FILE,
    LISTINGS,
    NEW,
    PROOF,
    KnownCount,
    engine_of,
    independent,
    read_known,
    write_known,
)
from counts.parts import count_by_parts
from counts.relaxation import inequality
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.errors import CapabilityError, LimitReached, StrategyError, TooLarge
from exactcover.formats.shipped import located
from exactcover.search.automatic import automatic
from exactcover.search.subject import Subject
from exactcover.trust.placements import PlacementCheck
from exactcover.trust.proofs import check_certificate, find_proof

RESULTS = Path("build/counts.jsonl")

EXHIBITS = FILE.parent / "exhibited.jsonl"
"""A solution of each puzzle whose published number, 0, it refutes."""

STATES = "automaton:narrow memory=3000"
SUBPROBLEMS = "memo:f"
CLAUSES = "cpsat:s"

FEW = 2_000
"""A solver of clauses lists solutions slowly: it is asked for at most this number of them."""

MANY = 100_000
"""Solutions are counted by parts only where at most this number is published."""


@dataclass(frozen=True)
class Counted:
    """The outcome of one engine on one puzzle; `number` is None if there is none within `limit`."""

    puzzle: str
    counted: Convention
    strategy: str
    number: int | None
    seconds: float
    limit: float
    reason: str = ""

    @property
    def ended(self) -> bool:
        """Whether more time would not help."""
        return self.number is not None or self.limit == inf


class Ledger:
    """The counts that are done, in a file with a line for each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[tuple[str, str, str], Counted] = {}
        if path.exists():
            whole, end, cut = path.read_text("utf-8").rpartition("\n")
            if cut:  # a killed run may have cut off its last line
                path.write_text(whole + end, "utf-8")
            for line in whole.splitlines():
                self._keep(Counted(**json.loads(line)))

    def _keep(self, one: Counted) -> None:
        self._known[one.puzzle, one.counted, one.strategy] = one

    def get(self, puzzle: str, counted: Convention, strategy: str) -> Counted | None:
        """The count of a puzzle by an engine."""
        return self._known.get((puzzle, counted, strategy))

    def tried(self, puzzle: str) -> float:
        """The most time that an engine has had for a puzzle without coming to an end; 0: none."""
        ends = self._known.items()
        return max(
            (one.limit for (key, *_), one in ends if key == puzzle and not one.ended), default=0
        )

    def add(self, one: Counted) -> None:
        """Keep a count, in the file too."""
        self._keep(one)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(one)) + "\n")


def key_of(row: KnownCount) -> str:
    """A digest of what the row states; of a file, of what is in it."""
    stated: list[str] = [row.lattice, row.pieces, row.region]
    if row.file:
        stated = [located(row.file.partition("#")[0])[0].read_text("utf-8")]
        stated.append(row.file.partition("#")[2])
    return blake2b(json.dumps(stated).encode(), digest_size=12).hexdigest()


class Row:
    """A row to be counted: its puzzle is made when it is needed."""

    def __init__(self, row: KnownCount, ledger: Ledger, exhibits: Path = EXHIBITS) -> None:
        self.row, self.ledger, self.key, self._exhibits = row, ledger, key_of(row), exhibits
        self._content: ec.Puzzle | ec.Problem | None = None

    @property
    def content(self) -> ec.Puzzle | ec.Problem:
        """The puzzle."""
        if self._content is None:
            self._content = self.row.content()
        return self._content

    def settle(self, limit: float) -> KnownCount:
        """The row with the numbers of two engines, as far as they come to an end in this time."""
        if self._is_settled():
            return self.row
        if self.row.expected == 0:
            argued = self._argued(limit)
            if argued is not None:
                return argued
        ends = self._agreeing(self.row.counted, limit)
        found, seconds = self._outcome(ends)
        row = replace(self.row, otherwise="", engine="", second_engine="", seconds="", found=None)
        if found is None:
            row = self.row
        else:
            engines = [end.strategy for end in ends]
            row = replace(
                row, found=found, engine=engines[0], second_engine=engines[1], seconds=seconds
            )
            if found != row.expected:
                row = replace(row, otherwise=self._otherwise(limit))
        return replace(row, verdict=row.judged())

    def _argued(self, limit: float) -> KnownCount | None:
        """The row of a puzzle that is said to have no solution, by a proof or by a solution."""
        problem = (
            self.content if isinstance(self.content, ec.Problem) else self.content.model.problem
        )
        began = process_time()
        proof = find_proof(problem, seconds=limit)
        coloured = proof is not None and check_certificate(problem, proof)
        if coloured or inequality(problem) is not None:
            row = replace(self.row, found=0, engine=PROOF[0], second_engine=PROOF[1])
        elif isinstance(self.content, ec.Puzzle) and self._exhibited(self.content, limit):
            note = f"A solution is in {EXHIBITS.name}, each placement checked by itself."
            row = replace(self.row, otherwise="least 1", note=note)
            row = replace(row, engine=EXHIBITED[0], second_engine=EXHIBITED[1])
        else:
            return None
        row = replace(row, seconds=f"{process_time() - began:.3g}")
        return replace(row, verdict=row.judged())

    def _exhibited(self, puzzle: ec.Puzzle, limit: float) -> bool:
        """Whether a solution is found; it is checked and kept."""
        try:
            solution = ec.first(puzzle, time_limit=limit)
        except LimitReached:
            return False
        if solution is None or PlacementCheck(puzzle).fault(solution.placements):
            return False
        line = {
            "id": self.row.id,
            "solution": [[one.piece, one.cells] for one in solution.placements],
        }
        with self._exhibits.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line, separators=(",", ":")) + "\n")
        return True

    def _is_settled(self) -> bool:
        """Whether the numbers of the row are those in the ledger."""
        row = self.row
        if (row.engine, row.second_engine) in (PROOF, EXHIBITED):
            return True
        kept = [self.ledger.get(self.key, row.counted, e) for e in (row.engine, row.second_engine)]
        same = all(one is not None and one.number == row.found for one in kept)
        return same and row.found is not None and (row.found == row.expected or row.otherwise != "")

    def _otherwise(self, limit: float) -> str:
        parts = []
        for counted in CONVENTIONS:
            if counted != self.row.counted and isinstance(self.content, ec.Puzzle):
                number, _ = self._outcome(self._agreeing(counted, limit))
                if number is not None:
                    parts.append(f"{counted} {number}")
        if isinstance(self.content, ec.Puzzle) and self.row.expected <= MANY:
            by_parts = count_by_parts(self.content)
            if by_parts is not None:
                parts.append(f"parts {by_parts}")
        return ", ".join(parts)

    def _outcome(self, ends: Sequence[Counted]) -> tuple[int | None, str]:
        """The number of two engines that agree, and their seconds."""
        if not ends:
            return None, ""
        numbers = {end.number for end in ends}
        if len(numbers) > 1:
            raise SystemExit(f"{self.row.id}: engines differ: {ends}")
        return ends[0].number, f"{sum(end.seconds for end in ends):.3g}"

    def _agreeing(self, counted: Convention, limit: float) -> list[Counted]:
        """Counts by two independent engines; none if no two come to an end."""
        ends: list[Counted] = []
        for strategy in self._strategies(counted, ends):
            one = self._count(counted, strategy, limit)
            if one.number is not None:
                for other in ends:
                    if independent(other.strategy, strategy):
                        return [other, one]
                ends.append(one)
            if strategy == STATES and not ends:
                break
        return []

    def _strategies(self, counted: Convention, ends: Sequence[Counted]) -> Iterator[str]:
        """The engines to try, until two have come to an end: first those that the row names."""
        if counted == self.row.counted and self.row.second_engine:
            yield self.row.engine
            yield self.row.second_engine
        if not ends:
            yield self._listing(counted)
            yield STATES
        for strategy in (SUBPROBLEMS, CLAUSES):
            few = not ends or (ends[0].number or 0) <= FEW
            if strategy != CLAUSES or few:
                yield strategy
        yield from LISTINGS

    def _listing(self, counted: Convention) -> str:
        """The strategy that lists the solutions by default."""
        strategy = str(automatic(Subject.of(self.content, self._convention(counted))))
        return strategy if engine_of(strategy) != "planes" else "dlx:s"

    def _convention(self, counted: Convention) -> Convention | None:
        """A plain problem has no symmetries: all solutions count."""
        return counted if isinstance(self.content, ec.Puzzle) else None

    def _count(self, counted: Convention, strategy: str, limit: float) -> Counted:
        known = self.ledger.get(self.key, counted, strategy)
        if known is not None and (known.number is not None or known.limit >= limit):
            return known
        began, number, reason = process_time(), None, ""

        def check(_: object) -> None:
            if process_time() - began > limit:
                raise LimitReached(0, limit)

        try:
            number = ec.count(
                self.content,
                counted=self._convention(counted),
                strategy=strategy,
                progress=check,
            )
        except (LimitReached, TooLarge) as error:
            reason = str(error)
        except (CapabilityError, StrategyError) as error:
            reason, limit = str(error), inf
        seconds = round(process_time() - began, 3)
        one = Counted(self.key, counted, strategy, number, seconds, limit, reason[:160])
        self.ledger.add(one)
        return one


def main(arguments: Sequence[str] | None = None) -> int:
    """Count the rows and write the list; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m counts", description="Count known puzzles.")
    parser.add_argument("list", nargs="?", type=Path, default=FILE)
    parser.add_argument("--limits", nargs="+", type=float, default=[1.0, 5.0, 60.0], metavar="S")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--open", action="store_true", help="only rows that are not settled")
    given = parser.parse_args(arguments)
    ledger = Ledger(RESULTS)
    rows = list(read_known(given.list))
    for limit in given.limits:
        # Rows that nobody has tried come first, so that quick ones do not wait for long ones.
        for number in sorted(range(len(rows)), key=lambda n: ledger.tried(key_of(rows[n]))):
            row = rows[number]
            wanted = given.only.lower() in f"{row.id} {row.name} {row.source}".lower()
            wanted &= not given.open or row.verdict == "not settled"
            if not (wanted and row.expressible) or ledger.tried(key_of(row)) >= limit:
                continue
            settled = Row(row, ledger).settle(limit)
            if given.list.name == NEW.name and settled.found is not None:
                settled = replace(settled, expected=settled.found, otherwise="")
                settled = replace(settled, verdict=settled.judged())
            if settled != row:
                rows[number] = settled
                sys.stdout.write(f"{row.id}: {settled.found} {settled.verdict}\n")
                sys.stdout.flush()
                write_known(rows, given.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
