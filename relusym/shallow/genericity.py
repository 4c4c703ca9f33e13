"""Is a shallow parameter generic: in the open set U of the paper, or in the larger one U♯ that decides its fibre?

U is the complement of V1 ∪ V2 ∪ V3 ∪ V4 (the paper's Lemma 23 and Theorem 5, with the weights that Theorem 5 needs):

* V1: some output weight is zero;  V2: two rows (a, b) are dependent;  V3: some a_i is zero;
* V4: Σ β_i v_i a_i = 0 for some β ≠ 0 with entries in {0, ±1}.

For several outputs every projection must be in U. U♯ asks for M_i ≠ 0 and a_i ≠ 0, pairwise independent rows, and Σ_F
M_i ⊗ a_i ≠ 0 for every nonempty set F: for such rows, exactly that the fibre is one orbit. β and F are vanishing
subset sums, decided by the ladder of :mod:`relusym.exact.subset_sums`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from relusym.errors import RelusymError
from relusym.exact.matrix import column_of, rows_of
from relusym.exact.subset_sums import Absence, vanishing_signs, vanishing_subsets
from relusym.exact.tower import Tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.certificate import certificate
from relusym.parameters.network import Network
from relusym.shallow.flips import outer_products, output_columns, require_one_hidden
from relusym.shallow.masses import RowKey, Vector
from relusym.verdict import Decision

OPEN_SETS = ("U", "sharp")


class Failure(NamedTuple):
    """The condition that fails.

    Attributes
    ----------
    condition : str
        "V1", "V2", "V3" or "V4".
    neurons : tuple of int
        The neuron (V1, V3), the pair (V2), or the support of β (V4).
    output : int or None
        The output whose projection fails, where it is one.
    factor : SymPy number or None
        For V2 the λ with (a_j, b_j) = λ (a_i, b_i); None where row i is zero.
    beta : tuple of int or None
        For V4 the whole of β.
    """

    condition: str
    neurons: tuple[int, ...]
    output: int | None = None
    factor: Any = None
    beta: tuple[int, ...] | None = None

    def __str__(self) -> str:
        where = "" if self.output is None else f" (output {self.output})"
        names = ", ".join(map(str, self.neurons))
        return {
            "V1": f"V1: the output weight of neuron {names} is zero{where}",
            "V2": f"V2: the rows of neurons {names} are dependent, with factor {self.factor}",
            "V3": f"V3: the weights into neuron {names} are zero",
            "V4": f"V4: Σ β_i v_i a_i = 0 on the neurons {names}{where}",
        }[self.condition]


def is_generic(
    f: Network, *, open_set: str = "U", limits: Limits | None = None, progress: Progress | None = None
) -> Decision:
    """Decide whether a parameter is in U, or in U♯ ("sharp").

    Parameters
    ----------
    f
        A network with one hidden layer; for several outputs "U" asks that every projection be in U.
    open_set
        "U" or "sharp". U is contained in U♯; on both the fibre is one free H_n-orbit.
    limits, progress
        See :class:`relusym.Limits`.

    Returns
    -------
    Decision
        .witness of "no" is a :class:`Failure`; .certificate of "yes" holds, for each sum that must not vanish, what
        proves it; .reason names the method: by rank, by few free coordinates, by a lattice, or by enumeration.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.

    Examples
    --------
    >>> from relusym import Network, is_generic, load
    >>> is_generic(load("example:theta1")).witness
    Failure(condition='V4', neurons=(0, 1, 2), output=0, factor=None, beta=(1, 1, 1))
    >>> f = Network.shallow([1, 1], [[1], [1]], [0, 1], 0)
    >>> is_generic(f).truth, is_generic(f, open_set="sharp").truth
    (False, True)
    """
    if open_set not in OPEN_SETS:
        raise RelusymError(f'open_set must be "U" or "sharp"; got {open_set!r:.40}')
    require_one_hidden(f, "genericity")
    failure = next(_simple_failures(f, open_set), None)
    if failure is not None:
        return _not_generic(f, open_set, failure)
    try:
        return _by_sums(f, open_set, Budget(limits, progress))
    except LimitReached as limit:
        return Decision(None, f"no neuron is zero and rows are independent; V4 is undecided: {limit}")


def _simple_failures(f: Network, open_set: str) -> Iterator[Failure]:
    """Yield what fails of V1, V2 and V3: one zero, or two dependent rows."""
    columns = output_columns(f)
    for index, column in enumerate(columns):
        if open_set == "sharp":
            if not any(column):
                yield Failure("V1", (index,))
        else:
            yield from (Failure("V1", (index,), output=j) for j, value in enumerate(column) if value == 0)
    hidden = f.layers[0]
    rows = [[*row, bias] for row, bias in zip(rows_of(hidden.weight), column_of(hidden.bias), strict=True)]
    yield from _dependent_rows(f, rows)
    yield from (Failure("V3", (index,)) for index, row in enumerate(rows) if not any(row[:-1]))


def _dependent_rows(f: Network, rows: list[Vector]) -> Iterator[Failure]:
    first: dict[RowKey, tuple[int, Any]] = {}
    for index, row in enumerate(rows):
        lead = next((value for value in row if value != 0), None)
        if lead is None:
            if len(rows) > 1:
                yield Failure("V2", (index, 1 if index == 0 else 0))
            continue
        name = RowKey(f.field, [value / lead for value in row])
        known = first.setdefault(name, (index, lead))
        if known[0] != index:
            yield Failure("V2", (known[0], index), factor=f.field.sympy(lead / known[1]))


def _by_sums(f: Network, open_set: str, budget: Budget) -> Decision:
    """Decide V4, given that V1, V2 and V3 hold nowhere."""
    columns, directions = output_columns(f), list(rows_of(f.layers[0].weight))
    if open_set == "sharp":
        absences = [_absence(vanishing_subsets, f, columns, directions, budget)]
    else:
        absences = []
        for output in range(f.widths[-1]):
            budget.report("outputs", output, f.widths[-1])
            weights = [[column[output]] for column in columns]
            absences.append(_absence(vanishing_signs, f, weights, directions, budget))
            if absences[-1].truth is not True:
                break
    for output, absence in enumerate(absences):
        if absence.truth is False and absence.witness is not None:
            support = tuple(index for index, entry in enumerate(absence.witness) if entry)
            which = None if open_set == "sharp" else output
            return _not_generic(f, open_set, Failure("V4", support, output=which, beta=absence.witness))
        if absence.truth is None:
            return Decision(None, f"no neuron is zero and rows are independent; for V4: {absence.reason}")
    methods = ", ".join(dict.fromkeys(absence.method for absence in absences))
    proofs = [absence.certificate for absence in absences]
    proven = certificate("generic", "generic", [f], Tower(f.field), open_set=open_set, absences=proofs)
    reason = f"in {'U♯' if open_set == 'sharp' else 'U'}: by {methods}"
    if "enumeration" in methods:
        reason += "; the check of an enumeration is an enumeration too"
    what = "Σ_F M_i ⊗ a_i" if open_set == "sharp" else "Σ β_i v_i a_i"
    steps = [
        f"V1: no {'column of output weights' if open_set == 'sharp' else 'output weight'} is zero",
        f"V2: the rows of all {f.widths[1]} neurons are pairwise independent",
        "V3: no neuron has zero weights into it",
    ]
    for output, absence in enumerate(absences):
        where = "" if len(absences) == 1 else f" for output {output}"
        steps.append(f"V4: {what} = 0 for none{where}: {absence.reason}")
    return Decision(True, reason, certificate=proven, steps=steps)


def _absence(decide: Any, f: Network, columns: list[Vector], directions: list[Vector], budget: Budget) -> Absence:
    answer: Absence = decide(outer_products(f.field, columns, directions), budget)
    return answer


def _not_generic(f: Network, open_set: str, failure: Failure) -> Decision:
    proven = certificate(
        "not generic",
        "not generic",
        [f],
        Tower(f.field),
        open_set=open_set,
        condition=failure.condition,
        neurons=list(failure.neurons),
        output=failure.output,
        beta=None if failure.beta is None else list(failure.beta),
    )
    return Decision(False, str(failure), witness=failure, certificate=proven)
