"""The fewest hidden neurons of one hidden layer that realise a function, and a network that has them.

fewest = r + min over disjoint T, F of (|T| + 2·rank(R_F modulo span{a_q : q ∈ T})), for any number of outputs; see
:mod:`relusym.shallow.realisations`. It can be less than the number of nonzeros of the minimal form.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from relusym.errors import Undecided
from relusym.exact.matrix import make_matrix
from relusym.limits import Budget, Limits, Progress
from relusym.parameters.network import Layer, Network
from relusym.shallow.flips import require_one_hidden
from relusym.shallow.function_ridges import FunctionRidges, function_ridges
from relusym.shallow.masses import Vector, add, scaled, subtract
from relusym.shallow.realisations import Realisation, fewest_neurons, realisation
from relusym.shallow.ridge_form import canonical_factor


def min_width(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> int:
    """Return the fewest hidden neurons with which one hidden layer realises the function of ``f``.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.
    Undecided
        Where ``limits`` end the search; it carries proved bounds ``.lower`` and ``.upper``.

    Examples
    --------
    >>> from relusym import Network, min_width
    >>> min_width(Network.shallow([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 0))
    2
    """
    require_one_hidden(f, "the fewest neurons")
    return fewest(function_ridges(f), Budget(limits, progress)).neurons


def compress_shallow(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Network:
    """Return an equal network with the fewest hidden neurons; its width may be 0.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.
    Undecided
        Where ``limits`` end the search; ``.partial`` is an equal network with ``.upper`` neurons.
    """
    require_one_hidden(f, "shallow compression")
    given = function_ridges(f)
    try:
        found = fewest(given, Budget(limits, progress))
    except Undecided as undecided:
        partial = undecided.partial
        network = realised(given, partial) if isinstance(partial, Realisation) else f
        raise Undecided(str(undecided), lower=undecided.lower, upper=undecided.upper, partial=network) from None
    return realised(given, found)


def fewest(given: FunctionRidges, budget: Budget) -> Realisation:
    """Return a realisation with the fewest neurons: the network's own one where it has one neuron a ridge."""
    own = given.negative_sides
    return fewest_neurons(given.ridges, budget) if own is None else realisation(given.ridges, (), own)


def realised(given: FunctionRidges, found: Realisation) -> Network:
    """Return the network of a realisation.

    A ridge becomes a neuron on its positive side, on its negative side (F), or one on either (T); a pair (u, c)
    becomes two opposite neurons on a hyperplane that is no ridge.
    """
    field = given.masses.field
    neurons: list[tuple[Vector, Vector]] = []
    constant = given.constant
    shares = dict(zip(found.two_sided, found.shares, strict=True))
    for index, plane in enumerate(given.planes):
        factor = canonical_factor(field, plane.row)
        row, jump = scaled(plane.row, factor), [value / factor for value in plane.jump]
        negative = jump if index in found.negative else [value / factor for value in shares.get(index, ())]
        if index in found.negative or index in shares:
            neurons.append((negative, [-value for value in row]))
            constant = add(constant, scaled(negative, row[-1]))
        if index not in found.negative:
            neurons.append((subtract(jump, negative) if negative else jump, row))
    for weights, direction in found.pairs:
        row = [*direction, _free_bias(given, list(direction))]
        neurons.append(([-value for value in weights], row))
        neurons.append((list(weights), [-value for value in row]))
        constant = add(constant, scaled(list(weights), row[-1]))
    return _assembled(given, neurons, constant)


def _free_bias(given: FunctionRidges, direction: Vector) -> Any:
    """Return a bias with which a hyperplane of this direction is no ridge."""
    lead = next(value for value in direction if value != 0)
    unit = [value / lead for value in direction]
    taken = [plane.row[-1] * lead for plane in given.planes if plane.row[:-1] == unit]
    return next(given.masses.field.rational(fmpq(t)) for t in range(len(taken) + 1) if all(t != bias for bias in taken))


def _assembled(given: FunctionRidges, neurons: list[tuple[Vector, Vector]], constant: Vector) -> Network:
    field = given.masses.field
    hidden = Layer(
        make_matrix(field, [row[:-1] for _, row in neurons], given.masses.free),
        make_matrix(field, [[row[-1]] for _, row in neurons], 1),
    )
    weights = [[column[output] for column, _ in neurons] for output in range(given.masses.outputs)]
    output = Layer(make_matrix(field, weights, len(neurons)), make_matrix(field, [[value] for value in constant], 1))
    return Network.from_layers([hidden, output], field)
