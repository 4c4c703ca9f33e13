"""Commands about files: show, convert."""

from __future__ import annotations

import click

from relusym.cli.common import YES, Reading, bounded, print_json, reading


@click.command()
@click.argument("f")
@bounded
@reading
def show(*, f: str, read: Reading) -> int:
    """Show a network: its widths, its field, how it was read, its parameters where they are few."""
    loaded = read.load(f)
    network = loaded.network
    parameters = sum(layer.weight.nrows * (layer.weight.ncols + 1) for layer in network.layers)
    if read.as_json:
        facts = {"depth": network.depth, "parameters": parameters, "field": repr(network.field)}
        print_json({**loaded.described(), **facts})
        return YES
    click.echo(str(network))
    click.echo(f"{parameters} parameters")
    for name, note in loaded.notes.items():
        click.echo(f"{name}: {note}")
    return YES


@click.command()
@click.argument("f")
@click.argument("out")
@click.option(
    "--rounding",
    type=click.Choice(["float32", "float64"]),
    help="Round entries that .npz or .onnx cannot hold exactly.",
)
@bounded
@reading
def convert(*, f: str, out: str, rounding: str | None, read: Reading) -> int:
    """Write F in the format that the suffix of OUT names; exact unless rounding is asked for."""
    from relusym.io import save

    loaded = read.load(f)
    save(loaded.network, out, rounding=rounding)
    if read.as_json:
        print_json({"output": out, "rounding": rounding, "networks": [loaded.described()]})
    else:
        click.echo(f"wrote {out}" + ("" if rounding is None else f", rounded to {rounding}"))
    return YES
