"""Write `docs/known-counts.md`, the page of the counts: `python -m counts.pages`.

It sums up `counts/known.csv`; Sphinx puts the tables of all rows behind the page.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from counts.known import EXHIBITED, LISTINGS, PROOF, KnownCount, known_counts

PAGE = Path(__file__).parent.parent / "docs/known-counts.md"

HEAD = """\
# Known counts

Published numbers of solutions, each counted again by two engines that work differently: one lists
the solutions, the other counts states, or is a solver that is not ours. In {listings} rows no such
pair finished in time: there two engines list the solutions, one cell by cell, the other by the
piece or cell with the fewest options. Of published zeros, a proof that no solution exists settles
{proofs}, and a solution refutes {exhibited}. `make counts` counts all rows again.

The list is [known.csv](../counts/known.csv); `exactcover batch counts/known.csv` counts it too.

| verdict | means | rows |
|---|---|---:|
{verdicts}

The [three ways of counting](counting.md#what-counts-as-one-solution) are `all`, `rotations` and
`reflections`. In a region of several `parts`, a source may turn each part by itself and exchange
congruent parts.
"""

MEANS = {
    "holds": "two engines found the published number",
    "differs by convention": "the published number is ours in another way of counting",
    "refuted": "we have another number, in every way of counting; the argument is in the list",
    "not settled": "no two engines came to an end so far",
    "not expressible": "the source leaves open which cells or pieces are meant",
}

NEW_COUNTS = """
## New counts

The last table has numbers of solutions for which we found no publication, each counted by two
engines that work differently; [new.csv](../counts/new.csv) has their strategies and notes. Seconds
are those of the processor for both engines together.

The first answers a question below the article on polycube: *staircases* of five cells, which go one
step in each of the four directions, fill a box of 2 x 3 x 3 x 5 in 2,032,707,264 ways.
"""

GROWTH = """
## Where each engine ends

How the time of a count grows with the board. `listing` is the engine that lists all solutions by
default, `memo` keeps the number of solutions of each subproblem, and `automaton` keeps each state
of a board once. On the left are the processor seconds of a count of all solutions; on the right its
choices, subproblems or states, and the solutions. A line ends before the size that takes more than
ten seconds or 3 GB. `python -m counts.growth` measures them again.

One-sided pentominoes occur once each: a state says which are left, so states grow nearly as fast
as solutions. All dominoes are alike: a state is the outline of the filled part.

![Time and states of one-sided pentominoes on n x 5](pictures/growth_one_sided.svg)

![Time and states of dominoes on k x k](pictures/growth_dominoes.svg)

The outline of a box is a surface, so states end early as well. A strip of constant width has a
constant number of states in each column.

![Time and states of pentacubes in 5 x 2 x k](pictures/growth_pentacubes.svg)

![Time and states of hexiamonds in n x 6](pictures/growth_hexiamonds.svg)
"""


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of a table; a bar in a text would end its cell."""
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def page(rows: Sequence[KnownCount]) -> str:
    """The page that shows these rows."""
    numbers = Counter(row.verdict for row in rows)
    verdicts = [[verdict, means, str(numbers[verdict])] for verdict, means in MEANS.items()]
    listings = sum({row.engine, row.second_engine} == {*LISTINGS} for row in rows)
    engines = Counter(row.engine for row in rows)
    head = HEAD.format(
        verdicts="\n".join(table(verdicts)),
        listings=listings,
        proofs=engines[PROOF[0]],
        exhibited=engines[EXHIBITED[0]],
    )
    parts = [head]
    parts += _refuted(rows)
    return "\n".join([*parts, NEW_COUNTS, GROWTH])


def _refuted(rows: Sequence[KnownCount]) -> Iterator[str]:
    """The rows that are refuted, with the first sentence of the argument."""
    yield "\n## Refuted\n"
    yield "| puzzle | published | counted | ours | otherwise | argument |"
    yield "|---|---:|---|---:|---|---|"
    for row in rows:
        if row.verdict == "refuted":
            first = re.split(r"[.:] ", row.note.rstrip("."))[0] + "."
            yield from table([[row.name, *_numbers(row), row.otherwise, first]])


def _numbers(row: KnownCount) -> list[str]:
    return [f"{row.expected:,}", row.counted, "" if row.found is None else f"{row.found:,}"]


if __name__ == "__main__":
    PAGE.write_text(page(known_counts()), "utf-8")
    sys.stdout.write(f"{PAGE}\n")
