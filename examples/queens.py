"""Place n queens so that none attacks another: files and ranks once, diagonals at most once.

    python examples/queens.py

Diagonals are secondary items. Those of a single square are left out, since nothing else lies there.
"""

import exactcover as ec


def queens(n: int) -> ec.Problem:
    """The ways to place n queens on a board of side n; options are named `(file, rank)`."""
    options = {
        (x, y): [("file", x), ("rank", y)]
        + [("up", x - y)] * (abs(x - y) < n - 1)
        + [("down", x + y)] * (0 < x + y < 2 * n - 2)
        for x in range(n)
        for y in range(n)
    }
    # From the middle outwards: of equals the first is branched on, and these block the most.
    lines = sorted(range(n), key=lambda line: abs(2 * line - n + 1))
    primary = [(line, place) for line in ("file", "rank") for place in lines]
    return ec.Problem.from_options(options, primary=primary)


if __name__ == "__main__":
    print(*(ec.count(queens(n)) for n in range(10)))  # OEIS A000170
    ranks = dict(ec.first(queens(8), strategy="dlx:s").names)
    for file in range(8):
        print(" ".join("Q" if rank == ranks[file] else "." for rank in range(8)))
