"""Files of meshes: STL, 3MF, OBJ and GLB, by the package trimesh."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.making.extra import package
from exactcover.making.meshes import Mesh

ENDINGS = (".stl", ".3mf", ".obj", ".glb")

_METRES_Y_UP = np.array(
    [[0.001, 0, 0, 0], [0, 0, 0.001, 0], [0, -0.001, 0, 0], [0, 0, 0, 1]], float
)
"""GLB is in metres, and y is up in it."""

_ODD = re.compile(r"[^\w.+-]+")

LONGEST = 200
"""Bytes of a file's name, without its ending; file systems take 255 at most."""


def write_meshes(path: Path, meshes: Sequence[tuple[str, Mesh]]) -> Path:
    """Write meshes, each with its name; in STL, which has no names, they are one."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise ExactCoverError(f"{path}: its ending must be one of {', '.join(ENDINGS)}")
    trimesh = package("trimesh")
    scene = trimesh.Scene()
    for name, mesh in meshes:
        settled = mesh.settled()
        if not settled.closed:
            raise ExactCoverError(f"{path}: the surface of {name} is not closed any more")
        body = trimesh.Trimesh(settled.points, settled.triangles, process=False)
        scene.add_geometry(body, geom_name=name, node_name=name)
    if ending == ".glb":
        scene.apply_transform(_METRES_Y_UP)
    content = _exported(scene, ending)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ExactCoverError(f"{path} cannot be written: {error.strerror}") from None
    return path


def _exported(scene: Any, ending: str) -> bytes:
    if ending == ".stl":
        return bytes(package("trimesh").exchange.stl.export_stl(scene.to_mesh()))
    if ending == ".3mf":
        package("lxml")  # trimesh writes this format only where it finds lxml
    content = scene.export(file_type=ending[1:])
    return content.encode() if isinstance(content, str) else bytes(content)


def file_names(pieces: Sequence[tuple[str, int]]) -> list[str]:
    """A name for the file of each piece, with the number of copies: `L`, `P_x3`.

    No two differ by the case of letters only, since some systems take such files for the same.
    """
    taken: set[str] = set()
    names = []
    for name, copies in pieces:
        plain = _ODD.sub("_", name).encode()[:LONGEST].decode(errors="ignore")
        again = 1
        while (found := plain if again == 1 else f"{plain}~{again}").lower() in taken:
            again += 1
        taken.add(found.lower())
        names.append(f"{found}_x{copies}" if copies > 1 else found)
    return names
