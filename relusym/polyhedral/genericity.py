"""Is a parameter generic, in the four senses that make the breakpoints of a deep network readable?

* *Supertransversal*: every cell of codimension j lies in exactly j bent hyperplanes.
* *Cancellation-free*: the gradient jumps on every (d − 1)-cell of a bent hyperplane (its tropical weight is not 0),
  unless a later layer is wholly inactive there.
* *Transparent*: in the interior of every activation region each layer has an active neuron.
* *TPIC*: the bent hyperplanes of any two neurons of adjacent layers meet, and transversally. Transversally means that
  what they share consists of (d − 2)-cells and their faces, and that at each of these (d − 2)-cells either one
  continues on both sides of the other.

Each is decided on the exact complex, and a "no" names the cell, or the neurons, that break it. A (d − 1)-cell lies in
the bent hyperplane of the neurons that are positive on exactly one of its sides; a cell of lower dimension in those
that the cells around it lie in.

Together they make the dependency graph a function of f (:mod:`relusym.polyhedral.dependency`). They do not make f
determine its parameters: ``example:theta2`` is generic in all four senses, and ``example:theta1``, of the same
function, is in another orbit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple

from relusym.errors import Undecided
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network, require_network
from relusym.polyhedral.arrangement import Neuron
from relusym.polyhedral.cells import Cell, PointedCell
from relusym.polyhedral.complex import PolyhedralComplex, complex_of
from relusym.verdict import Decision


class Break(NamedTuple):
    """What breaks a condition.

    Attributes
    ----------
    cell : Cell or None
        The cell; None where two bent hyperplanes do not meet.
    neurons : tuple of Neuron
        The neurons concerned (layer and place, from 0).
    layer : int or None
        The layer without an active neuron, for transparency.
    """

    cell: Cell | None
    neurons: tuple[Neuron, ...] = ()
    layer: int | None = None


class BentHyperplanes:
    """Which cells of a complex lie in which bent hyperplanes: sets of bits, a dimension at a time."""

    def __init__(self, complex: PolyhedralComplex) -> None:
        self.complex = complex
        self._levels: dict[int, list[int]] = {}

    def sets(self, dimension: int) -> list[int]:
        """Return the bits of the bent hyperplanes that each of the cells of a dimension below d lies in."""
        if dimension not in self._levels:
            complex = self.complex
            if dimension == complex.dimension - 1:
                self._levels[dimension] = [self.of_facet(facet.sides) for facet in complex.facets]
            else:
                above = self.sets(dimension + 1)
                level = []
                for numbers in complex.cofaces(dimension).values():
                    bits = 0
                    for number in numbers:
                        bits |= above[number]
                    level.append(bits)
                self._levels[dimension] = level
        return self._levels[dimension]

    def of_facet(self, sides: tuple[int, ...]) -> int:
        """Return the neurons that are positive on one of two sides only, as bits."""
        if len(sides) < 2:
            return 0
        one, other = (self.complex.activation_regions[side].key[0] for side in sides)
        return (one ^ other) & self.complex.arrangement.circuit.neurons

    def neurons(self, bits: int) -> tuple[Neuron, ...]:
        """Return the neurons of a set of bits."""
        arrangement = self.complex.arrangement
        listed = enumerate(arrangement.neurons, start=arrangement.first_neuron)
        return tuple(neuron for bit, neuron in listed if bits >> bit & 1)


class Genericity:
    """The four conditions on a parameter, each decided when it is asked for; made by :func:`genericity`."""

    def __init__(self, f: Network, vertices: bool | None, limits: Limits | None, progress: Progress | None) -> None:
        self._network = f
        self._vertices = vertices
        self._limits = limits
        self._progress = progress

    def __repr__(self) -> str:
        return f"Genericity({self._network!r})"

    @property
    def complex(self) -> PolyhedralComplex:
        """The complex on which they are decided.

        Raises
        ------
        Undecided
            When limits end the enumeration of its regions.
        """
        if isinstance(self._complex, Undecided):
            raise self._complex
        return self._complex

    @cached_property
    def _complex(self) -> PolyhedralComplex | Undecided:
        try:
            return complex_of(self._network, vertices=self._vertices, limits=self._limits, progress=self._progress)
        except Undecided as limit:
            return limit

    @cached_property
    def _bent(self) -> BentHyperplanes:
        return BentHyperplanes(self.complex)

    @cached_property
    def supertransversal(self) -> Decision:
        """Whether every cell of codimension j lies in exactly j bent hyperplanes."""
        return self._decide(self._supertransversal)

    @cached_property
    def cancellation_free(self) -> Decision:
        """Whether the gradient jumps wherever a neuron bends, unless a later layer is wholly inactive there."""
        return self._decide(self._cancellation_free)

    @cached_property
    def transparent(self) -> Decision:
        """Whether each layer has an active neuron on every activation region."""
        return self._decide(self._transparent)

    @cached_property
    def tpic(self) -> Decision:
        """Whether the bent hyperplanes of adjacent layers meet, and transversally."""
        return self._decide(self._tpic)

    @property
    def conditions(self) -> dict[str, Decision]:
        """The four decisions by name."""
        names = ("supertransversal", "cancellation_free", "transparent", "tpic")
        return {name: getattr(self, name) for name in names}

    @property
    def generic(self) -> Decision:
        """Whether all four hold."""
        for wanted in (False, None):
            for name, decision in self.conditions.items():
                if decision.truth is wanted:
                    reason = f"{'not ' if wanted is False else ''}{name.replace('_', '-')}: {decision.reason}"
                    return Decision(wanted, reason, witness=decision.witness)
        return Decision(True, "supertransversal, cancellation-free, transparent, and TPIC")

    def explain(self) -> str:
        """Return the four answers as text."""
        answers = {True: "yes", False: "no", None: "undecided"}
        return "\n".join(f"{name}: {answers[d.truth]}: {d.reason}" for name, d in self.conditions.items())

    def _decide(self, decide: Callable[[Budget], Decision]) -> Decision:
        try:
            return decide(Budget(self._limits, self._progress))
        except (LimitReached, Undecided) as limit:
            return Decision(None, str(limit))

    # -- the conditions

    def _supertransversal(self, budget: Budget) -> Decision:
        complex = self.complex
        if self._without_vertices():
            return self._needs_vertices()
        for codimension in range(1, complex.dimension + 1):
            dimension = complex.dimension - codimension
            cells = complex.cells(dimension)
            for number, (cell, bits) in enumerate(zip(cells, self._bent.sets(dimension), strict=True)):
                budget.report(f"cells of dimension {dimension}", number, len(cells))
                if bits.bit_count() != codimension:
                    neurons = self._bent.neurons(bits)
                    reason = f"{cell!r} has codimension {codimension} and lies in {len(neurons)} bent hyperplanes"
                    return Decision(False, reason, witness=Break(cell, neurons))
        return Decision(True, "every cell lies in as many bent hyperplanes as its codimension")

    def _cancellation_free(self, budget: Budget) -> Decision:
        weights = self.complex.weights()
        last_first = [mask for _, mask in reversed(list(self._layers()))]
        for number, (cell, weight) in enumerate(weights.items()):
            budget.report("cells of codimension 1", number, len(weights))
            bits = self._bent.of_facet((weight.plus, weight.minus))
            if weight or not bits:
                continue
            for mask in last_first:
                if bits & mask:
                    neurons = self._bent.neurons(bits & mask)
                    reason = (
                        f"{cell!r} is in the bent hyperplane of {_named(neurons[0])}, where the gradient is the same"
                    )
                    return Decision(False, reason, witness=Break(cell, neurons))
                if not cell.key[0] & mask:
                    break  # wholly inactive: it hides all layers before it
        return Decision(True, "the gradient jumps wherever a neuron bends and no later layer is wholly inactive")

    def _transparent(self, budget: Budget) -> Decision:
        regions = self.complex.activation_regions
        for number, region in enumerate(regions):
            budget.report("activation regions", number, len(regions))
            for layer, mask in self._layers():
                if not region.key[0] & mask:
                    reason = f"on the region {region.pattern} no neuron of layer {layer} is active"
                    return Decision(False, reason, witness=Break(region, layer=layer))
        return Decision(True, f"on each of {len(regions)} activation regions every layer has an active neuron")

    def _tpic(self, budget: Budget) -> Decision:
        if self._network.depth < 2:
            return Decision(True, "there are no adjacent hidden layers")
        complex = self.complex
        if self._without_vertices():
            return self._needs_vertices()
        pairs = self._adjacent_pairs()
        met: set[tuple[int, int]] = set()
        for codimension in range(1, complex.dimension + 1):
            dimension = complex.dimension - codimension
            bent, around = self._bent.sets(dimension), list(complex.cofaces(dimension).items())
            for number, ((cell, numbers), bits) in enumerate(zip(around, bent, strict=True)):
                budget.report(f"cells of dimension {dimension}", number, len(around))
                for pair in pairs(bits):
                    if not self._is_transversal(codimension, numbers, pair):
                        one, other = self._bent.neurons(1 << pair[0] | 1 << pair[1])
                        reason = f"the bent hyperplanes of {_named(one)} and {_named(other)} touch along {cell!r}"
                        return Decision(False, reason, witness=Break(cell, (one, other)))
                    met.add(pair)
        for pair in pairs(complex.arrangement.circuit.neurons):
            if pair not in met:
                one, other = self._bent.neurons(1 << pair[0] | 1 << pair[1])
                reason = f"the bent hyperplanes of {_named(one)} and {_named(other)} do not meet"
                return Decision(False, reason, witness=Break(None, (one, other)))
        return Decision(True, f"all {len(met)} pairs of bent hyperplanes of adjacent layers meet transversally")

    def _is_transversal(self, codimension: int, numbers: list[int], pair: tuple[int, int]) -> bool:
        """Return whether two bent hyperplanes cross at a cell that both hold, given the cells around it."""
        if codimension == 1:
            return False
        dimension = self.complex.dimension - codimension + 1
        bent = self._bent.sets(dimension)
        one, other = pair
        if codimension > 2:
            return any(bent[number] >> one & 1 and bent[number] >> other & 1 for number in numbers)
        cells = self.complex.cells(dimension)
        for mine, theirs in ((one, other), (other, one)):
            sides = {cells[number].sign(theirs) > 0 for number in numbers if bent[number] >> mine & 1}
            if len(sides) < 2:
                return False
        return True

    # -- helpers

    def _layers(self) -> Iterator[tuple[int, int]]:
        """Iterate over the hidden layers with their bits."""
        first = self.complex.arrangement.first_neuron
        for layer, width in enumerate(self._network.widths[1:-1]):
            yield layer, ((1 << width) - 1) << first
            first += width

    def _adjacent_pairs(self) -> Callable[[int], Iterator[tuple[int, int]]]:
        """Return what lists the pairs of bits of adjacent layers in a set of bits."""
        layers = [mask for _, mask in self._layers()]

        def pairs(bits: int) -> Iterator[tuple[int, int]]:
            for below, above in pairwise(layers):
                yield from product(_members(bits & below), _members(bits & above))

        return pairs

    def _without_vertices(self) -> bool:
        regions = self.complex.activation_regions
        return self.complex.dimension > 1 and isinstance(regions[0], PointedCell)

    def _needs_vertices(self) -> Decision:
        dimensions = self.complex.arrangement.essential_dimension
        return Decision(None, f"cells of low dimension need vertices; in {dimensions} dimensions pass vertices=True")


def _members(bits: int) -> list[int]:
    return [index for index in range(bits.bit_length()) if bits >> index & 1]


def _named(neuron: Neuron) -> str:
    return f"neuron {neuron.neuron} of layer {neuron.layer}"


def genericity(
    f: Network,
    *,
    vertices: bool | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Genericity:
    """Return the four conditions that make a parameter generic, each a decision.

    Parameters
    ----------
    f
        Any depth, any number of outputs.
    vertices
        See :func:`relusym.complex_of`; above eight dimensions that count, ``supertransversal`` and ``tpic`` are
        undecided unless it is True.
    limits, progress
        For each condition; ``items`` counts activation regions.

    Raises
    ------
    FieldError
        When a condition is asked for over a number field above eight dimensions.

    Examples
    --------
    >>> from relusym import load
    >>> genericity(load("example:theta2")).generic.truth
    True
    >>> print(genericity(load("example:theta1")).transparent.reason)
    on the region --- no neuron of layer 0 is active
    """
    require_network(f, "genericity")
    return Genericity(f, vertices, limits, progress)
