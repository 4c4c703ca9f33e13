"""Commands about networks with one hidden layer: minimal."""

from __future__ import annotations

import click

from relusym.cli.common import YES, Loaded, print_json, reading


@click.command()
@click.argument("f")
@click.option("-o", "--output", metavar="OUT", help="Write the minimal form to this file.")
@reading
def minimal(*, f: str, output: str | None, numbers: str, normalize: bool, as_json: bool) -> int:
    """Print the minimal form and the 0-factor rank of F (one hidden layer, one output)."""
    from relusym.io import save
    from relusym.shallow.minimal_form import minimal_form, zero_factor_rank

    loaded = Loaded(f, numbers, normalize)
    network, rank = minimal_form(loaded.network), zero_factor_rank(loaded.network)
    if output is not None:
        save(network, output)
    if as_json:
        print_json({"network": network.to_dict(), "zero_factor_rank": rank, "networks": [loaded.described()]})
    else:
        click.echo(f"{network}\n0-factor rank: {rank}")
    return YES
