"""Reasons to believe a result: independent engines compared, proofs that no solution exists."""
