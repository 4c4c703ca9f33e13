"""Commands about networks of any depth: compress."""

from __future__ import annotations

import click

from relusym.cli.common import YES, Reading, TerminalProgress, limited, print_json, read_domain, reading, write_json
from relusym.limits import Limits


@click.command()
@click.argument("f")
@click.option("-o", "--output", metavar="OUT", help="Write the smaller network to this file.")
@click.option(
    "--domain",
    "domain_file",
    metavar="BOX.json",
    help="A box, [[low, high], …], or inequalities, [[row, bound], …], in JSON.",
)
@click.option("--sharpen", is_flag=True, help="Let exact linear programs find more of what can go.")
@click.option("--thorough", is_flag=True, help="Decide every sign by exact linear programs and cells.")
@click.option("--certificate", "certificate_file", metavar="CERT.json", help="Write the proof that both are equal.")
@limited
@reading
def compress(
    *,
    f: str,
    output: str | None,
    domain_file: str | None,
    sharpen: bool,
    thorough: bool,
    certificate_file: str | None,
    limits: Limits,
    read: Reading,
) -> int:
    """Find a smaller network equal to F, everywhere or on a domain, each removal proved."""
    from relusym.decision.compression import compression
    from relusym.io import save

    loaded = read.load(f)
    domain = None if domain_file is None else read_domain(domain_file)
    progress = TerminalProgress()
    options = {"sharpen": sharpen, "thorough": thorough}
    found = compression(loaded.network, domain=domain, limits=limits, progress=progress, **options)
    progress.clear()
    if output is not None:
        save(found.network, output)
    if certificate_file is not None:
        proof = dict(found.decision.certificate or {})
        proof["networks"] = [loaded.described(), {"source": output, "widths": list(found.network.widths), "read": {}}]
        write_json(certificate_file, proof)
    if read.as_json:
        layers = [{"kept": kept, "removed": dict(why)} for kept, why in zip(found.kept, found.removed, strict=True)]
        answer = {
            "verdict": found.decision.verdict,
            "widths": list(found.network.widths),
            "layers": layers,
            "fewest": found.fewest,
        }
        print_json({**answer, "output": output, "networks": [loaded.described()]})
    else:
        click.echo(f"{found.original!r} -> {found.network!r}\n{found.table()}\n{found.decision.verdict}: proved")
        if found.fewest:
            click.echo("no network with one hidden layer has fewer neurons")
    return YES
