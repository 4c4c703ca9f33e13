"""The kind "fewest": the function of a network needs exactly w neurons in one hidden layer.

Neurons are put on the hyperplanes of their rows (the certificate says which row is which multiple of which). With the
jump W_q ∈ K^k of the gradient across hyperplane q, its direction a_q ∈ K^m, and Λ for what is linear besides, put
R_F = −Λ − Σ_{q∈F} W_q ⊗ a_q for a set F of the r hyperplanes with W_q ≠ 0. A network with f needs r + |T| + 2s
neurons, where disjoint T and F have R_F of rank s modulo the a_q of T; so the fewest are r + min (|T| + 2s).

That w suffices is shown by one T and F. That fewer do not: w = r; or ranks that no T and F can lower; or else for all
T of |T| + 2s = w − r − 1 no F does with rank s. For s = 0 that is a sum of rows that meets no target, with a proof for
each T (:mod:`relusym.decision.check.combinations`); for s > 0 all F are tried here.

The direction of hyperplane q is the row of its base neuron, negated where its first entry that is not 0 is negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from relusym.decision.check.certificate import as_index, as_list, as_number
from relusym.decision.check.combinations import echelon, prove_no_combination
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.numbers import ZERO, Field, Number, Row, first_difference, is_zero, negative, product, total
from relusym.decision.check.single import Single, Span, dependent_pair, integer_columns, outer, rank

MAX_TRIES = 1 << 15
MAX_EXACT = 1 << 15  # multiplications of an exact elimination
PRIME = 1073741789


class Ridges(NamedTuple):
    """The jumps W_q ≠ 0, the directions a_q, and Λ as k rows."""

    weights: list[Row]
    directions: list[Row]
    linear: list[Row]

    def left_over(self, negative_side: Sequence[int]) -> list[Row]:
        """Return −R_F."""
        rows = self.linear
        for q in negative_side:
            added = ([product(w, entry) for entry in self.directions[q]] for w in self.weights[q])
            rows = [_sum(row, more) for row, more in zip(rows, added, strict=True)]
        return rows


def _sum(*rows: Row) -> Row:
    return [total(entries) for entries in zip(*rows, strict=True)]


def fewest(single: Single) -> str:
    """Prove that w neurons are the fewest.

    Reads ``"width"``, ``"ridges"`` (the base neuron of each hyperplane), ``"neurons"`` (the role of every neuron:
    ["dead"], ["constant"] or ["ridge", hyperplane, factor]), ``"two_sided"`` and ``"negative"`` (T and F, as numbers of
    hyperplanes) and ``"absences"``.
    """
    single.one_hidden_layer()
    single.prove_field()
    ridges, numbers = _ridges(single)
    width, count = single.integer("width"), len(ridges.weights)
    two_sided, negative_side = (_places(single, key, numbers) for key in ("two_sided", "negative"))
    if set(two_sided) & set(negative_side):
        raise Unproved("'two_sided' and 'negative' share a hyperplane")
    span = Span([ridges.directions[q] for q in two_sided])
    needed = count + len(two_sided) + 2 * rank([*span.quotient(ridges.left_over(negative_side))])
    if needed > width:
        raise Unproved(f"the sides that are named need {needed} neurons, not {width}")
    excess = width - count
    if excess < 0:
        raise Unproved(f"the function has {count} ridges, so {width} neurons cannot be enough")
    how = _lower_bound(single, ridges, excess)
    return f"{width} neurons are the fewest: {count} ridges{how}"


def _places(single: Single, key: str, numbers: Mapping[int, int]) -> list[int]:
    places = []
    for entry in single.items(key):
        if isinstance(entry, bool) or not isinstance(entry, int) or entry not in numbers:
            malformed(f"'{key}'", f"the number of a hyperplane with a jump is accepted, not {shown(entry)}")
        places.append(numbers[entry])
    if len(set(places)) < len(places):
        malformed(f"'{key}'", "a hyperplane is named twice")
    return places


class _Plane:
    """A hyperplane: its row, and the output weights on both sides of it in units of that row."""

    def __init__(self, row: Row, upward: bool) -> None:
        self.row = row if upward else [negative(entry) for entry in row]
        self.upward = upward
        self.all: list[Row] = []
        self.below: list[Row] = []


def _ridges(single: Single) -> tuple[Ridges, dict[int, int]]:
    """Return the ridges of the function, and their places by the number that the certificate gives them."""
    rows, columns = single.one_hidden_layer()
    planes = []
    for index, entry in enumerate(single.items("ridges")):
        place = f"'ridges', entry {index}"
        if not isinstance(entry, Mapping):
            malformed(place, f"an object with 'base' is accepted, not {shown(entry)}")
        row = rows[as_index(entry.get("base"), len(rows), f"{place}, base")]
        lead = next((value for value in row[:-1] if not is_zero(value)), None)
        if lead is None:
            raise Unproved(f"{place}: the base row has no weight")
        planes.append(_Plane(row, single.field.sign(lead) > 0))
    roles = single.items("neurons")
    if len(roles) != len(rows):
        raise Unproved(f"{len(roles)} roles are given for {len(rows)} neurons")
    for index, (role, row, column) in enumerate(zip(roles, rows, columns, strict=True)):
        _place(single.field, as_list(role, f"the role of neuron {index}"), (row, column), planes, f"neuron {index}")
    k, m = single.network.widths[-1], single.network.inputs
    zero = [ZERO] * k
    linear = [[ZERO] * m for _ in range(k)]
    ridges = Ridges([], [], linear)
    lines: list[Row] = []
    numbers: dict[int, int] = {}
    for number, plane in enumerate(planes):
        jump, below = _sum(zero, *plane.all), _sum(zero, *plane.below)
        for output, mass in enumerate(below):
            if not is_zero(mass):
                linear[output] = _sum(linear[output], [negative(product(mass, entry)) for entry in plane.row[:-1]])
        if not all(map(is_zero, jump)):
            numbers[number] = len(lines)
            ridges.weights.append(jump)
            ridges.directions.append(plane.row[:-1])
            lines.append(plane.row)
    pair = dependent_pair(lines)
    if pair is not None:
        raise Unproved(f"two ridges, {pair[0]} and {pair[1]}, are on one hyperplane")
    return ridges, numbers


def _place(field: Field, role: list[object], neuron: tuple[Row, Row], planes: list[_Plane], name: str) -> None:
    row, column = neuron
    match role:
        case ["dead"]:
            if not all(map(is_zero, column)):
                raise Unproved(f"{name} is not dead: its output weights are not all zero")
        case ["constant"]:
            if not all(map(is_zero, row[:-1])):
                raise Unproved(f"{name} is not constant: its weights are not all zero")
        case ["ridge", number, text]:
            plane = planes[as_index(number, len(planes), f"the role of {name}")]
            factor = as_number(text, field, f"the role of {name}")
            sign = field.sign(factor)
            relative = factor if plane.upward else negative(factor)
            if sign == 0 or first_difference(row, relative, plane.row) is not None:
                raise Unproved(f"{name} is not that multiple of its base row")
            mass = [product(factor if sign > 0 else negative(factor), weight) for weight in column]
            plane.all.append(mass)
            if (sign > 0) is not plane.upward:
                plane.below.append(mass)
        case _:
            malformed(f"the role of {name}", "['dead'], ['constant'] and ['ridge', hyperplane, factor] are accepted")


def _lower_bound(single: Single, ridges: Ridges, excess: int) -> str:
    """Prove that no T and F have |T| + 2·rank less than the excess, and say how."""
    if excess == 0:
        return ""
    by_directions = _rank_beyond(ridges.directions, ridges.linear)
    transposed = [list(column) for column in zip(*ridges.linear, strict=True)]
    by_weights = rank([*Span(ridges.weights).quotient(transposed)])
    if max(2 * by_directions, by_weights) >= excess:
        return f", and a linear part whose rank asks for {excess} more"
    absences = iter(single.items("absences"))
    for pairs, two_sided in _choices(len(ridges.weights), excess - 1):
        if pairs:
            _try_all(ridges, two_sided, pairs)
        else:
            _prove_absence(ridges, two_sided, next(absences, None))
    return f", and {excess} more, since no choice of sides leaves less"


def _rank_beyond(span: list[Row], rows: list[Row]) -> int:
    """Return the rank of rows modulo a span: for a large rational one, modulo a prime, at least a lower bound of it."""
    count, length = len(span), len(rows[0])
    full = min(count, length)
    if count * length * full <= MAX_EXACT or not all(
        isinstance(entry, int) for row in [*span, *rows] for entry, _ in row
    ):
        return rank([*Span(span).quotient(rows)])
    table = [list(row) for row in zip(*integer_columns([*span, *rows]), strict=True)]
    if len(echelon(iter(table[:count]), length, PRIME)) < full:
        return 0
    return len(echelon(iter(table), length, PRIME)) - full


def _choices(count: int, excess: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield all (s, T) with |T| + 2s = excess; a smaller T does no better."""
    tries = 0
    for pairs in range(excess // 2 + 1):
        size = min(count, excess - 2 * pairs)
        tries += comb(count, size) * (2 ** (count - size) if pairs else 1)
        if tries > MAX_TRIES:
            raise Unproved(f"{count} ridges with {pairs} pairs are beyond the limits of this checker")
        yield from ((pairs, chosen) for chosen in combinations(range(count), size))


def _try_all(ridges: Ridges, two_sided: Sequence[int], pairs: int) -> None:
    """Prove by trying all F that R_F has a rank above ``pairs`` modulo the directions of T."""
    span = Span([ridges.directions[q] for q in two_sided])
    others = [q for q in range(len(ridges.weights)) if q not in two_sided]
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            if rank([*span.quotient(ridges.left_over(chosen))]) <= pairs:
                raise Unproved(f"{len(two_sided)} two-sided ridges and {pairs} pairs are enough")


def _prove_absence(ridges: Ridges, two_sided: Sequence[int], proof: object) -> None:
    """Prove that no F has R_F = 0 modulo the directions of T: a sum of rows W_q ⊗ a_q that meets the target −Λ."""
    if proof is None:
        raise Unproved(f"no proof is given for the two-sided ridges {list(two_sided)}")
    span = Span([ridges.directions[q] for q in two_sided])
    others = [q for q in range(len(ridges.weights)) if q not in two_sided]
    reduced = span.quotient([ridges.directions[q] for q in others])
    rows = [outer(ridges.weights[q], direction) for q, direction in zip(others, reduced, strict=True)]
    target: list[Number] = [negative(entry) for row in span.quotient(ridges.linear) for entry in row]
    if all(map(is_zero, target)):
        raise Unproved(f"the sides {list(two_sided)} leave nothing of the linear part")
    matrix = integer_columns([*rows, target])
    place = f"'absences', for the two-sided ridges {list(two_sided)}"
    prove_no_combination(proof, matrix, len(rows) + 1, place, signs=False, target=True)
