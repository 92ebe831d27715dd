"""Plots of tunings: a bar for each strategy, as long as its seconds."""

from __future__ import annotations

from math import inf

import pytest

from exactcover.errors import ExactCoverError
from exactcover.search import Strategy, Tuning
from exactcover.search.automatic import Candidate
from exactcover.search.racing import Measured
from exactcover.show.render import plot_tuning
from exactcover.show.render.plots import BEYOND


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
