"""Infinitesimal symmetries: directions of parameter space in which the function stands still, in words.

They are the kernel of ∂f/∂θ. The positive scalings of hidden neurons are always in it; what is left over is given a
basis of vectors with few entries where there is one, tried in this order: single parameters that do not matter, neurons
that are always active, pairs of neurons of one layer, and whatever remains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from flint import fmpq

from relusym.exact.matrix import column_of, rows_of
from relusym.parameters.network import Network
from relusym.polyhedral.arithmetic import Vector
from relusym.polyhedral.derivative import Place, Span, kernel, places

_MOST_NAMED = 6


class InfinitesimalSymmetry(NamedTuple):
    """A direction in which the function stands still to first order.

    Attributes
    ----------
    vector : tuple
        D elements of the field: the direction, in the order layer by layer, row by row, the bias of a row last.
    places : tuple of Place
        The parameters that it moves.
    words : str
        Why, in words; vectors of one kind share them.
    """

    vector: tuple[Any, ...]
    places: tuple[Place, ...]
    words: str


class Activity:
    """Which neurons are active on which regions, by patterns (bit i: neuron i, counted layer by layer)."""

    def __init__(self, widths: Sequence[int], patterns: Sequence[int], ever: int, always: int) -> None:
        self._starts = [sum(widths[1:layer]) for layer in range(1, len(widths))]
        self._patterns = patterns
        self._ever = ever
        self._always = always

    def bit(self, layer: int, neuron: int) -> int:
        """Return the bit of a hidden neuron."""
        return self._starts[layer] + neuron

    def is_never(self, layer: int, neuron: int) -> bool:
        """Return whether a neuron is active nowhere."""
        return not self._ever >> self.bit(layer, neuron) & 1

    def is_always(self, layer: int, neuron: int) -> bool:
        """Return whether a neuron is active on every region."""
        return bool(self._always >> self.bit(layer, neuron) & 1)

    def together(self, layer: int, one: int, other: int) -> int:
        """Return 1 where two neurons are active on the same regions, −1 where on opposite ones, else 0."""
        first, second = self.bit(layer, one), self.bit(layer, other)
        seen = {(pattern >> first ^ pattern >> second) & 1 for pattern in self._patterns}
        return {frozenset([0]): 1, frozenset([1]): -1}.get(frozenset(seen), 0)


class Directions:
    """The kernel of ∂f/∂θ modulo positive scalings.

    Parameters
    ----------
    f
        The network.
    rows
        A basis of the row space of ∂f/∂θ.
    """

    def __init__(self, f: Network, rows: list[Vector]) -> None:
        self._network = f
        self._rows = rows
        self._places = places(f)
        self._index = {place: index for index, place in enumerate(self._places)}

    def _parameters(self) -> list[Any]:
        rational = self._network.field.rational
        values = [
            value
            for weight, bias in self._network.layers
            for row, end in zip(rows_of(weight), column_of(bias), strict=True)
            for value in (*row, end)
        ]
        return [rational(value) if isinstance(value, fmpq) else value for value in values]

    def scalings(self) -> Iterator[Vector]:
        """Iterate over the directions of the positive scalings, one a hidden neuron."""
        f, values = self._network, self._parameters()
        zero = f.field.rational(0)
        for layer in range(f.depth):
            for neuron in range(f.widths[layer + 1]):
                vector = [zero] * len(values)
                for place in self._into(layer, neuron):
                    vector[place] = values[place]
                for place in self._out_of(layer, neuron):
                    vector[place] = -values[place]
                yield vector

    def beyond_scaling(self) -> list[Vector]:
        """Return a basis of a complement of the scalings in the kernel."""
        span = self._scaling_span()
        basis = kernel(self._network.field, self._rows, len(self._places))
        return [vector for vector in basis if span.rank < len(basis) and span.extend(vector)]

    def _scaling_span(self) -> Span:
        span = Span()
        for vector in self.scalings():
            span.extend(vector)
        return span

    def described(self, activity: Activity) -> list[InfinitesimalSymmetry]:
        """Return such a basis of few entries a vector, in words."""
        span, dimension = self._scaling_span(), len(self._places) - len(self._rows)
        found = []
        for support, words in self._candidates(activity):
            if span.rank == dimension:
                break
            for vector in self._kernel_on(support):
                if span.extend(vector):
                    moved = tuple(self._places[index] for index, value in enumerate(vector) if value != 0)
                    found.append(InfinitesimalSymmetry(tuple(vector), moved, words or self._listed(moved)))
        return found

    def _kernel_on(self, support: list[int]) -> Iterator[Vector]:
        field = self._network.field
        part = [[row[index] for index in support] for row in self._rows]
        for short in kernel(field, part, len(support)):
            vector = [field.rational(0)] * len(self._places)
            for index, value in zip(support, short, strict=True):
                vector[index] = value
            yield vector

    def _candidates(self, activity: Activity) -> Iterator[tuple[list[int], str]]:
        """Iterate over sets of parameters, with what to say of kernel vectors on them."""
        f = self._network
        free = [index for index in range(len(self._places)) if not any(row[index] for row in self._rows)]
        unseen = set(free)
        for index in free:
            yield [index], self._why_free(self._places[index], unseen, activity)
        neurons = [(layer, neuron) for layer in range(f.depth) for neuron in range(f.widths[layer + 1])]
        for layer, neuron in neurons:
            if activity.is_always(layer, neuron):
                support = [*self._into(layer, neuron), *self._out_of(layer, neuron), *self._biases(layer + 1)]
                name = _neuron(layer, neuron)
                yield (
                    _without(support, unseen),
                    f"{name} is always active: what it adds can be moved to the biases of the next layer",
                )
        for layer in range(f.depth):
            for one, other in combinations(range(f.widths[layer + 1]), 2):
                if kind := activity.together(layer, one, other):
                    support = self._biases(layer + 1)
                    for neuron in (one, other):
                        support += [*self._into(layer, neuron), *self._out_of(layer, neuron)]
                    why = "the same regions" if kind > 0 else "opposite sides of one zero set"
                    yield (
                        _without(support, unseen),
                        f"neurons {one} and {other} of layer {layer} are active on {why}: their weights trade",
                    )
        yield _without(list(range(len(self._places))), unseen), ""

    def _why_free(self, place: Place, free: set[int], activity: Activity) -> str:
        layer, row, column = place
        f = self._network
        if layer < f.depth and all(index in free for index in self._into(layer, row)):
            never = activity.is_never(layer, row)
            why = "it is never active" if never else "what it adds never reaches the outputs"
            return f"the weights into {_neuron(layer, row)} do not matter: {why}"
        if column is not None and layer and activity.is_never(layer - 1, column):
            return f"the weights out of {_neuron(layer - 1, column)} do not matter: it is never active"
        return f"{_name(place, f.depth)} does not matter: wherever it would act, nothing passes it on"

    def _into(self, layer: int, neuron: int) -> list[int]:
        columns = (*range(self._network.widths[layer]), None)
        return [self._index[Place(layer, neuron, column)] for column in columns]

    def _out_of(self, layer: int, neuron: int) -> list[int]:
        return [self._index[Place(layer + 1, row, neuron)] for row in range(self._network.widths[layer + 2])]

    def _biases(self, layer: int) -> list[int]:
        return [self._index[Place(layer, row, None)] for row in range(self._network.widths[layer + 1])]

    def _listed(self, moved: Sequence[Place]) -> str:
        names = [_name(place, self._network.depth) for place in moved[:_MOST_NAMED]]
        if len(moved) > _MOST_NAMED:
            names.append(f"{len(moved) - _MOST_NAMED} more")
        return "these can move together: " + ", ".join(names)


def _without(support: Sequence[int], left_out: set[int]) -> list[int]:
    return [index for index in support if index not in left_out]


def _neuron(layer: int, neuron: int) -> str:
    return f"neuron {neuron} of layer {layer}"


def _name(place: Place, depth: int) -> str:
    layer, row, column = place
    target = f"output {row}" if layer == depth else _neuron(layer, row)
    if column is None:
        return f"the bias of {target}"
    source = f"input {column}" if layer == 0 else _neuron(layer - 1, column)
    return f"the weight from {source} to {target}"
