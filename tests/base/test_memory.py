"""The memory of a process, as the system reports it."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from exactcover.base.memory import memory_taken, peak_memory


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the peak is known")
def test_a_large_array_is_seen_and_its_peak_stays() -> None:
    before = memory_taken() or 0
    block = np.ones(8_000_000)  # 64 MB, all pages touched
    within = memory_taken() or 0
    peak = peak_memory() or 0
    assert within - before > 40_000_000
    assert peak >= within - 8_000_000
    del block
    assert 0 < (memory_taken() or 0) < within
    assert (peak_memory() or 0) >= peak
