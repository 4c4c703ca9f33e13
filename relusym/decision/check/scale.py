"""Kinds of certificates for equality up to one positive output scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from relusym.decision.check.certificate import Pair, as_list, as_number, as_row
from relusym.decision.check.deep import require_inside
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.network import Layer, Network, evaluate
from relusym.decision.check.numbers import Number, Row, is_zero, negative, product, total

Inner = Callable[[Mapping[str, object], Pair], str]
"""Proves an inner certificate of equality about a pair of networks; the registry of kinds hands it in."""


def scaled(pair: Pair, prove: Inner) -> str:
    """Prove g = c * f for the positive number ``"scale"`` from a ``"proof"`` that c * f and g are equal."""
    scale = as_number(pair.certificate.get("scale"), pair.field, "'scale'")
    if pair.field.sign(scale) <= 0:
        raise Unproved("the scale is not positive")
    proof = pair.certificate.get("proof")
    if not isinstance(proof, Mapping) or proof.get("kind") == "scaled":
        malformed("'proof'", "a certificate of equality is accepted")
    if not _same(proof.get("domain"), pair.certificate.get("domain")):
        raise Unproved("the proof is about another domain")
    if proof.get("scale") is not None:
        malformed("'proof'", "a proof with a scale of its own is about another factor; one without is accepted")
    first, second = pair.networks
    inner = Pair(proof, pair.field, (_scaled_output(first, scale), second))
    return f"equal up to the scale {shown(pair.certificate.get('scale'))}: {prove(proof, inner)}"


def _same(one: object, other: object) -> bool:
    """Return whether two domains are the same JSON."""
    try:
        return one == other
    except RecursionError:  # nested too deeply to be a domain
        return False


def _scaled_output(network: Network, scale: Number) -> Network:
    *hidden, last = network.layers
    weight = [[product(scale, entry) for entry in row] for row in last.weight]
    return Network(network.inputs, [*hidden, Layer(weight, [product(scale, entry) for entry in last.bias])])


def disproportion(pair: Pair) -> str:
    """Prove that g = c * f for no c > 0 from one or two points of the domain, ``"points"``."""
    points = as_list(pair.certificate.get("points"), "'points'")
    if not 1 <= len(points) <= 2:
        malformed("'points'", "one or two points are accepted")
    left: Row = []
    right: Row = []
    for number, entry in enumerate(points):
        x = as_row(entry, pair.field, f"'points', entry {number}", pair.networks[0].inputs)
        require_inside(pair, x)
        left += evaluate(pair.networks[0], x, pair.field)
        right += evaluate(pair.networks[1], x, pair.field)
    if not _disproportional(pair, left, right):
        raise Unproved("some positive scale fits the outputs at these points")
    return f"different up to a positive scale: none fits the outputs at {len(points)} points"


def _disproportional(pair: Pair, left: Row, right: Row) -> bool:
    """Return whether right = c * left is proved to hold for no c > 0."""
    signs = [(pair.field.sign(a), pair.field.sign(b)) for a, b in zip(left, right, strict=True)]
    if any(a != b for a, b in signs):
        return True
    pivot = next((index for index, (sign, _) in enumerate(signs) if sign), None)
    if pivot is None:
        return False
    minors = (
        total([product(left[pivot], b), negative(product(right[pivot], a))]) for a, b in zip(left, right, strict=True)
    )
    return any(not is_zero(minor) and pair.field.sign(minor) != 0 for minor in minors)
