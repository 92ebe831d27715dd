"""The rules of the plain search in plain Python, slow and obviously right.

The skyline is a list of column heights, so segments merge by themselves.
"""

from __future__ import annotations

from collections import Counter

from exactcover.backends.rectangles.engine import poses
from exactcover.problem.rectangles import Floor, Placed


class PlainSkyline:
    """All solutions of a floor, the placements that fit, and the nodes that are no solution.

    attempts, fit  by the number of rectangles left: the ways tried, and those that fit
    """

    def __init__(self, floor: Floor, order: str) -> None:
        self.floor, self.ways = floor, poses(floor.rectangles, order)
        self.heights = [0] * floor.width
        self.left = [kind.copies for kind in floor.rectangles]
        self.placed: list[Placed] = []
        self.solutions: list[tuple[Placed, ...]] = []
        self.attempts: Counter[int] = Counter()
        self.fit: Counter[int] = Counter()
        self.fits = self.backtracks = 0
        if floor.area == floor.rectangles_area:
            self.search()

    def search(self) -> None:
        floor, heights = self.floor, self.heights
        y = min(heights)
        if y == floor.height:
            self.solutions.append(tuple(sorted(self.placed)))
            return
        x = heights.index(y)
        room = next((at for at in range(x, floor.width) if heights[at] != y), floor.width) - x
        for kind, (width, height) in self.ways:
            self.attempts[sum(self.left)] += self.left[kind] > 0
            if self.left[kind] and width <= room and y + height <= floor.height:
                self.fit[sum(self.left)] += 1
                self.fits += 1
                self.left[kind] -= 1
                self.placed.append(Placed(kind, x, y, width, height))
                heights[x : x + width] = [y + height] * width
                self.search()
                heights[x : x + width] = [y] * width
                self.placed.pop()
                self.left[kind] += 1
        self.backtracks += 1
