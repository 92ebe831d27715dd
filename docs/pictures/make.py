"""Makes the pictures of the pages and the gallery page: `make gallery`.

An SVG picture depends only on the program and on the puzzles, so a test compares the files with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import exactcover as ec
from exactcover.formats import read_puzzle
from exactcover.making.sheet_files import svg_of
from exactcover.proofs import find_proof

HERE = Path(__file__).parent

SHOWN = (
    "square/pentominoes_10x6",
    "square/PT12",
    "hexagonal/tetrahexes_flower_1",
    "hexagonal/pentahexes_11x10",
    "triangular/hexiamonds_snowflake",
    "triangular/hexiamonds_6x6",
    "sticks-square/tetrasticks_5x5_without_H",
    "sticks-triangular/tritrigs_heart_1",
    "sticks-hexagonal/polytwigs_hexagon_2",
    "cubic/somacube",
    "cubic/bedlamcube",
    "cubic/soma_castle_1",
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

A solution of a puzzle for each lattice, as `exactcover draw PUZZLE --solution 1` draws it.
`make gallery` writes this page and its pictures; [drawings](drawings.md#pictures) explains them.
"""


def pictures(shown: Sequence[str] = SHOWN) -> dict[str, str]:
    """Files of this folder and what they hold: the gallery, or a part of it, and the others."""
    made = {_file(name): ec.picture(first_of(name)) for name in shown}
    board = ec.read("mutilated_chessboard")
    made["mutilated_chessboard.svg"] = ec.picture(find_proof(board.model))
    made["somacube_layers.svg"] = ec.picture(first_of("cubic/somacube"), layers=True)
    made["hexiamonds.svg"] = ec.picture("hexiamonds")
    made |= graphs()
    return {file: picture.svg for file, picture in made.items()} | sheets()


def sheets() -> dict[str, str]:
    """Lines to cut."""
    pentominoes = ec.read("square/pentominoes_10x6")
    apart = ec.cut_lines(pentominoes, kerf=0.15, sheet=(300, 200), names=True)
    placed = ec.cut_lines(first_of("square/pentominoes_10x6"), tray=15, names=True)
    return {
        f"pentominoes_{name}.svg": svg_of(lines.sheets[0], lines.title, hair=0.5)
        for name, lines in (("sheet", apart), ("tray", placed))
    }


def parts() -> dict[str, str]:
    """Solids to print. No test compares these: another release of manifold3d may cut otherwise."""
    made = ec.solids(ec.read("cubic/somacube"), bevel=1)
    return {"somacube_parts.svg": made.picture.svg}


def graphs() -> dict[str, ec.Picture]:
    """The pictures of the page on graphs."""
    soma = ec.solve(ec.read("somacube"), counted="reflections", strategy=SEARCHED_BY)
    rhombus = list(ec.solve(ec.read("hexiamonds_6x6"), strategy=SEARCHED_BY))
    alike = ec.clusters(ec.solution_graph(rhombus))[:3]
    chosen = [rhombus[number - 1] for cluster in alike for number in cluster.solutions]
    graphs = {
        "somap.svg": ec.solution_graph(soma, counted="reflections"),
        "hexiamonds_clusters.svg": ec.solution_graph(chosen),
        "pentominoes_touching.svg": ec.piece_graph(first_of("square/pentominoes_10x6")),
    }
    return {file: ec.picture(graph) for file, graph in graphs.items()}


def fits() -> ec.Plot:
    """The plot of the page on graphs; its file depends on the version of matplotlib."""
    strategies = {
        "every image": "redundancy; volume; dlx:s; fila:f@11 nof=0",
        "filtered by occupied neighbours": "redundancy; volume; dlx:s; fila:f@11 nof=adjacent",
    }
    puzzle = ec.read("pentominoes_10x6")
    results = {
        name: ec.Solving(puzzle, strategy=strategy, tally=True).run()
        for name, strategy in strategies.items()
    }
    return ec.plot(results, title="Pentominoes in 10x6")


def first_of(name: str) -> ec.Solution:
    """The first solution of a shipped puzzle."""
    found = ec.first(ec.read(name), strategy=SEARCHED_BY)
    assert found is not None, f"{name} has a solution"
    return found


def gallery() -> str:
    """The page that shows them."""
    parts = [GALLERY]
    for name in SHOWN:
        (document,) = read_puzzle(name)
        parts.append(f"## {name}\n\n{document.title}\n\n![{name}](pictures/{_file(name)})\n")
    return "\n".join(parts)


def _file(name: str) -> str:
    return f"{name.partition('/')[2]}.svg"


def main() -> None:
    """Write the pictures and the page, and remove pictures that are no longer made."""
    made = pictures() | parts()
    for file in HERE.glob("*.svg"):
        if file.name not in made:
            file.unlink()
    for name, svg in made.items():
        (HERE / name).write_text(svg, encoding="utf-8")
    fits().save(HERE / "fits.png")
    (HERE.parent / "gallery.md").write_text(gallery(), encoding="utf-8")


if __name__ == "__main__":
    main()
