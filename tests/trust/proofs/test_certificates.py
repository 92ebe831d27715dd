"""A certificate that is saved and read still holds; one that was tampered with does not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from exactcover.errors import FormatError
from exactcover.problem import Problem
from exactcover.trust.proofs import (
    Congruence,
    Weight,
    check_certificate,
    find_proof,
    load_proof,
    proof_to_json,
)
from tests.helpers.impossible_puzzles import SMALL, hexominoes

PROVED = [*((name, {}) for name in SMALL), ("mutilated chessboard", {"moduli": (4,)})]


def kept(proof: Congruence, folder: Path) -> Congruence:
    """The proof, written and read."""
    (folder / "proof.json").write_text(proof_to_json(proof))
    return load_proof(folder / "proof.json")


@pytest.mark.parametrize(("name", "wanted"), PROVED)
def test_saved_and_loaded_it_still_holds_and_tampered_with_it_fails(
    name: str, wanted: dict, tmp_path: Path
) -> None:
    problem = SMALL[name].model.problem
    proof = find_proof(problem, **wanted)
    assert proof is not None
    loaded = kept(proof, tmp_path)
    assert loaded == proof
    assert check_certificate(problem, loaded)
    (item, title, value), *rest = proof.weights
    tampered = [
        replace(proof, weights=(Weight(item, title, value + 1), *rest)),
        replace(proof, weights=tuple(rest)),
        replace(proof, weights=()),
        replace(proof, weights=(Weight(item, "elsewhere", value), *rest)),
        replace(proof, weights=(Weight(problem.n_items, title, value), *rest)),
        replace(proof, weights=(Weight(-1, title, value), *rest)),
        replace(proof, total=proof.total + 1),
        replace(proof, total=0),
        replace(proof, options=proof.options - 1),
    ]
    tampered += [replace(proof, modulus=m) for m in (-3, 0, 1, proof.total)]
    for other in tampered:
        assert not check_certificate(problem, other), other


def test_it_does_not_hold_for_another_problem() -> None:
    problem = hexominoes(14, 15).model.problem
    proof = find_proof(problem)
    assert proof is not None
    assert check_certificate(problem, proof)
    assert not check_certificate(hexominoes(10, 21).model.problem, proof)


def test_items_covered_a_varying_number_of_times_carry_no_weight() -> None:
    options = [["a", "b"], ["a", "b"]]
    fixed = Problem.from_options(options, multiplicity={"b": 2})
    proof = find_proof(fixed)
    assert proof is not None
    assert check_certificate(fixed, proof)
    ranged = Problem.from_options(options, multiplicity={"b": (1, 2)})
    assert not check_certificate(ranged, proof)
    assert find_proof(ranged) is None
    secondary = Problem.from_options(options, secondary=["b"])
    assert not check_certificate(secondary, replace(proof, total=1))
    assert find_proof(secondary) is None


def test_options_that_are_never_chosen_do_not_count() -> None:
    """An option with an item that must not be covered, and one that no primary item asks for."""
    options = [["a", "b"], ["a", "c", "d"], ["b", "c", "d"], ["a", "b", "never"], ["s"]]
    plain = Problem.from_options(options[:3], primary=["a", "b", "c", "d"])
    more = Problem.from_options(
        options, primary=["a", "b", "c", "d", "never"], secondary=["s"], multiplicity={"never": 0}
    )
    for problem in (plain, more):
        proof = find_proof(problem)
        assert proof is not None
        assert check_certificate(problem, proof)


def test_a_name_that_two_items_share_is_told_apart(tmp_path: Path) -> None:
    problem = Problem.from_arrays(2, [0, 1], [0], items=["same", "same"])
    proof = find_proof(problem)
    assert proof is not None
    assert proof.weights == (Weight(1, "same", 1),)
    assert check_certificate(problem, kept(proof, tmp_path))
    assert not check_certificate(problem, replace(proof, weights=(Weight(0, "same", 1),)))


GOOD = {"proof": "congruence", "modulus": 2, "total": 1, "options": 1, "weights": [[0, "a", 1]]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"proof": "hope"}, "the sort of a proof"),
        ({"total": 1.5}, "total must be a whole number"),
        ({"weights": {}}, "weights must be a list"),
        ({"weights": [[0, 1]]}, "a weight is"),
    ],
)
def test_a_file_that_holds_no_proof(change: dict, message: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(GOOD))
    assert isinstance(load_proof(path), Congruence)
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(FormatError, match=message) as caught:
        load_proof(path)
    assert str(path) in str(caught.value)
