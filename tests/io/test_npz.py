"""NumPy archives: plain arrays as they are stored, and never a pickle."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from relusym.errors import FieldError, FormatError, RelusymError, ShapeError
from relusym.io import load, load_with_notes, save
from relusym.io.npz import read_npz, write_npz
from relusym.parameters.network import Network


def archive(**members: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **members)
    return stream.getvalue()


def network_of(content: bytes) -> Network:
    reading = read_npz(content)
    return Network(reading.layers, reading.inputs)


def as_bytes(network: Network, rounding: str | None = None) -> bytes:
    stream = io.BytesIO()
    write_npz(network, stream, rounding)
    return stream.getvalue()


def npy(header: str, body: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    """Return a .npz with one hand-made member W0."""
    text = header.encode("latin1")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as members:
        members.writestr("W0.npy", b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text + body)
    return stream.getvalue()


def finite(dtype: str) -> st.SearchStrategy[Any]:
    return arrays.arrays(dtype, (3, 2), elements={"allow_nan": False, "allow_infinity": False})


@given(st.sampled_from(["float32", "float64"]).flatmap(finite))
def test_round_trip_keeps_arrays(weight: np.ndarray) -> None:
    network = Network([(weight, weight[:, 0]), (weight.T, weight[0])])
    content = as_bytes(network)
    assert network_of(content) == network
    assert as_bytes(network) == content
    assert [array.dtype for layer in read_npz(content).layers for array in layer] == [weight.dtype] * 4


def test_rational_entries_that_are_floats() -> None:
    network = Network([([["1/2", 3]], ["-7/8"])])
    assert network_of(as_bytes(network)) == network


def test_the_first_inexact_entry_is_named() -> None:
    network = Network([([[1, "1/2"], ["1/4", "1/3"]], [0, 0])])
    with pytest.raises(FieldError, match=r"layer 0, weight, entry \(1, 1\): '1/3' is no 64-bit float"):
        as_bytes(network)
    rounded = network_of(as_bytes(network, "float32"))
    assert rounded == Network([(np.float32([[1, 0.5], [0.25, 1 / 3]]), np.zeros(2))])
    assert network_of(as_bytes(network, "float64")) == Network([([[1, "1/2"], ["1/4", 1 / 3]], [0, 0])])


def test_rounding_of_irrational_entries() -> None:
    network = Network([([["sqrt(2)", "-sqrt(2)/1024"]], [0])])
    root = float(np.sqrt(np.float64(2)))
    assert network_of(as_bytes(network, "float64")) == Network([([[root, -root / 1024]], [0.0])])
    with pytest.raises(FieldError, match="no 64-bit float"):
        as_bytes(network)


def test_rounding_beyond_the_largest() -> None:
    with pytest.raises(FieldError, match=r"entry \(0, 0\).*largest finite float32"):
        as_bytes(Network([(np.array([[1e39]]), np.zeros(1))]), "float32")


def test_unknown_rounding(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="'float32', 'float64'"):
        save(Network([([[1]], [0])]), tmp_path / "a.npz", rounding="int8")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("dtype", ["float16", ">f4", ">f8", "int8", "uint64", ">i2"])
def test_other_types_hold_numbers_too(dtype: str) -> None:
    content = archive(W0=np.array([[1, 2]], dtype), b0=np.array([3], dtype))
    assert network_of(content) == Network([([[1, 2]], [3])])


def test_fortran_order() -> None:
    weight = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert network_of(archive(W0=weight, b0=np.zeros(2))) == Network([(weight, np.zeros(2))])


def test_scikit_learn_lists() -> None:
    coefs, intercepts = [np.arange(6.0).reshape(2, 3), np.ones((3, 1))], [np.zeros(3), np.ones(1)]
    members = {f"coefs_{i}": w for i, w in enumerate(coefs)} | {f"intercepts_{i}": b for i, b in enumerate(intercepts)}
    expected = Network([(w.T, b) for w, b in zip(coefs, intercepts, strict=True)])
    assert network_of(archive(**members)) == expected
    square = np.arange(8.0).reshape(2, 2, 2)
    stacked = archive(coefs_=square, intercepts_=np.ones((2, 2)))
    assert network_of(stacked) == Network([(w.T, np.ones(2)) for w in square])


def test_width_zero() -> None:
    network = Network([(np.zeros((0, 2)), np.zeros(0)), (np.zeros((1, 0)), np.ones(1))])
    assert network_of(as_bytes(network)).widths == (2, 0, 1)


def test_compressed(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", W0=np.eye(2), b0=np.zeros(2))
    assert load(tmp_path / "a.npz") == Network([(np.eye(2), np.zeros(2))])
    assert load_with_notes(tmp_path / "a.npz")[1] == {
        "format": "NumPy .npz",
        "numbers": "float64, as stored",
        "widths": "2 2",
    }


class Trap:
    """A pickle that would call a function when it is loaded."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_spring, ())


def _spring() -> None:
    raise AssertionError("a pickle was loaded")


def test_pickles_are_not_loaded() -> None:
    trap = np.empty((), dtype=object)
    trap[()] = Trap()
    with pytest.raises(FormatError, match="'W0' holds pickled Python objects, which are never loaded"):
        read_npz(archive(W0=trap, b0=np.zeros(1)))
    with pytest.raises(FormatError, match="no readable header"):
        read_npz(_zip({"W0.npy": pickle.dumps(Trap())}))


def _zip(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return stream.getvalue()


def test_zip_bombs() -> None:
    bomb = _zip({f"W{i}.npy": bytes(2**25) for i in range(4)}, zipfile.ZIP_DEFLATED)
    with pytest.raises(FormatError, match="would unpack to 134217728"):
        read_npz(bomb)
    # A member that says it is small: zipfile stops reading at the size that is declared.
    lying = bomb.replace((2**25).to_bytes(4, "little"), (128).to_bytes(4, "little"))
    with pytest.raises(FormatError):
        read_npz(lying)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK", "no .npz archive"),
        (b"\x93NUMPY\x01\x00", "no .npz archive"),
        (archive(W0=np.eye(2), b0=np.zeros(2))[:-30], "no .npz archive, or a damaged one"),
        (archive(), "empty"),
        (archive(W0=np.eye(2)), "b0 is missing"),
        (archive(W0=np.eye(2), b1=np.zeros(2)), "b0 is missing"),
        (archive(W0=np.eye(2), b0=np.zeros(2), W1=np.eye(2)), "a partner is missing"),
        (archive(weights=np.eye(2)), "unknown array 'weights'"),
        (archive(coefs_=np.zeros((1, 1, 1)), W0=np.eye(2)), "only arrays"),
        (archive(W0=np.array([["1"]]), b0=np.zeros(1)), "'W0': an array of type <U1 holds no exact numbers"),
        (archive(W0=np.array([[1j]]), b0=np.zeros(1)), "'W0': an array of type complex128"),
        (archive(W0=np.eye(1, dtype=bool), b0=np.zeros(1)), "'W0': an array of type bool"),
        (_zip({"W0.npy": b""}), "'W0' has no readable header"),
        (
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,)}"),
            "1099511627776 entries of 8 bytes are declared",
        ),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}"), "are declared"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}", bytes(24)), "but 24 bytes follow"),
        (npy("{'descr': '|V0', 'fortran_order': False, 'shape': (9,)}"), "holds no exact numbers"),
        (npy("(" * 3000), "no readable header"),
        (npy("__import__('os').abort()"), "no readable header"),
        (npy("{}", version=b"\x09\x00"), "no readable header|version"),
        (_zip({"W0.npy": b"", "../../W0.npy": b""}), "no readable header"),
    ],
)
def test_refused_in_one_line(content: bytes, message: str) -> None:
    with pytest.raises(RelusymError, match=message) as caught:
        read_npz(content)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("header", ["__import__('os').abort()", "{'descr': f(), 'shape': (1,)}", "[lambda: 0]"])
def test_messages_hold_no_addresses(header: str) -> None:
    """What a hostile header makes Python's parser say differs from one process to the next."""
    with pytest.raises(FormatError, match="'W0' has no readable header: ") as caught:
        read_npz(npy(header))
    assert "0x" not in str(caught.value)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_repeated_member() -> None:
    stream = io.BytesIO(archive(W0=np.eye(2), b0=np.zeros(2)))
    with zipfile.ZipFile(stream, "a") as members:
        members.writestr("b0.npy", members.read("b0.npy"))
    with pytest.raises(FormatError, match="repeated array 'b0'"):
        read_npz(stream.getvalue())


@pytest.mark.parametrize(
    ("weight", "bias"), [(np.zeros(2), np.zeros(2)), (np.eye(2), np.zeros((2, 1))), (np.zeros((1, 2, 2)), np.zeros(2))]
)
def test_dimensions(weight: np.ndarray, bias: np.ndarray) -> None:
    with pytest.raises(ShapeError, match="dimensions are needed"):
        read_npz(archive(W0=weight, b0=bias))


def test_sizes_that_do_not_chain(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(archive(W0=np.eye(2), b0=np.zeros(2), W1=np.eye(3), b1=np.zeros(3)))
    with pytest.raises(ShapeError, match=r"a.npz: layer 1"):
        load(path)


def test_not_a_number_is_named() -> None:
    with pytest.raises(FieldError, match=r"'b0': entry 1 is nan"):
        read_npz(archive(W0=np.eye(2), b0=np.array([0, np.nan])))
