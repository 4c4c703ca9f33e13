"""Certificates and networks without a meaning: refused by one error of the checker, whatever they are."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relusym.decision.check import KINDS, MalformedCertificate, verify

NETWORK: dict[str, Any] = {
    "inputs": 1,
    "layers": [{"weight": [[1], ["-1/2"]], "bias": [0.5, "sqrt(2)"]}, {"weight": [[1, 2]], "bias": [3]}],
}
CERTIFICATE: dict[str, Any] = {
    "format": "relusym-certificate",
    "version": 1,
    "domain": [["-1", "1"]],
    "field": {"generator": "sqrt(2)", "embeddings": {"sqrt(8)": "2*sqrt(2)"}},
    "x": ["0"],
    "f": ["7/2 + sqrt(8)"],
    "g": ["7/2 + 2*sqrt(2)"],
    "ridges": [{"base": [0, 0]}, {"base": [1, 1]}],
    "rays": [{"base": [0, 0]}, {"base": [1, 1]}],
    "base": [0, 1],
    "layers": [{"permutation": [0, 1], "scale": ["1", "1"]}],
}
ROLES = {"ridges": [["ridge", 0, "1"], ["ridge", 1, "1"]], "rays": [["ray", 0, "1"], ["ray", 1, "1"]]}


def made(kind: str) -> dict[str, Any]:
    keys = copy.deepcopy(CERTIFICATE)
    if kind in ("ray", "rays"):
        del keys["domain"]
    return {**keys, "kind": kind, "claim": KINDS[kind].claim, "neurons": [ROLES.get(kind)] * 2}


def paths(value: Any) -> list[tuple[Any, ...]]:
    """List the way to every part of a JSON value."""
    steps: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(step, *rest) for step, inner in steps for rest in [(), *paths(inner)]]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    value = copy.deepcopy(value)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = new
    return value


def meaningless(certificate: Any, networks: list[Any]) -> str:
    with pytest.raises(MalformedCertificate) as caught:
        verify(certificate, networks)
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert len(message) < 400
    return message


@pytest.mark.parametrize("kind", ["ridges", "layers", "rays"])
def test_the_certificates_that_are_broken_below_are_right(kind: str) -> None:
    assert verify(made(kind), [NETWORK, NETWORK]).ok


@pytest.mark.parametrize("certificate", [None, 3, "{}", [], [("kind", "point")]])
def test_not_an_object(certificate: Any) -> None:
    assert "object" in meaningless(certificate, [NETWORK, NETWORK])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "other"),
        ("format", None),
        ("version", 2),
        ("version", True),
        ("version", 1.0),
        ("version", "1"),
        ("kind", "proof"),
        ("kind", None),
        ("kind", []),
        ("claim", "different"),
        ("claim", None),
    ],
)
def test_the_head(key: str, value: Any) -> None:
    assert f"'{key}'" in meaningless({**made("ridges"), key: value}, [NETWORK, NETWORK])
    missing = made("ridges")
    del missing[key]
    assert f"'{key}'" in meaningless(missing, [NETWORK, NETWORK])


@pytest.mark.parametrize(
    ("kind", "path", "new"),
    [
        ("point", ("x",), None),
        ("point", ("x",), "0"),
        ("point", ("x", 0), 0.5),
        ("point", ("x", 0), None),
        ("point", ("x", 0), True),
        ("point", ("x", 0), "1/0"),
        ("point", ("f",), {}),
        ("point", ("domain",), 5),
        ("point", ("domain", 0), ["0"]),
        ("point", ("domain", 0), ["0", 0.5]),
        ("point", ("domain", 0, 0), "inf"),
        ("point", ("scale",), []),
        ("ridges", ("ridges",), None),
        ("ridges", ("ridges", 0), [0, 0]),
        ("ridges", ("ridges", 0), {}),
        ("ridges", ("ridges", 0, "base"), [0]),
        ("ridges", ("ridges", 0, "base"), [2, 0]),
        ("ridges", ("ridges", 0, "base"), [0, 2]),
        ("ridges", ("ridges", 0, "base"), [0, -1]),
        ("ridges", ("ridges", 0, "base"), [False, 0]),
        ("ridges", ("neurons",), None),
        ("ridges", ("neurons",), [[]]),
        ("ridges", ("neurons", 0), "dead"),
        ("ridges", ("neurons", 0, 0), "dead"),
        ("ridges", ("neurons", 0, 0), []),
        ("ridges", ("neurons", 0, 0), ["dead", 0]),
        ("ridges", ("neurons", 0, 0), ["zombie"]),
        ("ridges", ("neurons", 0, 0), [["dead"]]),
        ("ridges", ("neurons", 0, 0), ["ray", 0, "1"]),
        ("ridges", ("neurons", 0, 0), ["ridge", 0]),
        ("ridges", ("neurons", 0, 0), ["ridge", 2, "1"]),
        ("ridges", ("neurons", 0, 0), ["ridge", -1, "1"]),
        ("ridges", ("neurons", 0, 0), ["ridge", 0.0, "1"]),
        ("ridges", ("neurons", 0, 0), ["ridge", 0, 1.0]),
        ("ridges", ("neurons", 0, 0), ["ridge", 0, "one"]),
        ("rays", ("neurons", 0, 0), ["active"]),
        ("rays", ("rays",), {}),
        ("ray", ("base",), [0]),
        ("ray", ("base",), [0, 7]),
        ("ray", ("base",), "first"),
        ("layers", ("layers",), None),
        ("layers", ("layers", 0), []),
        ("layers", ("layers", 0, "permutation"), None),
        ("layers", ("layers", 0, "permutation"), [0, 0]),
        ("layers", ("layers", 0, "permutation"), [0, 2]),
        ("layers", ("layers", 0, "scale"), "1"),
        ("layers", ("layers", 0, "scale", 1), None),
        ("layers", ("field",), []),
        ("layers", ("field",), {}),
        ("layers", ("field", "generator"), "2*sqrt(2)"),
        ("layers", ("field", "generator"), 2),
        ("layers", ("field", "generator"), "root([1, 0, 1], 0)"),
        ("layers", ("field", "generator"), "root([-2, 0, 1], 2)"),
        ("layers", ("field", "embeddings"), []),
        ("layers", ("field", "embeddings"), {"sqrt(8)": 3}),
        ("layers", ("field", "embeddings"), {"8": "3"}),
        ("layers", ("field", "embeddings"), {str(n): "0" for n in range(999)}),
    ],
)
def test_the_body(kind: str, path: tuple[Any, ...], new: Any) -> None:
    meaningless(replaced(made(kind), path, new), [NETWORK, NETWORK])


@pytest.mark.parametrize(
    ("path", "new", "place"),
    [
        (("inputs",), None, "network 1"),
        (("inputs",), -1, "network 1"),
        (("inputs",), True, "network 1"),
        (("inputs",), 2, "row 0 of the weight"),
        (("layers",), [], "network 1"),
        (("layers", 0), [], "network 1, layer 0"),
        (("layers", 1, "bias"), None, "network 1, layer 1, bias"),
        (("layers", 1, "bias"), [], "rows"),
        (("layers", 0, "weight"), {}, "rows"),
        (("layers", 0, "weight", 1), [1, 2], "row 1 of the weight"),
        (("layers", 0, "weight", 1), None, "row 1 of the weight"),
        (("layers", 0, "weight", 1, 0), float("nan"), "row 1 of the weight, entry 0"),
        (("layers", 0, "weight", 1, 0), float("-inf"), "row 1 of the weight, entry 0"),
        (("layers", 0, "weight", 1, 0), 1j, "row 1 of the weight, entry 0"),
        (("layers", 0, "bias", 1), "", "network 1, layer 0, bias, entry 1"),
        (("layers", 0, "bias", 1), False, "network 1, layer 0, bias, entry 1"),
    ],
)
def test_networks(path: tuple[Any, ...], new: Any, place: str) -> None:
    assert place in meaningless(made("layers"), [NETWORK, replaced(NETWORK, path, new)])


def test_a_network_that_is_no_object() -> None:
    assert "network 0" in meaningless(made("layers"), [None, NETWORK])


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.sampled_from(
        ["0", "1", "-1", "sqrt(2)", "sqrt(8)", "sqrt(3)", "1e100000", "1e-100000", "dead", "ridge", "ray"]
    )
    | st.text(max_size=4)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["base", "get", "scale"]), inner),
    max_leaves=6,
)


def outcome(certificate: Any, networks: list[Any]) -> bool:
    try:
        ok, reason = verify(certificate, networks)
    except MalformedCertificate as error:
        ok, reason = False, str(error)
    assert reason
    assert "\n" not in reason
    return ok


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_any_change_of_a_certificate_is_checked_or_refused(kind: str, data: st.DataObject) -> None:
    certificate = made(kind)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(paths(certificate)))
        certificate = replaced(certificate, path, data.draw(values))
    # Both networks are the same, so no change of the certificate proves them different.
    ok = outcome(certificate, [NETWORK, NETWORK])
    assert not ok or certificate["claim"] in ("equal", "similar")
    if certificate.get("scale") is None:
        other = replaced(NETWORK, ("layers", 1, "bias", 0), 4)
        assert not outcome(certificate, [NETWORK, other]) or certificate["claim"] in ("different", "not similar")


@given(st.data())
def test_any_change_of_a_network_is_checked_or_refused(data: st.DataObject) -> None:
    network = NETWORK
    for _ in range(data.draw(st.integers(1, 2))):
        network = replaced(network, data.draw(st.sampled_from(paths(network))), data.draw(values))
    outcome(made(data.draw(st.sampled_from(sorted(KINDS)))), [NETWORK, network])


@given(st.dictionaries(st.sampled_from(sorted(made("ridges"))), values))
def test_any_object_is_refused(certificate: dict[str, Any]) -> None:
    head = {key: made("point")[key] for key in ("format", "version", "kind", "claim")}
    assert not outcome(certificate, [NETWORK, NETWORK])
    assert not outcome({**certificate, **head}, [NETWORK, NETWORK])


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_deep_nesting(kind: str) -> None:
    deep: Any = []
    for _ in range(200_000):
        deep = [deep]
    for key in ("x", "f", "domain", "field", "neurons", "ridges", "rays", "base", "layers", "scale", "unknown"):
        outcome({**made(kind), key: deep}, [NETWORK, NETWORK])
    outcome(made(kind), [NETWORK, {"inputs": 1, "layers": deep}])


def test_two_domains_that_are_nested_deeply() -> None:
    outer: Any = []
    inner: Any = []
    for _ in range(200_000):
        outer, inner = [outer], [inner]
    proof = {**made("ridges"), "domain": inner}
    certificate = {**made("scaled"), "domain": outer, "scale": "1", "proof": proof}
    assert not verify(certificate, [NETWORK, NETWORK]).ok


def test_huge_numbers_in_messages() -> None:
    huge = 10**50_000
    for path in [("version",), ("ridges", 0, "base", 1), ("neurons", 0, 0, 1), ("kind",)]:
        assert not outcome(replaced(made("ridges"), path, huge), [NETWORK, NETWORK])
    assert not outcome(replaced(made("ridges"), ("neurons", 0, 0, 2), huge), [NETWORK, NETWORK])
    assert not outcome(made("ridges"), [NETWORK, {**NETWORK, "inputs": huge}])


def test_polynomials_and_powers_beyond_the_limits() -> None:
    for generator in (
        "root([" + "1e50000, " * 256 + "1], 0)",
        "root([" + "1, " * 300 + "1], 0)",
        "root([-1, " + "0, " * 255 + "1e90000], 0)",
        "sqrt(1e100000)",
        "sqrt(2)**99999999999999999999",
        "sqrt(" * 100_000,
    ):
        assert not outcome(replaced(made("ridges"), ("field", "generator"), generator), [NETWORK, NETWORK])
