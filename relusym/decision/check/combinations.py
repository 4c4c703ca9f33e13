"""The proof that no small combination of the rows of an integer matrix vanishes, verified.

The claim is about vectors β, each entry out of a few allowed integers: none but β = 0 has βN = 0. What the proof names
are columns of N (conditions β·N_j = 0), further conditions β·D = 0 that follow from D ≡ N k modulo some p because
|β·D| < p for every β allowed, and a prime modulo which those conditions leave few coordinates free; their values are
then run through here. Where the proof is an enumeration, all β are run through here too, by meeting in the middle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from relusym.decision.check.certificate import as_index, as_list, as_number
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.numbers import Field

SIGNS = (-1, 0, 1)
SUBSETS = (0, 1)
TARGET = (-1,)

MAX_VALUES = 1 << 25  # values of the free coordinates, or of one half of them all, that are run through
MAX_SUMS = 1 << 21  # distinct sums of one half of the rows that are held at once
_MAX_PRIME = 1 << 31
_BLOCK = 1 << 14
_RESIDUES = 61


def prove_no_combination(
    proof: object, columns: Sequence[Sequence[int]], rows: int, place: str, *, signs: bool, target: bool = False
) -> str:
    """Prove that βN = 0 for no β ≠ 0 that is allowed, and return the method.

    Parameters
    ----------
    proof
        Keys ``"coefficients"`` ("signs" or "subsets"), ``"rows"``, ``"target"``, ``"method"`` and those of the method.
    columns
        The columns of N, of length ``rows``.
    signs
        Whether β in {−1, 0, 1} must be excluded; else β in {0, 1}, for which the former is as good.
    target
        Whether the last row is a target: β is −1 there, and no β at all may have βN = 0.

    Raises
    ------
    Unproved
        There is such a β, or the proof does not exclude it, or checking it is beyond the limits.
    MalformedCertificate
        The proof has no meaning.

    Examples
    --------
    >>> proof = {"kind": "no-vanishing-combination", "version": 1, "method": "enumeration", "coefficients": "signs",
    ...          "target": False, "rows": 3}
    >>> prove_no_combination(proof, [[1, 3, 9]], 3, "the proof", signs=True)
    'enumeration'
    """
    if not isinstance(proof, Mapping):
        malformed(place, f"an object is accepted, not {shown(proof)}")
    for key, wanted in (("kind", "no-vanishing-combination"), ("version", 1)):
        if proof.get(key) != wanted:
            malformed(f"{place}, '{key}'", f"{shown(wanted)} is accepted, not {shown(proof.get(key))}")
    word = proof.get("coefficients")
    coefficients = {"signs": SIGNS, "subsets": SUBSETS}.get(word) if isinstance(word, str) else None
    if coefficients is None:
        malformed(f"{place}, 'coefficients'", "'signs' or 'subsets' is accepted")
    if proof.get("rows") != rows or bool(proof.get("target")) is not target:
        raise Unproved(f"{place} is about another matrix: {rows} rows are due{', the last one a target' * target}")
    if rows and signs and coefficients == SUBSETS:
        raise Unproved(f"{place} is about sets of rows, but signs are to be excluded")
    allowed: list[tuple[int, ...]] = [coefficients] * (rows - target) + [TARGET] * target
    if proof.get("method") == "enumeration":
        _enumerate(columns, allowed, place)
        return "enumeration"
    conditions = [
        list(columns[as_index(j, len(columns), f"{place}, 'columns'")]) for j in _list(proof, "columns", place)
    ]
    if proof.get("multipliers") is not None:
        conditions += _functionals(proof, columns, allowed, place)
    _solve(proof, conditions, allowed, place)
    return shown(proof.get("method"))[:20].strip("'")


def _list(proof: Mapping[str, object], key: str, place: str) -> list[object]:
    return as_list(proof.get(key), f"{place}, '{key}'")


def _integer(value: object, place: str) -> int:
    numerator, denominator = as_number(value, Field(), place)
    if denominator != 1 or not isinstance(numerator, int):
        malformed(place, f"an integer is accepted, not {shown(value)}")
    return numerator


def _functionals(
    proof: Mapping[str, object], columns: Sequence[Sequence[int]], allowed: Sequence[tuple[int, ...]], place: str
) -> list[list[int]]:
    """Return the vectors D = N k modulo p, each proved to have |β·D| < p for every β allowed."""
    modulus = _integer(proof.get("modulus"), f"{place}, 'modulus'")
    if modulus < 2:
        malformed(f"{place}, 'modulus'", "an integer of at least 2 is accepted")
    names = _list(proof, "functional_columns", place)
    used = [columns[as_index(name, len(columns), f"{place}, 'functional_columns'")] for name in names]
    table = list(zip(*used, strict=True)) if used else [()] * len(allowed)
    found = []
    for number, entry in enumerate(_list(proof, "multipliers", place)):
        where = f"{place}, 'multipliers', entry {number}"
        texts = as_list(entry, where)
        if len(texts) != len(used):
            malformed(where, f"{len(used)} integers are due, not {len(texts)}")
        multipliers = [_integer(text, where) for text in texts]
        values = [sum(k * x for k, x in zip(multipliers, row, strict=True)) for row in table]
        vector = [modulus // 2 - (modulus // 2 - value) % modulus for value in values]
        ends = [[value * entry for value in choice] for choice, entry in zip(allowed, vector, strict=True)]
        if max(-sum(map(min, ends)), sum(map(max, ends))) >= modulus:
            raise Unproved(f"{where}: the functional is not short, so it gives no condition")
        found.append(vector)
    return found


def _solve(
    proof: Mapping[str, object], conditions: list[list[int]], allowed: Sequence[tuple[int, ...]], place: str
) -> None:
    """Prove that modulo the prime no β ≠ 0 that is allowed fulfils the conditions."""
    prime = _prime(proof.get("prime"), f"{place}, 'prime'")
    free = [as_index(i, len(allowed), f"{place}, 'free'") for i in _list(proof, "free", place)]
    bound = sorted(set(range(len(allowed))) - set(free))
    work = prod(len(allowed[index]) for index in free)
    if work > MAX_VALUES or len(set(free)) < len(free):
        raise Unproved(f"{place}: {work} values of the free coordinates are beyond the limits of this checker")
    order = [*bound, *free]
    table = echelon(([row[index] for index in order] for row in conditions), len(bound), prime)
    if len(table) < len(bound):
        raise Unproved(f"{place}: the conditions leave more coordinates free than it says")
    formulas = _back_substituted(table, len(bound), prime)
    homogeneous = TARGET not in allowed
    for values in _solutions(formulas, [allowed[i] for i in bound], [allowed[i] for i in free], prime):
        if not homogeneous or any(values):
            raise Unproved(f"{place}: a vector fulfils all the conditions that it names")


def _prime(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 2 < value < _MAX_PRIME:
        malformed(place, f"a prime from 3 to {_MAX_PRIME} is accepted, not {shown(value)}")
    divisor = next((d for d in (2, *range(3, int(value**0.5) + 2, 2)) if d < value and value % d == 0), None)
    if divisor is not None:
        raise Unproved(f"{place} is divisible by {divisor}")
    return value


def echelon(rows: Iterator[list[int]], width: int, prime: int) -> list[tuple[int, list[int]]]:
    """Return rows modulo the prime, each with a pivot among the first ``width`` places: 1 there, 0 at earlier ones.

    A row that is being reduced is one long integer with a slot for each entry, wide enough for all that is added.

    Examples
    --------
    >>> echelon(iter([[2, 4], [1, 2], [1, 3]]), 2, 101)
    [(0, [1, 2]), (1, [0, 1])]
    """
    size = (2 * prime.bit_length() + width.bit_length() + 8) // 8
    mask = (1 << 8 * size) - 1
    done: list[tuple[int, list[int]]] = []
    packed: list[tuple[int, int]] = []
    for row in rows:
        if len(done) == width:
            break
        long = _joined([entry % prime for entry in row], size)
        for shift, by in packed:
            long += (-((long >> shift) & mask) % prime) * by
        data = long.to_bytes(size * len(row), "little")
        rest = [int.from_bytes(data[at : at + size], "little") % prime for at in range(0, len(data), size)]
        pivot = next((place for place, entry in enumerate(rest[:width]) if entry), None)
        if pivot is not None:
            inverse = pow(rest[pivot], -1, prime)
            rest = [entry * inverse % prime for entry in rest]
            done.append((pivot, rest))
            packed.append((8 * size * pivot, _joined(rest, size)))
    return done


def _joined(entries: Sequence[int], size: int) -> int:
    return int.from_bytes(b"".join(entry.to_bytes(size, "little") for entry in entries), "little")


def _back_substituted(table: list[tuple[int, list[int]]], width: int, prime: int) -> list[list[int]]:
    """Return for each bound coordinate its coefficients at the free ones: β_bound = Σ coefficient · β_free."""
    formulas: list[list[int]] = [[] for _ in range(width)]
    for index in range(width - 1, -1, -1):
        pivot, row = table[index]
        entries = [-entry for entry in row[width:]]
        for other, _ in table[index + 1 :] if entries else ():
            if row[other]:
                entries = [x - row[other] * y for x, y in zip(entries, formulas[other], strict=True)]
        formulas[pivot] = [entry % prime for entry in entries]
    return formulas


def _solutions(
    formulas: list[list[int]],
    bound: Sequence[tuple[int, ...]],
    free: Sequence[tuple[int, ...]],
    prime: int,
) -> Iterator[list[int]]:
    """Yield allowed values of bound and free coordinates: a table for the last free ones, a loop for the others."""
    first = formulas[0] if formulas else [0] * len(free)
    wanted = {value % prime for value in bound[0]} if bound else {0}
    split = len(free)
    while split and prod(map(len, free[split - 1 :])) <= _BLOCK:
        split -= 1
    sums = [0]
    for factor, choice in zip(first[split:], free[split:], strict=True):
        sums = [start + factor * value for start in sums for value in choice]
    for head in product(*free[:split]):
        start = sum(factor * value for factor, value in zip(first, head, strict=False))
        for place, rest in enumerate(sums):
            if (start + rest) % prime in wanted:
                values = [*head, *_at(place, free[split:])]
                entries = [sum(x * y for x, y in zip(row, values, strict=True)) % prime for row in formulas]
                if all(
                    any((entry - value) % prime == 0 for value in choice)
                    for entry, choice in zip(entries, bound, strict=True)
                ):
                    yield [*entries, *values]


def _at(place: int, choices: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the element number ``place`` of a product, the last factor running fastest."""
    values = []
    for choice in reversed(choices):
        place, index = divmod(place, len(choice))
        values.append(choice[index])
    return values[::-1]


def _enumerate(columns: Sequence[Sequence[int]], allowed: Sequence[tuple[int, ...]], place: str) -> None:
    """Prove that only β = 0 (with a target: none) has βN = 0, by the sums of either half of the rows."""
    packed = _packed(columns, len(allowed))
    half = len(packed) // 2
    parts = [(packed[:half], allowed[:half]), (packed[half:], allowed[half:])]
    sums = [_sums(*part) for part in parts]
    if None not in sums:
        found = sum(count * (sums[1] or {}).get(-value, 0) for value, count in (sums[0] or {}).items())
    elif max(prod(map(len, choices)) for _, choices in parts) <= MAX_VALUES:
        found = _count_by_residues(parts)
    else:
        raise Unproved(f"{place}: an enumeration of so many sums is beyond the limits of this checker")
    if found > (TARGET not in allowed):
        raise Unproved(f"{place}: the enumeration finds a combination that vanishes")


def _count_by_residues(parts: Sequence[tuple[Sequence[int], Sequence[tuple[int, ...]]]]) -> int:
    """Count the combinations that vanish, one residue of the first half's sum at a time (Schroeppel and Shamir)."""
    halves = []
    for rows, choices in parts:
        middle = len(rows) // 2
        first = _all_sums(rows[:middle], choices[:middle])
        by_residue: list[list[int]] = [[] for _ in range(_RESIDUES)]
        for value in _all_sums(rows[middle:], choices[middle:]):
            by_residue[value % _RESIDUES].append(value)
        halves.append((first, by_residue))
    (left, left_rest), (right, right_rest) = halves
    found = 0
    for residue in range(_RESIDUES):
        known = Counter(x + y for x in left for y in left_rest[(residue - x) % _RESIDUES])
        for x in right:
            for y in right_rest[(-residue - x) % _RESIDUES]:
                found += known.get(-x - y, 0)
    return found


def _all_sums(rows: Sequence[int], choices: Sequence[tuple[int, ...]]) -> list[int]:
    sums = [0]
    for row, choice in zip(rows, choices, strict=True):
        sums = [start + value * row for start in sums for value in choice]
    return sums


def _packed(columns: Sequence[Sequence[int]], rows: int) -> list[int]:
    """Return one integer a row, such that a combination of them vanishes just where that of the rows does."""
    packed, radix = [0] * rows, 1
    for column in columns:
        if any(column):
            packed = [value + radix * entry for value, entry in zip(packed, column, strict=True)]
            radix *= 2 * sum(map(abs, column)) + 1
    return packed


def _sums(rows: Sequence[int], allowed: Sequence[tuple[int, ...]]) -> dict[int, int] | None:
    """Return in how many ways each sum arises, or None where there are too many sums."""
    sums = {0: 1}
    for row, choice in zip(rows, allowed, strict=True):
        grown: dict[int, int] = {}
        for value in choice:
            for start, count in sums.items():
                key = start + value * row
                grown[key] = grown.get(key, 0) + count
        if len(grown) > MAX_SUMS:
            return None
        sums = grown
    return sums
