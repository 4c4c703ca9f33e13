"""What importing costs: the heavy libraries are loaded on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import relusym
from relusym import errors, limits

HEAVY = ("sympy", "numpy", "flint", "click", "onnx", "sklearn", "mpmath")


def loaded_after(code: str) -> list[str]:
    program = f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import relusym", set()),
        ("import relusym; dir(relusym); relusym.RelusymError; relusym.Limits(seconds=1); relusym.Decision", set()),
        ("import relusym.decision.check", set()),
        ("import relusym.cli", {"click"}),
        (
            "from relusym import Network, equal; assert equal(*[Network.shallow([1], [[1]], [0], 0)] * 2)",
            {"flint", "numpy"},
        ),
    ],
)
def test_heavy_libraries_load_on_first_use(code: str, allowed: set[str]) -> None:
    assert set(loaded_after(code)) <= allowed


def test_every_public_name_is_there_and_documented() -> None:
    for name in relusym.__all__:
        value = getattr(relusym, name)
        assert name in dir(relusym)
        assert name.startswith("__") or value.__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = relusym.nothing


def test_every_error_is_a_relusym_error_and_keeps_its_kind_at_a_place() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len(kinds) > 6
    for kind in [*kinds, limits.LimitReached]:
        assert issubclass(kind, relusym.RelusymError)
        assert issubclass(kind, ValueError)
        moved = kind("what").at("where")
        assert (type(moved), str(moved)) == (kind, "where: what")
    partial = relusym.Undecided("what", lower=1, upper=2, partial=[3]).at("where")
    assert (partial.lower, partial.upper, partial.partial) == (1, 2, [3])


@pytest.mark.parametrize("value", [-1, float("nan"), "2", (1,)])
def test_limits_are_validated(value: object) -> None:
    for name in ("seconds", "memory", "items", "field_degree"):
        with pytest.raises(relusym.RelusymError, match=name):
            relusym.Limits(**{name: value})  # type: ignore[arg-type]
