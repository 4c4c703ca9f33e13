"""The checker against evaluation: random certificates never lie, natural ones decide, and it stands on its own."""

from __future__ import annotations

import ast
import random
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from relusym.decision import check
from relusym.decision.check import verify


def certificate(**keys: Any) -> dict[str, Any]:
    head = {"format": "relusym-certificate", "version": 1, "kind": "ridges", "claim": "equal"}
    return {**head, "domain": None, "field": None, **keys}


def at(plain: dict[str, Any], x: list[Fraction]) -> list[Fraction]:
    """Evaluate a network of rational entries, independently of the checker."""
    for index, layer in enumerate(plain["layers"]):
        rows = zip(layer["weight"], layer["bias"], strict=True)
        z = [sum((Fraction(w) * v for w, v in zip(row, x, strict=True)), Fraction(b)) for row, b in rows]
        x = z if index == len(plain["layers"]) - 1 else [max(v, Fraction(0)) for v in z]
    return x


def test_the_checker_imports_the_standard_library_and_itself() -> None:
    for source in Path(check.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.ImportFrom) or node.level == 0
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name is not None
                own = name == check.__name__ or name.startswith(f"{check.__name__}.")
                assert own or name.split(".")[0] in sys.stdlib_module_names, f"{source.name} imports {name}"


entries = st.integers(-2, 2)


@st.composite
def shallow_networks(draw: st.DrawFn) -> dict[str, Any]:
    width = draw(st.integers(0, 3))
    rows = draw(st.lists(st.lists(entries, min_size=2, max_size=2), min_size=width, max_size=width))
    biases = draw(st.lists(entries, min_size=width, max_size=width))
    weights = draw(st.lists(entries, min_size=width, max_size=width))
    layers = [{"weight": rows, "bias": biases}, {"weight": [weights], "bias": [draw(entries)]}]
    return {"inputs": 2, "layers": layers}


BOXES = [None, [["0", "1"], ["-1", "1"]], [["1", "1"], [None, "0"]], [["0", "0"], ["1/2", "1/2"]]]


@given(shallow_networks(), shallow_networks(), st.sampled_from(BOXES), st.data())
def test_no_certificate_makes_different_networks_equal(
    first: dict[str, Any], second: dict[str, Any], box: Any, data: st.DataObject
) -> None:
    widths = [len(plain["layers"][0]["bias"]) for plain in (first, second)]
    bases = [[number, neuron] for number in (0, 1) for neuron in range(widths[number])]
    factor = st.sampled_from(["1", "-1", "2", "-2", "1/2", "-1/2"])
    role = st.one_of(
        st.sampled_from([["dead"], ["constant"], ["active"], ["inactive"]]),
        st.tuples(st.just("ridge"), st.integers(0, max(0, len(bases) - 1)), factor).map(list),
    )
    neurons = [data.draw(st.lists(role, min_size=width, max_size=width)) for width in widths]
    made = certificate(domain=box, ridges=[{"base": base} for base in bases], neurons=neurons)
    ok, _ = verify(made, [first, second])
    points = random.Random(0)
    for _ in range(12):
        x = [_inside(side, points) for side in box or [[None, None]] * 2]
        assert not ok or at(first, x) == at(second, x)


def _inside(side: list[Any], points: random.Random) -> Fraction:
    low = Fraction(side[0] if side[0] is not None else -9)
    high = Fraction(side[1] if side[1] is not None else 9)
    return low + (high - low) * Fraction(points.randint(0, 12), 12)


def _natural(rows: list[tuple[list[int], int]]) -> list[Any]:
    """Give each row a role by looking for the first row that it is a multiple of, up to the factors in use."""
    roles: list[Any] = []
    everything = [[*a, b] for a, b in rows]
    for row in everything:
        if not any(row[:-1]):
            roles.append(["constant"])
            continue
        factors = [Fraction(p, q) for p in (1, -1, 2, -2) for q in (1, 2)]
        roles.append(
            next(
                ["ridge", index, str(factor)]
                for index, base in enumerate(everything)
                for factor in factors
                if [factor * entry for entry in base] == row
            )
        )
    return roles


@given(shallow_networks(), shallow_networks())
def test_the_natural_certificate_decides(first: dict[str, Any], second: dict[str, Any]) -> None:
    layers = [plain["layers"][0] for plain in (first, second)]
    rows = [(row, bias) for layer in layers for row, bias in zip(layer["weight"], layer["bias"], strict=True)]
    width = len(layers[0]["bias"])
    bases = [[0, index] for index in range(width)] + [[1, index] for index in range(len(layers[1]["bias"]))]
    roles = _natural(rows)
    made = certificate(ridges=[{"base": b} for b in bases], neurons=[roles[:width], roles[width:]])
    # Three lines, and on each of them all points where a neuron can have its kink.
    points = [(Fraction(p, 10), Fraction(1, 5)) for p in range(-30, 31)]
    points += [(Fraction(p, 12), Fraction(p, 12)) for p in range(-36, 37)]
    points += [(Fraction(p, 6), Fraction(-7, 3)) for p in range(-48, 49)]
    assert verify(made, [first, second]).ok == all(at(first, [x, y]) == at(second, [x, y]) for x, y in points)
