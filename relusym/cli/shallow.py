"""Commands about networks with one hidden layer: minimal, stabilizer, fibre, generic, width, symmetry."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from relusym.cli.common import (
    UNDECIDED,
    YES,
    Loaded,
    Reading,
    TerminalProgress,
    bounded,
    limited,
    print_json,
    reading,
    status_of,
    write_json,
)
from relusym.errors import RelusymError, Undecided
from relusym.limits import LimitReached, Limits

if TYPE_CHECKING:
    from relusym.parameters.symmetry import Symmetry
    from relusym.verdict import Decision


@click.command()
@click.argument("f")
@click.option("-o", "--output", metavar="OUT", help="Write the minimal form to this file.")
@bounded
@reading
def minimal(*, f: str, output: str | None, read: Reading) -> int:
    """Print the minimal form and the 0-factor rank of F (one hidden layer, one output)."""
    from relusym.io import save
    from relusym.shallow.minimal_form import minimal_form, zero_factor_rank

    loaded = read.load(f)
    network, rank = minimal_form(loaded.network), zero_factor_rank(loaded.network)
    if output is not None:
        save(network, output)
    if read.as_json:
        print_json({"network": network.to_dict(), "zero_factor_rank": rank, "networks": [loaded.described()]})
    else:
        click.echo(f"{network}\n0-factor rank: {rank}")
    return YES


@click.command()
@click.argument("f")
@click.option("--first-layer", is_flag=True, help="The stabilizer of (A, b) alone.")
@bounded
@reading
def stabilizer(*, f: str, first_layer: bool, read: Reading) -> int:
    """Print the stabilizer of F: which permutations and scalings of its hidden neurons change nothing."""
    from relusym.shallow.stabilizer import stabilizer as find

    loaded = read.load(f)
    found = find(loaded.network, first_layer=first_layer)
    if read.as_json:
        answer = {
            "order": str(found.order) if found.zero_neurons else int(found.order),
            "isomorphism_type": found.isomorphism_type,
            "zero_neurons": list(found.zero_neurons),
            "classes": [list(members) for members in found.classes],
            "pairs": [[i, j, str(scale)] for i, j, scale in found.pairs],
            "generators": [_symmetry_object(h) for h in found.generators],
        }
        print_json({**answer, "networks": [loaded.described()]})
        return YES
    click.echo(f"{found.isomorphism_type}, order {'infinite' if found.zero_neurons else found.order}")
    if found.zero_neurons:
        click.echo(f"zero neurons: {', '.join(map(str, found.zero_neurons))}")
    for i, j, scale in found.pairs:
        rest = "" if first_layer else f", and the output weights of {i} {scale} times those of {j}"
        click.echo(f"neurons {i} and {j}: the row of {j} is {scale} times that of {i}{rest}")
    for h in found.generators:
        click.echo(f"generator: {h}")
    return YES


@click.command()
@click.argument("f")
@click.option("--most", type=click.IntRange(min=1), default=1000, help="List at most so many flip sets (1000).")
@limited
@reading
def fibre(*, f: str, most: int, limits: Limits, read: Reading) -> int:
    """Describe all parameters of the widths of F with the same function."""
    from relusym.shallow.fibre import fibre as find

    loaded, progress = read.load(f), TerminalProgress()
    found = find(loaded.network, limits=limits, progress=progress)
    decision, dimension = found.single_orbit, found.dimension
    flips, count, note = None, None, found.obstacle
    if note is None:
        try:
            count = found.count
            flips = found.flips if count <= most else list(islice(found.iter_flips(), most))
        except Undecided as undecided:
            note = str(undecided)
    explanation = None if read.as_json else found.explain()
    progress.clear()
    if read.as_json:
        answer = {
            "flips": flips,
            "count": count,
            "complete": flips is not None and count == len(flips),
            "note": note,
            "single_orbit": decision.truth,
            "reason": decision.reason,
            "dimension": dimension,
            "dimension_reason": found.dimension_reason,
        }
        print_json({**answer, "networks": [loaded.described()]})
    else:
        click.echo(explanation)
    return UNDECIDED if decision.truth is None else YES


@click.command()
@click.argument("f")
@click.option("--open-set", type=click.Choice(["U", "sharp"]), default="U", help="U, or the larger U♯ (sharp).")
@click.option("--certificate", "certificate_file", metavar="OUT.json", help="Write the certificate to this file.")
@limited
@reading
def generic(
    *,
    f: str,
    open_set: str,
    certificate_file: str | None,
    limits: Limits,
    read: Reading,
) -> int:
    """Decide whether F is generic: then its parameter is known from its function, up to scaling and permutation."""
    from relusym.shallow.genericity import Failure, is_generic

    loaded, progress = read.load(f), TerminalProgress()
    decision = is_generic(loaded.network, open_set=open_set, limits=limits, progress=progress)
    progress.clear()
    _write_certificate(certificate_file, decision, loaded)
    if read.as_json:
        failure = decision.witness
        witness = None
        if isinstance(failure, Failure):
            factor = None if failure.factor is None else str(failure.factor)
            witness = {**failure._asdict(), "factor": factor}
        answer = {"generic": decision.truth, "open_set": open_set, "reason": decision.reason, "witness": witness}
        print_json({**answer, "networks": [loaded.described()]})
    else:
        verdict = {True: "generic", False: "not generic", None: "undecided"}[decision.truth]
        click.echo(f"{verdict}: {decision.reason}")
    return status_of(decision.truth)


@click.command()
@click.argument("f")
@click.option("--certificate", "certificate_file", metavar="OUT.json", help="Write the certificate to this file.")
@limited
@reading
def width(
    *,
    f: str,
    certificate_file: str | None,
    limits: Limits,
    read: Reading,
) -> int:
    """Find the fewest hidden neurons with which one hidden layer realises the function of F."""
    from relusym.shallow.width import width_of

    loaded, progress = read.load(f), TerminalProgress()
    found = width_of(loaded.network, limits=limits, progress=progress)
    progress.clear()
    _write_certificate(certificate_file, found, loaded)
    if read.as_json:
        answer = {"width": found.width, "lower": found.lower, "upper": found.upper, "reason": found.reason}
        print_json({**answer, "networks": [loaded.described()]})
    else:
        click.echo(found.explain())
    return status_of(found.truth)


@click.command()
@click.argument("f")
@click.argument("g")
@limited
@reading
def symmetry(*, f: str, g: str, limits: Limits, read: Reading) -> int:
    """Find the permutations, the scales and the flips of hidden neurons that carry F to G, layer by layer."""
    from relusym.shallow.correspondence import symmetry_between

    loaded, progress = [read.load(source) for source in (f, g)], TerminalProgress()
    if max(item.network.depth for item in loaded) > 1:
        return _aligned(loaded, limits, read.as_json)
    truth: bool | None
    try:
        found = symmetry_between(loaded[0].network, loaded[1].network, limits=limits, progress=progress)
        truth, reason = found is not None, ""
    except LimitReached as limit:
        found, truth, reason = None, None, f"undecided: {limit}"
    progress.clear()
    answer: dict[str, Any] = {"symmetry": None, "flips": None}
    if truth is False:
        reason = "no permutation, positive scales and flips carry F to G"
    if found is not None:
        h, flips = found
        reason = f"G = h @ flip(F) with h = {h}, " + (f"flipped neurons {list(flips)}" if flips else "no flips")
        answer = {"symmetry": _symmetry_object(h), "flips": list(flips)}
    if read.as_json:
        print_json({**answer, "reason": reason, "networks": [item.described() for item in loaded]})
    else:
        click.echo(reason)
    return status_of(truth)


def _aligned(loaded: list[Loaded], limits: Limits, as_json: bool) -> int:
    """Report the alignment of two deeper networks."""
    from relusym.decision.alignment import alignment

    progress = TerminalProgress()
    report = alignment(loaded[0].network, loaded[1].network, limits=limits, progress=progress)
    progress.clear()
    if as_json:
        layers = [
            {
                "permutation": list(layer.permutation),
                "scale": list(map(str, layer.scale)),
                "flips": list(layer.flips),
            }
            for layer in report.layers
        ]
        answer = {"layers": layers, "stopped": report.stopped, "reason": report.reason}
        print_json({**answer, "networks": [item.described() for item in loaded]})
    else:
        click.echo(report.explain())
    return status_of(report.truth)


def _symmetry_object(h: Symmetry) -> dict[str, Any]:
    return {"permutation": list(h.permutation), "scale": [str(scale) for scale in h.scale]}


def _write_certificate(path: str | None, decision: Decision, loaded: Loaded) -> None:
    if path is None:
        return
    if decision.certificate is None:
        raise RelusymError(f"{path}: not written, as nothing is proved: {decision.reason}")
    write_json(path, {**decision.certificate, "networks": [loaded.described()]})
