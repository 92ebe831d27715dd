"""The sampler: subtrees of a search, drawn at random from all parts of its tree.

The states at one level of a tree are counted exactly, which is quick. Of the subtrees below them
some are drawn, at even distances from a random start. What is found below these, times the number
of states, is an estimate for the whole search: its choices, see `size`, or its seconds, see
`racing`.

If the subtrees at the level are long, each subtree drawn is replaced by one below it, which counts
for all its siblings (D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

import numpy as np

from exactcover.backends.base import CuttingSearch, Status, Task
from exactcover.search.openings import Openings
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy

STEPS = 1 << 18
"""Choices between two moments at which sampling may be stopped, about 5 ms."""

PROBE = 1 << 15
"""The choices that searching one subtree should take on average."""

LONG = 1 << 16
"""The most choices of a subtree, if the subtrees at the level are long."""

FEWEST, MOST = 48, 1 << 14
"""The states that a level should have: at least, and at most."""

COUNTED = 1 << 22
"""The most choices that counting the states of a level may take."""

SHORT, LOOKED_AT = 4, 4
"""Subtrees are drawn again if the first few of them make this many times fewer choices than they
should."""

UNKNOWN = 0.02
"""The least progress that a subtree is taken to have made when it is not finished."""

SIBLINGS = 8
"""The fewest states from which a subtree below another one is drawn."""

Steps = Generator[None, None, None]


@dataclass(frozen=True, eq=False)
class Drawn:
    """A subtree drawn at random.

    left    the pieces left there
    weight  how many subtrees it stands for, below one state of the level
    """

    task: Task
    left: int
    weight: float


class Level:
    """The states at one level of a tree, and the subtrees drawn from them.

    choices  that the whole search is thought to take; with more, the level is further down
    draws    how many subtrees are drawn
    near     the pieces left at another strategy's level, near which this one should be

    openings starts searches of its subtrees
    left     the pieces left at the level
    states   at the level; above: choices made above them
    drawn    in the order of the tree; fewer than `draws` if there are fewer states
    """

    def __init__(
        self,
        plan: Plan,
        strategy: Strategy,
        *,
        choices: float,
        draws: int,
        near: int | None = None,
        random: Random | None = None,
    ) -> None:
        self.openings = Openings(plan, strategy)
        self._choices, self._draws = choices, draws
        self._random, self._near = random or Random(0), near
        self.left = self.states = self.above = 0
        self._counts: dict[int, tuple[int, int]] = {}  # states and choices above, by pieces left
        self.drawn: list[Drawn] = []

    def work(self) -> Steps:
        """Count the states, and draw; in slices."""
        yield from self._choose()
        if not self.states:
            return
        yield from self._draw()
        if self.drawn and self.states > FEWEST:
            size = yield from self._size()
            if size * self.states * SHORT < self._choices:  # its progress was far from the truth
                self._choices = size * self.states
                yield from self._choose()
                yield from self._draw()

    def _draw(self) -> Steps:
        """Draw subtrees from the states."""
        self.drawn = []
        search = self.openings.start(Task(cut=self.left), None)
        at, many = -1, min(self._draws, self.states)
        for number in self._even(many):
            task = yield from _skip(search, number - at - 1)
            at = number
            if task is None:
                return
            drawn = Drawn(task, self.left, 1.0)
            if self._choices > 4 * PROBE * self.states:
                drawn = yield from self._below(drawn)
            self.drawn.append(drawn)
            yield

    def _size(self) -> Generator[None, None, float]:
        """The choices of a subtree, by a few of those drawn."""
        sizes = []
        for number in spread(len(self.drawn))[:LOOKED_AT]:
            search = self.openings.start(self.drawn[number].task, self.drawn[number].left)
            search.advance(LONG, keep=False)
            sizes.append(search.fits + search.nofits)
            yield
        return float(np.mean(sizes))

    def _even(self, many: int) -> list[int]:
        """Numbers of states at even distances, from a random start."""
        start = self._random.random()
        return [int((number + start) * self.states / many) for number in range(many)]

    def _choose(self) -> Steps:
        """Choose the level: the first one with enough states."""
        wanted = min(max(FEWEST, self._choices / PROBE), MOST)
        chosen = 0, 0, 0
        highest = self.openings.pieces - 1
        if self._near is not None:
            highest = min(self._near + 2, highest)
        for left in range(highest, 0, -1):
            yield from self._count(left)
            if not self.states and chosen[1]:
                break
            chosen = left, self.states, self.above
            if self.states >= wanted or self.above >= COUNTED:
                break
        self.left, self.states, self.above = chosen

    def _count(self, left: int) -> Steps:
        if left not in self._counts:
            search = self.openings.start(Task(cut=left), None)
            while search.advance(STEPS, keep=False).status is not Status.DONE:
                yield
            self._counts[left] = search.found, search.fits + search.nofits
        self.states, self.above = self._counts[left]

    def _below(self, drawn: Drawn) -> Generator[None, None, Drawn]:
        """A subtree below one that is long; the same one if it is not."""
        while drawn.left > 1:
            search = self.openings.start(drawn.task, drawn.left)
            if search.advance(LONG, keep=False).status is Status.DONE:
                break
            yield
            found, left = 0, drawn.left
            while found < SIBLINGS and left > 1:
                left -= 1
                search = self.openings.start(replace(drawn.task, cut=left), drawn.left)
                while search.advance(STEPS, keep=False).status is not Status.DONE:
                    yield
                found = search.found
            if not found:
                break
            search = self.openings.start(replace(drawn.task, cut=left), drawn.left)
            task = yield from _skip(search, self._random.randrange(found))
            if task is None:
                break
            drawn = Drawn(task, left, drawn.weight * found)
        return drawn


def _skip(search: CuttingSearch, states: int) -> Generator[None, None, Task | None]:
    """The state after a number of others; None: there are not so many."""
    while states > 0:
        batch = search.advance(STEPS, capacity=states)
        states -= len(batch)
        if batch.status is Status.DONE:
            return None
        yield
    return (yield from next_state(search))


def next_state(search: CuttingSearch) -> Generator[None, None, Task | None]:
    """The next state that a search hands out; None: there is none."""
    while True:
        batch = search.advance(STEPS, capacity=1)
        if len(batch):
            return replace(search.below(), cut=None)
        if batch.status is Status.DONE:
            return None
        yield


def spread(many: int) -> list[int]:
    """The numbers below `many` in an order whose every beginning is spread evenly."""
    bits = max(many - 1, 0).bit_length()
    turned = (int(f"{number:0{bits}b}"[::-1], 2) if bits else 0 for number in range(1 << bits))
    return [number for number in turned if number < many]


DRAWS = 32
"""The subtrees by which the size of a search is estimated."""

SEARCHED = 1 << 15
"""The choices made in each of them; what is left of a longer one is estimated by its progress."""


def size(plan: Plan, strategy: Strategy, choices: float) -> Generator[None, None, float]:
    """The choices that the search of a plan makes, roughly, by a few subtrees; in slices.

    The strategy's engines must be able to hand out their states, see `CuttingBackend`.

    choices  what it is thought to make
    """
    level = Level(plan, strategy, choices=choices, draws=DRAWS, random=Random(0))
    yield from level.work()
    sizes = []
    for drawn in level.drawn:
        search = level.openings.start(drawn.task, drawn.left)
        done = search.advance(SEARCHED, keep=False).status is Status.DONE
        share = 1.0 if done else max(search.progress(), UNKNOWN)
        sizes.append(drawn.weight * (search.fits + search.nofits) / share)
        yield
    return level.above + level.states * fmean(sizes) if sizes else float(level.above)
