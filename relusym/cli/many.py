"""Commands about many networks: dedupe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from relusym.cli.common import YES, Reading, TerminalProgress, limited, print_json, reading
from relusym.errors import RelusymError, missing_extra
from relusym.limits import Limits


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option("--workers", type=click.IntRange(min=1), help="Read and hash the files in this many processes.")
@click.option("--dask", "address", metavar="ADDRESS", help="Read and hash them on the Dask cluster of this scheduler.")
@limited
@reading
def dedupe(
    *,
    files: tuple[str, ...],
    workers: int | None,
    address: str | None,
    limits: Limits,
    read: Reading,
) -> int:
    """Group FILES by the function of their networks (at most one hidden layer)."""
    from relusym.decision.deduplication import dedupe as grouped

    if workers is not None and address is not None:
        raise click.UsageError("--workers and --dask exclude each other: one of them says where the work is done")
    progress = TerminalProgress()
    with _executor(workers, address) as executor:
        try:
            groups = grouped(
                files,
                executor=executor,
                numbers=read.numbers,
                normalize=read.normalize,
                limits=limits,
                progress=progress,
            )
        finally:
            progress.clear()
    if read.as_json:
        print_json({"groups": groups, "networks": len(files), "functions": len(groups)})
        return YES
    for group in groups:
        click.echo(" = ".join(map(str, group)))
    click.echo(f"{len(files)} networks, {len(groups)} functions")
    return YES


@contextmanager
def _executor(workers: int | None, address: str | None) -> Iterator[Any]:
    if address is not None:
        with _dask_client(address) as client:
            yield client
    elif workers is None or workers == 1:
        yield None
    else:
        from relusym.decision.many import process_pool

        pool = process_pool(workers)
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C the workers end with the files that they hold


def _dask_client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise missing_extra("scale", "--dask needs the package distributed") from None
    try:
        return Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise RelusymError(f"--dask {address}: no Dask scheduler answers there ({error})") from None
