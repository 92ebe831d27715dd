"""Tables of results, which Sphinx puts behind the text of their pages when it builds them.

Each is made from a file of the repository, folded by lattice, with a field above that searches all
tables of the page.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from benchmarks.sweep_table import FILE as SWEEP
from counts.agreement import FILE as AGREEMENT
from counts.known import NEW, KnownCount, engines_of, known_counts, read_known
from exactcover.base.values import CONVENTIONS, COUNTED_AS
from exactcover.formats import shipped
from exactcover.lattices import lattices

HEADING = """
## {title}

{text}
"""

SEARCH = """
<input type="search" id="wanted" aria-label="Search the rows" placeholder="Search the rows">
<script>
document.getElementById("wanted").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(" ");
  for (const table of document.querySelectorAll("details.rows")) {
    let found = 0;
    for (const row of table.querySelectorAll("tbody tr")) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      found += !row.hidden;
    }
    table.open = words.join("") !== "" && found > 0;
    table.hidden = found === 0;
  }
});
</script>
"""

Row = Sequence[str]


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """Rows of a table; a bar in a text would end its cell."""
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def folded(title: str, head: Row, rows: Sequence[Row], dense: bool = False) -> Iterator[str]:
    """A table that opens with a click; columns whose heading ends with a colon hold numbers."""
    noun = "row" if len(rows) == 1 else "rows"
    sort = "rows dense" if dense else "rows"
    yield f"<details class='{sort}'><summary>{title}: {len(rows)} {noun}</summary>\n"
    yield from lines([[name.rstrip(":") for name in head]])
    yield "|" + "|".join("---:" if name.endswith(":") else "---" for name in head) + "|"
    yield from lines(rows)
    yield "\n</details>\n"


def by_lattice(rows: Sequence[tuple[str, Row]], head: Row, dense: bool = False) -> Iterator[str]:
    """A folded table for each lattice, in the order of the program; `generic` has none."""
    ranks = {name: rank for rank, name in enumerate(lattices())}
    ordered = sorted(rows, key=lambda row: ranks.get(row[0], len(ranks)))
    for lattice, group in groupby(ordered, key=lambda row: row[0]):
        title = "No lattice" if lattice == "generic" else lattice.capitalize()
        yield from folded(title, head, [row for _, row in group], dense)


def puzzles() -> Iterator[str]:
    """Every shipped puzzle, with the numbers of its file."""
    yield HEADING.format(title="Names and numbers", text="") + SEARCH
    rows = []
    for one in sorted(shipped.entries(), key=lambda document: document.name):
        counts = [f"{one.counts[k]:,}" if k in one.counts else "" for k in CONVENTIONS]
        rows.append((one.name.partition("/")[0], [f"`{one.name}`", one.title or "", *counts]))
    yield from by_lattice(rows, ["name", "puzzle", *(f"{name}:" for name in CONVENTIONS)])


def counts() -> Iterator[str]:
    """Every row of `counts/known.csv` and of `counts/new.csv`."""
    yield HEADING.format(title="All known counts", text="")
    head = ["puzzle", "published:", "counted", "ours:", "engines", "source"]
    yield from by_lattice([(row.lattice, _known(row)) for row in known_counts()], head)
    new = [_new(row) for row in read_known(NEW) if row.second_engine]
    head = ["puzzle", "pieces", "region", "solutions:", "counted", "engines", "s:"]
    yield from folded("New counts", head, new)


def _known(row: KnownCount) -> Row:
    found = "" if row.found is None else f"{row.found:,}"
    by = ", ".join(engines_of(row)) if row.second_engine else row.verdict
    return [row.name, f"{row.expected:,}", row.counted, found, by, row.source]


def _new(row: KnownCount) -> Row:
    stated = [f"`{text}`" if 0 < len(text) < 60 else "" for text in (row.pieces, row.region)]
    counted, by = COUNTED_AS[row.counted], ", ".join(engines_of(row))
    return [row.name, *stated, f"{row.expected:,}", counted, by, row.seconds]


def agreement() -> Iterator[str]:
    """Which engines agree on which shipped puzzle; refusals have letters, explained below."""
    (_, _, *engines), *rows = csv.reader(AGREEMENT.read_text("utf-8").splitlines())
    reasons: dict[str, str] = {}
    shown = []
    for puzzle, number, *words in rows:
        for word in words:
            if not word.endswith(WORDS):
                reasons.setdefault(word, chr(ord("a") + len(reasons)))
        solutions = f"{int(number.rstrip('+')):,}" + "+" * number.endswith("+")
        cells = [reasons.get(word, word) for word in words]
        shown.append((puzzle.partition("/")[0], [f"`{puzzle}`", solutions, *cells]))
    yield HEADING.format(title="Every shipped puzzle by every engine", text=AGREEMENT_TEXT) + SEARCH
    yield from by_lattice(shown, ["puzzle", "solutions:", *engines], dense=True)
    yield "Refused because\n"
    yield from (f"- **{letter}**: {reason}" for reason, letter in reasons.items())


WORDS = ("equal", "count", "alone", "no end")
"""Ends of what an engine may have found. Any other text says why it refused."""

AGREEMENT_TEXT = """\
Each engine is compared with the first one that finished; the automatic strategy comes first. Each
had two seconds. No two engines differ on any puzzle. `equal`: the same solutions; `count`: the same
number of them; `alone`: no engine before it finished; `no end`: it did not finish; a letter: it
refused. A plus after the number of solutions: no engine finished."""


def sweep() -> Iterator[str]:
    """Each puzzle and command of the sweep, the worst first."""
    head, *rows = csv.reader(SWEEP.read_text("utf-8").splitlines())
    yield HEADING.format(title="All rows of the sweep", text="The worst come first.") + SEARCH
    yield from folded("Default and best strategy", head, rows)


def checks() -> Iterator[str]:
    """Which engines agree, and the known counts."""
    yield from agreement()
    yield from counts()


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "gallery": puzzles,
    "known-counts": checks,
    "speed": sweep,
}
"""The tables of each page."""
