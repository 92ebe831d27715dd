"""Arrays of numbers in a page: base64 of their bytes, in the smallest type that holds them. `array`
of `exactcover/geometry.js` reads them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Packed = dict[str, str]
"""The JavaScript type of an array without `Array`, and the base64 text of its bytes."""

_WHOLE = (("Uint8", np.uint8), ("Int16", np.int16), ("Uint16", np.uint16), ("Int32", np.int32))
_LARGE = "Float64", np.float64


def whole(numbers: Sequence[int] | npt.NDArray[np.integer]) -> Packed:
    """Whole numbers; beyond 2**53, which JavaScript has no whole numbers for, they are rounded."""
    array = np.asarray(numbers, np.int64).ravel()
    low, high = (int(array.min()), int(array.max())) if len(array) else (0, 0)
    fitting = (
        (name, kind)
        for name, kind in _WHOLE
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max
    )
    name, kind = next(fitting, _LARGE)
    return _packed(name, array.astype(np.dtype(kind).newbyteorder("<")))


def real(numbers: Sequence[float] | npt.NDArray[np.floating]) -> Packed:
    """Real numbers, with seven digits."""
    return _packed("Float32", np.asarray(numbers, np.dtype("<f4")).ravel())


def _packed(name: str, array: npt.NDArray[np.generic]) -> Packed:
    return {"type": name, "bytes": b64encode(array.tobytes()).decode("ascii")}
