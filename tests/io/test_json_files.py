"""JSON keeps every digit and refuses what is ambiguous."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relusym.errors import FieldError, FormatError, RelusymError
from relusym.io import load, load_with_notes, save
from relusym.io.json_files import parse_json, read_json, write_json
from relusym.parameters.network import Network


def as_bytes(network: Network) -> bytes:
    stream = io.BytesIO()
    write_json(network, stream)
    return stream.getvalue()


def document(weight: str, **extra: Any) -> bytes:
    head = {"format": "relusym-network", "version": 1, **extra}
    return (json.dumps(head)[:-1] + f', "layers": [{{"weight": [[{weight}]], "bias": [0]}}]}}').encode()


entries = st.one_of(
    st.integers(),
    st.fractions(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["sqrt(2)", "1/3 + 5*sqrt(2)", "-7/2"]),
)


@given(st.lists(st.lists(entries, min_size=2, max_size=2), min_size=1, max_size=3))
def test_round_trip(rows: list[list[Any]]) -> None:
    network = Network([(rows, [1] * len(rows)), ([["1/3"] * len(rows)], ["0.1"])])
    text = as_bytes(network)
    again, notes = read_json(text)
    assert again == network
    assert as_bytes(again) == text
    assert notes == {"format": "JSON", "numbers": "exact text"}


def test_width_zero_keeps_its_inputs() -> None:
    network = Network([([], []), ([[]], [3])], inputs=2)
    assert read_json(as_bytes(network))[0].widths == (2, 0, 1)


def test_floats_only_by_name() -> None:
    with pytest.raises(FormatError, match="floats"):
        read_json(document("0.1"))
    assert read_json(document("0.1", floats="decimal"))[0] == Network([([["1/10"]], [0])])
    assert read_json(document("0.1", floats="float64"))[0] == Network([([[0.1]], [0])])
    assert read_json(document("0.1", floats="float32"))[0] == Network([(np.float32([[0.1]]), [0])])
    assert read_json(document("0.1", floats="float32"))[1]["numbers"] == 'exact text; JSON numbers as "float32"'


def test_decimals_keep_all_digits() -> None:
    digits = "0." + "123456789" * 20
    assert read_json(document(digits, floats="decimal"))[0] == Network([([[Fraction(digits)]], [0])])


def test_long_integers() -> None:
    number = "7" * 5000
    again = read_json(document(number))[0]
    assert again == Network([([[number]], [0])])
    assert read_json(as_bytes(again))[0] == again


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[1]", "no object"),
        (b'"text"', "no object"),
        (b"{", "no JSON: .* at line 1, column 2"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"a": 1, "b": 2, "a": 3}', "the key 'a' is named twice"),
        (b'{"a": NaN}', "NaN is no real number"),
        (b'{"a": -Infinity}', "-Infinity is no real number"),
        (b'{"a": 1e999999999}', "exponent"),
        (b'{"a": ' + b"1" * 100_001 + b"}", "100001 characters"),
        (document("1e-100001", floats="float64"), "exponent"),
        (document('"pi"'), "'pi'"),
        (document('"1/0"'), "zero"),
        (document("true"), "layer 0"),
        (document("null"), "layer 0"),
    ],
)
def test_refused_in_one_line(text: bytes, message: str) -> None:
    with pytest.raises(RelusymError, match=message) as caught:
        read_json(text)
    assert "\n" not in str(caught.value)


def test_overflow_is_no_infinity() -> None:
    with pytest.raises(FieldError, match="largest finite float64"):
        read_json(document("1e400", floats="float64"))


def test_byte_order_mark() -> None:
    assert parse_json(b"\xef\xbb\xbf[1]") == [1]


def test_through_files(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    network = Network.shallow([1, 2], [["1/3"], [-1]], [0, 1], 3)
    save(network, path)
    assert load(path) == network
    assert load_with_notes(path)[1] == {"format": "JSON", "numbers": "exact text", "widths": "1 2 1"}
