"""What every format shares: a file's printable name, its bytes within limits, and what a reader hands back."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from relusym.errors import FormatError, ShapeError
from relusym.exact.floats import shorten

MAX_FILE_BYTES: Final = 2**31
MAX_ENTRIES: Final = 2**27
"""How many entries one matrix may have: what a file declares is compared with this before memory is taken."""
_LONGEST_NAME: Final = 200
_ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]+")


@dataclass(frozen=True)
class Reading:
    """What a reader found in a file.

    Attributes
    ----------
    layers
        Pairs (weight, bias) as :class:`relusym.Network` takes them.
    inputs
        The number of inputs n_0.
    notes
        How the file was read, in lines for people: format, reading of numbers, normalisation, what was folded.
    """

    layers: list[tuple[Any, Any]]
    inputs: int
    notes: Mapping[str, str] = field(default_factory=dict)


def display_name(path: str | bytes | os.PathLike[str]) -> str:
    r"""Return a file's or a tensor's name as one printable line; a name that is no UTF-8 may come as bytes.

    Of a name beyond 200 characters the first and the last hundred are shown.

    Examples
    --------
    >>> display_name("a.nnet"), display_name("two\nlines.nnet")
    ('a.nnet', "'two\\nlines.nnet'")
    """
    name = os.fsdecode(path)
    if len(name) > _LONGEST_NAME:
        name = f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 :]}"
    return name if name.isprintable() and name else repr(name)


def reason(error: OSError) -> str:
    """Return the system's reason in lower case, without the file's name and number."""
    return (error.strerror or type(error).__name__).lower()


def complaint(error: Exception) -> str:
    """Return what another library says of damaged data, on one short line and without addresses in memory.

    Examples
    --------
    >>> complaint(ValueError("malformed: <ast.Call object at 0x7f00deadbeef>"))
    "'malformed: <ast.Call object>'"
    """
    return shorten(_ADDRESS.sub("", str(error)), 80)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a regular file that is not empty and not beyond the limit on size.

    Raises
    ------
    FormatError
        If there is no such file, it is a folder or a device, empty, too large, or the system refuses to read it.
        The message does not name the file: the caller does.
    """
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise FormatError("is a folder; a file is needed")
        if not stat.S_ISREG(status.st_mode):
            raise FormatError("is no regular file; a file on disk is needed")
        if status.st_size == 0:
            raise FormatError("the file is empty")
        if status.st_size > MAX_FILE_BYTES:
            raise FormatError(f"the file has {status.st_size} bytes, beyond the limit of {MAX_FILE_BYTES}")
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise FormatError("there is no such file") from None
    except OSError as error:
        raise FormatError(f"cannot be read: {reason(error)}") from None
    except ValueError as error:
        # os.stat refuses names with a null byte in this way.
        raise error if isinstance(error, FormatError) else FormatError("is no possible file name") from None


def claim(entries: int, what: str, limit: int = MAX_ENTRIES) -> int:
    """Return ``entries`` if that many may be held in memory, else raise :class:`ShapeError` naming ``what``."""
    if entries > limit:
        raise ShapeError(f"{what} would take {entries} entries, beyond the limit of {limit}")
    return entries
