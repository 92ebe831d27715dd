"""The palette: colours of even lightness that readers tell apart, colour-blind ones too."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from exactcover.base.values.products import Floats
from exactcover.show.palette import EDGE, GROUND, PALETTE, contrast, shaded
from exactcover.show.tiles import DARKEST

# Machado, Oliveira and Fernandes, A physiologically-based model for simulation of color vision
# deficiency (2009): severity 1, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
}  # fmt: skip

# Ottosson, A perceptual color space for image processing (2020): linear RGB to OKLab.
CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
OPPONENTS = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip


def seen(colours: list[str], sight: str = "normal") -> Floats:
    """Colours in OKLab, as somebody with this sight sees them: float64 [n, 3]."""
    parts = np.array([[int(one[at : at + 2], 16) / 255 for at in (1, 3, 5)] for one in colours])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    cones = np.clip(linear @ SIGHT[sight].T, 0, 1) @ CONES.T
    return np.asarray(np.cbrt(cones) @ OPPONENTS.T)


LIGHT = [tone.light for tone in PALETTE]


def test_the_lightness_is_even() -> None:
    """Black is 0 and white is 1."""
    lightness = seen(["#000000", "#FFFFFF", *LIGHT])[:, 0]
    assert lightness[:2] == pytest.approx([0, 1], abs=1e-6)
    assert lightness[2:].min() > 0.6
    assert lightness[2:].max() < 0.91


def test_a_side_in_the_shade_keeps_its_colour() -> None:
    """None is as dark as the outline or the dark ground."""
    for tone in PALETTE:
        for side, edge in zip(shaded(tone, DARKEST), EDGE, strict=True):
            assert contrast(side, edge) > 2.5
            assert contrast(side, GROUND.dark) > 2.5


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("many", "apart"), [(7, 0.075), (12, 0.072), (20, 0.065)])
def test_colours_are_told_apart(many: int, apart: float, sight: str) -> None:
    """A distance of 0.02 is about as small as anybody notices."""
    points = seen(LIGHT[:many], sight)
    assert min(np.linalg.norm(a - b) for a, b in combinations(points, 2)) > apart
