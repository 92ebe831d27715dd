"""A second opinion: compare the solutions of engines that share no code, and check each one."""

from exactcover.verification.comparison import (
    INDEPENDENT,
    Checked,
    Difference,
    Limits,
    Verdict,
    Verifying,
    verify,
)
from exactcover.verification.placements import PlacementCheck

__all__ = [
    "INDEPENDENT",
    "Checked",
    "Difference",
    "Limits",
    "PlacementCheck",
    "Verdict",
    "Verifying",
    "verify",
]
