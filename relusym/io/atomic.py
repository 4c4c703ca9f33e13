"""Writing a file whole or not at all: a temporary file in the same folder, renamed when everything is on disk."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from relusym.errors import FormatError
from relusym.io.files import display_name, reason


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a binary file for writing; it replaces ``path`` when the block ends well, and leaves nothing otherwise.

    A symbolic link is followed, so that the link stays a link. A path that exists and is no regular file (a terminal,
    a pipe) cannot be renamed over: it is written to directly.

    Raises
    ------
    FormatError
        If the folder is missing, ``path`` is a folder, or the system refuses to write.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "answer.json")
    >>> with atomic_write(path) as stream:
    ...     _ = stream.write(b"42")
    >>> path.read_bytes()
    b'42'
    """
    name = display_name(path)
    if "\0" in os.fspath(path):
        raise FormatError(f"{name}: is no possible file name")
    target = Path(os.path.realpath(path))
    if os.path.isdir(target):  # False also where the system refuses the name: opening it says why
        raise FormatError(f"{name}: is a folder; the name of a file is needed")
    try:
        with _in_place(target) if _is_special(target) else _replacing(target) as stream:
            yield stream
    except OSError as error:
        raise FormatError(f"{name}: cannot be written: {reason(error)}") from None


def _is_special(target: Path) -> bool:
    return target.exists() and not stat.S_ISREG(target.stat().st_mode)


@contextmanager
def _in_place(target: Path) -> Iterator[BinaryIO]:
    with open(target, "wb") as stream:
        yield stream


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    """Write to a temporary neighbour of ``target``, then rename it; any exception, Ctrl-C included, removes it."""
    descriptor, temporary = tempfile.mkstemp(prefix=".relusym-", suffix=".tmp", dir=target.parent)
    try:
        with open(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _permissions(target))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _permissions(target: Path) -> int:
    """Return the permissions of the file that is replaced, or those that a new file would get."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
