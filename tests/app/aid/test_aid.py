"""The aid on the boards that people play on, and on puzzles with too many solutions to list."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

import exactcover as ec
from exactcover.app.aid import Aid, player
from exactcover.app.aid.listing import Background
from exactcover.app.aid.positions import Position
from exactcover.app.aid.prospects import searched_reason


def board(name: str) -> ec.Puzzle:
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    return puzzle


X = [(2, 1), (1, 1), (3, 1), (2, 0), (2, 2)]


@pytest.mark.parametrize(
    ("name", "left"),
    [("pentominoes_10x6", 9356), ("pentominoes_20x3", 8), ("pentominoes_8x8_hole", 520)],
)
def test_the_empty_board_has_the_published_number_of_solutions(name: str, left: int) -> None:
    with Aid(board(name)) as aid:
        assert aid.wait().left == left


def test_every_place_of_a_piece_adds_up_to_all_solutions() -> None:
    """Each solution has the X in one place, so the numbers left add up to 9356."""
    puzzle = board("pentominoes_10x6")
    total = 0
    with Aid(puzzle) as aid:
        places = {place for cell in puzzle.region.cells.tolist() for place in aid.places("X", cell)}
        assert len(places) == 8 * 4
        for place in sorted(places):
            aid.place("X", place)
            total += aid.wait().left
            aid.remove("X")
    assert total == 9356


def test_a_number_that_is_not_exact_is_a_lower_bound_that_grows() -> None:
    puzzle = ec.Puzzle.of("domino any", "20x20")
    with Aid(puzzle, seconds=0.0, memory=1) as aid:
        # At first there is nothing yet: kernels are compiled.
        first = next(one for _ in range(100) if (one := aid.prospect(0.5)).left)
        then = aid.prospect(0.5)
        assert not first.exact
        assert not then.exact
        assert 0 < first.left < then.left
        assert str(then).startswith("at least ")
        now = aid.place("I", [(1, 0), (1, 1)])
        assert not now.exact
        assert [set(one.cells) for one in now.forced] == [{(0, 0), (0, 1)}]  # the corner
        hint = aid.hint(600.0)
        assert hint.place is not None
        assert (0, 0) in hint.place.cells
        assert "no other placement" in hint.why


def test_rows_that_outgrow_their_room_still_give_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = ec.Puzzle.of("domino any", "6x6")  # 6728 solutions of 18 dominoes: 484 kB
    with closing(Background(puzzle.model, 20_000)) as background:
        seen = background.ask(Position(puzzle.model), None)
        assert (seen.count, len(seen.rows), seen.all_kept) == (6728, 1, False)
    roomy = Aid(puzzle)
    monkeypatch.setattr(player, "MEBIBYTE", 20_000)
    with roomy, Aid(puzzle, memory=1) as small:
        assert roomy.wait() == small.wait()
        assert small.wait().left == 6728
        cells = [(0, 0), (1, 0)]
        small.place("I", cells)
        roomy.place("I", cells)
        assert roomy.wait() == small.wait()
        assert small.wait().left == 6728 / 2


def test_a_hint_is_given_where_more_solutions_are_found_than_there_is_room_for() -> None:
    puzzle = ec.Puzzle.of("domino any", "20x20")
    with Aid(puzzle, memory=1) as aid:  # a thousand rows
        aid.place("I", [(1, 0), (1, 1)])
        while aid.prospect(0.1).left < 10_000:
            pass
        place = aid.hint().place
        assert place is not None
        assert set(place.cells) == {(0, 0), (0, 1)}
        rest = aid.finish()
        assert rest is not None
        assert len(rest) == 199
        aid.place("I", [(0, 1), (0, 2)])  # nothing can cover the corner now
        undo = aid.hint(600.0).undo
        assert [set(one.cells) for one in undo] == [{(0, 1), (0, 2)}]


def test_a_search_goes_on_where_no_memory_is_left_for_other_lists() -> None:
    model = ec.Puzzle.of("domino any", "20x20").model
    position = Position(model)
    with closing(Background(model, 1)) as background:
        for column in (1, 2):
            position = position.with_piece("I", [(column, 0), (column, 1)])
            first = background.ask(position, 0.3).count
            assert len(background.known()) == 2
            assert first < background.ask(position, 0.3).count


def test_the_reason_is_an_enclosed_area() -> None:
    with Aid(board("pentominoes_20x3")) as aid:
        now = aid.place("X", [(3, 1), (2, 1), (4, 1), (3, 0), (3, 2)])
        assert (now.left, now.exact, now.dead) == (0, True, ())
        assert now.why is not None
        assert "area of 8 cells" in now.why
        assert "(0, 0)" in now.why
        hint = aid.hint()
        assert hint.place is None
        assert [one.piece for one in hint.undo] == ["X"]
        assert "Take back X." in hint.why


def test_the_reason_is_a_cell_without_a_placement() -> None:
    with Aid(board("pentominoes_10x6")) as aid:
        now = aid.place("V", [(0, 2), (1, 2), (2, 2), (2, 1), (2, 0)])
        assert (now.left, now.exact) == (0, True)
        assert set(now.dead) == {(0, 0), (0, 1), (1, 0), (1, 1)}
        assert now.why is not None
        assert now.why.startswith("No piece that is left can cover")


def test_the_reason_is_a_piece_that_fits_nowhere() -> None:
    puzzle = ec.Puzzle.of(["I tromino", "O tetromino", "domino"], "3x3")
    with Aid(puzzle) as aid:
        now = aid.place("O", [(0, 1), (0, 2), (1, 1), (1, 2)])
        assert now.left > 0
        aid.remove("O")
        now = aid.place("I3", [(0, 1), (1, 1), (2, 1)])
        assert now.stuck == ("O",)
        assert now.why == "The piece O fits nowhere."


def test_the_reason_is_a_colouring() -> None:
    """Dominoes cannot fill a board without two opposite corners."""
    puzzle = ec.Puzzle.of("domino any", {"plus": "6x6", "minus": ["1x1", "1x1 at 5,5"]})
    why = searched_reason(Position(puzzle.model), 5.0)
    assert why is not None
    assert why.startswith("A colouring proves it")
    with Aid(puzzle) as aid:
        assert aid.hint().undo == ()
        assert "colouring" in aid.hint().why


def test_hints_lead_to_a_solution_and_mistakes_are_taken_back() -> None:
    puzzle = board("pentominoes_20x3")
    with Aid(puzzle) as aid:
        aid.wait()
        aid.place("I", [(x, 1) for x in range(6, 11)])
        assert aid.hint().place is None
        for one in aid.hint().undo:
            aid.remove(one.piece)
        assert aid.hint().undo == ()
        while (place := aid.hint().place) is not None:
            aid.place(place.piece, place.cells)
        hint = aid.hint()
        assert hint.why == "The puzzle is solved."
        solution = {one.piece: set(one.cells) for one in aid.placed}
        known = [
            {one.piece: set(one.cells) for one in solution.placements}
            for solution in ec.solve(puzzle, counted="all")
        ]
        assert solution in known


def test_equal_pieces_keep_the_names_that_the_player_chose() -> None:
    puzzle = ec.Puzzle.from_toml(
        'lattice = "square"\nregion = "2x2"\n[[piece]]\nname = "a"\ncells = [[0,0],[1,0]]\n'
        '[[piece]]\nname = "b"\ncells = [[0,0],[0,1]]\n'
    )
    with Aid(puzzle) as aid:
        assert aid.wait().left == 2
        now = aid.place("b", [(0, 0), (1, 0)])
        assert [one.piece for one in now.forced] == ["a"]
        assert [one.piece for one in aid.placed] == ["b"]
        with pytest.raises(ec.PuzzleError, match="piece b: it is placed already"):
            aid.place("b", [(0, 1), (1, 1)])


@pytest.mark.parametrize(
    ("piece", "cells", "message"),
    [
        ("X", [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)], "another shape"),
        ("X", [(0, 0), (1, 0), (9, 9)], "not a free cell"),
        ("X", [(0,)], "each cell is"),
        ("Q", X, "no movable piece is called 'Q'"),
        ("I", [(x, 1) for x in range(5)], "piece X covers the cell"),
    ],
)
def test_a_wrong_move_says_what_is_wrong_and_changes_nothing(
    piece: str, cells: list[tuple[int, ...]], message: str
) -> None:
    with Aid(board("pentominoes_10x6")) as aid:
        aid.place("X", X)
        with pytest.raises(ec.ExactCoverError, match=message):
            aid.place(piece, cells)
        assert [one.piece for one in aid.placed] == ["X"]
        with pytest.raises(ec.UnknownName):
            aid.remove("Y")
        with pytest.raises(ec.PuzzleError, match="no placed piece covers"):
            aid.remove((9, 5))


def test_the_thread_ends() -> None:
    aid = Aid(board("pentominoes_20x3"))
    aid.wait()
    aid.close()
    assert all(one.name != "exactcover-aid" for one in threading.enumerate())
