"""The commands stabilizer, fibre, generic, width and symmetry: answers, JSON, exit statuses, one-line errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relusym import Network, save
from relusym.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    save(Network.shallow([1, 2], [[1], [1]], [0, 1], 0), "generic.json")
    save(Network.shallow([1, -1] * 30, [[1]] * 60, range(60), 0), "many.json")
    save(Network([([[1]], [0]), ([[1]], [0]), ([[1]], [0])]), "deep.json")
    rows = [[(3**i) % 1009, (5**i) % 1013, (7**i) % 1019] for i in range(1, 91)]
    save(Network.shallow([i * i + 1 for i in range(90)], rows, range(90), 0), "hard.json")

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exit_:
            main(list(arguments))
        out, err = capsys.readouterr()
        return int(exit_.value.code or 0), out, err

    return run


def answer(run: Run, *arguments: str) -> tuple[int, Any]:
    status, out, err = run(*arguments, "--json")
    assert err == ""
    return status, json.loads(out)


def test_stabilizer(run: Run) -> None:
    status, found = answer(run, "stabilizer", "example:swapped")
    assert (status, found["order"], found["isomorphism_type"], found["pairs"]) == (0, 2, "S_2", [[0, 1, "1/2"]])
    assert found["generators"] == [{"permutation": [1, 0], "scale": ["2", "1/2"]}]
    _, found = answer(run, "stabilizer", "example:cancelling", "--first-layer")
    assert (found["order"], found["zero_neurons"]) == (2, [])
    _, out, _ = run("stabilizer", "example:triple")
    assert out.startswith("S_3, order 6\n")
    save(Network.shallow([0, 1], [[0], [1]], [0, 1], 0), "zero.json")
    assert answer(run, "stabilizer", "zero.json")[1]["order"] == "oo"
    assert run("stabilizer", "zero.json")[1].startswith("H_1, order infinite\nzero neurons: 0\n")


def test_fibre(run: Run) -> None:
    status, found = answer(run, "fibre", "example:theta1")
    assert (status, found["flips"], found["count"], found["complete"]) == (0, [[], [0, 1, 2]], 2, True)
    assert (found["single_orbit"], found["dimension"]) == (False, 3)
    _, found = answer(run, "fibre", "many.json", "--most", "5")
    assert (len(found["flips"]), found["count"], found["complete"]) == (5, 118264581564861424, False)
    _, found = answer(run, "fibre", "example:triple")
    assert (found["flips"], found["dimension"]) == (None, 5)
    assert "linearly dependent" in found["note"]
    assert "may be flipped together" in run("fibre", "example:theta1")[1]
    status, found = answer(run, "fibre", "hard.json", "--time", "0")
    assert (status, found["single_orbit"]) == (3, None)


def test_generic_and_its_certificate(run: Run) -> None:
    status, found = answer(run, "generic", "generic.json", "--open-set", "sharp")
    assert (status, found["generic"], found["witness"]) == (0, True, None)
    status, found = answer(run, "generic", "generic.json")
    assert (status, found["generic"], found["open_set"]) == (0, True, "U")
    status, found = answer(run, "generic", "example:theta1", "--certificate", "c.json")
    assert (status, found["generic"]) == (1, False)
    assert (found["witness"]["condition"], found["witness"]["beta"]) == ("V4", [1, 1, 1])
    status, checked = answer(run, "check", "c.json", "example:theta1")
    assert (status, checked["accepted"], checked["claim"]) == (0, True, "not generic")
    assert run("check", "c.json", "example:triple")[0] == 1
    assert run("check", "c.json", "example:theta1", "example:theta1")[0] == 1
    status, out, err = run("generic", "hard.json", "--time", "0")
    assert (status, err) == (3, "")
    assert out.startswith("undecided: ")
    status, _, err = run("generic", "hard.json", "--time", "0", "--certificate", "no.json")
    assert status == 2
    assert "no.json: not written, as nothing is proved" in err
    assert not Path("no.json").exists()


def test_width_and_its_certificate(run: Run) -> None:
    status, found = answer(run, "width", "example:triple", "--certificate", "c.json")
    assert (status, found["width"], found["lower"], found["upper"]) == (0, 1, 1, 1)
    assert run("check", "c.json", "example:triple")[0] == 0
    assert run("check", "c.json", "example:theta1")[0] == 1
    assert run("width", "example:theta1")[1].endswith("3 neurons are the fewest\n")


def test_symmetry(run: Run) -> None:
    status, found = answer(run, "symmetry", "example:theta1", "example:theta2")
    assert (status, found["flips"]) == (0, [0, 1, 2])
    assert found["symmetry"] == {"permutation": [0, 1, 2], "scale": ["1", "1", "1"]}
    status, found = answer(run, "symmetry", "example:weighted", "example:swapped")
    assert (status, found["symmetry"], found["flips"]) == (1, None, None)
    assert run("symmetry", "example:theta1", "example:theta1")[1].endswith("no flips\n")


@pytest.mark.parametrize("command", ["stabilizer", "fibre", "generic", "width"])
def test_a_deep_network_is_one_error(run: Run, command: str) -> None:
    status, out, err = run(command, "deep.json")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "one hidden layer; this one has 2" in err


def test_one_output_is_due_where_it_is(run: Run) -> None:
    save(Network.shallow([[1], [2]], [[1]], [0], [0, 0]), "two.json")
    status, out, err = run("minimal", "two.json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "the minimal form takes one output; this network has 2" in err
