"""Print a table of all network files in a folder: read or refused, why, architecture, and which are equal.

    python benchmarks/table_of_files.py [FOLDER]

A .nnet file has a row for each way to read its decimals that gives other parameters. "equal" is decided by
relusym.equal; "same" says that the parameters themselves are equal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from relusym import equal
from relusym.errors import RelusymError
from relusym.exact.floats import NUMBERS
from relusym.io import SUFFIXES, load_with_notes
from relusym.limits import Limits
from relusym.parameters.network import Network

TESTS = Path(__file__).parent.parent / "tests" / "data"
Row = tuple[str, Network, dict[str, str]]


def read(path: Path) -> Iterator[tuple[str, Network, dict[str, str]]]:
    """Yield (reading mode, network, notes), once for modes that give the same parameters."""
    found: list[tuple[list[str], Network, dict[str, str]]] = []
    for numbers in NUMBERS if path.suffix == ".nnet" else NUMBERS[:1]:
        network, notes = load_with_notes(path, numbers=numbers)
        same = next((modes for modes, other, _ in found if other == network), None)
        if same is None:
            found.append(([numbers], network, notes))
        else:
            same.append(numbers)
    for modes, network, notes in found:
        yield (" = ".join(modes) if path.suffix == ".nnet" else ""), network, notes


def relation(first: Network, second: Network) -> str | None:
    """Return how two networks with the same ends are related, or None where they differ."""
    if (first.widths[0], first.widths[-1]) != (second.widths[0], second.widths[-1]):
        return None
    if first == second:
        return "same"
    truth = equal(first, second, limits=Limits(seconds=5)).truth
    return {True: "equal", False: None, None: "undecided"}[truth]


def main() -> int:
    """Print the table as Markdown."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TESTS
    rows: list[Row] = []
    refused: list[str] = []
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)
    for path in paths:
        try:
            for mode, network, notes in read(path):
                rows.append((f"{path.name} {mode}".strip(), network, notes))
        except RelusymError as error:
            refused.append(f"| {path.name} | refused | {str(error).removeprefix(f'{path}: ')} |  |")
    print("| file, and how it is read | widths | what it holds | equal to |\n|---|---|---|---|")
    for name, network, notes in rows:
        related = [(other, relation(network, second)) for other, second, _ in rows if other != name]
        shown = "; ".join(f"{kind}: {other}" for other, kind in related if kind)
        held = "; ".join(
            f"{key}: {notes[key]}" for key in ("normalisation", "final Relu", "batch", "inputs") if key in notes
        )
        print(f"| {name} | {'-'.join(map(str, network.widths))} | {held} | {shown} |", flush=True)
    print(*refused, sep="\n")
    print(f"\n{len(paths)} files, {len(refused)} refused", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
