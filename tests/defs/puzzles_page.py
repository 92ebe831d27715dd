"""The page docs/puzzles.md, made from the shipped puzzles: python -m tests.defs.puzzles_page"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from exactcover.base.values.conventions import CONVENTIONS
from exactcover.formats import shipped
from exactcover.formats.contents import Document

PAGE = Path(__file__).parents[2] / "docs" / "puzzles.md"

HEAD = """\
# Shipped puzzles

These {number} puzzles come with the program; `exactcover list puzzles` lists them. A puzzle is
called by its name, `square/pentominoes_10x6`, or by the last part of it alone:

```sh
exactcover count square/pentominoes_20x3             # 2 solutions
exactcover count somacube --counted reflections       # 240 solutions
```

The counts are those written in the files. `all` counts every solution; `rotations` counts those
once that are rotations of each other, where in the plane turning over is such a rotation, unless
the pieces are one-sided; `reflections` counts mirror images once as well. No number: not known to
us. Where a count comes from is in each file.

This page is made from the files, by `python -m tests.defs.puzzles_page`.
"""

FOLDERS = {
    "square": "Squares",
    "cubic": "Cubes",
    "hypercubic": "Four dimensions",
    "hypercubic-1": "One dimension",
    "hypercubic-5": "Five dimensions",
    "hypercubic-6": "Six dimensions",
    "triangular": "Triangles",
    "hexagonal": "Hexagons",
    "sticks-square": "Edges of squares",
    "sticks-triangular": "Edges of triangles",
    "sticks-hexagonal": "Edges of hexagons",
    "prism": "Triangular prisms",
    "fcc": "Balls",
    "bcc": "Truncated octahedra",
    "rhombic": "Tetrahedra, 24 to a cube",
    "octet": "Octahedra and tetrahedra",
    "octet-eighths": "Tetrahedra and eighths of octahedra",
    "generic": "Exact covers without geometry",
}


def page() -> str:
    """The page as it should be."""
    documents = sorted(shipped.entries(), key=_place)
    parts = [HEAD.format(number=len(documents))]
    for folder, members in groupby(documents, key=_folder):
        parts.append("\n".join(_section(FOLDERS[folder], members)))
    return "\n".join(parts)


def _folder(document: Document) -> str:
    return document.name.split("/")[0]


def _place(document: Document) -> tuple[int, str]:
    return list(FOLDERS).index(_folder(document)), document.name


def _section(title: str, documents: Iterator[Document]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"| name | puzzle | {' | '.join(CONVENTIONS)} |"
    yield "|---|---|" + "---:|" * len(CONVENTIONS)
    for document in documents:
        counts = [f"{document.counts[k]:,}" if k in document.counts else "" for k in CONVENTIONS]
        yield f"| `{document.name}` | {document.title} | {' | '.join(counts)} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
