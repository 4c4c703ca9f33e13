"""A file appears whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relusym.errors import FormatError
from relusym.io.atomic import atomic_write


def test_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with atomic_write(path) as stream:
        stream.write(b"1")
    (tmp_path / "plain").write_bytes(b"")
    assert path.read_bytes() == b"1"
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(os.listdir(tmp_path)) == ["a.json", "plain"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_an_exception_leaves_the_old_file(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with atomic_write(path) as stream:
            stream.write(b"half of the new")
            raise error

    with pytest.raises(error):
        interrupted()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_replacing_keeps_permissions_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "a.json", tmp_path / "link.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    with atomic_write(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_directly() -> None:
    with atomic_write("/dev/null") as stream:
        stream.write(b"gone")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    ("name", "message"),
    [(".", "is a folder"), ("no/such/a.json", "no such file"), ("a\0.json", "no possible file name")],
)
def test_impossible_places(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(FormatError, match=message), atomic_write(os.path.join(tmp_path, name)):
        pass
