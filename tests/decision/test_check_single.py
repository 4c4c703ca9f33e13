"""Certificates about one network: made by the library, checked alone, tampered with, and against brute force."""

from __future__ import annotations

import copy
from itertools import product
from typing import Any

import pytest
from flint import fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from relusym import Network, is_generic
from relusym.decision.certificates import plain_network, verification
from relusym.decision.check import MalformedCertificate, verify
from relusym.decision.check.combinations import prove_no_combination
from relusym.decision.check.errors import Unproved
from relusym.decision.check.irreducible import prove_irreducible
from relusym.decision.check.numbers import ONE, Field, equal
from relusym.decision.check.numbers import product as times
from relusym.decision.check.single import integer_columns, inverse, rank
from relusym.decision.check.text import read_atom
from relusym.shallow.width import width_of

THETA1 = Network.shallow([1, 1, 1], [[1, 1], [-1, 0], [0, -1]], [-2, -1, -1], -6)
GENERIC = Network.shallow([1, 2, 5], [[1, 0], [0, 1], [3, 1]], [0, 1, 0], 0)
LATTICE = Network.shallow([1] * 12, [[1 << i, 7**i] for i in range(12)], range(12), 0)
ROOTS = Network.shallow(["sqrt(2)", 1], [["1 - sqrt(3)"], ["sqrt(6)"]], [0, 1], 0)


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    value = copy.deepcopy(value)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = new
    return value


def refused(certificate: Any, network: Network) -> str:
    ok, reason = verification(certificate, network)
    assert not ok
    assert "\n" not in reason
    return reason


# -- generic ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("open_set", ["U", "sharp"])
@pytest.mark.parametrize("f", [GENERIC, LATTICE, ROOTS], ids=["rank", "lattice", "roots"])
def test_generic_is_proved_alone(f: Network, open_set: str) -> None:
    decision = is_generic(f, open_set=open_set)
    assert decision.truth
    ok, reason = verification(decision.certificate or {}, f)
    assert ok, reason
    assert reason.startswith("in U")


def test_the_proof_of_another_network_does_not_do() -> None:
    """Every condition is computed from the network: the certificate of a generic one proves nothing about these."""
    proof = is_generic(GENERIC).certificate
    rows, biases = [[1, 0], [0, 1], [3, 1]], [0, 1, 0]
    for f, reason in [
        (Network.shallow([1, 0, 5], rows, biases, 0), "V1: an output weight of neuron 1"),
        (Network.shallow([1, 2, 5], [[1, 0], [0, 1], [-2, 0]], biases, 0), "V2: the rows of neurons 0 and 2"),
        (Network.shallow([1, 2, 5], [[1, 0], [0, 0], [3, 1]], biases, 0), "V3: the weights into neuron 1"),
        (Network.shallow([1, 2, 5], [[1, 0], [2, 1], ["-1", "-2/5"]], [0, 1, 0], 0), "a vector fulfils"),
        (THETA1, "a vector fulfils"),
        (Network.shallow([1, 2], rows[:2], [0, 1], 0), "3 rows"),
        (Network([([[1, 0]], [0])]), "0 hidden layers"),
    ]:
        found = refused(proof, f)
        assert reason in found or "rows are due" in found


@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("absences",), [], "0 proofs are given"),
        (("absences", 0, "coefficients"), "subsets", "signs are to be excluded"),
        (("absences", 0, "rows"), 2, "another matrix"),
        (("absences", 0, "target"), True, "another matrix"),
        (("absences", 0, "columns"), [0], "leave more coordinates free"),
        (("absences", 0, "prime"), 1073741790, "divisible by 2"),
        (("absences", 0, "prime"), 25, "divisible by 5"),
    ],
)
def test_generic_tampered(path: tuple[Any, ...], new: Any, reason: str) -> None:
    assert reason in refused(changed(is_generic(GENERIC).certificate, path, new), GENERIC)


@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("absences", 0, "modulus"), "3", "not short"),
        (("absences", 0, "multipliers", 0, 0), "12345678901", "not short"),
        (("absences", 0, "multipliers"), [], "leave more coordinates free"),
        (("absences", 0, "free"), [*range(12)], "a vector fulfils"),
    ],
)
def test_lattice_proof_tampered(path: tuple[Any, ...], new: Any, reason: str) -> None:
    certificate = is_generic(LATTICE).certificate
    assert certificate is not None
    assert certificate["absences"][0]["method"] == "lattice"
    assert reason in refused(changed(certificate, path, new), LATTICE)


@pytest.mark.parametrize(
    ("path", "new"),
    [
        (("open_set",), "V"),
        (("absences",), None),
        (("absences", 0), 3),
        (("absences", 0, "kind"), "no-combination"),
        (("absences", 0, "version"), 2),
        (("absences", 0, "coefficients"), "any"),
        pytest.param(("absences", 0, "coefficients"), 10**5000, id="huge"),
        (("absences", 0, "columns"), [99]),
        (("absences", 0, "free"), ["0"]),
        (("absences", 0, "prime"), "7"),
        (("absences", 0, "modulus"), "1"),
        (("absences", 0, "modulus"), "1/2"),
        (("absences", 0, "multipliers", 0), ["1"] * 9),
        (("absences", 0, "functional_columns"), None),
        (("domain",), [["0", "1"], ["0", "1"]]),
        (("scale",), "2"),
    ],
)
def test_generic_malformed(path: tuple[Any, ...], new: Any) -> None:
    with pytest.raises(MalformedCertificate):
        verify(changed(is_generic(LATTICE).certificate, path, new), [plain_network(LATTICE)])


@pytest.mark.parametrize("method", [pytest.param(10**5000, id="huge"), None, ["lattice"]])
def test_the_name_of_a_method_decides_nothing(method: Any) -> None:
    certificate = changed(is_generic(LATTICE).certificate, ("absences", 0, "method"), method)
    assert verify(certificate, [plain_network(LATTICE)]).ok


def test_one_network_is_due() -> None:
    certificate = is_generic(GENERIC).certificate
    for networks in ([], [GENERIC, GENERIC]):
        ok, reason = verification(certificate or {}, *networks)
        assert (ok, reason) == (False, f"the certificate is about one network, not {len(networks)}")


def test_a_reducible_generator_proves_nothing() -> None:
    """In Q[t]/(t² − 4) t is not 2, so there v = (2, t), a = (1, −1) has no relation; but it has."""
    entry = "root([-4, 0, 1], 1)"
    plain = {
        "inputs": 1,
        "layers": [{"weight": [[1], [-1]], "bias": [0, 1]}, {"weight": [[2, entry]], "bias": [0]}],
    }
    proof = {"kind": "no-vanishing-combination", "version": 1, "method": "rank", "coefficients": "signs"}
    proof |= {"target": False, "rows": 2, "columns": [0, 1], "prime": 1073741789, "free": []}
    certificate = {"format": "relusym-certificate", "version": 1, "kind": "generic", "claim": "generic"}
    certificate |= {"field": {"generator": entry, "embeddings": {}}, "open_set": "U", "absences": [proof]}
    ok, reason = verify(certificate, [plain])
    assert (ok, reason) == (False, "the generator of the field is the root of a reducible polynomial")


def test_a_long_enumeration_is_refused_with_the_reason() -> None:
    proof = {"kind": "no-vanishing-combination", "version": 1, "method": "enumeration", "coefficients": "signs"}
    column = [3**i for i in range(40)]
    with pytest.raises(Unproved, match="enumeration of so many sums is beyond the limits"):
        prove_no_combination({**proof, "target": False, "rows": 40}, [column], 40, "the proof", signs=True)


@pytest.mark.parametrize("relation", [False, True])
def test_an_enumeration_with_more_sums_than_are_held_at_once(relation: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relusym.decision.check.combinations.MAX_SUMS", 100)
    start = {"kind": "no-vanishing-combination", "version": 1, "method": "enumeration", "coefficients": "signs"}
    column = [5**i for i in range(11)]
    column[7] = column[2] - column[10] if relation else column[7]
    for target in (False, True):
        proof = {**start, "target": target, "rows": 11}
        if relation:
            with pytest.raises(Unproved, match="finds a combination"):
                prove_no_combination(proof, [column], 11, "the proof", signs=True, target=target)
        else:
            assert prove_no_combination(proof, [column], 11, "the proof", signs=True, target=target) == "enumeration"


# -- not generic ------------------------------------------------------------------------------------------------------

FAILING = [
    Network.shallow([1, 0], [[1], [2]], [0, 1], 0),
    Network.shallow([1, 1], [[1], [2]], [1, 2], 0),
    Network.shallow([1, 1], [[1], [0]], [1, 1], 0),
    THETA1,
]


@pytest.mark.parametrize(("number", "condition"), [(0, "V1"), (1, "V2"), (2, "V3"), (3, "V4")])
def test_each_condition_that_fails_is_checked(number: int, condition: str) -> None:
    for open_set in ("U", "sharp"):
        decision = is_generic(FAILING[number], open_set=open_set)
        certificate = dict(decision.certificate or {})
        assert (decision.truth, certificate["condition"]) == (False, condition)
        assert verification(certificate, FAILING[number]).ok
        for other, f in enumerate(FAILING):
            if other != number and f.widths == FAILING[number].widths:
                assert refused(certificate, f) == f"{condition} does not hold"


@pytest.mark.parametrize(
    ("beta", "open_set", "reason"),
    [
        ([1, 1, 0], "U", "V4 does not hold"),
        ([1, 1], "U", "2 entries"),
        ([0, 0, 0], "U", "'beta' is zero"),
        ([1, 1, -1], "sharp", "both signs"),
    ],
)
def test_beta_tampered(beta: list[int], open_set: str, reason: str) -> None:
    certificate = {**(is_generic(THETA1).certificate or {}), "beta": beta, "open_set": open_set}
    assert reason in refused(certificate, THETA1)


@pytest.mark.parametrize(
    ("key", "new"),
    [("beta", [2, 1, 1]), ("condition", "V5"), ("condition", "V1"), ("neurons", [3]), ("output", 1), ("output", None)],
)
def test_not_generic_malformed(key: str, new: Any) -> None:
    with pytest.raises(MalformedCertificate):
        verify({**(is_generic(THETA1).certificate or {}), key: new}, [plain_network(THETA1)])


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(-2, 2), min_size=n, max_size=n),
            st.lists(st.integers(-2, 2), min_size=n, max_size=n),
            st.lists(st.integers(-1, 1), min_size=n, max_size=n),
        )
    )
)
def test_every_answer_is_checked_and_no_opposite_one(parts: tuple[list[int], list[int], list[int]]) -> None:
    v, a, b = parts
    f = Network.shallow(v, [[x] for x in a], b, 0)
    for open_set, signs in (("U", (-1, 0, 1)), ("sharp", (0, 1))):
        decision = is_generic(f, open_set=open_set)
        n = len(v)
        wanted = (
            all(v)
            and all(a)
            and all(a[i] * b[j] != a[j] * b[i] for i in range(n) for j in range(i))
            and all(
                sum(s * x * y for s, x, y in zip(beta, v, a, strict=True))
                for beta in product(signs, repeat=n)
                if any(beta)
            )
        )
        assert decision.truth is wanted
        assert verification(decision.certificate or {}, f).ok


# -- fewest -----------------------------------------------------------------------------------------------------------

TWO_SIDED = Network.shallow([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 0)  # x + σ(x − 1)
PAIR = Network.shallow([1, -1, 1], [[1, 0], [-1, 0], [0, 1]], [0, 0, 0], 0)  # x_1 + σ(x_2)
IDENTITY = Network.shallow([[1, -1, 0, 0], [0, 0, 1, -1]], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4, [0, 0])
CROSSED = Network.shallow(  # r = 2, and R_F of rank 2 for no F better than with a two-sided ridge
    [[1, 0, 1, -1], [0, 1, 0, 0]], [[1, 0], [0, 1], [1, 1], [-1, -1]], [5, 7, 0, 0], [0, 0]
)
ROOT = Network.shallow(["sqrt(2)", "-sqrt(2)", 1], [["sqrt(3)"], ["-sqrt(3)"], [1]], [0, 0, -1], 0)


@pytest.mark.parametrize(
    ("f", "width"),
    [(THETA1, 3), (TWO_SIDED, 2), (PAIR, 3), (IDENTITY, 4), (CROSSED, 4), (ROOT, 2)],
    ids=["ridges", "two-sided", "pair", "identity", "crossed", "roots"],
)
def test_fewest_is_proved_alone(f: Network, width: int) -> None:
    answer = width_of(f)
    assert answer.width == width
    certificate = dict(answer.certificate or {})
    ok, reason = verification(certificate, f)
    assert ok, reason
    for wrong in (width - 1, width + 1):
        assert refused({**certificate, "width": wrong}, f)


@pytest.mark.parametrize(
    ("key", "new", "reason"),
    [
        ("absences", [], "no proof is given"),
        ("absences", [{}], None),
        ("two_sided", [], "need 4 neurons"),
        ("negative", [0], "share a hyperplane"),
        ("ridges", [{"base": 2}, {"base": 2}], "not that multiple"),
        ("neurons", [["ridge", 0, "1"], ["ridge", 0, "-1"], ["dead"]], "not dead"),
        ("neurons", [["ridge", 0, "1"], ["ridge", 0, "-1"], ["constant"]], "not constant"),
        ("neurons", [["ridge", 0, "1"], ["ridge", 0, "1"], ["ridge", 1, "1"]], "not that multiple"),
        ("neurons", [["ridge", 0, "1"]], "1 roles are given"),
    ],
)
def test_fewest_tampered(key: str, new: Any, reason: str | None) -> None:
    f = Network.shallow([1, -2, 1], [[1], [-1], [1]], [0, 0, -1], 0)
    answer = width_of(f)
    certificate = {**(answer.certificate or {}), key: new}
    assert (answer.width, len((answer.certificate or {})["absences"])) == (3, 1)
    if reason is None:
        with pytest.raises(MalformedCertificate):
            verify(certificate, [plain_network(f)])
    else:
        assert reason in refused(certificate, f)


@pytest.mark.parametrize(
    ("key", "new"),
    [
        ("width", -1),
        ("width", "2"),
        ("ridges", [3]),
        ("ridges", [{"base": 9}]),
        ("two_sided", [5]),
        ("two_sided", [0, 0]),
        ("neurons", [["ridge"]] * 3),
        ("neurons", [["ridge", 7, "1"]] * 3),
    ],
)
def test_fewest_malformed(key: str, new: Any) -> None:
    with pytest.raises(MalformedCertificate):
        verify({**(width_of(TWO_SIDED).certificate or {}), key: new}, [plain_network(TWO_SIDED)])


def test_two_ridges_on_one_hyperplane_are_one() -> None:
    """σ(x) + σ(2x) is one ridge; a certificate that puts it on two does not pass."""
    f = Network.shallow([1, 1], [[1], [2]], [0, 0], 0)
    certificate = dict(width_of(f).certificate or {})
    split = {**certificate, "width": 2, "ridges": [{"base": 0}, {"base": 1}]}
    split["neurons"] = [["ridge", 0, "1"], ["ridge", 1, "1"]]
    assert "on one hyperplane" in refused(split, f)


# -- what the checks rest on ------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=5), st.lists(st.integers(-3, 3), max_size=3))
def test_irreducibility_agrees_with_flint(lower: list[int], more: list[int]) -> None:
    polynomial = fmpz_poly([*lower, 1])
    if more:
        polynomial *= fmpz_poly([*more, 1])
    _, factors = polynomial.factor()
    irreducible = len(factors) == 1 and factors[0][1] == 1
    try:
        prove_irreducible([int(entry) for entry in polynomial.coeffs()])
    except Unproved:
        assert not irreducible
    else:
        assert irreducible


@pytest.mark.parametrize("polynomial", [[1, 0, -10, 0, 1], [576, 0, -960, 0, 352, 0, -40, 0, 1], [-2] + [0] * 15 + [1]])
def test_irreducible_although_reducible_modulo_primes(polynomial: list[int]) -> None:
    prove_irreducible(polynomial)
    with pytest.raises(Unproved):
        prove_irreducible([0, *polynomial])


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=3).filter(any), st.integers(1, 9))
def test_inverse(coefficients: list[int], denominator: int) -> None:
    field = Field(read_atom("root([-2, 0, 0, 3], 0)"))
    text = " + ".join(f"{entry}/{denominator}*root([-2, 0, 0, 3], 0)**{i}" for i, entry in enumerate(coefficients))
    number = field.read(text.replace("+ -", "- "))
    assert equal(times(number, inverse(number)), ONE)


def test_rank_over_a_field() -> None:
    field = Field(read_atom("sqrt(2)"))
    row = [field.read("sqrt(2)"), field.read("2")]
    assert rank([row, [ONE, field.read("sqrt(2)")]]) == 1
    assert rank([row, [ONE, field.read("1")]]) == 2
    assert integer_columns([row]) == [[0], [2], [1], [0]]


matrices = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(-4, 4), min_size=n, max_size=n), min_size=1, max_size=2)
)


@given(matrices, st.booleans(), st.booleans())
def test_a_proof_passes_only_where_brute_force_finds_nothing(
    columns: list[list[int]], signs: bool, target: bool
) -> None:
    """Every set of free coordinates is tried as a proof, and so is an enumeration."""
    n = len(columns[0])
    choices = [(-1, 0, 1) if signs else (0, 1)] * (n - target) + [(-1,)] * target
    found = any(
        (target or any(beta)) and not any(sum(x * y for x, y in zip(beta, column, strict=True)) for column in columns)
        for beta in product(*choices)
    )
    start = {"kind": "no-vanishing-combination", "version": 1, "target": target, "rows": n}
    start["coefficients"] = "signs" if signs else "subsets"
    proofs = [{**start, "method": "enumeration"}]
    for kept in product((False, True), repeat=n):
        free = [index for index, keep in enumerate(kept) if keep]
        proofs.append({**start, "method": "kernel", "columns": [*range(len(columns))], "prime": 10007, "free": free})
    for proof in proofs:
        try:
            prove_no_combination(proof, columns, n, "the proof", signs=signs, target=target)
        except Unproved:
            passed = False
        else:
            passed = True
        assert not (passed and found)
        assert passed or found or proof["method"] == "kernel"


def test_dependent_rows_over_a_field() -> None:
    f = Network.shallow([1, 1, 1], [[1], ["sqrt(2)"], [1]], [1, "sqrt(2)", 2], 0)
    assert verification(is_generic(f).certificate or {}, f).reason == "not in U: V2 holds"
    other = Network.shallow([1, 1, 1], [[1], ["sqrt(2)"], [1]], [1, "sqrt(3)", 2], 0)
    assert not verification(is_generic(f).certificate or {}, other).ok
