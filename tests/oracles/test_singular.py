"""Singular decomposes the exported sets itself: its minimal primes are the irreducible components claimed here."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from relusym import nongeneric_locus, v_a
from relusym.symbolic.algebraic_set import AlgebraicSet
from relusym.symbolic.component import Component
from relusym.symbolic.polynomials import text

READINGS = {"weighted": {}, "unweighted": {"weighted": False}, "sharp": {"open_set": "sharp"}}
COUNTS = {(1, 2): (7, 7, 6), (2, 2): (7, 7, 6), (3, 2): (7, 7, 6), (1, 3): (19, 19, 13), (2, 3): (19, 19, 13)}

MATCH = """
LIB "primdec.lib";
proc inside(ideal I, ideal J) { return (size(reduce(I, std(J))) == 0); }
proc same(ideal I, ideal J) { return (inside(I, J) and inside(J, I)); }
proc matched(list P, list Q)
{
  int i, j, count;
  for (i = 1; i <= size(P); i++)
  {
    for (j = 1; j <= size(Q); j++) { if (same(P[i], Q[j])) { count++; break; } }
  }
  return (count);
}
"""


def ideals(name: str, components: list[Component]) -> str:
    lines = [f"list {name};"]
    for index, component in enumerate(components, start=1):
        names = component.ring.identifiers("singular")
        generators = ", ".join(text(polynomial, names) for polynomial in component.polynomials)
        lines.append(f"{name}[{index}] = ideal({generators});")
    return "\n".join(lines)


def numbers(output: str) -> list[int]:
    return [int(line) for line in output.split()]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("size", [(1, 2), (2, 2), (3, 2), (1, 3)])
def test_minimal_primes_of_the_whole_locus(size: tuple[int, int], reading: str, singular: Callable[[str], str]) -> None:
    locus = nongeneric_locus(*size, **READINGS[reading])  # type: ignore[arg-type]
    ours = list(locus.irredundant())
    script = f"""{locus.to_singular()}
{MATCH}
{ideals("ours", ours)}
ideal whole = 1; int t;
for (t = 1; t <= size(components); t++) {{ whole = intersect(whole, components[t]); }}
list found = minAssGTZ(whole);
size(found); matched(found, ours);
"""
    expected = COUNTS[size][list(READINGS).index(reading)]
    assert len(ours) == expected
    assert numbers(singular(script)) == [expected, expected]


def decomposed(components: list[Component], singular: Callable[[str], str]) -> list[list[int]]:
    """For each component: Singular's number of minimal primes, how many of them are ours, and their dimensions."""
    whole = components[0].ring
    lines = [f"ring R = 0, ({', '.join(whole.identifiers('singular'))}), dp;", MATCH, ideals("given", components)]
    for index, component in enumerate(components, start=1):
        ours = list(component.irreducible_components() or ())
        lines += [ideals(f"ours{index}", ours), f"list primes{index} = minAssGTZ(given[{index}]);"]
        lines += [f"size(primes{index}); matched(primes{index}, ours{index});"]
        lines += [f"dim(std(ours{index}[{t}]));" for t in range(1, len(ours) + 1)]
    results = numbers(singular("\n".join(lines)))
    answers = []
    for component in components:
        length = 2 + len(component.irreducible_components() or ())
        answers.append(results[:length])
        results = results[length:]
    assert not results
    return answers


def expected(components: list[Component]) -> list[list[int]]:
    answers = []
    for component in components:
        ours = component.irreducible_components() or ()
        answers.append([len(ours), len(ours), *(piece.dimension for piece in ours)])
    return answers


@pytest.mark.parametrize("reading", READINGS)
def test_each_component_of_the_locus_at_2_3(reading: str, singular: Callable[[str], str]) -> None:
    locus = nongeneric_locus(2, 3, **READINGS[reading])  # type: ignore[arg-type]
    components = list(locus)
    assert decomposed(components, singular) == expected(components)
    # One containment a pair: what is left is the number of irreducible components of the whole.
    by_reduction = AlgebraicSet(locus.ring, locus.families, "the same, without the closed form").irredundant()
    assert by_reduction.count == COUNTS[2, 3][list(READINGS).index(reading)] == locus.irredundant().count


@pytest.mark.parametrize(("k", "m"), [(2, 1), (2, 2), (2, 3)])
@pytest.mark.parametrize("size", [2, 3])
def test_sums_over_two_outputs(k: int, m: int, size: int, singular: Callable[[str], str]) -> None:
    components = list(v_a((1,) * size, m, size, k=k))
    assert decomposed(components, singular) == expected(components)


def test_codimensions_over_two_outputs() -> None:
    """{rank M_F ≤ r1, rank A_F ≤ r2}: (k − r1)(s − r1) + m·r1 where r2 = s − r1 ≤ m."""
    found = {size: [piece.codimension for piece in v_a((1,) * size, 2, size, k=2).irredundant()] for size in (2, 3)}
    assert found == {2: [4, 3, 4], 3: [4, 4]}
