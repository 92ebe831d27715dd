"""The numbers of an array that a page carries."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import numpy as np

from exactcover.show.arrays import Packed


def unpacked(packed: Packed) -> list[Any]:
    """The numbers; NumPy has the same names for types as JavaScript, in small letters."""
    sort = np.dtype(packed["type"].lower()).newbyteorder("<")
    found: list[Any] = np.frombuffer(b64decode(packed["bytes"]), sort).tolist()
    return found
