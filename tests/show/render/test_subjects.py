"""Pictures, pages and models to be made read the same things, and refuse the rest alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import exactcover as ec
from exactcover.show.pages.contents import Contents, contents_of
from exactcover.show.render.picture import Scene, Wishes, scene_of
from exactcover.show.render.subjects import PieceList, pieces_of, pieces_to_make

SQUARE = ec.get_lattice("square")
A, B = ec.Piece("A", [(0, 0), (1, 0)]), ec.Piece("B", [(0, 0)])
PUZZLE = ec.Puzzle.of([A, B], [(0, 0), (1, 0), (2, 0)], "square")
SOLUTION = ec.Solution((0, 2), PUZZLE.model.problem, PUZZLE.model)


def scene(what: object, lattice: ec.Lattice | None) -> Scene:
    return scene_of(what, None, lattice, Wishes(layers=False, names=True))


Reader = Callable[[object, ec.Lattice | None], Scene | Contents | PieceList]

READERS: tuple[Reader, ...] = (scene, contents_of, pieces_to_make)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("what", "message"),
    [
        ([], "the list is empty"),
        ([A, [(0, 0)]], "of one sort: this one holds pieces and shapes"),
        ([PUZZLE, SOLUTION], "of one sort: this one holds puzzles and solutions"),
        ([[(0, 0)]], 'do not say on which lattice they lie: name it, as in lattice="square"'),
        (A, "do not say on which lattice"),
        ("nonsense", "set of pieces"),
    ],
)
def test_all_three_refuse_it_in_the_same_words(read: Reader, what: object, message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        read(what, None)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("what", "title"),
    [
        ("dominoes", "dominoes"),
        (A, "A"),
        ([A], "A"),
        ((A, B), "2 pieces"),
        ([[(0, 0)], [(0, 0), (0, 1)]], "2 shapes"),
    ],
)
def test_all_three_give_it_the_same_title(read: Reader, what: object, title: str) -> None:
    assert read(what, SQUARE).title == title


def test_pieces_of_a_puzzle_lie_on_its_lattice() -> None:
    wanted = pieces_of(PUZZLE.pieces, None)
    assert wanted is not None
    assert wanted.lattice is PUZZLE.lattice


def test_shapes_have_only_numbers() -> None:
    wanted = pieces_of(iter([[(0, 0)], [(1, 0)]]), SQUARE)
    assert wanted is not None
    assert not wanted.named
    assert [piece.name for piece in wanted.pieces] == ["1", "2"]


def test_solutions_and_puzzles_are_no_pieces() -> None:
    assert pieces_of([SOLUTION], None) is None
    assert pieces_of(PUZZLE, None) is None
