"""Independent systems, run as the programs that they are.

Where one is not installed its tests are skipped on a user's machine, and fail under CI (environment variable CI).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

import pytest

Run = Callable[[str], str]


def _program(name: str, *arguments: str) -> Run:
    found = shutil.which(name)
    if found is None:
        message = f"{name} is not installed (Debian: singular, macaulay2)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return lambda script: _output([found, *arguments], script)


def _output(command: list[str], script: str) -> str:
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " ? " not in done.stdout, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def singular() -> Run:
    """Run a Singular script and return what it prints; an error in the script fails."""
    return _program("Singular", "-q", "--no-rc")


@pytest.fixture(scope="session")
def macaulay2() -> Run:
    """Run a Macaulay2 script and return what it prints."""
    return _program("M2", "--script", "/dev/stdin")
