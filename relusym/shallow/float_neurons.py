"""The neurons of a shallow float network as arrays, without a Python object for each weight."""

from __future__ import annotations

import numpy as np
from flint import fmpq

from relusym.exact.float_arrays import FloatArray, IntArray, exact_product, integer_parts, leading
from relusym.exact.floats import dyadic
from relusym.exact.matrix import FloatMatrix, column_of
from relusym.parameters.network import Network
from relusym.shallow.masses import Vector

_WORTHWHILE = 4096
_CHUNK = 256
_FEW = 16


def suits(network: Network) -> bool:
    """Return whether a network is held in float arrays, and large enough for them to pay."""
    return (
        isinstance(network, Network)
        and network.depth == 1
        and network.widths[0] * network.widths[1] >= _WORTHWHILE
        and all(isinstance(layer.weight, FloatMatrix) for layer in network.layers)
        and isinstance(network.layers[0].bias, FloatMatrix)
    )


class FloatNeurons:
    """One network as arrays: its living neurons with their rows (a, b), leading entries and output weights."""

    def __init__(self, network: Network) -> None:
        hidden, output = network.layers
        assert isinstance(hidden.weight, FloatMatrix)
        assert isinstance(hidden.bias, FloatMatrix)
        assert isinstance(output.weight, FloatMatrix)
        self.columns: FloatArray = output.weight.array.T
        weights, biases = hidden.weight.array, hidden.bias.array
        used = self.columns.any(axis=1)
        varying = weights.any(axis=1)
        self.dead = np.flatnonzero(~used).tolist()
        self.constant = np.flatnonzero(used & ~varying).tolist()
        self.neurons: IntArray = np.flatnonzero(used & varying)
        precision = np.result_type(weights, biases)
        rows = np.empty((len(self.neurons), weights.shape[1] + 1), dtype=precision)
        rows[:, :-1] = weights[self.neurons]
        rows[:, -1] = biases[self.neurons, 0]
        self.rows: FloatArray = rows
        self.leads: list[float] = leading(rows).tolist()
        self.offset = [fmpq(0) + value for value in column_of(output.bias)]
        for index in self.constant:
            bias = float(biases[index, 0])
            if bias > 0:
                self.offset = [
                    total + dyadic(bias) * dyadic(value)
                    for total, value in zip(self.offset, self.columns[index].tolist(), strict=True)
                ]

    def mass(self, row: int) -> Vector:
        """Return |lead| · M of a living neuron."""
        size = abs(dyadic(self.leads[row]))
        return [size * dyadic(value) for value in self.columns[self.neurons[row]].tolist()]

    def linear(self) -> list[Vector]:
        """Return Λ of the ridge form: the sum of M ⊗ a over the living neurons with a negative leading entry."""
        negative = np.flatnonzero(np.array(self.leads) < 0)
        columns = self.columns[self.neurons[negative]].T.astype(np.float64)
        return exact_product(columns, self.rows[negative].astype(np.float64))

    def primitive_rows(self, rows: list[int]) -> tuple[IntArray, IntArray]:
        """Return odd parts and exponents of the primitive integer vectors of some rows, leading entry positive.

        Both of the shape of those rows; an entry is odd · 2^exponent, and 0 is (0, 0).
        """
        odd = np.empty((len(rows), self.rows.shape[1]), dtype=np.int64)
        exponent = np.empty_like(odd)
        signs = np.where(np.array(self.leads)[rows] < 0, -1, 1)
        for start in range(0, len(rows), _CHUNK):
            part = slice(start, start + _CHUNK)
            odd[part], exponent[part] = _primitive(self.rows[rows[part]], signs[part])
        return odd, exponent


def _primitive(rows: FloatArray, signs: IntArray) -> tuple[IntArray, IntArray]:
    mantissa, exponent = integer_parts(rows)
    lowest_bit = mantissa & -mantissa
    shift = np.where(mantissa == 0, 0, np.frexp(lowest_bit.astype(np.float64))[1] - 1)
    odd, exponent = mantissa >> shift, exponent + shift
    odd //= _common_divisors(odd)[:, None]
    odd *= signs[:, None]
    least = np.where(odd == 0, np.iinfo(np.int64).max, exponent).min(axis=1)
    return odd, np.where(odd == 0, 0, exponent - least[:, None])


def _common_divisors(odd: IntArray) -> IntArray:
    """Return the greatest common divisor of each row; most rows show within a few entries that it is 1."""
    divisors = np.gcd.reduce(odd[:, :_FEW], axis=1)
    open_rows = np.flatnonzero(divisors != 1)
    divisors[open_rows] = np.gcd.reduce(odd[open_rows], axis=1)
    return np.asarray(divisors)
