"""A second opinion: compare the solutions of engines that share no code, and check each one."""

from exactcover.trust.provenance import provenance_of
from exactcover.trust.verification.comparison import (
    INDEPENDENT,
    Checked,
    Difference,
    Verdict,
    Verifying,
    verify,
)
from exactcover.trust.verification.placements import PlacementCheck

__all__ = [
    "INDEPENDENT",
    "Checked",
    "Difference",
    "PlacementCheck",
    "Verdict",
    "Verifying",
    "provenance_of",
    "verify",
]
