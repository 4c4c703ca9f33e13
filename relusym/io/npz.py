"""NumPy's .npz: arrays W0, b0, W1, b1, … read as plain bytes behind a checked header, never unpickled.

The archive is opened with the standard library's zipfile, each array's header with NumPy's own parser, and the entries
are taken as they lie in the file. So an object array is refused without being looked into, and what a header declares
is compared with the bytes that are there before memory is taken.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from relusym.errors import FormatError, RelusymError, ShapeError
from relusym.exact.floats import check_array, shorten
from relusym.io.entries import layer_arrays
from relusym.io.files import Reading, complaint
from relusym.parameters.network import Network

_ACCEPTED: Final = (
    "accepted are W0, b0, W1, b1, … (weights of shape outputs x inputs), or scikit-learn's coefs_0, intercepts_0, … "
    "(coefs of shape inputs x outputs)"
)
_KEY: Final = re.compile(r"(W|b|coefs_|intercepts_)(0|[1-9][0-9]{0,5})", re.ASCII)
_MAX_BYTES: Final = 2**30
_BOMB_BYTES: Final = 2**26
_BOMB_RATIO: Final = 200


def read_npz(data: bytes) -> Reading:
    """Read the arrays of a network.

    Accepted are the keys ``W0, b0, W1, b1, …`` with weights of shape (outputs, inputs) and biases of shape (outputs,);
    or scikit-learn's lists, with weights of shape (inputs, outputs), as ``coefs_0, intercepts_0, …`` or, where all
    layers have one shape, as the stacked arrays ``coefs_`` and ``intercepts_``. Floats of 16, 32 and 64 bits and
    integers count as the numbers they hold.

    Raises
    ------
    FormatError
        If the file is no .npz, damaged, or grows suspiciously when it is unpacked; if an array holds Python objects; if
        keys are missing or unknown.
    ShapeError
        If an array has not the dimensions of a weight or a bias.
    FieldError
        If an entry is NaN or infinite.
    """
    arrays = _read_arrays(data)
    layers = _stacked(arrays) if {"coefs_", "intercepts_"} & arrays.keys() else _numbered(arrays)
    types = sorted({str(array.dtype) for layer in layers for array in layer})
    return Reading(
        layers, layers[0][0].shape[1], {"format": "NumPy .npz", "numbers": f"{' and '.join(types)}, as stored"}
    )


def write_npz(network: Network, stream: BinaryIO, rounding: str | None = None) -> None:
    """Write arrays W0, b0, W1, b1, …, float32 or float64, whichever holds every entry exactly.

    Parameters
    ----------
    rounding
        ``"float32"`` or ``"float64"``: round every entry to the nearest such float; None: refuse where it is not exact.

    Raises
    ------
    FieldError
        If some entry is no float of 64 bits and no rounding is asked for; the message names the first one.
    """
    arrays: dict[str, NDArray[Any]] = {}
    for number, (weight, bias) in enumerate(layer_arrays(network, rounding)):
        arrays[f"W{number}"] = weight
        arrays[f"b{number}"] = bias
    np.savez(stream, allow_pickle=False, **arrays)


def _read_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    for name, content in _unpacked(data):
        key = name.removesuffix(".npy")
        array = _read_array(content, shorten(key))
        if key in arrays or not _is_known(key):
            raise FormatError(f"{'repeated' if key in arrays else 'unknown'} array {shorten(key)}; {_ACCEPTED}")
        arrays[key] = array
    return arrays


def _unpacked(data: bytes) -> list[tuple[str, bytes]]:
    """Return the members of a zip archive, after a look at the sizes that they declare."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _check_sizes(members, len(data))
            # zipfile never unpacks more than the declared size, and compares the checksum
            return [(member.filename, archive.read(member)) for member in members]
    except FormatError:
        raise
    except Exception as error:  # damaged archives make zipfile raise nearly anything
        raise FormatError(f"no .npz archive, or a damaged one: {complaint(error)}") from None


def _check_sizes(members: list[zipfile.ZipInfo], packed: int) -> None:
    total = sum(member.file_size for member in members)
    if total > _MAX_BYTES or (total > _BOMB_BYTES and total > _BOMB_RATIO * packed):
        raise FormatError(f"{packed} bytes would unpack to {total}: refused (limit {_MAX_BYTES}, ratio {_BOMB_RATIO})")
    if not members:
        raise FormatError(f"the archive is empty; {_ACCEPTED}")


def _is_known(key: str) -> bool:
    return _KEY.fullmatch(key) is not None or key in ("coefs_", "intercepts_")


def _read_array(data: bytes, key: str) -> NDArray[Any]:
    """Read one .npy member; its header is compared with the bytes that follow it."""
    content = io.BytesIO(data)
    shape, fortran, dtype = _header(content, key)
    if dtype.hasobject:
        raise FormatError(f"{key} holds pickled Python objects, which are never loaded; {_ACCEPTED}")
    entries = math.prod(shape)
    body = content.getbuffer()[content.tell() :]
    try:
        check_array(np.empty(0, dtype))
        if min(shape, default=0) < 0 or entries * dtype.itemsize != len(body):
            raise ShapeError(f"{entries} entries of {dtype.itemsize} bytes are declared, but {len(body)} bytes follow")
        array = np.frombuffer(body, dtype=dtype).reshape(shape, order="F" if fortran else "C")
        check_array(array)
    except RelusymError as error:
        raise error.at(key) from None
    native = array.astype(
        np.float32 if dtype.itemsize == 2 and dtype.kind == "f" else dtype.newbyteorder("="), order="C"
    )
    native.setflags(write=False)  # what nobody else writes to need not be copied
    return native


def _header(content: io.BytesIO, key: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Parse a .npy header with NumPy's parser, which evaluates literals only."""
    try:
        version = npy.read_magic(content)
        if version == (1, 0):
            return npy.read_array_header_1_0(content)
        if version == (2, 0):
            return npy.read_array_header_2_0(content)
    except Exception as error:  # a hostile header makes the literal parser raise nearly anything
        raise FormatError(f"{key} has no readable header: {complaint(error)}") from None
    raise FormatError(f"{key} has a header of version {version}; 1.0 and 2.0 are read")


def _numbered(arrays: dict[str, NDArray[Any]]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    weight_key, bias_key = ("coefs_", "intercepts_") if "coefs_0" in arrays else ("W", "b")
    depth = len(arrays) // 2
    due = [key for number in range(max(depth, 1)) for key in (f"{weight_key}{number}", f"{bias_key}{number}")]
    missing = [key for key in due if key not in arrays]
    if missing or len(arrays) != len(due):
        found = ", ".join(sorted(arrays)[:8])
        raise FormatError(f"{missing[0] if missing else 'a partner'} is missing among {found}; {_ACCEPTED}")
    layers = []
    for number in range(depth):
        weight, bias = arrays[f"{weight_key}{number}"], arrays[f"{bias_key}{number}"]
        _check_dimensions(weight, 2, f"{weight_key}{number}")
        _check_dimensions(bias, 1, f"{bias_key}{number}")
        layers.append((np.ascontiguousarray(weight.T) if weight_key == "coefs_" else weight, bias))
    return layers


def _stacked(arrays: dict[str, NDArray[Any]]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    if arrays.keys() != {"coefs_", "intercepts_"}:
        raise FormatError(f"coefs_ and intercepts_ must be the only arrays; {_ACCEPTED}")
    coefs, intercepts = arrays["coefs_"], arrays["intercepts_"]
    _check_dimensions(coefs, 3, "coefs_")
    _check_dimensions(intercepts, 2, "intercepts_")
    if len(coefs) != len(intercepts) or not len(coefs):
        raise ShapeError(f"coefs_ holds {len(coefs)} layers, intercepts_ {len(intercepts)}; one bias a layer is needed")
    return [(np.ascontiguousarray(weight.T), bias) for weight, bias in zip(coefs, intercepts, strict=True)]


def _check_dimensions(array: NDArray[Any], dimensions: int, key: str) -> None:
    if array.ndim != dimensions:
        raise ShapeError(f"{key} has shape {array.shape}; {dimensions} dimensions are needed")
