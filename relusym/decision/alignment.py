"""Which neuron of g is which of f: permutations, positive scales and flips, layer by layer.

Going forwards, the neurons of f name the coordinates: a row of g is written in them through what was found for the
layer before, and looked up among the rows of f. Where several neurons lie on one hyperplane, which one is which shows
in their output weights only; these are compared after normalising them by what neither order nor scale can change.
What looks the same even so is paired as it comes, rows of zeros keep their scale, and if the alignment then fails
further on, it is undecided.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from relusym.decision.certificates import certificate
from relusym.decision.equality import equal
from relusym.decision.normal_form.forms import CONSTANT, Form, add_to, multiple, probe, scaled, substitute, trimmed
from relusym.decision.normal_form.numbering import row_forms
from relusym.errors import ShapeError
from relusym.exact.field import Field
from relusym.exact.tower import Embedding, common_tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network, require_network
from relusym.verdict import Certificate, Decision


class AlignedLayer(NamedTuple):
    """How one hidden layer of g comes from that of f.

    Attributes
    ----------
    permutation, scale
        Neuron t of g is neuron permutation[t] of f, its row times scale[t] > 0 (SymPy numbers).
    flips
        The neurons t of g, ascending, whose row is −scale[t] times that of f.
    """

    permutation: tuple[int, ...]
    scale: tuple[Any, ...]
    flips: tuple[int, ...]


class Alignment(Decision):
    """The answer of :func:`alignment`.

    Attributes
    ----------
    layers : tuple of AlignedLayer
        The hidden layers that are aligned; all of them where .truth is True.
    stopped : int or None
        The layer where it stops (the output layer counts as the last), None where .truth is True.
    """

    def __init__(
        self,
        truth: bool | None,
        reason: str,
        layers: Sequence[AlignedLayer],
        *,
        stopped: int | None = None,
        proof: Certificate | None = None,
    ) -> None:
        super().__init__(truth, reason, certificate=proof, steps=_told(layers))
        self.layers = tuple(layers)
        self.stopped = stopped


def _told(layers: Sequence[AlignedLayer]) -> list[str]:
    steps = []
    for index, layer in enumerate(layers):
        moved = sum(old != new for new, old in enumerate(layer.permutation))
        rescaled = sum(scale != 1 for scale in layer.scale)
        flipped = f", {len(layer.flips)} flipped" if layer.flips else ""
        count = len(layer.permutation)
        steps.append(f"layer {index}: {count} neurons aligned, {moved} in another place, {rescaled} rescaled{flipped}")
    return steps


def alignment(f: Network, g: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Alignment:
    """Find the permutations, positive scales and flips of hidden neurons that carry f to g, layer by layer.

    A flip replaces a row by its negative, by σ(−h) = σ(h) − h; it is possible where the linear parts −h that it
    leaves cancel in every row of the next layer. Neurons without weights are not flipped.

    Parameters
    ----------
    f, g
        Networks with the same numbers of inputs and outputs.
    limits, progress
        See :class:`relusym.Limits`.

    Returns
    -------
    Alignment
        .truth True: .layers carries f to g, and .certificate proves f = g. False: there is none; .layers holds what
        is aligned up to layer .stopped, .reason says why it stops. None: neurons that look the same were paired by
        chance, or a row of zeros hides its scale, and another pairing or scale might do.

    Raises
    ------
    ShapeError
        Where the networks have different numbers of inputs or outputs.

    Examples
    --------
    >>> from relusym import Network
    >>> f = Network([([[1, 2], [0, 1]], [1, 0]), ([[1, 1]], [0]), ([[1]], [0])])
    >>> g = Network([([[0, 3], [1, 2]], [0, 1]), ([["1/3", 1]], [0]), ([[1]], [0])])
    >>> alignment(f, g).layers[0]
    AlignedLayer(permutation=(1, 0), scale=(3, 1), flips=())
    >>> h = Network([([[0, 3], [1, 2]], [0, 1]), ([["1/2", 1]], [0]), ([[1]], [0])])
    >>> print(alignment(f, h).reason)
    stops at layer 1: no neuron of g there is a multiple of neuron 0 of f
    """
    require_network(f, "alignment")
    require_network(g, "alignment")
    for name, a, b in (("inputs", f.widths[0], g.widths[0]), ("outputs", f.widths[-1], g.widths[-1])):
        if a != b:
            raise ShapeError(f"the networks have {a} and {b} {name}; the same number is due")
    budget = Budget(limits, progress)
    tower = common_tower([f.field, g.field], budget.limits.field_degree)
    if f.depth != g.depth:
        return Alignment(
            False,
            f"stops at layer 0: f has {f.depth} hidden layers, g has {g.depth}; compress both first",
            (),
            stopped=0,
        )
    search = _Search(f, g, tower.field, (tower.embedding(f.field), tower.embedding(g.field)))
    try:
        for depth in range(f.depth + 1):
            budget.report("layers", depth, f.depth)
            search.step(depth)
    except _Stop as stop:
        truth = None if search.tied else False
        chance = "; neurons that look the same were paired as they come" if search.tied else ""
        return Alignment(truth, f"stops at layer {depth}: {stop}{chance}", search.found, stopped=depth)
    except LimitReached as limit:
        return Alignment(None, f"{limit} at layer {depth}", search.found, stopped=depth)
    proof: Certificate | None
    if any(layer.flips for layer in search.found):
        proof = equal(f, g, limits=limits).certificate
    else:
        layers = [
            {"permutation": list(layer.permutation), "scale": list(map(tower.field.text, scales))}
            for layer, scales in zip(search.found, search.scales, strict=True)
        ]
        proof = certificate("layers", "equal", (f, g), tower, layers=layers)
    return Alignment(True, f"the neurons of all {f.depth} hidden layers are aligned", search.found, proof=proof)


class _Stop(Exception):  # it stops the search, and is no error
    """The reason why the alignment goes no further."""


class _Group(NamedTuple):
    """Neurons of both networks on one hyperplane: place and multiple of a common form."""

    base: Form
    left: list[tuple[int, Any]]
    right: list[tuple[int, Any]]


class _Search:
    """The alignment, one layer at a time; rows of g are written in the coordinates of f."""

    def __init__(self, f: Network, g: Network, field: Field, embeddings: tuple[Embedding, Embedding]) -> None:
        self._networks, self._field, self._embeddings = (f, g), field, embeddings
        self._one = field.rational(1)
        self.found: list[AlignedLayer] = []
        self.scales: list[list[Any]] = []
        self.tied = False
        self._left: list[Form] = []  # the rows of f, and of g, of the layer at hand
        self._right: list[Form] = []
        self._next = [row_forms(net.layers[0], embed) for net, embed in zip(self._networks, embeddings, strict=True)]
        self._values: dict[int, Form] = {index: {index: self._one} for index in range(f.widths[0])}
        self._linear: dict[int, Form] = {}  # what flipped neurons of g leave, over the layer before

    def step(self, depth: int) -> None:
        """Align one layer, or raise :class:`_Stop`."""
        left, rows = self._next
        right = self._translated(rows)
        if len(left) != len(right):
            raise _Stop(f"f has {len(left)} neurons there, g has {len(right)}; compress both first")
        if depth == self._networks[0].depth:
            for index, (row, other) in enumerate(zip(left, right, strict=True)):
                if row != other:
                    raise _Stop(f"output {index} has other weights, once the layers before are aligned")
            return
        self._left, self._right = left, right
        self._next = [
            row_forms(net.layers[depth + 1], embed) for net, embed in zip(self._networks, self._embeddings, strict=True)
        ]
        self._pair(output=depth + 1 == self._networks[0].depth)

    def _translated(self, rows: list[Form]) -> list[Form]:
        """Return rows of g in the coordinates of f; what flips leave must cancel, but for constants."""
        forms = substitute(rows, self._values)
        if self._linear:
            for index, (row, form) in enumerate(zip(rows, forms, strict=True)):
                rest: Form = {}
                for place in row.keys() & self._linear.keys():
                    add_to(rest, self._linear[place], row[place])
                rest = trimmed(rest)
                if rest.keys() - {CONSTANT}:
                    raise _Stop(
                        f"the flips of layer {len(self.found) - 1} leave a linear part in neuron {index} of g, which "
                        "no layer can carry"
                    )
                add_to(form, rest, self._one)
        return [trimmed(form) for form in forms]

    def _pair(self, *, output: bool) -> None:
        permutation = [0] * len(self._left)
        scales: list[Any] = [self._one] * len(self._left)
        flips = []
        signatures: tuple[dict[int, Any], dict[int, Any]] | None = None
        for group in self._groups():
            if len(group.left) != len(group.right):
                self._unmatched(group)
            if not group.base and any(place in row for row in self._next[0] for place, _ in group.left):
                self.tied = True  # rows of zeros do not show their scales
            if len(group.left) > 1:
                signatures = signatures or (self._signatures(0, output), self._signatures(1, output))
                self._sort(group, signatures)
            for (place, factor), (other, multiple_of) in zip(group.left, group.right, strict=True):
                permutation[other], scales[other] = place, abs(multiple_of / factor)
                if (factor > 0) != (multiple_of > 0):
                    flips.append(other)
        sympy = self._field.sympy
        self.found.append(AlignedLayer(tuple(permutation), tuple(map(sympy, scales)), tuple(sorted(flips))))
        self.scales.append(scales)
        self._values = {new: {old: scales[new]} for new, old in enumerate(permutation)}
        self._linear = {new: scaled(self._left[permutation[new]], -scales[new]) for new in flips}

    def _unmatched(self, group: _Group) -> None:
        if not group.left:
            raise _Stop(f"no neuron of f there is a multiple of neuron {group.right[0][0]} of g")
        if not group.right:
            raise _Stop(f"no neuron of g there is a multiple of neuron {group.left[0][0]} of f")
        raise _Stop(
            f"{len(group.left)} neurons of f are multiples of its neuron {group.left[0][0]}, "
            f"{len(group.right)} of g are; compress both first"
        )

    def _groups(self) -> list[_Group]:
        """Return the neurons of both networks by hyperplane; constant rows group by sign, rows of zeros together."""
        buckets: dict[Hashable, list[_Group]] = {}
        groups = []
        for which, rows in enumerate((self._left, self._right)):
            for place, form in enumerate(rows):
                constant = form.keys() <= {CONSTANT}
                name = ("constant", bool(form) and form[CONSTANT] > 0) if constant else probe(form, self._field)
                bucket = buckets.setdefault((name, bool(form)), [])
                for group in bucket:
                    factor = multiple(form, group.base) if form else self._one
                    if factor is not None:
                        break
                else:
                    group, factor = _Group(form, [], []), self._one
                    bucket.append(group)
                    groups.append(group)
                (group.right if which else group.left).append((place, factor))
        return groups

    def _signatures(self, which: int, output: bool) -> dict[int, Any]:
        """Return for each neuron its output weights, normalised so that neither order nor scale of neurons matters.

        A pair: what flips of the next layer do not change either, and what tells neurons apart where there are none.
        """
        sizes: dict[int, Any] = {}
        for group in self._groups():
            sizes.update((place, abs(factor)) for place, factor in (group.left, group.right)[which])
        columns: dict[int, list[Any]] = {place: [] for place in sizes}
        zero = self._field.rational(0)
        for row in self._next[which]:
            entries = {place: row.get(place, zero) * size for place, size in sizes.items()}
            whole = sum(map(abs, entries.values()), start=zero) if not output else self._one
            for place, value in entries.items():
                columns[place].append(value / whole if value else zero)
        if output:
            return {place: (column, column) for place, column in columns.items()}
        return {place: (sorted(map(abs, column)), sorted(column)) for place, column in columns.items()}

    def _sort(self, group: _Group, signatures: tuple[dict[int, Any], dict[int, Any]]) -> None:
        """Bring the neurons on one hyperplane into an order in which they can be paired."""
        for members, names in zip((group.left, group.right), signatures, strict=True):
            members.sort(key=lambda member: (names[member[0]][0], member[1] < 0, names[member[0]][1]))
            self.tied = self.tied or any(names[a][0] == names[b][0] for (a, _), (b, _) in pairwise(members))
