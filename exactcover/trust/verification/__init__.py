"""A second opinion: compare the solutions of engines that share no code, and check each one."""

from exactcover.trust.provenance import provenance_of
from exactcover.trust.verification.comparison import INDEPENDENT, Verifying, verify
from exactcover.trust.verification.placements import PlacementCheck
from exactcover.trust.verification.verdict import Checked, Difference, Limits, Verdict

__all__ = [
    "INDEPENDENT",
    "Checked",
    "Difference",
    "Limits",
    "PlacementCheck",
    "Verdict",
    "Verifying",
    "provenance_of",
    "verify",
]
