"""The text format .nnet: headers as they are found, numbers as the caller asks, normalisation only on request."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relusym.decision.equality import equal
from relusym.errors import FieldError, FormatError, RelusymError, ShapeError
from relusym.exact.matrix import column_of, rows_of
from relusym.io import load, load_with_notes
from relusym.io.nnet import read_nnet, write_nnet
from relusym.parameters.network import Network

STANDARD = """// a remark
2,2,1,2,
2,2,1,
0,
-1.0,-2.0,
1.0,2.0,
0.5,-0.25,3.0,
2.0,4.0,0.1,
1.0,-2.0,
0.3,4e-1,
0.1,
-.5,
3.,-1,
7,
"""


def network_of(text: str, **options: Any) -> Network:
    reading = read_nnet(text.encode(), **options)
    return Network(reading.layers, reading.inputs)


def as_text(network: Network) -> str:
    stream = io.BytesIO()
    write_nnet(network, stream)
    return stream.getvalue().decode()


def test_standard_header() -> None:
    assert network_of(STANDARD) == Network([([[1, -2], ["0.3", "0.4"]], ["0.1", "-0.5"]), ([[3, -1]], [7])])


@pytest.mark.parametrize("numbers", ["float32", "float64"])
def test_rounded_numbers_are_arrays(numbers: str) -> None:
    weight = np.array([[1, -2], [0.3, 0.4]], dtype=numbers)
    reading = read_nnet(STANDARD.encode(), numbers=numbers)
    assert [array.dtype for layer in reading.layers for array in layer] == [np.dtype(numbers)] * 4
    expected = [(weight, np.array([0.1, -0.5], numbers)), ([[3, -1]], [7])]
    assert Network(reading.layers) == Network(expected)
    assert reading.notes["numbers"] == f"decimal text read as {numbers}"
    assert reading.notes["normalisation"] == "not applied"


def test_normalisation_by_hand() -> None:
    """The network on ((x − 1/2) / 2, (y + 1/4) / 4), its output times 1/10 plus 3."""
    plain, normalised = network_of(STANDARD), network_of(STANDARD, normalize=True)
    for x, y in [(0, 0), (5, -3), (Fraction(-7, 3), 100)]:
        inner = plain([(x - Fraction(1, 2)) / 2, (y + Fraction(1, 4)) / 4])
        assert normalised([x, y]) == (inner[0] / 10 + 3,)
    assert read_nnet(STANDARD.encode(), normalize=True).notes["normalisation"] == "applied"


def test_normalisation_of_one_layer() -> None:
    text = "1,1,2,2\n1,2\n0\n0\n0\n1,10\n2,3\n4\n5\n6\n7\n"
    assert network_of(text, normalize=True) == Network([([[6], ["15/2"]], [22, "47/2"])])


def test_normalisation_after_rounding() -> None:
    normalised = network_of(STANDARD, numbers="float32", normalize=True)
    tenth = Fraction(float(np.float32(0.1)))
    assert Fraction(str(normalised.layers[0].weight.entry(1, 0))) == Fraction(float(np.float32(0.3))) / 2
    assert Fraction(str(normalised.layers[1].weight.entry(0, 0))) == 3 * tenth


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2,2,1,2,\n", "2\n"),
        ("2,2,1,\n", "2 2 1\n"),
        ("\n", "\r\n"),
        ("0.3,4e-1,\n", "// a remark inside\n\n  0.3 , 4e-1 ,,\n"),
        ("0,\n", "This line extraneous\n"),
        ("-1.0,-2.0,\n1.0,2.0,\n", "0\n0\n"),
    ],
)
def test_headers_as_found(old: str, new: str) -> None:
    changed = STANDARD.replace(old, new, 1) if old != "\n" else STANDARD.replace(old, new)
    assert changed != STANDARD
    assert network_of(changed) == network_of(STANDARD)


def test_placeholders_are_no_normalisation() -> None:
    text = STANDARD.replace("0.5,-0.25,3.0,\n2.0,4.0,0.1,\n", "0\n0\n")
    reading = read_nnet(text.encode(), normalize=True)
    assert Network(reading.layers) == network_of(STANDARD)
    assert reading.notes["normalisation"].startswith("none in the file")


def test_more_values_than_are_due() -> None:
    """Files with one mean an output: read where these agree, said so where they are not used."""
    more = STANDARD.replace("0.5,-0.25,3.0,", "0.5,-0.25,3.0,3.0,3.0").replace("2.0,4.0,0.1,", "2.0,4.0,0.1,0.1,0.1")
    assert network_of(more, normalize=True) == network_of(STANDARD, normalize=True)
    note = read_nnet(more.encode()).notes["normalisation"]
    assert note == "not applied; the file has 5 means and 5 ranges where 3 are due"
    other = more.replace("3.0,3.0,3.0", "3.0,3.0,4.0")
    assert network_of(other) == network_of(STANDARD)
    with pytest.raises(ShapeError, match=r"line 7: 3 numbers are due .* got 5"):
        network_of(other, normalize=True)


def test_a_range_of_zero_cannot_be_applied() -> None:
    text = STANDARD.replace("2.0,4.0,0.1,", "2.0,0.0,0.1,")
    assert network_of(text) == network_of(STANDARD)
    with pytest.raises(FieldError, match="line 8: the range 1 is 0"):
        network_of(text, normalize=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("// only remarks\n", "ends before the number of layers"),
        ("2\n", "ends before the layer sizes"),
        ("2,2\n1,1,1\n", "line 1: 'layers, inputs"),
        ("2\n1,1\n", "line 2: 2 layers have 3 sizes; got 2"),
        ("0\n1\n", "line 2: 0 layers"),
        ("2\n1,0,1\n", "line 2: a size is 0"),
        ("2\n1,-1,1\n", "line 2: '-1' is no size"),
        ("1e3\n1,1\n", "line 1: '1e3' is no size"),
        ("1,3,1,3\n2,1\n", "the first line says 3 inputs and 1 outputs"),
        ("1\n99999999,99999999\n" + "0\n" * 9, "line 2: the layers would take"),
        ("1\n999,999\n" + "0\n" * 9, "more than the file can hold"),
        (STANDARD.replace("3.,-1,", "3.,-1,5,"), "line 13: row 0 of weight 1 has 2 numbers; got 3"),
        (STANDARD.replace("-.5,\n", ""), "line 12: entry 1 of bias 0 has 1 numbers; got 2"),
        (STANDARD.replace("\n7,\n", "\n"), "ends before entry 0 of bias 1"),
        (STANDARD + "8,\n", "line 15: '8,' follows the last bias"),
        (STANDARD.replace("4e-1", "nan"), "line 10, row 1 of weight 0: 'nan' is not a decimal number"),
        (STANDARD.replace("4e-1", "sqrt(2)"), "line 10, row 1 of weight 0"),
        (STANDARD.replace("4e-1", "1/3"), "line 10, row 1 of weight 0"),
        (STANDARD.replace("4e-1", "1e999999999"), "beyond the limit"),
        (STANDARD.replace("4e-1", "1e-999999999"), "beyond the limit"),
    ],
)
def test_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(RelusymError, match=message) as caught:
        network_of(text)
    assert "\n" not in str(caught.value)


def test_many_large_exponents_are_bounded() -> None:
    row = "1e100000," * 60 + "\n"
    text = "1\n60,60\n" + "0\n" * 5 + row * 60 + "0\n" * 60
    with pytest.raises(FieldError, match="bits"):
        network_of(text)


def test_no_text() -> None:
    with pytest.raises(FormatError, match="byte 0 is not UTF-8"):
        read_nnet(b"\xff\xfe")


def test_overflow_and_modes() -> None:
    text = STANDARD.replace("4e-1", "1e39")
    with pytest.raises(FieldError, match="line 10, row 1 of weight 0: '1e39' is beyond the largest finite float32"):
        network_of(text, numbers="float32")
    assert network_of(text, numbers="float64").layers[0].weight.entry(1, 1) == int(1e39)
    with pytest.raises(FormatError, match="'decimal', 'float32', 'float64'"):
        network_of(text, numbers="double")


decimals = st.builds(lambda m, e: Fraction(m) / 10**e, st.integers(-(10**20), 10**20), st.integers(0, 40))
floats = st.floats(allow_nan=False, allow_infinity=False).map(Fraction)


@given(st.lists(st.tuples(decimals, floats), min_size=1, max_size=3), st.booleans())
def test_round_trip(rows: list[tuple[Fraction, Fraction]], normalize: bool) -> None:
    network = Network([([list(row) for row in rows], [0] * len(rows)), ([[1] * len(rows)], ["-0.5"])])
    text = as_text(network)
    assert network_of(text, normalize=normalize) == network
    assert as_text(network_of(text)) == text


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_written_floats_read_back_in_every_mode(x: float) -> None:
    network = Network([(np.float32([[x]]), np.float32([0]))])
    assert {network_of(as_text(network), numbers=mode) for mode in ("decimal", "float32", "float64")} == {network}


@pytest.mark.parametrize("numbers", ["decimal", "float32", "float64"])
@pytest.mark.parametrize(
    ("network", "widths"),
    [
        (Network([([], []), ([[]], ["-7/2"])], inputs=2), (2, 1, 1)),
        (Network([(np.ones((1, 2)), np.ones(1)), ([], []), ([], []), ([[], []], [3, 4])]), (2, 1, 1, 1, 2)),
        (Network([([], []), ([[], []], [1, -1]), ([[1, 1]], [0])], inputs=1), (1, 1, 2, 1)),
    ],
)
def test_a_layer_of_width_0_is_written_as_a_dead_unit(network: Network, widths: tuple[int, ...], numbers: str) -> None:
    again = network_of(as_text(network), numbers=numbers)
    assert again.widths == widths
    for before, layer, behind in zip(network.layers, again.layers, again.layers[1:], strict=False):
        if before.weight.nrows == 0:
            rows = [column_of(layer.bias), *rows_of(layer.weight), *rows_of(behind.weight)]
            assert all(value == 0 for row in rows for value in row)
    for point in ([5, -2], [0, 0], [-3, 7]):
        assert again(point[: widths[0]]) == network(point[: widths[0]])
    assert equal(again, network).truth


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (Network([([["1/3"]], [0])]), r"layer 0, weight, entry \(0, 0\): '1/3' is no finite decimal"),
        (Network([([[1]], ["sqrt(2)"])]), r"layer 0, bias, entry \(0, 0\): 'sqrt\(2\)' is no finite decimal"),
    ],
)
def test_what_does_not_fit(network: Network, message: str) -> None:
    with pytest.raises(RelusymError, match=message):
        as_text(network)


def test_through_files(tmp_path: Path) -> None:
    path = tmp_path / "a.nnet"
    path.write_text(STANDARD)
    assert load(path, numbers="float32") == network_of(STANDARD, numbers="float32")
    assert load_with_notes(path, numbers="float32", normalize=True)[1] == {
        "format": ".nnet",
        "numbers": "decimal text read as float32",
        "normalisation": "applied",
        "widths": "2 2 1",
    }
