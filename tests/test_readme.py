"""The README's code blocks run as they are printed."""

import doctest
import pathlib
import re
import subprocess
import sys

import pytest

README = (pathlib.Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.M | re.S)


def blocks(language: str) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S))


def test_python_session() -> None:
    test = doctest.DocTestParser().get_doctest(blocks("pycon"), {}, "README.md", "README.md", 0)
    assert len(test.examples) > 20
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("session", SESSIONS)
def test_console_session(session: str, tmp_path: pathlib.Path) -> None:
    parts = re.split(r"^\$ (.*)\n", session, flags=re.M)
    assert parts[0] == ""
    for command, expected in zip(parts[1::2], parts[2::2], strict=True):
        assert command.startswith("relusym ")
        arguments = [sys.executable, "-m", "relusym", *command.split()[1:]]
        done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == (expected, ""), command
