"""Algebraic sets as text: for people, for LaTeX, and as scripts that Singular, Macaulay2, Sage and SymPy run unchanged.

Every export is made line by line, one component at a time, so that large sets can be streamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from relusym.errors import FormatError
from relusym.symbolic.polynomials import text

if TYPE_CHECKING:
    from relusym.symbolic.algebraic_set import AlgebraicSet
    from relusym.symbolic.component import Component

_MOST_SHOWN = 8


def lines(whole: AlgebraicSet, system: str) -> Iterator[str]:
    """Iterate over the lines of an export.

    Raises
    ------
    FormatError
        For a system that is not known, or one that does not read the set's number field.
    """
    if system not in WRITERS:
        raise FormatError(f"{system!r:.40} is no format; there are {', '.join(WRITERS)}")
    if whole.ring.field.degree > 1 and system in ("singular", "macaulay2", "sage"):
        raise FormatError(f"the export to {system} is for rational coefficients; these are in {whole.ring.field!r}")
    return WRITERS[system](whole)


def _written(component: Component, names: Sequence[str], power: str) -> str:
    number = component.ring.number_text
    return ", ".join(text(polynomial, names, number, power) for polynomial in component.polynomials) or "0"


def _plain(whole: AlgebraicSet) -> Iterator[str]:
    for component in whole:
        yield f"{component.name}: {_written(component, whole.ring.names, '^')}"


def _singular(whole: AlgebraicSet) -> Iterator[str]:
    names = whole.ring.identifiers("singular")
    yield f"// {whole.title}"
    yield f"ring R = 0, ({', '.join(names)}), dp;"
    yield "list labels, components;"
    for index, component in enumerate(whole, start=1):
        ideal = _written(component, names, "^")
        yield f'labels[{index}] = "{component.name}"; components[{index}] = ideal({ideal});'


def _macaulay2(whole: AlgebraicSet) -> Iterator[str]:
    names = whole.ring.identifiers("macaulay2")
    yield f"-- {whole.title}"
    yield f"R = QQ[{', '.join(names)}];"
    yield "locus = new MutableList;"
    for component in whole:
        # an ideal of a constant alone has to be told its ring
        ideal = _written(component, names, "^")
        if ideal.lstrip("-").replace("/", "").isdigit():
            ideal = f"({ideal})_R"
        yield f'locus#(#locus) = {{"{component.name}", ideal({ideal})}};'
    yield "locus = toList locus;"


def _sage(whole: AlgebraicSet) -> Iterator[str]:
    names = whole.ring.identifiers("sage")
    yield f"# {whole.title}"
    yield "from sage.all import QQ, PolynomialRing"
    yield f"R = PolynomialRing(QQ, {','.join(names)!r})"
    yield f"({', '.join(names)},) = R.gens()"
    yield "components = []"
    for component in whole:
        yield f"components.append(({component.name!r}, R.ideal([{_written(component, names, '**')}])))"


def _sympy(whole: AlgebraicSet) -> Iterator[str]:
    from sympy import Tuple, srepr

    yield "Tuple("
    for component in whole:
        yield f"    {srepr(Tuple(*(poly.as_expr() for poly in component.generators)))},"
    yield ")"


def _latex(whole: AlgebraicSet) -> Iterator[str]:
    names = whole.ring.identifiers("latex")
    yield "\\begin{align*}"
    for component in whole:
        yield component_latex(component, names, align="&") + " \\\\"
    yield "\\end{align*}"


WRITERS: dict[str, Callable[[AlgebraicSet], Iterator[str]]] = {
    "text": _plain,
    "latex": _latex,
    "singular": _singular,
    "macaulay2": _macaulay2,
    "sage": _sage,
    "sympy": _sympy,
}


def component_latex(component: Component, names: Sequence[str], align: str = "") -> str:
    """Return "name = V(generators)" as LaTeX; ``align`` is put before the sign of equality."""
    field = component.ring.field

    def number(value: Any) -> str:
        from sympy import latex

        if isinstance(value, int):
            return str(value)
        written: str = latex(field.sympy(value))
        return written

    generators = ",\\, ".join(text(p, names, number, "^", " ") for p in component.polynomials) or "0"
    return f"{_latex_name(component.name)} {align}= V\\left({generators}\\right)"


def _latex_name(name: str) -> str:
    head, bracket, tail = name.partition("[")
    if bracket and head in ("V1", "V2", "V3", "V4") and "∩" not in name:
        return f"V_{{{head[1:]}}}^{{[{tail.rstrip(']')}]}}"
    return "\\mathrm{" + name.replace("_", "\\_").replace("∩", "\\cap ") + "}"


def set_latex(whole: AlgebraicSet) -> str:
    """Return a set as a union of its first components."""
    names = whole.ring.identifiers("latex")
    shown = [component_latex(component, names).partition("= ")[2] for component in islice(iter(whole), _MOST_SHOWN)]
    if whole.count > _MOST_SHOWN:
        shown.append(f"\\cdots\\ (\\text{{{whole.count} components}})")
    return " \\cup ".join(shown) or "\\emptyset"


def pretty(whole: AlgebraicSet) -> str:
    """Return a set as text with its first components."""
    shown = [f"  {component}" for component in islice(iter(whole), _MOST_SHOWN)]
    if whole.count > _MOST_SHOWN:
        shown.append(f"  … {whole.count - _MOST_SHOWN} more")
    return "\n".join([repr(whole), *shown])
