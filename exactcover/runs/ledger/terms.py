"""The terms of a run: its row in the ledger, the plan made from the row, and the first tasks.

The ledger has the whole puzzle as a text. The run that begins reads this text again, so every later
run makes the same problem, on any machine, without the user's file.

Tasks and solutions are option numbers. They mean something only while the problem has the same
options in the same order, and the filters leave the same of them. A later version may number
options otherwise, so the row has a digest of both, which must agree.

For machines that share nothing a tree is split into parts: part 2 of 4 is every fourth of its
subtrees. These hang some pieces below the root, where there are enough of them that the parts are
about equal. How deep that is follows from the problem, the strategy and the number of parts, not
from the machine or its speed. So each machine finds the same subtrees in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from exactcover.backends.base import Slice, Status
from exactcover.backends.node import ROOT
from exactcover.base import __version__
from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError, LedgerError
from exactcover.formats import Document
from exactcover.formats.files import FormatName, parse, write
from exactcover.problem.filters.registry import source_of
from exactcover.problem.layout import digest_of, pieces_left
from exactcover.puzzle.digest import digest
from exactcover.runs.workers import EVERYTHING, Nodes, SearchJob, SearchOutcome, share_of
from exactcover.search.automatic import automatic
from exactcover.search.clock import Clock
from exactcover.search.plan import Plan, make_plan
from exactcover.search.stages import StageWalk, require_cuttable, start_search
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject


@dataclass(frozen=True)
class Terms:
    """The subject of a run and its strategy.

    puzzle    its name
    form      the format of `text`, which is the whole puzzle
    part      which part of the tree is searched
    parts     how many parts the tree has
    options   how many options the problem has
    reason    why there can be no solution; empty: that is not known
    plan      SHA-256 of the items and options, in their order, and of what the filters leave
    version   of the program that began it
    """

    puzzle: str
    form: FormatName
    text: str
    counted: Convention
    strategy: str
    part: int
    parts: int
    options: int
    reason: str
    plan: str
    version: str

    @property
    def document(self) -> Document:
        """The puzzle."""
        [document] = parse(self.text, self.form, name=self.puzzle)
        return document

    @cached_property
    def job(self) -> SearchJob:
        """The work of the run; raises `LedgerError` if this version makes other work of it."""
        try:
            strategy = Strategy.parse(self.strategy)
        except ExactCoverError as error:
            raise LedgerError(
                f"{self.puzzle}: {error}; what is your own must be loaded again, by --plugin FILE"
            ) from None
        plan = make_plan(_subject(self.document, self.counted), strategy)
        if digest_of_plan(plan, strategy) != self.plan:
            raise LedgerError(
                f"{self.puzzle}: exactcover {__version__} numbers the options of this puzzle in "
                f"another way, or filters otherwise by the strategy {self.strategy!r}, so the "
                "tasks of the ledger mean something else now: resume with version "
                f"{self.version}, and with filters of your own as they were then; or begin again "
                "in another folder"
            )
        return SearchJob(plan, strategy)

    @property
    def digest(self) -> str:
        """The digest of the puzzle."""
        return digest(self.document.content)

    def difference(self, asked: Mapping[str, object]) -> str:
        """The first difference of this run of a ledger from what is asked for; empty: none."""
        for name, told in DIFFERENCES.items():
            if (other := asked.get(name)) is not None and getattr(self, name) != other:
                return told.format(getattr(self, name), other)
        return ""


DIFFERENCES = {
    "puzzle": "has a run of {}, not of {}",
    "digest": "has the puzzle as it was before its file was changed",
    "counted": "counts {}, not {}",
    "strategy": "searches by the strategy {!r}, not {!r}",
    "parts": "splits the tree into {}, not {}",
    "part": "has part {} of the tree, not {}",
    "plan": "numbers the options in another way, or filters otherwise",
}
"""The words about a ledger that has another value than the one asked for."""


def prepared(
    document: Document,
    *,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    part: tuple[int, int] = (1, 1),
) -> Terms:
    """A new run of a puzzle; the arguments are those of `Run.begin`."""
    puzzle = document.puzzle
    form: FormatName = "dlx" if puzzle is None else "toml"
    if puzzle is not None and puzzle.paint is not None:
        form = "xmpuzzle"  # the one format with colours
    text = write([document], form)
    [again] = parse(text, form, name=document.name)
    subject = _subject(again, counted)
    chosen = automatic(subject) if strategy is None else Strategy.of(strategy)
    require_cuttable(chosen)
    plan = make_plan(subject, chosen)
    terms = Terms(
        puzzle=document.name,
        form=form,
        text=text,
        counted=subject.counted,
        strategy=str(chosen),
        part=part[0],
        parts=part[1],
        options=subject.problem.n_options,
        reason=plan.reason,
        plan=digest_of_plan(plan, chosen),
        version=__version__,
    )
    vars(terms)["job"] = SearchJob(plan, chosen)  # which need not be made again
    return terms


def digest_of_plan(plan: Plan, strategy: Strategy) -> str:
    """SHA-256 of the problem, of the options that may be chosen, and of which symmetric copies are
    kept.

    A filter of one's own that is applied at every step leaves nothing in the plan, nor does a
    trigger; they are known by the text of their file.
    """
    summed = sha256(digest_of(plan.problem, plan.subject.layout).encode())
    summed.update(f"{plan.reason}\0".encode())
    summed.update(np.packbits(plan.alive).tobytes())
    if plan.canonical is not None:
        summed.update(np.packbits(plan.canonical.allowed).tobytes())
        summed.update(np.ascontiguousarray(plan.canonical.permutations, "<i4").tobytes())
    for one in (*strategy.stepwise, *strategy.triggers):
        summed.update(source_of(one.kind))
    return summed.hexdigest()


def _subject(document: Document, counted: Convention | None) -> Subject:
    with document.faults_placed():
        return Subject.of(document.content, counted)


# -- parts ----------------------------------------------------------------------------------------

EACH = 30
"""The least number of subtrees in a part, if the tree has enough."""

MOST_PARTS = 10_000

STEPS = 1 << 12
"""Choices that the search for the next subtree makes at once."""


def check_part(number: int, parts: int) -> None:
    """Raise unless there can be a part with this number."""
    if not 1 <= number <= parts <= MOST_PARTS:
        most = f"a part is I/N with I from 1 to N, and N up to {MOST_PARTS:,}"
        raise ExactCoverError(f"part {number}/{parts}: {most}")


def part_of(terms: Terms) -> tuple[Nodes, SearchOutcome | None]:
    """The part of the tree that a run is to search, and what has been done of it: its subtrees are
    the rest of that. The only part of one is the whole tree, of which nothing is done.

    The first part has the fits and no-fits of the search for the subtrees; the others have none, so
    those of all parts add up. Where there can be no solution, nothing is left to search.
    """
    plan, number, parts = terms.job.plan, terms.part, terms.parts
    first = number == 1
    if plan.reason:
        return EVERYTHING, SearchOutcome()
    pieces = pieces_left(plan.problem, plan.subject.layout)
    if parts == 1 or not pieces:  # without pieces, the first part has all there is
        return EVERYTHING, None if first else SearchOutcome()
    time = Clock()
    for cut in range(pieces - 1, -1, -1):
        with time.timing():
            search = start_search(plan, terms.job.strategy, cut=cut)
            mine, total, made = _dealt(search, cut, number, parts)
        if total >= EACH * parts:
            break
    size = -(-len(mine) // EACH) or 1  # a task has neighbours; workers hand back what is too much
    done = SearchOutcome(
        Slice(Status.DONE, fits=made.fits, nofits=made.nofits) if first else Slice(Status.DONE),
        seconds=time.working,
        compiling=time.compiling,
        rest=tuple((*mine[at : at + size],) for at in range(0, len(mine), size)),
    )
    return (ROOT._replace(share=share_of(mine)),), done


def _dealt(search: StageWalk, cut: int, number: int, parts: int) -> tuple[Nodes, int, Slice]:
    """Every Nth of the states that a cut search hands out, in its order; how many it has, and what
    it came to."""
    mine, total, behind = [], 0, 0.0
    slices: list[Slice] = []
    while not slices or slices[-1].status is not Status.DONE:
        made = search.advance(STEPS, capacity=1)
        slices.append(made.without_rows())
        if made.state is not None:
            before, behind = behind, search.where().progress
            if total % parts == number - 1:
                mine.append(made.state._replace(left=cut, share=behind - before))
            total += 1
    return (*mine,), total, Slice.joined(slices, Status.DONE)
