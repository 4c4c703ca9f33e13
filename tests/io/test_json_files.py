"""JSON keeps every digit and refuses what is ambiguous."""

from __future__ import annotations

import io
import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relusym.errors import FieldError, FormatError, RelusymError
from relusym.io import load, load_with_notes, save
from relusym.io.json_files import exact_json, parse_json, read_json, write_json
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


UNREADABLE = [
    ("NaN", "NaN is no real number; finite numbers are accepted"),
    ("-Infinity", "-Infinity is no real number; finite numbers are accepted"),
    ("1e999999999", "the decimal exponent of '1e999999999' is beyond the limit of 100000"),
    ("1" * 100_001, "a number of 100001 characters is beyond the limit of 100000 digits"),
]


@pytest.mark.parametrize("floats", [{}, {"floats": "float64"}])
@pytest.mark.parametrize(("number", "message"), UNREADABLE, ids=[text[:12] for text, _ in UNREADABLE])
def test_unreadable_entries_are_refused_with_their_place(number: str, message: str, floats: Any) -> None:
    head = json.dumps({"format": "relusym-network", "version": 1, "note": "x", **floats})[:-1]
    first = '{"weight": [[1, 2], [3, 4]], "bias": [5, 6]}'
    for layer, place in (
        (f'{{"weight": [[1, {number}]], "bias": [0]}}', r"weight\[0\]\[1\]"),
        (f'{{"weight": [[1, 1], [NaN, 1]], "bias": [0, {number}]}}', r"weight\[1\]\[0\]"),
        (f'{{"weight": [[1, 1], [1, 1]], "bias": [0, {number}]}}', r"bias\[1\]"),
    ):
        expected = "NaN is" if "NaN" in layer else re.escape(message) + "$"
        with pytest.raises(FormatError, match=f"^layer 1, {place}: {expected}"):
            read_json(f'{head}, "layers": [{first}, {layer}]}}'.encode())


@pytest.mark.parametrize(("number", "message"), UNREADABLE, ids=[text[:12] for text, _ in UNREADABLE])
def test_unreadable_numbers_elsewhere(number: str, message: str) -> None:
    """Certificates and domains are parsed by parse_json; a network may not hide such numbers beside its layers."""
    for text in (number, f"[[0, {number}]]", f'{{"a": [{{"b": {number}}}]}}'):
        with pytest.raises(FormatError, match=f"^{re.escape(message)}$"):
            parse_json(text.encode())
    text = document("1").decode()
    with pytest.raises(FormatError, match=f"^{re.escape(message)}$"):
        read_json(text.replace('"format"', f'"remark": [{number}], "format"').encode())
    for old, new, place in (
        ('"format"', f'"inputs": {number}, "format"', '"inputs" must be'),
        ('"format"', f'"floats": {number}, "format"', '"floats" must be'),
        ('"version": 1', f'"version": {number}', '"version" must be'),
        ("[[1]]", number, "layer 0, weight: a list"),
        ("[1]", number, r"layer 0, weight\[0\]: a list"),
    ):
        with pytest.raises(RelusymError, match=f"^{place} .*; got {re.escape(number[:40])}") as caught:
            read_json(text.replace(old, new, 1).encode())
        assert len(str(caught.value)) < 120


@pytest.mark.parametrize("number", [math.nan, -math.inf, Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity")], ids=str)
def test_python_values_that_are_no_numbers(number: Any) -> None:
    layers = [{"weight": [[0, number]], "bias": [0]}]
    with pytest.raises(FormatError, match=rf"^layer 0, weight\[0\]\[1\]: {number} is no real number"):
        Network.from_dict({"format": "relusym-network", "version": 1, "layers": layers})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[[0.1, 1]]", r"the domain, entry \[0\]\[0\]: the JSON number 0.1 is no exact text; quote it: \"0.1\""),
        ("[[0, null], [[[2, 5e-1], 3.0], 0.25]]", r"the domain, entry \[1\]\[0\]\[0\]\[1\]: the JSON number 0.5 "),
        ('{"a": [1, {"b": -2.0}], "c": 0.5}', r"the domain, entry \['a'\]\[1\]\['b'\]: the JSON number -2.0 "),
        ("7.0", "the domain: the JSON number 7.0 "),
        ("[" * 400 + "0.1" + "]" * 400, r"the domain, entry (\[0\]){13}\[…: "),
        (f"[0.{'123' * 100}]", r"the domain, entry \[0\]: the JSON number 0.[123]{38}… is"),
    ],
)
def test_exact_json_asks_for_quotes(text: str, place: str) -> None:
    with pytest.raises(FormatError, match=f"^{place}") as caught:
        exact_json(parse_json(text.encode()), "the domain")
    assert "\n" not in str(caught.value)


def test_exact_json_leaves_what_is_exact() -> None:
    value = parse_json(b'[[null, "0.1"], [-3, "sqrt(2)"], {"a": true}]')
    assert exact_json(value, "the domain") is value
    assert value == [[None, "0.1"], [-3, "sqrt(2)"], {"a": True}]


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
