"""JSON, the format that holds every exact number: strings and integers as they are, other numbers only by name.

The object itself is :meth:`relusym.Network.from_dict`'s; this room turns text into it without losing a digit: numbers
with a point or an exponent arrive as :class:`decimal.Decimal`, very long integers as their own text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, BinaryIO, Final

from relusym.errors import FormatError
from relusym.exact.expression import MAX_DIGITS
from relusym.exact.floats import check_decimal, shorten
from relusym.limits import Limits
from relusym.parameters.json_object import Unreadable
from relusym.parameters.network import Network

_SHOWN: Final = 40
_INT_DIGITS: Final = 4300
"""Python turns no longer text into an int; such integers stay strings, which are exact as well."""


def read_json(data: bytes, limits: Limits | None = None) -> tuple[Network, dict[str, str]]:
    """Read the JSON object of a network.

    Parameters
    ----------
    data
        The content of the file.
    limits
        ``Limits(field_degree=...)`` bounds the degree of the number field that holds all entries.

    Returns
    -------
    The network, and the notes on how it was read.

    Raises
    ------
    FormatError
        If the text is no JSON, nested too deeply, names a key twice, or is no network object.
    ShapeError, FieldError
        If the sizes do not fit, or an entry is no real algebraic number.

    Examples
    --------
    >>> text = b'{"format": "relusym-network", "version": 1, "layers": [{"weight": [["1/2"]], "bias": [1]}]}'
    >>> network, notes = read_json(text)
    >>> network.widths
    (1, 1)
    """
    numbers = _Numbers()
    value = _parse(data, numbers)
    if not isinstance(value, dict):
        raise FormatError('the JSON value is no object; {"format": "relusym-network", …} is needed')
    network = Network.from_dict(value, limits=limits)
    numbers.check()  # what is unreadable in the network itself has been refused, with its place
    floats = value.get("floats")
    reading = "exact text" if floats is None else f'exact text; JSON numbers as "{floats}"'
    return network, {"format": "JSON", "numbers": reading}


def parse_json(data: bytes) -> Any:
    """Parse JSON text, keeping every digit and refusing what is ambiguous.

    Raises
    ------
    FormatError
        For text that is no UTF-8 or no JSON, NaN, infinities, a key named twice, numbers beyond the caps, deep nesting.
    """
    numbers = _Numbers()
    value = _parse(data, numbers)
    numbers.check()
    return value


def _parse(data: bytes, numbers: _Numbers) -> Any:
    """Parse JSON text with numbers that cannot be read left in it, as marks."""
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            parse_float=numbers.decimal,
            parse_int=numbers.integer,
            parse_constant=numbers.constant,
            object_pairs_hook=_unique_keys,
        )
    except RecursionError:
        raise FormatError("the JSON text is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"the text is not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise FormatError(f"no JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None


def exact_json(value: Any, place: str) -> Any:
    """Return what :func:`parse_json` has made of a text, if each number in it is an integer or text.

    A JSON number such as 0.1 does not say whether 1/10 or a float is meant.

    Parameters
    ----------
    value
        The JSON value.
    place
        What it is, for the message: ``"the domain"``.

    Raises
    ------
    FormatError
        For a number with a point or an exponent; the message names the first one and its place.

    Examples
    --------
    >>> exact_json(parse_json(b'[["0.1", 1], [null, "sqrt(2)"]]'), "the domain")
    [['0.1', 1], [None, 'sqrt(2)']]
    >>> exact_json(parse_json(b'[[0, 1], [0.1, 1]]'), "the domain")
    Traceback (most recent call last):
    relusym.errors.FormatError: the domain, entry [1][0]: the JSON number 0.1 is no exact text; quote it: "0.1"
    """
    pending = [("", value)]  # a stack of our own: JSON may be nested as deeply as Python calls may
    while pending:
        where, item = pending.pop()
        if isinstance(item, Decimal):
            shown, entry = _cut(str(item)), f", entry {_cut(where)}" if where else ""
            raise FormatError(f'{place}{entry}: the JSON number {shown} is no exact text; quote it: "{shown}"')
        if isinstance(item, list):
            parts = [(f"{where}[{index}]", part) for index, part in enumerate(item)]
            pending.extend(reversed(parts))
        elif isinstance(item, dict):
            parts = [(f"{where}[{shorten(key)}]", part) for key, part in item.items()]
            pending.extend(reversed(parts))
    return value


def write_json(network: Network, stream: BinaryIO) -> None:
    """Write the JSON object of a network, one row a line; the same network gives the same bytes."""
    for text in _lines(network.to_dict()):
        stream.write(text.encode("ascii"))


def _lines(value: dict[str, Any]) -> Iterator[str]:
    head = {key: item for key, item in value.items() if key != "layers"}
    yield json.dumps(head)[:-1] + ', "layers": ['
    for number, layer in enumerate(value["layers"]):
        yield (",\n" if number else "\n") + ' {"weight": ['
        for place, row in enumerate(layer["weight"]):
            yield (",\n   " if place else "\n   ") + json.dumps(row)
        yield '],\n  "bias": ' + json.dumps(layer["bias"]) + "}"
    yield "\n]}\n"


class _Numbers:
    """Makes the numbers of one JSON text, and remembers the first that cannot be read: the parser knows no places."""

    def __init__(self) -> None:
        self._first: Unreadable | None = None

    def check(self) -> None:
        """Raise :class:`FormatError` if there was a number that cannot be read."""
        if self._first is not None:
            raise FormatError(self._first.message)

    def decimal(self, text: str) -> Decimal | Unreadable:
        try:
            return Decimal(check_decimal(text))
        except FormatError as error:
            return self._mark(text, str(error))

    def integer(self, text: str) -> int | str | Unreadable:
        if len(text) > MAX_DIGITS:
            return self._mark(text, f"a number of {len(text)} characters is beyond the limit of {MAX_DIGITS} digits")
        return int(text) if len(text) <= _INT_DIGITS else text

    def constant(self, text: str) -> Unreadable:
        return self._mark(text, f"{text} is no real number; finite numbers are accepted")

    def _mark(self, text: str, message: str) -> Unreadable:
        mark = Unreadable(_cut(text), message)
        self._first = self._first or mark
        return mark


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise FormatError(f"the key {shorten(twice)} is named twice in one JSON object")
    return value
