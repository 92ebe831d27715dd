"""Design a puzzle with exactly one solution: seven of the twelve pentominoes that fill a box 7x5.

    python examples/one_solution.py [MANY]

draws MANY sets of pieces, counts the solutions of each, and shows the hardest of the sets that have
one solution. With `--lines` it only prints the sets as JSON lines, for another program:

    python examples/one_solution.py --lines 60 | exactcover batch - --limit 2

Of a set with many solutions two are enough to know that it is of no use: hence `limit=2`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator

import exactcover as ec

PIECES, NUMBER, REGION = "FILNPTUVWXYZ", 7, "7x5"


def sets(many: int, seed: int = 1) -> Iterator[str]:
    """So many different sets of pieces, each as its letters in alphabetical order."""
    draw = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < many:
        letters = "".join(sorted(draw.sample(PIECES, NUMBER)))
        if letters not in seen:
            seen.add(letters)
            yield letters


def pieces(letters: str) -> list[str]:
    """The pieces as a puzzle file names them."""
    return [f"{letter} pentomino" for letter in letters]


def design(many: int) -> None:
    """Show the hardest of these sets that have one solution."""
    puzzles = {
        letters: ec.puzzle_of(pieces(letters), REGION, name=letters) for letters in sets(many)
    }
    # One strategy for all, so that their fits can be compared.
    records = ec.batch(puzzles.values(), strategy="volume; dlx:s", limit=2)
    single = [record for record in records if record["solutions"] == 1]
    single.sort(key=lambda record: (-record["fits_per_solution"], record["puzzle"]))
    print(f"{len(single)} of {many} sets have one solution; the hardest:")
    for record in single[:3]:
        print(f"  {record['puzzle']}: {record['fits']:,} fits, depth {record['depth']}")
    solution = ec.first(puzzles[single[0]["puzzle"]])
    assert solution is not None
    print(ec.draw(solution))


def main(words: list[str]) -> None:
    many = int(words[-1]) if words and words[-1].isdecimal() else 60
    if "--lines" in words:
        for letters in sets(many):
            puzzle = {"title": letters, "pieces": pieces(letters), "region": REGION}
            print(json.dumps(puzzle), flush=True)
    else:
        design(many)


if __name__ == "__main__":
    main(sys.argv[1:])
