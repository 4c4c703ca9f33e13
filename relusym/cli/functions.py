"""Commands about functions: equal, check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from relusym.cli.common import (
    Reading,
    TerminalProgress,
    bounded,
    limited,
    print_json,
    read_domain,
    read_json,
    reading,
    status_of,
    write_json,
)
from relusym.errors import RelusymError
from relusym.limits import Limits

if TYPE_CHECKING:
    from relusym.decision.max_difference import MaxDifference


@click.command()
@click.argument("f")
@click.argument("g")
@click.option(
    "--domain",
    "domain_file",
    metavar="DOMAIN.json",
    help="A box, a JSON list of one [low, high] for each input; or inequalities, a list of [row, bound].",
)
@click.option("--certificate", "certificate_file", metavar="OUT.json", help="Write the certificate to this file.")
@click.option(
    "--max-difference", "how_far", is_flag=True, help="Where they differ on a bounded domain, say how far at most."
)
@click.option(
    "--up-to",
    type=click.Choice(["positive-scale"]),
    help="Is G a positive multiple of F?",
)
@click.option("--explain", is_flag=True, help="Print the argument, a line a step.")
@limited
@reading
def equal(
    *,
    f: str,
    g: str,
    domain_file: str | None,
    certificate_file: str | None,
    up_to: str | None,
    explain: bool,
    how_far: bool,
    limits: Limits,
    read: Reading,
) -> int:
    """Decide whether F and G are the same function, exactly."""
    from relusym.decision.equality import equal as decide

    loaded = [read.load(source) for source in (f, g)]
    domain = None if domain_file is None else read_domain(domain_file)
    progress = TerminalProgress()
    networks = [item.network for item in loaded]
    decision = decide(*networks, domain=domain, up_to=up_to, limits=limits, progress=progress)
    progress.clear()
    proof = None if decision.certificate is None else dict(decision.certificate)
    if proof is not None:
        proof["networks"] = [item.described() for item in loaded]
    if certificate_file is not None:
        if proof is None:
            raise RelusymError(f"{certificate_file}: not written, as nothing is proved: {decision.reason}")
        write_json(certificate_file, proof)
    far = None
    if how_far:
        from relusym.decision.max_difference import max_difference

        if domain is None:
            raise RelusymError("--max-difference needs --domain, a bounded one")
        far = (
            None
            if decision.truth
            else max_difference(networks[0], networks[1], domain, limits=limits, progress=progress)
        )
        progress.clear()
    point = None
    if proof is not None and decision.counterexample is not None:
        names = ("x", "f", "g")
        point = {name: list(map(str, values)) for name, values in zip(names, decision.counterexample, strict=True)}
        point = {name: proof.get(name, values) for name, values in point.items()}
    if read.as_json:
        answer = {"verdict": decision.verdict, "counterexample": point, "reason": decision.reason}
        if up_to is not None:
            scale = getattr(decision, "scale", None)
            answer["scale"] = None if scale is None else str(scale)
        if far is not None:
            answer["max_difference"] = _described(far)
        print_json({**answer, "networks": [item.described() for item in loaded], "domain": proof and proof["domain"]})
    else:
        for line in filter(None, (item.told(name) for name, item in zip("fg", loaded, strict=True))):
            click.echo(line)
        click.echo(decision.explain() if explain else f"{decision.verdict}: {decision.reason}")
        if up_to is not None and decision.truth:
            click.echo(f"  g = {getattr(decision, 'scale', 1)} f")
        for name, values in (point or {}).items():
            click.echo(f"  {'x' if name == 'x' else f'{name}(x)'} = ({', '.join(values)})")
        if far is not None:
            _tell(far)
        elif decision.truth is False and domain is not None:
            click.echo("--max-difference says how far apart they are on the domain, where it is bounded", err=True)
    return status_of(decision.truth)


def _described(far: MaxDifference) -> dict[str, Any]:
    """Return a greatest difference as a JSON object, numbers as text."""
    return {**far.texts, "output": far.output, "reason": far.reason}


def _tell(far: MaxDifference) -> None:
    """Print a greatest difference, or its bounds; both exact, with a decimal that helps the eye."""
    place = f"output {far.output}, at x = ({', '.join(map(str, far.point))})"
    if far.value is not None:
        click.echo(f"greatest difference: {_readable(far.value)}, {place}")
    else:
        click.echo(f"greatest difference: at least {_readable(far.lower)}, {place}")
        above = "no upper bound" if far.upper is None else f"at most {_readable(far.upper)}"
        click.echo(f"  {above}: {far.reason}")


def _readable(number: Any) -> str:
    return str(number) if number.is_Integer else f"{number} (about {float(number):.6g})"


@click.command()
@click.argument("certificate_file", metavar="CERT.json")
@click.argument("f")
@click.argument("g", required=False)
@bounded
@reading
def check(*, certificate_file: str, f: str, g: str | None, read: Reading) -> int:
    """Check a certificate against the networks that it is about."""
    from relusym.decision.certificates import verification

    certificate = read_json(certificate_file)
    networks = [read.load(source).network for source in (f, g) if source is not None]
    ok, reason = verification(certificate, *networks)
    if read.as_json:
        print_json({"accepted": ok, "claim": certificate.get("claim"), "reason": reason})
    else:
        click.echo(f"{'accepted' if ok else 'refused'}: {reason}")
    return status_of(ok)
