"""Plots of comparisons: the numbers of their curves are those that were measured."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import exactcover as ec
from exactcover.search.comparing import Comparison
from exactcover.show import plot_comparison
from exactcover.show.plots import save_figure
from tests.helpers.commands import ran
from tests.helpers.examples import some

STRATEGIES = ["fila:f", "dlx:f"]


@cache
def made() -> Comparison:
    return ec.compare(ec.read("pentominoes_20x3"), STRATEGIES)


def test_curves_have_the_numbers_of_the_strategies() -> None:
    left, right = plot_comparison(made(), title="$y_{$").axes
    for axes, which in ((left, "fits"), (right, "nofits")):
        drawn = {line.get_label(): dict(zip(*line.get_data(), strict=True)) for line in axes.lines}
        for row in made().rows:
            expected = {one.remaining: getattr(one, which) for one in row.by_remaining}
            assert drawn[str(row.strategy)] == expected
    assert left.get_yscale() == "symlog"
    assert left.get_ylim()[0] == 0
    assert left.get_xlim() == (12.5, 0.5)
    assert len({line.get_color() for line in left.lines}) == 2


@pytest.mark.parametrize(
    ("ending", "start"),
    some([(".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")], one_in=2),
)
def test_files(ending: str, start: bytes, tmp_path: Path) -> None:
    file, again = tmp_path / f"plot{ending}", tmp_path / f"again{ending}"
    save_figure(plot_comparison(made()), file)
    save_figure(plot_comparison(made()), again)
    assert file.read_bytes().startswith(start)
    assert file.read_bytes() == again.read_bytes()


def test_the_command_writes_one(tmp_path: Path) -> None:
    file = tmp_path / "fits.svg"
    ran("compare", "pentominoes_20x3", "--strategy", "fila:f", "-o", str(file))
    assert ">square/pentominoes_20x3</text>" in file.read_text()
