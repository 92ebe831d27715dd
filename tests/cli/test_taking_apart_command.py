"""`apart`, as someone at a terminal or a script meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactcover as ec
from exactcover.studio.burrs import apart
from tests.helpers.commands import ran, records


@pytest.mark.parametrize(
    ("name", "assemblies", "ways", "highest"),
    [
        ("burr_piston", 10, 1, "9.3.1.1.1"),
        ("burr_dubois", 2, 1, "6.4.1.1.1"),
        ("burr_computers_choice", 7, 1, "10.1.1.1.1"),
        pytest.param("burr_loves_dozen", 154, 90, "12.3.1.1.1", marks=pytest.mark.slow),
    ],
)
def test_burrs_have_their_published_levels(
    name: str, assemblies: int, ways: int, highest: str
) -> None:
    [record] = records("apart", name, "--moves")
    assert (record["assemblies"], record["apart"], record["highest"]) == (assemblies, ways, highest)
    assert record["status"] == "complete"
    assert record["stuck"] == assemblies - ways
    assert len(record["moves"]) == sum(map(int, highest.split(".")))


def test_for_a_person() -> None:
    lines = ran("apart", "burr_dubois", "--moves", "--workers", "1").stdout.splitlines()
    assert lines[:3] == [
        "cubic/burr_dubois: 1 of 2 solutions (unique up to rotations) comes apart",
        "  level      solutions",
        "  6.4.1.1.1          1",
    ]
    assert len(lines) == 5 + 13
    assert sum("comes off" in line for line in lines) == 5


def test_a_limit_of_states_is_no_answer() -> None:
    made = ran("apart", "burr_piston", "--states", "5", status=4)
    assert "not decided: more than 5 states" in made.stdout
    [record] = records("apart", "burr_piston", "--states", "5", status=4)
    assert record["undecided"] > 0


def test_the_numbers_are_those_of_draw_and_make() -> None:
    for workers in ("1", "2"):
        [record] = records("apart", "burr_loves_dozen", "--workers", workers, "--moves")
        wanted = record["numbers"]
        found = first_solutions("burr_loves_dozen", wanted[-1])
        right = [n for n, one in enumerate(found, 1) if apart(one).status == "apart"]
        assert wanted == right
        assert apart(found[record["moves_of"] - 1]).level == record["highest"]


def test_a_page_shows_the_hardest_first(tmp_path: Path) -> None:
    page = tmp_path / "burr.html"
    ran("apart", "burr_dubois", "-o", str(page))
    assert '"level":"6.4.1.1.1"' in page.read_text("utf-8")


def first_solutions(name: str, wanted: int) -> list[ec.Solution]:
    """The solutions that draw and make have."""
    return list(ec.solve(ec.read(name), limit=wanted))
