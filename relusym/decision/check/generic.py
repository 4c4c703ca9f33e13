"""Kinds about genericity: a parameter with one hidden layer is in the open set U, or in U♯ ("sharp"), or it is not.

For one output, U is the complement of V1 ∪ V2 ∪ V3 ∪ V4 in *A Complete Symmetry Classification of Shallow ReLU
Networks*: no output weight is zero, rows (a, b) are pairwise independent, no a is zero, and Σ β_i v_i a_i = 0 for no
β ≠ 0 with entries in {0, ±1}. For several outputs U asks this of every output. U♯ asks for output columns that are not
zero, and for Σ β_i M_i ⊗ a_i = 0 for no β ≠ 0 with entries in {0, 1}. All conditions but the last are computed here;
for the last one the certificate brings a proof for each sum, see :mod:`relusym.decision.check.combinations`.
"""

from __future__ import annotations

from relusym.decision.check.certificate import as_index
from relusym.decision.check.combinations import prove_no_combination
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.numbers import Row, is_zero, negative, product, total
from relusym.decision.check.single import Single, dependent_pair, integer_columns, outer


def _is_sharp(single: Single) -> bool:
    value = single.certificate.get("open_set")
    if value not in ("U", "sharp"):
        malformed("'open_set'", f"'U' or 'sharp' is accepted, not {shown(value)}")
    return value == "sharp"


def _view(single: Single) -> tuple[list[Row], list[Row], list[Row]]:
    """Return rows (a, b), directions a and output columns."""
    rows, columns = single.one_hidden_layer()
    return rows, [row[:-1] for row in rows], columns


def generic(single: Single) -> str:
    """Prove that the parameter is in U or U♯; reads ``"open_set"`` and ``"absences"``, one for each sum."""
    sharp = _is_sharp(single)
    rows, directions, columns = _view(single)
    single.prove_field()
    for index, column in enumerate(columns):
        if all(map(is_zero, column)) if sharp else any(map(is_zero, column)):
            raise Unproved(f"V1: an output weight of neuron {index} is zero")
    for index, direction in enumerate(directions):
        if all(map(is_zero, direction)):
            raise Unproved(f"V3: the weights into neuron {index} are zero")
    pair = dependent_pair(rows)
    if pair is not None:
        raise Unproved(f"V2: the rows of neurons {pair[0]} and {pair[1]} are dependent")
    outputs = single.network.widths[-1]
    parts = [columns] if sharp else [[[column[output]] for column in columns] for output in range(outputs)]
    absences = single.items("absences")
    if len(absences) != len(parts):
        raise Unproved(f"{len(absences)} proofs are given for {len(parts)} sums")
    methods = []
    for number, (absence, weights) in enumerate(zip(absences, parts, strict=True)):
        matrix = integer_columns([outer(w, direction) for w, direction in zip(weights, directions, strict=True)])
        place = f"'absences', entry {number}"
        methods.append(prove_no_combination(absence, matrix, len(rows), place, signs=not sharp))
    return f"in {'U♯' if sharp else 'U'}: {len(rows)} neurons, no sum vanishes by {', '.join(dict.fromkeys(methods))}"


def not_generic(single: Single) -> str:
    """Prove that a condition of U or U♯ fails.

    Reads ``"open_set"``, ``"condition"`` ("V1" to "V4"), ``"neurons"``, ``"output"`` (for U: which output fails) and,
    for V4, ``"beta"``.
    """
    sharp = _is_sharp(single)
    rows, directions, columns = _view(single)
    condition = single.certificate.get("condition")
    neurons = [as_index(index, len(rows), "'neurons'") for index in single.items("neurons")]
    output = single.certificate.get("output")
    if condition in ("V1", "V4") and not sharp:
        which = as_index(output, single.network.widths[-1], "'output'")
        columns = [[column[which]] for column in columns]
    match condition, neurons:
        case "V1", [index]:
            vanishing = columns[index]
        case "V2", [first, second] if first != second:
            vanishing = _minors(rows[first], rows[second])
        case "V3", [index]:
            vanishing = directions[index]
        case "V4", _:
            vanishing = _sum(single, sharp, directions, columns)
        case _:
            malformed("'condition'", "'V1' or 'V3' with a neuron, 'V2' with two, or 'V4' with 'beta' is accepted")
    if not all(map(is_zero, vanishing)):
        raise Unproved(f"{condition} does not hold")
    return f"not in {'U♯' if sharp else 'U'}: {condition} holds"


def _minors(first: Row, second: Row) -> Row:
    return [
        total([product(first[i], second[j]), negative(product(first[j], second[i]))])
        for j in range(len(first))
        for i in range(j)
    ]


def _sum(single: Single, sharp: bool, directions: list[Row], columns: list[Row]) -> Row:
    beta = single.items("beta")
    for value in beta:
        if isinstance(value, bool) or not isinstance(value, int) or value not in (-1, 0, 1):
            malformed("'beta'", f"-1, 0 and 1 are accepted, not {shown(value)}")
    if len(beta) != len(directions):
        raise Unproved(f"'beta' has {len(beta)} entries, the network has {len(directions)} neurons")
    if not any(beta) or (sharp and {-1, 1} <= set(beta)):
        raise Unproved(f"'beta' is zero{' or has both signs' if sharp else ''}")
    terms = [
        [product((sign, 1), entry) for entry in outer(column, direction)]
        for sign, column, direction in zip(beta, columns, directions, strict=True)
        if isinstance(sign, int) and sign
    ]
    return [total(entries) for entries in zip(*terms, strict=True)]
