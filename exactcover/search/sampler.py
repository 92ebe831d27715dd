"""The sampler: searches subtrees that are drawn at random, and extrapolates to the whole tree.

An estimate makes batches, each of which is an unbiased estimate of every sum; `size` is the number
of choices by a few batches.

Knuth (1975) walks from the root to a leaf, and multiplies by the number of branches at each node.
The product varies by orders of magnitude. A batch here is several walks side by side (Chen 1992,
"Heuristic sampling"), whose steps are searches of many nodes. The top of the tree is searched once,
and is known. Of the states below it a batch keeps a few at equal distances along the order of the
search, from a random offset. Each kept state stands for several: that is its weight. From each, the
search goes on to the ends of the tree if these are near, else down by one level; of the states
there a few are kept, and so on.

How a search goes on depends only on what was found before the next states are drawn, and nothing
that was drawn is dropped. So each batch is unbiased, from the first one on, and none takes much
longer than the others.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from math import inf
from time import thread_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Branching, Slice, Status
from exactcover.backends.node import ROOT, Node
from exactcover.base import compiled
from exactcover.search.begun import Begun
from exactcover.search.clock import BATCH
from exactcover.search.judge import Judge
from exactcover.search.plan import Plan
from exactcover.search.stages import Stages, StageWalk, cuttable
from exactcover.search.strategy import Strategy

Floats = npt.NDArray[np.float64]

Sums = Floats
"""The summed work of searches: options chosen with 0, 1, ... pieces left before, options tried with
0, 1, ... pieces left, then solutions kept."""

Steps = Generator[None, None, None]
"""Work in slices."""

State = tuple[Node, float]
"""A state of the tree, and its weight."""

SLICE = 1 << 15
"""The options chosen in a slice. It is fixed, so nothing that is drawn depends on the clock."""


class Tree:
    """The tree of a plan's search, any subtree of which can be searched on its own.

    A search below a state goes through the nodes that the search of the whole plan has there, with
    the engines of its stages. So numbers that are measured below states say something about the
    whole search.

    pieces  left at the root
    lowest  the fewest pieces left at which a search can be cut
    """

    def __init__(self, plan: Plan, strategy: Strategy) -> None:
        self.plan = plan
        self._stages = Stages(plan, strategy, Branching(tally=True))
        self.pieces = self._stages.pieces
        self.lowest = 0 if plan.subject.layout is None else 1

    def sums(self) -> Sums:
        """No search at all."""
        return np.zeros(2 * self.pieces + 3)

    def fits(self, sums: Sums) -> Sums:
        """Of sums: the options chosen with 0, 1, ... pieces left before."""
        return sums[..., : self.pieces + 1]

    def tries(self, sums: Sums) -> Sums:
        """Of sums: the options tried with 0, 1, ... pieces left."""
        return sums[..., self.pieces + 1 : -1]

    def walk(self, node: Node = ROOT, left: int | None = None, *, cut: int | None) -> SubtreeWalk:
        """A search below a state with this many pieces left, or of the whole tree."""
        judge = None if cut is not None else Judge(self.plan)
        search = self._stages.begin(node._replace(left=left, share=1.0), cut=cut, judge=judge)
        return SubtreeWalk(self, search, cut)


class SubtreeWalk:
    """A search below a state, which measures itself.

    sums   its work so far; states are no solutions
    seconds  of the processor so far, without those of compilation
    found  with a cut, the states at that level; otherwise the solutions that count
    done   whether the search has come to its end
    """

    def __init__(self, tree: Tree, search: StageWalk, cut: int | None) -> None:
        self._tree, self._search, self._cut = tree, search, cut
        self.sums, self.seconds, self.found, self.done = tree.sums(), 0.0, 0, False

    @property
    def choices(self) -> float:
        """Options tried so far."""
        return float(self._tree.tries(self.sums).sum())

    def finish(self, most: float = inf, *, seconds: float = inf) -> Steps:
        """Search to the end, or until this number of choices, or of seconds."""
        while not self.done and (room := most - self.choices) > 0 and self.seconds < seconds:
            self._advance(keep=False, most=room)
            yield

    def parts(self) -> list[Node]:
        """Hand back all branches that wait; the search goes on with the rest."""
        parts: list[Node] = []
        while back := self._search.give_back():
            parts += back
        return parts

    def state_after(self, passed: int) -> Generator[None, None, Node]:
        """The next state but this number of them."""
        while passed > 0:
            passed -= len(self._advance(keep=True, capacity=min(passed, BATCH)))
            yield
        while (state := self._advance(keep=True, capacity=1).state) is None:
            yield
        return state

    def _advance(self, *, keep: bool, capacity: int = BATCH, most: float = inf) -> Slice:
        steps = int(max(min(SLICE, most), 1))
        began, compiled_before = thread_time(), compiled.seconds
        made = self._search.advance(steps, capacity=capacity, keep=keep)
        compiling = compiled.seconds - compiled_before
        self.seconds += max(thread_time() - began - compiling, 0.0)
        fits, tries = self._tree.fits(self.sums), self._tree.tries(self.sums)
        for left, tried in made.tally.items():
            fits[left] += tried.fits
            tries[left] += tried.attempts
        self.found += made.found
        self.sums[-1] += made.found if self._cut is None else 0
        self.done = made.status is Status.DONE
        return made


# -- samples ---------------------------------------------------------------------------------------


class Effort(NamedTuple):
    """How much is searched.

    known  the most choices of the complete search of the top of the tree
    kept   the states of a level that a batch keeps
    probe  the choices below each of them that are few: then the ends of the tree are near
    """

    known: int
    kept: int
    probe: int


class Sampler:
    """Draws subtrees of a tree, for batches of estimates of the whole tree.

    left    all choices with more pieces left than this are known, once it has made its `survey`
    top     the sums of these choices
    made    the batches so far: the estimated work below
    """

    def __init__(self, tree: Tree, effort: Effort, random: np.random.Generator) -> None:
        self.left, self.top = tree.pieces, tree.sums()
        self.made: list[Sums] = []
        self._tree, self._effort, self._random = tree, effort, random
        self._states = 1  # at that level
        self._near = tree.pieces  # from here the ends of the tree seem to be near

    @property
    def choices(self) -> float:
        """The choices of the whole tree, as far as the batches say."""
        return float(self._tree.tries(self.top + np.mean(self.made, axis=0)).sum())

    def survey(self) -> Steps:
        """Search the tree from the top, deeper each time, while that takes few choices."""
        while self.left > self._tree.lowest and self._states:
            walk = self._tree.walk(cut=self.left - 1)
            yield from walk.finish(self._effort.known)
            if not walk.done:
                break
            self.left, self.top, self._states = self.left - 1, walk.sums, walk.found

    def batch(self) -> Steps:
        """Make one more batch: what a search of the tree below the known top does, estimated."""
        tree, sums = self._tree, self._tree.sums()
        left, states = self.left, [(ROOT, 1.0)]
        if left < tree.pieces:
            states = yield from self._kept(states, tree.pieces, left, [self._states])
        while states and left > tree.lowest:
            if left <= self._near and (yield from self._to_ends(states, left, sums)):
                states = []
                break
            found = yield from self._searched(states, left, left - 1, inf, sums)
            states = yield from self._kept(states, left, left - 1, found)
            left -= 1
        if states:
            yield from self._ended(states, left, sums)
        self.made.append(sums)

    def _to_ends(
        self, states: Sequence[State], left: int, sums: Sums
    ) -> Generator[None, None, bool]:
        """Search from states to the ends of the tree, if these are near; return whether they are.
        Then the work is added to `sums`."""
        below = self._tree.sums()
        room = self._effort.probe * len(states)
        found = yield from self._searched(states, left, None, room, below)
        if len(found) < len(states):
            self._near = left - 1
            return False
        sums += below
        return True

    def _searched(
        self, states: Sequence[State], left: int, cut: int | None, most: float, sums: Sums
    ) -> Generator[None, None, list[int]]:
        """Search from states down to a level, within a number of choices; return what each has
        found. Their work, with their weights, is added to `sums`."""
        found: list[int] = []
        for node, weight in states:
            walk = self._tree.walk(node, left, cut=cut)
            yield from walk.finish(most)
            most -= walk.choices
            if not walk.done:
                break
            sums += weight * walk.sums
            found.append(walk.found)
        return found

    def _kept(
        self, states: Sequence[State], left: int, cut: int, found: Sequence[int]
    ) -> Generator[None, None, list[State]]:
        """Draw states at a level, with their weights.

        found  how many there are below each of the states above
        """
        drawn = self._drawn(np.repeat([weight for _, weight in states], found))
        kept: list[State] = []
        first = 0
        for (node, _), many in zip(states, found, strict=True):
            numbers = [number for number in drawn if first <= number < first + many]
            walk = self._tree.walk(node, left, cut=cut) if numbers else None
            at = first
            for number in numbers:
                assert walk is not None
                kept.append(((yield from walk.state_after(number - at)), drawn[number]))
                at = number + 1
            first += many
        return kept

    def _drawn(self, sizes: Floats) -> dict[int, float]:
        """Numbers drawn at equal distances of their sizes, ascending, each with the size that it
        stands for."""
        kept = self._effort.kept
        if sizes.size <= kept:
            return dict(enumerate(sizes.tolist()))
        behind = np.cumsum(sizes)
        spacing = float(behind[-1]) / kept
        marks = (np.arange(kept) + self._random.random()) * spacing
        at = np.minimum(np.searchsorted(behind, marks, side="right"), sizes.size - 1)
        numbers, times = np.unique(at, return_counts=True)
        return dict(zip(numbers.tolist(), (times * spacing).tolist(), strict=True))

    def _ended(self, states: Sequence[State], left: int, sums: Sums) -> Steps:
        """Add the estimated work below states of the lowest level, down to the ends of the tree.

        The number of pieces left says nothing there about how far the ends are. So a search that
        takes too many choices hands back the branches that wait; some of these and of what is left
        of the searches are drawn by their shares of the tree, and go on.
        """
        walks = [(self._tree.walk(node, left, cut=None), weight) for node, weight in states]
        while walks:
            ways: list[tuple[Node | SubtreeWalk, float]] = []
            sizes: list[float] = []
            for walk, weight in walks:
                before = walk.sums.copy()
                yield from walk.finish(walk.choices + self._effort.probe)
                sums += weight * (walk.sums - before)
                if not walk.done:
                    # What is left is beside the smallest part, and taken for as large.
                    parts = walk.parts()
                    shares = [part.share for part in parts]
                    ways += [*((part, weight) for part in parts), (walk, weight)]
                    sizes += [weight * share for share in (*shares, min(shares, default=1.0))]
            walks = []
            for number, size in self._drawn(np.array(sizes)).items():
                way, weight = ways[number]
                if isinstance(way, Node):
                    way = self._tree.walk(way, way.left, cut=None)
                walks.append((way, weight * size / sizes[number]))


BATCHES, SIZE = 2, Effort(known=1 << 15, kept=32, probe=1 << 12)
"""The batches by which the size of a search is estimated, and the effort of each. With half of the
states the Tetris cube was taken for twice as large as it is."""

HUGE = 1 << 26
"""One batch is enough for a search of more choices: what it is compared with is far smaller."""


def size(listing: Begun, made: int) -> Generator[None, None, float]:
    """The choices that a listing makes, roughly, by a few batches, in slices; it has made some.

    They follow from its progress if its strategy is not `cuttable`. They never depend on the clock.
    """
    if listing.plan is None or not cuttable(listing.strategy):
        return max(made, 1.0) / max(listing.search.where().progress, 1e-9)
    tree = Tree(replace(listing.plan, canonical=None), listing.strategy)  # only its size matters
    sampler = Sampler(tree, SIZE, np.random.default_rng(0))
    yield from sampler.survey()
    yield from sampler.batch()
    while len(sampler.made) < BATCHES and sampler.choices < HUGE:
        yield from sampler.batch()
    return max(sampler.choices, made, 1.0)
