"""The non-generic locus of Ω(m, n, k), and the sets it is made of.

Outside the locus the fibre of a shallow network is one free orbit of H_n: *A Complete Symmetry Classification of
Shallow ReLU Networks*, Theorem 5. Where the layers of relusym meet:

* two rows are semi-dependent (:func:`relusym.semi_dependent`) exactly where they are in V_dep and a sign condition
  holds: the polynomials see dependence, the signs tell +λ from −λ;
* a set F of neurons is a hidden symmetry (flipping all of F leaves the function, :func:`relusym.fibre`) exactly where
  the parameter is on V^a(β) for β the indicator of F.

The paper's Definition 9 writes V^a(β) = V(Σ β_i a_i); its Theorem 5 needs V(Σ β_i v_i a_i) and is false without the
weights (``example:weighted``). The weighted form is the default, the other one stays available by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from relusym.errors import FormatError, RelusymError, ShapeError
from relusym.exact.numbers import read_number, settle
from relusym.symbolic import families
from relusym.symbolic.algebraic_set import AlgebraicSet
from relusym.symbolic.component import Component
from relusym.symbolic.families import Family
from relusym.symbolic.polynomials import Polynomial, collect
from relusym.symbolic.ring import ParameterRing, Ring


def v_dep(u: Sequence[Any], w: Sequence[Any]) -> AlgebraicSet:
    """Return V_dep(u, w), where two vectors are linearly dependent: all 2×2 minors u_i w_j − u_j w_i vanish.

    Parameters
    ----------
    u, w
        Sequences (or SymPy matrices) of the same length, of symbols and exact real numbers.

    Returns
    -------
    AlgebraicSet
        One component, over the ring in the symbols that occur (at least one is due).

    Raises
    ------
    ShapeError
        Where the lengths differ.
    FormatError
        Where an entry is neither a symbol nor a number, or no entry is a symbol.

    Notes
    -----
    Definition 8. Two vectors are semi-dependent where they are in V_dep and some entries u_i, w_i have one sign.

    Examples
    --------
    >>> from sympy import symbols
    >>> from relusym import v_dep
    >>> a, b, t = symbols("a b t")
    >>> str(v_dep([a, b], [1, "sqrt(2)"])[0])
    'V_dep = V((sqrt(2))*a - b)'
    >>> v_dep([a, b], [2, 1]).contains({a: 4, b: 2})
    True
    """
    first, second = list(u), list(w)
    if len(first) != len(second):
        raise ShapeError(f"the two vectors have {len(first)} and {len(second)} entries; the same number is due")
    ring, entries = _entries([*first, *second])
    left, right = entries[: len(first)], entries[len(first) :]
    pairs = [(i, j) for i in range(len(first)) for j in range(i + 1, len(first))]

    def make() -> list[Polynomial]:
        made = [
            collect([(p[0] * q[0], (*p[1], *q[1])), (-r[0] * s[0], (*r[1], *s[1]))])
            for p, q, r, s in ((left[i], right[j], left[j], right[i]) for i, j in pairs)
        ]
        return [polynomial for polynomial in made if polynomial]

    generic = len(ring) == 2 * len(first)
    component = Component(
        ring, "V_dep", make, codimension=max(len(first) - 1, 0) if generic else None, irreducible=generic
    )
    return AlgebraicSet(ring, [Family("", 1, lambda _: component)], "V_dep(u, w)")


def _entries(vector: Sequence[Any]) -> tuple[Ring, list[tuple[Any, tuple[int, ...]]]]:
    """Return the ring of the symbols, and each entry as (coefficient, variables)."""
    from sympy import Symbol

    symbols = list(dict.fromkeys(entry for entry in vector if isinstance(entry, Symbol)))
    if not symbols:
        raise FormatError(
            "V_dep is a set in the symbols of its entries; no entry is one (dependent() tells for numbers)"
        )
    numbers = {}
    for index, entry in enumerate(vector):
        if not isinstance(entry, Symbol):
            try:
                numbers[index] = read_number(entry)
            except RelusymError as error:
                raise FormatError(f"entry {index}: a symbol or an exact number is due: {error}") from None
    tower, values = settle(numbers.values())
    ring = Ring([str(symbol) for symbol in symbols], tower.field, symbols)
    if len(set(ring.names)) < len(ring):
        raise FormatError("two different symbols have one name; give them different names")
    place = {symbol: index for index, symbol in enumerate(symbols)}
    known = dict(zip(numbers, values, strict=True))
    return ring, [(known[index], ()) if index in known else (1, (place[entry],)) for index, entry in enumerate(vector)]


def v_a(beta: Sequence[int], m: int, n: int, *, k: int = 1, weighted: bool = True) -> AlgebraicSet:
    """Return V^a(β) = V(Σ β_i v_i a_i) in Ω(m, n, k); for k > 1 V(Σ β_i M_i ⊗ a_i).

    Parameters
    ----------
    beta
        n integers in {0, ±1}, not all 0; β and −β give the same set.
    m, n, k
        The numbers of inputs, hidden neurons and outputs.
    weighted
        False: V(Σ β_i a_i), as the paper's Definition 9 has it.

    Raises
    ------
    ShapeError
        Where β has another length, or a size is less than 1.
    FormatError
        Where β is zero or has other entries.

    Notes
    -----
    For β ∈ {0, 1}^n this is where flipping the neurons of its support is a hidden symmetry. The weighted set has two
    components where 2 ≤ |β| ≤ m (one of them {v_supp β = 0}) and where |β| = 1.

    Examples
    --------
    >>> from relusym import v_a
    >>> for component in v_a((1, -1), 2, 2).irredundant():
    ...     print(component)
    V1[+1-2] = V(v1, v2)
    V4[+1-2] = V(v1*a1_1 - v2*a2_1, v1*a1_2 - v2*a2_2, a1_1*a2_2 - a1_2*a2_1)
    """
    ring = ParameterRing(m, n, k)
    entries = list(beta)
    if len(entries) != n:
        raise ShapeError(f"beta has {len(entries)} entries; one for each of the {n} hidden neurons is due")
    if any(entry not in (-1, 0, 1) for entry in entries) or not any(entries):
        raise FormatError("beta takes entries -1, 0 and 1, not all of them 0")
    lead = next(entry for entry in entries if entry)
    signs = tuple((i, int(entry * lead)) for i, entry in enumerate(entries) if entry)
    component = families.weighted_sum(ring, signs, range(k)) if weighted else families.unweighted_sum(ring, signs)
    family = Family("", 1, lambda _: component, component.codimension, component.irreducible)
    title = f"V^a(β) of Ω({m}, {n}, {k})" + ("" if weighted else ", unweighted")
    return AlgebraicSet(ring, [family], title, general_point=partial(families.general_point, ring))


def nongeneric_locus(m: int, n: int, k: int = 1, *, weighted: bool = True, open_set: str = "U") -> AlgebraicSet:
    """Return the complement of the open set of generic parameters of Ω(m, n, k), as V1 ∪ V2 ∪ V3 ∪ V4.

    V1: an output weight vanishes. V2: two rows (a_i, b_i) are dependent. V3: a_i = 0. V4: Σ β_i v_i a_i = 0 for some
    β ≠ 0 in {0, ±1}^n.

    Parameters
    ----------
    m, n, k
        The numbers of inputs, hidden neurons and outputs.
    weighted
        False: V4 with Σ β_i a_i, as the paper's Definition 9 has it.
    open_set
        "U": the paper's set; for k > 1 it asks every projection to one output to be generic, so V1 and V4 have one
        family for each output. "sharp": the larger set on which the fibre is one free orbit by flips alone, β ∈
        {0, 1}^n; for k > 1 with M_i = 0 in V1 and Σ_F M_i ⊗ a_i = 0 in V4.

    Returns
    -------
    AlgebraicSet
        Lazy: ``.count`` and any component are there at once, however many there are.

    Raises
    ------
    ShapeError
        Where a size is less than 1.
    FormatError
        For another ``open_set``, or the unweighted form of the sharp one, which has none.

    Notes
    -----
    Components come in the order V1, V2, V3, V4, in V4 with smaller |β| first. :meth:`AlgebraicSet.irredundant` gives
    2n + C(n,2) + (3^n − 1)/2 − n irreducible components for k = 1, and n + C(n,2) + 2^n − 1 for the sharp set.

    Examples
    --------
    >>> from relusym import nongeneric_locus
    >>> locus = nongeneric_locus(2, 3)
    >>> locus.count, locus.irredundant().count, nongeneric_locus(2, 3, open_set="sharp").irredundant().count
    (22, 19, 13)
    >>> nongeneric_locus(5, 40).count, nongeneric_locus(5, 40)[-1].codimension
    (6078832729528465260, 5)
    """
    if open_set not in ("U", "sharp"):
        raise FormatError(f'open_set takes "U" or "sharp"; got {open_set!r:.40}')
    if open_set == "sharp" and not weighted:
        raise FormatError('the sharp set is about weighted sums; open_set="U" has an unweighted form')
    ring = ParameterRing(m, n, k)
    common = [families.parallel_rows(ring), families.constant_neurons(ring)]
    if open_set == "sharp":
        first, last, pieces = families.dead_columns(ring), families.subset_sums(ring), families.subset_closures(ring)
    elif weighted:
        first, last, pieces = (
            families.dead_weights(ring),
            families.signed_sums(ring, weighted=True),
            families.closures(ring),
        )
    else:
        first, last, pieces = (
            families.dead_weights(ring),
            families.signed_sums(ring, weighted=False),
            families.unweighted_closures(ring),
        )
    title = f"the non-generic locus of Ω({m}, {n}, {k})" + ("" if weighted else ", unweighted")
    title += ", sharp" if open_set == "sharp" else ""
    general = partial(families.general_point, ring)

    def irreducible() -> AlgebraicSet:
        # A component of V4 with |β| = 1 lies in V1 ∪ V3, and so does every piece of V4 on which all weights, or all
        # rows, of its support vanish. The pieces that are left are distinct and irreducible, and a general point of
        # each is on no other.
        kept = AlgebraicSet(ring, [first, *common, pieces], f"irreducible components of {title}", general_point=general)
        kept._irreducible = lambda: kept
        return kept

    return AlgebraicSet(ring, [first, *common, last], title, irreducible=irreducible, general_point=general)
