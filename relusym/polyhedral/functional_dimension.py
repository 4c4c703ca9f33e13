"""The functional dimension: how many dimensions of functions the parameters reach to first order.

It is the rank, over the field, of ∂f/∂θ on all activation regions on which no pre-activation vanishes identically
(:mod:`relusym.polyhedral.derivative`). It never exceeds D − N, parameters minus hidden neurons: each hidden neuron has
a positive scaling. D − N proves that θ is identifiable near θ, up to positive scaling.

Algorithm. Patterns of active neurons at random rational points come first: a rank modulo a prime is a lower bound, and
where it is D − N nothing else is needed, so large networks with many inputs are no harder than a few hundred
evaluations. Otherwise all regions are enumerated, one by one. Rows that are independent modulo the prime are a matrix
over the field; every other region must annihilate its kernel, or joins it. What is left is the exact rank and the
kernel.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import count, islice
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from flint import fmpq

from relusym.errors import Undecided
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network, require_network
from relusym.polyhedral.arithmetic import Vector
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.derivative import ModularSpan, Residues, exact_derivative, fast_derivative, independent_rows
from relusym.polyhedral.infinitesimal import Activity, Directions, InfinitesimalSymmetry
from relusym.polyhedral.regions import Options, stream

_MORE = 24
_MOST_ENTRIES = 1 << 20
_PATIENCE = 200
_SPREAD = 1 << 12


class Survey(NamedTuple):
    """What all activation regions say.

    Attributes
    ----------
    patterns : tuple of int
        The patterns of active neurons on the regions on which no pre-activation vanishes identically.
    ever, always : int
        The neurons that are active on some region, and on all of them.
    vanishing : str or None
        The signs of a region on which a pre-activation vanishes identically.
    regions : int
        How many regions there are.
    """

    patterns: tuple[int, ...]
    ever: int
    always: int
    vanishing: str | None
    regions: int


class FunctionalDimension:
    """The functional dimension of a parameter; made by :func:`functional_dimension`.

    Attributes
    ----------
    value : int
        The rank of ∂f/∂θ; a lower bound of the dimension where :attr:`smooth` is False.
    parameters : int
        D.
    hidden : int
        N, the number of hidden neurons.
    """

    def __init__(self, f: Network, limits: Limits | None, progress: Progress | None) -> None:
        self._network = f
        self._limits = limits
        self._progress = progress
        self.parameters = sum((before + 1) * after for before, after in zip(f.widths, f.widths[1:], strict=False))
        self.hidden = sum(f.widths[1:-1])
        self._residues = Residues(f)
        self._derivative = self._residues.derivative(f)
        self._span = ModularSpan(self.parameters, self._residues.prime)
        self._selected: dict[int, None] = {}
        self.value = self._rank()

    @property
    def is_full(self) -> bool:
        """Whether the value is D − N: identifiable near θ, up to positive scaling."""
        return self.value == self.parameters - self.hidden

    @property
    def survey(self) -> Survey:
        """What all activation regions say; enumerated when something needs it.

        Raises
        ------
        Undecided
            When limits end the enumeration.
        """
        if isinstance(self._survey, Undecided):
            raise self._survey
        return self._survey

    @cached_property
    def _survey(self) -> Survey | Undecided:
        try:
            return self._enumerated()
        except Undecided as limit:
            return limit

    def _enumerated(self) -> Survey:
        arrangement = Arrangement([self._network], limits=self._limits)
        first, neurons = arrangement.first_neuron, arrangement.circuit.neurons
        patterns: dict[int, None] = {}
        ever, always, vanishing, found = 0, neurons, None, 0
        for region in stream(arrangement, Options(limits=self._limits, progress=self._progress)):
            found += 1
            positive, negative = region.key
            ever |= positive
            always &= positive
            if (positive | negative) & neurons == neurons:
                patterns[(positive & neurons) >> first] = None
            elif vanishing is None:
                vanishing = region.pattern
        return Survey(tuple(patterns), (ever & neurons) >> first, always >> first, vanishing, found)

    @property
    def smooth(self) -> bool | None:
        """Whether no pre-activation vanishes identically on a region; None where limits end the enumeration."""
        try:
            return self.survey.vanishing is None
        except Undecided:
            return None

    def kernel(self) -> list[InfinitesimalSymmetry]:
        """Return a basis of the infinitesimal symmetries beyond positive scaling, in words.

        Raises
        ------
        Undecided
            When limits end the enumeration of regions.

        Examples
        --------
        >>> from relusym import Network
        >>> for symmetry in functional_dimension(Network.shallow([2, 1], [[1], [0]], [0, -1], 0)).kernel():
        ...     print(symmetry.words)
        the weights into neuron 1 of layer 0 do not matter: it is never active
        the weights into neuron 1 of layer 0 do not matter: it is never active
        """
        if self.is_full:
            return []
        survey = self.survey
        activity = Activity(self._network.widths, survey.patterns, survey.ever, survey.always)
        return Directions(self._network, self._exact_rows).described(activity)

    def explain(self) -> str:
        """Return the value with what it means, as text."""
        bound = self.parameters - self.hidden
        lines = [f"{self.parameters} parameters, {self.hidden} hidden neurons: at most {bound}"]
        if self.smooth is False:
            where = self.survey.vanishing
            lines.append(f"not smooth here: on the region {where} a pre-activation vanishes identically")
        elif self.smooth is None:
            lines.append("limits ended the enumeration of regions, so it is not known whether f is smooth here")
        if self.is_full:
            lines.append(f"functional dimension {self.value}: identifiable nearby, up to positive scaling")
        else:
            lines.append(f"functional dimension {self.value}; {bound - self.value} less than that, for")
            lines += ["  " + words for words in dict.fromkeys(symmetry.words for symmetry in self.kernel())]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"FunctionalDimension({self.value} of {self.parameters} parameters, {self.hidden} hidden neurons)"

    # -- the rank

    def _rank(self) -> int:
        bound = self.parameters - self.hidden
        budget = Budget(self._limits, self._progress)
        try:
            self._sample(bound, budget)
            if self._span.rank < bound:
                self._survey_rank(bound, budget)
            if self._span.rank == bound:
                return bound
            return len(self._exact_rows)
        except (LimitReached, Undecided) as limit:
            rank = self._span.rank
            raise Undecided(
                f"the functional dimension is between {rank} and {bound}: {limit}", lower=rank, upper=bound
            ) from None

    def _survey_rank(self, bound: int, budget: Budget) -> None:
        """Add the patterns of all regions that a random vector of the kernel shows to be new."""
        patterns = self.survey.patterns
        generator = random.Random(0)
        probe = self._span.annihilated(generator)
        for done, pattern in enumerate(patterns):
            budget.report("regions in the rank", done, len(patterns))
            rows = self._derivative.rows(pattern)
            if any(sum(map(mul, row, probe)) % self._residues.prime for row in rows) and self._add([pattern]):
                if self._span.rank == bound:
                    return
                probe = self._span.annihilated(generator)

    def _add(self, patterns: Sequence[int]) -> bool:
        rows = [row for pattern in patterns for row in self._derivative.rows(pattern)]
        grew = self._span.extend(rows)
        if grew:
            self._selected.update(dict.fromkeys(patterns))
        return grew

    @property
    def _entries(self) -> int:
        """How many entries the rows of one pattern have."""
        return (self._network.widths[0] + 1) * self._network.widths[-1] * self.parameters

    def _batch(self, bound: int) -> int:
        """Return how many patterns the missing rank takes at least, and some more; fewer where they are large."""
        least = (bound - self._span.rank) * self.parameters // self._entries
        return min(least + _MORE, _MOST_ENTRIES // self._entries + 1)

    def _sample(self, bound: int, budget: Budget) -> None:
        """Add the patterns at random points, until the rank is ``bound`` or does not grow any more."""
        seen: set[int] = set()
        patterns = _random_patterns(self._network, self._limits)
        idle = 0
        while self._span.rank < bound and idle < _PATIENCE:
            budget.report("rank", self._span.rank, bound)
            size = self._batch(bound)
            drawn = {pattern for pattern in islice(patterns, size) if pattern is not None} - seen
            idle = 0 if self._add(sorted(drawn)) else idle + size
            seen |= drawn

    def _closed(self, budget: Budget) -> list[Vector]:
        """Return a basis over the field of the rows of all regions."""
        exact = exact_derivative(self._network)
        modular = [row for pattern in self._selected for row in self._derivative.rows(pattern)]
        chosen = set(independent_rows(modular, self._residues.prime))
        rows = [row for pattern in self._selected for row in exact.rows(pattern)]
        rows = [row for index, row in enumerate(rows) if index in chosen]
        while True:
            # Each round adds an independent row. The rows modulo the prime leave one out only if the prime is unlucky.
            missed = self._missed(Directions(self._network, rows).beyond_scaling(), budget)
            if missed is None:
                return rows
            pattern, index = missed
            rows.append(exact.rows(pattern)[index])

    def _missed(self, directions: list[Vector], budget: Budget) -> tuple[int, int] | None:
        """Return a pattern, and the number of its row that one of the directions does not annihilate."""
        if not directions:
            return None
        fast = fast_derivative(self._network)
        moved = [
            _sparse([value * factor for value, factor in zip(vector, fast.factors, strict=True)])
            for vector in directions
        ]
        for done, pattern in enumerate(self.survey.patterns):
            budget.report("regions in the exact rank", done, len(self.survey.patterns))
            for index, row in enumerate(fast.rows(pattern)):
                if any(sum(row[place] * value for place, value in vector) != 0 for vector in moved):
                    return pattern, index
        return None

    @cached_property
    def _exact_rows(self) -> list[Vector]:
        return self._closed(Budget(self._limits, self._progress))


def _sparse(vector: Vector) -> list[tuple[int, Any]]:
    """Return the entries of a vector that are not 0, with their places; integers where all are rational."""
    entries = [(place, value) for place, value in enumerate(vector) if value != 0]
    if not all(isinstance(value, fmpq) for _, value in entries):
        return entries
    scale = lcm(*(int(value.q) for _, value in entries))
    return [(place, int(value.p) * (scale // int(value.q))) for place, value in entries]


def _random_patterns(f: Network, limits: Limits | None) -> Iterator[int | None]:
    """Iterate without end over patterns of active neurons at random points, None where a pre-activation is 0.

    The points are the same each time.
    """
    arrangement = Arrangement([f], limits=limits)
    circuit = arrangement.circuit
    generator, one = random.Random(0), circuit.arithmetic.one
    for step in count():
        vector = [generator.randrange(-_SPREAD, _SPREAD + 1) * one for _ in range(f.widths[0])]
        point = circuit.generator([*vector, (1 << step % 5 * 3) * one])
        smooth = point.support & circuit.neurons == circuit.neurons
        yield (point.pos & circuit.neurons) >> arrangement.first_neuron if smooth else None


def functional_dimension(
    f: Network, *, limits: Limits | None = None, progress: Progress | None = None
) -> FunctionalDimension:
    """Return the functional dimension of a parameter.

    Parameters
    ----------
    f
        Any depth, over Q or a real number field. Above eight dimensions of input that count, where the value is less
        than D − N or :attr:`FunctionalDimension.smooth` is asked for, over Q only.
    limits, progress
        See :class:`relusym.Limits`; ``items`` counts activation regions.

    Raises
    ------
    Undecided
        When limits end the search; ``lower`` and ``upper`` are proved bounds.

    Examples
    --------
    >>> from relusym import load
    >>> d = functional_dimension(load("example:theta1"))
    >>> d.value, d.parameters, d.hidden, d.smooth
    (10, 13, 3, True)
    """
    require_network(f, "functional_dimension")
    return FunctionalDimension(f, limits, progress)
