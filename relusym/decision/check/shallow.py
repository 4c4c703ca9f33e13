"""Kinds of certificates for at most one hidden layer: equality by ridges, similarity by rays and the lack of it.

Theorem numbers are those of *A Complete Symmetry Classification of Shallow ReLU Networks* (SP). A neuron with output
column M, row a and bias b contributes M * relu(h) with h = a.x + b. Where h = t * h_0 for a base row h_0, that is
t M relu(h_0) for t > 0 and |t| M (relu(h_0) - h_0) for t < 0. So a pair of networks is equal as soon as, for each base
row, the masses |t| M add up to the same, and what is left, an affine map, is the same. That is the sufficient half of
SP, Theorem 3; the certificate says which rows belong together, and nothing has to be searched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import mul
from typing import NamedTuple

from relusym.decision.check.certificate import Box, Pair, as_index, as_list, as_number
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.network import Network, relu
from relusym.decision.check.numbers import (
    ZERO,
    Field,
    Number,
    Row,
    common,
    equal,
    first_difference,
    is_zero,
    negative,
    product,
    total,
)


class Neuron(NamedTuple):
    """A hidden neuron: its row over the free coordinates with the bias appended, and its output column."""

    row: Row
    column: Row

    @property
    def constant(self) -> bool:
        """Whether its weights are proved to be zero."""
        return all(map(is_zero, self.row[:-1]))


class Shallow(NamedTuple):
    """One hidden layer and, beside it, an affine map: one row an output, the constant appended."""

    neurons: list[Neuron]
    affine: list[Row]


def shallow(network: Network, number: int, box: Box | None = None) -> Shallow:
    """Return a network of depth 0 or 1, with the fixed coordinates of a box substituted.

    Raises
    ------
    Unproved
        The network is deeper.
    """
    if network.depth > 1:
        raise Unproved(
            f"network {number} has {network.depth} hidden layers; this kind of certificate is for at most one"
        )
    fixed = {index: side.low for index, side in enumerate(box or []) if side.fixed and side.low is not None}
    first, last = network.layers[0], network.layers[-1]
    rows = [_substituted(row, bias, fixed) for row, bias in zip(first.weight, first.bias, strict=True)]
    if network.depth == 0:
        return Shallow([], rows)
    free = network.inputs - len(fixed)
    columns = [[row[index] for row in last.weight] for index in range(len(rows))]
    neurons = [Neuron(row, column) for row, column in zip(rows, columns, strict=True)]
    return Shallow(neurons, [[ZERO] * free + [bias] for bias in last.bias])


def _substituted(row: Row, bias: Number, fixed: dict[int, Number]) -> Row:
    if not fixed:
        return [*row, bias]
    free = [entry for index, entry in enumerate(row) if index not in fixed]
    return [*free, total([bias, *(product(row[index], value) for index, value in fixed.items())])]


class _Masses:
    """The masses of f - g at each base row, and the affine map that is left of f - g.

    Every number is added with the sign of its network: + for f, - for g.
    """

    def __init__(self, outputs: int, bases: list[Row]) -> None:
        self.bases = bases
        self._whole: list[list[Row]] = [[] for _ in bases]
        self._flipped: list[list[Row]] = [[] for _ in bases]
        self._pieces: list[tuple[Row, Row]] = []
        self._affine: list[list[Row]] = [[] for _ in range(outputs)]

    def on_ridge(self, ridge: int, column: Row, flipped: bool) -> None:
        """Add column * relu(h_0), or column * relu(-h_0) where the ridge is flipped."""
        self._whole[ridge].append(column)
        if flipped:
            self._flipped[ridge].append(column)

    def linear(self, column: Row, row: Row) -> None:
        """Add column * (row . (x, 1))."""
        self._pieces.append((column, row))

    def affine(self, output: int, row: Row) -> None:
        """Add row . (x, 1) to one output."""
        self._affine[output].append(row)

    def prove_zero(self) -> None:
        """Prove that all masses and the affine map that is left are zero."""
        for ridge, columns in enumerate(self._whole):
            if not all(map(is_zero, _sums(columns))):
                raise Unproved(f"the masses on ridge {ridge} do not agree")
        for base, columns in zip(self.bases, self._flipped, strict=True):
            mass = _sums(columns)
            if not all(map(is_zero, mass)):
                self.linear([negative(entry) for entry in mass], base)
        weights = [common(row) for row in zip(*(column for column, _ in self._pieces), strict=True)]
        entries = list(zip(*(row for _, row in self._pieces), strict=True))
        rest = [_sums(rows) for rows in self._affine]
        for index in range(len(rest[0]) if rest else 0):
            numerators, unit = common(entries[index]) if entries else ([], 1)
            for output, sums in enumerate(rest):
                weight, denominator = weights[output] if weights else ([], 1)
                combined = (sum(map(mul, weight, numerators)), denominator * unit)
                if not is_zero(total([sums[index], combined])):
                    what = "constants" if index == len(sums) - 1 else f"slopes along free coordinate {index}"
                    raise Unproved(f"the affine parts do not agree: the {what} of output {output} differ")


def _sums(rows: list[Row]) -> Row:
    return [total(entries) for entries in zip(*rows, strict=True)]


def _times(weight: Number, row: Row) -> Row:
    return [product(weight, entry) for entry in row]


def _minimum(row: Row, box: Box | None, field: Field) -> Number | None:
    """Return the least value of row . (x, 1) over the free coordinates of a box; None where it has none."""
    *slopes, constant = row
    sides = [None] * len(slopes) if box is None else [side for side in box if not side.fixed]
    terms = [constant]
    for slope, side in zip(slopes, sides, strict=True):
        sign = field.sign(slope)
        if sign == 0:
            continue
        end = None if side is None else side.low if sign > 0 else side.high
        if end is None:
            return None
        terms.append(product(slope, end))
    return total(terms)


class _Roles:
    """Checks the role that a certificate gives to each neuron, and adds what the neuron then contributes.

    Parameters
    ----------
    pair
        The certificate and its networks.
    key
        ``"ridge"`` (factors of both signs, and boxes) or ``"ray"`` (positive factors only).
    """

    def __init__(self, pair: Pair, key: str) -> None:
        self._pair, self._key = pair, key
        self._field = pair.field
        self._box = pair.box
        first, second = pair.networks
        self._views = (shallow(first, 0, self._box), shallow(second, 1, self._box))
        bases = [self._base(entry, index) for index, entry in enumerate(pair.items(f"{key}s"))]
        self._masses = _Masses(first.widths[-1], bases)
        self._roles: dict[str, Callable[[Neuron, Row, str], None]] = {"dead": self._dead, "constant": self._constant}
        if key == "ridge":
            self._roles |= {"active": self._active, "inactive": self._inactive}

    def prove_equal(self) -> None:
        """Prove scale * f = g from the roles of all neurons."""
        lists = self._pair.items("neurons")
        if len(lists) != 2:
            malformed("'neurons'", f"two lists of roles are due, not {len(lists)}")
        weights = (self._pair.scale, (-1, 1))
        for number, (roles, view, weight) in enumerate(zip(lists, self._views, weights, strict=True)):
            entries = as_list(roles, f"'neurons', list {number}")
            if len(entries) != len(view.neurons):
                raise Unproved(
                    f"{len(entries)} roles are given for the {len(view.neurons)} neurons of network {number}"
                )
            for index, (role, neuron) in enumerate(zip(entries, view.neurons, strict=True)):
                self._add(as_list(role, f"the role of {_name(index, number)}"), neuron, weight, _name(index, number))
            for output, row in enumerate(view.affine):
                self._masses.affine(output, _times(weight, row))
        self._masses.prove_zero()

    def _base(self, entry: object, index: int) -> Row:
        place = f"'{self._key}s', entry {index}"
        if not isinstance(entry, Mapping):
            malformed(place, f"an object with 'base' is accepted, not {shown(entry)}")
        return _base_neuron(entry.get("base"), self._views, place).row

    def _add(self, role: list[object], neuron: Neuron, weight: Number, name: str) -> None:
        column = _times(weight, neuron.column)
        match role:
            case [str() as word] if word in self._roles:
                self._roles[word](neuron, column, name)
            case [self._key, index, factor]:
                self._multiple(neuron, column, name, index, factor)
            case _:
                known = ", ".join(f"['{word}']" for word in self._roles)
                malformed(f"the role of {name}", f"{known} and ['{self._key}', index, factor] are accepted")

    def _dead(self, neuron: Neuron, column: Row, name: str) -> None:
        if not all(map(is_zero, neuron.column)):
            raise Unproved(f"{name} is not dead: its output weights are not all zero")

    def _constant(self, neuron: Neuron, column: Row, name: str) -> None:
        if not neuron.constant:
            raise Unproved(f"{name} is not constant: its weights are not all zero")
        self._masses.linear(column, [*neuron.row[:-1], relu(neuron.row[-1], self._field)])

    def _active(self, neuron: Neuron, column: Row, name: str) -> None:
        least = _minimum(neuron.row, self._box, self._field)
        if least is None or self._field.sign(least) < 0:
            raise Unproved(f"{name} is not active on all of the domain")
        self._masses.linear(column, neuron.row)

    def _inactive(self, neuron: Neuron, column: Row, name: str) -> None:
        least = _minimum([negative(entry) for entry in neuron.row], self._box, self._field)
        if least is None or self._field.sign(least) < 0:
            raise Unproved(f"{name} is not inactive on all of the domain")

    def _multiple(self, neuron: Neuron, column: Row, name: str, index: object, text: object) -> None:
        place = f"the role of {name}"
        ridge = as_index(index, len(self._masses.bases), place)
        factor = as_number(text, self._field, place)
        sign = self._field.sign(factor)
        if sign == 0 or (sign < 0 and self._key == "ray"):
            raise Unproved(f"{name}: the factor {shown(text)} is {'zero' if sign == 0 else 'not positive'}")
        if first_difference(neuron.row, factor, self._masses.bases[ridge]) is not None:
            raise Unproved(f"{name} is not {_plain(text)} times its base row")
        size = factor if sign > 0 else negative(factor)
        self._masses.on_ridge(ridge, _times(size, column), flipped=sign < 0)


def _plain(text: object) -> str:
    return shown(text).strip("'")


def _name(index: int, number: int) -> str:
    return f"neuron {index} of network {number}"


def _base_neuron(value: object, views: tuple[Shallow, Shallow], place: str) -> Neuron:
    base = as_list(value, f"{place}, base")
    if len(base) != 2:
        malformed(f"{place}, base", "[network, neuron] is accepted")
    neurons = views[as_index(base[0], 2, f"{place}, base")].neurons
    return neurons[as_index(base[1], len(neurons), f"{place}, base")]


def ridges(pair: Pair) -> str:
    """Prove c * f = g on the domain, neuron by neuron (see the head of this module).

    Reads ``"ridges"`` (the base row of each), ``"neurons"`` (the role of every neuron), ``"domain"`` and ``"scale"``.
    """
    _Roles(pair, "ridge").prove_equal()
    where = "everywhere" if pair.certificate.get("domain") is None else "on the domain"
    return f"equal {where}{pair.times}: the masses on {len(pair.items('ridges'))} ridges and the affine parts agree"


def rays(pair: Pair) -> str:
    """Prove f ~ g (SP, Definition 3): the masses on every ray of rows agree, and so do the constants."""
    _scalar(pair)
    _Roles(pair, "ray").prove_equal()
    return f"similar: the masses on {len(pair.items('rays'))} rays and the constants agree"


def ray(pair: Pair) -> str:
    """Prove that f ~ g fails: the total mass on the ray of ``"base"`` differs, or the constants where that is null.

    Both are invariants of the minimal form, and are computed here from all neurons, with nothing taken on trust.
    """
    _scalar(pair)
    first, second = pair.networks
    views = (shallow(first, 0), shallow(second, 1))
    slopes = [view.affine[0][:-1] for view in views]
    if not all(map(equal, *slopes)):
        raise Unproved("one of the networks is affine with slopes of its own, beside which similarity has no meaning")
    base = pair.certificate.get("base")
    if base is None:
        totals = [_constant_total(view, pair.field) for view in views]
        what = "constants"
    else:
        row = _base_neuron(base, views, "the certificate").row
        pivot = _pivot(row, pair.field)
        if pivot is None:
            raise Unproved("the base row has no weight, so it is no ray")
        totals = [_ray_total(view, row, pivot, pair.field) for view in views]
        what = "masses on the ray of the base row"
    if pair.field.sign(total([totals[0], negative(totals[1])])) == 0:
        raise Unproved(f"the {what} agree")
    return f"not similar: the {what} differ"


def _scalar(pair: Pair) -> None:
    pair.refuse("domain", "scale")
    if pair.networks[0].widths[-1] != 1:
        raise Unproved("similarity is a relation of networks with one output")


def _pivot(row: Row, field: Field) -> int | None:
    """Return the index of a weight that is proved not to be zero; None where all weights are zero."""
    return next((index for index, entry in enumerate(row[:-1]) if field.sign(entry) != 0), None)


def _constant_total(view: Shallow, field: Field) -> Number:
    parts = [view.affine[0][-1]]
    for row, (weight,) in view.neurons:
        if not is_zero(weight) and _pivot(row, field) is None:
            parts.append(product(weight, relu(row[-1], field)))
    return total(parts)


def _ray_total(view: Shallow, base: Row, pivot: int, field: Field) -> Number:
    """Return the total mass on the ray of the base row, times its entry at the pivot (so that nothing is divided)."""
    parts = [
        product(weight, row[pivot])
        for row, (weight,) in view.neurons
        if not is_zero(weight) and _on_ray(row, base, pivot, field)
    ]
    return total(parts)


def _on_ray(row: Row, base: Row, pivot: int, field: Field) -> bool:
    """Decide whether a row is a positive multiple of the base row, by signs and minors at the pivot."""
    if field.sign(row[pivot]) != field.sign(base[pivot]):
        return False
    minors = (
        total([product(entry, base[pivot]), negative(product(other, row[pivot]))])
        for entry, other in zip(row, base, strict=True)
    )
    return all(field.sign(minor) == 0 for minor in minors)
