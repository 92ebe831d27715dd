"""The page docs/agreement.md: which engines agree on which shipped puzzle. It is made by

exactcover verify --all-defs --engines all --counted all --time-limit 2 --json > agreement.jsonl
python -m tests.defs.agreement_page agreement.jsonl
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "agreement.md"

HEAD = """\
# Cross-check of the engines

Every engine on every shipped puzzle, compared by [verify](verify.md) with the first engine, that of
the automatic strategy. No two engines differ on any puzzle.

| word | means |
|---|---|
| equal | the same solutions, all of them listed |
| count | the same number of solutions; they are too many to list, or the engine lists none |
| 2 parts | it, or the first, did not finish in time; the same solutions in 2 parts |
| alone | it counted all solutions, and no engine before it finished |
| no end | it did not finish in time, not even a part |
| a letter | refused, for the reason below |

A plus after the number of solutions: no engine finished.

Each engine had two seconds for the whole. If that was too short, it got two parts, for some puzzles
twenty. With a longer time more of them are `equal`.
`python -m tests.defs.agreement_page` says how this page is made.
"""

Reasons = dict[str, tuple[str, dict[str, str]]]
"""By a reason without its numbers: its letter, and the first puzzle that has each wording."""

WORDS = {"sets": "equal", "counts": "count"}


def page(records: Sequence[Mapping[str, Any]]) -> str:
    """The page, of what `verify --json` said about each puzzle."""
    different = [record["puzzle"] for record in records if not record["equal"]]
    if different:
        raise SystemExit(f"no page where engines differ: {', '.join(different)}")
    reasons: Reasons = {}
    engines = [one["engine"] for one in records[0]["engines"][1:]]
    return written(engines, [_row(record, reasons) for record in records], list(_listed(reasons)))


Row = tuple[str, str, str, tuple[str, ...]]
"""A puzzle, the number of its solutions, the first engine, and a word for each other one."""


def written(engines: Sequence[str], rows: Sequence[Row], reasons: Sequence[str]) -> str:
    """The page: the puzzles with the commonest words in a list, the others in a table."""
    (alike, number), *_ = Counter(words for *_, words in rows).most_common(1)
    said = "; ".join(f"{engine}: {word}" for engine, word in zip(engines, alike, strict=True))
    names = [f"`{name}` ({solutions})" for name, solutions, _, words in rows if words == alike]
    table = [
        f"| `{name}` | {solutions} | {first} | {' | '.join(words)} |"
        for name, solutions, first, words in rows
        if words != alike
    ]
    return "\n".join(
        [
            HEAD,
            f"On these {number} puzzles, each with the number of its solutions, the words are",
            f"{said}.\n",
            f"<details><summary>{number} puzzles</summary>\n",
            *(f"{name}," for name in names[:-1]),
            f"{names[-1]}.\n",
            "</details>\n\n<div class='dense'>\n",
            f"| puzzle | solutions | first | {' | '.join(engines)} |",
            f"|---|---:|---|{'---|' * len(engines)}",
            *table,
            "\n</div>\n\nRefused because\n",
            *reasons,
            "",
        ]
    )


def _row(record: Mapping[str, Any], reasons: Reasons) -> Row:
    first, *others = record["engines"]
    more = "" if record["whole"] else "+"
    cells = tuple(_cell(one, record["puzzle"], reasons) for one in others)
    engine = first["strategy"].rpartition("; ")[2]
    return record["puzzle"], f"{record['solutions']:,}{more}", engine, cells


def _cell(one: Mapping[str, Any], puzzle: str, reasons: Reasons) -> str:
    if one["result"] == "refused":
        reason = one["reason"].partition("; these backends can")[0]
        letter, puzzles = reasons.setdefault(_general(reason), (chr(ord("a") + len(reasons)), {}))
        puzzles.setdefault(reason, puzzle)
        return letter
    if one["compared"] == "samples":
        counted = "alone, " if one["finished"] else ""
        return counted + ("1 part" if one["samples"] == 1 else f"{one['samples']} parts")
    return WORDS.get(one["compared"], "no end")


def _general(reason: str) -> str:
    """A reason without what is particular to one puzzle."""
    return re.sub(r"\b\d[\d,.]*\b", "N", reason)


def _listed(reasons: Reasons) -> Iterator[str]:
    """Each reason as it was given, with the puzzle if it has the numbers of one."""
    for general, (letter, puzzles) in reasons.items():
        for reason, puzzle in puzzles.items():
            yield f"- **{letter}**: {reason}" + (f" (`{puzzle}`)" if reason != general else "")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        raise SystemExit(__doc__)
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    PAGE.write_text(page([json.loads(line) for line in lines]), encoding="utf-8")
