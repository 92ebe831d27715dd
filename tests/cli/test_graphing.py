"""`exactcover graph` and `exactcover plot`."""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest

from tests.helpers.commands import ran, records, refused


def test_the_graph_of_solutions() -> None:
    assert ran("graph", "somacube", "--counted", "reflections").stdout.splitlines() == [
        "cubic/somacube: 240 solutions (unique up to rotations and reflections)",
        "  1,083 pairs differ in at most 3 pieces: 307 in 2, 776 in 3",
        "  1 cluster of 239 solutions; 1 solution without a similar one",
    ]


def test_clusters() -> None:
    words = ("graph", "hexiamonds_6x6", "--clusters")
    lines = ran(*words).stdout.splitlines()
    [record] = records(*words)
    assert sum(part["size"] for part in record["clusters"]) == record["solutions"] == 156
    first = record["clusters"][0]
    assert lines[4].split() == [
        "1", str(first["size"]), str(first["representative"]), *map(str, first["solutions"])
    ]  # fmt: skip
    large = sum(part["size"] > 1 for part in record["clusters"])
    assert lines[-1] == f"  and {large - 20} more; --json lists all"
    [complete] = records(*words, "--linkage", "complete")
    assert len(complete["clusters"]) >= len(record["clusters"])


def test_the_file_has_the_clusters_of_the_linkage(tmp_path: Path) -> None:
    words = ("graph", "somacube", "--counted", "reflections", "--linkage", "complete")
    file = tmp_path / "graph.graphml"
    [record] = records(*words, "--clusters", "-o", file)
    cluster = dict(networkx.read_graphml(file).nodes(data="cluster"))
    for number, part in enumerate(record["clusters"], 1):
        assert {cluster[str(node)] for node in part["solutions"]} == {number}


def test_a_part_of_the_solutions() -> None:
    assert "20 solutions (" in ran("graph", "pentominoes_10x6", "--limit", "20").stdout


def test_two_solutions_compared() -> None:
    assert ran("graph", "pentominoes_20x3", "--compare", "1", "2").stdout.splitlines() == [
        "square/pentominoes_20x3: from solution 1 to solution 2 7 pieces change",
        "  the block of F, L, N, T, W, Y and Z is turned by a half turn",
    ]
    [record] = records("graph", "pentominoes_20x3", "--compare", "1", "2")
    (change,) = record["changes"]
    assert change["kind"] == "turned"
    assert record["changed"] == 7
    assert sorted(record["kept"]) == ["I", "P", "U", "V", "X"]


def test_pieces_that_touch() -> None:
    told = ran("graph", "somacube", "--pieces", "--solution", "2").stdout.splitlines()
    assert "solution 2: 7 pieces" in told[0]
    assert len(told) == 8
    [record] = records("graph", "somacube", "--pieces", "--corners")
    assert {"pieces", "faces", "corners"} == set(record["touching"][0])


@pytest.mark.parametrize("said", [[], ["--pieces"]])
@pytest.mark.parametrize("ending", [".graphml", ".json", ".svg", ".png"])
def test_files(said: list[str], ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"graph{ending}"
    ran("graph", "pentominoes_20x3", *said, "-o", file)
    assert file.stat().st_size > 500
    if ending == ".graphml":
        assert len(networkx.read_graphml(file)) == (12 if said else 2)


def test_without_a_solution() -> None:
    assert "0 solutions\n  0 pairs" in ran("graph", "mutilated_chessboard").stdout


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["--clusters", "--pieces"], "give one of"),
        (["--solution", "2"], "go with --pieces"),
        (["--corners"], "go with --pieces"),
        (["--compare", "1", "2", "-o", "x.svg"], "leave out --output"),
        (["-o", "x.txt"], "its ending must be one of"),
        (["somacube", "-o", "x.svg"], "name a folder"),
        (["--differ", "0"], "--differ"),
    ],
)
def test_wrong_usage(said: list[str], message: str) -> None:
    assert message in refused("graph", "pentominoes_20x3", *said, status=2)


def test_a_solution_that_there_is_not() -> None:
    said = refused("graph", "pentominoes_20x3", "--compare", "1", "9")
    assert "has 2 solutions: there is no solution 9" in said


def test_plot(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    curves = ("--strategy", "fast=fila:f", "--strategy", "redundancy=X; dlx:s")
    said = ran("plot", "pentominoes_20x3", *curves, "-o", file).stdout.splitlines()
    assert [line.rpartition(" by ")[2] for line in said] == ["fast", "redundancy=X; dlx:s"]
    assert ">fast</text>" in file.read_text()
    assert ">redundancy=X; dlx:s</text>" in file.read_text()


def test_curves_of_one_name_are_refused(tmp_path: Path) -> None:
    """Once both were searched and only the second was drawn."""
    file = tmp_path / "plot.svg"
    words = ("--strategy", "a=dlx:f", "--strategy", "a=fila:f", "-o", file)
    said = refused("plot", "pentominoes_20x3", *words, status=2)
    assert "two curves are called a:" in said
    assert not file.exists()


def test_a_plot_of_an_engine_that_knows_only_totals_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    run = ran("plot", "pentominoes_20x3", "--strategy", "cpsat", "-o", file, status=1)
    assert "has no numbers by remaining pieces" in run.stderr
    assert not file.exists()


def test_a_plot_needs_a_picture_file() -> None:
    words = ("--strategy", "dlx:s", "-o", "x.gif")
    assert "ending" in refused("plot", "pentominoes_20x3", *words, status=2)
