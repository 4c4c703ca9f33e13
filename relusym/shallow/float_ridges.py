"""The ridge form of a large float network as arrays, without a Python object for each weight.

A canonical row is a primitive integer vector; each entry is held as an odd part and a power of two. Exact elements are
made only where a ridge is looked at.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from flint import fmpq

from relusym.exact.float_arrays import IntArray, proportional_classes
from relusym.parameters.network import Network
from relusym.shallow.float_neurons import FloatNeurons, suits
from relusym.shallow.masses import Vector, add, scaled


class FloatRidges:
    """Ridges, linear part and constant of a float network; made by :func:`float_ridges`.

    Attributes
    ----------
    odd, exponent : arrays of int64, shape (ridges, m + 1)
        The canonical rows: entry odd · 2^exponent, with (0, 0) for 0.
    unit_jumps
        The gradient jump of each ridge in units of its row with leading coefficient 1.
    linear, constant
        Λ and γ as rational numbers.
    """

    def __init__(self, neurons: FloatNeurons, classes: IntArray) -> None:
        jumps: dict[int, tuple[int, Vector]] = {}
        for row, number in enumerate(classes.tolist()):
            first, jump = jumps.get(number, (row, None))
            jumps[number] = first, neurons.mass(row) if jump is None else add(jump, neurons.mass(row))
        living = [(row, jump) for row, jump in jumps.values() if any(jump)]
        self.odd, self.exponent = neurons.primitive_rows([row for row, _ in living])
        self.unit_jumps = [jump for _, jump in living]
        affine = neurons.linear()
        self.linear = [line[:-1] for line in affine]
        self.constant = [line[-1] + value for line, value in zip(affine, neurons.offset, strict=True)]

    @cached_property
    def jumps(self) -> list[Vector]:
        """The gradient jumps in units of the canonical rows."""
        places = np.argmax(self.odd != 0, axis=1)
        index = np.arange(len(places))
        odd, exponent = self.odd[index, places].tolist(), self.exponent[index, places].tolist()
        leads = (fmpq(o) * fmpq(2) ** e for o, e in zip(odd, exponent, strict=True))
        return [scaled(jump, 1 / lead) for jump, lead in zip(self.unit_jumps, leads, strict=True)]

    def row(self, index: int) -> Vector:
        """Return one canonical row as exact elements."""
        pairs = zip(self.odd[index].tolist(), self.exponent[index].tolist(), strict=True)
        return [fmpq(odd << exponent) for odd, exponent in pairs]

    def __len__(self) -> int:
        return len(self.unit_jumps)

    def same_ridges(self, other: FloatRidges) -> bool:
        """Return whether rows and jumps agree, exactly: rows meet as keys of a dictionary."""
        if len(self) != len(other):
            return False
        return self._by_row() == other._by_row()

    def _by_row(self) -> dict[bytes, Vector]:
        rows = zip(self.odd, self.exponent, self.unit_jumps, strict=True)
        return {odd.tobytes() + exponent.tobytes(): jump for odd, exponent, jump in rows}


def float_ridges(f: Network) -> FloatRidges | None:
    """Return the ridge form of a large float network; None where it must be found in another way."""
    if not suits(f):
        return None
    neurons = FloatNeurons(f)
    classes = proportional_classes([neurons.rows])
    return None if classes is None else FloatRidges(neurons, classes)
