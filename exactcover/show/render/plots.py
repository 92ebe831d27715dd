"""Plots of searches: the options tried, by the number of pieces that remained.

The articles print these numbers as tables. One curve for each strategy shows where a search spends
its work, and what a filter or another heuristic changes. The scale is logarithmic, but shows 0.

The extra `plot` installs matplotlib, which draws them. Only its objects are used, never `pyplot`,
so neither the settings nor the windows of the user's own plots are touched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from exactcover.base.text.files import ending_of, write
from exactcover.base.values.arguments import check_choice, check_flag, check_kind, shown
from exactcover.errors import ExactCoverError
from exactcover.search.estimates.estimating import Estimate
from exactcover.search.result import Result
from exactcover.search.tuning import Tuning
from exactcover.show.packages import package
from exactcover.show.render.palette import FAINT, GROUND, INK, PALETTE, Tone, contrast, shaded
from exactcover.show.render.svg import LIGHT, SUFFIXES, THEMES, Ground

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

MARKERS = "osD^vPX*<>"

READABLE = 1.8
"""A line whose contrast with the ground is less could hardly be seen."""


class HasResult(Protocol):
    """A search, such as `Solving`."""

    @property
    def result(self) -> Result:
        """The outcome so far."""


@dataclass(frozen=True, eq=False)
class Plot:
    """A plot. Notebooks show it; `figure` is matplotlib's, for further changes.

    figure  the plot
    shown   what each of its curves shows. Default: "search"
    """

    figure: Figure
    shown: str = "search"

    def save(self, path: str | Path) -> None:
        """Write it to a file: `.svg`, `.png` or `.pdf`."""
        file = Path(path)
        write(file, self._written(ending_of(file, SUFFIXES)[1:]))

    def _repr_svg_(self) -> str:
        return self._written("svg").decode()

    def _written(self, sort: str) -> bytes:
        """The file, without the time at which it was made, so that it is the same each time."""
        matplotlib = package("matplotlib", "plot")
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
        buffer = BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": "exactcover", "svg.fonttype": "none"}):
            self.figure.savefig(buffer, format=sort, metadata=undated[sort])
        return buffer.getvalue()

    def __repr__(self) -> str:
        many = len(self.figure.axes[0].get_legend_handles_labels()[0])
        odd = {"search": "searches", "strategy": "strategies"}
        noun = self.shown if many == 1 else odd.get(self.shown, f"{self.shown}s")
        return f"<Plot of {many} {noun}>"


def plot(
    results: Result | HasResult | Mapping[str, Result | HasResult] | Sequence[Result | HasResult],
    *,
    per_target: bool = False,
    title: str = "",
    theme: Ground = LIGHT,
) -> Plot:
    """A plot of fits and no-fits by the number of remaining pieces, a curve for each search.

        >>> import exactcover as ec
        >>> puzzle = ec.read("pentominoes_20x3")
        >>> searches = [ec.Solving(puzzle, strategy=s, tally=True) for s in ("fila:f", "dlx:f")]
        >>> ec.plot([search.run() for search in searches])
        <Plot of 2 searches>

    results     a result, or a finished search that has one; several of them; or a mapping of the
                names of curves to results. They need `tally=True`, which counts by remaining pieces
    per_target  divide by the number of targets, the cells or pieces that were branched on: how many
                options of a target fitted, and how many did not. Default: False
    title       written above. Default: nothing
    theme       "light" or "dark". Default: "light"

    Needs the extra `plot`.
    """
    check_flag("per_target", per_target)
    look = _look(title, theme)
    curves = {name: _by_remaining(name, result) for name, result in _named(results).items()}
    figure = _figure((10, 4.4), look, title)
    from matplotlib.ticker import NullLocator, StrMethodFormatter

    left, right = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, heading, which in ((left, "fits", 0), (right, "no-fits", 1)):
        for number, (name, tallies) in enumerate(curves.items()):
            shares = _per_target(tallies) if per_target else tallies
            below = min(len(curves) - 1 - number, 3)  # curves that others lie on are wider
            axes.plot(
                list(shares), [pair[which] for pair in shares.values()],
                **_curve(name, number, look, below), clip_on=False,
            )  # fmt: skip
        dress(axes, heading + (" for each target" if per_target else ""), look)
    if not per_target:
        left.set_yscale("symlog", linthresh=1)
        for axes in (left, right):
            axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            axes.yaxis.set_minor_locator(NullLocator())
    left.set_ylim(bottom=0)
    left.set_xlim(max(max(tallies) for tallies in curves.values()) + 0.5, 0.5)
    columns = max(1, min(len(curves), 110 // (8 + max(map(len, curves)))))
    legend = figure.legend(
        *left.get_legend_handles_labels(), loc="outside lower center", frameon=False, ncols=columns
    )
    _ink(legend, look)
    return Plot(figure)


Tallies = dict[int, tuple[float, float]]
"""The number of remaining pieces, the largest first, and its fits and no-fits."""


def _named(results: Any) -> dict[str, Any]:
    """The results, each with the name of its curve; that of its strategy where none is given."""
    if isinstance(results, Mapping):
        named = {str(name): result for name, result in results.items()}
    else:
        listed = list(results) if isinstance(results, list | tuple) else [results]
        named = {}
        for result in listed:
            name = _result(result).strategy
            named[name if name not in named else f"{name} ({len(named) + 1})"] = result
    if not named:
        raise ExactCoverError("there are no results to plot")
    return named


def _result(given: Any) -> Result:
    result = getattr(given, "result", given)
    if not isinstance(result, Result):
        raise ExactCoverError(f"{shown(given)} is no result of a search: give what `run` returns")
    return result


def _by_remaining(name: str, given: Any) -> Tallies:
    """The fits and no-fits of a search by the number of remaining pieces."""
    result = _result(given)
    if not result.by_remaining:
        raise ExactCoverError(
            f"the search {name} has no numbers by remaining pieces: search with "
            'Solving(puzzle, strategy="...", tally=True), and an engine such as dlx or fila that '
            "chooses piece by piece"
        )
    tallies: Tallies = {}
    for row in sorted(result.by_remaining, key=lambda row: -row.remaining):
        fits, nofits = tallies.get(row.remaining, (0, 0))
        tallies[row.remaining] = fits + row.fits, nofits + row.nofits
    return tallies


def _per_target(tallies: Tallies) -> Tallies:
    """The numbers divided by those of targets: by the fits with one more piece remaining."""
    targets = {remaining - 1: fits for remaining, (fits, _) in tallies.items()}
    return {
        remaining: (fits / targets.get(remaining, 1), nofits / targets.get(remaining, 1))
        for remaining, (fits, nofits) in tallies.items()
        if targets.get(remaining, 1)
    }


@dataclass(frozen=True)
class Look:
    """The colours of a theme."""

    theme: Ground

    def of(self, tone: Tone) -> str:
        return tone.light if self.theme == LIGHT else tone.dark

    def line(self, number: int) -> str:
        """The colour of a curve: of the palette, darker on a light ground, so that it is seen."""
        ground, tone = self.of(GROUND), PALETTE[number % len(PALETTE)]
        shades = (self.of(shaded(tone, light / 20)) for light in range(20, 0, -1))
        return next(shade for shade in shades if contrast(shade, ground) >= READABLE)


def _curve(name: str, number: int, look: Look, wider: int = 0) -> dict[str, Any]:
    """The look of a curve; matplotlib hides names that begin with an underscore."""
    return {
        "label": f" {name}" if name.startswith("_") else name,
        "color": look.line(number),
        "marker": MARKERS[number % len(MARKERS)],
        "markersize": 4 + 2.5 * wider,
        "linewidth": 1.6 + wider,
    }


def dress(
    axes: Axes, heading: str, look: Look, *, across: str = "remaining pieces", whole: bool = True
) -> None:
    """The title, the scales and the grid of a panel.

    across  what its horizontal axis shows; whole: in whole numbers
    """
    from matplotlib.ticker import MaxNLocator

    axes.set_title(heading, color=look.of(INK))
    axes.set_xlabel(across, color=look.of(INK))
    axes.xaxis.set_major_locator(MaxNLocator(integer=whole))
    axes.set_facecolor(look.of(GROUND))
    axes.grid(visible=True, color=look.of(FAINT), linewidth=0.5, alpha=0.6)
    axes.tick_params(colors=look.of(INK), labelleft=True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(look.of(INK))


def _look(title: str, theme: Ground) -> Look:
    """The colours of a plot, whose title and theme are checked."""
    check_kind("title", title, str, "a text")
    check_choice("theme", theme, THEMES[1:], optional=False)
    return Look(theme)


def _figure(size: tuple[float, float], look: Look, title: str = "") -> Figure:
    """An empty figure of this size, in inches, with its title."""
    package("matplotlib", "plot")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained", facecolor=look.of(GROUND))
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle(title, color=look.of(INK), parse_math=False)
    return figure


def _ink(legend: Legend, look: Look) -> None:
    """Write a legend in the colour of the theme, its names as they are."""
    for text in legend.get_texts():
        text.set_color(look.of(INK))
        text.set_parse_math(False)


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
    look = _look(title, theme)
    named = estimates if isinstance(estimates, Mapping) else {estimates.strategy: estimates}
    for name, one in named.items():
        check_kind(f"the estimate of {name}", one, Estimate, "what `estimate` returns")
        if not one.nodes_by_remaining:
            raise ExactCoverError(f"the estimate of {name} has no nodes to plot")
    figure = _figure((7.5, 4.4), look, title)
    axes = figure.subplots()
    for number, (name, estimate) in enumerate(named.items()):
        nodes = estimate.nodes_by_remaining
        values = [one.value for one in nodes.values()]
        below = [max(0.0, one.value - one.low) for one in nodes.values()]
        above = [one.high - one.value if isfinite(one.high) else 0.0 for one in nodes.values()]
        curve = _curve(name, number, look)
        axes.errorbar(list(nodes), values, yerr=(below, above), capsize=3, **curve)
    dress(axes, "nodes", look)
    axes.set_yscale("log")
    remaining = [left for one in named.values() for left in one.nodes_by_remaining]
    axes.set_xlim(max(remaining) + 0.5, min(remaining) - 0.5)
    _ink(axes.legend(frameon=False), look)
    return Plot(figure, "estimate")


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
    look = _look(title, theme)
    rows = [row for row in tuning.rows if isfinite(row.seconds)]
    if not rows:
        raise ExactCoverError("the tuning has no measurements to plot: the problem is too easy")
    figure = _figure((9, 1.1 + 0.27 * len(rows)), look)
    axes = figure.subplots()
    most = BEYOND * rows[0].seconds
    for number, row in enumerate(rows):
        chosen = row.candidate.strategy == tuning.strategy
        error = row.error if isfinite(row.error) and row.seconds < most else 0.0
        axes.barh(
            number, min(row.seconds, most), xerr=error, label=str(row.candidate.strategy),
            color=look.line(0) if chosen else look.of(FAINT), ecolor=look.of(INK), capsize=2,
        )  # fmt: skip
        axes.text(
            min(row.seconds + error, most), number, f" {row.seconds:.3g}",
            va="center", color=look.of(INK), fontsize=8,
        )  # fmt: skip
    dress(axes, title, look, across="seconds of the whole search, estimated", whole=False)
    axes.grid(visible=False, axis="y")
    axes.title.set_parse_math(False)
    axes.set_yticks(range(len(rows)), [str(row.candidate.strategy) for row in rows], fontsize=8)
    axes.invert_yaxis()
    return Plot(figure, "strategy")
