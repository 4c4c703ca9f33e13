"""What every command shares: options, loading with notes, progress, output."""

from __future__ import annotations

import functools
import json
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from relusym.errors import RelusymError
from relusym.limits import MAX_FIELD_DEGREE, Budget, Limits

YES, NO, ERROR, UNDECIDED = 0, 1, 2, 3
_LOOK_SECONDS = 0.1
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}


class _Bytes(click.ParamType[int]):
    """A number of bytes: 500000000, 500M, 2GiB."""

    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes that the text names."""
        match = re.fullmatch(r"([0-9]{1,18})\s*([KMG]I?)?B?", str(value).upper())
        if match is None:
            self.fail(f"{value!r} is no number of bytes such as 500M or 2GiB", param, ctx)
        return int(match[1]) * _UNITS[match[2] or ""]


class Reading(NamedTuple):
    """How files are read, and whether the answer is printed as JSON."""

    numbers: str
    normalize: bool
    as_json: bool
    field_degree: int
    tensors: tuple[str, ...]
    carry_skips: bool

    def load(self, source: str) -> Loaded:
        """Load a network, with where it came from and how it was read."""
        options: dict[str, Any] = {"numbers": self.numbers, "normalize": self.normalize}
        if source.lower().endswith(".onnx"):
            options |= {"output": self.tensors} if self.tensors else {}
            options |= {"skips": "carry"} if self.carry_skips else {}
        if self.field_degree != MAX_FIELD_DEGREE:
            options["limits"] = Limits(field_degree=self.field_degree)
        return Loaded(source, **options)


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how files are read; the command takes them as ``read``."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    @click.option(
        "--numbers",
        type=click.Choice(["decimal", "float32", "float64"]),
        default="decimal",
        help="How decimal text in .nnet files is read.",
    )
    @click.option("--normalize", is_flag=True, help="Apply the normalisation that a .nnet file holds.")
    @click.option(
        "--tensor", "tensors", multiple=True, help="Read an .onnx file up to this tensor, before a Sigmoid say."
    )
    @click.option("--carry-skips", is_flag=True, help="Carry skips of an .onnx file past a ReLU by σ(t) − σ(−t) = t.")
    @click.option(
        "--field-degree",
        type=click.IntRange(min=1),
        default=MAX_FIELD_DEGREE,
        help="The largest degree of a number field that is accepted (64).",
    )
    @functools.wraps(command)
    def with_reading(**options: Any) -> Any:
        read = Reading(**{name: options.pop(name) for name in Reading._fields})
        return command(read=read, **options)

    return with_reading


def limited(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that bound a computation; the command takes them as ``limits``."""

    @click.option("--time", "seconds", type=click.FloatRange(min=0), help="Seconds that the computation may take.")
    @click.option("--memory", type=_Bytes(), help="Bytes that the process may hold, such as 2G.")
    @functools.wraps(command)
    def with_limits(*, seconds: float | None, memory: int | None, **rest: Any) -> Any:
        return command(limits=Limits(seconds=seconds, memory=memory), **rest)

    return with_limits


def bounded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the same options to a command that has no partial answer: an alarm ends it when a limit is reached."""

    @functools.wraps(command)
    def with_alarm(*, limits: Limits, **rest: Any) -> Any:
        with _alarm(limits):
            return command(**rest)

    return limited(with_alarm)


@contextmanager
def _alarm(limits: Limits) -> Iterator[None]:
    """Raise :class:`LimitReached` in the main thread when time or memory has run out."""
    if limits.seconds is None and limits.memory is None:
        yield
        return
    budget = Budget(limits)
    before = signal.signal(signal.SIGALRM, lambda *_: budget.tick())
    signal.setitimer(signal.ITIMER_REAL, _LOOK_SECONDS, _LOOK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Loaded:
    """A network with where it came from and how it was read."""

    def __init__(self, source: str, **options: Any) -> None:
        from relusym.io import load_with_notes

        self.source = source
        self.network, self.notes = load_with_notes(source, **options)

    def told(self, name: str) -> str | None:
        """Return a line on the choices that were made in reading decimal text; None where there were none."""
        if not self.source.lower().endswith(".nnet"):
            return None
        return f"{name}: {self.source}: {self.notes['numbers']}; normalisation {self.notes['normalisation']}"

    def described(self) -> dict[str, Any]:
        """Return the source, the widths and the notes on reading as a JSON object."""
        return {"source": self.source, "widths": list(self.network.widths), "read": dict(self.notes)}


class TerminalProgress:
    """A line on standard error that is rewritten while a long computation runs; silent where that is no terminal."""

    def __init__(self) -> None:
        self._active = sys.stderr.isatty()
        self._shown = False
        self._next = time.monotonic() + 1

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Show how far the work has come, at most five times a second."""
        if self._active and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.2
            self._shown = True
            print(f"\r\033[K{what}: {done}{'' if total is None else f' of {total}'}", end="", file=sys.stderr)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr)


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def status_of(truth: bool | None) -> int:
    """Return the exit status of an answer."""
    return UNDECIDED if truth is None else YES if truth else NO


def write_json(path: str, data: Mapping[str, Any]) -> None:
    """Write a JSON object to a file, whole or not at all."""
    from relusym.io import atomic_write

    with atomic_write(path) as stream:
        stream.write(json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")


def read_json(path: str) -> Any:
    """Return the JSON value in a file; numbers keep all their digits."""
    from relusym.io.files import display_name, read_bytes
    from relusym.io.json_files import parse_json

    try:
        return parse_json(read_bytes(path))
    except RelusymError as error:
        raise error.at(display_name(path)) from None


def read_domain(path: str) -> Any:
    """Return the domain in a JSON file; numbers are text or integers."""
    from relusym.io.files import display_name
    from relusym.io.json_files import exact_json

    return exact_json(read_json(path), f"{display_name(path)}: the domain")
