"""One or more networks on a domain, made ready to be cut into cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from relusym.errors import DomainError, ShapeError
from relusym.exact.matrix import column_of, rows_of
from relusym.exact.numbers import read_point, settle
from relusym.exact.tower import Embedding, common_tower
from relusym.limits import Limits
from relusym.parameters.network import Network, require_network
from relusym.polyhedral.arithmetic import Vector, arithmetic_of, rank
from relusym.polyhedral.circuit import INPUTS, Circuit, Form, Generator
from relusym.polyhedral.cone import Cone, Cutter
from relusym.polyhedral.domain import MOST_DIMENSIONS, Domain, read_domain


class Neuron(NamedTuple):
    """A hidden neuron, counted from 0: its layer and its place there (and its network, where there are several)."""

    layer: int
    neuron: int
    network: int = 0


class Level(NamedTuple):
    """The function output ``plus`` − output ``minus`` − ``constant`` of the first network (``minus`` may be absent)."""

    plus: int
    minus: int | None
    constant: Any


class Arrangement:
    """Networks on a domain as a circuit of forms, with the coordinates of the domain.

    Attributes
    ----------
    circuit : Circuit
        Stage 0 holds the walls; then come the hidden layers, those of several networks in turn.
    domain : Domain
        The chart and the walls.
    neurons : list of Neuron
        The neuron of each bit, from bit ``first_neuron`` on.
    dimension : int
        d, that of the domain.
    """

    def __init__(self, networks: Sequence[Network], domain: Any = None, *, limits: Limits | None = None) -> None:
        for network in networks:
            require_network(network, "a polyhedral complex")
        inputs = {network.widths[0] for network in networks}
        if len(inputs) != 1:
            raise ShapeError(f"the networks have {sorted(inputs)} inputs; the same number is due")
        self.networks = tuple(networks)
        self.inputs = inputs.pop()
        tower = common_tower([network.field for network in networks], (limits or Limits()).field_degree)
        self.domain: Domain = read_domain(domain, self.inputs, tower)
        self.field = tower.field
        self._prepare(*_stages(self.domain, networks, [tower.embedding(network.field) for network in networks]))

    def _prepare(self, forms: list[Form], outputs: list[Form], neurons: list[Neuron]) -> None:
        self.neurons = neurons
        self.circuit = Circuit(arithmetic_of(self.field), self.dimension, forms, outputs)
        self.first_neuron = self.circuit.stages[0].end

    def with_level(self, level: Level) -> Arrangement:
        """Return the same arrangement cut by a level function, whose bit comes last."""
        outputs = self.circuit.output_forms
        top = Form(outputs[0].source, [_level_row(outputs[0].rows, level)])
        refined = Arrangement.__new__(Arrangement)
        for name in ("networks", "inputs", "domain", "field"):
            setattr(refined, name, getattr(self, name))
        refined._prepare([*self.circuit.forms, top], list(outputs), self.neurons)
        return refined

    @property
    def dimension(self) -> int:
        """The dimension of the domain."""
        return len(self.domain.chart.free)

    @cached_property
    def cutter(self) -> Cutter:
        """What cuts cones of this circuit."""
        return Cutter(self.circuit)

    @cached_property
    def essential_dimension(self) -> int:
        """The number of dimensions in which anything changes: those modulo the lines that no form crosses."""
        rows = [row[:-1] for stage in self.circuit.stages if stage.source == INPUTS for row in stage.rows]
        return rank(self.field, rows) if rows else 0

    @property
    def is_low_dimensional(self) -> bool:
        """Whether vertices are enumerated without being asked for."""
        return self.essential_dimension <= MOST_DIMENSIONS

    def root(self) -> Cone:
        """Return the domain as a cone."""
        cone = self.cutter.whole_space()
        for bit in range(1, self.first_neuron):
            part = self.cutter.restrict(cone, bit, 1, 0)
            assert part is not None, "a domain is not empty"
            cone = part
        return cone

    def bit(self, layer: int, neuron: int, network: int = 0) -> int:
        """Return the bit of a hidden neuron.

        Raises
        ------
        ShapeError
            Where there is no such neuron.
        """
        try:
            return self.first_neuron + self._places[Neuron(layer, neuron, network)]
        except KeyError:
            widths = self.networks[network].widths[1:-1] if 0 <= network < len(self.networks) else ()
            raise ShapeError(
                f"there is no neuron {neuron!r} in layer {layer!r}; the hidden layers, from 0, have {widths} neurons"
            ) from None

    @cached_property
    def _places(self) -> dict[Neuron, int]:
        return {neuron: index for index, neuron in enumerate(self.neurons)}

    @property
    def level_bit(self) -> int:
        """The bit of the level function, the last one."""
        return self.circuit.bits - 1

    def generator_at(self, x: Sequence[Any]) -> Generator:
        """Return the generator of a point of the domain, given as exact numbers that users type.

        Raises
        ------
        DomainError
            Where the point is outside the domain.
        """
        tower, point = settle(read_point(x, self.inputs, "the point"), self.field)
        if tower.field != self.field:
            raise DomainError(f"the point is not over {self.field!r}, the field of the complex")
        t = self.domain.chart.coordinates(point)
        if t is not None:
            rows, _ = self.circuit.arithmetic.clear([[*t, self.field.rational(1)]])
            generator = self.circuit.generator(rows[0])
            if not generator.neg & self.circuit.walls:
                return generator
        raise DomainError("the point is outside the domain of the complex")

    def cone_of(self, pos: int, neg: int) -> Cone | None:
        """Return the cell with one ternary sign sequence as a cone, or None where there is none."""
        cone: Cone | None = self.cutter.whole_space()
        for bit in range(1, self.circuit.bits):
            sign = (pos >> bit & 1) - (neg >> bit & 1)
            cone = self.cutter.restrict(cone, bit, sign, self.circuit.stage_of_bit[bit]) if cone is not None else None
        return cone if cone is not None and cone.signs() == (pos | 1, neg) else None

    def point(self, vector: Vector) -> tuple[Any, ...]:
        """Return the point x of a homogeneous vector."""
        ratio = self.circuit.arithmetic.ratio
        return tuple(self.domain.chart.point([ratio(value, vector[-1]) for value in vector[:-1]]))

    def direction(self, vector: Vector) -> tuple[Any, ...]:
        """Return the direction of a homogeneous vector."""
        ratio, one = self.circuit.arithmetic.ratio, self.circuit.arithmetic.one
        return tuple(self.domain.chart.direction([ratio(value, one) for value in vector[:-1]]))

    def form(self, row: Sequence[Any], scale: Any) -> Vector:
        """Return a form of the circuit, ``scale`` times the true one, as a true form of x."""
        ratio = self.circuit.arithmetic.ratio
        return self.domain.chart.extend([ratio(value, scale) for value in row])


def _stages(
    domain: Domain, networks: Sequence[Network], embeddings: Sequence[Embedding]
) -> tuple[list[Form], list[Form], list[Neuron]]:
    """Return the hidden stages (the walls first), the outputs, and the neurons in the order of their bits."""
    forms = [Form(INPUTS, domain.walls)]
    neurons: list[Neuron] = []
    below = [INPUTS] * len(networks)
    layers = [list(_layers(network, embedding)) for network, embedding in zip(networks, embeddings, strict=True)]
    for rows in layers:
        rows[0] = list(map(domain.chart.substitute, rows[0]))
    for index in range(max(network.depth for network in networks)):
        for which, network in enumerate(networks):
            if index < network.depth:
                forms.append(Form(below[which], layers[which][index]))
                neurons += [Neuron(index, i, which) for i in range(len(forms[-1].rows))]
                below[which] = len(forms) - 1
    return forms, [Form(source, rows[-1]) for source, rows in zip(below, layers, strict=True)], neurons


def _layers(network: Network, embedding: Embedding) -> Iterator[list[Vector]]:
    for weight, bias in network.layers:
        yield [
            [*map(embedding, row), embedding(constant)]
            for row, constant in zip(rows_of(weight), column_of(bias), strict=True)
        ]


def _level_row(rows: list[Vector], level: Level) -> Vector:
    row = list(rows[level.plus])
    if level.minus is not None:
        row = [a - b for a, b in zip(row, rows[level.minus], strict=True)]
    row[-1] = row[-1] - level.constant
    return row
