"""The sampler: draws subtrees of a search at random, and extrapolates to the whole tree.

An estimate makes `Probes` in batches, each of which is an unbiased estimate of every sum; `size` is
the number of choices by a few batches; `subtrees` draws states on which strategies are compared.

Knuth (1975) walks from the root to a leaf, and multiplies by the number of branches at each node.
The product varies by orders of magnitude. A batch here is several walks side by side (Chen 1992,
"Heuristic sampling"), whose steps are searches of many nodes:

1. From each state of a level, search down to a deeper level: as far as a few thousand choices
   reach, and to the ends of the tree if these are near. A wide state, with more options than that,
   is branched on once: starting a search there takes far longer.
2. Of the states found there, keep a few at equal distances along the order of the search, from a
   random offset. Each kept state stands for several: that is its weight. Go on with step 1.

How far a search goes down depends only on what was found before the next states are drawn, and
nothing that was drawn is dropped. So each batch is unbiased, from the first one on, and none takes
much longer than the others.

The first states are drawn from a front, a level that is searched again for each batch. How many
descendants its states have in the known top of the tree is counted once: those with many are drawn
more often, with less weight.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.node import Node
from exactcover.search.driver import BATCH
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy
from exactcover.search.subtrees import SubtreeWalk, Sums, Tree

Floats = npt.NDArray[np.float64]

State = tuple[Node, float]
"""A state of the tree, and its weight."""

Walked = tuple[Sums, int]
"""The work of a search, and the states or solutions that it found."""

EASY, FURTHER = 1 << 16, 1 << 7
"""A batch keeps fewer states if it has to start all searches from the root and one costs more than
this. A search makes at least the choices that starting it costs, divided by the second number."""

FRONT = 16
"""The search above the front makes this many times fewer choices than that of the known top."""

LEAST = 0.1
"""The least size of a state with descendants; the mean is 1."""

ENOUGH = 48
"""Subtrees are drawn at a level with at least this many states."""

LOOKS, UNKNOWN = 4, 0.02
"""The subtrees that show whether those of a level are short, and the least progress that one is
taken to have made when it is not finished."""

GROWTH = 8
"""A search that goes one level deeper is thought to make this many times as many choices."""


@dataclass(frozen=True)
class Effort:
    """How much is searched.

    known  the most choices of the complete search of the top of the tree
    kept   the states of a level that a batch keeps
    probe  the choices below each of them, down to the next level
    """

    known: int
    kept: int
    probe: int

    def suiting(self, tree: Tree) -> Effort:
        """The effort for a tree. Where starting a search takes long, each goes further down. Fewer
        are started if wide states need them, so that the first figures come soon."""
        kept = (
            self.kept
            if tree.plain(tree.pieces)
            else min(self.kept, self.kept * EASY // tree.starting)
        )
        return replace(self, kept=max(kept, 1), probe=max(self.probe, tree.starting // FURTHER))


@dataclass(frozen=True, eq=False)
class KnownTop:
    """The top of a tree, searched completely.

    left   all choices with more pieces left than this are known
    sums   of these choices
    cut    the pieces left at the front
    sizes  of the states at the front, in the order of the search
    """

    left: int
    sums: Sums
    cut: int
    sizes: Floats


class Subtrees(NamedTuple):
    """States at one level, drawn to stand for the tree.

    left    the pieces left there
    above   the work above the level
    """

    states: list[State]
    left: int
    above: Sums


def survey(tree: Tree, most: int) -> Generator[None, None, KnownTop]:
    """Search a tree from the top, deeper each time, while that stays within a number of choices."""
    left, front, states, sums = tree.pieces, tree.pieces, 1, tree.sums()
    for cut in range(tree.pieces - 1, tree.lowest - 1, -1) if most else ():
        walk = tree.walk(cut=cut)
        yield from walk.finish(most)
        if not walk.done:
            break
        left, sums = cut, walk.sums()
        if walk.choices * FRONT <= most:
            front, states = cut, walk.found
        if not walk.found:
            break
    sizes = np.ones(states)
    if left < front < tree.pieces:
        sizes = yield from _sizes(tree, front, left)
    return KnownTop(left, sums, front, sizes)


def _sizes(tree: Tree, cut: int, deep: int) -> Generator[None, None, Floats]:
    """How many states with fewer pieces left are below each state of a level; on average 1.

    Both walks go through the tree in the same order, so the states below a state follow each other.
    They have all of its options.
    """
    below = _each(tree.walk(cut=deep))
    counts: list[int] = []
    last = next(below, None)
    for number, state in enumerate(_each(tree.walk(cut=cut))):
        if number % BATCH == 0:
            yield
        options, count = set(state), 0
        while last is not None and options.issubset(last):
            last, count = next(below, None), count + 1
        counts.append(count)
    sizes = np.array(counts, np.float64)
    if last is not None or not sizes.any():
        return np.ones(sizes.size)
    sizes /= sizes.mean()
    return np.where(sizes > 0, LEAST + (1 - LEAST) * sizes, 0.0)


def _each(walk: SubtreeWalk) -> Iterator[list[int]]:
    """The options of each state of a walk."""
    for batch in walk.rows():
        options, starts = batch.options.tolist(), batch.starts.tolist()
        yield from (options[begin:end] for begin, end in pairwise(starts))


class Probes:
    """Makes batches of probes of a tree.

    made    the batches so far
    work    their choices, with those that starting searches costs
    effort  how much is searched, suited to the tree
    """

    def __init__(
        self, tree: Tree, top: KnownTop, effort: Effort, random: np.random.Generator
    ) -> None:
        self.top = top
        self.made: list[Sums] = []
        self.work = 0
        self.effort = effort.suiting(tree)
        self._tree, self._random = tree, random
        self._near = tree.pieces  # from here the ends of the tree seem to be near
        self._levels: dict[int, int] = {}  # how many a search goes down from each level
        self._too_many: dict[int, int] = {}  # the least number that took too many

    @property
    def choices(self) -> float:
        """The choices of the whole tree, as far as the batches say."""
        tries = self._tree.tries(np.mean(self.made, axis=0))[: self.top.left + 1].sum()
        return float(self._tree.tries(self.top.sums)[self.top.left + 1 :].sum() + tries)

    def batch(self) -> Generator[None, None, None]:
        """Make one more batch: what a search of the tree below the front does, estimated."""
        tree, sums = self._tree, self._tree.sums()
        states, left = yield from self._first()
        while states:
            states, left = yield from self._branched(states, left, sums)
            if not states:
                break
            if left <= tree.lowest:
                sums += yield from self._ended(states, left)
                break
            cut, walked = yield from self._deeper(states, left)
            for (_, weight), (below, _) in zip(states, walked, strict=True):
                sums += weight * below
            if cut is None:
                break
            states = yield from self._next(states, left, cut, walked)
            left = cut
        self.made.append(sums)

    def subtrees(self, length: int) -> Generator[None, None, Subtrees]:
        """States that stand for the tree: there are enough of them, and a search of one makes about
        this many choices, or fewer."""
        tree, top = self._tree, self.top
        sums, enough = tree.sums(), min(self.effort.kept, ENOUGH)
        states, left = yield from self._first()
        while states:
            states, left = yield from self._branched(states, left, sums)
            if left <= tree.lowest or (
                len(states) >= enough and (yield from self._are_short(states, left, length))
            ):
                break
            walked, _ = yield from self._walked(states, left, left - 1, inf)
            if not any(many for _, many in walked):
                break
            for (_, weight), (below, _) in zip(states, walked, strict=True):
                sums += weight * below
            states, left = (yield from self._next(states, left, left - 1, walked)), left - 1
        for of in (tree.fits, tree.tries):
            of(sums)[top.cut + 1 :] = of(top.sums)[top.cut + 1 :]
        return Subtrees(states, left, sums)

    def _are_short(
        self, states: Sequence[State], left: int, length: int
    ) -> Generator[None, None, bool]:
        """Whether searches from some of the states make about this many choices on average."""
        looks = [states[at * len(states) // LOOKS][0] for at in range(min(LOOKS, len(states)))]
        total = 0.0
        for task in looks:
            walk = self._tree.walk(task, left, cut=None)
            yield from walk.finish(2 * length)
            total += walk.choices / max(walk.progress, UNKNOWN)
        return total <= 2 * length * len(looks)

    def _first(self) -> Generator[None, None, tuple[list[State], int]]:
        """States of the front, drawn by their sizes, and the pieces left there."""
        root: list[State] = [(Node(), 1.0)]
        cut, sizes = self.top.cut, self.top.sizes
        if cut == self._tree.pieces:
            return root, cut
        drawn = {at: size / sizes[at] for at, size in self._drawn(sizes).items()}
        return (yield from self._kept(root, self._tree.pieces, cut, [sizes.size], drawn)), cut

    def _next(
        self, states: Sequence[State], left: int, cut: int, walked: Sequence[Walked]
    ) -> Generator[None, None, list[State]]:
        """Draw some of the states that were found below these."""
        found = [many for _, many in walked]
        drawn = self._drawn(np.repeat([weight for _, weight in states], found))
        return (yield from self._kept(states, left, cut, found, drawn))

    def _drawn(self, sizes: Floats) -> dict[int, float]:
        """Numbers drawn at equal distances of their sizes, each with the size it stands for."""
        kept, used = self.effort.kept, np.flatnonzero(sizes)
        if used.size <= kept:
            return {int(at): float(sizes[at]) for at in used}
        behind = np.cumsum(sizes[used])
        spacing = float(behind[-1]) / kept
        marks = (np.arange(kept) + self._random.random()) * spacing
        at = np.minimum(np.searchsorted(behind, marks, side="right"), used.size - 1)
        numbers, times = np.unique(used[at], return_counts=True)
        return dict(zip(numbers.tolist(), (times * spacing).tolist(), strict=True))

    def _kept(
        self,
        states: Sequence[State],
        left: int,
        cut: int,
        found: Sequence[int],
        drawn: dict[int, float],
    ) -> Generator[None, None, list[State]]:
        """The states at a level that were drawn, with their weights.

        found  how many there are below each of the states above
        """
        kept: list[State] = []
        numbers, first = sorted(drawn), 0
        for (task, _), many in zip(states, found, strict=True):
            passed = first
            first += many
            if not numbers or numbers[0] >= first:
                continue
            walk = self._tree.walk(task, left, cut=cut)
            while numbers and numbers[0] < first:
                number = numbers.pop(0)
                yield from walk.pass_over(number - passed)
                state = yield from walk.hand_out()
                assert state is not None  # the search repeats itself
                kept.append((state, drawn[number]))
                passed = number + 1
            self.work += walk.choices + self._tree.starting
        return kept

    def _branched(
        self, states: list[State], left: int, sums: Sums
    ) -> Generator[None, None, tuple[list[State], int]]:
        """Branch on states that allow more options than a search may try, level by level, and draw
        some of the states below; return those from which searches go on, and the pieces left there.

        sums  what is done is added to them
        """
        tree, most = self._tree, self.effort.probe
        fits, tries = tree.fits(sums), tree.tries(sums)
        wide = any(task.allowed is None or task.allowed.sum() > most for task, _ in states)
        if not wide or not tree.plain(left):
            return states, left
        nodes = [(tree.node(task), weight) for task, weight in states]
        while wide and left > tree.lowest and tree.plain(left):
            found = [tree.branches(node, left) for node, _ in nodes]
            known = [options.tolist() for options in found if options is not None]
            if len(known) < len(nodes):
                break
            ways = [
                (node, one) for (node, _), some in zip(nodes, known, strict=True) for one in some
            ]
            sizes = np.repeat([weight for _, weight in nodes], [len(some) for some in known])
            total = sizes.sum()
            fits[left] += total
            tries[left] += total
            sums[-1] += total * tree.each
            self.work += len(ways)
            below = [(tree.below(*ways[at]), size) for at, size in self._drawn(sizes).items()]
            nodes = [(node, weight) for node, weight in below if node is not None]
            wide = any(node.allowed.sum() > most for node, _ in nodes)
            left -= 1
            yield
        return [(Node(node.chosen, node.allowed), weight) for node, weight in nodes], left

    def _deeper(
        self, states: Sequence[State], left: int
    ) -> Generator[None, None, tuple[int | None, list[Walked]]]:
        """Search from states of a level to the ends of the tree if these are near, else down to
        the highest level from which they are, or towards it; return how many pieces are left there,
        None: none, and what each search did."""
        room = self.effort.probe * len(states)
        if left <= self._near:
            walked, _ = yield from self._walked(states, left, None, room)
            if len(walked) == len(states):
                return None, walked
            self._near = left - 1
        levels, best = min(self._levels.get(left, 1), left - self._near), None
        while True:
            most = inf if levels == 1 else room
            walked, spent = yield from self._walked(states, left, left - levels, most)
            if len(walked) < len(states):
                self._too_many[left] = levels
                levels -= 1
            else:
                self._levels[left], best = levels, (left - levels, walked)
                levels += 1
                if levels > left - self._near or spent * GROWTH > room:
                    return best
            if best is not None and levels >= self._too_many.get(left, inf):
                return best

    def _walked(
        self, states: Sequence[State], left: int, cut: int | None, most: float
    ) -> Generator[None, None, tuple[list[Walked], int]]:
        """Search from states down to a level, within a number of choices; return the results and
        the choices made."""
        walked: list[Walked] = []
        spent = 0
        for task, _ in states:
            walk = self._tree.walk(task, left, cut=cut)
            yield from walk.finish(most - spent)
            spent += walk.choices
            self.work += walk.choices + self._tree.starting
            if not walk.done:
                break
            walked.append((walk.sums(), walk.found))
        return walked, spent

    def _ended(self, states: Sequence[State], left: int) -> Generator[None, None, Sums]:
        """Estimate the work below states of the lowest level, down to the ends of the tree.

        The number of pieces left says nothing there about how far the ends are. So a search that
        takes too many choices hands back the branches that wait; some of these and of what is left
        of the searches are drawn by their shares of the tree, and go on.
        """
        sums = self._tree.sums()
        walks = [(self._tree.walk(task, left, cut=None), weight) for task, weight in states]
        self.work += len(walks) * self._tree.starting
        while walks:
            ways: list[tuple[SubtreeWalk | Node, float]] = []
            sizes: list[float] = []
            for walk, weight in walks:
                before, choices = walk.sums(), walk.choices
                yield from walk.finish(choices + self.effort.probe)
                parts = [] if walk.done else walk.parts()
                sums += weight * (walk.sums() - before)
                self.work += walk.choices - choices
                if not walk.done:
                    # What is left is beside the smallest part, and taken for as large.
                    shares = [part.share for part in parts]
                    ways += [(part, weight) for part in parts] + [(walk, weight)]
                    sizes += [weight * share for share in (*shares, min(shares, default=1.0))]
            walks = []
            for number, size in self._drawn(np.array(sizes)).items():
                way, weight = ways[number]
                if isinstance(way, Node):
                    way = self._tree.walk(way, way.left, cut=None)
                    self.work += self._tree.starting
                walks.append((way, weight * size / sizes[number]))
        return sums


BATCHES, SIZE = 2, Effort(known=1 << 15, kept=16, probe=1 << 12)
"""The batches by which the size of a search is estimated, and the effort of each. A quarter of that
is too little: an estimate for `PT12_plus` was 3.5 times too small, and states were given up."""

HUGE = 1 << 26
"""One batch is enough for a search of more choices: what it is compared with is far smaller."""


def size(plan: Plan, strategy: Strategy) -> Generator[None, None, float]:
    """The choices that the search of a plan makes, roughly, by a few batches; in slices.

    The strategy must be `cuttable`. The result does not depend on the clock.
    """
    tree = Tree(replace(plan, canonical=None), strategy, steady=True)  # solutions do not matter
    top = yield from survey(tree, SIZE.known)
    probes = Probes(tree, top, SIZE, np.random.default_rng(0))
    yield from probes.batch()
    while len(probes.made) < BATCHES and probes.choices < HUGE:
        yield from probes.batch()
    return probes.choices
