"""Plain networks: a mapping of lists, read into exact numbers, and evaluated at a point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from relusym.decision.check.errors import malformed, shown
from relusym.decision.check.numbers import ZERO, Field, Number, Row, common, dot, lowest, total

PlainNetwork: TypeAlias = Mapping[str, object]
"""``{"inputs": m, "layers": [{"weight": rows, "bias": list}, ...]}`` with entries int, float, Fraction or text."""


MAX_INPUTS = 1_000_000  # the one size that need not have data behind it


class Layer(NamedTuple):
    """An affine map: ``weight`` has one row for each entry of ``bias``."""

    weight: list[Row]
    bias: Row


class Network(NamedTuple):
    """A network of exact numbers; hidden layers apply ReLU, the last one does not."""

    inputs: int
    layers: list[Layer]

    @property
    def widths(self) -> tuple[int, ...]:
        """The sizes of the input, of every hidden layer, and of the output."""
        return (self.inputs, *(len(layer.bias) for layer in self.layers))

    @property
    def depth(self) -> int:
        """The number of hidden layers."""
        return len(self.layers) - 1


def read_network(plain: object, field: Field, place: str) -> Network:
    """Return the network that a plain one stands for.

    Raises
    ------
    MalformedCertificate
        A key is missing, sizes do not fit, or an entry is no finite number.
    Unproved
        An entry is not in the field.

    Examples
    --------
    >>> hidden, output = {"weight": [["1/2"], [0.5]], "bias": [0, 0]}, {"weight": [[1, -1]], "bias": [3]}
    >>> plain = {"inputs": 1, "layers": [hidden, output]}
    >>> read_network(plain, Field(), "network 0").widths
    (1, 2, 1)
    """
    if not isinstance(plain, Mapping) or not isinstance(plain.get("layers"), (list, tuple)) or not plain["layers"]:
        malformed(place, "an object with 'inputs' and a list 'layers' of at least one layer is accepted")
    width = _inputs(plain, place)
    layers = []
    for index, layer in enumerate(plain["layers"]):
        layers.append(_read_layer(layer, width, field, f"{place}, layer {index}"))
        width = len(layers[-1].bias)
    return Network(_inputs(plain, place), layers)


def _inputs(plain: PlainNetwork, place: str) -> int:
    inputs = plain.get("inputs")
    if isinstance(inputs, bool) or not isinstance(inputs, int) or not 0 <= inputs <= MAX_INPUTS:
        malformed(place, f"'inputs' is the number of inputs, at most {MAX_INPUTS}, not {shown(inputs)}")
    return inputs


def _read_layer(layer: object, width: int, field: Field, place: str) -> Layer:
    if not isinstance(layer, Mapping):
        malformed(place, f"an object with 'weight' and 'bias' is accepted, not {shown(layer)}")
    bias = field.read_row(layer.get("bias"), f"{place}, bias")
    rows = layer.get("weight")
    if not isinstance(rows, (list, tuple)) or len(rows) != len(bias):
        malformed(place, f"'weight' is a list of {len(bias)} rows, one for each entry of 'bias'")
    weight = [field.read_row(row, f"{place}, row {index} of the weight", width) for index, row in enumerate(rows)]
    return Layer(weight, bias)


def relu(number: Number, field: Field) -> Number:
    """Return max(0, number), its case proved."""
    return number if field.sign(number) > 0 else ZERO


def evaluate(network: Network, point: Row, field: Field) -> Row:
    """Return the exact value of a network at a point.

    Raises
    ------
    Unproved
        The sign of a pre-activation does not show, or a number is beyond the limits.

    Examples
    --------
    >>> hidden, output = {"weight": [[1], [-1]], "bias": [0, 0]}, {"weight": [["1/2", 1]], "bias": [3]}
    >>> plain = {"inputs": 1, "layers": [hidden, output]}
    >>> evaluate(read_network(plain, Field(), "network 0"), [(-2, 1)], Field())
    [(5, 1)]
    """
    values = point
    for index, layer in enumerate(network.layers):
        numerators, denominator = common(values)
        shared = [(numerator, 1) for numerator in numerators]
        values = []
        for row, bias in zip(layer.weight, layer.bias, strict=True):
            numerator, unit = dot(row, shared)
            value = lowest(total([(numerator, unit * denominator), bias]))
            values.append(value if index == network.depth else relu(value, field))
    return values
