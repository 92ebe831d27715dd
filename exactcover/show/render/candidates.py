"""A plot of a tuning: the time of each strategy for the whole search, the best first.

Error bars show the standard errors. The extra `plot` installs matplotlib, see `plots`.
"""

from __future__ import annotations

from math import isfinite

from exactcover.base.values.arguments import check_choice, check_kind
from exactcover.errors import ExactCoverError
from exactcover.search.tuning import Tuning
from exactcover.show.render.palette import FAINT, GROUND, INK
from exactcover.show.render.plots import Look, Plot, dress
from exactcover.show.render.raster import extra
from exactcover.show.render.svg import LIGHT, THEMES, Ground

BEYOND = 8
"""Bars end at this many times the seconds of the best strategy; the number beside them goes on."""


def plot_tuning(tuning: Tuning, *, title: str = "", theme: Ground = LIGHT) -> Plot:
    """A plot of what `tune` measured: a bar for the seconds of each strategy.

        >>> import exactcover as ec
        >>> tuning = ec.tune(ec.read("tetriscube"), time_limit=5, cache=False)  # doctest: +SKIP
        >>> ec.render.plot_tuning(tuning).save("tuning.svg")                    # doctest: +SKIP

    tuning  what `tune` returns
    title   written above. Default: nothing
    theme   "light" or "dark". Default: "light"

    Needs the extra `plot`.
    """
    check_kind("tuning", tuning, Tuning, "what `tune` returns")
    check_kind("title", title, str, "a text")
    check_choice("theme", theme, THEMES[1:], optional=False)
    rows = [row for row in tuning.rows if isfinite(row.measured.seconds)]
    if not rows:
        raise ExactCoverError("the tuning has no measurements to plot: the problem is too easy")
    extra("matplotlib", "plot", "plots need")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    look = Look(theme)
    figure = Figure(
        figsize=(9, 1.1 + 0.27 * len(rows)), layout="constrained", facecolor=look.of(GROUND)
    )
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    most = BEYOND * rows[0].measured.seconds
    for number, row in enumerate(rows):
        its, chosen = row.measured, row.candidate.strategy == tuning.strategy
        error = its.error if isfinite(its.error) and its.seconds < most else 0.0
        axes.barh(
            number,
            min(its.seconds, most),
            xerr=error,
            label=str(row.candidate.strategy),
            color=look.line(0) if chosen else look.of(FAINT),
            ecolor=look.of(INK),
            capsize=2,
        )
        axes.text(
            min(its.seconds + error, most), number, f" {its.seconds:.3g}",
            va="center", color=look.of(INK), fontsize=8,
        )  # fmt: skip
    dress(axes, title, look, across="seconds of the whole search, estimated", whole=False)
    axes.grid(visible=False, axis="y")
    axes.title.set_parse_math(False)
    axes.set_yticks(range(len(rows)), [str(row.candidate.strategy) for row in rows], fontsize=8)
    axes.invert_yaxis()
    return Plot(figure, "strategy")
