"""Every kind of certificate: small ones made by hand, and each of their fields tampered with."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest

from relusym.decision.check import KINDS, MalformedCertificate, verify

CUBIC = "root([-2, 0, 0, 1], 0)"


def network(*layers: tuple[list[list[Any]], list[Any]], inputs: int | None = None) -> dict[str, Any]:
    if inputs is None:
        inputs = len(layers[0][0][0])
    return {"inputs": inputs, "layers": [{"weight": weight, "bias": bias} for weight, bias in layers]}


def certificate(kind: str, **keys: Any) -> dict[str, Any]:
    base = {"format": "relusym-certificate", "version": 1, "kind": kind, "claim": KINDS[kind].claim}
    return {**base, "domain": None, "field": None, **keys}


def proved(made: dict[str, Any], *networks: dict[str, Any]) -> str:
    ok, reason = verify(made, networks)
    assert ok, reason
    return reason


def refused(made: dict[str, Any], *networks: dict[str, Any]) -> str:
    ok, reason = verify(made, networks)
    assert not ok
    assert reason
    assert "\n" not in reason
    return reason


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    value = copy.deepcopy(value)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = new
    return value


def at(plain: dict[str, Any], x: list[Fraction]) -> list[Fraction]:
    """Evaluate a network of rational entries, independently of the checker."""
    for index, layer in enumerate(plain["layers"]):
        rows = zip(layer["weight"], layer["bias"], strict=True)
        z = [sum((Fraction(w) * v for w, v in zip(row, x, strict=True)), Fraction(b)) for row, b in rows]
        x = z if index == len(plain["layers"]) - 1 else [max(v, Fraction(0)) for v in z]
    return x


THETA1 = network(([[1, 1], [-1, 0], [0, -1]], [-2, -1, -1]), ([[1, 1, 1]], [-6]))
THETA2 = network(([[-1, -1], [1, 0], [0, 1]], [2, 1, 1]), ([[1, 1, 1]], [-10]))
FLIPPED = certificate(
    "ridges",
    ridges=[{"base": [0, 0]}, {"base": [0, 1]}, {"base": [1, 2]}],
    neurons=[
        [["ridge", 0, "1"], ["ridge", 1, "1"], ["ridge", 2, "-1"]],
        [["ridge", 0, "-1"], ["ridge", 1, "-1"], ["ridge", 2, "1"]],
    ],
)


# -- point ------------------------------------------------------------------------------------------------------------

STEEP = network(([["1/2"], [-3]], [0, 1]), ([[2, 1], [0, 1]], [0, "1/3"]))
DEEP = network(([[1], [-1]], [0, 0]), ([[1, 1], [0, 0]], [-1, 0]), ([[1, 5], [0, 0]], [0, 0]))
SPLIT = certificate("point", x=["-2"], f=["7", "22/3"], g=["1", "0"], domain=[["-2", None]])


def test_point() -> None:
    assert proved(SPLIT, STEEP, DEEP) == "different: output 0 differs at the point x"
    assert at(STEEP, [Fraction(-2)]) == [7, Fraction(22, 3)]


@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("x", 0), "-1", "is not the value"),
        (("x", 0), "-2.01", "outside the domain"),
        (("x",), ["-2", "0"], "entries"),
        (("f", 0), "7.001", "output 0 of network 0"),
        (("f", 1), "-22/3", "output 1 of network 0"),
        (("g", 1), "1", "output 1 of network 1"),
        (("g",), ["1"], "entries"),
        (("domain",), [["-1", None]], "outside the domain"),
        (("domain",), [[None, "-3"]], "outside the domain"),
        (("domain",), [["1", "-1"]], "empty"),
        (("domain",), [[None, None], [None, None]], "coordinates"),
        (("x", 0), "sqrt(2)", "not in the field"),
        (("scale",), "-1", "not positive"),
    ],
)
def test_point_tampered(path: tuple[Any, ...], new: Any, reason: str) -> None:
    assert reason in refused(changed(SPLIT, path, new), STEEP, DEEP)


def test_point_where_networks_agree_proves_nothing() -> None:
    same = certificate("point", x=["1/2"], f=["1/2", "1/3"], g=["1/2", "1/3"])
    assert "do not differ" in refused(same, STEEP, STEEP)


def test_point_up_to_scale() -> None:
    double = network(([[2]], [0]))
    single = network(([[1]], [0]))
    made = certificate("point", x=["1"], f=["1"], g=["2"], scale="2")
    assert "do not differ" in refused(made, single, double)
    assert "times '3'" in proved({**made, "scale": "3"}, single, double)


def test_point_with_a_sign_that_only_exact_arithmetic_sees() -> None:
    tiny = network(([["1"]], ["-1e-400"]), ([["1e400"]], [0]))
    zero = network(([["1"]], [0]), ([[0]], [0]))
    assert proved(certificate("point", x=["2e-400"], f=["1"], g=["0"]), tiny, zero)
    field = {"generator": "sqrt(2)", "embeddings": {}}
    close = network(([["sqrt(2)"]], ["-665857/470832"]), ([[1]], [0]))  # below zero by 10^-12 or so
    assert proved(certificate("point", field=field, x=["2"], f=["2*sqrt(2) - 665857/470832"], g=["0"]), close, zero)
    assert proved(certificate("point", field=field, x=["-1"], f=["0"], g=["1"]), close, network(([[-1]], [0])))
    assert "not the value" in refused(
        certificate("point", field=field, x=["1"], f=["sqrt(2) - 665857/470832"], g=["1"]), close, network(([[1]], [0]))
    )


# -- ridges -----------------------------------------------------------------------------------------------------------


def test_ridges_of_the_two_orbits() -> None:
    assert proved(FLIPPED, THETA1, THETA2).startswith("equal everywhere")


@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("neurons", 0, 0, 2), "2", "neuron 0 of network 0 is not 2 times its base row"),
        (("neurons", 1, 0, 2), "1", "neuron 0 of network 1 is not 1 times its base row"),
        (("neurons", 0, 0, 2), "0", "zero"),
        (("neurons", 0, 0, 1), 1, "neuron 0 of network 0 is not 1 times its base row"),
        (("neurons", 0, 0), ["dead"], "not dead"),
        (("neurons", 0, 0), ["constant"], "not constant"),
        (("neurons", 0, 0), ["active"], "not active"),
        (("neurons", 0, 0), ["inactive"], "not inactive"),
        (("neurons", 0), [], "0 roles"),
        (("ridges", 0, "base"), [0, 1], "base row"),
        (("scale",), "2", "masses on ridge 0"),
        (("scale",), "0", "not positive"),
        (("domain",), [["0", "1"], ["1", "0"]], "empty"),
        (("domain",), [["0", "1"]], "coordinates"),
    ],
)
def test_ridges_tampered(path: tuple[Any, ...], new: Any, reason: str) -> None:
    assert reason in refused(changed(FLIPPED, path, new), THETA1, THETA2)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    "path",
    [
        ("layers", 0, "weight", 1, 0),
        ("layers", 0, "bias", 2),
        ("layers", 1, "weight", 0, 1),
        ("layers", 1, "bias", 0),
    ],
)
def test_ridges_of_changed_networks(which: int, path: tuple[Any, ...]) -> None:
    pair = [THETA1, THETA2]
    pair[which] = changed(pair[which], path, "1/7")
    assert refused(FLIPPED, *pair)


def test_ridges_with_dead_constant_and_merged_neurons() -> None:
    first = network(([["1/2"], [5], [0], [3], [0]], [1, 1, 2, 6, -1]), ([[2, 0, 3, "1/3", 1], [0, 0, 1, 1, 1]], [0, 1]))
    second = network(([[1]], [2]), ([[2], [3]], [6, 3]))
    made = certificate(
        "ridges",
        ridges=[{"base": [1, 0], "mass": "ignored"}],
        neurons=[[["ridge", 0, "1/2"], ["dead"], ["constant"], ["ridge", 0, "3"], ["constant"]], [["ridge", 0, "1"]]],
    )
    assert proved(made, first, second)
    assert "constants of output 1" in refused(made, first, changed(second, ("layers", 1, "bias", 1), 4))
    assert "masses" in refused(made, first, changed(second, ("layers", 1, "weight", 1, 0), 4))


def test_ridges_of_different_depths_and_widths() -> None:
    identity = network(([[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4), ([[1, -1, 0, 0], [0, 0, 1, -1]], [0, 0]))
    affine = network(([[1, 0], [0, 1]], [0, 0]))
    roles = [["ridge", 0, "1"], ["ridge", 0, "-1"], ["ridge", 1, "1"], ["ridge", 1, "-1"]]
    made = certificate("ridges", ridges=[{"base": [0, 0]}, {"base": [0, 2]}], neurons=[roles, []])
    assert proved(made, identity, affine)
    assert "slopes along free coordinate 1 of output 0" in refused(made, identity, network(([[1, 1], [0, 1]], [0, 0])))
    empty = network(([], []), ([[], []], [1, "0"]), inputs=2)
    constant = network(([[0, 0], [0, 0]], ["1", 0]))
    nothing = certificate("ridges", ridges=[], neurons=[[], []])
    assert proved(nothing, empty, constant)
    assert proved(nothing, constant, empty)
    assert refused(nothing, empty, affine)


def test_ridges_up_to_scale() -> None:
    double = changed(THETA2, ("layers", 1), {"weight": [[2, 2, 2]], "bias": [-20]})
    assert "times '2'" in proved({**FLIPPED, "scale": "2"}, THETA1, double)
    assert "masses" in refused(FLIPPED, THETA1, double)


def test_ridges_on_boxes() -> None:
    sum_, difference = [[1, 1], [1, -1]], [0, 0]
    first = network((sum_, difference), ([[1, -1]], [0]))
    zero = network(([[0, 0]], [0]))
    flat = certificate(
        "ridges",
        domain=[["-1", "1"], ["0", "0"]],
        ridges=[{"base": [0, 0]}],
        neurons=[[["ridge", 0, "1"], ["ridge", 0, "1"]], []],
    )
    assert proved(flat, first, zero)
    assert "base row" in refused({**flat, "domain": None}, first, zero)
    assert "base row" in refused({**flat, "domain": [["-1", "1"], ["0", "1e-50"]]}, first, zero)
    assert "base row" in refused({**flat, "domain": [["-1", "1"], ["1/3", "1/3"]]}, first, zero)
    corner = network(([[1, 1]], [-2]), ([[1]], [0]))
    never = certificate("ridges", domain=[["0", "1"], [None, "1"]], ridges=[], neurons=[[["inactive"]], []])
    assert proved(never, corner, zero)
    assert "not inactive" in refused({**never, "domain": [["0", "1.1"], [None, "1"]]}, corner, zero)
    assert "not inactive" in refused({**never, "domain": [["0", None], [None, "1"]]}, corner, zero)
    always = certificate("ridges", domain=[["1", None], ["1", "2"]], ridges=[], neurons=[[["active"]], []])
    assert proved(always, corner, network(([[1, 1]], [-2])))
    assert "not active" in refused({**always, "domain": [["1", None], ["0.9", "2"]]}, corner, network(([[1, 1]], [-2])))
    assert "not active" in refused({**always, "domain": [[None, None], ["1", "2"]]}, corner, network(([[1, 1]], [-2])))


def test_ridges_where_all_coordinates_are_fixed() -> None:
    made = certificate("ridges", domain=[["3", "3.0"]], ridges=[], neurons=[[["constant"], ["constant"]], [["active"]]])
    first = network(([[1], [-1]], [0, 1]), ([[2, 9]], [0]))
    assert proved(made, first, network(([[2]], [0]), ([[1]], [0])))
    assert "constants" in refused(made, first, network(([[3]], [0]), ([[1]], [0])))


def test_ridges_are_for_one_hidden_layer() -> None:
    made = certificate("ridges", ridges=[], neurons=[[], []])
    assert "2 hidden layers" in refused(made, DEEP, DEEP)


def test_ridges_in_a_quadratic_field() -> None:
    first = network(([["sqrt(2)", 1]], ["sqrt(8)"]), ([[1]], [0]))
    second = network(([[2, "sqrt(2)"]], [4]), ([["1/2*sqrt(2)"]], [0]))
    made = certificate(
        "ridges",
        field={"generator": "sqrt(2)", "embeddings": {"sqrt(8)": "2*sqrt(2)"}},
        ridges=[{"base": [0, 0]}],
        neurons=[[["ridge", 0, "1"]], [["ridge", 0, "sqrt(2)"]]],
    )
    assert proved(made, first, second)
    assert "is not -sqrt(2) times" in refused(changed(made, ("neurons", 1, 0, 2), "-sqrt(2)"), first, second)
    assert "another root" in refused(changed(made, ("field", "embeddings", "sqrt(8)"), "-2*sqrt(2)"), first, second)
    assert "not in the field" in refused(changed(made, ("field", "embeddings"), {}), first, second)
    assert "not in the field" in refused({**made, "field": None}, first, second)
    conjugate = changed(second, ("layers", 1, "weight", 0, 0), "root([-1/2, 0, 1], 0)")
    assert "not in the field" in refused(made, first, conjugate)
    extended = changed(made, ("field", "embeddings", "root([-1/2, 0, 1], 0)"), "-1/2*sqrt(2)")
    assert "masses" in refused(extended, first, conjugate)


def test_ridges_in_a_cubic_field_on_a_box() -> None:
    field = {"generator": CUBIC, "embeddings": {}}
    first = network(([[CUBIC], [f"-{CUBIC}**2"]], [-1, "3"]), ([[CUBIC, 1]], [0]))
    second = network(([[f"{CUBIC}**2 - {CUBIC}**2"]], [0]))
    roles = [["inactive"], ["active"]]
    made = certificate("ridges", field=field, domain=[[None, f"1/2*{CUBIC}**2"]], ridges=[], neurons=[roles, []])
    assert "slopes" in refused(made, first, second)
    assert proved(made, first, network(([[f"-{CUBIC}**2"]], [3])))
    assert "not inactive" in refused({**made, "domain": [[None, "0.8"]]}, first, second)


def test_ridges_in_a_field_of_degree_16() -> None:
    generator = "root([-2" + ", 0" * 15 + ", 1], 1)"
    first = network(([[f"{generator}", 1]], [f"{generator}**7"]), ([[1]], [0]))
    second = network(([["sqrt(2)", f"{generator}**7"]], [f"{generator}**14"]), ([[f"1/2*{generator}**9"]], [0]))
    made = certificate(
        "ridges",
        field={"generator": generator, "embeddings": {"sqrt(2)": f"{generator}**8"}},
        ridges=[{"base": [0, 0]}],
        neurons=[[["ridge", 0, "1"]], [["ridge", 0, f"{generator}**7"]]],
    )
    assert proved(made, first, second)
    assert "masses" in refused(made, first, changed(second, ("layers", 1, "weight", 0, 0), f"1/2*{generator}**8"))


def test_a_reducible_generator_proves_nothing_wrong() -> None:
    field = {"generator": "root([-6, 5, 0, -5, 1], 0)", "embeddings": {}}
    made = certificate("ridges", field=field, ridges=[], neurons=[[], []])
    plain = network(([[0]], ["root([-6, 5, 0, -5, 1], 0)"]))
    assert refused(made, plain, network(([[0]], [1])))
    field = {"generator": "sqrt(4)", "embeddings": {}}
    made = certificate("ridges", field=field, ridges=[], neurons=[[], []])
    assert refused(made, network(([[0]], ["sqrt(4)"])), network(([[0]], [-2])))


def test_big_integers() -> None:
    big = 10**5000 + 1
    first = network(([[big]], ["1" * 5000]), ([[1]], [0.1]))
    second = network(([[1]], [Fraction(int("1" * 4000) * 10**1000 + int("1" * 1000), big)]), ([[big]], [0.1]))
    role = "1" + "0" * 4999 + "1"
    made = certificate("ridges", ridges=[{"base": [1, 0]}], neurons=[[["ridge", 0, role]], [["ridge", 0, "1"]]])
    assert proved(made, first, second)
    assert "constants" in refused(made, first, changed(second, ("layers", 1, "bias", 0), "0.1"))
    assert "base row" in refused(changed(made, ("neurons", 0, 0, 2), role + "0"), first, second)


# -- rays -------------------------------------------------------------------------------------------------------------

MERGED = network(([[2, 4], [1, 2], [0, 0], [-1, -2]], [6, 3, 5, -3]), ([["1/2", 1, 2, 7]], [1]))
REDUCED = network(([[-2, -4], [3, 6], [9, 9]], [-6, 9, 9]), ([["7/2", "2/3", 0]], [11]))
ALIKE = certificate(
    "rays",
    rays=[{"base": [0, 1]}, {"base": [0, 3]}],
    neurons=[
        [["ray", 0, "2"], ["ray", 0, "1"], ["constant"], ["ray", 1, "1"]],
        [["ray", 1, "2"], ["ray", 0, "3"], ["dead"]],
    ],
)


def test_rays() -> None:
    assert proved(ALIKE, MERGED, REDUCED).startswith("similar")


@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("neurons", 0, 0, 2), "1", "base row"),
        (("neurons", 0, 3), ["ray", 0, "-1"], "not positive"),
        (("neurons", 0, 2), ["dead"], "not dead"),
        (("neurons", 1, 0), ["dead"], "not dead"),
        (("neurons", 1, 0), ["constant"], "not constant"),
        (("rays", 0, "base"), [0, 3], "base row"),
        (("neurons", 1), [], "roles"),
    ],
)
def test_rays_tampered(path: tuple[Any, ...], new: Any, reason: str) -> None:
    assert reason in refused(changed(ALIKE, path, new), MERGED, REDUCED)


def test_rays_of_changed_networks() -> None:
    assert "constants" in refused(ALIKE, MERGED, changed(REDUCED, ("layers", 1, "bias", 0), 10))
    assert "masses" in refused(ALIKE, MERGED, changed(REDUCED, ("layers", 1, "weight", 0, 1), 1))


def test_rays_do_not_see_opposite_rows() -> None:
    made = {**FLIPPED, "kind": "rays", "claim": "similar", "rays": FLIPPED["ridges"]}
    made["neurons"] = [[["ray", *role[1:]] for role in roles] for roles in FLIPPED["neurons"]]
    assert "not positive" in refused(made, THETA1, THETA2)


def test_similarity_is_for_one_output() -> None:
    two = network(([[1]], [0]), ([[1], [1]], [0, 0]))
    assert "one output" in refused(certificate("rays", rays=[], neurons=[[["dead"]]] * 2), two, two)
    assert "one output" in refused(certificate("ray", base=[0, 0]), two, two)


@pytest.mark.parametrize("kind", ["rays", "ray"])
@pytest.mark.parametrize("key", [{"scale": "1"}, {"domain": [[None, None]] * 2}])
def test_similarity_takes_no_domain_and_no_scale(kind: str, key: dict[str, Any]) -> None:
    with pytest.raises(MalformedCertificate):
        verify({**ALIKE, "kind": kind, "claim": KINDS[kind].claim, **key}, [MERGED, REDUCED])


# -- ray --------------------------------------------------------------------------------------------------------------


def test_ray_of_different_masses() -> None:
    for number, neuron in ((0, 0), (0, 1), (0, 2), (1, 0)):
        reason = verify(certificate("ray", base=[number, neuron]), [THETA1, THETA2])
        assert reason == (True, "not similar: the masses on the ray of the base row differ")
    assert "constants" in proved(certificate("ray", base=None), THETA1, THETA2)


def test_ray_where_networks_are_similar() -> None:
    for number, width in ((0, 4), (1, 3)):
        for neuron in range(width):
            assert refused(certificate("ray", base=[number, neuron]), MERGED, REDUCED)
    assert "constants agree" in refused(certificate("ray", base=None), MERGED, REDUCED)


def test_ray_collects_all_neurons() -> None:
    spread = network(([[1, 2]] * 3 + [[2, 4]], [3, 3, 4, 6]), ([["1/3", "1/3", 9, "1/6"]], [0]))
    single = network(([[1, 2], [1, 2]], [3, 4]), ([[1, 9]], [0]))
    for base in ([0, 0], [0, 2], [0, 3], [1, 0]):
        assert "agree" in refused(certificate("ray", base=base), spread, single)
    assert proved(
        certificate("ray", base=[0, 3]), spread, changed(single, ("layers", 1, "weight", 0, 0), "1.0000000001")
    )


def test_ray_does_not_count_opposite_rows() -> None:
    both, one = network(([[1], [-1]], [1, -1]), ([[1, 1]], [0])), network(([[1]], [1]), ([[1]], [0]))
    assert "agree" in refused(certificate("ray", base=[1, 0]), both, one)
    assert proved(certificate("ray", base=[0, 1]), both, one)


def test_ray_needs_a_direction() -> None:
    assert "no ray" in refused(certificate("ray", base=[0, 2]), MERGED, REDUCED)
    affine = network(([[1, 0]], [0]))
    assert "affine" in refused(certificate("ray", base=None), affine, REDUCED)


def test_ray_in_a_quadratic_field() -> None:
    first = network(([["sqrt(2)"], [2]], [1, "sqrt(2)"]), ([[1, 1]], [0]))
    second = network(([[1]], ["1/2*sqrt(2)"]), ([["2 + sqrt(2)"]], [0]))
    made = certificate("ray", field={"generator": "sqrt(2)", "embeddings": {}}, base=[0, 0])
    assert "agree" in refused(made, first, second)
    assert proved(made, first, changed(second, ("layers", 1, "weight", 0, 0), "2 - sqrt(2)"))


# -- layers -----------------------------------------------------------------------------------------------------------

TALL = network(([[1, 2], [3, 4], [-5, 6]], [1, -1, 0]), ([[1, 2, 3], [-4, 5, 6]], [0.5, 1]), ([[1, -1]], [2]))
MOVED = network(
    ([[-10, 12], ["1/3", "2/3"], [3, 4]], [0, "1/3", -1]),
    ([[15, -60, 25], ["3/2", 3, 2]], [5, 0.5]),
    ([["-1/5", 1]], [2]),
)
SYMMETRY = certificate(
    "layers",
    layers=[{"permutation": [2, 0, 1], "scale": ["2", "1/3", "1"]}, {"permutation": [1, 0], "scale": ["5", "1"]}],
)


def test_layers() -> None:
    assert proved(SYMMETRY, TALL, MOVED).startswith("equal")
    assert at(TALL, [Fraction(3), Fraction(-1)]) == at(MOVED, [Fraction(3), Fraction(-1)])
    assert proved(certificate("layers", layers=[]), network(([[1, 2]], [3])), network(([["1", 2.0]], ["6/2"])))


@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("layers", 0, "scale", 0), "3", "row 0 of layer 0 of network 1"),
        (("layers", 0, "scale", 0), "-2", "not positive"),
        (("layers", 1, "scale", 1), "0", "not positive"),
        (("layers", 1, "scale", 1), "2", "row 1 of layer 1 of network 1"),
        (("layers", 1, "scale"), ["1"], "entries"),
        (("layers", 0, "permutation"), [0, 2, 1], "row 0 of layer 0 of network 1"),
        (("layers", 1, "permutation"), [0, 1], "row 0 of layer 1 of network 1"),
        (("layers", 1, "permutation"), [0], "permutation"),
        (("layers",), [], "hidden layers"),
        (("scale",), "2", "row 0 of layer 2 of network 1"),
        (("domain",), [["1", "0"], [None, None]], "empty"),
    ],
)
def test_layers_tampered(path: tuple[Any, ...], new: Any, reason: str) -> None:
    assert reason in refused(changed(SYMMETRY, path, new), TALL, MOVED)


@pytest.mark.parametrize("which", [0, 1])
def test_layers_of_changed_networks(which: int) -> None:
    pair = [TALL, MOVED]
    for depth, layer in enumerate(pair[which]["layers"]):
        paths: list[tuple[Any, ...]] = [("bias", row) for row in range(len(layer["bias"]))]
        paths += [
            ("weight", row, column) for row, entries in enumerate(layer["weight"]) for column in range(len(entries))
        ]
        for path in paths:
            other = list(pair)
            other[which] = changed(pair[which], ("layers", depth, *path), "17/19")
            assert f"of layer {depth} of network 1" in refused(SYMMETRY, *other)


def test_layers_up_to_scale_and_in_a_field() -> None:
    triple = changed(MOVED, ("layers", 2), {"weight": [["-3/5", 3]], "bias": [6]})
    assert proved({**SYMMETRY, "scale": "3"}, TALL, triple)
    first = network(([[1]], [2]), ([[3]], [4]))
    second = network(([["sqrt(2)"]], ["2*sqrt(2)"]), ([["3/2*sqrt(2)"]], [4]))
    made = certificate(
        "layers",
        field={"generator": "sqrt(2)", "embeddings": {}},
        layers=[{"permutation": [0], "scale": ["sqrt(2)"]}],
    )
    assert proved(made, first, second)
    assert "not positive" in refused(changed(made, ("layers", 0, "scale", 0), "1 - sqrt(2)"), first, second)


def test_layers_ask_for_the_same_widths() -> None:
    assert "widths" in refused(
        SYMMETRY, TALL, changed(MOVED, ("layers",), [MOVED["layers"][0], {"weight": [[1] * 3], "bias": [0]}])
    )


# -- any kind ---------------------------------------------------------------------------------------------------------


def test_two_networks_of_one_shape_are_due() -> None:
    assert "two networks, not 1" in refused(FLIPPED, THETA1)
    assert "two networks, not 3" in refused(FLIPPED, THETA1, THETA2, THETA2)
    assert "inputs" in refused(FLIPPED, THETA1, STEEP)
    assert "outputs" in refused(SPLIT, STEEP, network(([[1]], [0])))
