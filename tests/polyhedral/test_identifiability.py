"""The report on identifiability, and its commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relusym import Limits, Network, common_refinement, identify, load, save
from relusym.cli.identifiability import dimension
from relusym.cli.identifiability import identify as identify_command
from relusym.polyhedral.arrangement import Neuron
from relusym.polyhedral.identifiability import STATEMENTS, HiddenSymmetry
from relusym.shallow.flips import flip

GENERIC = Network(
    [([[7, 3], [9, 2], [-16, -5]], [14, 17, -17]), ([[9, -2, 1], [-9, 2, -1]], [-19, 47]), ([[-5, -6]], [0])]
)


def truths(f: Network) -> dict[str, bool | None]:
    return {name: claim.truth for name, claim in identify(f).claims.items()}


def test_generic_is_not_globally_identifiable() -> None:
    report = identify(load("example:theta2"))
    assert all(report[name].truth is True for name in ("supertransversal", "cancellation_free", "transparent", "tpic"))
    assert report["locally_identifiable"].truth is True
    assert report["globally_identifiable"].truth is False
    witness = report["no_hidden_symmetry"].witness
    assert witness == HiddenSymmetry(0, (0, 1, 2))
    assert flip(report.network, witness.flipped) == load("example:theta1")


def test_a_shallow_network_in_U_is_identifiable() -> None:
    found = truths(Network.shallow([1, 2], [[1, 0], [0, 3]], [1, 1], 0))
    assert set(found) == set(STATEMENTS)
    assert all(found[name] for name in ("in_U", "in_U_sharp", "single_orbit", "globally_identifiable"))


def test_one_orbit_although_the_derivative_is_deficient() -> None:
    report = identify(Network.shallow([1, 2], [[1], [-1]], [0, 0], 0))
    assert not report.functional_dimension.is_full
    assert report["locally_identifiable"].truth is True
    assert report["globally_identifiable"].truth is True
    assert report["in_U_sharp"].truth is False


@pytest.mark.parametrize(
    ("f", "claim", "neurons"),
    [
        (Network.shallow([1, 1], [[1], [0]], [0, -1], 0), "no_dead_neuron", {Neuron(0, 1)}),
        (Network.shallow([1, 0], [[1], [1]], [0, -1], 0), "no_dead_neuron", {Neuron(0, 1)}),
        (Network.shallow([1, 1], [[1], [0]], [0, 1], 0), "no_always_active_neuron", {Neuron(0, 1)}),
        (Network.shallow([1, 1], [[1], [3]], [1, 3], 0), "no_duplicate_neuron", {Neuron(0, 0), Neuron(0, 1)}),
    ],
)
def test_neurons_that_can_be_moved(f: Network, claim: str, neurons: set[Neuron]) -> None:
    report = identify(f)
    assert report[claim].truth is False
    assert set(report[claim].witness) == neurons
    assert report["locally_identifiable"].truth is False
    assert report["globally_identifiable"].truth is False


def test_a_neuron_that_touches_zero_is_always_active_and_one_below_is_not() -> None:
    base = ([[1, 0], [0, 1]], [0, 0])
    on = Network([base, ([[1, 1], [1, -1]], [1, 0]), ([[1, 1]], [0])])
    off = Network([base, ([[1, 1], [1, -1]], [-1, 0]), ([[1, 1]], [0])])
    assert identify(on)["no_always_active_neuron"].witness == (Neuron(1, 0),)
    assert identify(off)["no_always_active_neuron"].truth is True


def test_a_hidden_symmetry_inside_a_deep_network() -> None:
    first = ([[2, 1], [1, -3]], [1, 2])
    last = ([[1, 1, 1]], [0])
    f = Network([first, ([[1, 1], [-1, 0], [0, -1]], [-2, -1, -1]), last])
    report = identify(f)
    assert report["no_hidden_symmetry"].witness == HiddenSymmetry(1, (0, 1, 2))
    assert report["globally_identifiable"].truth is False
    g = Network([first, ([[-1, -1], [1, 0], [0, 1]], [2, 1, 1]), ([[1, 1, 1]], [-4])])
    assert all(region.affine_map(0) == region.affine_map(1) for region in common_refinement([f, g]).activation_regions)


def test_several_layers_are_never_proved_globally_identifiable() -> None:
    report = identify(GENERIC)
    assert report["locally_identifiable"].truth is True
    assert all(report[name].truth is True for name in ("supertransversal", "cancellation_free", "transparent", "tpic"))
    assert report["no_hidden_symmetry"].truth is not True
    assert report["globally_identifiable"].truth is not True
    assert "in_U" not in report.claims


def test_not_smooth() -> None:
    f = Network([([[1], [1]], [-2, 0]), ([[-2, 1]], [0]), ([[-2]], [-2])])
    report = identify(f)
    assert report["smooth"].truth is False
    assert report["locally_identifiable"].truth is None
    assert report["locally_identifiable"].witness


def test_an_affine_map_is_its_parameters() -> None:
    found = truths(Network([([[1, 2]], [3])]))
    assert found["globally_identifiable"]
    assert found["no_hidden_symmetry"]


def test_limits_leave_claims_undecided() -> None:
    report = identify(GENERIC, limits=Limits(items=0))
    assert report["smooth"].truth is None
    assert report["supertransversal"].truth is None
    assert report["locally_identifiable"].truth is True  # random points are enough for it
    assert report["no_duplicate_neuron"].truth is True


def run(command, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, standalone_mode=False)


def test_command_dimension(tmp_path: Path) -> None:
    result = run(dimension, "example:theta1", "--json")
    assert result.return_value == 0
    answer = json.loads(result.output)
    assert {key: answer[key] for key in ("functional_dimension", "parameters", "hidden", "smooth", "full")} == {
        "functional_dimension": 10,
        "parameters": 13,
        "hidden": 3,
        "smooth": True,
        "full": True,
    }
    assert "their weights trade" in run(dimension, "example:triple").output
    path = tmp_path / "f.json"
    save(Network([([[1], [1]], [-2, 0]), ([[-2, 1]], [0]), ([[-2]], [-2])]), path)
    undecided = run(dimension, str(path), "--time", "0", "--json")
    assert undecided.return_value == 3
    assert json.loads(undecided.output)["functional_dimension"] is None
    assert run(dimension, str(path), "--time", "0").output.startswith("undecided")


def test_command_identify() -> None:
    result = run(identify_command, "example:theta2", "--json")
    assert result.return_value == 0
    answer = json.loads(result.output)
    assert answer["claims"]["globally_identifiable"]["truth"] is False
    assert answer["functional_dimension"] == 10
    text = run(identify_command, "example:theta2").output
    assert all(STATEMENTS[name] in text for name in answer["claims"])
