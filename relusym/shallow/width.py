"""The fewest hidden neurons of one hidden layer that realise a function, and a network that has them.

fewest = r + min over disjoint T, F of (|T| + 2·rank(R_F modulo span{a_q : q ∈ T})), for any number of outputs; see
:mod:`relusym.shallow.realisations`. It can be less than the number of nonzeros of the minimal form.

:func:`width_of` has the answer with its certificate: T and F show that so many neurons suffice. That fewer do not needs
nothing where every ridge has one neuron, the linear algebra of Λ where that is enough, and else, for every T of the
next smaller excess, the absence of a subset sum (:mod:`relusym.exact.subset_sums`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from flint import fmpq

from relusym.errors import Undecided
from relusym.exact.matrix import make_matrix
from relusym.exact.subset_sums import clear_with_target, subset_with_sum
from relusym.exact.tower import Tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.certificate import certificate
from relusym.parameters.network import Layer, Network
from relusym.shallow.flips import expanded, require_one_hidden
from relusym.shallow.function_ridges import FunctionRidges, function_ridges
from relusym.shallow.masses import Vector, add, scaled, subtract
from relusym.shallow.realisations import (
    Realisation,
    echelon_basis,
    fewest_neurons,
    lower_bound,
    realisation,
    remainder,
)
from relusym.shallow.ridge_form import canonical_factor
from relusym.verdict import Decision


class Width(Decision):
    """The fewest hidden neurons of a function, with a network that has them; made by :func:`width_of`.

    Attributes
    ----------
    truth : True or None
        None where limits ended the search.
    width : int or None
        The fewest neurons; None where they are not known.
    lower, upper : int
        Proved bounds; both are the width where it is known.
    network : Network
        A network with the same function and ``upper`` hidden neurons.
    certificate : mapping or None
        Proves that ``width`` neurons suffice and fewer do not; None where limits ended it.
    """

    def __init__(
        self,
        bounds: tuple[int, int],
        network: Network,
        reason: str,
        *,
        certificate: Mapping[str, Any] | None = None,
        steps: Sequence[str] = (),
    ) -> None:
        self.lower, self.upper = bounds
        known = self.lower == self.upper
        super().__init__(True if known else None, reason, certificate=certificate, steps=steps)
        self.width = self.upper if known else None
        self.network = network


def width_of(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Width:
    """Return the fewest hidden neurons with which one hidden layer realises the function of ``f``, and the proof.

    Parameters
    ----------
    f
        A network with one hidden layer, any number of outputs.
    limits, progress
        See :class:`relusym.Limits`; where limits end the search, the bounds that are proved so far are returned.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.

    Examples
    --------
    >>> from relusym import Network, check
    >>> f = Network.shallow([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 0)
    >>> answer = width_of(f)
    >>> answer.width, check(answer.certificate, f)
    (2, True)
    >>> print(answer.explain())
    the gradient jumps across 1 hyperplane: 1 ridge, so at least 1 neuron
    no choice of sides leaves less than 1 more: subset sums, see the certificate
    ridge 0: neurons on both sides
    2 neurons are the fewest
    """
    require_one_hidden(f, "the search for the fewest neurons")
    given, budget = function_ridges(f), Budget(limits, progress)
    r, least = given.ridges.count, lower_bound(given.ridges)
    steps = [
        f"the gradient jumps across {_count(r, 'hyperplane')}: {_count(r, 'ridge')}, so at least {_count(r, 'neuron')}"
    ]
    if least:
        steps.append(f"linear algebra of what is left: at least {least} more")
    try:
        found = fewest(given, budget)
    except Undecided as undecided:
        best = undecided.partial
        assert isinstance(best, Realisation)
        return Width((undecided.lower or 0, best.neurons), realised(given, best), str(undecided), steps=steps)
    needed = found.neurons
    if needed - r > least:
        steps.append(f"no choice of sides leaves less than {needed - r} more: subset sums, see the certificate")
    steps += _sides(found)
    proof = _proof(f, given, found, budget)
    reason = f"{_count(needed, 'neuron')} {'is' if needed == 1 else 'are'} the fewest"
    if proof is None:
        reason += "; limits left no time for the certificate"
    return Width((needed, needed), realised(given, found), reason, certificate=proof, steps=steps)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _sides(found: Realisation) -> Iterator[str]:
    for places, sides in ((found.two_sided, "both sides"), (found.negative, "the negative side alone")):
        if places:
            yield f"ridge{'s' * (len(places) > 1)} {', '.join(map(str, places))}: neurons on {sides}"
    if found.pairs:
        yield f"{_count(len(found.pairs), 'pair')} of opposite neurons elsewhere"


def min_width(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> int:
    """Return the fewest hidden neurons with which one hidden layer realises the function of ``f``.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.
    Undecided
        Where ``limits`` end the search; it carries proved bounds ``.lower`` and ``.upper``, and an equal network with
        ``.upper`` neurons as ``.partial``.

    Examples
    --------
    >>> from relusym import Network, min_width
    >>> min_width(Network.shallow([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 0))
    2
    """
    return compress_shallow(f, limits=limits, progress=progress).widths[1]


def compress_shallow(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Network:
    """Return an equal network with the fewest hidden neurons; its width may be 0.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.
    Undecided
        Where ``limits`` end the search; ``.partial`` is an equal network with ``.upper`` neurons.

    Examples
    --------
    >>> from relusym import Network
    >>> compress_shallow(Network.shallow([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 0))
    Network(1-2-1 over QQ)
    """
    require_one_hidden(f, "the search for the fewest neurons")
    given = function_ridges(f)
    try:
        return realised(given, fewest(given, Budget(limits, progress)))
    except Undecided as undecided:
        best = undecided.partial
        assert isinstance(best, Realisation)
        partial = realised(given, best)
        raise Undecided(str(undecided), lower=undecided.lower, upper=undecided.upper, partial=partial) from None


def fewest(given: FunctionRidges, budget: Budget) -> Realisation:
    """Return a realisation with the fewest neurons; the sides that the network itself takes are where it starts."""
    two_sided, negative = given.sides
    if negative == given.negative_sides:
        return realisation(given.ridges, (), negative)
    if len(two_sided) >= 2 * given.masses.outputs:
        two_sided = ()  # as many pairs as outputs do as well
    return fewest_neurons(given.ridges, budget, known=(two_sided, negative))


def _proof(f: Network, given: FunctionRidges, found: Realisation, budget: Budget) -> dict[str, Any] | None:
    """Return the certificate, or None where the limits end it."""
    ridges, text = given.ridges, f.field.text
    excess = found.neurons - ridges.count
    absences = []
    if excess > lower_bound(ridges):
        try:
            for two_sided in combinations(range(ridges.count), min(ridges.count, excess - 1)):
                budget.tick()
                absence = subset_with_sum(*_problem(given, two_sided), budget)
                absences.append(absence.certificate)
        except LimitReached:
            return None
        if None in absences:
            return None
    roles: dict[int, list[Any]] = {index: ["dead"] for index in given.masses.dead}
    roles |= {index: ["constant"] for index in given.masses.constant_neurons}
    bases, numbers = [], []
    for number, plane in enumerate(given.masses.planes.values()):
        base, lead = plane.neurons[0]
        bases.append({"base": base})
        roles |= {index: ["ridge", number, text(factor / lead)] for index, factor in plane.neurons}
        if any(plane.jump):
            numbers.append(number)
    return certificate(
        "fewest",
        "fewest",
        [f],
        Tower(f.field),
        width=found.neurons,
        ridges=bases,
        neurons=[roles[index] for index in sorted(roles)],
        two_sided=[numbers[q] for q in found.two_sided],
        negative=[numbers[q] for q in found.negative],
        absences=absences,
    )


def _problem(given: FunctionRidges, two_sided: Sequence[int]) -> tuple[Any, list[int]]:
    """Return R_F = 0 modulo the directions of T as an integer subset sum, in the expansion that certificates name."""
    ridges, field = given.ridges, given.masses.field
    basis = echelon_basis([ridges.directions[q] for q in two_sided])
    pivots = {pivot for pivot, _ in basis}

    def left(direction: Vector) -> Vector:
        return [entry for index, entry in enumerate(remainder(direction, basis)) if index not in pivots]

    others = [q for q in range(ridges.count) if q not in two_sided]
    rows = []
    for q in others:
        direction = left(ridges.directions[q])
        rows.append(expanded(field, [weight * entry for weight in ridges.weights[q] for entry in direction]))
    target = expanded(field, [-entry for row in ridges.linear for entry in left(row)])
    return clear_with_target(rows, target)


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
