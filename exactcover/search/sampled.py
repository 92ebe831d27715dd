"""What a strategy takes for a whole tree, measured on some of its subtrees.

The states at one level of a tree are counted exactly, which is quick. The subtrees below some of
them, drawn at even distances from a random start, are searched to the end with a clock. Their mean
times the number of states is an estimate of the whole search.

Strategies that branch alike above the level share it, so they search the same subtrees, and the
difference of two of them is far more certain than each time by itself. If the subtrees at the level
are long, each subtree drawn is replaced by one below it, which counts for all its siblings (D. E.
Knuth, "Estimating the efficiency of backtrack programs", 1975).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from math import inf, sqrt
from random import Random
from time import thread_time

import numpy as np

from exactcover.backends.base import CuttingSearch, Status, Task
from exactcover.search.openings import Openings
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy
from exactcover.search.weighing import STEPS, next_state

PROBE = 1 << 15
"""The choices that searching one subtree should take on average."""

LONG = 1 << 16
"""The most choices of a subtree, if the subtrees at the level are long."""

FEWEST, MOST = 48, 1 << 14
"""The states that a level should have: at least, and at most."""

COUNTED = 1 << 22
"""The most choices that counting the states of a level may take."""

WARM = 1 << 8
"""The choices of a first search, which is not measured."""

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


@dataclass(frozen=True)
class Measured:
    """An estimate of a whole search.

    seconds   of the processor, and error: their standard error
    choices   fits and no-fits
    subtrees  how many were searched, of the states at the level
    states    at the level
    """

    seconds: float
    error: float
    choices: float
    subtrees: int
    states: int

    @property
    def share(self) -> float:
        """The share of the states at the level below which it was measured."""
        return self.subtrees / self.states if self.states else 0.0


class Trial:
    """A strategy that searches the subtrees of a level, one after another, with a clock.

    seconds  what each of them took, times its weight
    clock    measures the processor seconds of this thread
    """

    def __init__(
        self,
        plan: Plan,
        strategy: Strategy,
        level: Level,
        *,
        clock: Callable[[], float] = thread_time,
    ) -> None:
        self.plan, self.strategy, self.level = plan, strategy, level
        self.seconds: list[float] = []
        self._choices: list[float] = []
        self._clock = clock
        self._openings: dict[tuple[int, ...], Openings] = {}
        self._order = spread(len(level.drawn))

    @property
    def rate(self) -> float:
        """The mean seconds of a subtree."""
        return float(np.mean(self.seconds)) if self.seconds else inf

    @property
    def total(self) -> float:
        """The estimated seconds of the whole search."""
        return self.rate * self.level.states

    @property
    def least(self) -> float:
        """The least that the whole search should take, within two standard errors."""
        measured = self.measured()
        return measured.seconds - 2 * measured.error if measured.subtrees > 1 else 0.0

    def more(self) -> bool:
        """Whether there are subtrees that it has not searched."""
        return len(self.seconds) < len(self._order)

    def search(self, most: float = inf) -> Steps:
        """Search the next subtree. After `most` seconds, its progress says what the rest takes."""
        drawn = self.level.drawn[self._order[len(self.seconds)]]
        if not self.seconds:  # its compiled code may have to be loaded, which is no part of it
            self._opened(drawn.task).start(drawn.task, drawn.left).advance(WARM, keep=False)
            yield
        search = self._opened(drawn.task).start(drawn.task, drawn.left)
        spent, share = 0.0, 1.0
        while True:
            began = self._clock()
            status = search.advance(STEPS, keep=False).status
            spent += self._clock() - began
            if status is Status.DONE:
                break
            if spent * drawn.weight >= most:
                share = max(search.progress(), UNKNOWN)
                break
            yield
        self.seconds.append(drawn.weight * spent / share)
        self._choices.append(drawn.weight * (search.fits + search.nofits) / share)

    def _opened(self, task: Task) -> Openings:
        """The engines for a subtree. Lists made for one first option are kept: subtrees are not
        searched in the order of the tree."""
        first = task.chosen[: len(self.plan.forced) + 1]
        if first not in self._openings:
            self._openings[first] = Openings(self.plan, self.strategy)
        return self._openings[first]

    def measured(self) -> Measured:
        """The estimate so far."""
        many, states = len(self.seconds), self.level.states
        error = float(np.std(self.seconds, ddof=1)) / sqrt(many) if many > 1 else inf
        if many == states and self.level.drawn[0].weight == 1.0:
            error = 0.0
        choices = float(np.mean(self._choices)) * states + self.level.above if many else inf
        return Measured(self.total, error * states, choices, many, states)


def spread(many: int) -> list[int]:
    """The numbers below `many` in an order whose every beginning is spread evenly."""
    bits = max(many - 1, 0).bit_length()
    turned = (int(f"{number:0{bits}b}"[::-1], 2) if bits else 0 for number in range(1 << bits))
    return [number for number in turned if number < many]


def ratio(one: Trial, other: Trial) -> tuple[float, float]:
    """How the times of two strategies compare, and the standard error of that.

    On the same subtrees the error is that of their differences.
    """
    many = min(len(one.seconds), len(other.seconds))
    if one.level is other.level:
        times, others = np.array(one.seconds[:many]), np.array(other.seconds[:many])
        if not many or not others.sum():
            return 1.0, inf
        compared = float(times.sum() / others.sum())
        if many < 2:
            return compared, inf
        error = float(np.std(times - compared * others, ddof=1)) / sqrt(many)
        return compared, error / float(others.mean())
    mine, its = one.measured(), other.measured()
    if not its.seconds or not mine.subtrees:
        return 1.0, inf
    compared = mine.seconds / its.seconds
    error = compared * sqrt(
        (mine.error / max(mine.seconds, 1e-12)) ** 2 + (its.error / its.seconds) ** 2
    )
    return compared, error
