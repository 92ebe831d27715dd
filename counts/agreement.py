"""Write `counts/agreement.csv`: which engines agree on which shipped puzzle.

    exactcover verify --engines all --counted all --time-limit 2 --json PUZZLE... > agreement.jsonl
    python -m counts.agreement agreement.jsonl

A row has the puzzle, the number of its solutions (a plus behind it: no engine came to an end), and
for each engine, compared with that of the automatic strategy:

    equal      the same solutions, all of them listed
    count      the same number of solutions; they are too many to list, or the engine lists none
    alone      it counted all solutions, and no engine before it finished
    no end     it did not finish in time

Any other text is the reason why it refused the puzzle.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "agreement.csv"

WORDS = {"sets": "equal", "counts": "count"}


def table(records: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The rows of the file, below their heading, of what `verify --json` says of each puzzle."""
    different = [record["puzzle"] for record in records if not record["equal"]]
    if different:
        raise SystemExit(f"no table where engines differ: {', '.join(different)}")
    engines = [one["engine"] for one in records[0]["engines"][1:]]
    return [["puzzle", "solutions", *engines], *map(_row, records)]


def _row(record: Mapping[str, Any]) -> list[str]:
    number = f"{record['solutions']}{'' if record['whole'] else '+'}"
    return [record["puzzle"], number, *map(_word, record["engines"][1:])]


def _word(one: Mapping[str, Any]) -> str:
    if one["result"] == "refused":
        return str(one["reason"].partition("; these engines can")[0])
    return "alone" if one["result"] == "alone" else WORDS.get(one["compared"], "no end")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        raise SystemExit(__doc__)
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(table([*map(json.loads, lines)]))
