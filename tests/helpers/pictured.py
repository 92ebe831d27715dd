"""Pictures read as XML: their outlines, and the areas of these."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np

import exactcover as ec

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: ec.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg)


def pieces_of(picture: ec.Picture) -> list[tuple[str, str, str]]:
    """Each outline with a title: the title, its steps, and its colour."""
    found = []
    for path in parsed(picture).iter(f"{SVG}path"):
        title = path.find(f"{SVG}title")
        if title is not None:
            found.append((str(title.text), path.attrib["d"], path.attrib["fill"]))
    return found


def area(steps: str) -> float:
    """The area inside the loops of a path; the loops of holes run the other way."""
    total = 0.0
    for loop in steps.split("M")[1:]:
        x, y = np.array(re.findall(r"-?[\d.]+", loop), float).reshape(-1, 2).T
        total += 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return abs(total)


AREAS = {
    "square": 36**2,
    "hexagonal": 36**2 * np.sqrt(3) / 2,
    "triangular": (36 * np.sqrt(3)) ** 2 * np.sqrt(3) / 4,
}
"""The area of a cell in square pixels, where neighbours are 36 pixels apart."""
