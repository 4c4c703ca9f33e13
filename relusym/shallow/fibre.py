"""The fibre of a shallow network: every parameter of the same widths that realises the same function.

Where rows are pairwise independent and no neuron is dead or constant, the fibre is the disjoint union, over the sets
F with Σ_F M_i ⊗ a_i = 0, of the free H_n-orbits of flip_F(θ). In general it is described by the realisations of
:mod:`relusym.shallow.realisations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from flint import fmpz_mat

from relusym.errors import ConditionError, Undecided
from relusym.exact.matrix import rows_of
from relusym.exact.subset_sums import all_vanishing_subsets, count_vanishing_subsets, vanishing_subsets
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network
from relusym.shallow.flips import flip, outer_products, output_columns, require_one_hidden
from relusym.shallow.function_ridges import FunctionRidges, function_ridges
from relusym.shallow.realisations import single_orbit
from relusym.shallow.width import fewest
from relusym.verdict import Decision

Flip = tuple[int, ...]
_MOST_LISTED = 1000


class Fibre:
    """The fibre of a parameter; made by :func:`fibre`. Everything is computed when it is asked for."""

    def __init__(self, f: Network, limits: Limits | None, progress: Progress | None) -> None:
        self._network = f
        self._limits = limits
        self._progress = progress

    def __repr__(self) -> str:
        return f"Fibre({self._network!r})"

    def _budget(self) -> Budget:
        return Budget(self._limits, self._progress)

    @cached_property
    def _given(self) -> FunctionRidges:
        return function_ridges(self._network)

    @cached_property
    def obstacle(self) -> str | None:
        """Why the flip sets do not describe the whole fibre: dead or constant neurons, dependent rows."""
        parts = self._given.masses
        for kind, members in (("dead", parts.dead), ("constant", parts.constant_neurons)):
            if members:
                return f"neuron {members[0]} is {kind}"
        for plane in parts.planes.values():
            if len(plane.neurons) > 1:
                first, second = (index for index, _ in plane.neurons[:2])
                return f"the rows of neurons {first} and {second} are linearly dependent"
        return None

    @cached_property
    def _products(self) -> fmpz_mat:
        if self.obstacle is not None:
            raise ConditionError(
                f"the flip sets are for pairwise independent rows and living neurons, but {self.obstacle}"
            )
        network = self._network
        return outer_products(network.field, output_columns(network), list(rows_of(network.layers[0].weight)))

    def iter_flips(self) -> Iterator[Flip]:
        """Yield all sets F with Σ_F M_i ⊗ a_i = 0 as sorted tuples, () first, one at a time.

        Raises
        ------
        ConditionError
            Where rows are dependent or a neuron is dead or constant.
        Undecided
            Where limits end the search.
        """
        products = self._products
        yield ()
        if not products.nrows():
            return
        budget, found = self._budget(), 1
        try:
            for chosen in all_vanishing_subsets(products, budget):
                budget.report("flip sets", found)
                if chosen:
                    found += 1
                    yield chosen
        except LimitReached as limit:
            raise Undecided(f"{found} flip sets were found, but perhaps not all: {limit}", lower=found) from None

    @property
    def flips(self) -> list[Flip]:
        """All sets F with Σ_F M_i ⊗ a_i = 0 as sorted tuples: () first, then by size and order.

        Raises
        ------
        Undecided
            Where limits end the search; ``.partial`` is the list of those that were found.
        """
        found: list[Flip] = []
        try:
            found.extend(self.iter_flips())
        except Undecided as undecided:
            found.sort(key=_by_size)
            raise Undecided(str(undecided), lower=undecided.lower, partial=found) from None
        return sorted(found, key=_by_size)

    @cached_property
    def count(self) -> int:
        """The number of flip sets, that is of H_n-orbits, counted without listing them where possible."""
        products = self._products
        try:
            return count_vanishing_subsets(products, self._budget()) if products.nrows() else 1
        except LimitReached as limit:
            raise Undecided(f"the flip sets could not be counted: {limit}", lower=1) from None

    def iter_orbits(self) -> Iterator[Network]:
        """Yield one representative of each H_n-orbit of the fibre, the given parameter first."""
        return (flip(self._network, chosen) for chosen in self.iter_flips())

    def orbits(self) -> list[Network]:
        """Return one representative of each H_n-orbit, in the order of :attr:`flips`."""
        return [flip(self._network, chosen) for chosen in self.flips]

    @cached_property
    def single_orbit(self) -> Decision:
        """Whether the fibre is one H_n-orbit, for every number of outputs; a "no" has another realisation."""
        if self.obstacle is None and self._products.nrows():
            absence = vanishing_subsets(self._products, self._budget())
            if absence.truth is False and absence.witness is not None:
                chosen = tuple(index for index, entry in enumerate(absence.witness) if entry)
                return Decision(False, f"flipping the neurons {chosen} gives another orbit", witness=chosen)
            return absence
        return single_orbit(self._given.ridges, self._network.widths[1], self._budget())

    @property
    def is_single_orbit(self) -> bool | None:
        """Whether the fibre is one H_n-orbit; None where limits left it undecided."""
        return self.single_orbit.truth

    @cached_property
    def dimension(self) -> int | None:
        """The dimension of the fibre, None where it is not known (then :attr:`dimension_reason` says why)."""
        return self._dimension[0]

    @property
    def dimension_reason(self) -> str:
        """How the dimension is known, or why it is not."""
        return self._dimension[1]

    @cached_property
    def _dimension(self) -> tuple[int | None, str]:
        # Of the neurons beyond those that are needed, a dead one has m + 1 dimensions and a constant one k + 1. Every
        # other way to place neurons is counted by hyperplanes (position, scales and masses, less one equation for each
        # total mass and those of the linear part), and comes to no more.
        m, n, k = self._network.widths
        r = self._given.ridges.count
        try:
            needed = fewest(self._given, self._budget()).neurons
        except Undecided as undecided:
            return None, f"the fewest neurons are not known: {undecided}"
        spare = n - needed
        if needed == r:
            dimension, how = n + spare * max(m, k), "each on a ridge"
        elif k > 1:
            return None, "no formula is known for several outputs where one neuron a ridge is not enough"
        elif needed == r + 1:
            dimension, how = n + spare * m, "two on one ridge"
        else:
            dimension, how = n + 1 + spare * m, "two of them a pair that moves"
        return dimension, f"{needed} of {n} neurons are needed, {how}; {spare or 'none'} to spare"

    def explain(self) -> str:
        """Return which neurons are free and which move together, as text.

        Where the limits leave a part open, the text says so.
        """
        decision = self.single_orbit
        answer = {True: "one orbit", False: "not one orbit", None: "undecided whether one orbit"}[decision.truth]
        dimension = "not known" if self.dimension is None else str(self.dimension)
        last = [f"{answer}: {decision.reason}", f"dimension {dimension}: {self.dimension_reason}"]
        return "\n".join([*self._free(), *(self._flipped() if self.obstacle is None else []), *last])

    def _free(self) -> list[str]:
        """Tell which neurons are free."""
        parts = self._given.masses
        lines = []
        if parts.dead:
            lines.append(f"free: {_names(parts.dead)} dead, so any row will do")
        if parts.constant_neurons:
            lines.append(f"free: {_names(parts.constant_neurons)} constant, so output weight and bias trade with c")
        for plane in parts.planes.values():
            members = [index for index, _ in plane.neurons]
            if len(members) > 1:
                lines.append(f"{_names(members)} on one hyperplane, so they share their output weights")
        return lines

    def _flipped(self) -> list[str]:
        """Tell which neurons may be flipped together: the smallest of the sets, where there are few enough to list."""
        try:
            count = self.count
        except Undecided as undecided:
            return [str(undecided)]
        orbits = f"{count} H_n-orbit{'s' if count > 1 else ''} in all"
        if count > _MOST_LISTED:
            return [f"{orbits}, too many flip sets to list"]
        minimal: list[Flip] = []
        try:
            flips = self.flips
        except Undecided as undecided:
            return [orbits, str(undecided)]
        for chosen in flips[1:]:
            if not any(set(smaller) < set(chosen) for smaller in minimal):
                minimal.append(chosen)
        return [*(f"{_names(chosen, '')} may be flipped together" for chosen in minimal), orbits]


def _by_size(chosen: Flip) -> tuple[int, Flip]:
    return len(chosen), chosen


def _names(indices: Sequence[int], verb: str = " is| are") -> str:
    single, _, several = verb.partition("|")
    listed = ", ".join(map(str, indices))
    return f"neurons {listed}{several}" if len(indices) > 1 else f"neuron {listed}{single}"


def fibre(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Fibre:
    """Return the fibre of a network with one hidden layer.

    Parameters
    ----------
    f
        Any number of outputs.
    limits, progress
        For each question that is asked of the fibre.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.

    Examples
    --------
    >>> from relusym import fibre, load
    >>> F = fibre(load("example:theta1"))
    >>> F.flips, F.is_single_orbit, F.dimension
    ([(), (0, 1, 2)], False, 3)
    >>> F.orbits()[1] == load("example:theta2")
    True
    """
    require_one_hidden(f, "the fibre")
    return Fibre(f, limits, progress)
