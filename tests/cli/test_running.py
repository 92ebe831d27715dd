"""`run`, `resume` and `status`, as a user calls them."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from exactcover.errors import ExactCoverError
from exactcover.runs import Run, standing
from exactcover.runs.ledger.ledger_file import NAME, is_locked
from tests.helpers.commands import domino_box, interrupted, ran, records, refused
from tests.helpers.plugged import forgetting

KEYS = {"puzzle", "status", "solutions", "counted", "fits", "nofits", "seconds", "strategy"}


def test_a_run_is_stopped_and_goes_on(tmp_path: Path) -> None:
    asked = ["run", "somacube", "--dir", tmp_path / "run"]
    stopped = ran(*asked, "--time-limit", "0", status=4)
    assert "0.00% searched" in stopped.stdout
    assert "stopped after 0 s (time limit)" in stopped.stdout
    assert f"to go on: exactcover run resume {tmp_path / 'run'}" in stopped.stderr
    waiting = records("run", "status", tmp_path / "run")
    assert [one["status"] for one in waiting] == ["interrupted"]
    assert all(KEYS < one.keys() for one in waiting)
    done = records("run", "resume", tmp_path / "run")
    assert [(one["status"], one["solutions"]) for one in done] == [("complete", 480)]
    again, status = records(*asked), records("run", "status", tmp_path / "run")
    for one in (*done, *again, *status):  # who reports it, and when, differs
        assert one.pop("provenance")["solutions"] == one["solutions"]
    assert again == status == done
    assert ran("run", "status", tmp_path / "run").stdout.splitlines() == [
        "cubic/somacube: 480 solutions (unique up to rotations)"
    ]


def test_solutions_come_out_in_a_fixed_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are those of `solve`, and do not depend on the tasks that found them."""
    for folder, longest in (("one", 5.0), ("other", 0.001)):
        monkeypatch.setattr(Run, "least", longest)
        ran("run", "somacube", "--dir", tmp_path / folder)
        ran("run", "status", tmp_path / folder, "--solutions", tmp_path / f"{folder}.jsonl")
    assert (tmp_path / "one.jsonl").stat().st_size > 10_000
    ran("solve", "somacube", "--output", tmp_path / "solved.jsonl")
    read = {name: solutions_in(tmp_path / f"{name}.jsonl") for name in FOLDERS}
    assert read["one"] == read["other"]
    assert sorted(read["one"]) == sorted(read["solved"])
    assert len(read["one"]) == 480


FOLDERS = "one", "other", "solved"


def test_the_parts_of_a_run_are_added_up(tmp_path: Path) -> None:
    folders = [tmp_path / "1", tmp_path / "2"]
    for number, folder in enumerate(folders, 1):
        ran("run", "somacube", "--dir", folder, "--part", f"{number}/2")
    [record] = records("run", "status", *folders, "--solutions", tmp_path / "parts.jsonl")
    assert (record["status"], record["solutions"], record["missing"]) == ("complete", 480, [])
    ran("run", "somacube", "--dir", tmp_path / "whole")
    ran("run", "status", tmp_path / "whole", "--solutions", tmp_path / "whole.jsonl")
    assert (tmp_path / "parts.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()


def solutions_in(file: Path) -> list[str]:
    """The solutions of a file, as texts."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [str(sorted(map(str, line["placements"]))) for line in lines]


def test_mistakes_are_told_in_a_line(tmp_path: Path) -> None:
    assert "there is no ledger here" in refused("run", "resume", tmp_path)
    assert "there is no ledger here" in refused("run", "status", tmp_path / "nowhere")
    (tmp_path / NAME).write_bytes(b"another")
    for command in ("resume", "status"):
        assert "it is no ledger" in refused("run", command, tmp_path)
    assert "2/4" in refused("run", "somacube", "--dir", tmp_path, "--part", "half", status=2)
    ran("run", "pentominoes_20x3", "--dir", tmp_path / "run")
    assert "unexpected extra argument" in refused(
        "run", "somacube", "somacube", "--dir", tmp_path / "two", status=2
    )
    wrong = refused(
        "run", "status", tmp_path / "run", "--solutions", tmp_path / "all.png", status=2
    )
    assert "--solutions" in wrong
    assert ".jsonl" in wrong


@pytest.mark.skipif(os.name != "posix", reason="signals of a process")
@pytest.mark.parametrize("number", ["INT", "TERM", "HUP"])
def test_ctrl_c_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    folder = tmp_path / "run"

    def begun() -> bool:
        with suppress(ExactCoverError):  # the ledger is being made
            return standing(folder).totals.tasks_done > 0
        return False

    by = signal.Signals[f"SIG{number}"]
    if signal.getsignal(by) is signal.SIG_IGN:
        pytest.skip("the tests run where this signal is ignored, as below nohup")
    ended = interrupted(monkeypatch, "run", "tetriscube", "--dir", folder, when=begun, by=by)
    assert "so far;" in ended.stdout
    assert "to go on: exactcover run resume" in ended.stderr
    assert not is_locked(tmp_path / "run")
    [record] = records("run", "status", tmp_path / "run")
    assert record["status"] == "interrupted"
    assert record["tasks_done"] >= 1


@pytest.mark.parametrize("applied", ["mine@3", "mine"])
def test_a_run_is_not_resumed_with_another_filter_of_the_same_name(
    tmp_path: Path, applied: str
) -> None:
    plugin, other, box = (tmp_path / name for name in ("one.py", "other.py", "box.txt"))
    box.write_text(domino_box(4, 4))
    text = (
        "import numpy as np, exactcover as ec\n"
        '@ec.option_filter("mine", "keeps them", symmetric=True)\n'
        "def mine(tree):\n    return np.{}(tree.problem.n_options, bool)\n"
    )
    plugin.write_text(text.format("ones"))
    other.write_text(text.format("zeros"))
    folder, strategy = str(tmp_path / "run"), ("--strategy", f"{applied}; dlx:s")
    begun = ("--dir", folder, "--time-limit", "0", "--plugin", str(plugin))
    ran("run", box, *strategy, *begun, status=4)
    told = refused("run", "resume", folder, "--plugin", str(other))
    assert "with filters of your own as they were then" in told
    assert "box.txt: 9 solutions" in ran("run", "resume", folder, "--plugin", str(plugin)).stdout
    told = refused("run", box, *strategy, "--dir", folder, "--plugin", str(other))
    assert "with filters of your own as they were then" in told


def test_a_run_needs_the_plugin_of_its_strategy_again(tmp_path: Path) -> None:
    plugin, folder = tmp_path / "own.py", tmp_path / "run"
    text = (
        "import exactcover as ec\n"
        '@ec.heuristic("far", "the farthest first")\ndef far(cell, state): return -1.0 * cell\n'
    )
    plugin.write_text(text)
    begun = ("run", "pentominoes_20x3", "--dir", folder, "--time-limit", "0")
    with forgetting():
        told = ran(*begun, "--strategy", "dlx:far", "--plugin", plugin, status=4).stderr
    assert told.rstrip().endswith(f"to go on: exactcover run resume {folder}")
    assert "--plugin FILE" in refused("run", "resume", folder)
    resumed = ran("run", "resume", folder, "--plugin", plugin)
    assert ": 2 solutions (unique up to rotations and turning over)\n" in resumed.stdout
