"""Commands about varieties of parameters: locus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from relusym.cli.common import YES, bounded

if TYPE_CHECKING:
    from relusym.symbolic.algebraic_set import AlgebraicSet


@click.command()
@click.argument("m", type=click.IntRange(min=1))
@click.argument("n", type=click.IntRange(min=1))
@click.argument("k", type=click.IntRange(min=1), default=1)
@click.option("--unweighted", is_flag=True, help="Sums of rows without the output weights.")
@click.option("--open-set", type=click.Choice(["U", "sharp"]), default="U", help="The open set to take away from.")
@click.option("--irredundant", is_flag=True, help="Irreducible components, none inside another.")
@click.option("--part", type=click.Choice(["V1", "V2", "V3", "V4"]), help="One family of components.")
@click.option("--first", type=click.IntRange(min=0), metavar="COUNT", help="No more than so many components.")
@click.option(
    "--format",
    "system",
    type=click.Choice(["text", "latex", "singular", "macaulay2", "sage", "sympy"]),
    default="text",
    help="Plain text, LaTeX, or a script for another system.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@bounded
def locus(
    *,
    m: int,
    n: int,
    k: int,
    unweighted: bool,
    open_set: str,
    irredundant: bool,
    part: str | None,
    first: int | None,
    system: str,
    as_json: bool,
) -> int:
    """Print the polynomials of the non-generic locus for M inputs, N hidden neurons and K outputs (default 1).

    Components are printed as they are made, so that large sets can be piped on or cut off.
    """
    from relusym.symbolic.locus import nongeneric_locus

    whole = nongeneric_locus(m, n, k, weighted=not unweighted, open_set=open_set)
    if irredundant:
        whole = whole.irredundant()
    if part is not None:
        whole = whole.part(part)
    shown = whole if first is None or first >= whole.count else whole[:first]
    if as_json:
        for piece in _json_pieces(whole, shown):
            click.echo(piece, nl=False)
        click.echo()
        return YES
    for line in shown.lines(system):
        click.echo(line)
    return YES


def _json_pieces(whole: AlgebraicSet, shown: AlgebraicSet) -> Iterator[str]:
    """Iterate over the text of one JSON object, a component at a time."""
    from relusym.symbolic.polynomials import text

    head: dict[str, Any] = {"set": whole.title, "count": whole.count, "codimension": whole.codimension}
    head["variables"] = whole.ring.names
    yield json.dumps(head, ensure_ascii=False).removesuffix("}") + ', "components": ['
    for index, component in enumerate(shown):
        entry = {
            "name": component.name,
            "codimension": component.codimension,
            "generators": [text(polynomial, component.ring.names) for polynomial in component.polynomials],
        }
        yield (",\n" if index else "\n") + json.dumps(entry, ensure_ascii=False)
    yield "\n]}"
