"""Files of meshes: STL, and by the package trimesh 3MF, OBJ and GLB."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from exactcover.base.text.files import file_name
from exactcover.base.values.products import length
from exactcover.errors import ExactCoverError
from exactcover.show.making.extra import package
from exactcover.show.making.meshes import Mesh

Form = Literal["stl", "3mf", "obj", "glb"]
ENDINGS = tuple(f".{form}" for form in get_args(Form))

_METRES_Y_UP = np.array(
    [[0.001, 0, 0, 0], [0, 0, 0.001, 0], [0, -0.001, 0, 0], [0, 0, 0, 1]], float
)
"""GLB is in metres, and y is up in it."""

_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
"""A triangle in binary STL: its normal, its corners, and two unused bytes."""


def write_meshes(path: Path, meshes: Sequence[tuple[str, Mesh]]) -> Path:
    """Write meshes, each with its name; in STL, which has no names, they are one."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise ExactCoverError(f"{path}: its ending must be one of {', '.join(ENDINGS)}")
    settled = [(name, mesh.settled()) for name, mesh in meshes]
    for name, mesh in settled:
        if not mesh.closed:
            raise ExactCoverError(f"{path}: the surface of {name} is not closed any more")
    content = _stl([mesh for _, mesh in settled]) if ending == ".stl" else _scene(settled, ending)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ExactCoverError(f"{path} cannot be written: {error.strerror}") from None
    return path


def _stl(meshes: Sequence[Mesh]) -> bytes:
    """The triangles of all meshes in binary STL. It is so plain that trimesh need not be loaded."""
    corners = np.concatenate([mesh.points[mesh.triangles] for mesh in meshes])
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = length(across)[:, None]
    facets = np.zeros(len(corners), _FACET)
    facets["normal"] = np.divide(across, lengths, where=lengths > 0, out=np.zeros_like(across))
    facets["corners"] = corners
    return bytes(80) + len(facets).to_bytes(4, "little") + facets.tobytes()


def _scene(meshes: Sequence[tuple[str, Mesh]], ending: str) -> bytes:
    """A file of meshes that have names."""
    trimesh = package("trimesh")
    if ending == ".3mf":
        package("lxml")  # trimesh writes this format only where it finds lxml
    scene = trimesh.Scene()
    for name, mesh in meshes:
        body = trimesh.Trimesh(mesh.points, mesh.triangles, process=False)
        scene.add_geometry(body, geom_name=name, node_name=name)
    if ending == ".glb":
        scene.apply_transform(_METRES_Y_UP)
    content = scene.export(file_type=ending[1:])
    return content.encode() if isinstance(content, str) else bytes(content)


def file_names(pieces: Sequence[tuple[str, int]]) -> list[str]:
    """A name for the file of each piece, with the number of copies: `L`, `P_x3`."""
    taken: set[str] = set()
    return [
        file_name(name, taken) + (f"_x{copies}" if copies > 1 else "") for name, copies in pieces
    ]
