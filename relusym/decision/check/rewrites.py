"""The kind of certificate for networks of any depth: every neuron rewritten as a multiple of one side of a unit.

A certificate names the role of every hidden neuron, layer after layer, first network first. A unit is an affine form h;
its base is the neuron that comes first with it. Each role is a rewrite, and is replayed here on the weights:

* ``["unused"]``: no neuron that is used, and no output, has a weight on it;
* ``["constant"]``: its form is a constant b, and its value is relu(b);
* ``["unit", k, t]``: its form is t times the form h of unit k, so that its value is t relu(h) for t > 0 and
  |t| relu(-h) for t < 0. Forms are compared after relu(-h) = relu(h) - h, as combinations of inputs and relu(h_0),
  relu(h_1), .... Where ``"sign"`` of the unit is 1 (or -1), h is proved to be at least 0 (at most 0) on the domain, and
  the value of the neuron is its form, or 0. The proof are bounds that are computed here; or ``"multipliers"`` [word,
  index, factor], which write h as a sum of inequalities that hold anyhow: relu(h_k) >= 0 ("up"), relu(h_k) - h_k >= 0
  ("down"), the chord of relu between the bounds of h_k ("chord"), and the ends of an input ("low", "high").

In the end the outputs of both networks are combinations of the same signals. That all coefficients agree proves that
the functions are equal; nothing has to be searched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from relusym.decision.check.bounds import Interval, bounds, tighter
from relusym.decision.check.certificate import Pair, Side, as_index, as_list, as_number
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.forms import CONSTANT, Form, first_not_multiple, substituted
from relusym.decision.check.network import Network, relu
from relusym.decision.check.numbers import ONE, ZERO, Number, Row, equal, is_zero, negative, product, total

Value: TypeAlias = "Form | None"
"""The value of a neuron as a form in signals; None for one that is not used."""


class _Unit(NamedTuple):
    """The form of the base neuron as it came, its normal form, and the sign that it is proved to have."""

    form: Form
    normal: Form
    sign: int


class Replay:
    """The rewrites of both networks, one after the other, with the units that they share.

    ``hull`` gives inputs that are proved to be forms in others on the domain.
    """

    def __init__(self, pair: Pair, hull: Mapping[int, Form] | None = None) -> None:
        self._hull = hull or {}
        self._field = pair.field
        self._inputs = pair.networks[0].inputs
        self._box = pair.box or [Side(None, None, fixed=False)] * self._inputs
        self._claims = pair.items("units")
        self._units: list[_Unit] = []
        self._intervals: dict[int, Interval] = {}
        self._bounded = any(isinstance(claim, Mapping) and claim.get("sign") for claim in self._claims)

    def outputs(self, network: Network, number: int, rewrites: object) -> list[Form]:
        """Return the normal forms of the outputs of one network."""
        layers = as_list(rewrites, f"'rewrites', list {number}")
        if len(layers) != network.depth:
            raise Unproved(f"{len(layers)} layers of rewrites are given, network {number} has {network.depth}")
        values: list[Value] = [self.start(index) for index in range(self._inputs)]
        for depth, roles in enumerate(layers):
            layer = network.layers[depth]
            entries = as_list(roles, f"'rewrites', list {number}, layer {depth}")
            if len(entries) != len(layer.bias):
                raise Unproved(f"{len(entries)} rewrites are given for the {len(layer.bias)} neurons of layer {depth}")
            before, values = values, []
            for index, entry in enumerate(entries):
                name = f"neuron {index} of layer {depth} of network {number}"
                role = as_list(entry, f"the rewrite of {name}")
                if role == ["unused"]:
                    values.append(None)
                    continue
                form = substituted(layer.weight[index], layer.bias[index], before, name)
                values.append(self._value(role, form, (number, depth, index), name))
        last = network.layers[-1]
        name = f"an output of network {number}"
        rows = zip(last.weight, last.bias, strict=True)
        return [self._normal(substituted(row, bias, values, name)) for row, bias in rows]

    def all_used(self) -> None:
        """Refuse claims about units that no neuron has."""
        if len(self._claims) != len(self._units):
            raise Unproved(f"{len(self._claims)} units are named, the networks have {len(self._units)}")

    @property
    def normal_forms(self) -> list[Form]:
        """The forms of all units so far, in inputs and relu of earlier units."""
        return [unit.normal for unit in self._units]

    def start(self, index: int) -> Form:
        """Return an input as a form."""
        if index in self._hull:
            return self._hull[index]
        side = self._box[index]
        if side.fixed and side.low is not None:
            return {CONSTANT: side.low}
        return {index: ONE}

    def _value(self, role: list[object], form: Form, place: tuple[int, int, int], name: str) -> Form:
        if role == ["constant"]:
            return self._constant(form, name)
        if len(role) != 3 or role[0] != "unit":
            malformed(f"the rewrite of {name}", "['unused'], ['constant'] and ['unit', index, factor] are accepted")
        return self._multiple(form, role[1], role[2], place, name)

    def _constant(self, form: Form, name: str) -> Form:
        normal = self._normal(form)
        if not all(is_zero(value) for signal, value in normal.items() if signal != CONSTANT):
            raise Unproved(f"{name} is not constant")
        return {CONSTANT: relu(normal.get(CONSTANT, ZERO), self._field)}

    def _multiple(self, form: Form, index: object, text: object, place: tuple[int, int, int], name: str) -> Form:
        unit = as_index(index, min(len(self._units) + 1, len(self._claims)), f"the rewrite of {name}, unit")
        factor = as_number(text, self._field, f"the rewrite of {name}, factor")
        direction = self._field.sign(factor)
        if direction == 0:
            raise Unproved(f"{name}: the factor is zero")
        normal = self._normal(form)
        if unit == len(self._units):
            if not equal(factor, ONE):
                raise Unproved(f"{name} is the base of unit {unit}, so its factor is 1, not {shown(text)}")
            self._units.append(_Unit(form, normal, 0))
            if self._bounded:
                self._intervals[unit] = self._bounds(form, normal)
            self._units[unit] = _Unit(form, normal, self._sign(unit, place))
        elif (signal := first_not_multiple(normal, factor, self._units[unit].normal)) is not None:
            raise Unproved(f"{name} is not {shown(text)} times unit {unit}: {self._named(signal)} does not agree")
        sign = self._units[unit].sign
        if sign:
            return form if sign == direction else {}
        signal = self._inputs + 2 * unit
        return {signal: factor} if direction > 0 else {signal + 1: negative(factor)}

    def _sign(self, unit: int, place: tuple[int, int, int]) -> int:
        """Return the sign that the certificate claims of a unit, proved by bounds on the domain."""
        claim = self._claims[unit]
        if not isinstance(claim, Mapping):
            malformed(f"'units', entry {unit}", "an object with 'base' and 'sign' is accepted")
        base = as_list(claim.get("base"), f"'units', entry {unit}, base")
        if base != list(place):
            raise Unproved(f"the base of unit {unit} is {list(place)}, not {shown(base)}")
        sign = claim.get("sign")
        if sign not in (-1, 0, 1) or isinstance(sign, bool) or not isinstance(sign, int):
            malformed(f"'units', entry {unit}, sign", f"-1, 0 or 1 is accepted, not {shown(sign)}")
        if sign:
            low, high = self._interval(unit)
            end = low if sign > 0 else high
            shown_by_bounds = end is not None and sign * self._field.sign(end) >= 0
            if not shown_by_bounds and not self._multiplied(unit, sign, claim.get("multipliers")):
                raise Unproved(f"unit {unit} is not proved to be {'active' if sign > 0 else 'inactive'} on the domain")
        return sign

    def _multiplied(self, unit: int, sign: int, multipliers: object) -> bool:
        """Return whether sign * h is a sum of inequalities with multipliers, and a constant, none of them negative."""
        if multipliers is None:
            return False
        normal = self._units[unit].normal
        parts: Row = [(sign, 1)]
        forms: list[Form | None] = [normal]
        for number, entry in enumerate(as_list(multipliers, f"'units', entry {unit}, multipliers")):
            place = f"'units', entry {unit}, multiplier {number}"
            item = as_list(entry, place)
            if len(item) != 3:
                malformed(place, "[word, index, factor] is accepted")
            factor = as_number(item[2], self._field, place)
            if self._field.sign(factor) < 0:
                return False
            parts.append(negative(factor))
            forms.append(self._inequality(item[0], item[1], unit, place))
        rest = substituted(parts, ZERO, forms, "")
        constant = rest.pop(CONSTANT, ZERO)
        if not all(map(is_zero, rest.values())) or self._field.sign(constant) < 0:
            return False
        low, high = self._intervals[unit]
        half = Interval(ZERO, None) if sign > 0 else Interval(None, ZERO)
        self._intervals[unit] = tighter(Interval(low, high), half, self._field)
        return True

    def _inequality(self, word: object, index: object, unit: int, place: str) -> Form:
        """Return a form that is not negative on the domain, of an input or of a unit before this one."""
        if word in ("low", "high"):
            number = as_index(index, self._inputs, place)
            end = self._box[number].low if word == "low" else self._box[number].high
            if end is None:
                raise Unproved(f"{place}: input {number} has no {word} end")
            return {number: ONE, CONSTANT: negative(end)} if word == "low" else {number: (-1, 1), CONSTANT: end}
        number = as_index(index, unit, place)
        signal = self._inputs + 2 * number
        normal = self._units[number].normal
        if word == "up":
            return {signal: ONE}
        if word == "down":
            return substituted([ONE, (-1, 1)], ZERO, [{signal: ONE}, normal], "")
        if word != "chord":
            malformed(place, f"'up', 'down', 'chord', 'low' and 'high' are accepted, not {shown(word)}")
        low, high = self._interval(number)
        if low is None or high is None or self._field.sign(low) > 0 or self._field.sign(high) < 0:
            raise Unproved(f"{place}: unit {number} is not bounded by an interval that holds 0")
        slope = total([low, negative(high)])
        return substituted([high, slope], negative(product(high, low)), [normal, {signal: ONE}], "")

    def _interval(self, unit: int) -> Interval:
        """Return bounds of the form of a unit on the domain, which are known as soon as any sign is claimed."""
        return self._intervals[unit]

    def _bounds(self, form: Form, normal: Form) -> Interval:
        first = bounds(form, self._box, self._interval, self._field)
        return (
            first
            if normal is form
            else tighter(first, bounds(normal, self._box, self._interval, self._field), self._field)
        )

    def _normal(self, form: Form) -> Form:
        """Return a form after relu(-h) = relu(h) - h for every unit."""
        first = self._inputs + 1
        if not any(signal >= first and not (signal - first) % 2 for signal in form):
            return form
        values: dict[int, Form] = {}
        for signal in form:
            if signal >= first and not (signal - first) % 2:
                normal = self._units[(signal - first) // 2].normal
                values[signal] = {**{name: negative(value) for name, value in normal.items()}, signal - 1: ONE}
        return _replaced(form, values)

    def _named(self, signal: int) -> str:
        if signal == CONSTANT:
            return "the constant"
        if signal < self._inputs:
            return f"input {signal}"
        return f"unit {(signal - self._inputs) // 2}"


def _replaced(form: Form, values: Mapping[int, Form]) -> Form:
    get: Callable[[int], Form] = lambda signal: values.get(signal, {signal: ONE})  # noqa: E731
    signals = [signal for signal in form if signal != CONSTANT]
    return substituted([form[signal] for signal in signals], form.get(CONSTANT, ZERO), list(map(get, signals)), "")


def rewrites(pair: Pair) -> str:
    """Prove c * f = g on the domain by replaying rewrites (see the head of this module).

    Reads ``"units"`` (the base and the sign of each), ``"rewrites"`` (the role of every neuron of both networks),
    ``"domain"`` and ``"scale"``.
    """
    replay = Replay(pair)
    lists = pair.items("rewrites")
    if len(lists) != 2:
        malformed("'rewrites'", f"two lists of layers are due, not {len(lists)}")
    first, second = (replay.outputs(pair.networks[number], number, lists[number]) for number in (0, 1))
    replay.all_used()
    scale: Number = pair.scale
    for output, (left, right) in enumerate(zip(first, second, strict=True)):
        for signal in left.keys() | right.keys():
            if not equal(product(scale, left.get(signal, ZERO)), right.get(signal, ZERO)):
                raise Unproved(f"the outputs {output} do not have the same normal form")
    where = "everywhere" if pair.certificate.get("domain") is None else "on the domain"
    return f"equal {where}{pair.times}: the outputs are the same combinations of {len(pair.items('units'))} units"
