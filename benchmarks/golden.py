"""Golden rows: exact figures that a rewrite must not change.

    python -m benchmarks.golden before.jsonl           write them: about three minutes
    python -m benchmarks.golden after.jsonl before.jsonl   write them, and say which rows differ

A row is a search: its number of solutions, its fits, no-fits and tally, and a digest of its first
solutions in the order in which they come. Other rows are digests of what each shipped puzzle says:
its text in TOML. Seconds are never in a row.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import exactcover as ec
from exactcover.base.values import Convention
from exactcover.formats import Document, shipped, write

P, P20, TC, SOMA = "pentominoes_10x6", "pentominoes_20x3", "tetriscube", "somacube"
NAMED: list[tuple[str, str, Convention]] = [
    (P, "redundancy; dlx:s", "rotations"),
    (P, "redundancy; volume; dlx:s", "rotations"),
    (P, "redundancy; volume; dlx:s; dlx:f@11", "rotations"),
    (P, "redundancy; volume; dlx:s; fila:f@11 nof=0", "rotations"),
    (P, "redundancy; volume; dlx:s; fila:f@11 nof=adjacent", "rotations"),
    (P, "redundancy; volume; dlx:s; fila:f@11", "all"),
    (P, "automaton", "rotations"),
    (P, "memo:f", "all"),
    (P20, "dlx:s", "all"),
    (P20, "volume@6; dlx:s; fila:f@10", "rotations"),
    (P20, "bsx", "reflections"),
    (TC, "redundancy=L; volume; dlx:s; fila:e@11; fila:f@2", "rotations"),
    (SOMA, "bsx", "all"),
    (SOMA, "redundancy; dlx:s; fila:e@6; fila:f@2", "rotations"),
    (SOMA, "redundancy; parity; dlx:f; bsx:s@4", "reflections"),
    (SOMA, "fit@5; dlx:s", "rotations"),
    ("hexiamonds_6x6", "redundancy; dlx:s; fila:f@10", "reflections"),
    ("hexiamonds_6x6", "fila:s", "all"),
    ("dominoes_8x8", "automaton", "all"),
    ("tetratesseracts_3x2x2x2", "dlx:s", "rotations"),
]
"""Puzzle, strategy, and what counts as one solution."""

CHOSEN = [P, SOMA, "hexiamonds_6x6", "dominoes_2x2x2x2x2", "pentominoes_20x3", "tetrominoes_5x4"]
"""Puzzles whose strategy is left to the program: only the number of solutions is a row."""


def _digest(text: object) -> str:
    return blake2b(repr(text).encode(), digest_size=8).hexdigest()


def _searches() -> Iterator[tuple[str, Any]]:
    for name, strategy, counted in NAMED:
        puzzle = ec.read(name)
        count = ec.Counting(puzzle, strategy=strategy, counted=counted, tally=True)
        result = count.run()
        tally = [(row.remaining, row.attempts, row.fits) for row in result.by_remaining]
        row = {"solutions": result.solutions, "fits": result.fits, "nofits": result.nofits}
        yield f"count {name} {strategy} {counted}", {**row, "tally": _digest(tally)}
        if not strategy.startswith(("automaton", "memo")):
            solutions = islice(ec.solve(puzzle, strategy=strategy, counted=counted), 500)
            yield f"order {name} {strategy} {counted}", _digest([s.options for s in solutions])
    for name in CHOSEN:
        yield f"count {name}", ec.count(ec.read(name))
        yield f"solve {name}", sum(1 for _ in islice(ec.solve(ec.read(name)), 3000))


def _puzzles() -> Iterator[tuple[str, Any]]:
    for name in shipped.paths():
        documents = shipped.read_puzzles(name)
        try:
            text = write([one for one in documents if isinstance(one, Document)], "toml")
        except ec.ExactCoverError as error:
            text = str(error)
        yield f"puzzle {name}", [len(documents), _digest(text)]


def main() -> None:
    target, *compared = sys.argv[1:]
    rows = dict([*_searches(), *_puzzles()])
    lines = [json.dumps({"row": row, "is": found}) for row, found in rows.items()]
    Path(target).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(rows)} rows in {target}")
    for path in compared:
        before = {
            line["row"]: line["is"]
            for line in map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
        }
        now = json.loads(json.dumps(rows))
        differing = sorted(row for row in {*before, *now} if before.get(row) != now.get(row))
        for row in differing:
            print(f"{row}: {before.get(row)} -> {now.get(row)}")
        print(f"{len(differing)} rows differ from {path}")
        if differing:
            sys.exit(1)


if __name__ == "__main__":
    main()
