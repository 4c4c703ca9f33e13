"""Commands about the parameters that realise a function: dimension, identify."""

from __future__ import annotations

import click

from relusym.cli.common import UNDECIDED, YES, Reading, TerminalProgress, limited, print_json, reading
from relusym.errors import Undecided
from relusym.limits import Limits


@click.command()
@click.argument("f")
@limited
@reading
def dimension(*, f: str, limits: Limits, read: Reading) -> int:
    """Compute the functional dimension of F, and its infinitesimal symmetries beyond positive scaling."""
    from relusym.polyhedral.functional_dimension import functional_dimension

    loaded = read.load(f)
    progress = TerminalProgress()
    try:
        found = functional_dimension(loaded.network, limits=limits, progress=progress)
        smooth = found.smooth
        symmetries = list(dict.fromkeys(symmetry.words for symmetry in found.kernel()))
    except Undecided as limit:
        if read.as_json:
            bounds = {"lower": limit.lower, "upper": limit.upper}
            print_json({"functional_dimension": None, **bounds, "reason": str(limit), "networks": [loaded.described()]})
        else:
            click.echo(f"undecided: {limit}")
        return UNDECIDED
    finally:
        progress.clear()
    if read.as_json:
        print_json(
            {
                "functional_dimension": found.value,
                "parameters": found.parameters,
                "hidden": found.hidden,
                "smooth": smooth,
                "full": found.is_full,
                "infinitesimal_symmetries": symmetries,
                "networks": [loaded.described()],
            }
        )
    else:
        click.echo(found.explain())
    return YES if smooth is not None else UNDECIDED


@click.command()
@click.argument("f")
@limited
@reading
def identify(*, f: str, limits: Limits, read: Reading) -> int:
    """Report whether the function of F determines its parameters: one claim a line, with its reason."""
    from relusym.polyhedral.identifiability import identify

    loaded = read.load(f)
    progress = TerminalProgress()
    report = identify(loaded.network, limits=limits, progress=progress)
    try:
        answer = {**report.to_dict(), "networks": [loaded.described()]}
    finally:
        progress.clear()
    if read.as_json:
        print_json(answer)
    else:
        click.echo(report.explain())
    return YES
