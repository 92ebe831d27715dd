"""Proofs that a problem has no solution: found by `find_proof`, checked by `check_certificate`."""

from exactcover.trust.proofs.certificates import (
    Congruence,
    Weight,
    explain,
    load_proof,
    proof_from_json,
    proof_to_json,
    save_proof,
)
from exactcover.trust.proofs.check import check_certificate
from exactcover.trust.proofs.search import find_proof

__all__ = [
    "Congruence",
    "Weight",
    "check_certificate",
    "explain",
    "find_proof",
    "load_proof",
    "proof_from_json",
    "proof_to_json",
    "save_proof",
]
