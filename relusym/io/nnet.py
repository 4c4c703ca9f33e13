"""The text format .nnet: a header, then for each layer the rows of the weight and one bias a line.

The header as it is due, each line with an optional trailing comma::

    // comments
    layers, inputs, outputs, largest layer
    the layer sizes, inputs first
    a flag (unused)
    the inputs' minima
    the inputs' maxima
    the means of the inputs, and one of the outputs
    the ranges of the inputs, and one of the outputs

As files are found, the first line may hold the number of layers alone, and the last five may hold anything (single
zeros, a remark): they are looked into only where the caller asks for the normalisation. With it, the network is
applied to (x − mean) / range, and its outputs y become y · range + mean; the minima and maxima, to which some programs
clip the inputs, are never applied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, BinaryIO, Final

import numpy as np
from flint import fmpq

from relusym.errors import FieldError, FormatError, RelusymError, ShapeError
from relusym.exact.field import QQ
from relusym.exact.floats import check_numbers, dyadic, read_decimals, shorten
from relusym.exact.matrix import Matrix, make_matrix, rows_of
from relusym.exact.text import decimal_value
from relusym.io.entries import finite_decimal
from relusym.io.files import Reading, claim
from relusym.parameters.network import Layer, Network

_SIZE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_SPACES: Final = re.compile(r"[\s,]+")
_HEADER_LINES: Final = 5
_MOST_BITS: Final = 2**28
_LONG_BITS: Final = 2**13
_LARGEST: Final = "3.4028234663852886e38"

Line = tuple[int, str]


def read_nnet(data: bytes, *, numbers: str = "decimal", normalize: bool = False) -> Reading:
    """Read a .nnet file.

    Parameters
    ----------
    numbers
        How decimal text is read: as the fraction it is (``"decimal"``), or rounded to the nearest ``"float32"`` or
        ``"float64"``.
    normalize
        Apply the file's normalisation of inputs and outputs, exactly, after the numbers are read.

    Raises
    ------
    FormatError
        If the text is not of the format; the message names the line.
    ShapeError
        If a line has not as many numbers as the sizes in the header ask for.
    FieldError
        If a number is beyond the largest float.

    Examples
    --------
    >>> reading = read_nnet(b"1,1,1,1,\\n1,1,\\n0,\\n0,\\n0,\\n2.0,0.5,\\n4.0,1.0,\\n3.0,\\n0.25,\\n")
    >>> reading.layers
    [([[3]], [1/4])]
    """
    check_numbers(numbers)
    lines = _Lines(data)
    sizes = _read_sizes(lines)
    header = [lines.next("the header") for _ in range(_HEADER_LINES)]
    layers = [_read_layer(lines, number, sizes, numbers) for number in range(len(sizes) - 1)]
    lines.end()
    layers, normalisation = _normalisation(layers, header[3:], sizes, numbers, normalize)
    notes = {"format": ".nnet", "numbers": f"decimal text read as {numbers}", "normalisation": normalisation}
    return Reading(layers, sizes[0], notes)


def write_nnet(network: Network, stream: BinaryIO) -> None:
    """Write a .nnet file with finite decimals that are exact, and a normalisation that changes nothing.

    The format has no layers of width 0: each is written as one dead unit, whose weights and bias are 0 and which
    nothing behind it uses.

    Raises
    ------
    FieldError
        If an entry is no finite decimal; the message names the first one.
    """
    network = _without_empty_layers(network)
    sizes = network.widths
    inputs, outputs = sizes[0], sizes[-1]
    header: list[Sequence[object]] = [
        ["// written by relusym; every number is exact"],
        [len(sizes) - 1, inputs, outputs, max(sizes)],
        sizes,
        ["0"],
        [f"-{_LARGEST}"] * inputs,
        [_LARGEST] * inputs,
        ["0"] * (inputs + 1),
        ["1"] * (inputs + 1),
    ]
    for number, values in enumerate(header):
        stream.write((",".join(map(str, values)) + (",\n" if number else "\n")).encode("ascii"))
    for number, layer in enumerate(network.layers):
        for name, matrix in (("weight", layer.weight), ("bias", layer.bias)):
            for line in _decimal_lines(matrix, f"layer {number}, {name}"):
                stream.write(line.encode("ascii"))


def _without_empty_layers(network: Network) -> Network:
    """Return a network of the same function with a dead unit in each layer that has none."""
    if min(network.widths) > 0:
        return network
    return Network.from_layers([Layer(*map(_filled, layer)) for layer in network.layers], network.field)


def _filled(matrix: Matrix) -> Matrix:
    if matrix.nrows and matrix.ncols:
        return matrix
    rows, columns = max(matrix.nrows, 1), max(matrix.ncols, 1)
    return make_matrix(QQ, [[QQ.rational(0)] * columns] * rows, columns)


def _decimal_lines(matrix: Matrix, place: str) -> Iterator[str]:
    for i, row in enumerate(rows_of(matrix)):
        texts = []
        for j, entry in enumerate(row):
            try:
                texts.append(finite_decimal(matrix.field, entry))
            except FieldError as error:
                raise error.at(f"{place}, entry ({i}, {j})") from None
        yield ",".join(texts) + ",\n"


class _Lines:
    """The lines that are neither empty nor comments, each with its number in the file."""

    def __init__(self, data: bytes) -> None:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FormatError(f"no .nnet text: byte {error.start} is not UTF-8") from None
        self.size = len(text)
        self._bits_left = _MOST_BITS
        stripped = ((number, line.strip()) for number, line in enumerate(text.split("\n"), start=1))
        self._lines: Iterator[Line] = ((n, line) for n, line in stripped if line and not line.startswith("//"))

    def next(self, what: str) -> Line:
        line = next(self._lines, None)
        if line is None:
            raise FormatError(f"the file ends before {what}")
        return line

    def fractions(self, texts: list[str]) -> list[fmpq]:
        """Expand decimals, within a limit for the whole file: few characters can stand for many digits."""
        fractions = list(map(_fraction, texts))
        sizes = (int(q.p.bit_length() + q.q.bit_length()) for q in fractions)
        self._bits_left -= sum(size for size in sizes if size > _LONG_BITS)
        if self._bits_left < 0:
            raise FieldError(f"long numbers up to here take over {_MOST_BITS} bits; smaller exponents are accepted")
        return fractions

    def end(self) -> None:
        line = next(self._lines, None)
        if line is not None:
            raise ShapeError(f"line {line[0]}: {shorten(line[1])} follows the last bias; nothing more was expected")


def _fields(line: str) -> list[str]:
    """Split a line at commas and spaces; commas at the end count as nothing."""
    return [text for text in _SPACES.split(line) if text]


def _read_sizes(lines: _Lines) -> list[int]:
    number, first = lines.next("the number of layers")
    counts = _integers(number, first)
    if len(counts) not in (1, 4):
        raise FormatError(
            f"line {number}: 'layers, inputs, outputs, largest layer' or 'layers' is due; got {shorten(first)}"
        )
    number, second = lines.next("the layer sizes")
    sizes = _integers(number, second)
    if len(sizes) != counts[0] + 1 or counts[0] == 0:
        raise ShapeError(f"line {number}: {counts[0]} layers have {counts[0] + 1} sizes; got {len(sizes)}")
    if min(sizes) == 0:
        raise ShapeError(f"line {number}: a size is 0; positive sizes are due")
    if len(counts) == 4 and (counts[1], counts[2]) != (sizes[0], sizes[-1]):
        raise ShapeError(
            f"line {number}: the first line says {counts[1]} inputs and {counts[2]} outputs, the sizes "
            f"{sizes[0]} and {sizes[-1]}"
        )
    due = sum((inputs + 1) * outputs for inputs, outputs in pairwise(sizes))
    claim(due, f"line {number}: the layers")
    if due > lines.size:
        raise ShapeError(f"line {number}: the layers have {due} numbers, more than the file can hold")
    return sizes


def _integers(number: int, line: str) -> list[int]:
    fields = _fields(line)
    for text in fields:
        if _SIZE.fullmatch(text) is None:
            raise FormatError(f"line {number}: {shorten(text)} is no size; an integer is due")
    return [int(text) for text in fields]


def _read_layer(lines: _Lines, number: int, sizes: list[int], numbers: str) -> tuple[Any, Any]:
    inputs, outputs = sizes[number], sizes[number + 1]
    weight = [_row(lines, inputs, f"row {i} of weight {number}", numbers) for i in range(outputs)]
    bias = [_row(lines, 1, f"entry {i} of bias {number}", numbers)[0] for i in range(outputs)]
    return (weight, bias) if numbers == "decimal" else (np.stack(weight), np.array(bias))


def _row(lines: _Lines, size: int, what: str, numbers: str) -> Any:
    """Read one line of numbers: a list of fractions, or an array of floats."""
    number, line = lines.next(what)
    fields = _fields(line)
    if len(fields) != size:
        raise ShapeError(f"line {number}: {what} has {size} numbers; got {len(fields)}")
    try:
        texts = read_decimals(fields, numbers)
        return lines.fractions(texts) if isinstance(texts, list) else texts
    except RelusymError as error:
        raise error.at(f"line {number}, {what}") from None


def _normalisation(
    layers: list[tuple[Any, Any]], lines: Sequence[Line], sizes: list[int], numbers: str, normalize: bool
) -> tuple[list[tuple[Any, Any]], str]:
    """Return the layers and a note, with the normalisation folded into the first and the last layer if asked for."""
    due = sizes[0] + 1
    found = [len(_fields(line)) for _, line in lines]
    if found == [1, 1]:
        return layers, "none in the file (placeholders stand for the means and ranges)"
    surplus = (
        "" if found == [due, due] else f"; the file has {found[0]} means and {found[1]} ranges where {due} are due"
    )
    if not normalize:
        return layers, "not applied" + surplus
    means, ranges = (_normalisation_line(line, due, numbers) for line in lines)
    zero = next((i for i, value in enumerate(ranges) if value == 0), None)
    if zero is not None:
        raise FieldError(f"line {lines[1][0]}: the range {zero} is 0; the normalisation cannot be applied")
    if all(m == 0 for m in means) and all(r == 1 for r in ranges):
        return layers, "applied: the means are 0 and the ranges 1"
    first, last = layers[0], layers[-1]
    first = _normalise_inputs(*first, means[:-1], ranges[:-1])
    if len(layers) == 1:
        return [_normalise_outputs(*first, means[-1], ranges[-1])], "applied"
    return [first, *layers[1:-1], _normalise_outputs(*last, means[-1], ranges[-1])], "applied"


def _normalisation_line(line: Line, due: int, numbers: str) -> list[fmpq]:
    """Read means or ranges: of each input, and of the outputs; values beyond those must repeat the outputs'."""
    number, text = line
    fields = _fields(text)
    try:
        texts = read_decimals(fields, numbers)
        values = list(map(_fraction, texts)) if isinstance(texts, list) else [dyadic(x) for x in texts.tolist()]
    except RelusymError as error:
        raise error.at(f"line {number}") from None
    if len(values) < due or any(value != values[due - 1] for value in values[due:]):
        raise ShapeError(
            f"line {number}: {due} numbers are due (the inputs' and one for the outputs); got {len(values)}"
        )
    return values[:due]


def _exact(entry: Any) -> fmpq:
    """Return the rational number that an entry of a layer is."""
    return entry if isinstance(entry, fmpq) else dyadic(float(entry))


def _fraction(text: str) -> fmpq:
    """Return the fraction that decimal text, already checked, is."""
    size = decimal_value(text.lstrip("+-"))
    return -size if text.startswith("-") else size


def _normalise_inputs(
    weight: Any, bias: Any, means: Sequence[fmpq], ranges: Sequence[fmpq]
) -> tuple[list[list[fmpq]], list[fmpq]]:
    """Return W' and b' with W' x + b' = W ((x − mean) / range) + b."""
    rows = [[_exact(w) / r for w, r in zip(row, ranges, strict=True)] for row in weight]
    shift = [sum((w * m for w, m in zip(row, means, strict=True)), fmpq(0)) for row in rows]
    return rows, [_exact(b) - s for b, s in zip(bias, shift, strict=True)]


def _normalise_outputs(weight: Any, bias: Any, mean: fmpq, size: fmpq) -> tuple[list[list[fmpq]], list[fmpq]]:
    """Return W' and b' with W' y + b' = (W y + b) · range + mean."""
    return [[_exact(w) * size for w in row] for row in weight], [_exact(b) * size + mean for b in bias]
