"""Exact compression: never larger, always proved equal; and the table that says why neurons went."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Limits, Network, Undecided, check, load
from relusym.cli.deep_functions import compress as command
from relusym.decision.compression import compress, compression

DATA = Path(__file__).parent.parent / "data"
SISL = DATA / "sisl+NeuralVerification.jl"


def hidden(network):
    return sum(network.widths[1:-1])


def consistent(found):
    """The table accounts for every neuron."""
    for before, kept, why in zip(found.original.widths[1:-1], found.kept, found.removed, strict=True):
        gone = sum(count for reason, count in why.items() if reason != "carrying")
        assert kept == before - gone + why["carrying"]
    assert [width for width in found.kept if width] == [width for width in found.network.widths[1:-1] if width]
    return True


@settings(max_examples=80)
@given(st.data())
def test_rewritten_networks_shrink_and_stay_equal(rewritten_pairs, data):
    f, g = data.draw(rewritten_pairs)
    found = compression(g)
    assert consistent(found)
    assert hidden(found.network) <= hidden(g)
    assert found.decision.verdict == "equal"
    assert check(found.decision.certificate, g, found.network)
    assert compress(found.network).widths == found.network.widths
    point = [1 + i for i in range(f.widths[0])]
    assert found.network(point) == f(point)


@settings(max_examples=60)
@given(st.data())
def test_on_a_box(rewritten_pairs, data):
    _, g = data.draw(rewritten_pairs)
    box = [(data.draw(st.integers(-2, 0)), data.draw(st.integers(0, 2))) for _ in range(g.widths[0])]
    found = compression(g, domain=box)
    assert consistent(found)
    assert hidden(found.network) <= hidden(compress(g))
    assert check(found.decision.certificate, g, found.network)
    corner = [high for _, high in box]
    assert found.network(corner) == g(corner)


def test_what_was_added_is_taken_away_again():
    f = Network([([[1, 2], [3, -1]], [0, 1]), ([[1, -2], [2, 1]], [1, -3]), ([[1, 1]], [0])])
    g = Network(
        [
            ([[1, 2], [3, -1], [2, 4], [0, 0], [5, 5], [1, 0], [1, 0]], [0, 1, 0, 2, 1, 1, 1]),
            ([[-1, -2, 1, 3, 0, 1, -1], [2, 1, 0, 0, 0, 0, 0]], [-5, -3]),
            ([[1, 0], [0, 1]], [0, 0]),
            ([[1, 1]], [0]),
        ]
    )
    found = compression(g)
    assert found.network == f
    assert [dict(+why) for why in found.removed] == [
        {"merged": 1, "constant": 1, "unused": 1, "cancelling": 2},
        {},
        {"folded": 2},
    ]


def test_active_neurons_fold_into_as_few_as_span_them():
    f = Network(
        [
            ([[1, 0], [0, 1], [1, 1], [1, -1]], [1, 1, 3, 0]),
            ([[1, 2, -1, 1], [0, 1, 1, 2]], [0, -1]),
            ([[1, 1]], [0]),
        ]
    )
    assert compress(f).widths == f.widths
    found = compression(f, domain=[(-1, 1), (-1, 1)])
    assert found.network.widths == (2, 3, 2, 1)
    assert found.removed[0] == {"folded": 1}


def test_an_affine_network_collapses_to_one_layer():
    f = Network([([[1], [-1]], [0, 0]), ([[1, -1], [-1, 1]], [0, 0]), ([[2, -2]], [1])])
    found = compression(f)
    assert found.network == Network([([[2]], [1])])
    assert found.kept == (0, 0)


def test_one_hidden_layer_gets_the_fewest_neurons():
    f = Network.shallow([-2, 3, -4, 5], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0, 0, 0, 0], 0)  # both sides of two ridges
    g = Network.shallow([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 0)
    for network, width in ((f, 4), (g, 2)):
        found = compression(network)
        assert found.fewest
        assert consistent(found)
        assert found.network.widths[1] == width
        assert check(found.decision.certificate, network, found.network)
    assert not compression(g, domain=[(0, 1)]).fewest


def test_number_fields_and_irrational_boxes():
    f = Network([([["sqrt(2)"], [2], [1]], [1, "sqrt(2)", 5]), ([[1, 1, 1]], [0]), ([[1]], [0])])
    found = compression(f, domain=[("-sqrt(3)", 1)])
    assert found.network.widths == (1, 2, 1)
    assert check(found.decision.certificate, f, found.network)


@pytest.mark.parametrize(
    ("path", "widths"),
    [
        (SISL / "small_nnet.nnet", (1, 1, 1)),
        (SISL / "spiky_nnet.nnet", (1, 4, 4, 3, 1)),
        (DATA / "NeuralNetworkVerification+Marabou" / "twin_ladder-5_inp-2_layers-5_width-1_margin.nnet", (5, 0, 1)),
        (DATA / "sisl+NNet" / "TestNetwork2.nnet", (5, 50, 50, 50, 50, 50, 50, 5)),
    ],
    ids=lambda value: getattr(value, "stem", None),
)
def test_public_files(path, widths):
    f = load(path)
    found = compression(f)
    assert consistent(found)
    assert found.network.widths == widths
    assert check(found.decision.certificate, f, found.network)


def test_limits_raise_with_what_is_known():
    f = load(DATA / "sisl+NNet" / "TestNetwork2.nnet")
    with pytest.raises(Undecided, match="limit") as caught:
        compress(f, limits=Limits(seconds=0))
    assert isinstance(caught.value.partial, Network)


def test_command(tmp_path):
    out, proof, box = tmp_path / "small.nnet", tmp_path / "proof.json", tmp_path / "box.json"
    source = str(SISL / "spiky_nnet.nnet")
    result = CliRunner().invoke(command, [source, "-o", str(out), "--certificate", str(proof)])
    assert result.exit_code == 0
    assert "(1-6-4-3-1 over QQ) -> Network(1-4-4-3-1 over QQ)" in result.output
    assert "total      13     11" in result.output
    assert check(json.loads(proof.read_text()), load(source), load(out))
    box.write_text('[["0", "1/10"]]')
    result = CliRunner().invoke(command, [source, "--json", "--domain", str(box)])
    answer = json.loads(result.output)
    assert answer["verdict"] == "equal"
    assert sum(answer["widths"][1:-1]) <= 11
