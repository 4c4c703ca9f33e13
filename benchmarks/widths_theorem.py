"""How often do random parameters reach the functional dimension D − N, and what holds back those that do not?

    python benchmarks/widths_theorem.py                      all three tables
    python benchmarks/widths_theorem.py table                shares of random parameters, and reasons
    python benchmarks/widths_theorem.py all                  for each architecture of depth 2 to 4 with widths 2 and 3:
                                                             the first seed that reaches D − N (an exact proof)
    python benchmarks/widths_theorem.py narrow               the same with widths 1 and 2, at least one of them 1
    options: --samples 100   --networks FOLDER (write each network of "table" as JSON)
             --confirm 1 (run `relusym dimension` on as many networks of each row, and compare)

D − N on an open set, as soon as inputs and hidden layers have at least two neurons, is Theorem 4.11 of *Most ReLU
Networks Admit Identifiable Parameters*. One parameter that reaches it proves it for its architecture, as the rank
cannot fall nearby. Network number s of a row is drawn with the seed "KIND WIDTHS s". Integers are drawn from −3 to 3,
rationals as p/q with |p| ≤ 9 and q ≤ 9, floats from the normal distribution (each is the dyadic number that it holds);
in the other tables integers from −9 to 9. A draw where some pre-activation is 0 at all of 32 points is drawn again.

With three hidden layers of one neuron in a row D − N is never reached: as a function of the pre-activation of the
first, the output of the third is constant, affine, constant at most, with at most two kinks. Two neurons in a row can
do the same, so that a third adds a parameter and no function.

Reasons are counted by network, and one can have several: what :func:`relusym.identify` says of its neurons, and the
infinitesimal symmetries beyond positive scaling, by kind.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from relusym import Network, functional_dimension, identify, save
from relusym.polyhedral.functional_dimension import FunctionalDimension

_FEW = 200

WIDE = ("2-2-2-1", "2-3-2-1", "3-3-3-1", "2-4-4-1", "2-2-2-2-1", "2-3-3-3-1", "2-2-2-2-2-1", "2-3-3-3-3-1")
NARROW = ("1-3-3-1", "2-1-3-1", "2-3-1-1", "2-1-1-1", "2-3-1-3-1", "2-1-1-1-1")

KINDS: dict[str, Callable[[random.Random], Any]] = {
    "integers": lambda draw: draw.randint(-3, 3),
    "rationals": lambda draw: Fraction(draw.randint(-9, 9), draw.randint(1, 9)),
    "floats": lambda draw: draw.gauss(0, 1),
    "larger integers": lambda draw: draw.randint(-9, 9),
}

CLAIMS = {
    "no_dead_neuron": "dead",
    "no_always_active_neuron": "always active",
    "no_duplicate_neuron": "multiples",
}
WORDS = {
    "wherever it would act": "weight without effect",
    "never reaches the outputs": "never reaches the output",
    "their weights trade": "neurons in step",
    "these can move together": "moves together",
}


def parsed(widths: str) -> tuple[int, ...]:
    return tuple(map(int, widths.split("-")))


def drawn(kind: str, widths: tuple[int, ...], number: int) -> Network:
    """Return a random network; the same for the same arguments, on every machine."""
    draw = random.Random(f"{kind} {'-'.join(map(str, widths))} {number}")
    entry = KINDS[kind]
    while True:
        layers = [
            ([[entry(draw) for _ in range(before)] for _ in range(after)], [entry(draw) for _ in range(after)])
            for before, after in pairwise(widths)
        ]
        if not _vanishes(layers, draw):
            return Network(layers)


def _vanishes(layers: list[Any], draw: random.Random) -> bool:
    """Return whether some pre-activation is 0 at each of 32 points."""
    return all(
        _is_on_a_wall(layers, [Fraction(draw.randint(-999, 999), 7) for _ in layers[0][0][0]]) for _ in range(32)
    )


def _is_on_a_wall(layers: list[Any], values: list[Fraction]) -> bool:
    for weight, bias in layers[:-1]:
        sums = [
            sum((Fraction(w) * v for w, v in zip(row, values, strict=True)), Fraction(end))
            for row, end in zip(weight, bias, strict=True)
        ]
        if 0 in sums:
            return True
        values = [max(value, Fraction(0)) for value in sums]
    return False


def reasons(network: Network) -> Iterator[str]:
    """Iterate over what holds a network back."""
    report = identify(network)
    known = [word for claim, word in CLAIMS.items() if report[claim].truth is False]
    yield from known
    if report["smooth"].truth is False:
        yield "not smooth"
    kinds = {
        kind
        for symmetry in report.functional_dimension.kernel()
        for words, kind in WORDS.items()
        if words in symmetry.words
    }
    yield from sorted(kinds)


def row(kind: str, widths: str, samples: int) -> tuple[list[Network], list[FunctionalDimension], Counter[str]]:
    networks = [drawn(kind, parsed(widths), number) for number in range(samples)]
    found = [functional_dimension(network) for network in networks]
    short = [network for network, dimension in zip(networks, found, strict=True) if not dimension.is_full]
    return networks, found, Counter(reason for network in short for reason in reasons(network))


def confirm(networks: list[Path], found: list[FunctionalDimension]) -> None:
    """Ask the command line for the same numbers."""
    for path, dimension in zip(networks, found, strict=True):
        command = [sys.executable, "-m", "relusym", "dimension", str(path), "--json"]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        said = (answer["functional_dimension"], answer["parameters"], answer["hidden"])
        assert said == (dimension.value, dimension.parameters, dimension.hidden), path


def table(options: argparse.Namespace) -> None:
    """How many of the random parameters reach D − N, and why the others do not."""
    print(f"{options.samples} networks a row\n")
    print("| widths | D − N | entries | reach it | least, median, most | of those that fall short | s |")
    print("|---|---|---|---|---|---|---|")
    confirmed = 0
    for widths in (*WIDE, *NARROW):
        for kind in ("integers", "rationals", "floats"):
            start = time.perf_counter()
            networks, found, why = row(kind, widths, options.samples)
            seconds = time.perf_counter() - start
            values = sorted(dimension.value for dimension in found)
            full = sum(dimension.is_full for dimension in found)
            told = ", ".join(f"{reason} {count}" for reason, count in why.most_common())
            spread = f"{values[0]}, {values[len(values) // 2]}, {values[-1]}"
            bound = found[0].parameters - found[0].hidden
            print(
                f"| {widths} | {bound} | {kind} | {full} of {options.samples} | {spread} | {told} | {seconds:.1f} |",
                flush=True,
            )
            paths = [options.networks / f"{widths}_{kind}_{number}.json" for number in range(options.samples)]
            for path, network in zip(paths, networks, strict=True):
                save(network, path)
            confirm(paths[: options.confirm], found[: options.confirm])
            confirmed += min(options.confirm, options.samples)
    print(f"\nrelusym dimension confirmed {confirmed} of them")


def first_seeds(choices: tuple[int, ...], wanted: Callable[[tuple[int, ...]], bool], most: int) -> None:
    """For each architecture, the first seed that reaches D − N."""
    print("| widths | D − N | first seed that reaches it | best of those before |\n|---|---|---|---|")
    reached, impossible, missed = 0, 0, []
    for depth in (2, 3, 4):
        for inner in product(choices, repeat=depth + 1):
            if not wanted(inner):
                continue
            widths, best, number = (*inner, 1), 0, 0
            never = _three_in_a_row(widths)
            tried = min(most, _FEW) if never else most
            found = functional_dimension(drawn("larger integers", widths, number))
            while not found.is_full and number + 1 < tried:
                best, number = max(best, found.value), number + 1
                found = functional_dimension(drawn("larger integers", widths, number))
            assert not (never and found.is_full)
            reached += found.is_full
            name = "-".join(map(str, widths))
            if not found.is_full:
                best = max(best, found.value)
                impossible += never
                missed += [] if never else [name]
            shown = number if found.is_full else f"never; none of {tried}" if never else f"none of {tried}"
            print(f"| {name} | {found.parameters - found.hidden} | {shown} | {best or ''} |", flush=True)
    print(f"\n{reached} architectures reach D − N; {impossible} cannot; open: {', '.join(missed) or 'none'}")


def _three_in_a_row(widths: tuple[int, ...]) -> bool:
    """Return whether three adjacent hidden layers have one neuron each."""
    return any(widths[layer : layer + 3] == (1, 1, 1) for layer in range(1, len(widths) - 3))


def everything(options: argparse.Namespace) -> None:
    """Widths 2 and 3."""
    first_seeds((2, 3), lambda inner: True, options.most)


def narrow(options: argparse.Namespace) -> None:
    """Widths 1 and 2, at least one 1."""
    first_seeds((1, 2), lambda inner: 1 in inner, options.most)


PARTS = {"table": table, "all": everything, "narrow": narrow}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=list(PARTS))
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--networks", type=Path)
    parser.add_argument("--confirm", type=int, default=1)
    parser.add_argument("--most", type=int, default=400, help="seeds for one architecture")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.networks is None:
            options.networks = Path(folder)
        options.networks.mkdir(parents=True, exist_ok=True)
        for part in options.parts:
            print(f"## {part}\n")
            PARTS[part](options)
            print()


if __name__ == "__main__":
    main()
