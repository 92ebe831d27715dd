"""Plug-in files on the command line, and the lists of filters and engines that they add to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from exactcover.problem.filters import filter_kinds
from tests.helpers.commands import ran, records, refused

PLUGIN = """
import exactcover as ec
import numpy as np

@ec.option_filter("everything", "nothing")
def everything(tree, argument):
    return np.ones(tree.problem.n_options, bool)

ec.heuristic("numbered", "by number")(lambda cell, state: cell)
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A file with a filter and a heuristic, which are forgotten after the test."""
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN)
    return file


@pytest.mark.parametrize(
    "words",
    [
        ("count", "dominoes_4x4", "--counted=all", "--strategy", "everything=1; dlx:s"),
        ("verify", "dominoes_4x4", "--engines", "everything=1; dlx:s, dlx:s"),
        ("best", "dominoes_4x4", "--most", "pieces", "--quiet"),
        ("solve", "dominoes_4x4", "--random", "1"),
        ("check", "dominoes_4x4"),
    ],
)
def test_a_plug_in_is_loaded_by_each_command(words: Sequence[str], plugin: Path) -> None:
    ran(*words, "--plugin", str(plugin))
    assert "everything" in filter_kinds()


def test_a_filter_of_ones_own_may_restrict(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN.replace("np.ones(tree.problem.n_options, bool)", "tree.alive & False"))
    asked = ("--counted", "all", "--strict", "--strategy", "everything=1; dlx:s")
    run = ran("count", "dominoes_4x4", "--plugin", file, *asked, status=3)
    assert "but there are 0" in run.stderr


def test_the_lists_have_what_a_plug_in_adds(plugin: Path) -> None:
    found = {
        record["filter"]: record for record in records("list", "filters", "--plugin", str(plugin))
    }
    assert found["everything"]["written"] == "everything=ARGUMENT"
    engines = {one["backend"]: one for one in records("list", "backends", "--plugin", str(plugin))}
    takes = {name for name, one in engines.items() if "numbered" in one["own_heuristics"]}
    assert takes == {"dlx"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import sys; sys.exit(0)", "leaves.py: SystemExit: 0"),
        (PLUGIN.replace("np.ones", "exit(0) or np.ones"), "has ended the program: sys.exit(0)"),
    ],
)
def test_a_plugin_that_exits_is_a_mistake(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "leaves.py"
    file.write_text(text)
    asked = ("--plugin", file, "--counted", "all", "--strategy", "everything=1; dlx:s")
    assert told in refused("count", "dominoes_4x4", *asked)
