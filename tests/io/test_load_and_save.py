"""load and save: the suffix names the format, errors are one line that names the file, round trips are exact."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relusym.errors import FieldError, FormatError, RelusymError
from relusym.io import SUFFIXES, load, load_with_notes, save
from relusym.limits import Limits
from relusym.parameters.network import Network

FLOATS = Network(
    [
        (np.float32([[0.1, -2.5], [3, 1e-30]]), np.float32([0, 7])),
        (np.array([[1 / 3, 1e-3]]), np.array([0.1])),
    ]
)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(SUFFIXES, repeat=2)))
def test_convert_between_all_formats(tmp_path: Path, first: str, second: str) -> None:
    one, two = tmp_path / f"a{first}", tmp_path / f"b{second}"
    save(FLOATS, one)
    save(load(one), two)
    assert load(two) == FLOATS


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_network_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    one, two = tmp_path / f"a{suffix}", tmp_path / f"b{suffix.upper()}"
    save(FLOATS, one)
    save(load(one), two)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("suffix", [".json", ".npz", ".onnx"])
def test_layers_of_width_0_stay(tmp_path: Path, suffix: str) -> None:
    network = Network([([[1, 2]], [0]), ([], []), ([], []), ([[], []], [3, "1/2"])])
    save(network, tmp_path / f"a{suffix}")
    assert load(tmp_path / f"a{suffix}") == network


def test_the_degree_of_the_field_is_the_callers(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    network = Network.shallow([1, "sqrt(3)"], [[1], ["sqrt(2)"]], [0, 1], 3)
    save(network, path)
    assert load(path, limits=Limits(field_degree=4)) == network
    assert load_with_notes(path, limits=Limits(field_degree=4))[0] == network
    with pytest.raises(FieldError, match=r"a.json: layer ., weight.* degree 4; at most 3 is accepted"):
        load(path, limits=Limits(field_degree=3))
    save(Network.shallow([1], [["root(2, 70)"]], [0], 0, limits=Limits(field_degree=70)), path)
    with pytest.raises(FieldError, match="degree 70; at most 64 is accepted"):
        load(path)
    assert load(path, limits=Limits(field_degree=70)).field.degree == 70


def test_the_degree_of_a_batch_normalisation(build: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.onnx"
    nodes = [("BatchNormalization", ["x", "s", "z", "z", "v"], ["y"], {"epsilon": 0.0})]
    path.write_bytes(build(nodes, {"s": np.float32([1, 1]), "z": np.float32([0, 0]), "v": np.float32([2, 3])}))
    assert load(path, limits=Limits(field_degree=4)).field.degree == 4
    with pytest.raises(FieldError, match=r"a.onnx: layer 0, .* at most 2 is accepted"):
        load(path, limits=Limits(field_degree=2))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_takes_limits(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    save(FLOATS, path)
    assert load(path, limits=Limits(field_degree=1)) == FLOATS
    with pytest.raises(RelusymError, match=rf"a{suffix}: limits must be Limits\(...\) or None; got int"):
        load(path, limits=4)  # type: ignore[arg-type]


def test_examples() -> None:
    network, notes = load_with_notes("example:theta1")
    assert network.widths == (2, 3, 1)
    assert notes == {"format": "built-in example", "numbers": "exact"}
    with pytest.raises(FormatError, match="nothing"):
        load("example:nothing")


def test_names_of_other_kinds(tmp_path: Path) -> None:
    path = tmp_path / "é ü.json"
    save(FLOATS, os.fspath(path))
    assert load(path) == load(os.fspath(path)) == load(os.fsencode(path)) == FLOATS  # type: ignore[arg-type]
    save(FLOATS, os.fsencode(tmp_path / "ö.json"))  # type: ignore[arg-type]
    assert load(tmp_path / "ö.json") == FLOATS


@pytest.mark.parametrize("content", [None, b"", b"\x00", b"{}", b"[" * 100_000, b"PK\x03\x04", b"1\n1,1\n0\n"])
@pytest.mark.parametrize(
    "name", [f"a{suffix}" for suffix in SUFFIXES] + ["two\nlines.nnet", "a.txt", "nosuffix", ".json"]
)
def test_one_line_that_names_the_file(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RelusymError) as caught:
        load(path)
    message = str(caught.value)
    shown = os.fspath(path) if "\n" not in name else repr(os.fspath(path))
    assert message.startswith(f"{shown}: ")
    assert "\n" not in message
    assert len(message) < 500 + len(shown)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.nnet", "missing.nnet: there is no such file"),
        ("empty.npz", "empty.npz: the file is empty"),
        ("folder.onnx", "folder.onnx: is a folder; a file is needed"),
        ("a.txt", "'.txt' names no format; accepted are .json, .npz, .nnet, .onnx"),
        ("nosuffix", "a name without suffix names no format"),
        ("pipe.json", "is no regular file"),
        ("null\0.json", "no possible file name"),
        ("missing.json/a.json", "there is no such file"),
        ("empty.npz/a.json", "cannot be read: not a directory"),
    ],
)
def test_what_cannot_be_opened(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder.onnx").mkdir()
    (tmp_path / "empty.npz").touch()
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(FormatError) as caught:
        load(tmp_path / name)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("", "''"),
        ("http://x/y.json", "http://x/y.json"),
        ("a//b.json", "a//b.json"),
        ("x" * 5000 + ".json", "x" * 100 + "…" + "x" * 95 + ".json"),
        ("\n" * 5000, repr("\n" * 100 + "…" + "\n" * 100)),
        ("a." + "x" * 5000, "a." + "x" * 98 + "…" + "x" * 100),
    ],
)
def test_names_are_shown_as_given_and_not_at_length(name: str, shown: str) -> None:
    for act in (lambda: load(name), lambda: save(FLOATS, name)):
        with pytest.raises(FormatError) as caught:
            act()
        assert str(caught.value).startswith(f"{shown}: ")
        assert len(str(caught.value)) < len(shown) + 150


@pytest.mark.parametrize("name", [None, 5, ["a.json"]])
def test_what_is_no_name(name: Any) -> None:
    kind = type(name).__name__
    for act in (lambda: load(name), lambda: load_with_notes(name), lambda: save(FLOATS, name)):
        with pytest.raises(FormatError, match=f"^the name of a file is due, as text or a path; got {kind}$"):
            act()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_only_networks_are_saved(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    for thing in (5, None, [([[1]], [0])]):
        with pytest.raises(FormatError, match=rf"a{suffix}: a Network is due, to be saved; got {type(thing).__name__}"):
            save(thing, path)  # type: ignore[arg-type]
    assert not path.exists()


@pytest.mark.parametrize(
    ("options", "message"), [({"numbers": "double"}, "numbers must be"), ({"skips": "carry"}, "'skips'")]
)
def test_options(tmp_path: Path, options: Any, message: str) -> None:
    save(FLOATS, tmp_path / "a.json")
    with pytest.raises(FormatError, match=message):
        load(tmp_path / "a.json", **options)


@pytest.mark.parametrize("name", ["a.txt", "folder.json", "no/folder.json", "a.h5"])
def test_impossible_targets(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(FormatError) as caught:
        save(FLOATS, tmp_path / name)
    assert str(caught.value).count(os.fspath(tmp_path / name)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


@pytest.mark.parametrize("suffix", [".json", ".nnet"])
def test_rounding_is_for_floats(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(FormatError, match="needs no rounding"):
        save(FLOATS, tmp_path / f"a{suffix}", rounding="float32")


def test_what_does_not_fit_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.nnet"
    save(FLOATS, path)
    before = path.read_bytes()
    with pytest.raises(RelusymError, match=r"a.nnet: layer 1, bias, entry \(0, 0\): '1/3' is no finite decimal"):
        save(Network([([[1]], [0]), ([[1]], ["1/3"])]), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.nnet"]
