"""How many solutions there are, without listing any.

States that agree in the node of the automaton and in the pieces used are one state, with the number
of ways that lead there. The number of states rises up to the middle of the board and falls again.
So they are counted from both ends, always one level at the end with fewer states, until the two
meet. If the number of copies of a piece is a range, the pieces placed do not determine the pieces
left, and the count goes forward only. If no piece is limited, a state is only a node, and the
automaton itself is not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton import dealing
from exactcover.backends.automaton.copy_fields import CopyFields
from exactcover.backends.automaton.expecting import TOO_MANY, ExpectedStates, most_at_once
from exactcover.backends.automaton.flow import Flow, whole
from exactcover.backends.automaton.joining import Joining
from exactcover.backends.automaton.memory import (
    EARLIEST,
    Memory,
    expected_nodes,
    expected_sizes,
    expected_total,
)
from exactcover.backends.automaton.relaxed import MIXER, NODE_BYTES, Automaton, Building
from exactcover.backends.automaton.spill import Spilled
from exactcover.backends.automaton.states import StateLevels
from exactcover.backends.automaton.sweep import Sweep
from exactcover.backends.automaton.tables import STATES, KeyFormat, StateTable, filled
from exactcover.backends.crew import Crew
from exactcover.backends.kinds import Ask, Outlook
from exactcover.errors import BrokenSearch

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

UNKNOWN = Outlook(0.0, 0.0, 0)

MANY_NODES = 1 << 12
"""Fewer nodes make no estimate."""

NODE_WORK = 2
"""A node of the automaton takes about as long as this many states."""


class AutomatonCount:
    """A count under way: `advance` until it is done, then the number is in `count`.

    crew  threads that make large levels side by side; None: one thread
    """

    def __init__(
        self,
        sweep: Sweep,
        used: CopyFields,
        memory: Memory,
        mixer: np.uint64 = MIXER,
        crew: Crew | None = None,
    ) -> None:
        self._crew = crew
        self._sweep, self._used, self.memory, self._mixer = sweep, used, memory, mixer
        self._begin()

    def _begin(self) -> None:
        self.count: int | None = None
        self.states = 0
        self.nodes = 0
        self.levels = (0, self._sweep.n_cells)
        self._behind = 0.0
        self._steps = [0]
        self._work = self._counted()
        self._outlook: Callable[[], Outlook] = unknown
        self._looked: tuple[int, Outlook] = (-1, UNKNOWN)

    def __getstate__(self) -> dict[str, Any]:
        """All but the work: a copy of a count that is not done begins it again."""
        return self.__dict__ | {"_work": iter(()), "_outlook": unknown}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.count is None:
            self.memory = self.memory.emptied()
            self._begin()

    @property
    def ask(self) -> Ask | None:
        """Asked before states take more than `FREELY`; None: they may."""
        return self.memory.ask

    @ask.setter
    def ask(self, ask: Ask | None) -> None:
        self.memory.ask = ask

    @property
    def outlook(self) -> Outlook:
        """The share of the work that is done, and the expected memory."""
        work = self.nodes + self.states
        if self._looked[0] != work:
            self._looked = (work, self._outlook())
        return self._looked[1]

    def advance(self, steps: int) -> bool:
        """Count on for about this many edges; return whether it is done.

        Raises `BrokenSearch` if an earlier call has raised an error: what it had made is lost.
        """
        self._steps[0] = steps
        while self.count is None and self._steps[0] > 0:
            if next(self._work, True) and self.count is None:
                raise BrokenSearch
        return self.count is not None

    def progress(self) -> float:
        """The share of the levels that is made, 0 to 1."""
        return 1.0 if self.count is not None else self._behind

    def run(self) -> int:
        """Count to the end."""
        while not self.advance(1 << 22):
            pass
        assert self.count is not None
        return self.count

    def _counted(self) -> Iterator[None]:
        sweep, used = self._sweep, self._used
        if sweep.board.hopeless or used.hopeless:
            self.count = 0
        elif not sweep.n_cells:
            self.count = int(used.enough(used.start[None])[0])
        elif not used.any:
            yield from self._flow()
        else:
            yield from self._meet()

    def _flow(self) -> Iterator[None]:
        """No piece is limited."""
        flow = Flow(self._sweep, self.memory, self._mixer)
        reach = max(self._sweep.sizes, default=1)
        self._outlook = lambda: of_nodes(flow.sizes, self._sweep.n_cells, reach)
        for _ in flow.levels(self._steps):
            self.nodes = self.states = flow.states
            self._behind = flow.done / self._sweep.n_cells
            self.levels = (flow.done, self._sweep.n_cells)
            yield
        self.count = flow.count

    # -- pieces are limited -------------------------------------------------------------------

    def _meet(self) -> Iterator[None]:
        """From both ends, or forward only, until the levels meet."""
        building = Building(self._sweep, self._used, self.memory, self._mixer)
        self._outlook = lambda: of_nodes(building.sizes, self._sweep.n_cells)
        while True:
            left = building.advance(self._steps[0])
            self._steps[0] = left
            self.nodes = building.made
            self._behind = building.progress() / 2
            if building.automaton is not None:
                break
            yield
        automaton = building.automaton
        self.nodes = building.made
        if not automaton.n_nodes:
            self.count = 0
            return
        yield from self._levels(automaton)

    def _levels(self, automaton: Automaton) -> Iterator[None]:
        used, key_format = self._used, KeyFormat.of(automaton)
        arguments = automaton, self.memory, self._mixer
        ahead = StateLevels(*arguments, forward=True, key_format=key_format, crew=self._crew)
        ways = [ahead]
        if used.all_exact:
            back = StateLevels(*arguments, forward=False, key_format=key_format, crew=self._crew)
            ways.append(back)
        if self.nodes >= MANY_NODES:
            states, base = ExpectedStates.of(automaton), self.memory.taken
            self._outlook = lambda: self._expected(states, ways, base)
        try:
            yield from self._ahead(ahead) if len(ways) == 1 else self._towards(*ways)
        finally:
            for levels in ways:
                levels.drop()

    def _ahead(self, ahead: StateLevels) -> Iterator[None]:
        """Forward only."""
        last = self._sweep.n_cells
        for number in range(1, last + 1):
            yield from self._make(ahead, number)
            self.levels = (number, last)
        self.count = _enough(ahead.tables[last], self._used)

    def _towards(self, ahead: StateLevels, back: StateLevels) -> Iterator[None]:
        """From both ends, always where there are fewer states."""
        last = self._sweep.n_cells
        front, rear = 1, last
        while front < rear:
            if ahead.frontier(front) <= back.frontier(rear - 1):
                yield from self._make(ahead, front)
                front += 1
            else:
                rear -= 1
                yield from self._make(back, rear)
            self.levels = (front - 1 + last - rear, last)
            self._behind = 0.5 + (front + last - rear) / last / 2
        yield from self._joined(ahead, back, front)

    def _make(self, levels: StateLevels, number: int) -> Iterator[None]:
        before = levels.made
        yield from levels.make(number, self._steps)
        self.states += levels.made - before
        levels.drop_behind(number)
        yield

    def _expected(self, expected: ExpectedStates, ways: list[StateLevels], base: int) -> Outlook:
        """The outlook while states are counted beside the automaton, which has `base` bytes."""
        last, reach = self._sweep.n_cells, max(self._sweep.sizes, default=1)
        ahead, back = ways[0].rows, ways[1].rows if len(ways) > 1 else {}
        coming = expected.coming(len(ahead), min(back, default=last + 1), ahead, back)
        states = sum(map(sum, coming)) / TOO_MANY
        made = NODE_WORK * self.nodes + self.states
        both = zip((ahead, back), coming, strict=True)
        most = sum(most_at_once([*map(float, rows.values()), *more], reach) for rows, more in both)
        return Outlook(made, made + states, int(base + most * ways[0].each))

    def _joined(self, ahead: StateLevels, back: StateLevels, cut: int) -> Iterator[None]:
        """Add up the ways along every edge from a level before the cut to one at it or behind."""
        total = 0
        for number, source in ahead.tables.items():
            for goal in (number + size for size in self._sweep.sizes):
                level = back.tables.get(goal)
                if number >= cut or goal < cut or level is None or not source.rows:
                    continue
                key_format, direction = source.key_format, ahead.direction
                room = direction.room(number, goal)
                self.memory.take(room, STATES, self.states)
                steps = direction.steps(number, goal, direction.closed(goal))
                most = int(np.diff(steps.starts).max(initial=0))
                large = self.memory.folder is None and source.rows >= dealing.LARGE
                crew = self._crew if large else None
                joining = Joining(key_format, source.limbs, steps, most, self._mixer, crew)
                for other, cells in _pairs(source, level, self.memory, self._mixer):
                    total += yield from joining.total(cells, other, self._steps)
                self.memory.give(room)
        self.count = total


def unknown() -> Outlook:
    """The outlook before anything is counted."""
    return UNKNOWN


def of_nodes(sizes: list[int], levels: int, held: int | None = None) -> Outlook:
    """The outlook while nodes are made, from the nodes of each level so far.

    held  the levels in memory at once; then no states are counted later. None: all of them
    """
    if EARLIEST * len(sizes) < levels and sum(sizes) < MANY_NODES:
        return UNKNOWN
    made = sum(sizes)
    if held is None:
        nodes = max(float(made), expected_nodes(sizes, levels))
        return Outlook(NODE_WORK * made, (NODE_WORK + 1) * nodes, int(nodes * NODE_BYTES))
    nodes = max(float(made), expected_total(sizes, levels))
    most = most_at_once(expected_sizes(sizes, levels), held)
    return Outlook(NODE_WORK * made, NODE_WORK * nodes, int(most * NODE_BYTES))


def _pairs(
    source: StateTable | Spilled, level: StateTable | Spilled, memory: Memory, mixer: np.uint64
) -> Iterator[tuple[StateTable, Bits]]:
    """Each table of a level with each part of a source."""
    if source.rows and level.rows:
        for other in level.hashed(memory, mixer):
            for cells in source.parts(source.limbs):
                yield other, cells


def _enough(table: StateTable | Spilled, used: CopyFields) -> int:
    """The sum of the counts of the states that have as many of each piece as must be."""
    total, words = 0, table.key_format.words
    for cells in table.parts(table.limbs):
        rows = filled(table.key_format, table.limbs, cells)
        fine = used.enough(table.key_format.used(rows[:, :words]))
        total += sum(whole(counts) for counts in rows[fine, words:])
    return total
