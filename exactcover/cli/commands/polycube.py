"""`polycube`: the switches of polycube; it prints the equal command, and runs the search that they
mean as polycube prints it.

A solution or state is printed in full, on one line, or as a separate puzzle. The tables of attempts
and fits are in polycube's layout, so programs that read its output can read ours. All other lines
are comments.
"""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate, takewhile
from operator import and_, eq
from time import perf_counter

import click
import numpy as np

import exactcover as ec
from exactcover.backends.base import Branching, Slice, Status
from exactcover.backends.node import Node, Residue
from exactcover.base.text import numbered
from exactcover.cli.commands import check
from exactcover.cli.commands.polycube_switches import SWITCHES, PolycubeSwitches, read_switches
from exactcover.cli.ends import DONE, INTERRUPTED, screen
from exactcover.cli.files import GivenPuzzles
from exactcover.cli.progress import Progress, run_search
from exactcover.errors import ExactCoverError, StrategyError
from exactcover.formats import Document
from exactcover.formats.polycube import write_polycube
from exactcover.problem.filters.tree import Chosen
from exactcover.problem.layout import pieces_left
from exactcover.puzzle import Model, Piece, Placement, Puzzle
from exactcover.search.clock import BATCH, MOST_STEPS, Clock, Pace
from exactcover.search.judge import Judge
from exactcover.search.plan import make_plan
from exactcover.search.stages import StageWalk, start_search
from exactcover.search.subject import Subject
from exactcover.show.palette import in_colour
from exactcover.show.text import Drawer, heading

HELP = """\
Usage: exactcover polycube [SWITCHES] [FILE...]

Solve puzzles by the switches of polycube 2.0. A FILE may be the name of a
puzzle that comes with the program; without one, standard input is read.
"""


class Untouched(click.Command):
    """A command that gets its words unparsed: polycube has its own rules for them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["words"] = tuple(args)
        return []


@click.command(cls=Untouched, add_help_option=False, options_metavar="[SWITCHES] [FILE...]")
def polycube(words: tuple[str, ...]) -> int:
    """Solve puzzles by the switches of polycube."""
    try:
        switches = read_switches(words)
        strategy = str(switches.strategy)
    except StrategyError as error:
        raise click.UsageError(str(error)) from None
    if "version" in switches:
        print(f"exactcover {ec.__version__}, switches of polycube 2.0")
        return DONE
    if "help" in switches:
        rows = click.HelpFormatter(width=80)
        with rows.indentation():
            rows.write_dl([(f"{one.both}{one.form}", one.summary) for one in SWITCHES])
        print(HELP, rows.getvalue(), sep="\n", end="")
        return DONE
    info, files = "stats" in switches, switches.files or ("-",)
    if info:
        print(f"# --- CONFIGURATION ---\n# switches: {' '.join(words)} (polycube 2.0)")
    # It has no states that count as solutions, and prints in its own way.
    equal = ["count" if "quiet" in switches else "solve", *files, "--strategy", strategy]
    equal += ["--counted", switches.counted, *["--stats"] * info]
    notes = [f"exactcover {shlex.join(equal)}"]
    notes += [f"note: {name} has no effect here" for name in switches.given.get("", ())]
    if (goal := switches.number("goal")) is not None:
        notes.append(f"a state with {goal} pieces left counts as a solution")
    for note in notes:
        print(f"# {note}", file=sys.stdout if info else sys.stderr)

    def solve(document: Document) -> int:
        walk = Walk(document, switches)
        return run_search(document.name, walk, walk.print_end, Walk.run)

    return GivenPuzzles(files).answer(solve)


class Walk:
    """A search in progress; `stop` ends it from a signal handler.

    With a trace, placements and removals are printed too, one step at a time. States that become
    separate puzzles are refused if their counts would not add up.
    """

    def __init__(self, document: Document, switches: PolycubeSwitches) -> None:
        self._began = perf_counter()
        self._document, self._switches = document, switches
        self._boards = Boards(document, *switches.format)
        self._subject = Subject.of(document.content, switches.counted)
        self._layout = self._subject.layout
        self._plan = make_plan(self._subject, switches.strategy)
        self.found, self._sum = 0, Slice(Status.BUDGET)
        self._clock = Clock()
        self._finished = self._stopped = False
        self._judge = None if "goal" in switches else Judge(self._plan)
        self._search: StageWalk | None = None
        if "stats" in switches:
            self._print_properties()

    def stop(self) -> None:
        """End the search after the step that it is in."""
        self._stopped = True

    @property
    def progress(self) -> float:
        """The searched share of the tree, 0 to 1."""
        return 0.0 if self._search is None else self._search.where().progress

    def _cut(self) -> int | None:
        """How many pieces are left where a state counts as a solution.

        The count of a part breaks no symmetry, so the constrained piece is in each part, and must
        break all symmetries alone.
        """
        goal = self._switches.number("goal")
        if goal is None or self._subject.permutations is None or not self._switches.splits:
            return goal
        if self._plan.canonical is not None:
            raise ExactCoverError(
                "the parts would not add up, since the piece of -r leaves rotated copies of "
                "solutions: name another with -r=PIECE, or leave -r out"
            )
        return min(goal, self._left(()) - 1) if self._plan.first else goal

    # -- searching --------------------------------------------------------------------------------

    def run(self, progress: Progress) -> None:
        """Search to the end, and print solutions and steps."""
        how, cut = Branching(tally="stats" in self._switches), self._cut()
        if self._plan.reason:
            self._finished = True
            return
        with self._clock.running():
            search = start_search(self._plan, self._switches.strategy, how, cut)
        self._search = search
        traced, splits = "trace" in self._switches, self._switches.splits
        shown = "quiet" not in self._switches
        # Whether the solutions themselves are needed, and not only their number.
        keep = shown or traced or splits or (self._judge is not None and self._judge.looks)
        stack = search.where().chosen if traced else ()
        capacity, most = 1 if traced or splits else BATCH, 1 if traced else MOST_STEPS
        made, pace = Slice(Status.BUDGET), Pace()
        while not self._stopped and made.status is not Status.DONE:
            steps = min(pace.begin(), most)
            with self._clock.running():
                made = search.advance(steps, capacity=capacity, keep=keep)
            pace.learn(spent=made.status is Status.BUDGET)
            self._sum = Slice.joined([self._sum, made.without_rows()], made.status)
            progress.show(self)
            if traced or shown:
                screen.clear()
            if traced and len(made):
                stack = self._stepped(stack, _ordered(made.solution(0), stack, search))
            if splits and len(made) and made.state is not None:
                self._check_part(made.solution(0), made.state)
            for options in (made if self._judge is None else self._judge(made)).solutions:
                self.found += 1
                if shown:
                    print(self._boards.solution(self.found, options))
            if traced:
                stack = self._stepped(stack, search.where().chosen)
            if not keep:
                self.found += made.found
        self._finished = not self._stopped

    def _stepped(self, before: Chosen, after: Chosen) -> Chosen:
        """Print the removals and placements between two states; return the second."""
        common = sum(accumulate(map(eq, before, after), and_))
        for size in range(len(before) - 1, common - 1, -1):
            self._print_step("REMOVED", before[:size])
        for size in range(common + 1, len(after) + 1):
            self._print_step("PLACED", after[:size])
        return after

    def _print_step(self, kind: str, chosen: Chosen) -> None:
        """Print a state after a step, if `-t` wants one with this number of pieces left."""
        left, level = self._left(chosen), self._switches.number("trace") or 0
        least = level - 1 if kind == "PLACED" else level
        if (left == 1 - level and kind == "PLACED") if level < 0 else left >= least:
            print(f"# {kind}, {left} LEFT\n{self._boards.state(chosen)}")

    def _left(self, chosen: Chosen) -> int:
        return pieces_left(self._plan.problem, self._layout, chosen)

    def _check_part(self, chosen: Chosen, below: Node) -> None:
        """Refuse a state unless its solutions are exactly those of a puzzle with its pieces
        placed."""
        assert below.allowed is not None
        assert self._layout is not None
        left = Residue.of(self._plan.problem, Node(chosen, self._plan.alive)).options
        several = self._layout.copies[:, 1] > 1
        shapes = self._layout.option_shape[left]
        if ((shapes >= 0) & several[shapes] & ~below.allowed[left]).any():
            raise ExactCoverError(
                f"a state with {self._left(chosen)} pieces left was come to after other copies "
                "of a piece had been tried, which a puzzle cannot say: its part of the solutions "
                "would be counted twice. Fill cells instead of placing pieces, as with -o x"
            )

    # -- comments and tables ----------------------------------------------------------------------

    def _print_properties(self) -> None:
        """The puzzle's properties, and the options that the filters removed before the search."""
        print(f"# --- PUZZLE {self._document.name} ---")
        for line in [*check.lines(check.facts(self._document))][1:]:
            print(f"# {line}")
        for one in self._plan.applied:
            note = f" ({one.note})" if one.note else ""
            print(f"# {one.filter}: {one.removed} options removed, {one.left} left{note}")

    def print_end(self) -> int:
        """Print the number of solutions, and with `-i` the figures of the search: attempts and fits
        by the number of pieces left before each; return the exit status."""
        reason, status = self._plan.reason, DONE if self._finished else INTERRUPTED
        end = f": {reason}" if reason else "" if self._finished else ", interrupted"
        counted = self._document.counted_as(self._switches.counted)
        total = f"# {self.found} solutions ({counted}){end}"
        if "stats" not in self._switches:
            sys.stdout.flush()
            print(total, file=sys.stderr)
            return status
        print("# --- STATISTICS ---")
        tally = self._sum.tally
        lefts = sorted(left for left in tally if left > 0)
        digits = max(2, len(str(max(lefts, default=0))))
        for title, name in (("placement attempts", "ATTEMPTS"), ("fits", "FITS")):
            print(f"# Number of {title} when N pieces were left to be placed:")
            counts = [getattr(tally[left], name.lower()) for left in lefts]
            width = max((len(str(count)) for count in counts), default=1)
            for left, count in zip(lefts, counts, strict=True):
                print(f"{name}[{left:{digits}}]= {count:{width}}")
        print(f"# total: {self._sum.choices} attempts, {self._sum.fits} fits")
        print(total)
        print(f"# search time: {clock(self._clock.seconds)}")
        print(f"# run time:    {clock(perf_counter() - self._began)}")
        return status


def clock(seconds: float) -> str:
    """A time as polycube prints it, hh:mm:ss.mmm."""
    minutes, milli = divmod(round(seconds * 1000), 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{milli // 1000:02}.{milli % 1000:03}"


def _ordered(found: Chosen, before: Chosen, search: StageWalk) -> Chosen:
    """A state as a stack that has the longest possible beginning in common with the one before."""
    now = search.where().chosen
    if sorted(now) == list(found):
        return now
    kept = tuple(takewhile(found.__contains__, before))
    return (*kept, *(option for option in found if option not in kept))


# -- solutions and states --------------------------------------------------------------------------


class Boards:
    """Writes the states of one puzzle in one format.

    amount  `F`: in full, `B`: on one line, `S`: as a puzzle in which the placed pieces stay put
    way     `L`: drawn, `C`: by coordinates
    """

    def __init__(self, document: Document, amount: str, way: str) -> None:
        self._document, self._model = document, document.model
        self._amount, self._way = amount, way
        self._drawer: Drawer | None = None
        if amount == "S":
            self.state(())  # raises where the format cannot represent the puzzle
        elif self._model is not None and way == "L":
            colour = in_colour("color", "auto", sys.stdout)
            # polycube draws copies alike.
            self._drawer = Drawer(self._model.puzzle, colour=colour, letters=True, marked=False)

    def solution(self, number: int, options: tuple[int, ...]) -> str:
        """A solution, or a state that counts as one, under its heading."""
        text = self.state(options)
        return text if self._amount == "B" else f"{heading(number)}\n{text}"

    def state(self, options: tuple[int, ...]) -> str:
        """The pieces of these options in their places; no line break at the end."""
        document, model = self._document, self._model
        if self._amount == "S":
            content = document.content if model is None else _with_placed(model, options)
            part = Document(document.name, content)
            return write_polycube([part], drawn=self._way == "L").rstrip("\n")
        if model is None:
            lines: Iterable[str] = map(" ".join, map(document.problem.words_of, options))
        elif self._drawer is not None:
            lines = self._drawer.draw(model.placements(options)).split("\n")
        else:
            lines = map(_coordinates, model.placements(options))
        return (" / " if self._amount == "B" else "\n").join(lines)


def _coordinates(placement: Placement) -> str:
    """A piece in its place, as a line of a puzzle file."""
    cells = ((*cell, 0) if len(cell) == 2 else cell for cell in placement.cells)
    layout = ", ".join(" ".join(map(str, cell)) for cell in cells)
    return f"C:name={placement.piece}:type=S:layout={layout}"


def _with_placed(model: Model, options: Iterable[int]) -> Puzzle:
    """The puzzle with the pieces of these options stationary: the part below a state of a search.

    Its solutions are those of the whole that have these pieces where they lie. One copy of several
    has a number behind the name of its piece.
    """
    puzzle = model.puzzle
    placed = model.placements(sorted(options))[len(puzzle.stationary) :]
    used = Counter(placement.piece for placement in placed)
    left = []
    for piece in puzzle.pieces:
        many = 0 if piece.stationary else used[piece.name]
        if not many or piece.high != many:
            high = None if piece.high is None else piece.high - many
            left.append(replace(piece, low=max(0, piece.low - many), high=high))
    names = numbered([placement.piece for placement in placed], {piece.name for piece in left})
    stationary = [
        Piece(own, np.array(placement.cells, np.int64), stationary=True)
        for own, placement in zip(names, placed, strict=True)
    ]
    return replace(puzzle, pieces=(*left, *stationary))
