"""A second opinion: solutions from engines that share no code, compared, and checked one by one."""

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
