"""Objects that are no networks are refused in one line, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import relusym
from relusym import RelusymError, load

THETA = load("example:theta1")
ONE: dict[str, Callable[[Any], Any]] = {
    name: getattr(relusym, name)
    for name in (
        *("ridge_form", "minimal_form", "zero_factor_rank", "reduce", "digest", "stabilizer", "fibre", "is_generic"),
        *("min_width", "compress", "complex_of", "genericity", "dependency_graph", "functional_dimension", "identify"),
        *("depth_lower_bound", "generic_depth_lower_bound", "hierarchy", "width_of", "count_regions"),
    )
}
TWO: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(relusym, name)
    for name in ("equal", "similar", "ominus", "symmetry_between", "alignment", "equivalent")
}


@pytest.mark.parametrize("value", [5, None, "example:theta1"])
@pytest.mark.parametrize("name", ONE)
def test_one_network_is_due(name: str, value: object) -> None:
    with pytest.raises(RelusymError, match="takes a Network; got"):
        ONE[name](value)


@pytest.mark.parametrize("name", TWO)
def test_two_networks_are_due(name: str) -> None:
    for pair in ((THETA, 5), (5, THETA)):
        with pytest.raises(RelusymError, match="takes a Network; got int"):
            TWO[name](*pair)


def test_certificates_are_about_networks() -> None:
    with pytest.raises(RelusymError, match="check takes a Network; got int"):
        relusym.check({}, 5)  # type: ignore[arg-type]
    with pytest.raises(RelusymError, match="a sequence"):
        relusym.dedupe("example:theta1")
