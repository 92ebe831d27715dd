"""Packers find a solution exactly where there is one, on every lattice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.problem import Problem
from exactcover.runs.portfolio.board import SCARCE, PackingBoard
from exactcover.runs.portfolio.finding import methods
from exactcover.runs.portfolio.kernels import D_DEPTH, THRESHOLD, Dive, OrderTables, dive_on
from exactcover.runs.portfolio.packer import Attempt, Method, Outcome, Packer
from exactcover.search.solving import solve
from exactcover.search.subject import Subject
from tests.helpers.examples import few, some
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import problems

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]

EVERYTHING = 1 << 40
"""Steps that are enough for every small puzzle."""

WHOLE = 100.0
"""More pieces than a small puzzle has."""


def dived(board: PackingBoard, method: Method, seed: int = 0) -> Outcome:
    """What a dive has come to that may take as long as it likes."""
    packed = Packer(board).pack(Attempt(0, method, EVERYTHING, seed), lambda: True)
    assert packed is not None
    return packed


def agrees(subject: Subject, method: Method, seed: int) -> None:
    """A dive of unlimited length reaches an ending of a subject that has a solution; an ending in
    the whole board finds one if, and only if, there is one."""
    wanted = next(solve(subject.problem), None) is not None
    board = PackingBoard.of(subject)
    if board is None:
        event("no board")
        return
    packed = dived(board, method, seed)
    event(f"solvable: {wanted}, solved: {packed.solved}")
    if method.threshold == WHOLE:
        assert packed.solved == wanted
    elif wanted:
        assert packed.left <= max(1, int(method.threshold * board.mean_size))
    if packed.solved:
        assert subject.problem.violation(packed.options) is None
    taken = [item for one in packed.options for item in subject.problem.items_of(one).tolist()]
    most = np.ones(subject.problem.n_items, int)
    most[: subject.problem.primary] = subject.problem.high
    assert (np.bincount(taken, minlength=most.size) <= most).all()  # a packing, if not a solution


@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=2), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_a_puzzle_is_solved_if_it_can_be(lattice: Lattice, data: st.DataObject) -> None:
    plain = data.draw(plain_puzzles(lattice, 6 if lattice.dimension == 4 else 9))
    method = Method(0, data.draw(st.sampled_from((0.0, 1.0, 2.0, WHOLE))))
    scarce = data.draw(st.sampled_from((1, SCARCE)))
    try:
        subject = Subject.of(told(plain))
        event("fits" if not subject.reason else "does not fit")
        if not subject.reason:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr("exactcover.runs.portfolio.board.SCARCE", scarce)
                agrees(subject, method, data.draw(st.integers(0, 3)))
    except PuzzleError:
        event("refused")


@given(
    problem=problems(frozenset({"secondary", "multiplicities"})),
    threshold=st.sampled_from((0.0, 1.0, 2.0, WHOLE)),
)
def test_a_plain_problem_is_solved_if_it_can_be(problem: Problem, threshold: float) -> None:
    agrees(Subject.of(problem), Method(0, threshold), 0)


def test_every_order_and_method_packs_pentominoes() -> None:
    board = PackingBoard.of(Subject.of(ec.read("pentominoes_10x6")))
    assert board is not None
    orders = {method.order for method in methods(board)}
    assert len(orders) > 3
    for order in orders:
        assert dived(board, Method(order, 11.0)).solved


@pytest.mark.slow
def test_scarce_pieces_are_placed_first() -> None:
    subject = Subject.of(ec.read("hexahexes_29x17"))  # the ring fits round the hole only
    board = PackingBoard.of(subject)
    assert board is not None
    assert board.must.size == board.cells + 1
    ring = board.must[0]
    packed = Packer(board).pack(Attempt(0, Method(0, 75.0), 10_000, 1), lambda: True)
    assert packed is not None
    assert board.cells - 6 * len(packed.options) <= 450
    assert any(ring in subject.problem.items_of(option) for option in packed.options)


def windowed(
    puzzle: str, line: float, before: float, seed: int
) -> tuple[PackingBoard, Packer, int]:
    """A packing by a short dive that ends before a line."""
    board = PackingBoard.of(Subject.of(ec.read(puzzle)))
    assert board is not None
    tables = board.tables(0)
    dive = Dive.start(tables, np.random.default_rng(3).gumbel(size=tables.slot.size))
    threshold = int((line + before) * board.mean_size)
    assert dive_on(tables, dive, threshold, 1 << 21) == THRESHOLD
    placed = dive.chosen[: dive.numbers[D_DEPTH]].tolist()
    keys = np.random.default_rng(seed).gumbel(size=tables.slot.size)
    packer = Packer(board)
    packer.pack(Attempt(0, Method(0, 0.0), 1, 0), lambda: True)
    packer.dive, packer.placed, packer.keys = dive, placed, keys
    return board, packer, int(tables.must - line * board.mean_size)


def is_consistent(tables: OrderTables, windows: Packer) -> bool:
    """Whether the bits taken and the pieces left are those of distinct pieces that do not meet."""
    dive, again = windows.dive, np.zeros(windows.dive.taken.size * 64, np.int64)
    for row in windows.placed:
        again[tables.bits[tables.bit_starts[row] : tables.bit_starts[row + 1]]] += 1
    used = np.bincount(tables.slot[windows.placed], minlength=tables.high.size)
    taken = np.unpackbits(dive.taken.view(np.uint8), bitorder="little")
    bits = int(tables.near_starts.size) - 1
    is_left = (dive.left == tables.high - used) & (dive.left >= 0)
    return bool((again[:bits] == taken[:bits]).all() and is_left.all())


def test_a_window_leaves_the_rest_as_it_is() -> None:
    board, windows, _ = windowed("hexominoes_1s_30x12", 22, 12, 2)
    tables, dive = board.tables(0), windows.dive
    ease = np.append(np.exp(board.ease()[:-1]), 0.0)
    random = np.random.default_rng(1)
    exchanged = 0
    for _ in range(20):
        before, taken = list(windows.placed), dive.taken.copy()
        easy = float(ease @ (dive.left * (dive.left < 2)))
        row = int(random.choice(before))
        window = windows.around(row, 9)
        windows.exchange(row, ease)
        assert is_consistent(tables, windows)
        assert (dive.taken == taken).all()  # the same cells are filled
        assert set(before) - set(window) <= set(windows.placed)
        now = float(ease @ (dive.left * (dive.left < 2)))
        assert now > easy - 1e-9
        exchanged += now > easy + 1e-9
    assert exchanged


def test_a_window_fills_all_up_to_a_line() -> None:
    for seed in range(5):
        board, windows, line = windowed("hexominoes_1s_30x12", 22, 12, seed)
        is_filled = windows.fill_to_line(line)
        assert is_consistent(board.tables(0), windows)
        if is_filled:
            filled = np.unpackbits(windows.dive.taken.view(np.uint8), bitorder="little")
            assert filled[:line].all()
            assert not filled[line : board.cells].any()
            return
    pytest.fail("no window was filled")


def test_a_seed_repeats_a_dive_with_windows() -> None:
    subject = Subject.of(ec.read("hexominoes_1s_30x12"))
    board = PackingBoard.of(subject)
    assert board is not None
    method = next(method for method in methods(board) if method.line)
    attempt = Attempt(0, method, 100_000_000, 1)
    one, two = (Packer(board).pack(attempt, lambda: True) for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.options == two.options
    assert one.left < board.cells
    taken = [item for row in one.options for item in subject.problem.items_of(row).tolist()]
    assert len(set(taken)) == len(taken)
