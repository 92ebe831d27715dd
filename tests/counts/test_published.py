"""Published exact covers: the families that are generated, their closed forms, table and page."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest

import exactcover as ec
from counts.published import __main__ as audit
from counts.published.__main__ import METHOD_OF, PROGRAMS, bell, generated, kasteleyn, read_table
from exactcover.backends.base import Branching
from exactcover.backends.memo import diagram

FAMILIES = {one.name: one for one in generated()}
ROWS = {row["instance"]: row for row in read_table()}


def test_closed_forms() -> None:
    assert [bell(n) for n in range(1, 9)] == [1, 2, 5, 15, 52, 203, 877, 4140]  # A000110
    assert [kasteleyn(2, n) for n in range(1, 8)] == [1, 2, 3, 5, 8, 13, 21]
    assert [kasteleyn(n, n) for n in (3, 4, 6, 8)] == [0, 36, 6728, 12_988_816]  # A004003
    assert kasteleyn(4, 7) == kasteleyn(7, 4) == 781


LARGE = ("doublefact-27", "doublefact-29", "dominoes_12x12")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in LARGE))
        for name in FAMILIES
        if name != "tetrominoes_8x8"
    ],
)
def test_families_by_every_engine_that_keeps_states(name: str) -> None:
    """The numbers of the table, and of closed forms."""
    instance, problem = FAMILIES[name], FAMILIES[name].make()
    row = ROWS[name]
    assert (problem.n_items, problem.n_options) == (int(row["items"]), int(row["options"]))
    number = int(row["number"])
    assert instance.closed in (None, number)
    assert ec.count(problem) == ec.count(problem, strategy="memo") == number
    if problem.n_items <= 24:
        assert audit.plain_count(problem, lambda: None) == number
    assert diagram(problem, None, Branching()).count == number


def test_the_audit_of_an_instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "RESULTS", tmp_path / "counts.jsonl")
    instance = FAMILIES["dominoes_8x10"]
    problem = instance.make()
    ends = audit.counted(instance, problem, {}, {"dxz_count": "1031151241"}, 60)
    assert [end["engine"] for end in ends] == ["memo", "automaton:narrow"]
    said = {"dxz_count": "7", "dxd_count": "1031151241"}
    row = audit.row_of(instance, problem, audit.counted(instance, problem, {}, said, 60), said)
    assert (row["verdict"], row["third_engine"]) == ("refuted", "plain")
    assert "DXD published the same" in row["argument"]
    assert "Kasteleyn" in row["argument"]


def test_the_table() -> None:
    for row in ROWS.values():
        engines = [row[f"{place}engine"] for place in audit.PLACES if row[f"{place}engine"]]
        methods = {METHOD_OF[one] for one in engines}
        numbers = audit.numbers_of(row).values()
        if row["verdict"] == "refuted":
            assert any(number != row["number"] for number in numbers)
            assert len(methods) == 3
        elif row["verdict"] == "holds":
            assert {*numbers} == {row["number"]}
        if row["verdict"] in ("holds", "new"):
            assert len(engines) == 2
        if row["family"] == "doublefact":
            assert int(row["number"]) == prod(range(1, int(row["items"]), 2))
    assert sum(row["verdict"] == "refuted" for row in ROWS.values()) >= 5
    assert {f"{one}_count" for one in PROGRAMS} <= {*row}


def test_the_page_shows_the_table() -> None:
    assert audit.PAGE.read_text() == audit.page(read_table())
