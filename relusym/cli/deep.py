"""Commands about the polyhedral complex: regions, plot."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import Any

import click

from relusym.cli.common import UNDECIDED, YES, Reading, TerminalProgress, limited, print_json, read_domain, reading
from relusym.errors import RelusymError, Undecided
from relusym.limits import Limits

_DOMAIN = "A JSON list: one [low, high] for each input, or inequalities [row, bound] for row . x <= bound."


@click.command()
@click.argument("f")
@click.option("--domain", "domain_file", metavar="DOMAIN.json", help=_DOMAIN)
@click.option("--count", is_flag=True, help="Count activation regions only, in bounded memory.")
@click.option("--workers", type=click.IntRange(min=1), default=1, help="How many processes enumerate regions.")
@limited
@reading
def regions(
    *,
    f: str,
    domain_file: str | None,
    count: bool,
    workers: int,
    limits: Limits,
    read: Reading,
) -> int:
    """Count the activation regions, the linear regions, the affine maps and the cells of F, exactly."""
    loaded = read.load(f)
    domain = None if domain_file is None else read_domain(domain_file)
    progress = TerminalProgress()
    options: dict[str, Any] = {"limits": limits, "progress": progress}
    start = time.perf_counter()
    try:
        with ExitStack() as stack:
            if workers > 1:
                options["executor"] = stack.enter_context(ProcessPoolExecutor(workers))
            answer = _counts(loaded.network, domain, count, options)
    except Undecided as undecided:
        progress.clear()
        if read.as_json:
            answer = {"activation_regions": None, "at_least": undecided.lower, "reason": str(undecided)}
            print_json({**answer, "networks": [loaded.described()]})
        else:
            click.echo(f"undecided: {undecided}")
        return UNDECIDED
    progress.clear()
    elapsed = round(time.perf_counter() - start, 3)
    if read.as_json:
        print_json({**answer, "seconds": elapsed, "networks": [loaded.described()]})
        return YES
    for name, value in answer.items():
        if value is not None:
            click.echo(f"{name.replace('_', ' ').replace('f vector', 'f-vector')}: {value}")
    click.echo(f"{elapsed} s", err=True)  # not on standard output: the same input gives the same bytes there
    return YES


def _counts(network: Any, domain: Any, only_regions: bool, options: dict[str, Any]) -> dict[str, Any]:
    from relusym.polyhedral.complex import complex_of
    from relusym.polyhedral.regions import count_regions

    if only_regions:
        return {"activation_regions": count_regions(network, domain=domain, **options)}
    found = complex_of(network, domain=domain, **options)
    with_faces = found.arrangement.is_low_dimensional
    return {
        "activation_regions": len(found.activation_regions),
        "linear_regions": len(found.linear_regions),
        "affine_maps": len(found.affine_maps),
        "f_vector": list(found.f_vector) if with_faces else None,
        "euler_characteristic": found.euler_characteristic if with_faces else None,
    }


@click.command()
@click.argument("networks", metavar="[F...]", nargs=-1)
@click.option("-o", "--output", "out", metavar="OUT.png", required=True, help="The picture: .png, .svg or .pdf.")
@click.option(
    "--of", "which", type=click.IntRange(min=0), default=0, help="The output whose zero set is drawn, from 0."
)
@click.option("--window", metavar="BOX.json", help="A JSON list of one [low, high] for each input.")
@limited
@reading
def plot(
    *,
    networks: tuple[str, ...],
    out: str,
    which: int,
    window: str | None,
    limits: Limits,
    read: Reading,
) -> int:
    """Draw networks with one, two or three inputs, side by side.

    Without a network, two that realise the same function are drawn: example:theta1 and example:theta2.
    """
    from relusym.plot import plot as draw

    sources = networks or ("example:theta1", "example:theta2")
    if not out.endswith((".png", ".svg", ".pdf")):
        raise RelusymError(f"{out}: pictures are written as .png, .svg or .pdf")
    loaded = [read.load(source) for source in sources]
    progress = TerminalProgress()
    figure = draw(
        [item.network for item in loaded],
        titles=[source.removeprefix("example:") for source in sources],
        output=which,
        window=None if window is None else read_domain(window),
        limits=limits,
        progress=progress,
    )
    progress.clear()
    _save(figure, out)
    if read.as_json:
        print_json({"output": out, "networks": [item.described() for item in loaded]})
    else:
        click.echo(f"wrote {out}")
    return YES


def _save(figure: Any, out: str) -> None:
    from relusym.io import atomic_write

    with atomic_write(out) as stream:
        figure.savefig(stream, format=out.rsplit(".", 1)[1], dpi=150)
