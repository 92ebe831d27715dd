"""Backtrack triggers: the tables, the trees they leave, and that they change no solutions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Search, Status, get_backend
from exactcover.backends.arrays import bits_of
from exactcover.backends.node import Node
from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.problem.filters import triggers as tables
from exactcover.problem.filters.tree import Subtree, cells_among
from exactcover.problem.filters.triggers import (
    PieceClass,
    TriggerTable,
    classified,
    parity_tables,
    states,
    volume_table,
)
from exactcover.problem.layout import pieces_left
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.model import Model
from exactcover.search.plan import make_plan, watch
from exactcover.search.result import Result
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.examples import few
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.summed import searched, started

SQUARE = get_lattice("square")


def box(width: int, height: int) -> npt.NDArray[np.int64]:
    return np.indices((width, height)).reshape(2, -1).T


def can_make_up(position: Subtree, colours: npt.NDArray[np.int32]) -> bool:
    """Whether the pieces left can make up every colour, from scratch and with sets of sums."""
    layout, option_shape = position.cells.layout, position.cells.layout.option_shape
    for colour in range(int(colours.max(initial=-1)) + 1):
        black = colours == colour
        on_colour = cells_among(position.cells, black)
        sums = {0}
        for shape, (low, high) in enumerate(position.copies.tolist()):
            amounts = set(on_colour[position.alive & (option_shape == shape)].tolist())
            exactly, made = sums, set(sums) if low == 0 else set()
            for copy in range(1, high + 1):
                exactly = {one + amount for one in exactly for amount in amounts}
                exactly = {one for one in exactly if one <= layout.n_cells}
                made |= exactly if copy >= low else set()
            sums = made
        open_ = black & ~position.filled
        least, most = int((open_ & ~layout.optional).sum()), int(open_.sum())
        if not any(least <= one <= most for one in sums):
            return False
    return True


def allows(table: TriggerTable, chosen: tuple[int, ...]) -> bool:
    """Whether the pieces left can complete these options, as far as the table shows."""
    listed = list(chosen)
    wanted = table.shortfall.flat[int(table.steps[listed].sum())]
    return bool(wanted <= table.slack - int(table.takes[listed].sum()))


def parts_can_be_filled(table: TriggerTable, tree: Subtree) -> bool:
    """The test of the volume trigger at one position, in plain Python."""
    layout = tree.cells.layout
    starts, near = layout.adjacent
    row = int(table.steps[list(tree.chosen)].sum())
    left = set(np.flatnonzero(~tree.filled).tolist())
    while left:
        part = [left.pop()]
        for cell in part:
            others = left.intersection(near[starts[cell] : starts[cell + 1]].tolist())
            left -= others
            part.extend(others)
        if table.shortfall.flat[row + len(part)] > layout.optional[part].sum():
            return False
    return True


def straights(width: int, height: int, *sizes: tuple[int, int, int]) -> Puzzle:
    """A box and straight pieces: size, fewest and most copies."""
    pieces = [Piece(f"I{n}", [(x, 0) for x in range(n)], low, high) for n, low, high in sizes]
    return Puzzle(SQUARE, Region(box(width, height)), tuple(pieces))


def solved(puzzle: Puzzle, strategy: str, counted: str = "all") -> Result:
    return Solving(puzzle, counted=counted, strategy=strategy).run()


def search_of(puzzle: Puzzle, strategy: str) -> Search:
    model, parsed = puzzle.model, Strategy.parse(strategy)
    return searched(make_plan(Subject(model.problem, model), parsed), parsed)


# -- tables against brute force -------------------------------------------------------------------


@st.composite
def multisets(draw: st.DrawFn) -> list[PieceClass]:
    pieces = []
    for shape in range(draw(st.integers(1, 4))):
        amounts = draw(st.frozensets(st.integers(0, 4), max_size=3))
        low = draw(st.integers(0, 2))
        pieces.append(PieceClass(amounts, low, low + draw(st.integers(0, 2)), (shape,)))
    return pieces


def plainly(pieces: list[PieceClass], used: tuple[int, ...]) -> set[int]:
    """What the pieces left can make: every number of copies, every choice of amounts."""
    found: set[int] = set()
    ranges = [
        range(max(0, piece.low - n), piece.high - n + 1)
        for piece, n in zip(pieces, used, strict=True)
    ]
    for copies in product(*ranges):
        each = [piece.amounts for piece, n in zip(pieces, copies, strict=True) for _ in range(n)]
        found |= {sum(amounts) for amounts in product(*each)}
    return found


def state_of(pieces: list[PieceClass], classes: list[PieceClass], used: tuple[int, ...]) -> int:
    state = 0
    for one in classes:
        state = state * (one.high + 1) + sum(used[shape] for shape in one.shapes)
    return state


@given(pieces=multisets(), width=st.integers(1, 30))
def test_the_table_is_what_the_pieces_left_can_make(pieces: list[PieceClass], width: int) -> None:
    classes = classified(pieces, 1 << 20)
    table = tables.sums_left(classes, width)
    assert table.shape == (states(classes), width)
    event(f"{len(classes)} classes of {len(pieces)} pieces")
    for used in product(*(range(piece.high + 1) for piece in pieces)):
        wanted = plainly(pieces, used)
        got = np.flatnonzero(table[state_of(pieces, classes, used)]).tolist()
        assert got == sorted(amount for amount in wanted if amount < width)


@given(pieces=multisets(), room=st.integers(1, 40))
def test_a_table_that_is_held_small_allows_no_less(pieces: list[PieceClass], room: int) -> None:
    room = max(room, sum(piece.high for piece in pieces) + 1)
    classes = classified(pieces, room)
    assert states(classes) <= room
    table = tables.sums_left(classes, 40)
    for used in product(*(range(piece.high + 1) for piece in pieces)):
        row = table[state_of(pieces, classes, used)]
        assert row[[amount for amount in plainly(pieces, used) if amount < 40]].all()


# -- the test at a node ---------------------------------------------------------------------------


def nodes(model: Model) -> list[tuple[int, ...]]:
    """The nodes of a small search: sets of options that do not overlap, first open cell first."""
    problem = model.problem
    starts, cells = model.option_cells
    found: list[tuple[int, ...]] = [()]
    for chosen in found:
        if len(found) > 400:
            break
        used = np.bincount(
            np.concatenate([np.zeros(0, int), *(problem.items_of(o) for o in chosen)]),
            minlength=problem.n_items,
        )
        room = np.concatenate([problem.high, np.ones(problem.n_items - problem.primary, int)])
        filled = Subtree(problem, model, chosen, np.ones(problem.n_options, bool)).filled
        still = np.flatnonzero(~filled)
        if len(still):
            for option in range(problem.n_options):
                mine = cells[starts[option] : starts[option + 1]]
                if (used + 1 <= room)[problem.items_of(option)].all() and still[0] in mine:
                    found.append((*chosen, option))
    return found


def painted(model: Model, modulus: int) -> list[npt.NDArray[np.int32]]:
    return [*model.colourings(), *model.colourings(modulus)]


@given(data=st.data(), modulus=st.integers(2, 3))
@few
def test_the_parity_trigger_is_the_filters_own_test(data: st.DataObject, modulus: int) -> None:
    """At every node; `can_make_up` computes everything anew."""
    lattice = get_lattice(data.draw(st.sampled_from(("square", "triangular"))))
    try:
        model = told(data.draw(plain_puzzles(lattice, 8))).model
    except PuzzleError:
        return
    if model.reason:
        return
    alive = np.ones(model.problem.n_options, bool)
    for colours in painted(model, modulus):
        tables = parity_tables(model, alive, colours)
        for chosen in nodes(model):
            wanted = can_make_up(Subtree(model.problem, model, chosen, alive), colours)
            event(f"{wanted}")
            assert all(allows(table, chosen) for table in tables) == wanted


def test_the_volume_trigger_does_nothing_for_pieces_in_parts() -> None:
    apart = Piece("U", [(0, 0), (2, 0)])
    puzzle = Puzzle(SQUARE, Region(box(4, 1)), (apart, replace(apart, name="V")))
    assert volume_table(puzzle.model) is None
    assert solved(puzzle, "volume-trigger; dlx:s").solutions == 1


# -- searches -------------------------------------------------------------------------------------

BOTH = "parity-trigger; parity-trigger=3; volume-trigger"


@given(data=st.data())
@few
def test_solutions_one_step_at_a_time(data: st.DataObject) -> None:
    """The solutions are the same, however often the search is stopped, put away and taken up."""
    lattice = get_lattice(data.draw(st.sampled_from(("square", "hexagonal", "cubic"))))
    heuristic = data.draw(st.sampled_from(("s", "f")))
    down_to = data.draw(st.sampled_from(("", "@2")))
    try:
        puzzle = told(data.draw(plain_puzzles(lattice, 9)))
        wanted = {s.options for s in Solving(puzzle, strategy=f"dlx:{heuristic}", counted="all")}
    except PuzzleError:
        return
    if puzzle.model.reason:
        return
    event(f"{min(3, len(wanted))} solutions or more")
    with_triggers = "; ".join(f"{part}{down_to}" for part in BOTH.split("; "))
    search = search_of(puzzle, f"{with_triggers}; dlx:{heuristic}")
    found = []
    for _ in range(100_000):
        batch = search.advance(1, capacity=1)
        found += [batch.solution(number) for number in range(len(batch))]
        if batch.status is Status.DONE:
            break
    assert len(set(found)) == len(found)
    assert set(found) == wanted


@pytest.mark.parametrize("heuristic", ["s", "f"])
def test_more_cells_than_a_word_has_bits(heuristic: str) -> None:
    """Two words, three words; parts that reach from one word into another and back."""
    for puzzle in (straights(2, 35, (5, 14, 14)), straights(3, 45, (5, 27, 27))):
        plain = solved(puzzle, f"dlx:{heuristic}")
        watched = solved(puzzle, f"volume-trigger; parity-trigger; dlx:{heuristic}")
        assert watched.solutions == plain.solutions > 0
        assert watched.fits <= plain.fits


def test_the_compiled_flood_fill_agrees_with_plain_python() -> None:
    """On random sets of open cells of 3 x 50 cells, with some cells optional."""
    from exactcover.backends.dlx_kernel import can_be_completed

    random = np.random.default_rng(5)
    optional = box(3, 50)[random.random(150) < 0.1]
    pieces = [Piece("I3", [(0, 0), (1, 0), (2, 0)], 0, 4), Piece("O", box(2, 2), 2, None)]
    space = np.array([cell for cell in box(3, 50).tolist() if cell not in optional.tolist()])
    puzzle = Puzzle(SQUARE, Region(space, optional), tuple(pieces))
    model = puzzle.model
    table = volume_table(model)
    assert table is not None
    problem, layout = model.problem, model.layout
    plan = make_plan(Subject(problem, model), Strategy.parse("volume-trigger; dlx:s"))
    how = Branching(watch=watch(plan, layout, pieces_left(problem, layout)))
    watched = started(get_backend("dlx"), problem, layout, how).search.watch
    watched.ledger[0, 0] = watched.parts_down_to
    verdicts = []
    for _ in range(300):
        open_ = random.random(150) < random.choice([0.03, 0.1, 0.3, 0.8])
        used = int(random.integers(0, 5))
        option = int(np.flatnonzero(model.layout.option_shape == 0)[0])
        watched.open[0] = bits_of(np.flatnonzero(open_), 3)
        watched.ledger[0, -1] = used * int(table.steps[option])
        got = can_be_completed(0, watched)
        position = Subtree(
            model.problem, model, (option,) * used, np.ones(model.problem.n_options, bool)
        )
        position.__dict__["filled"] = ~open_
        assert got == parts_can_be_filled(table, position)
        verdicts.append(got)
    assert 20 < sum(verdicts) < 280


@pytest.mark.parametrize("heuristic", ["s", "f"])
@pytest.mark.parametrize("name", ["somacube", "pentominoes_20x3"])
def test_a_trigger_prunes_the_tree_and_no_more(name: str, heuristic: str) -> None:
    """Some pieces cut the box of 3 x 20 in two."""
    puzzle, end = ec.read(name), f"redundancy; dlx:{heuristic}"
    plain = solved(puzzle, end, "rotations")
    for trigger in ("parity-trigger", "parity-trigger=3", "volume-trigger"):
        watched = solved(puzzle, f"{trigger}; {end}", "rotations")
        assert watched.solutions == plain.solutions
        assert watched.fits <= plain.fits
        if name == "somacube":
            assert solved(puzzle, f"{trigger}@99; {end}", "rotations").fits == plain.fits


def test_a_trigger_looks_down_to_its_least_number_of_pieces() -> None:
    strategies = [f"parity-trigger@{least}; redundancy; dlx:s" for least in (2, 3, 4, 5)]
    found = [solved(ec.read("somacube"), strategy, "rotations").fits for strategy in strategies]
    assert found == [6486, 6850, 7999, 8715]


def test_a_tree_never_begun() -> None:
    """Five T tetrominoes cover ten black cells in no way, and so fill no box."""
    puzzle = Puzzle(
        SQUARE, Region(box(4, 5)), (Piece("T", [(0, 0), (1, 0), (2, 0), (1, 1)], 5, 5),)
    )
    assert solved(puzzle, "dlx:s").fits > 0
    result = solved(puzzle, "parity-trigger; dlx:s")
    assert (result.solutions, result.fits) == (0, 0)


@pytest.mark.slow
def test_the_tetris_cube_violates_parity_after_six_pieces() -> None:
    """As the article says; it happens below the first image of the piece that is constrained.

    With seven pieces left to place it never does, so the number of fits there is that of no
    trigger; in the whole tree it saves 85 of 67,952,496.
    """
    model = ec.read("tetriscube").model
    fits = []
    for pieces in (7, 6):
        strategy = Strategy.parse(f"parity-trigger@{pieces}; redundancy; dlx:s")
        plan = make_plan(Subject(model.problem, model, "rotations"), strategy)
        sizes = np.bincount(model.layout.option_shape[plan.alive])
        images = np.flatnonzero(plan.alive & (model.layout.option_shape == sizes.argmin()))
        search = searched(plan, strategy, Branching(root=Node((int(images[0]),))))
        while search.advance(1 << 20, keep=False).status is not Status.DONE:
            pass
        assert search.report().found == 5371
        fits.append(search.report().fits)
    assert fits == [33_224_808, 33_224_808 - 85]
