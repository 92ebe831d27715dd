"""`apart`, as someone at a terminal or a script meets it."""

from __future__ import annotations

import pytest

from tests.helpers.commands import ran, records, refused


@pytest.mark.parametrize(
    ("name", "assemblies", "apart", "highest"),
    [
        ("burr_piston", 10, 1, "9.3.1.1.1"),
        ("burr_dubois", 2, 1, "6.4.1.1.1"),
        ("burr_computers_choice", 7, 1, "10.1.1.1.1"),
        pytest.param("burr_loves_dozen", 154, 90, "12.3.1.1.1", marks=pytest.mark.slow),
    ],
)
def test_burrs_have_their_published_levels(
    name: str, assemblies: int, apart: int, highest: str
) -> None:
    [record] = records("apart", name, "--moves")
    assert (record["assemblies"], record["apart"], record["highest"]) == (
        assemblies,
        apart,
        highest,
    )
    assert record["status"] == "complete"
    assert record["stuck"] == assemblies - apart
    assert len(record["moves"]) == sum(map(int, highest.split(".")))


def test_for_a_person() -> None:
    lines = ran("apart", "burr_dubois", "--moves", "--workers", "1").stdout.splitlines()
    assert lines[:3] == [
        "cubic/burr_dubois: 1 of 2 solutions (unique up to rotations) comes apart",
        "  level      solutions",
        "  6.4.1.1.1          1",
    ]
    assert len(lines) == 4 + 13
    assert sum("comes off" in line for line in lines) == 5


def test_threads_find_the_same() -> None:
    [alone], [together] = (records("apart", "burr_piston", "--workers", n) for n in "12")
    for key in ("assemblies", "apart", "levels"):
        assert alone[key] == together[key]


def test_a_limit_of_states_is_no_answer() -> None:
    made = ran("apart", "burr_piston", "--states", "5", status=4)
    assert "not decided: more than 5 states" in made.stdout
    [record] = records("apart", "burr_piston", "--states", "5", status=4)
    assert record["undecided"] > 0


def test_a_limit_of_solutions_is_said() -> None:
    made = ran("apart", "burr_piston", "--limit", "3")
    assert "of 3 solutions (unique up to rotations)" in made.stdout
    assert "apart so far; stopped after 3 solutions (limit)" in made.stdout
    [record] = records("apart", "burr_piston", "--limit", "3")
    assert record["status"] == "limit"


def test_other_puzzles_are_refused() -> None:
    for name, reason in (
        ("pentominoes_20x3", "lie in the plane: their pieces are lifted out"),
        ("langford_7", "a plain problem has no pieces to take apart"),
    ):
        assert reason in refused("apart", name)
