"""The kind of certificate that needs cells: a tree of splits, and what is left of the difference in each part.

It begins as a certificate of rewrites: ``"units"`` and ``"rewrites"`` bring both networks to combinations of units. The
difference is then replayed on a tree. ``"tree"`` lists its cells, each before its parts, the part where the form of the
split unit is not negative before the other. A cell is ``{"steps": [...], "split": k}``, or has no ``"split"``: then
nothing may be left of the difference. The steps, in which h_k is the form of unit k as it is by then:

* ``["constant", k]``: h_k is a constant b, and relu(h_k) is relu(b);
* ``["multiple", k, j, t]``: h_k is t times h_j, j < k, so that relu(h_k) is t relu(h_j), for t < 0 it is |t| relu(h_j)
  plus h_k;
* ``["sign", k, s, [fact, ...]]``: s h_k is a sum of facts with factors that are not negative, and of a constant that is
  not, so that relu(h_k) is h_k or 0 (Farkas' lemma). Without the list, interval bounds show it.

Facts are forms that are not negative on the cell, with the factor last: ``["wall", i, factor]`` a wall;
``["up", k, factor]`` relu(h_k); ``["down", k, factor]`` relu(h_k) - h_k; ``["chord", k, l, u, factor]`` the chord of
relu between bounds l < 0 < u of h_k, u (h_k - l) - (u - l) relu(h_k); and for units with h_a = t h_b + c, t > 0 and c
not negative, ``["above", a, b, t, factor]`` relu(h_a) - t relu(h_b) and ``["steep", a, b, t, factor]`` c minus that.

Walls are forms that are not negative on the cell: those of the domain first (the inequalities of a polyhedron; of a box
its ends, the low one of an input before the high one), then one for each split on the way. No linear program is solved.

For a polyhedron, ``"hull"`` writes inputs as forms in others: ``"tight"`` lists walls that are 0 on the domain, each
with factors that write minus the wall as a sum of walls; ``"inputs"`` the forms, with factors of tight walls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from relusym.decision.check.bounds import Interval, bounds
from relusym.decision.check.certificate import Box, Pair, Side, as_index, as_list, as_number, as_row
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.forms import CONSTANT, Form, first_not_multiple, substituted
from relusym.decision.check.network import relu
from relusym.decision.check.numbers import ONE, ZERO, Field, Number, Row, is_zero, negative, product, total
from relusym.decision.check.rewrites import Replay

MINUS_ONE: Number = (-1, 1)


class _Cell(NamedTuple):
    """Forms of units, what replaces relu of some, the difference, and the walls."""

    forms: dict[int, Form]
    values: dict[int, Form]
    outputs: list[Form]
    walls: list[Form]


class _Tree:
    """The replay of a tree."""

    def __init__(self, field: Field, box: Box) -> None:
        self._field = field
        self._box = box
        self._inputs = len(box)
        self._intervals: dict[int, Interval] = {}

    def _signal(self, unit: int) -> int:
        return self._inputs + 2 * unit

    def replay(self, entries: Sequence[object], root: _Cell) -> int:
        """Prove that nothing is left in any part; return the number of parts."""
        stack, leaves = [root], 0
        for number, entry in enumerate(entries):
            place = f"'tree', cell {number}"
            if not isinstance(entry, Mapping):
                malformed(place, f"an object with 'steps' is accepted, not {shown(entry)}")
            if not stack:
                raise Unproved(f"{place}: the tree has ended before")
            cell = stack.pop()
            self._intervals = {}
            for index, step in enumerate(as_list(entry.get("steps"), f"{place}, steps")):
                self._step(cell, as_list(step, f"{place}, step {index}"), f"{place}, step {index}")
            if entry.get("split") is None:
                self._require_zero(cell, place)
                leaves += 1
            else:
                stack.extend(self._parts(cell, entry["split"], place))
        if stack:
            raise Unproved(f"the tree ends with {len(stack)} parts open")
        return leaves

    def _require_zero(self, cell: _Cell, place: str) -> None:
        for output, form in enumerate(cell.outputs):
            if not all(map(is_zero, self._current(cell, form).values())):
                raise Unproved(f"{place}: the outputs {output} are not proved to be equal on it")

    def _parts(self, cell: _Cell, split: object, place: str) -> list[_Cell]:
        unit = self._unit(cell, split, place)
        form = self._form(cell, unit)
        parts = []
        for sign, value in ((MINUS_ONE, {}), (ONE, form)):
            wall = _times(form, sign)
            values = {**cell.values, self._signal(unit): value}
            parts.append(_Cell(dict(cell.forms), values, list(cell.outputs), [*cell.walls, wall]))
        return parts

    def _unit(self, cell: _Cell, value: object, place: str) -> int:
        unit = as_index(value, len(cell.forms), place)
        if self._signal(unit) in cell.values:
            raise Unproved(f"{place}: unit {unit} is replaced already")
        return unit

    def _current(self, cell: _Cell, form: Form) -> Form:
        """Return a form after all replacements so far; they only ever lead to earlier units."""
        while any(signal in cell.values for signal in form):
            signals = [signal for signal in form if signal != CONSTANT]
            values = [cell.values.get(signal, {signal: ONE}) for signal in signals]
            form = substituted([form[signal] for signal in signals], form.get(CONSTANT, ZERO), values, "")
        return form

    def _form(self, cell: _Cell, unit: int) -> Form:
        form = cell.forms[unit] = self._current(cell, cell.forms[unit])
        return form

    def _step(self, cell: _Cell, step: list[object], place: str) -> None:
        word = step[0] if step else None
        lengths = {"constant": (2,), "multiple": (4,), "sign": (3, 4)}
        if not isinstance(word, str) or len(step) not in lengths.get(word, ()):
            malformed(
                place, "['constant', unit], ['multiple', unit, unit, factor] and ['sign', unit, ...] are accepted"
            )
        unit = self._unit(cell, step[1], place)
        form = self._form(cell, unit)
        if word == "constant":
            value = self._constant(form, place)
        elif word == "multiple":
            value = self._multiple(cell, unit, form, step, place)
        else:
            value = self._signed(cell, unit, form, step, place)
        cell.values[self._signal(unit)] = value

    def _constant(self, form: Form, place: str) -> Form:
        if not all(is_zero(value) for signal, value in form.items() if signal != CONSTANT):
            raise Unproved(f"{place}: the unit is not constant")
        return {CONSTANT: relu(form.get(CONSTANT, ZERO), self._field)}

    def _multiple(self, cell: _Cell, unit: int, form: Form, step: list[object], place: str) -> Form:
        other = self._unit(cell, step[2], place)
        factor = as_number(step[3], self._field, place)
        direction = self._field.sign(factor)
        if other >= unit or direction == 0:
            raise Unproved(f"{place}: a multiple, not 0, of an earlier unit is due")
        if first_not_multiple(form, factor, self._form(cell, other)) is not None:
            raise Unproved(f"{place}: unit {unit} is not {shown(step[3])} times unit {other}")
        if direction > 0:
            return {self._signal(other): factor}
        return {**form, self._signal(other): negative(factor)}

    def _signed(self, cell: _Cell, unit: int, form: Form, step: list[object], place: str) -> Form:
        sign = step[2]
        if isinstance(sign, bool) or not isinstance(sign, int) or sign not in (1, -1):
            malformed(place, f"the sign 1 or -1 is accepted, not {shown(sign)}")
        side = form if sign > 0 else _times(form, MINUS_ONE)
        if len(step) == 4:
            facts = [self._fact(cell, as_list(entry, place), place) for entry in as_list(step[3], place)]
            current = [(self._current(cell, fact), factor) for fact, factor in facts]
            left = remainder(side, current, self._field, place)
            proved = left is not None and self._field.sign(left) >= 0
        else:
            low, high = self._interval(cell, unit)
            end = low if sign > 0 else high
            proved = end is not None and sign * self._field.sign(end) >= 0
        if not proved:
            raise Unproved(f"{place}: unit {unit} is not proved to have the sign {sign}")
        return form if sign > 0 else {}

    def _fact(self, cell: _Cell, entry: list[object], place: str) -> tuple[Form, Number]:
        """Return a form that is not negative on the cell, and its factor; of units that are replaced it is true too."""
        lengths = {"wall": 3, "up": 3, "down": 3, "chord": 5, "above": 5, "steep": 5}
        word = entry[0] if entry else None
        if not isinstance(word, str) or lengths.get(word) != len(entry):
            malformed(place, f"one of the facts {', '.join(lengths)} is accepted")
        factor = as_number(entry[-1], self._field, place)
        if word == "wall":
            return cell.walls[as_index(entry[1], len(cell.walls), f"{place}, wall")], factor
        unit = as_index(entry[1], len(cell.forms), place)
        active = {self._signal(unit): ONE}
        if word == "up":
            return active, factor
        form = self._form(cell, unit)
        if word == "down":
            return substituted([ONE, MINUS_ONE], ZERO, [active, form], ""), factor
        if word == "chord":
            return self._chord(cell, unit, entry, place), factor
        other = as_index(entry[2], len(cell.forms), place)
        ratio = as_number(entry[3], self._field, place)
        gap = substituted([ONE, negative(ratio)], ZERO, [form, self._form(cell, other)], "")
        constant = gap.pop(CONSTANT, ZERO)
        if not all(map(is_zero, gap.values())) or self._field.sign(constant) < 0 or self._field.sign(ratio) <= 0:
            raise Unproved(f"{place}: unit {unit} is not a positive multiple of unit {other} plus a constant >= 0")
        rise = substituted([ONE, negative(ratio)], ZERO, [active, {self._signal(other): ONE}], "")
        return (rise if word == "above" else {**_times(rise, MINUS_ONE), CONSTANT: constant}), factor

    def _chord(self, cell: _Cell, unit: int, entry: list[object], place: str) -> Form:
        low, high = (as_number(value, self._field, place) for value in entry[2:4])
        proved_low, proved_high = self._interval(cell, unit)
        sign = self._field.sign
        if proved_low is None or proved_high is None or sign(low) >= 0 or sign(high) <= 0:
            raise Unproved(f"{place}: unit {unit} has no such bounds around 0")
        if sign(total([proved_low, negative(low)])) < 0 or sign(total([high, negative(proved_high)])) < 0:
            raise Unproved(f"{place}: the bounds of unit {unit} are not proved")
        slope = total([low, negative(high)])
        forms = [self._form(cell, unit), {self._signal(unit): ONE}]
        return substituted([high, slope], negative(product(high, low)), forms, "")

    def _interval(self, cell: _Cell, unit: int) -> Interval:
        """Return bounds of the form of a unit on the box of the domain."""
        waiting = [unit]
        while waiting:
            top = waiting[-1]
            form = self._form(cell, top)
            below = {(signal - self._inputs) // 2 for signal in form if signal >= self._inputs}
            missing = [other for other in below if other not in self._intervals]
            if missing:
                waiting += missing
                continue
            self._intervals[top] = bounds(form, self._box, self._intervals.__getitem__, self._field)
            waiting.pop()
        return self._intervals[unit]


def _times(form: Form, factor: Number) -> Form:
    return substituted([factor], ZERO, [form], "")


def combined(form: Form, factors: object, walls: Sequence[Form], field: Field, place: str) -> Number | None:
    """Return the constant c with form = c + sum of factor * wall, or None; negative factors are refused.

    Examples
    --------
    >>> combined({0: (1, 1), CONSTANT: (3, 1)}, [[0, "1"]], [{0: (1, 1), CONSTANT: (-2, 1)}], Field(), "a step")
    (5, 1)
    """
    parts, forms = _factors(factors, walls, field, place)
    facts = [(wall, negative(part)) for wall, part in zip(forms, parts, strict=True)]
    return remainder(form, facts, field, place)


def remainder(form: Form, facts: Sequence[tuple[Form, Number]], field: Field, place: str) -> Number | None:
    """Return the constant c with form = c + sum of factor * fact, or None; negative factors are refused."""
    if any(field.sign(factor) < 0 for _, factor in facts):
        raise Unproved(f"{place}: a factor is negative")
    parts = [negative(factor) for _, factor in facts]
    rest = substituted([ONE, *parts], ZERO, [form, *(fact for fact, _ in facts)], "")
    constant = rest.pop(CONSTANT, ZERO)
    return constant if all(map(is_zero, rest.values())) else None


def _factors(factors: object, walls: Sequence[Form], field: Field, place: str) -> tuple[Row, list[Form]]:
    """Return minus the factors, and their walls."""
    parts: Row = []
    forms = []
    for entry in as_list(factors, place):
        item = as_list(entry, place)
        if len(item) != 2:
            malformed(place, "[wall, factor] is accepted")
        forms.append(walls[as_index(item[0], len(walls), f"{place}, wall")])
        parts.append(negative(as_number(item[1], field, place)))
    return parts, forms


def _domain_walls(pair: Pair) -> list[Form]:
    """Return the walls of the domain, as forms in all inputs."""
    inequalities = pair.inequalities
    if inequalities is not None:
        return [
            {**{index: negative(value) for index, value in enumerate(row)}, CONSTANT: bound}
            for row, bound in inequalities
        ]
    walls: list[Form] = []
    for index, side in enumerate(pair.box or ()):
        if side.low is not None:
            walls.append({index: ONE, CONSTANT: negative(side.low)})
        if side.high is not None:
            walls.append({index: MINUS_ONE, CONSTANT: side.high})
    return walls


def _hull(pair: Pair, walls: list[Form]) -> dict[int, Form]:
    """Return inputs as forms that are equal to them on the domain."""
    hull = pair.certificate.get("hull")
    if hull is None:
        return {}
    if not isinstance(hull, Mapping):
        malformed("'hull'", "an object with 'tight' and 'inputs' is accepted")
    field, inputs = pair.field, pair.networks[0].inputs
    tight: dict[int, Form] = {}
    for number, entry in enumerate(as_list(hull.get("tight"), "'hull', tight")):
        place = f"'hull', tight wall {number}"
        item = as_list(entry, place)
        if len(item) != 2:
            malformed(place, "[wall, factors] is accepted")
        index = as_index(item[0], len(walls), place)
        constant = combined(_times(walls[index], MINUS_ONE), item[1], walls, field, place)
        if constant is None or field.sign(constant) < 0:
            raise Unproved(f"{place}: it is not proved to be 0 on the domain")
        tight[index] = walls[index]
    zeros = [tight.get(index) for index in range(len(walls))]
    forms = {}
    for number, entry in enumerate(as_list(hull.get("inputs"), "'hull', inputs")):
        place = f"'hull', input {number}"
        if not isinstance(entry, Mapping):
            malformed(place, "an object with 'input', 'form' and 'factors' is accepted")
        name = as_index(entry.get("input"), inputs, place)
        row = as_row(entry.get("form"), field, place, inputs + 1)
        form: Form = dict(zip((*range(inputs), CONSTANT), row, strict=True))
        if not is_zero(row[name]) or name in forms:
            raise Unproved(f"{place}: it is written in itself, or twice")
        parts, used = _factors(entry.get("factors"), [zero or {} for zero in zeros], field, place)
        rest = substituted([ONE, MINUS_ONE, *parts], ZERO, [{name: ONE}, form, *used], "")
        if not all(map(is_zero, rest.values())):
            raise Unproved(f"{place}: it is not proved to be this form on the domain")
        forms[name] = form
    return forms


def tree(pair: Pair) -> str:
    """Prove c * f = g on the domain by a tree of splits (see the head of this module)."""
    walls = _domain_walls(pair)
    inputs = pair.networks[0].inputs
    box = pair.box or [Side(None, None, fixed=False)] * inputs
    replay = Replay(pair, _hull(pair, walls))
    lists = as_list(pair.certificate.get("rewrites"), "'rewrites'")
    if len(lists) != 2:
        malformed("'rewrites'", f"two lists of layers are due, not {len(lists)}")
    first, second = (replay.outputs(pair.networks[number], number, lists[number]) for number in (0, 1))
    replay.all_used()
    factors = [pair.scale, MINUS_ONE]
    outputs = [substituted(factors, ZERO, [left, right], "") for left, right in zip(first, second, strict=True)]
    starts = [replay.start(index) for index in range(inputs)]
    rewritten = [
        substituted([wall.get(index, ZERO) for index in range(inputs)], wall.get(CONSTANT, ZERO), starts, "")
        for wall in walls
    ]
    root = _Cell(dict(enumerate(replay.normal_forms)), {}, outputs, rewritten)
    leaves = _Tree(pair.field, box).replay(pair.items("tree"), root)
    where = "everywhere" if pair.certificate.get("domain") is None else "on the domain"
    return f"equal {where}{pair.times}: nothing is left of the difference in any of {leaves} cells"
