"""The tables that Sphinx puts behind the pages of results."""

from __future__ import annotations

from itertools import pairwise

import pytest

from counts.known import NEW, known_counts, read_known
from docs.tables import TABLES
from exactcover.formats import shipped


@pytest.mark.parametrize("page", TABLES)
def test_each_table_has_its_rows(page: str) -> None:
    new = [row for row in read_known(NEW) if row.second_engine]
    puzzles = len([*shipped.headings()])
    least = {
        "gallery": puzzles,
        "known-counts": puzzles + len(known_counts()) + len(new),
        "speed": 30,
    }
    lines = "\n".join(TABLES[page]()).splitlines()
    tables = [line for line in lines if line.startswith("<details")]
    rows = [line for line in lines if line.startswith("| ")]
    assert sum(int(line.split(": ")[1].split(" ")[0]) for line in tables) == len(rows) - len(tables)
    assert len(rows) - len(tables) >= least[page]
    for head, end in pairwise(lines):
        if head.startswith("| ") and end.startswith("|---"):
            columns = head.count(" | ")
        elif head.startswith("| "):
            assert head.replace("\\|", "").count(" | ") == columns, head
