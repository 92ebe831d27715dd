"""Plots of searches: the numbers of their curves are those of the searches, and of the article."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

import exactcover as ec
from exactcover.errors import ExactCoverError
from exactcover.search import Strategy, Tuning
from exactcover.search.automatic import Candidate
from exactcover.search.racing import Measured
from exactcover.show.render import plot_tuning
from exactcover.show.render.plots import BEYOND
from tests.helpers.examples import some

P4 = "redundancy; volume; dlx:s; fila:f@11 nof=0"
P5 = "redundancy; volume; dlx:s; fila:f@11 nof=adjacent"

PUBLISHED = {
    12: (7, 7),
    11: (131, 131),
    10: (3088, 1744),
    9: (28279, 7994),
    8: (126819, 17275),
    7: (200366, 26950),
    6: (386776, 82406),
    5: (1284992, 272072),
    4: (3665538, 617667),
    3: (5722296, 760374),
    2: (3478035, 302256),
    1: (301677, 2339),
}
"""Attempts and fits by remaining pieces, as the article prints them for its case P4."""


@cache
def result(strategy: str) -> ec.Result:
    return ec.Solving(ec.read("pentominoes_10x6"), strategy=strategy, tally=True).run()


def curves(plot: ec.Plot) -> dict[str, dict[str, dict[int, float]]]:
    """The numbers of each curve of each panel."""
    return {
        axes.get_title(): {
            str(line.get_label()): dict(zip(line.get_xdata(), line.get_ydata(), strict=True))
            for line in axes.lines
        }
        for axes in plot.figure.axes
    }


def test_the_table_of_the_article() -> None:
    drawn = curves(ec.plot({"P4": result(P4)}))
    assert drawn["fits"]["P4"] == {left: fits for left, (_, fits) in PUBLISHED.items()}
    assert drawn["no-fits"]["P4"] == {left: n - fits for left, (n, fits) in PUBLISHED.items()}
    assert sum(drawn["fits"]["P4"].values()) == 2_091_215
    assert sum(drawn["no-fits"]["P4"].values()) == 13_106_789


def test_numbers_for_each_target() -> None:
    """The article: 3,665,538 attempts with 4 pieces left are 13.473 for each of 272,072 targets."""
    drawn = curves(ec.plot({"P4": result(P4)}, per_target=True))
    both = [drawn[f"{what} for each target"]["P4"] for what in ("fits", "no-fits")]
    assert sum(one[4] for one in both) == pytest.approx(13.473, abs=5e-4)
    assert both[0][12] == 7


def test_several_strategies_have_curves_side_by_side() -> None:
    plot = ec.plot([result(P4), result(P5)])
    drawn = curves(plot)
    for panel in ("fits", "no-fits"):
        assert list(drawn[panel]) == [P4, P5]
    assert drawn["fits"][P4] == drawn["fits"][P5]
    for row in result(P5).by_remaining:
        assert drawn["no-fits"][P5][row.remaining] == row.nofits
    colours = {line.get_color() for line in plot.figure.axes[0].lines}
    assert len(colours) == 2
    assert [text.get_text() for text in plot.figure.legends[0].get_texts()] == [P4, P5]
    assert repr(plot) == "<Plot of 2 searches>"


def test_the_scale_is_logarithmic_and_shows_nothing_as_nothing() -> None:
    left, right = ec.plot(result(P4)).figure.axes
    assert left.get_yscale() == right.get_yscale() == "symlog"
    assert left.get_ylim()[0] == 0
    assert left.get_ylim()[1] > max(attempts for attempts, _ in PUBLISHED.values())
    assert left.get_xlim()[0] > left.get_xlim()[1]


def test_stages_of_the_same_number_of_pieces_are_added() -> None:
    row = result(P4).by_remaining[0]
    twice = ec.Result("complete", 0, "all", 14, 0, 0.0, "twice", by_remaining=(row, row))
    assert curves(ec.plot(twice))["fits"]["twice"] == {12: 14}


def test_searches_and_equal_names() -> None:
    search = ec.Solving(ec.read("pentominoes_20x3"), strategy="fila:f", tally=True)
    search.run()
    drawn = curves(ec.plot([search, search]))
    assert list(drawn["fits"]) == ["fila:f", "fila:f (2)"]


def test_names_that_matplotlib_reads_as_formulas_or_hides(tmp_path: Path) -> None:
    search = ec.Solving(ec.read("pentominoes_20x3"), strategy="fila:f", tally=True)
    search.run()
    plot = ec.plot({"_one": search, "$x_{$": search}, title="$y_{$")
    plot.save(tmp_path / "plot.png")
    (legend,) = plot.figure.legends
    assert [text.get_text().strip() for text in legend.get_texts()] == ["_one", "$x_{$"]


@pytest.mark.parametrize(
    ("ending", "start"),
    some([(".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")], one_in=2),
)
def test_files(ending: str, start: bytes, tmp_path: Path) -> None:
    file, again = tmp_path / f"plot{ending}", tmp_path / f"again{ending}"
    ec.plot({"P4": result(P4)}).save(file)
    ec.plot({"P4": result(P4)}).save(again)
    assert file.read_bytes().startswith(start)
    assert file.read_bytes() == again.read_bytes()


def test_notebooks_show_it() -> None:
    text = ec.plot({"a curve": result(P4)}, title="Ten by six", theme="dark")._repr_svg_()
    assert "<svg" in text
    assert ">Ten by six</text>" in text
    assert ">a curve</text>" in text


@pytest.mark.parametrize(
    ("given", "words"),
    [({}, "no results"), (7, "no result of a search"), ("untallied", r"tally=True")],
)
def test_what_cannot_be_plotted_is_refused(given: Any, words: str) -> None:
    if given == "untallied":
        given = ec.Solving(ec.read("pentominoes_20x3"), strategy="fila:f").run()
    with pytest.raises(ec.ExactCoverError, match=words):
        ec.plot(given)


def test_an_ending_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ec.ExactCoverError, match="ending"):
        ec.plot(result(P4)).save(tmp_path / "plot.txt")


def run(code: str) -> str:
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return made.stdout


SEARCH = """
import exactcover as ec
search = ec.Solving(ec.read("pentominoes_20x3"), strategy="fila:f", tally=True)
"""


@pytest.mark.slow
def test_settings_and_windows_of_a_user_stay() -> None:
    """No window system is chosen, and matplotlib's settings are as they were."""
    code = (
        SEARCH
        + """
import sys
import matplotlib
matplotlib.rcParams["svg.fonttype"] = "path"
before = matplotlib.rcParams.copy()
ec.plot(search.run())._repr_svg_()
print("matplotlib.pyplot" in sys.modules, matplotlib.rcParams.copy() == before)
"""
    )
    assert run(code) == "False True\n"


@pytest.mark.slow
def test_without_matplotlib_the_extra_is_named() -> None:
    code = (
        SEARCH
        + """
import sys
sys.modules["matplotlib"] = None
try:
    ec.plot(search.run())
except ec.ExactCoverError as error:
    print(error)
"""
    )
    assert "pip install 'exactcover[plot]'" in run(code)


# -- tunings ---------------------------------------------------------------------------------------


def tuning(**seconds: float) -> Tuning:
    """A tuning of strategies with these engines, the best first."""
    rows = tuple(
        Measured(Candidate(Strategy.parse(name), "a reason"), its, 0.1, 1e6, 9, 99)
        for name, its in seconds.items()
    )
    best = rows[0].candidate.strategy if rows else Strategy.parse("dlx")
    return Tuning(best, "a reason", rows, (), 1.0, tuned=bool(rows))


def test_bars_are_as_long_as_the_seconds_and_the_best_one_stands_out() -> None:
    pytest.importorskip("matplotlib")
    axes = plot_tuning(tuning(bsx=1.0, dlx=2.5, fila=100.0)).figure.axes[0]
    bars = [bar for bar in axes.patches if bar.get_height() > 0.5]
    assert [bar.get_width() for bar in bars] == [1.0, 2.5, BEYOND]
    assert len({bar.get_facecolor() for bar in bars}) == 2
    assert bars[0].get_facecolor() != bars[1].get_facecolor()
    assert [text.get_text().strip() for text in axes.texts] == ["1", "2.5", "100"]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert [label.partition(":")[0] for label in labels] == ["bsx", "dlx", "fila"]


def test_its_repr_counts_strategies() -> None:
    pytest.importorskip("matplotlib")
    assert repr(plot_tuning(tuning(bsx=1.0, dlx=2.0))) == "<Plot of 2 strategies>"


@pytest.mark.parametrize("nothing", [tuning(), tuning(bsx=inf)])
def test_nothing_was_measured(nothing: Tuning) -> None:
    with pytest.raises(ExactCoverError, match="no measurements"):
        plot_tuning(nothing)
