"""Makes the moving pictures of docs/pictures.md again: `make films`.

They are parts of the searches that the articles show. What the page says of them is tested; these
files depend on the versions of the packages that write them, so only their size is.
"""

from __future__ import annotations

from pathlib import Path

import exactcover as ec

HERE = Path(__file__).parent

FILMS = {
    "orders": (
        "pentominoes_10x6",
        ("redundancy=X first; volume; fila:l@10,-1", "redundancy=X first; volume; fila:y"),
        {"until_solution": 1},
    ),
    "landmine": (
        "hexominoes_15x14",
        ("volume; dlx:s", "volume; volume-trigger; dlx:s"),
        {"start": 9_100, "events": 380},
    ),
}
"""The puzzle, the searches, and which part of them."""

SECONDS, FPS, WIDTH = 8.0, 4.0, 560
"""How long each plays, how smoothly, and how wide it is."""


def film(name: str) -> ec.Film:
    """One of the films."""
    puzzle, strategies, part = FILMS[name]
    box = ec.read(puzzle)
    assert isinstance(box, ec.Puzzle)
    return ec.animate(box, strategies, **part)


def main() -> None:
    """Write all of them."""
    for name in FILMS:
        film(name).save(HERE / f"{name}.gif", seconds=SECONDS, fps=FPS, width=WIDTH)


if __name__ == "__main__":
    main()
