"""One number field for all entries of a decision: atoms are adjoined to Q one by one.

Adjoining β (minimal polynomial g, degree e) to Q(α) (f, degree d): γ = α + tβ for a small integer t. The composed sum
of f and tg, of degree de, comes from power sums (Newton's identities); where it is squarefree, γ generates Q(α, β),
its minimal polynomial is the factor that vanishes at γ, and β is a rational function of γ that comes from power sums,
too. Degrees are bounded before anything is composed: real radicals a^(1/n) of positive rational numbers
have, over Q, the degree of the multiplicative group that they generate modulo Q*, which integer linear algebra over a
coprime base gives.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from flint import fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_mat, fmpz_poly

from relusym.errors import FieldError
from relusym.exact.expression import (
    MAX_BITS,
    Expression,
    Power,
    Product,
    Radical,
    RootOf,
    Sum,
    shown,
)
from relusym.exact.field import QQ, Element, Field
from relusym.exact.number_field import AlgebraicNumber, NumberField
from relusym.exact.real_root import RealRoot, all_real_roots, primitive, real_roots
from relusym.limits import MAX_FIELD_DEGREE

_MAX_COMPOSED_DEGREE = 512
_MAX_POLYNOMIAL_DEGREE = 256
_COMPARABLE_BITS = 64
_MAX_COMPOSED_HEIGHT = 100_000


class Tower:
    """A field that grows as expressions are prepared; afterwards it gives every one of them its value.

    Call :meth:`prepare` for all expressions first, then :meth:`evaluate`: values belong to the field of the moment.
    """

    def __init__(self, field: Field = QQ, max_degree: int = MAX_FIELD_DEGREE) -> None:
        self.field = field
        self.max_degree = max_degree
        self._atoms: dict[Expression, Element] = {}
        if isinstance(field, NumberField):
            self._atoms = {atom: AlgebraicNumber(field, value) for atom, value in field.atoms.items()}

    def prepare(self, expression: Expression) -> None:
        """Adjoin every atom of the expression that the field does not hold yet."""
        match expression:
            case Sum(parts) | Product(parts):
                for part in parts:
                    self.prepare(part)
            case Power(base, _):
                self.prepare(base)
            case Radical(radicand, _):
                if expression not in self._atoms:
                    self.prepare(radicand)
                    self._adjoin(expression, self._radical_root(expression))
            case RootOf():
                if expression not in self._atoms:
                    self._adjoin(expression, self._chosen_root(expression))
            case AlgebraicNumber():
                self.prepare_field(expression.field)

    def prepare_field(self, field: Field) -> None:
        """Adjoin what ``field`` was built from."""
        if not isinstance(field, NumberField):
            return
        if field == self.field:  # perhaps built from other atoms, which name it once this field has grown
            for atom, value in field.atoms.items():
                self._atoms.setdefault(atom, AlgebraicNumber(field, value))
            return
        for atom in field.multiples:
            self.prepare(atom)

    def evaluate(self, expression: Expression) -> Any:
        """Return the value of a prepared expression in the field."""
        match expression:
            case Sum(terms):
                total = self.evaluate(terms[0])
                for term in terms[1:]:
                    total = total + self.evaluate(term)
                return total
            case Product(factors):
                product = self.evaluate(factors[0])
                for factor in factors[1:]:
                    product = self._sized(product * self.evaluate(factor))
                return product
            case Power(base, exponent):
                return self._power(self.evaluate(base), exponent)
            case Radical() | RootOf():
                return self._atoms[expression]
            case AlgebraicNumber():
                return self.embedding(expression.field)(expression)
        return self.field.rational(expression)

    def embedding(self, field: Field) -> Embedding:
        """Return the map into this tower's field from ``field``, whose atoms have been prepared."""
        if not isinstance(field, NumberField):
            return Embedding(self.field, None)
        if field == self.field:
            return Embedding(self.field, AlgebraicNumber(field, fmpq_poly([0, 1])))
        image: Any = fmpq(0)
        for atom, multiple in field.multiples.items():
            image = image + self._atoms[atom] * multiple
        return Embedding(self.field, image)

    # -- atoms

    def _chosen_root(self, atom: RootOf) -> fmpq | RealRoot:
        polynomial = fmpq_poly(list(atom.coefficients)).numer()
        if polynomial.degree() < 1:
            raise FieldError(f"{_described(atom)}: a polynomial of degree at least 1 is due")
        if polynomial.degree() > max(_MAX_POLYNOMIAL_DEGREE, self.max_degree):
            raise FieldError(f"root([...], i) of a polynomial of degree {polynomial.degree()}: {self._accepted()}")
        roots = all_real_roots(polynomial)
        if not 0 <= atom.index < len(roots):
            raise FieldError(
                f"{_described(atom)}: the polynomial has {len(roots)} distinct real roots, numbered from 0"
            )
        return roots[atom.index]

    def _radical_root(self, atom: Radical) -> fmpq | RealRoot:
        radicand, index = self.evaluate(atom.radicand), abs(atom.index)
        if isinstance(atom.radicand, fmpq):
            # An integer that is no p-th power for a prime p dividing the index: t^index − radicand is irreducible.
            self._require_degree(index)
            known = [a for a in self._atoms if isinstance(a, Radical)]
            if len(known) == len(self._atoms) and all(isinstance(a.radicand, fmpq) for a in known):
                self._require_degree(_radical_degree([*known, atom]))
            minimal = fmpz_poly([-atom.radicand.p] + [0] * (index - 1) + [atom.radicand.q])
            return real_roots(minimal)[-1]
        sign = self.field.sign(radicand)
        if sign < 0 and (atom.index < 0 or index % 2 == 0):
            raise FieldError(f"a root with index {index} of a negative number is not real")
        if sign == 0:
            return fmpq(0)
        return self._root_near(radicand, index)

    def _root_near(self, radicand: Any, index: int) -> fmpq | RealRoot:
        """Return the real root of y^index = radicand: among the factors of the norm, the one whose root it is."""
        field = self.field
        self._require_composed_degree(field.degree * index)
        rational = field.to_rational(radicand)
        if rational is None:
            assert isinstance(field, NumberField)
            norm = field.minimal_polynomial(radicand)
        else:
            norm = fmpz_poly([-rational.p, rational.q])
        spread = [fmpz(0)] * (int(norm.degree()) * index + 1)
        for i, coefficient in enumerate(norm.coeffs()):
            spread[i * index] = coefficient
        candidates = all_real_roots(fmpz_poly(spread))
        positive = field.sign(radicand) > 0
        bits = 16
        while True:
            low, high = field.enclosure(radicand, bits)
            near = []
            for root in candidates:
                ends = (root, root) if isinstance(root, fmpq) else root.enclose(bits)
                if (ends[0] > 0) != positive and (ends[1] > 0) != positive:
                    continue
                powers = sorted(end**index for end in ends)
                if powers[0] <= high and low <= powers[1]:
                    near.append(root)
            if len(near) == 1:
                return near[0]
            bits *= 2

    def _adjoin(self, atom: Expression, root: fmpq | RealRoot) -> None:
        if isinstance(root, fmpq):
            self._atoms[atom] = self.field.rational(root)
            return
        if not isinstance(self.field, NumberField):
            self._start(atom, root)
            return
        field, degree = self.field, int(root.polynomial.degree())
        self._require_degree(degree)
        self._require_composed_degree(field.degree * degree)
        if field.root == root:
            self._atoms[atom] = field.generator
            return
        # Conjugates of α + tβ lie in clusters where one summand is far smaller; a power of two makes them comparable.
        self._require_composed_height(root)
        shift = field.root.magnitude() - root.magnitude()
        if abs(shift) <= _COMPARABLE_BITS:
            shift = 0
        root, unit = root.scaled(shift) if shift else root, fmpq(2) ** shift
        multiplier, generator = _primitive_element(field, root)
        if int(generator.polynomial.degree()) == field.degree:
            bare = NumberField(generator, {}, {}, ())
            beta = _summand(field.root, root, multiplier, bare)
            value = _in_terms_of(bare.generator - beta * multiplier, beta)
            self._atoms[atom] = AlgebraicNumber(field, value) / unit
            return
        self._require_degree(int(generator.polynomial.degree()))
        self._grow(atom, root, multiplier, generator, unit)

    def _start(self, atom: Expression, root: RealRoot) -> None:
        degree = int(root.polynomial.degree())
        self._require_degree(degree)
        rational_atoms = {a: fmpq_poly([QQ.to_rational(v)]) for a, v in self._atoms.items()}
        alpha = fmpq_poly([0, 1])
        basis = tuple((((atom, j),) if j else (), alpha**j) for j in range(degree))
        self.field = NumberField(root, {**rational_atoms, atom: alpha}, {atom: 1}, basis)
        self._atoms = {a: AlgebraicNumber(self.field, p) for a, p in self.field.atoms.items()}

    def _grow(self, atom: Expression, root: RealRoot, multiplier: int, generator: RealRoot, unit: fmpq) -> None:
        """Take up the atom root / unit, where the generator is the old one plus multiplier times root."""
        old = self.field
        assert isinstance(old, NumberField)
        bare = NumberField(generator, {}, {}, ())
        gamma = bare.generator
        beta = _summand(old.root, root, multiplier, bare)
        into = Embedding(bare, gamma - beta * multiplier)
        atoms = {known: into(value).polynomial for known, value in self._atoms.items()}
        value_of_atom = beta / unit
        relative = bare.degree // old.degree
        basis = []
        for product, value in old.basis:
            image = into(AlgebraicNumber(old, value))
            for power in range(relative):
                basis.append(((*product, (atom, power)) if power else product, image.polynomial))
                image = image * value_of_atom
        multiples = {**old.multiples, atom: old.multiples.get(atom, 0) + multiplier * unit}
        atoms[atom] = value_of_atom.polynomial
        self.field = NumberField(generator, atoms, multiples, tuple(basis))
        self._atoms = {a: AlgebraicNumber(self.field, p) for a, p in atoms.items()}

    # -- sizes

    def _accepted(self) -> str:
        return f"at most {self.max_degree} is accepted (Limits(field_degree=...) sets another bound)"

    def _require_composed_height(self, root: RealRoot) -> None:
        """Refuse to join roots of polynomials whose composed sum would have too large coefficients."""
        assert isinstance(self.field, NumberField)
        first, second = self.field.root.polynomial, root.polynomial
        bits = first.height_bits() * second.degree() + second.height_bits() * first.degree()
        if bits > _MAX_COMPOSED_HEIGHT:
            raise FieldError(
                f"the irrational numbers have minimal polynomials of too many digits to be joined in one field "
                f"({bits} bits; at most {_MAX_COMPOSED_HEIGHT} are accepted)"
            )

    def _require_degree(self, degree: int) -> None:
        if degree > self.max_degree:
            raise FieldError(f"the numbers need a field of degree {degree}; {self._accepted()}")

    def _require_composed_degree(self, degree: int) -> None:
        if degree > max(_MAX_COMPOSED_DEGREE, self.max_degree):
            raise FieldError(f"the numbers need a field that may have degree {degree}; {self._accepted()}")

    def _sized(self, element: Any) -> Any:
        size = element.polynomial.numer().height_bits() if isinstance(element, AlgebraicNumber) else 0
        if size > MAX_BITS:
            raise FieldError("a product of irrational numbers has coefficients of more than 100,000 digits")
        return element

    def _power(self, base: Any, exponent: int) -> Any:
        if exponent < 0:
            if not base:
                raise FieldError("division by zero")
            base, exponent = 1 / base, -exponent
        result: Any = self.field.rational(1)
        while exponent:
            if exponent & 1:
                result = self._sized(result * base)
            exponent >>= 1
            if exponent:
                base = self._sized(base * base)
        return result


class Embedding:
    """The map from one field into another that sends the generator to ``image`` (None: from Q)."""

    def __init__(self, target: Field, image: Any) -> None:
        self.target = target
        self._image = image
        self._identical = isinstance(image, AlgebraicNumber) and image.polynomial == fmpq_poly([0, 1])
        self._powers: list[Any] = []

    def __call__(self, element: Any) -> Any:
        """Return the image of an element."""
        if not isinstance(element, AlgebraicNumber):
            return self.target.rational(element)
        if self._identical:
            return element
        while len(self._powers) < element.field.degree:
            self._powers.append(self._powers[-1] * self._image if self._powers else self.target.rational(1))
        total = self.target.rational(0)
        for coefficient, power in zip(element.polynomial.coeffs(), self._powers, strict=False):
            if coefficient:
                total = total + power * coefficient
        return total


def common_tower(fields: Iterable[Field], max_degree: int = MAX_FIELD_DEGREE) -> Tower:
    """Return a tower whose field holds all of ``fields``.

    Raises
    ------
    FieldError
        Where the degree of the compositum is beyond ``max_degree``.
    """
    fields = sorted(fields, key=lambda field: -field.degree)
    tower = Tower(fields[0] if fields else QQ, max_degree)
    for field in fields[1:]:
        tower.prepare_field(field)
    return tower


def field_from_root(coefficients: tuple[int, ...], index: int) -> NumberField:
    """Return Q(α) for the ``index``-th real root of an irreducible integer polynomial of degree at least 2."""
    tower = Tower(max_degree=len(coefficients))
    tower.prepare(RootOf(tuple(map(fmpq, coefficients)), index))
    assert isinstance(tower.field, NumberField)
    return tower.field


# -- primitive elements


def _primitive_element(field: NumberField, root: RealRoot) -> tuple[int, RealRoot]:
    """Return t and γ = α + tβ that generates Q(α, β), with the composed sum squarefree."""
    return _primitive_element_by_name(field.root.name, root.name)


@lru_cache(maxsize=128)
def _primitive_element_by_name(first: tuple[Any, int], second: tuple[Any, int]) -> tuple[int, RealRoot]:
    alpha, beta = (real_roots(fmpz_poly(list(coefficients)))[index] for coefficients, index in (first, second))
    for step in range(1, 10_000):
        for multiplier in (step, -step):
            composed = _composed_sum(alpha.polynomial, beta.polynomial, multiplier)
            if composed.gcd(composed.derivative()).degree() > 0:
                continue
            factors = [primitive(factor) for factor, _ in composed.numer().factor()[1]]
            candidates = [r for factor in factors for r in _real_roots_of(factor)]
            return multiplier, _nearest(candidates, alpha, beta, multiplier)
    raise FieldError("no primitive element was found")  # pragma: no cover - finitely many multipliers are bad


def _real_roots_of(factor: fmpz_poly) -> list[RealRoot]:
    return [root for root in all_real_roots(factor) if isinstance(root, RealRoot)]


def _nearest(candidates: list[RealRoot], alpha: RealRoot, beta: RealRoot, multiplier: int) -> RealRoot:
    bits = 16
    while True:
        ends = [alpha.enclose(bits)[i] for i in (0, 1)]
        others = sorted(multiplier * end for end in beta.enclose(bits))
        low, high = ends[0] + others[0], ends[1] + others[1]
        near = [root for root in candidates if root.enclose(bits)[0] <= high and low <= root.enclose(bits)[1]]
        if len(near) == 1:
            return near[0]
        bits *= 2


def _power_sums(polynomial: fmpz_poly, count: int) -> list[fmpq]:
    """Return the power sums of the roots, exponents 0 to ``count``, by Newton's identities."""
    degree, lead = int(polynomial.degree()), polynomial.leading_coefficient()
    elementary = [fmpq(polynomial[degree - i], lead) for i in range(degree + 1)]
    sums = [fmpq(degree)]
    for k in range(1, count + 1):
        total = -k * elementary[k] if k <= degree else fmpq(0)
        for i in range(1, min(k - 1, degree) + 1):
            total -= elementary[i] * sums[k - i]
        sums.append(total)
    return sums


def _sums_of_products(first: list[fmpq], second: list[fmpq]) -> list[fmpq]:
    """Return Σ_i C(k, i) first_i second_(k−i) for each k: a product of exponential generating functions."""
    factorials = [fmpz(1)]
    for k in range(1, len(first)):
        factorials.append(factorials[-1] * k)
    left, right = (fmpq_poly([p / factorials[k] for k, p in enumerate(sums)]) for sums in (first, second[: len(first)]))
    product = left.mul_low(right, len(first))
    return [product[k] * factorial for k, factorial in enumerate(factorials)]


def _composed_sum(first: fmpz_poly, second: fmpz_poly, multiplier: int) -> fmpq_poly:
    """Return the monic polynomial with roots α_i + multiplier·β_j."""
    degree = int(first.degree() * second.degree())
    scaled = [p * fmpq(multiplier) ** k for k, p in enumerate(_power_sums(second, degree))]
    sums = _sums_of_products(_power_sums(first, degree), scaled)
    elementary = [fmpq(1)]
    for k in range(1, degree + 1):
        total = fmpq(0)
        for i in range(1, k + 1):
            total -= elementary[k - i] * sums[i]
        elementary.append(total / k)
    return fmpq_poly(elementary[::-1])


def _summand(alpha: RealRoot, beta: RealRoot, multiplier: int, field: NumberField) -> AlgebraicNumber:
    """Return β in Q(γ), γ = α + multiplier·β the generator of ``field``.

    Over the conjugates γ_ij = α_i + multiplier·β_j, the roots of the squarefree composed sum R, let N(x) = Σ β_j R(x) /
    (x − γ_ij). Then N(γ) = β R'(γ), and the coefficients of N come from the power sums Σ β_j γ_ij^k.
    """
    composed = _composed_sum(alpha.polynomial, beta.polynomial, multiplier)
    degree = int(composed.degree())
    moments = [p * fmpq(multiplier) ** k for k, p in enumerate(_power_sums(beta.polynomial, degree)[1:])]
    sums = _sums_of_products(_power_sums(alpha.polynomial, degree - 1), moments)
    reverse = fmpq_poly(composed.coeffs()[::-1]).mul_low(fmpq_poly(sums), degree)
    numerator = fmpq_poly([reverse[degree - 1 - i] for i in range(degree)])
    modulus = field.modulus
    root: AlgebraicNumber = AlgebraicNumber(field, numerator % modulus) / AlgebraicNumber(
        field, composed.derivative() % modulus
    )
    return root


def _in_terms_of(generator: AlgebraicNumber, element: AlgebraicNumber) -> fmpq_poly:
    """Return the polynomial that gives ``element`` in powers of another generator of its field."""
    degree, rows, power = element.field.degree, [], element.field.rational(1)
    for _ in range(degree):
        rows.append(element.field.coordinates(power))
        power = power * generator
    column = fmpq_mat(degree, 1, element.field.coordinates(element))
    solution = fmpq_mat(rows).transpose().solve(column)
    return fmpq_poly([solution[i, 0] for i in range(degree)])


# -- degrees of radicals


def _radical_degree(radicals: list[Radical]) -> int:
    """Return [Q(radicals) : Q] for real roots of positive rationals: the order of the group they generate modulo Q*."""
    primes = [p for p in range(2, max(abs(r.index) for r in radicals) + 1) if all(p % q for q in range(2, p))]
    base = _coprime_base([r.radicand for r in radicals], primes)  # type: ignore[misc]
    rows = []
    for r in radicals:
        exponents = [_exponent(r.radicand, b) for b in base]  # type: ignore[arg-type]
        rows.append([fmpq(e, abs(r.index)) for e in exponents])
    unit = [[fmpq(int(i == j)) for j in range(len(base))] for i in range(len(base))]
    numerators, denominator = fmpq_mat(rows + unit).numer_denom()
    hermite = fmpz_mat(numerators).hnf()
    determinant = fmpz(1)
    for i in range(len(base)):
        determinant *= hermite[i, i]
    return int(fmpz(denominator) ** len(base) // determinant)


def _coprime_base(values: list[fmpq], primes: list[int]) -> list[fmpz]:
    """Return pairwise coprime integers above 1, none a p-th power for p in ``primes``, whose products give all."""
    pending = [part for value in values for part in (value.p, value.q) if part > 1]
    base: list[fmpz] = []
    while pending:
        value = _power_free(pending.pop(), primes)
        if value == 1:
            continue
        for i, known in enumerate(base):
            common = value.gcd(known)
            if common > 1:
                del base[i]
                pending += [common, value // common, known // common]
                break
        else:
            base.append(value)
    return base


def _power_free(value: fmpz, primes: list[int]) -> fmpz:
    for prime in primes:
        while value > 1 and (root := value.root(prime)) ** prime == value:
            value = root
    return value


def _exponent(value: fmpq, base: fmpz) -> int:
    count, numerator, denominator = 0, value.p, value.q
    while numerator % base == 0:
        numerator, count = numerator // base, count + 1
    while denominator % base == 0:
        denominator, count = denominator // base, count - 1
    return count


def _described(atom: RootOf) -> str:
    coefficients = shown(", ".join(map(str, atom.coefficients))).strip("'")
    return f"root([{coefficients}], {shown(str(fmpz(atom.index)))[1:-1]})"
