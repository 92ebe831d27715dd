"""Which engines agree on the shipped puzzles, made of what `verify --json` says."""

from __future__ import annotations

import csv

from counts.agreement import FILE
from exactcover.formats import shipped


def test_the_file_has_every_puzzle() -> None:
    _, *rows = csv.reader(FILE.read_text("utf-8").splitlines())
    assert sorted(row[0] for row in rows) == sorted(one.name for one in shipped.entries())
