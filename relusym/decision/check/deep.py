"""Kinds of certificates for networks of any depth: a point where two differ, a symmetry that maps one to the other."""

from __future__ import annotations

from collections.abc import Mapping

from relusym.decision.check.certificate import Pair, Side, as_index, as_list, as_row
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.network import Network, evaluate
from relusym.decision.check.numbers import ONE, Field, Number, Row, equal, negative, product, total


def point(pair: Pair) -> str:
    """Prove that c * f and g differ at the point ``"x"`` of the domain, where f is ``"f"`` and g is ``"g"``."""
    first, second = pair.networks
    field = pair.field
    x = pair.row("x", first.inputs)
    require_inside(pair, x)
    outputs = first.widths[-1]
    claimed = [pair.row(name, outputs) for name in ("f", "g")]
    for number, (network, values) in enumerate(zip((first, second), claimed, strict=True)):
        for index, (value, wanted) in enumerate(zip(evaluate(network, x, field), values, strict=True)):
            if not equal(value, wanted):
                raise Unproved(f"output {index} of network {number} at x is not the value that the certificate gives")
    scale = pair.scale
    for index, (value, other) in enumerate(zip(*claimed, strict=True)):
        if field.sign(total([product(scale, value), negative(other)])) != 0:
            return f"different: output {index} differs at the point x{pair.times}"
    raise Unproved("the networks do not differ at x")


def require_inside(pair: Pair, x: Row) -> None:
    """Prove that a point is in the domain of the claim."""
    for index, (row, bound) in enumerate(pair.inequalities or ()):
        terms = [negative(product(factor, value)) for factor, value in zip(row, x, strict=True)]
        if pair.field.sign(total([bound, *terms])) < 0:
            raise Unproved(f"x is outside the domain: inequality {index} does not hold")
    box = pair.box
    for index, (value, side) in enumerate(zip(x, box, strict=True) if box is not None else ()):
        _inside(value, side, pair.field, index)


def _inside(value: Number, side: Side, field: Field, index: int) -> None:
    for end, sign in ((side.low, -1), (side.high, 1)):
        if end is not None and sign * field.sign(total([end, negative(value)])) < 0:
            raise Unproved(f"coordinate {index} of x is outside the domain")


def layers(pair: Pair) -> str:
    """Prove g = c * f from a permutation and positive scales of the neurons of every hidden layer."""
    first, second = pair.networks
    if first.widths != second.widths:
        raise Unproved("the networks do not have the same widths")
    pair.box  # noqa: B018  # a smaller domain changes nothing, but an empty one is refused
    entries = pair.items("layers")
    if len(entries) != first.depth:
        raise Unproved(f"{len(entries)} layers are given, the networks have {first.depth} hidden layers")
    before = _identity(first.inputs, ONE)
    for depth, width in enumerate(first.widths[1:]):
        hidden = depth < first.depth
        after = _monomial(entries[depth], width, pair.field, depth) if hidden else _identity(width, pair.scale)
        _compare(pair.networks, depth, before, after)
        before = after
    return f"equal: the neurons of {first.depth} hidden layers correspond, up to positive scales{pair.times}"


def _identity(width: int, scale: Number) -> tuple[list[int], Row]:
    return list(range(width)), [scale] * width


def _monomial(entry: object, width: int, field: Field, depth: int) -> tuple[list[int], Row]:
    """Return the permutation and the positive scales of one hidden layer."""
    place = f"'layers', entry {depth}"
    if not isinstance(entry, Mapping):
        malformed(place, f"an object with 'permutation' and 'scale' is accepted, not {shown(entry)}")
    indices = as_list(entry.get("permutation"), f"{place}, permutation")
    if len(indices) != width:
        raise Unproved(f"{place}: the permutation has {len(indices)} entries, the layer has {width} neurons")
    permutation = [as_index(index, width, f"{place}, permutation") for index in indices]
    if len(set(permutation)) != width:
        malformed(f"{place}, permutation", "every neuron is due exactly once")
    scales = as_row(entry.get("scale"), field, f"{place}, scale", width)
    for index, scale in enumerate(scales):
        if field.sign(scale) <= 0:
            raise Unproved(f"{place}: scale {index} is not positive")
    return permutation, scales


def _compare(
    networks: tuple[Network, Network], depth: int, before: tuple[list[int], Row], after: tuple[list[int], Row]
) -> None:
    """Compare every entry of one layer: g[t][s] times the scale before of s is the scale after of t times f's entry."""
    first, second = (network.layers[depth] for network in networks)
    sources, scales = before
    for row, (source, scale) in enumerate(zip(*after, strict=True)):
        place = f"row {row} of layer {depth} of network 1"
        if not equal(second.bias[row], product(scale, first.bias[source])):
            raise Unproved(f"{place}: the bias is not what the symmetry makes of neuron {source} of network 0")
        weights = first.weight[source]
        for column, (entry, unit) in enumerate(zip(second.weight[row], scales, strict=True)):
            if not equal(product(entry, unit), product(scale, weights[sources[column]])):
                raise Unproved(
                    f"{place}: entry {column} is not what the symmetry makes of neuron {source} of network 0"
                )
