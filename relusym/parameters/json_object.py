"""The JSON object of a network: exact numbers as text, floats only where the object says how to read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from relusym.errors import FormatError, RelusymError, ShapeError
from relusym.exact.floats import NUMBERS, read_decimal
from relusym.exact.matrix import column_of, text_rows
from relusym.limits import Limits
from relusym.parameters.network import Network

FORMAT = "relusym-network"
VERSION = 1


@dataclass(frozen=True, slots=True, repr=False)
class Unreadable:
    """A number in JSON text that is none, such as NaN, or beyond the caps; it is refused where its place is known.

    Attributes
    ----------
    text
        The number as it stands in the text, cut where it is long.
    message
        What is wrong with it.
    """

    text: str
    message: str

    def __repr__(self) -> str:
        return self.text


def network_to_object(network: Network) -> dict[str, Any]:
    """Return the JSON object of a network; every number is text that reads back equal."""
    layers = [
        {
            "weight": text_rows(layer.weight),
            "bias": [layer.bias.field.text(value) for value in column_of(layer.bias)],
        }
        for layer in network.layers
    ]
    return {"format": FORMAT, "version": VERSION, "inputs": network.widths[0], "layers": layers}


def network_from_object(data: Any, limits: Limits | None = None) -> Network:
    """Return the network of a JSON object; floats come as ``float`` or, keeping their text, as ``decimal.Decimal``.

    An :class:`Unreadable` number is refused with its place where the network needs it, and passed over elsewhere.
    """
    if not isinstance(data, Mapping):
        raise FormatError(f'a JSON object {{"format": "{FORMAT}", ...}} is due; got {_kind(data)}')
    if data.get("format") != FORMAT:
        raise FormatError(f'"format" must be "{FORMAT}"; got {_short(data.get("format"))}')
    if data.get("version") != VERSION or isinstance(data.get("version"), bool):
        raise FormatError(f'"version" must be {VERSION}; got {_short(data.get("version"))}')
    floats = data.get("floats")
    if floats is not None and floats not in NUMBERS:
        raise FormatError(f'"floats" must be one of {", ".join(NUMBERS)}; got {_short(floats)}')
    layers = data.get("layers")
    if not isinstance(layers, (list, tuple)):
        raise FormatError(f'"layers" must be a list; got {_kind(layers)}')
    read = [_layer(index, layer, floats) for index, layer in enumerate(layers)]
    return Network(read, _inputs(data.get("inputs")), limits=limits)


def _inputs(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FormatError(f'"inputs" must be a number of inputs; got {_short(value)}')
    return value


def _layer(index: int, layer: Any, floats: str | None) -> tuple[list[Any], list[Any]]:
    place = f"layer {index}"
    if not isinstance(layer, Mapping) or not {"weight", "bias"} <= layer.keys():
        raise FormatError(f'{place}: an object with "weight" and "bias" is due; got {_kind(layer)}')
    weight, bias = layer["weight"], layer["bias"]
    for name, part in (("weight", weight), ("bias", bias)):
        if not isinstance(part, (list, tuple)):
            raise FormatError(f"{place}, {name}: a list is due; got {_kind(part)}")
    rows = []
    for i, row in enumerate(weight):
        if not isinstance(row, (list, tuple)):
            raise ShapeError(f"{place}, weight[{i}]: a list of numbers is due; got {_kind(row)}")
        rows.append([_number(entry, floats, f"{place}, weight[{i}][{j}]") for j, entry in enumerate(row)])
    return rows, [_number(entry, floats, f"{place}, bias[{i}]") for i, entry in enumerate(bias)]


def _number(entry: Any, floats: str | None, place: str) -> Any:
    if isinstance(entry, (str, int)) and not isinstance(entry, bool):
        return entry
    if isinstance(entry, Unreadable):
        raise FormatError(f"{place}: {entry.message}")
    if not isinstance(entry, (float, Decimal)):
        raise FormatError(f"{place}: a number, as text or a JSON integer, is due; got {_kind(entry)}")
    if not (entry.is_finite() if isinstance(entry, Decimal) else math.isfinite(entry)):
        raise FormatError(f"{place}: {entry} is no real number; finite numbers are accepted")
    if floats is None:
        raise FormatError(
            f"{place}: the JSON number {_short(entry)} is no exact text; quote it, or say how to read floats: "
            f'"floats": "decimal", "float64" or "float32"'
        )
    try:
        return read_decimal(repr(entry) if isinstance(entry, float) else str(entry), floats)
    except RelusymError as error:
        raise error.at(place) from None


def _kind(value: Any) -> str:
    if isinstance(value, Unreadable):
        return value.text
    names = {dict: "an object", list: "a list", str: "text", type(None): "nothing", bool: "a truth value"}
    return names.get(type(value), "a number" if isinstance(value, (int, float, Decimal)) else type(value).__name__)


def _short(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**30:
        return "a large integer"
    text = repr(value) if not isinstance(value, Decimal) else str(value)
    return text if len(text) <= 40 else text[:40] + "…"
