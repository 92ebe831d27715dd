"""Makes the gallery page, its pictures and those of the lattices' cells: `make gallery`.

An SVG picture depends only on the program and on the puzzles, so a test compares the files with it.
`python docs/pictures/make.py --times` measures the seconds of the gallery, in `seconds.json`.
Other pictures are saved by the code of the pages that show them: `make pages`.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path

from matplotlib.figure import Figure

import exactcover as ec
from exactcover.formats import read_puzzle, shipped
from exactcover.lattices import Lattice, lattices
from exactcover.puzzle.paint import Paint
from exactcover.search import record
from exactcover.show.board import BoardState, DrawnBoard, Part, state_of
from exactcover.show.paint import figure
from exactcover.show.palette import EMPTY
from exactcover.show.picture import Scene, pictured
from exactcover.show.plots import plot_comparison, save_figure
from exactcover.studio.making import cut_lines
from exactcover.studio.making.cutting import svg_of

HERE = Path(__file__).parent

SHOWN = (
    "square/pentominoes_10x6",
    "hexagonal/tetrahexes_flower_1",
    "triangular/hexiamonds_6x6",
    "sticks-square/tetrasticks_5x5_without_H",
    "sticks-triangular/tritrigs_heart_1",
    "sticks-hexagonal/polytwigs_hexagon_2",
    "cubic/somacube",
    "cubic/bedlamcube",
    "fcc/pyramid_20",
    "bcc/pairs_3x2x2",
    "prism/triprisms_hexagon",
    "octet/dioctets_and_trioctets_any_octahedron_2",
    "octet-eighths/pairs_any_2x2x2",
    "rhombic/different_quadruples_cube",
    "hypercubic-1/rods_6",
    "hypercubic/tetratesseracts_3x2x2x2",
    "hypercubic-5/dominoes_2x2x2x2x2",
    "hypercubic-6/dominoes_2x2x2x2x2x2",
)
"""The puzzles of the gallery: each lattice that has one, each drawn with its first solution."""

SEARCHED_BY = "dlx:s"
"""One engine and no choice among several, so that the first solution is the same everywhere."""

GALLERY = """# Gallery

A solution of a puzzle for each lattice, as `exactcover draw PUZZLE --solution 1` draws it, with the
number of its solutions, the processor time of counting them once the program is compiled, and stars
for [how hard it is](pictures.md#the-local-page). `make gallery` writes this page and its pictures.
"""

PUZZLES = """## All puzzles

These {number} puzzles come with the program; `exactcover list puzzles` lists them. Pictures show
the boards with stationary pieces. On the built page tables follow, with the numbers of solutions
written in the files: of all, of those that are no rotations of each other, and of those that are
no mirror images either.
"""

SHELF = {
    entry["name"]: entry
    for entry in json.loads(
        (HERE.parents[1] / "exactcover/studio/serving/shelf.json").read_text(encoding="utf-8")
    )
}
"""The data of each shipped puzzle on the shelf of `serve`."""

SECONDS = HERE / "seconds.json"
"""The processor seconds of counting the puzzles of the gallery, as `--times` measured them."""

ON_A_SHEET = 32
"""The most puzzles on one sheet of the gallery."""

MOST_CELLS = 3200
"""A board of more cells would be a large file, and show a grid and nothing else."""

WIDEST = 760.0
"""Pixels of the widest picture of a lattice's cells."""


def pictures(shown: Sequence[str] = SHOWN) -> dict[str, str]:
    """Files of this folder and what they hold: the gallery, or a part of it, and the others."""
    made = {_file(name): ec.picture(first_of(name)) for name in shown}
    made |= {f"cells_{name}.svg": cells_of(lattice) for name, lattice in lattices().items()}
    if shown == SHOWN:
        for lattice, some in puzzle_sheets().items():
            for file, names in some:
                made[file] = ec.picture(
                    [ec.read(name) for name in names], title=f"{lattice} puzzles"
                )
    made |= algorithms() | letters()
    return {file: picture.svg for file, picture in made.items()} | sheets()


def sheets() -> dict[str, str]:
    """Lines to cut."""
    pentominoes = ec.read("square/pentominoes_10x6")
    apart = cut_lines(pentominoes, kerf=0.15, sheet=(300, 200), names=True)
    placed = cut_lines(first_of("square/pentominoes_10x6"), tray=15, names=True)
    return {
        f"pentominoes_{name}.svg": svg_of(lines.sheets[0], lines.title, hair=0.5)
        for name, lines in (("sheet", apart), ("tray", placed))
    }


def algorithms() -> dict[str, ec.Picture]:
    """The pictures of the pages on engines and strategies."""
    return {
        "fewest.svg": fewest(),
        "conflicts.svg": conflicts(),
        "looked_at.svg": looked_at(),
        "frontier.svg": frontier(),
        "pivot.svg": pivot(),
        "planes.svg": planes(),
        "parts.svg": parts(),
    }


LETTERS = (
    "tetrominoes", "pentominoes", "hexominoes", "soma", "tetracubes", "pentacubes",
    "4d tetracubes", "hexiamonds", "heptiamonds", "trihexes", "tetrahexes", "pentahexes",
    "tetrasticks", "tetratwigs", "pentatwigs",
)  # fmt: skip
"""The sets whose pieces have letters of their own."""


def letters() -> dict[str, ec.Picture]:
    """The pieces of each set, with their letters."""
    return {f"letters_{name.replace(' ', '_')}.svg": ec.picture(name, cell=18) for name in LETTERS}


BOX = [(x, y) for x in range(10) for y in range(6)]
SQUARE = ec.get_lattice("square")
ANY_CELL = ec.Piece("O", [(0, 0)], low=0, high=None)


def board(
    cells: Sequence[tuple[int, ...]],
    placed: Sequence[ec.Placement] = (),
    *,
    numbers: Mapping[tuple[int, ...], int] | None = None,
    painted: Mapping[tuple[int, ...], int] | None = None,
) -> ec.Picture:
    """Cells with pieces in their places, numbers or colours on the open cells."""
    pieces = [ec.Piece(one.piece, one.cells, stationary=True) for one in placed]
    puzzle = ec.Puzzle(
        SQUARE,
        ec.Region(cells),
        (*pieces, ANY_CELL),
        paint=Paint(painted, {}, frozenset()) if painted else None,
    )
    if numbers is None:
        return ec.picture(puzzle)
    state, own = state_of(puzzle), DrawnBoard.of(puzzle).owners([cell] for cell in numbers)
    fixed = [part for part in state.parts if part.whole]
    parts = [*fixed, *(Part(EMPTY, str(n), whole=False) for n in numbers.values())]
    owners = [one if bare < 0 else len(fixed) + bare
              for one, bare in zip(state.owners, own, strict=True)]  # fmt: skip
    return pictured(
        Scene(SQUARE, figure(DrawnBoard.of(puzzle), BoardState(owners, parts)), "a board")
    )


def begun(n_placed: int, strategy: str) -> tuple[ec.Puzzle, list[int]]:
    """The 10x6 box, and the options that a search has chosen first."""
    puzzle = ec.read("square/pentominoes_10x6")
    for _, options in record(puzzle, strategy, events=200):
        if len(options) == n_placed:
            return puzzle, list(options)
    raise AssertionError(f"{strategy} places {n_placed} pieces")


def fewest() -> ec.Picture:
    """A board of `dlx:s`; the number of each open cell is that of the options that cover it."""
    puzzle, chosen = begun(5, "volume; dlx:s")
    problem = puzzle.model.problem
    covered = {item for option in chosen for item in problem.items_of(option).tolist()}
    numbers = dict.fromkeys(BOX, 0)
    for option in range(problem.n_options):
        if covered.isdisjoint(problem.items_of(option).tolist()):
            for cell in puzzle.model.placements([option])[0].cells:
                numbers[cell] += 1
    placed = puzzle.model.placements(chosen)
    taken = {cell for one in placed for cell in one.cells}
    return board(BOX, placed, numbers={c: n for c, n in numbers.items() if c not in taken})


def conflicts() -> ec.Picture:
    """Which of the six options of Knuth's example conflict: a row of bits for each."""
    rows = ["ce", "adg", "bcf", "adf", "bg", "deg"]
    cells = [(x, y) for x in range(6) for y in range(6)]
    painted = {(x, 5 - y): 1 for x, y in cells if set(rows[x]) & set(rows[y])}
    return board(cells, painted=painted)


def looked_at() -> ec.Picture:
    """A board of `fila:f`: the cell to fill, and the six cells whose state chooses its lists."""
    puzzle, chosen = begun(3, "fila:x")
    placed = puzzle.model.placements(chosen)
    taken = {cell for one in placed for cell in one.cells}
    first = min(cell for cell in BOX if cell not in taken)
    steps = ((0, 1), (0, 2), (1, -1), (1, 0), (1, 1), (2, 0))
    near = {(first[0] + x, first[1] + y) for x, y in steps} & set(BOX) - taken
    painted = dict.fromkeys(near, 1) | {first: 2}
    return board(BOX, placed, painted=painted)


def frontier() -> ec.Picture:
    """Boards that differ in how the same pieces fill the same cells: one state."""
    alike: dict[object, list[tuple[ec.Placement, ...]]] = {}
    for solution in ec.solve(ec.read("square/pentominoes_10x6"), counted="all", strategy="dlx:s"):
        placed = tuple(sorted(solution.placements, key=lambda one: min(one.cells))[:5])
        cells = frozenset(cell for one in placed for cell in one.cells)
        same = alike.setdefault((frozenset(one.piece for one in placed), cells), [])
        if placed not in same:
            same.append(placed)
    most = max(alike.values(), key=len)
    pieces = [[ec.Piece(p.piece, p.cells, stationary=True) for p in one] for one in most[:2]]
    return ec.picture([ec.Puzzle(SQUARE, ec.Region(BOX), (*some, ANY_CELL)) for some in pieces])


def planes() -> ec.Picture:
    """A hard Sudoku: how many digits each open cell may have."""
    grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    given = {(n % 9, 8 - n // 9): digit for n, digit in enumerate(grid) if digit != "."}
    cells = [(x, y) for x in range(9) for y in range(9)]
    numbers = {
        (x, y): 9 - len({digit for (a, b), digit in given.items()
                         if a == x or b == y or (a // 3, b // 3) == (x // 3, y // 3)})
        for x, y in cells if (x, y) not in given
    }  # fmt: skip
    placed = [ec.Placement("#", tuple(given))]
    return board(cells, placed, numbers=numbers)


def parts() -> ec.Picture:
    """A board whose open cells are in two parts, one painted."""
    puzzle = ec.read("square/pentominoes_10x6")
    for solution in ec.solve(puzzle, counted="all", strategy="dlx:s"):
        across = [one for one in solution.placements if {x for x, _ in one.cells} & {4, 5}]
        taken = {cell for one in across for cell in one.cells}
        left = [(x, y) for x, y in BOX if x < 5 and (x, y) not in taken]
        if len(across) == 5 and len(left) == 20:
            return board(BOX, across, painted=dict.fromkeys(left, 1))
    raise AssertionError("some solution divides in the middle")


def pivot() -> ec.Picture:
    """The middles of X in the 10x6 box; one quarter of them is kept."""
    middles = [(x, y) for x, y in BOX if 0 < x < 9 and 0 < y < 5]
    kept = {(x, y): 1 if x < 5 and y < 3 else 2 for x, y in middles}
    return board(BOX, painted=kept)


def fits() -> Figure:
    """The plot of the page on strategies; its file depends on the version of matplotlib."""
    strategies = [
        "redundancy; volume; dlx:s; fila:f@11 nof=0",
        "redundancy; volume; dlx:s; fila:f@11 nof=adjacent",
    ]
    made = ec.compare(ec.read("pentominoes_10x6"), strategies)
    return plot_comparison(made, title="square/pentominoes_10x6")


def cells_of(lattice: Lattice) -> ec.Picture:
    """A few cells of a lattice with their coordinates; solids in layers, so that all are seen."""
    layers = lattice.dimension == 3
    large = ec.picture(lattice, layers=layers, cell=64)
    return ec.picture(lattice, layers=layers, cell=64 * min(1.0, WIDEST / large.width))


def puzzle_sheets() -> dict[str, list[tuple[str, list[str]]]]:
    """For each lattice its sheets: a file, and the shipped puzzles on it."""
    names: dict[str, list[str]] = {}
    for entry in shipped.entries():
        puzzle = read_puzzle(entry.name)[0].puzzle
        if puzzle is not None and len(puzzle.space) <= MOST_CELLS:
            names.setdefault(entry.name.partition("/")[0], []).append(entry.name)
    return {
        lattice: [
            (f"puzzles_{lattice}_{number}.svg", some)
            for number, some in enumerate(_shared_out(those), 1)
        ]
        for lattice, those in names.items()
    }


def _shared_out(names: list[str]) -> list[list[str]]:
    """The puzzles of each sheet; the sheets are about equally full."""
    each = ceil(len(names) / ceil(len(names) / ON_A_SHEET))
    return [names[start : start + each] for start in range(0, len(names), each)]


def first_of(name: str) -> ec.Solution:
    """The first solution of a shipped puzzle."""
    found = ec.first(ec.read(name), strategy=SEARCHED_BY)
    assert found is not None, f"{name} has a solution"
    return found


def gallery() -> str:
    """The page that shows them, and lists every puzzle."""
    cards = [_card(name) for name in SHOWN]
    parts = [GALLERY, "::::{container} cards", *cards, "::::\n"]
    parts.append(PUZZLES.format(number=len([*shipped.entries()])))
    boards = puzzle_sheets()
    for lattice in (one for one in lattices() if one in boards):
        parts.append(f"### {lattice.capitalize()}\n")
        for file, names in boards[lattice]:
            some = _bare(names[0]) + (f" to {_bare(names[-1])}" if len(names) > 1 else "")
            parts.append(f"![{lattice} puzzles, {some}](pictures/{file})\n")
    return "\n".join(parts)


def _card(name: str) -> str:
    """A picture of a puzzle, its name, and what the list of `serve` says of it."""
    entry = SHELF[name]
    lines = [
        f"![{name}](pictures/{_file(name)})\n",
        f"**{_bare(name)}** ({name.partition('/')[0]})\n",
    ]
    said = [entry["about"]]
    if entry["solutions"] is not None:
        unique = "" if entry["counted"] == "all" else f" up to {entry['counted']}"
        noun = "solution" if entry["solutions"] == 1 else "solutions"
        said.append(f"{entry['solutions']:,} {noun}{unique}{_took(name)}")
    if entry["difficulty"]:
        said.append("★" * entry["difficulty"] + "☆" * (5 - entry["difficulty"]))
    return "\n".join([":::{container} card", *lines, ". ".join(said), ":::"])


def _took(name: str) -> str:
    """How long a count takes, where it was measured."""
    seconds = json.loads(SECONDS.read_text(encoding="utf-8")).get(name)
    if seconds is None:
        return ""
    return f" in {seconds:.2g} s" if seconds >= 0.01 else " in less than 0.01 s"


def measure() -> None:
    """Write the processor seconds of counting, the least of three, without compilation."""
    seconds = {}
    for name in SHOWN:
        puzzle, counted = ec.read(name), SHELF[name]["counted"]
        if SHELF[name]["solutions"] is None:
            continue
        times = []
        for _ in range(4):
            begin = time.process_time()
            ec.count(puzzle, counted=counted)
            times.append(time.process_time() - begin)
        seconds[name] = float(f"{min(times[1:]):.2g}")
    SECONDS.write_text(json.dumps(seconds, indent=1) + "\n", encoding="utf-8")


def _file(name: str) -> str:
    return f"{_bare(name)}.svg"


def _bare(name: str) -> str:
    return name.partition("/")[2]


def main() -> None:
    """Write the pictures and the page, and remove pictures that no page shows."""
    made = pictures()
    for name, svg in made.items():
        (HERE / name).write_text(svg, encoding="utf-8")
    save_figure(fits(), HERE / "fits.png")
    (HERE.parent / "gallery.md").write_text(gallery(), encoding="utf-8")
    root = HERE.parents[1]
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for file in set(HERE.glob("*.svg")) - {HERE / name for name in shown_in(text)}:
        file.unlink()


def shown_in(text: str) -> set[str]:
    """The pictures of this folder that a page shows."""
    return set(re.findall(r"\]\([\w/.]*?pictures/([\w.-]+\.svg)\)", text))


if __name__ == "__main__":
    if "--times" in sys.argv:
        measure()
    main()
