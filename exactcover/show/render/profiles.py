"""Plots of estimates: the nodes of a search tree, by the number of pieces that remain.

Error bars show the intervals. The extra `plot` installs matplotlib, see `plots`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from exactcover.base.values.arguments import check_choice, check_kind
from exactcover.errors import ExactCoverError
from exactcover.search.estimates.estimated import Estimate
from exactcover.show.render.palette import GROUND, INK
from exactcover.show.render.plots import MARKERS, Look, Plot, dress
from exactcover.show.render.raster import extra
from exactcover.show.render.svg import LIGHT, THEMES, Ground


def plot_estimates(
    estimates: Estimate | Mapping[str, Estimate], *, title: str = "", theme: Ground = LIGHT
) -> Plot:
    """A plot of estimated nodes by the number of remaining pieces, with error bars.

        >>> import exactcover as ec
        >>> ec.render.plot_estimates(ec.estimate(ec.read("pentominoes_20x3")))
        <Plot of 1 estimate>

    estimates  an estimate, or a mapping of the names of curves to estimates
    title      written above. Default: nothing
    theme      "light" or "dark". Default: "light"

    Needs the extra `plot`.
    """
    check_kind("title", title, str, "a text")
    check_choice("theme", theme, THEMES[1:], optional=False)
    named = estimates if isinstance(estimates, Mapping) else {estimates.strategy: estimates}
    for name, one in named.items():
        check_kind(f"the estimate of {name}", one, Estimate, "what `estimate` returns")
        if not one.nodes_by_remaining:
            raise ExactCoverError(f"the estimate of {name} has no nodes to plot")
    extra("matplotlib", "plot", "plots need")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    look = Look(theme)
    figure = Figure(figsize=(7.5, 4.4), layout="constrained", facecolor=look.of(GROUND))
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for number, (name, one) in enumerate(named.items()):
        nodes = one.nodes_by_remaining
        values = [interval.value for interval in nodes.values()]
        below = [max(0.0, interval.value - interval.low) for interval in nodes.values()]
        above = [
            interval.high - interval.value if isfinite(interval.high) else 0.0
            for interval in nodes.values()
        ]
        axes.errorbar(
            list(nodes),
            values,
            yerr=(below, above),
            label=f" {name}" if name.startswith("_") else name,
            color=look.line(number),
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            linewidth=1.6,
            capsize=3,
        )
    dress(axes, "nodes", look)
    axes.set_yscale("log")
    remaining = [left for one in named.values() for left in one.nodes_by_remaining]
    axes.set_xlim(max(remaining) + 0.5, min(remaining) - 0.5)
    if title:
        figure.suptitle(title, color=look.of(INK), parse_math=False)
    for text in axes.legend(frameon=False).get_texts():
        text.set_color(look.of(INK))
        text.set_parse_math(False)
    return Plot(figure, "estimate")
