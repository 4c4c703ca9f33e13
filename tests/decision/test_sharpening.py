"""Signs by exact linear programs: more goes, and what goes is proved."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Network, check, equal
from relusym.decision.compression import compression

HIDDEN = ([[1], [1]], [0, "-1/2"])


def test_a_neuron_that_intervals_do_not_show_to_be_active():
    f = Network([HIDDEN, ([[1, -1]], ["1/4"]), ([[1]], [0])])
    g = Network([HIDDEN, ([[1, -1]], ["1/4"])])
    box = [(-1, 1)]
    assert equal(f, g, domain=box).certificate["kind"] == "tree"
    decision = equal(f, g, domain=box, sharpen=True)
    assert decision.verdict == "equal"
    assert any("multipliers" in unit for unit in decision.certificate["units"])
    assert check(decision.certificate, f, g)
    assert compression(f, domain=box).network.widths == (1, 2, 1, 1)
    assert compression(f, domain=box, sharpen=True).network.widths == (1, 2, 1)


def test_a_neuron_that_intervals_do_not_show_to_be_inactive():
    f = Network([HIDDEN, ([[-1, 1], [1, 0]], ["-1/4", 0]), ([[5, 1]], [0])])
    g = Network([([[1]], [0]), ([[1]], [0])])
    assert equal(f, g, domain=[(-1, 1)]).certificate["kind"] == "tree"
    decision = equal(f, g, domain=[(-1, 1)], sharpen=True)
    assert decision.verdict == "equal"
    assert check(decision.certificate, f, g)
    assert not check({**decision.certificate, "domain": [["-4", "1"]]}, f, g)


@settings(max_examples=60)
@given(st.data())
def test_never_worse_and_always_checked(rewritten_pairs, data):
    f, g = data.draw(rewritten_pairs)
    box = [(-1, data.draw(st.integers(0, 2))) for _ in range(g.widths[0])]
    sharp, blunt = compression(g, domain=box, sharpen=True), compression(g, domain=box)
    assert sum(sharp.network.widths[1:-1]) <= sum(blunt.network.widths[1:-1])
    assert check(sharp.decision.certificate, g, sharp.network)
    decision = equal(f, g, domain=box, sharpen=True)
    assert decision.truth is not False
    assert decision.truth is None or check(decision.certificate, f, g)
