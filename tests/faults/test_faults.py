"""The list of faults is up to date, so that `make faults` can put each of them in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.listed import ROOT, Fault, listed

FAULTS = listed()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_be_put_in(fault: Fault) -> None:
    """Its old text occurs once in its file, and its tests are there."""
    text = (ROOT / "exactcover" / fault.file).read_text(encoding="utf-8")
    assert text.count(fault.old) == 1
    assert fault.new != fault.old
    assert fault.tests
    for path, _, test in (one.partition("::") for one in fault.tests):
        assert (ROOT / path).exists()
        assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


def test_the_faults_have_different_names() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(set(names)) == len(names) >= 40


def test_a_fault_is_put_in_once(tmp_path: Path) -> None:
    """It changes one file, and not one that has it already."""
    fault = Fault("sum", "adds wrongly", "sums.py", "a + b", "a - b", ())
    (tmp_path / "sums.py").write_text("def add(a, b):\n    return a + b\n")
    assert fault.put_into(tmp_path).read_text() == "def add(a, b):\n    return a - b\n"
    with pytest.raises(ValueError, match=r"sum: sums\.py has its old text 0x"):
        fault.put_into(tmp_path)
