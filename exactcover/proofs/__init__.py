"""Proofs that a problem has no solution: found by `find_proof`, checked by `check_certificate`."""

from exactcover.proofs.certificates import (
    Certificate,
    Congruence,
    Inequality,
    Proof,
    Unchecked,
    Weight,
)
from exactcover.proofs.check import check_certificate
from exactcover.proofs.explanation import explain
from exactcover.proofs.saved import load_proof, proof_from_json, proof_to_json, save_proof
from exactcover.proofs.search import DEFAULT_MODULI, find_proof

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
