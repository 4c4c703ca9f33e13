"""Piecewise with linear conditions as Max and Min of its pieces; one that jumps is refused.

Where all conditions compare one linear form ℓ with numbers, f is its leftmost piece plus a correction at every break t
of ℓ: a multiple of σ(ℓ − t) between linear pieces; between others D·[ℓ > t], with D zero on ℓ = t, is
max(min(D, Kσ(ℓ − t)), −Kσ(ℓ − t)) for a Lipschitz bound K.

Otherwise the linear forms cut R^m into cells, and with linear pieces f = max_C min {p : p ≥ p_C on C} over the cells C
(the max–min representation of continuous piecewise linear functions). Whether f is continuous is decided on both ways,
by comparing every cell with the larger cells around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from relusym.errors import RelusymError, Undecided
from relusym.symbolic.inequalities import Inequality, feasible
from relusym.symbolic.units import Form, Units, plus, times

if TYPE_CHECKING:
    from relusym.symbolic.reading import Reader

Signs: TypeAlias = tuple[int, ...]
Test: TypeAlias = Callable[[Signs], bool]
_MOST_FORMS = 10


def read_piecewise(reader: Reader, expression: Any) -> Form:
    """Return the form of a Piecewise.

    Raises
    ------
    FormatError
        Where it jumps, leaves points without a value, or has conditions that are not linear.
    """
    return _Pieces(reader, expression).form()


class _Pieces:
    def __init__(self, reader: Reader, expression: Any) -> None:
        self.units = reader.units
        self.reader = reader
        self.expression = expression
        self.forms: list[Form] = []
        branches = [(value, self._test(condition)) for value, condition in expression.args]
        self.branches = [(reader.read(value), test) for value, test in branches]
        if len(self.forms) > _MOST_FORMS and not self._parallel():
            raise self._refused(f"compares {len(self.forms)} linear forms; at most {_MOST_FORMS} are accepted")

    def _refused(self, why: str) -> RelusymError:
        from relusym.symbolic.reading import refuse

        return refuse(self.expression, why)

    # -- conditions

    def _test(self, condition: Any) -> Test:
        """Return a condition as a function of the signs of :attr:`forms`."""
        from sympy import And, Not, Or
        from sympy.core.relational import Equality, GreaterThan, LessThan, StrictGreaterThan, StrictLessThan, Unequality

        if condition == True:  # noqa: E712 - SymPy's true and Python's alike
            return lambda signs: True
        if condition == False:  # noqa: E712
            return lambda signs: False
        if isinstance(condition, And):
            parts = [self._test(part) for part in condition.args]
            return lambda signs: all(part(signs) for part in parts)
        if isinstance(condition, Or):
            parts = [self._test(part) for part in condition.args]
            return lambda signs: any(part(signs) for part in parts)
        if isinstance(condition, Not):
            part = self._test(condition.args[0])
            return lambda signs: not part(signs)
        accepted = {
            StrictGreaterThan: (1,),
            GreaterThan: (0, 1),
            StrictLessThan: (-1,),
            LessThan: (-1, 0),
            Equality: (0,),
            Unequality: (-1, 1),
        }
        for kind, signs in accepted.items():
            if isinstance(condition, kind):
                return self._comparison(condition, signs)
        raise self._refused(f"has the condition {condition}, which is no comparison")

    def _comparison(self, condition: Any, accepted: Signs) -> Test:
        left, right = map(self.reader.read, condition.args)
        form = plus(left, right, self.units.field.rational(-1))
        if self.units.level(form) > 0:
            raise self._refused(f"has the condition {condition}, which is not linear")
        if form.is_constant:
            holds = self.units.field.sign(form.constant) in accepted
            return lambda signs: holds
        lead = form.terms[min(form.terms)]
        form = times(form, 1 / lead)
        if form not in self.forms:
            self.forms.append(form)
        index, flip = self.forms.index(form), self.units.field.sign(lead)
        return lambda signs: flip * signs[index] in accepted

    def _piece(self, signs: Signs) -> Form:
        for value, test in self.branches:
            if test(signs):
                return value
        raise self._refused("has no value at some points; a last piece for True is due")

    # -- the function

    def form(self) -> Form:
        """Return the form, by the way that fits."""
        if not self.forms:
            return self._piece(())
        if self._parallel():
            return self._along_one_form()
        if any(self.units.level(value) > 0 for value, _ in self.branches):
            raise self._refused("has pieces that are not linear, and conditions on more than one linear form")
        return self._by_cells()

    def _parallel(self) -> bool:
        return all(form.terms == self.forms[0].terms for form in self.forms)

    def _jump(self) -> RelusymError:
        return self._refused("jumps, so it is not continuous")

    # -- conditions on one linear form

    def _along_one_form(self) -> Form:
        """Walk along ℓ: an interval, a break, an interval, …; forms are ℓ − t for increasing t."""
        order = sorted(range(len(self.forms)), key=lambda index: -self.forms[index].constant)
        minus = self.units.field.rational(-1)
        count = len(order)

        def signs(passed: int, at: int | None) -> Signs:
            values = [0] * count
            for rank, index in enumerate(order):
                values[index] = 0 if rank == at else (1 if rank < passed else -1)
            return tuple(values)

        total = current = self._piece(signs(0, None))
        for rank, index in enumerate(order):
            here, following = self._piece(signs(rank, rank)), self._piece(signs(rank + 1, None))
            edge = self.forms[index]
            if not all(self._vanishes(plus(other, current, minus), edge) for other in (here, following)):
                raise self._jump()
            total = plus(total, self._beyond(plus(following, current, minus), edge))
            current = following
        return total

    def _vanishes(self, difference: Form, edge: Form) -> bool:
        """Return whether a form is zero on the hyperplane edge = 0."""
        pivot = min(edge.terms)
        solved = times(Form({a: v for a, v in edge.terms.items() if a != pivot}, edge.constant), -1 / edge.terms[pivot])
        target = Units(self.units.field, self.units.inputs, canonical=True)
        restricted = _substituted(self.units, difference, target, pivot, solved)
        if target.level(restricted) <= 1:
            return restricted.is_zero
        raise Undecided(
            f"{self.expression}: whether its nested pieces meet at a break is not decided; write it with Max and Min"
        )

    def _beyond(self, difference: Form, edge: Form) -> Form:
        """Return difference·[edge > 0] for a difference that vanishes on edge = 0."""
        unit = self.units.relu(edge)
        if self.units.level(difference) == 0:
            if difference.is_zero:
                return difference
            return times(unit, difference.terms[min(edge.terms)] / edge.terms[min(edge.terms)])
        # From a point with edge = e > 0, walk against the pivot's axis to the hyperplane: the way is e / |lead| long.
        pivot = min(edge.terms)
        bound = times(unit, _lipschitz(self.units, difference, pivot) / abs(edge.terms[pivot]))
        minus = self.units.field.rational(-1)
        return self.units.maximum([self.units.minimum([difference, bound]), times(bound, minus)])

    # -- conditions on several linear forms

    def _by_cells(self) -> Form:
        cells = self._cells()
        full = [signs for signs in cells if 0 not in signs]
        minus = self.units.field.rational(-1)
        pieces = {signs: self._piece(signs) for signs in cells}
        for signs in cells:
            for larger in full:
                if 0 in signs and all(s in (0, t) for s, t in zip(signs, larger, strict=True)):
                    difference = plus(pieces[signs], pieces[larger], minus)
                    if self._somewhere(signs, difference) or self._somewhere(signs, times(difference, minus)):
                        raise self._jump()
        distinct: dict[Any, Form] = {self.units.key(pieces[signs]): pieces[signs] for signs in full}
        groups: set[frozenset[Any]] = set()
        for signs in full:
            own = pieces[signs]
            groups.add(
                frozenset(name for name, form in distinct.items() if not self._somewhere(signs, plus(own, form, minus)))
            )
        least = [group for group in groups if not any(other < group for other in groups)]
        return self.units.maximum([self.units.minimum([distinct[name] for name in group]) for group in least])

    def _cells(self) -> list[Signs]:
        """Return the sign vectors of all nonempty cells of the arrangement."""
        cells: list[Signs] = [()]
        for _ in self.forms:
            cells = [(*cell, sign) for cell in cells for sign in (-1, 0, 1) if self._nonempty((*cell, sign))]
        return cells

    def _nonempty(self, signs: Signs, extra: Sequence[Inequality] = ()) -> bool:
        system = list(extra)
        for form, sign in zip(self.forms, signs, strict=False):
            if sign:
                system.append(self._inequality(form, sign, strict=True))
            else:
                system += [self._inequality(form, 1, strict=False), self._inequality(form, -1, strict=False)]
        return feasible(self.units.field, system)

    def _somewhere(self, signs: Signs, form: Form) -> bool:
        """Return whether a linear form is positive somewhere on a cell."""
        if form.is_constant:
            return bool(form.constant > 0)
        return self._nonempty(signs, [self._inequality(form, 1, strict=True)])

    def _inequality(self, form: Form, sign: int, *, strict: bool) -> Inequality:
        zero = self.units.field.rational(0)
        row = tuple(sign * form.terms.get(atom, zero) for atom in range(self.units.inputs))
        return Inequality(row, sign * form.constant, strict)


def _substituted(units: Units, form: Form, target: Units, pivot: int, solved: Form) -> Form:
    """Return a form, carried over to other units, with the input ``pivot`` replaced by a linear form."""
    images: dict[int, Form] = {}

    def image(part: Form) -> Form:
        total = target.number(part.constant)
        for atom, value in part.terms.items():
            total = plus(total, images[atom], value)
        return total

    for atom in range(units.inputs):
        images[atom] = solved if atom == pivot else target.atom(atom)
    for atom in units.used([form]):
        images[atom] = target.relu(image(units.arguments[atom - units.inputs]))
    return image(form)


def _lipschitz(units: Units, form: Form, pivot: int) -> Any:
    """Return a bound of |∂form/∂x_pivot|."""
    bounds = {atom: units.field.rational(int(atom == pivot)) for atom in range(units.inputs)}

    def bound(part: Form) -> Any:
        return sum((abs(value) * bounds[atom] for atom, value in part.terms.items()), units.field.rational(0))

    for atom in units.used([form]):
        bounds[atom] = bound(units.arguments[atom - units.inputs])
    return bound(form)
