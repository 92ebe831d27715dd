"""`estimate`, as someone at a terminal or a script meets it."""

from __future__ import annotations

from math import inf

import pytest

import exactcover as ec
from tests.helpers.commands import ran, records


def test_an_exact_estimate_is_a_table() -> None:
    told = ran("estimate", "pentominoes_20x3").stdout.splitlines()
    assert told[0] == "square/pentominoes_20x3: exact, the whole tree was searched"
    assert " ".join(told[1].split()) == "solutions 2 unique up to rotations and turning over"
    assert told[2].split() == ["nodes", "26,521", "options", "chosen"]
    assert told[-1] == "  strategy redundancy; volume; dlx:s; fila:f@11 nof=6"
    assert any(line.startswith("  takes about ") for line in told)


def test_for_scripts() -> None:
    [one] = records(
        "estimate", "somacube", "--json", "--counted=all", "--strategy", "volume; bsx:s"
    )
    assert one["status"] == "exact"
    assert one["counted"] == "all"
    assert one["solutions"] == {"value": 11520, "low": 11520, "high": 11520}
    assert one["nodes"]["value"] == 256916
    assert sum(row["value"] for row in one["nodes_by_remaining"].values()) == 256916


@pytest.mark.parametrize(
    ("interval", "texts"),
    [
        (ec.Interval.exactly(2339), ("2,339", "")),
        (ec.Interval(2340.7, 2158.2, 2611.0), ("2,340", "2,160 to 2,610")),
        (
            ec.Interval(1.234e12, 1.1e12, 1.4e12),
            ("1,230,000,000,000", "1,100,000,000,000 to 1,400,000,000,000"),
        ),
        (ec.Interval(1.234e16, 1.1e16, 1.4e16), ("1.23e16", "1.10e16 to 1.40e16")),
        (ec.Interval(6.2e5, 3.0, 2.4e8), ("600,000", "3 to 240,000,000")),
        (ec.Interval(40.0, 12.3, inf), ("unknown", "at least 12")),
        (ec.Interval(0.0, 0.0, inf), ("unknown", "")),
    ],
)
def test_numbers_have_the_digits_that_are_known(
    interval: ec.Interval, texts: tuple[str, str]
) -> None:
    assert interval.texts() == texts
