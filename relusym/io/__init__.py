"""Reading and writing networks; the format goes by the suffix of the file.

=========  ==========================================================================================================
``.json``  every exact number, algebraic ones included
``.npz``   floats and integers of up to 64 bits, keys W0, b0, W1, b1, …
``.nnet``  decimal text; ``numbers=`` says how it is read, ``normalize=True`` applies the file's normalisation
``.onnx``  every graph that is a feed-forward ReLU network; needs the extra ``relusym[onnx]``
=========  ==========================================================================================================

``example:NAME`` names a built-in network. Nothing in a file is ever executed or unpickled, and what a file declares is
checked before memory is taken for it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from relusym.errors import FormatError, RelusymError
from relusym.exact.floats import check_numbers, shorten
from relusym.io.atomic import atomic_write
from relusym.io.files import display_name, read_bytes
from relusym.io.sklearn_models import from_sklearn
from relusym.limits import Limits
from relusym.parameters.network import Network

__all__ = ["SUFFIXES", "atomic_write", "from_sklearn", "load", "load_with_notes", "save"]

SUFFIXES: Final = (".json", ".npz", ".nnet", ".onnx")
_EXAMPLE: Final = "example:"
_ONNX_OPTIONS: Final = {"output", "skips", "batchnorm"}


def load(
    source: str | os.PathLike[str],
    *,
    numbers: str = "decimal",
    normalize: bool = False,
    limits: Limits | None = None,
    **options: Any,
) -> Network:
    """Load a network from a file, or a built-in one from ``example:NAME``.

    Parameters
    ----------
    source
        The path of a .json, .npz, .nnet or .onnx file, or ``"example:NAME"``.
    numbers
        How the decimal text of a .nnet file is read: ``"decimal"`` (as the fraction it is), ``"float32"`` or
        ``"float64"`` (rounded once). The other formats say themselves what their numbers are.
    normalize
        Apply a .nnet file's normalisation of inputs and outputs.
    limits
        ``Limits(field_degree=...)`` bounds the degree of the number field that holds all entries.
    options
        For .onnx only: ``output``, ``skips`` and ``batchnorm``, see :func:`relusym.io.onnx_reader.read_onnx`.

    Raises
    ------
    FormatError
        If the file cannot be read as a network; the message names the file and the place in it.
    ShapeError, FieldError
        If sizes do not fit, or an entry is no real algebraic number.
    MissingExtra
        If the format needs a package that is not installed.

    Examples
    --------
    >>> load("example:theta1").widths
    (2, 3, 1)
    """
    return load_with_notes(source, numbers=numbers, normalize=normalize, limits=limits, **options)[0]


def load_with_notes(
    source: str | os.PathLike[str],
    *,
    numbers: str = "decimal",
    normalize: bool = False,
    limits: Limits | None = None,
    **options: Any,
) -> tuple[Network, dict[str, str]]:
    """Load a network as :func:`load` does, and say how it was read.

    Returns
    -------
    The network, and notes: format, reading of numbers, normalisation, inputs, outputs, what was folded.
    """
    check_numbers(numbers)
    name = _name(source)
    if name.startswith(_EXAMPLE):
        return _example(name), {"format": "built-in example", "numbers": "exact"}
    path = Path(name)
    try:
        suffix = _suffix(path)
        if unknown := options.keys() - (_ONNX_OPTIONS if suffix == ".onnx" else set()):
            raise FormatError(f"the option {min(unknown)!r} is none of the format {suffix}")
        network, notes = _read(path, suffix, limits, numbers=numbers, normalize=normalize, options=options)
    except RelusymError as error:
        raise error.at(display_name(name)) from None
    return network, {**notes, "widths": " ".join(map(str, network.widths))}


def save(network: Network, path: str | os.PathLike[str], *, rounding: str | None = None) -> None:
    """Save a network in the format that the suffix names; what is written reads back equal.

    Only .nnet has no layers of width 0: such a layer is written as one dead unit (its weights and bias 0, and all
    weights behind it), so that what reads back is another network of the same function.

    The file appears whole or not at all: it is written beside its place and then renamed.

    Parameters
    ----------
    network
        The network.
    path
        A .json, .npz, .nnet or .onnx path.
    rounding
        For .npz and .onnx: ``"float32"`` or ``"float64"`` rounds each entry to the nearest such float. None refuses a
        network with an entry that the format does not hold exactly, and names the first one.

    Raises
    ------
    FormatError
        If the suffix is unknown or the file cannot be written.
    FieldError
        If an entry does not fit the format exactly and no rounding is asked for.
    """
    name = _name(path)
    if not isinstance(network, Network):
        raise FormatError(f"{display_name(name)}: a Network is due, to be saved; got {type(network).__name__}")
    try:
        suffix = _suffix(Path(name))
        if rounding is not None and suffix not in (".npz", ".onnx"):
            raise FormatError(f"the format {suffix} holds decimals and needs no rounding; .npz and .onnx take it")
        _write(network, name, suffix, rounding)
    except RelusymError as error:
        named = str(error).startswith(f"{display_name(name)}: ")
        raise (error if named else error.at(display_name(name))) from None


def _name(path: object) -> str:
    """Return the text of a path as it was given: pathlib would make ``.`` of nothing, and one slash of two."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise FormatError(f"the name of a file is due, as text or a path; got {type(path).__name__}")
    return os.fsdecode(path)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        shown = f"the suffix {shorten(path.suffix)}" if path.suffix else "a name without suffix"
        raise FormatError(f"{shown} names no format; accepted are {', '.join(SUFFIXES)}")
    return suffix


def _example(name: str) -> Network:
    from relusym.parameters.examples import example

    return example(name.removeprefix(_EXAMPLE))


def _read(
    path: Path, suffix: str, limits: Limits | None, *, numbers: str, normalize: bool, options: dict[str, Any]
) -> tuple[Network, dict[str, str]]:
    data = read_bytes(path)
    if suffix == ".json":
        from relusym.io.json_files import read_json

        return read_json(data, limits)
    if suffix == ".npz":
        from relusym.io.npz import read_npz

        reading = read_npz(data)
    elif suffix == ".nnet":
        from relusym.io.nnet import read_nnet

        reading = read_nnet(data, numbers=numbers, normalize=normalize)
    else:
        from relusym.io.onnx_reader import read_onnx

        reading = read_onnx(data, path.parent, **options)
    return Network(reading.layers, reading.inputs, limits=limits), dict(reading.notes)


def _write(network: Network, name: str, suffix: str, rounding: str | None) -> None:
    with atomic_write(name) as stream:
        if suffix == ".json":
            from relusym.io.json_files import write_json

            write_json(network, stream)
        elif suffix == ".npz":
            from relusym.io.npz import write_npz

            write_npz(network, stream, rounding)
        elif suffix == ".nnet":
            from relusym.io.nnet import write_nnet

            write_nnet(network, stream)
        else:
            from relusym.io.onnx_writer import write_onnx

            write_onnx(network, stream, rounding)
