"""Proofs that a problem has no solution: found by `find_proof`, checked by `check_certificate`."""

from exactcover.trust.proofs.certificates import (
    Certificate,
    Congruence,
    Inequality,
    Proof,
    Unchecked,
    Weight,
    load_proof,
    proof_from_json,
    proof_to_json,
    save_proof,
)
from exactcover.trust.proofs.check import check_certificate
from exactcover.trust.proofs.explanation import explain
from exactcover.trust.proofs.search import DEFAULT_MODULI, find_proof

__all__ = [
    "DEFAULT_MODULI",
    "Certificate",
    "Congruence",
    "Inequality",
    "Proof",
    "Unchecked",
    "Weight",
    "check_certificate",
    "explain",
    "find_proof",
    "load_proof",
    "proof_from_json",
    "proof_to_json",
    "save_proof",
]
