"""Pictures, pages and models to be made read the same things, and refuse the rest alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import exactcover as ec
from exactcover.show.picture import Scene, Wishes, scene_of
from exactcover.show.subjects import PieceList, pieces_to_make, subject_of
from exactcover.show.viewing import Contents, contents_of

SQUARE = ec.get_lattice("square")
A, B = ec.Piece("A", [(0, 0), (1, 0)]), ec.Piece("B", [(0, 0)])
PUZZLE = ec.puzzle_of([A, B], [(0, 0), (1, 0), (2, 0)], "square")
SOLUTION = ec.Solution((0, 2), PUZZLE.model.problem, PUZZLE.model)


def scene(what: object, lattice: ec.Lattice | None) -> Scene:
    return scene_of(what, None, lattice, Wishes("solid", names=True))


Reader = Callable[[object, ec.Lattice | None], Scene | Contents | PieceList]

READERS: tuple[Reader, ...] = (scene, contents_of, pieces_to_make)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("what", "message"),
    [
        ([], "the list is empty"),
        ([A, [(0, 0)]], "of one sort: this one holds pieces and shapes"),
        ([[(0, 0)]], 'do not say on which lattice they lie: name it, as in lattice="square"'),
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


def test_the_sort_of_what_is_given() -> None:
    for what, sort in ((SOLUTION, "solution"), ([SOLUTION], "solutions"), (PUZZLE, "puzzle"),
                       (PUZZLE.region, "region"), (SQUARE, "lattice"), (3, "")):  # fmt: skip
        assert subject_of(what, None) == (sort, what)
    sort, pieces = subject_of(PUZZLE.pieces, None)
    assert (sort, pieces.lattice) == ("pieces", PUZZLE.lattice)
    _, shapes = subject_of(iter([[(0, 0)], [(1, 0)]]), SQUARE)
    assert not shapes.named
    assert [piece.name for piece in shapes.pieces] == ["1", "2"]
