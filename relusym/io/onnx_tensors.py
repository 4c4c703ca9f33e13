"""Constants of an ONNX file as arrays of the numbers that they hold; sizes are checked before anything is read."""

from __future__ import annotations

import math
import os
import re
import stat
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from relusym.errors import FormatError, ShapeError
from relusym.exact.floats import check_array, shorten
from relusym.io.exact_arrays import Array
from relusym.io.files import claim, reason


class _Type(NamedTuple):
    """How a type of ONNX lies in a file."""

    name: str
    raw: str
    field: str


_TYPES: Final = {
    1: _Type("FLOAT", "<f4", "float_data"),
    2: _Type("UINT8", "<u1", "int32_data"),
    3: _Type("INT8", "<i1", "int32_data"),
    4: _Type("UINT16", "<u2", "int32_data"),
    5: _Type("INT16", "<i2", "int32_data"),
    6: _Type("INT32", "<i4", "int32_data"),
    7: _Type("INT64", "<i8", "int64_data"),
    9: _Type("BOOL", "<u1", "int32_data"),
    10: _Type("FLOAT16", "<f2", "int32_data"),
    11: _Type("DOUBLE", "<f8", "double_data"),
    12: _Type("UINT32", "<u4", "uint64_data"),
    13: _Type("UINT64", "<u8", "uint64_data"),
    16: _Type("BFLOAT16", "<u2", "int32_data"),
}
FLOAT_TYPES: Final = {1: np.float32, 10: np.float32, 11: np.float64, 16: np.float32}
"""The types of real numbers, with the array type that holds them here."""
_FLOAT16: Final = 10
_BFLOAT16: Final = 16
_EXTERNAL: Final = 1
_NUMBER: Final = re.compile(r"[0-9]{1,18}", re.ASCII)


def read_tensor(tensor: Any, folder: Path) -> Array:
    """Return the array that a ``TensorProto`` holds.

    Parameters
    ----------
    tensor
        The message.
    folder
        The folder of the model; external data are read from files inside it only.

    Returns
    -------
    float32, float64 or an integer type; floats of 16 bits become float32, which holds them.

    Raises
    ------
    FormatError
        If the type holds no numbers, or external data are missing or lie outside the folder.
    ShapeError
        If there are not as many numbers as the shape declares.
    FieldError
        If a number is NaN or infinite.
    """
    try:
        return _read(tensor, folder)
    except (FormatError, ShapeError) as error:
        raise error.at(f"tensor {shorten(tensor.name)}") from None
    except ValueError as error:
        raise type(error)(f"tensor {shorten(tensor.name)}: {error}") from None


def _read(tensor: Any, folder: Path) -> Array:
    kind = _TYPES.get(tensor.data_type)
    if kind is None:
        known = ", ".join(entry.name for entry in _TYPES.values())
        raise FormatError(f"type {tensor.data_type} holds no exact numbers here; {known} are read")
    shape = tuple(tensor.dims)
    entries = math.prod(shape)
    if min(shape, default=0) < 0:
        raise ShapeError(f"the shape {shape} has a negative size")
    claim(entries, f"the shape {shape}"[:80])
    array = _stored(tensor, kind, entries, folder)
    if array.size != entries:
        raise ShapeError(f"the shape {shape} declares {entries} numbers, {array.size} are there")
    return check_array(_numbers(array, tensor.data_type).reshape(shape))


def _stored(tensor: Any, kind: _Type, entries: int, folder: Path) -> Array:
    """Return the stored words, without their meaning: 16-bit floats lie in integer fields."""
    if tensor.data_location == _EXTERNAL:
        return _words(_external_bytes(tensor, entries * np.dtype(kind.raw).itemsize, folder), kind)
    if tensor.HasField("raw_data"):
        return _words(tensor.raw_data, kind)
    values = getattr(tensor, kind.field)
    words = "<u2" if tensor.data_type == _FLOAT16 else kind.raw
    try:
        array = np.array(values, dtype=words)
    except (OverflowError, ValueError):
        raise FormatError(f"a number does not fit into the type {kind.name}") from None
    return array.view("<f2") if tensor.data_type == _FLOAT16 else array


def _words(data: bytes, kind: _Type) -> Array:
    itemsize = np.dtype(kind.raw).itemsize
    if len(data) % itemsize:
        raise ShapeError(f"{len(data)} bytes are no whole number of {kind.name}")
    return np.frombuffer(data, dtype=kind.raw)


def _numbers(array: Array, data_type: int) -> Array:
    if data_type == _BFLOAT16:
        return (array.astype("<u4") << 16).view("<f4").astype(np.float32)
    if data_type in FLOAT_TYPES:
        return array.astype(FLOAT_TYPES[data_type])
    return array.astype(array.dtype.newbyteorder("="))


def _external_bytes(tensor: Any, due: int, folder: Path) -> bytes:
    """Read external data from a regular file inside the model's folder, symbolic links resolved."""
    entries = {entry.key: os.fsdecode(entry.value) for entry in tensor.external_data}
    location = entries.get("location", "")
    if not location or "\0" in location:
        raise FormatError("external data name no file")
    home = Path(os.path.realpath(folder))
    path = Path(os.path.realpath(home / location))
    if os.path.isabs(location) or not path.is_relative_to(home):
        raise FormatError(f"external data {shorten(location)} lie outside the model's folder, where nothing is read")
    offset, length = _number(entries.get("offset", "0"), "offset"), _number(entries.get("length", str(due)), "length")
    if length != due:
        raise ShapeError(f"external data of {length} bytes are declared, the shape needs {due}")
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise FormatError(f"external data {shorten(location)} are no regular file")
        if offset + length > status.st_size:
            raise ShapeError(
                f"external data {shorten(location)} end after {status.st_size} bytes, {offset + length} are due"
            )
        with open(path, "rb") as stream:
            stream.seek(offset)
            return stream.read(length)
    except OSError as error:
        raise FormatError(f"external data {shorten(location)} cannot be read: {reason(error)}") from None


def _number(text: str, what: str) -> int:
    if _NUMBER.fullmatch(text) is None:
        raise FormatError(f"the {what} {shorten(text)} of external data is no size")
    return int(text)
