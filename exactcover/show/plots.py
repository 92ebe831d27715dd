"""The plot of a comparison: fits and no-fits of strategies, by the number of remaining pieces.

The articles print these numbers as tables. One curve for each strategy shows where a search spends
its work, and what a filter or another heuristic changes. The scale is logarithmic, but shows 0.

The extra `plot` installs matplotlib, which draws it. Only its objects are used, never `pyplot`, so
neither the settings nor the windows of the user's own plots are touched.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exactcover.errors import ExactCoverError
from exactcover.search.comparing import Comparison
from exactcover.show.packages import package

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKERS = "osD^vPX*<>"
"""Markers, one for each curve: they and the widths show curves that lie on each other."""


def plot_comparison(comparison: Comparison, *, title: str = "") -> Figure:
    """Draw a comparison with matplotlib: fits and no-fits, a curve for each strategy.

        >>> import exactcover as ec
        >>> from exactcover.show import plot_comparison
        >>> made = ec.compare(ec.read("pentominoes_20x3"), ["fila:f", "dlx:f"])
        >>> figure = plot_comparison(made)
        >>> [axes.get_title() for axes in figure.axes]
        ['fits', 'no-fits']

    comparison  what `compare` returns
    title       written above. Default: nothing

    It returns matplotlib's figure, for further changes and `savefig`. Needs the extra `plot`.
    """
    rows = [row for row in comparison.rows if row.by_remaining]
    if not rows:
        raise ExactCoverError("nothing was measured, so there is nothing to plot")
    package("matplotlib", "plot")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, NullLocator, StrMethodFormatter

    figure = Figure(figsize=(10, 4.4), layout="constrained")
    figure.suptitle(title, parse_math=False)
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, heading, which in zip(panels, ("fits", "no-fits"), ("fits", "nofits"), strict=True):
        for number, row in enumerate(rows):
            wider = min(len(rows) - 1 - number, 3)  # curves that others lie on are wider
            axes.plot(
                [one.remaining for one in row.by_remaining],
                [getattr(one, which) for one in row.by_remaining],
                label=row.strategy, clip_on=False, marker=MARKERS[number % len(MARKERS)],
                markersize=4 + 2.5 * wider, linewidth=1.6 + wider,
            )  # fmt: skip
        axes.set_title(heading)
        axes.set_xlabel("remaining pieces")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_yscale("symlog", linthresh=1)
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.grid(visible=True, alpha=0.4)
    panels[0].set_ylim(bottom=0)
    panels[0].set_xlim(max(row.by_remaining[0].remaining for row in rows) + 0.5, 0.5)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center")
    return figure


def save_figure(figure: Figure, file: Path) -> None:
    """Write a figure: `.svg`, `.png` or `.pdf`. The file is the same each time: it has no date."""
    import matplotlib

    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with matplotlib.rc_context({"svg.hashsalt": "exactcover", "svg.fonttype": "none"}):
        figure.savefig(file, metadata=undated.get(file.suffix.lower()))
