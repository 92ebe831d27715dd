"""The changes that make one solution of another, and why they are the simplest ones.

The pieces that lie elsewhere fall apart into changes that do not depend on each other: pieces whose
places overlap belong together, and so do the old and the new place of a piece. Each change is the
simplest one that explains it: a block that one rigid move takes to its new place, two blocks that
change places, or else pieces that fill the same cells in another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactcover.puzzle import Model, Placement
from exactcover.show.graphs.moves import RigidMove, moves_between

SWAPPED, REPACKED = "swapped", "repacked"

Places = dict[int, frozenset[int]]
"""Options, and the cells of the region that each fills."""


@dataclass(frozen=True)
class Change:
    """Pieces that lie elsewhere, and how they come there.

    kind    `moved`, `turned` or `mirrored`: a block as a whole; `swapped`: two blocks change
            places; `repacked`: the pieces fill their cells in another way, or others do
    before  where the pieces lie in the first solution
    after   where they lie in the second one
    moves   the rigid move of each block, and the pieces of `before` that it moves, by their
            positions there; nothing for `repacked`
    """

    kind: str
    before: tuple[Placement, ...]
    after: tuple[Placement, ...]
    moves: tuple[tuple[RigidMove, tuple[int, ...]], ...] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """The names of the pieces that change."""
        return tuple(placement.piece for placement in self.before)

    def __str__(self) -> str:
        if self.kind == SWAPPED:
            one, other = (_block(self.before[number].piece for number in block)
                          for _, block in self.moves)  # fmt: skip
            return f"{one} and {other} change places"
        if self.moves:
            return f"{_block(self.pieces)} is {self.moves[0][0].text}"
        cells = {cell for placement in self.before for cell in placement.cells}
        if cells == {cell for placement in self.after for cell in placement.cells}:
            fill = "fills" if len(self.before) == 1 else "fill"
            return f"{_listed(self.pieces)} {fill} the same {len(cells)} cells in another way"
        if not self.before:
            added = [placement.piece for placement in self.after]
            return f"{_listed(added)} {_is(added)} added"
        how = "placed anew" if self.after else "taken away"
        return f"{_listed(self.pieces)} {_is(self.pieces)} {how}"


def changes_of(model: Model, before: Places, after: Places) -> tuple[Change, ...]:
    """The changes, those of most pieces first."""
    parts = [_Part(model, old, new) for old, new in _independent(model, before, after)]
    changes = []
    while whole := Counter(move for part in parts for move in part.whole_moves):
        move = min(whole, key=lambda one: (-whole[one], one.rank))
        mine = [part for part in parts if move in part.whole_moves]
        parts = [part for part in parts if part not in mine]
        old = sorted(option for part in mine for option in part.before)
        new = sorted(option for part in mine for option in part.after)
        blocks = [(move, [*range(len(old))])]
        changes.append(_change(model, move.kind, old, new, blocks))
    for part in parts:
        old, new = sorted(part.before), sorted(part.after)
        swap = part.swap()
        blocks = [(move, [old.index(option) for option in block]) for move, block in swap]
        changes.append(_change(model, SWAPPED if swap else REPACKED, old, new, blocks))
    return tuple(sorted(changes, key=lambda change: (-len(change.before), str(change))))


def _change(
    model: Model,
    kind: str,
    before: Sequence[int],
    after: Sequence[int],
    blocks: Iterable[tuple[RigidMove, Iterable[int]]],
) -> Change:
    moves = tuple((move, tuple(numbers)) for move, numbers in blocks)
    return Change(kind, placements_of(model, before), placements_of(model, after), moves)


def _independent(model: Model, before: Places, after: Places) -> list[tuple[Places, Places]]:
    """The parts of a difference: places that overlap, and old and new places of a piece."""
    import networkx

    graph: networkx.Graph[Any] = networkx.Graph()
    graph.add_nodes_from(("before", option) for option in before)
    graph.add_nodes_from(("after", option) for option in after)
    for old, here in before.items():
        graph.add_edges_from(
            (("before", old), ("after", new)) for new, there in after.items() if here & there
        )
    shape_of = model.layout.option_shape
    unequal: dict[int, tuple[str, int]] = {}
    for part in list(networkx.connected_components(graph)):
        sums = Counter(int(shape_of[option]) for when, option in part if when == "before")
        sums.subtract(int(shape_of[option]) for when, option in part if when == "after")
        for shape, surplus in sums.items():
            if surplus:
                some = min(part)
                graph.add_edge(some, unequal.setdefault(shape, some))
    return [
        (
            {option: before[option] for when, option in part if when == "before"},
            {option: after[option] for when, option in part if when == "after"},
        )
        for part in networkx.connected_components(graph)
    ]


class _Part:
    """Old and new places of some pieces, and the rigid moves that take old ones to new ones."""

    def __init__(self, model: Model, before: Places, after: Places) -> None:
        self.before, self.after = before, after
        shape_of, space = model.layout.option_shape, model.puzzle.space
        self.moves: dict[RigidMove, dict[int, int]] = {}
        for old, here in before.items():
            for new, there in after.items():
                if shape_of[old] == shape_of[new]:
                    for move in moves_between(space, sorted(here), sorted(there)):
                        self.moves.setdefault(move, {})[old] = new

    @property
    def whole_moves(self) -> list[RigidMove]:
        """The moves that take all pieces to where they lie afterwards."""
        if len(self.before) != len(self.after):
            return []
        return [move for move, block in self.moves.items() if len(block) == len(self.before)]

    def swap(self) -> list[tuple[RigidMove, list[int]]]:
        """Two blocks that change places, with their moves; nothing if there are none."""
        ranked = sorted(self.moves, key=lambda move: (-len(self.moves[move]), move.rank))
        for move in ranked:
            block = self.moves[move]
            rest = self.before.keys() - block.keys()
            for other in ranked:
                if rest and self.moves[other].keys() == rest:
                    back = self.moves[other]
                    if self._take(block, back) and self._take(back, block):
                        return [(move, sorted(block)), (other, sorted(back))]
        return []

    def _take(self, block: Mapping[int, int], other: Mapping[int, int]) -> bool:
        """Whether a block comes to lie where the other one was."""
        ours = frozenset[int]().union(*(self.after[new] for new in block.values()))
        return ours == frozenset[int]().union(*(self.before[old] for old in other))


def placements_of(model: Model, options: Iterable[int]) -> tuple[Placement, ...]:
    """Options as placements; pieces of one shape have one name here."""
    return tuple(
        Placement(
            name_of(model, option),
            tuple(map(tuple, model.free.cells[model.cells_of(option)].tolist())),
        )
        for option in options
    )


def name_of(model: Model, option: int) -> str:
    return model.groups[int(model.layout.option_shape[option])].title


def _listed(names: Iterable[str]) -> str:
    """Names in order, for a reader: `F, 2 L and N`."""
    many = Counter(names)
    *others, last = (name if many[name] == 1 else f"{many[name]} {name}" for name in sorted(many))
    return f"{', '.join(others)} and {last}" if others else last


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _block(names: Iterable[str]) -> str:
    known = list(names)
    return known[0] if len(known) == 1 else f"the block of {_listed(known)}"
