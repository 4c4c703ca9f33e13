"""A network as a sequence of stages on homogeneous vectors, and the generators on which it is evaluated.

A stage computes linear forms of the inputs, or of the ReLU outputs of an earlier stage. One network gives one stage a
hidden layer. Two networks side by side give the stages of both in turn, so that one complex refines the cells of both;
an extra stage on top cuts the cells by a function such as f_i − f_j. Stage 0 holds the walls of the domain: forms that
are not negative on it.

Every form has a *bit*: bit 0 is the homogeneous coordinate (positive at points, zero at infinity), then come the walls,
then the neurons, stage by stage. A set of bits is a Python integer, and a ternary sign sequence is a pair of such sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import gcd
from operator import mul
from typing import Any, NamedTuple

from relusym.polyhedral.arithmetic import Arithmetic, Product, Vector

INPUTS = -1
"""The source of a stage that reads the inputs."""


class Form(NamedTuple):
    """Rows (weights, bias) of a stage over the field, and the stage whose ReLU outputs they read."""

    source: int
    rows: list[Vector]


class Stage(NamedTuple):
    """A prepared stage.

    Attributes
    ----------
    source
        The stage whose ReLU outputs it reads, or :data:`INPUTS`.
    rows
        Cleared rows, the factor of the homogeneous coordinate last; they are ``scale`` times the true ones.
    first, end
        Its bits.
    mask
        Its bits as a set.
    """

    source: int
    rows: list[Vector]
    scale: Any
    first: int
    end: int
    mask: int
    product: Product


class Generator:
    """A point or a direction, with the values and the signs of all forms there.

    A vertex and the recession of a continuous piecewise linear function in a direction depend on no cell: cells share
    their generators, and each is evaluated once.
    """

    __slots__ = ("neg", "pos", "support", "values", "vector")

    def __init__(self, vector: Vector, values: Vector, pos: int, neg: int) -> None:
        self.vector = vector
        self.values = values
        self.pos = pos
        self.neg = neg
        self.support = pos | neg


class Circuit:
    """Stages with their generators and, for each pattern of active neurons, their affine maps.

    Parameters
    ----------
    arithmetic
        Of the common field.
    inputs
        The number d of coordinates.
    forms
        The stages over the field; the first holds the walls.
    outputs
        One form for each network: its last layer, which has no bits.
    """

    def __init__(
        self, arithmetic: Arithmetic, inputs: int, forms: Sequence[Form], outputs: Sequence[Form] = ()
    ) -> None:
        self.arithmetic = arithmetic
        self.inputs = inputs
        self.forms = tuple(forms)
        self.output_forms = tuple(outputs)
        self.stages: list[Stage] = []
        first = 1
        for form in forms:
            self.stages.append(self._prepare(form, first))
            first += len(form.rows)
        self.outputs = [self._prepare(form, first)._replace(end=first, mask=0) for form in outputs]
        self.bits = first
        self.stage_of_bit = [0] + [
            index for index, stage in enumerate(self.stages) for _ in range(stage.end - stage.first)
        ]
        self.walls = self.stages[0].mask
        self.neurons = (1 << first) - (1 << self.stages[0].end)
        self._last = len(self.stages) - 1
        self._needed = [self._needed_at(index) for index in range(len(self.stages))]
        self._affine_forms = lru_cache(maxsize=4096)(self._affine_forms_of)

    def _needed_at(self, index: int) -> tuple[int, int, int]:
        """Return which values a generator on an edge that a form of this stage cuts needs: from which bit, to which.

        Between the two come the first bit of the stage itself.
        """
        stage = self.stages[index]
        read = [self.stages[later.source].first for later in self.stages[index + 1 :] if later.source != INPUTS]
        return min([stage.first, *read]), stage.first, stage.end

    def _prepare(self, form: Form, first: int) -> Stage:
        arithmetic = self.arithmetic
        below = arithmetic.one if form.source == INPUTS else self.stages[form.source].scale
        rows, factor = arithmetic.clear([[*row[:-1], row[-1] * below] for row in form.rows])
        end = first + len(rows)
        product: Product = arithmetic.product(rows) if rows else _nothing
        return Stage(form.source, rows, below * factor, first, end, (1 << end) - (1 << first), product)

    # -- generators

    def evaluate(self, vector: Vector, values: Vector, pos: int, neg: int, stage: int) -> Generator:
        """Return the generator of a vector whose values and signs before ``stage`` are known."""
        homogeneous = vector[-1]
        bit = 1 << len(values)
        for source, _, _, _, _, _, product in self.stages[stage:]:
            if source == INPUTS:
                computed = product(vector)
            else:
                read = self.stages[source]
                outputs = [value if value > 0 else 0 for value in values[read.first : read.end]]
                outputs.append(homogeneous)
                computed = product(outputs)
            for value in computed:
                if value > 0:
                    pos |= bit
                elif value < 0:
                    neg |= bit
                bit <<= 1
            values += computed
        return Generator(vector, values, pos, neg)

    def generator(self, vector: Vector) -> Generator:
        """Return the generator of a vector."""
        content = self.arithmetic.content(vector)
        if content is not None:
            vector = self.arithmetic.divide(vector, content)
        homogeneous = vector[-1]
        return self.evaluate(vector, [homogeneous], int(homogeneous > 0), int(homogeneous < 0), 0)

    def between(self, u: Generator, v: Generator, bit: int, stage: int) -> Generator:
        """Return where the edge from u (form positive) to v (form negative) meets the zero set of a form of ``stage``.

        The forms up to ``stage`` are linear on the edge, so their values there come from the two ends. Those of the
        stages before it do not change their signs along the edge, and nothing asks for their values again unless a
        later stage reads them.
        """
        a, b = u.values[bit], v.values[bit]
        if isinstance(a, int):
            common = gcd(a, b)
            if common > 1:
                a //= common
                b //= common
        start, first, end = self._needed[stage]
        vector = [a * y - b * x for x, y in zip(u.vector, v.vector)]  # noqa: B905
        values = [a * y - b * x for x, y in zip(u.values[start:end], v.values[start:end])]  # noqa: B905
        content = self.arithmetic.content(vector)
        if content is not None:
            vector = self.arithmetic.divide(vector, content)
            values = self.arithmetic.divide(values, content)
        values = [0] * start + values
        linear = (1 << end) - 1
        pos, neg = (u.pos | v.pos) & linear, (u.neg | v.neg) & linear
        crossing = pos & neg & -(1 << first)
        while crossing:
            low = crossing & -crossing
            crossing ^= low
            value = values[low.bit_length() - 1]
            if not value > 0:
                pos ^= low
            if not value < 0:
                neg ^= low
        if stage == self._last:
            return Generator(vector, values, pos, neg)
        return self.evaluate(vector, values, pos, neg, stage + 1)

    # -- affine maps

    def affine_forms(self, pattern: int, index: int) -> list[Vector]:
        """Return the rows of a stage as linear forms of (x, 1), with exactly the neurons in ``pattern`` active.

        They are ``stages[index].scale`` times the true ones.
        """
        return self._affine_forms(pattern & self._reads(self.stages[index]), index)

    def form(self, pattern: int, bit: int) -> Vector:
        """Return the form of one bit in the same way."""
        index = self.stage_of_bit[bit]
        return self.affine_forms(pattern, index)[bit - self.stages[index].first]

    def affine_outputs(self, pattern: int, network: int) -> list[Vector]:
        """Return the outputs of a network in the same way."""
        return self._affine_forms(pattern & self._reads(self.outputs[network]), ~network)

    def _reads(self, stage: Stage) -> int:
        """Return the bits that the affine maps of a stage depend on."""
        mask = 0
        while stage.source != INPUTS:
            stage = self.stages[stage.source]
            mask |= stage.mask
        return mask

    def _affine_forms_of(self, pattern: int, index: int) -> list[Vector]:
        stage = self.outputs[~index] if index < 0 else self.stages[index]
        if stage.source == INPUTS:
            return stage.rows
        source = self.stages[stage.source]
        below = self.affine_forms(pattern, stage.source)
        active = [i for i in range(source.end - source.first) if pattern >> source.first + i & 1]
        columns = list(zip(*(below[i] for i in active), strict=True)) or [()] * (self.inputs + 1)
        result = []
        for row in stage.rows:
            factors = [row[i] for i in active]
            form = [sum(map(mul, factors, column)) for column in columns]
            form[-1] = form[-1] + row[-1]
            result.append(form)
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        return Circuit, (self.arithmetic, self.inputs, self.forms, self.output_forms)


def _nothing(vector: Vector) -> Vector:
    return vector[:0]
