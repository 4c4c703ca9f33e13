"""The minimal form of a large float network on arrays, where binary64 holds it exactly.

A ray becomes the neuron (sign w; |w|/|s| · (a, b)), w its total weight and (a, b) = s · row its first neuron. The
products of a ratio of few bits and binary32 numbers fit in binary64, and then no object is made for each weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from relusym.exact.field import QQ
from relusym.exact.float_arrays import FloatArray, integer_parts, proportional_classes
from relusym.exact.floats import dyadic, is_float64
from relusym.exact.matrix import FloatMatrix, make_matrix
from relusym.parameters.network import Layer, Network
from relusym.shallow.float_neurons import FloatNeurons, suits
from relusym.shallow.masses import Vector

_DIGITS = 53


class FloatRays(NamedTuple):
    """The rays of θ_r of a float network with one output: for each the first neuron, and w in units of its row."""

    rows: FloatArray
    ratios: list[fmpq]
    constant: fmpq

    def neurons(self) -> list[tuple[int, Vector]]:
        """Return the neurons (u, (a, b)) of θ_r as exact elements, in no order."""
        rows = ([dyadic(value) for value in row.tolist()] for row in self.rows)
        return [(1 if q > 0 else -1, [abs(q) * v for v in row]) for q, row in zip(self.ratios, rows, strict=True)]

    def network(self, width: int) -> Network | None:
        """Return θ_r in the order of Definition 3, filled up to ``width`` with zeros; None unless binary64 holds it."""
        scaled = _exact_multiples(self.rows, self.ratios)
        if scaled is None:
            return None
        signs = np.array([1.0 if ratio > 0 else -1.0 for ratio in self.ratios])
        order = np.lexsort((*scaled.T[::-1], signs))[::-1]
        rows, output = np.zeros((width, scaled.shape[1])), np.zeros((1, width))
        rows[: len(order)], output[0, : len(order)] = scaled[order], signs[order]
        parts = rows[:, :-1].copy(), rows[:, -1:].copy(), output
        for part in parts:
            part.setflags(write=False)
        weight, bias, last = map(FloatMatrix, parts)
        return Network.from_layers([Layer(weight, bias), Layer(last, make_matrix(QQ, [[self.constant]], 1))], QQ)


def _exact_multiples(rows: FloatArray, ratios: list[fmpq]) -> NDArray[np.float64] | None:
    """Return |ratio| · row in binary64; None unless every product is exact."""
    factors = [is_float64(abs(ratio)) for ratio in ratios]
    if any(factor is None for factor in factors):
        return None
    column = np.array(factors, dtype=np.float64).reshape(-1, 1)
    with np.errstate(over="ignore", under="ignore"):
        products = column * rows.astype(np.float64)
    # What lies below the normal numbers may be rounded, up to the least of them at most.
    normal = np.isfinite(products) & ((rows == 0) | (np.abs(products) > np.finfo(np.float64).tiny))
    short = _digits(column) + _digits(rows).max(axis=1, initial=0).reshape(-1, 1) <= _DIGITS
    return products if normal.all() and short.all() else None


def _digits(array: FloatArray) -> NDArray[np.int64]:
    """Return the number of binary digits from the first to the last one of each entry; 0 for 0."""
    mantissa, _ = integer_parts(array)
    odd = mantissa // np.where(mantissa == 0, 1, mantissa & -mantissa)
    return np.frexp(odd.astype(np.float64))[1].astype(np.int64)


def float_rays(f: Network) -> FloatRays | None:
    """Return the rays of a large float network with one output; None where they must be found in another way."""
    if not suits(f):
        return None
    neurons = FloatNeurons(f)
    classes = proportional_classes([neurons.rows])
    if classes is None:
        return None
    totals: dict[tuple[int, bool], tuple[int, fmpq]] = {}
    for row, (number, lead) in enumerate(zip(classes.tolist(), neurons.leads, strict=True)):
        side = number, lead > 0
        first, total = totals.get(side, (row, fmpq(0)))
        totals[side] = first, total + neurons.mass(row)[0]
    living = [(row, total) for row, total in totals.values() if total != 0]
    ratios = [total / abs(dyadic(neurons.leads[row])) for row, total in living]
    return FloatRays(neurons.rows[[row for row, _ in living]], ratios, neurons.offset[0])
