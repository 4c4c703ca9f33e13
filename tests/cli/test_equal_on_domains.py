"""`relusym equal` on polyhedra, and how far apart two networks are."""

from __future__ import annotations

import json

import pytest

from relusym.cli import main

F = {
    "format": "relusym-network",
    "version": 1,
    "layers": [
        {"weight": [[1, 1], [1, -1]], "bias": [0, 0]},
        {"weight": [[1, 1]], "bias": ["-1/2"]},
        {"weight": [[1]], "bias": [0]},
    ],
}
G = {
    "format": "relusym-network",
    "version": 1,
    "layers": [{"weight": [[2, 0]], "bias": ["-1/2"]}, {"weight": [[1]], "bias": [0]}],
}


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "f": F,
        "g": G,
        "box": [[-1, 1], [-1, 1]],
        "cone": [[["-1", 1], 0], [[-1, -1], "0"]],
        "half": [[0, None]] * 2,
    }
    for name, data in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(data))

    def call(*arguments):
        with pytest.raises(SystemExit) as status:
            main(list(arguments))
        return status.value.code, capsys.readouterr()

    return call


def test_inequalities(run):
    code, out = run("equal", "f.json", "g.json", "--domain", "cone.json", "--certificate", "proof.json", "--explain")
    assert code == 0
    assert "on the polyhedron" in out.out
    assert run("check", "proof.json", "f.json", "g.json")[0] == 0
    assert run("check", "proof.json", "f.json", "f.json")[0] == 1


def test_how_far_apart(run):
    code, out = run("equal", "f.json", "g.json", "--domain", "box.json")
    assert code == 1
    assert "--max-difference" in out.err
    code, out = run("equal", "f.json", "g.json", "--domain", "box.json", "--max-difference")
    assert code == 1
    assert "greatest difference: 3/4 (about 0.75), output 0, at x = (1/4, 1)" in out.out
    code, out = run("equal", "f.json", "g.json", "--domain", "box.json", "--max-difference", "--json")
    assert code == 1
    assert json.loads(out.out)["max_difference"]["value"] == "3/4"
    code, out = run("equal", "f.json", "g.json", "--max-difference")
    assert code == 2
    assert "--domain" in out.err
    code, out = run("equal", "f.json", "g.json", "--domain", "half.json", "--max-difference")
    assert code == 2
    assert "not bounded" in out.err
