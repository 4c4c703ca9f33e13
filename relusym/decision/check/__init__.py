"""The stand-alone checker of certificates: the Python standard library, and nothing of what made them.

:func:`verify` reads a certificate (a JSON object) and the plain networks it is about, computes everything again in
exact arithmetic, and says whether the claim is proved. A certificate is never trusted: what it names (a point, the
multiples that rows are of one another, an embedding of fields) is verified entry by entry. A kind of certificate is one
function in :data:`KINDS`; it returns the reason why the claim holds, or raises ``Unproved`` with the reason why it is
not proved.

Keys of every certificate: ``"format"`` (``"relusym-certificate"``), ``"version"`` (1), ``"kind"``, ``"claim"``,
``"field"`` (null for the rationals, else a generator and embeddings) and, where the kind takes them, ``"domain"``
(null, a box as a list of ``[low, high]``, or inequalities as a list of ``[row, bound]``) and ``"scale"`` (a positive
number c: the claim is then about c * f and g). Of these three, one that is left out is null; keys that are not known
are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from relusym.decision.check.certificate import FORMAT, VERSION, Pair
from relusym.decision.check.deep import layers, point
from relusym.decision.check.errors import MalformedCertificate, Unproved, malformed, shown
from relusym.decision.check.fewest import fewest
from relusym.decision.check.generic import generic, not_generic
from relusym.decision.check.network import PlainNetwork, read_network
from relusym.decision.check.numbers import Field
from relusym.decision.check.rewrites import rewrites
from relusym.decision.check.scale import disproportion, scaled
from relusym.decision.check.shallow import ray, rays, ridges
from relusym.decision.check.single import Single
from relusym.decision.check.tree import tree

__all__ = ["KINDS", "MalformedCertificate", "PlainNetwork", "Verification", "verify"]


class Kind(NamedTuple):
    """What a kind of certificate about two networks claims, and the function that proves it."""

    claim: str
    prove: Callable[[Pair], str]


class SingleKind(NamedTuple):
    """What a kind of certificate about one network claims, and the function that proves it."""

    claim: str
    prove: Callable[[Single], str]


KINDS: Mapping[str, Kind | SingleKind] = {
    "point": Kind("different", point),
    "ridges": Kind("equal", ridges),
    "layers": Kind("equal", layers),
    "rewrites": Kind("equal", rewrites),
    "tree": Kind("equal", tree),
    "scaled": Kind("equal up to a positive scale", lambda pair: scaled(pair, _prove_equal)),
    "disproportion": Kind("different up to a positive scale", disproportion),
    "rays": Kind("similar", rays),
    "ray": Kind("not similar", ray),
    "generic": SingleKind("generic", generic),
    "not generic": SingleKind("not generic", not_generic),
    "fewest": SingleKind("fewest", fewest),
}


class Verification(NamedTuple):
    """Whether a claim is proved, and why, in one line."""

    ok: bool
    reason: str


def verify(certificate: Mapping[str, object], networks: Sequence[PlainNetwork]) -> Verification:
    """Verify that a certificate proves its claim about one or two networks.

    Parameters
    ----------
    certificate
        A JSON object; see the head of this module.
    networks
        The networks that it is about, each as ``{"inputs": m, "layers": [{"weight": rows, "bias": list}, ...]}`` with
        entries int, float (the dyadic rational it holds), Fraction or text. Hidden layers apply ReLU, the last layer
        does not.

    Returns
    -------
    Verification
        ``ok`` is True only if the claim is proved, in exact arithmetic over Q or the number field of the certificate.

    Raises
    ------
    MalformedCertificate
        The certificate or a network has no meaning: a key, type, index or number is not what it should be.

    Examples
    --------
    >>> def f(weight, bias):
    ...     return {"inputs": 1, "layers": [{"weight": weight, "bias": [0, 0]}, {"weight": [[1, -1]], "bias": bias}]}
    >>> networks = [f([[1], [-1]], [0]), {"inputs": 1, "layers": [{"weight": [[1]], "bias": [0]}]}]  # both are x
    >>> certificate = {
    ...     "format": "relusym-certificate",
    ...     "version": 1,
    ...     "kind": "ridges",
    ...     "claim": "equal",
    ...     "domain": None,
    ...     "field": None,
    ...     "ridges": [{"base": [0, 0]}],
    ...     "neurons": [[["ridge", 0, "1"], ["ridge", 0, "-1"]], []],
    ... }
    >>> verify(certificate, networks)
    Verification(ok=True, reason='equal everywhere: the masses on 1 ridges and the affine parts agree')
    >>> verify(certificate, [f([[1], [-2]], [0]), networks[1]])
    Verification(ok=False, reason='neuron 1 of network 0 is not -1 times its base row')
    """
    kind = _kind(certificate)
    try:
        field = Field.from_object(certificate.get("field"))
        count = 1 if isinstance(kind, SingleKind) else 2
        if len(networks) != count:
            raise Unproved(
                f"the certificate is about {('one network', 'two networks')[count - 1]}, not {len(networks)}"
            )
        read = [read_network(plain, field, f"network {number}") for number, plain in enumerate(networks)]
        if isinstance(kind, SingleKind):
            return Verification(True, kind.prove(Single(certificate, field, read[0])))
        first, second = read
        for what, end in (("inputs", 0), ("outputs", -1)):
            if first.widths[end] != second.widths[end]:
                raise Unproved(f"the networks have {first.widths[end]} and {second.widths[end]} {what}")
        reason = kind.prove(Pair(certificate, field, (first, second)))
    except Unproved as unproved:
        return Verification(False, str(unproved))
    return Verification(True, reason)


def _prove_equal(certificate: Mapping[str, object], pair: Pair) -> str:
    """Prove an inner certificate of equality about a pair of networks."""
    kind = _kind(certificate)
    if isinstance(kind, SingleKind) or kind.claim != "equal":
        malformed("'proof'", f"a certificate of equality is accepted, not of the claim {shown(kind.claim)}")
    return kind.prove(pair)


def _kind(certificate: object) -> Kind | SingleKind:
    """Return the kind of a certificate, its format, version and claim being what they should be."""
    if not isinstance(certificate, Mapping):
        malformed("certificate", f"an object is accepted, not {shown(certificate)}")
    name = certificate.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        malformed("'kind'", f"{', '.join(KINDS)} are known, not {shown(name)}")
    kind = KINDS[name]
    for key, wanted in (("format", FORMAT), ("version", VERSION), ("claim", kind.claim)):
        value = certificate.get(key)
        if type(value) is not type(wanted) or value != wanted:
            malformed(f"'{key}'", f"{shown(wanted)} is accepted for the kind {shown(name)}, not {shown(value)}")
    return kind
