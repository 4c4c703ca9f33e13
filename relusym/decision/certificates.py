"""Making certificates, and the door to the checker that stands alone.

A certificate is a JSON object: what is claimed, about networks of which widths, on which domain, over which field,
and the data that prove it, with every number as text. Where the numbers are irrational, "field" names one generator
and writes the generator of each network in it, so that the checker needs no algorithm for fields but its own
verification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from relusym.decision.check import MalformedCertificate, Verification, verify
from relusym.errors import CertificateError
from relusym.exact.box import Box
from relusym.exact.field import Field
from relusym.exact.number_field import NumberField
from relusym.exact.tower import Tower
from relusym.parameters.network import Network

FORMAT = "relusym-certificate"
VERSION = 1


def certificate(
    kind: str, claim: str, networks: Sequence[Network], tower: Tower, box: Box | None = None, **proof: Any
) -> dict[str, Any]:
    """Return a certificate of the given kind; ``proof`` is what the kind asks for."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "claim": claim,
        "networks": [{"widths": list(network.widths)} for network in networks],
        "domain": None if box is None else box.texts(tower.field),
        "field": _field_object(networks, tower),
        **proof,
    }


def _field_object(networks: Sequence[Network], tower: Tower) -> dict[str, Any] | None:
    field = tower.field
    if not isinstance(field, NumberField):
        return None
    embeddings = {}
    for network in networks:
        own: Field = network.field
        if isinstance(own, NumberField) and own.generator_text != field.generator_text:
            embeddings[own.generator_text] = field.text(tower.embedding(own)(own.written_generator))
    return {"generator": field.generator_text, "embeddings": embeddings}


def plain_network(network: Network) -> dict[str, Any]:
    """Return a network as plain data for the checker: floats, fractions and text."""
    layers = [
        {"weight": layer.weight.plain(), "bias": [row[0] for row in layer.bias.plain()]} for layer in network.layers
    ]
    return {"inputs": network.widths[0], "layers": layers}


def verification(certificate: Mapping[str, Any], *networks: Network) -> Verification:
    """Return whether a certificate proves its claim about these networks, and why (not).

    Raises
    ------
    CertificateError
        Where the certificate is malformed.
    """
    try:
        return verify(certificate, [plain_network(network) for network in networks])
    except MalformedCertificate as error:
        raise CertificateError(f"the certificate cannot be checked: {error}") from None


def check(certificate: Mapping[str, Any], *networks: Network) -> bool:
    """Return whether a certificate proves its claim about these networks.

    The checker uses Python's standard library alone and shares no code with what made the certificate.

    Parameters
    ----------
    certificate
        The JSON object that a decision carries as ``.certificate``.
    *networks
        The networks that the decision was about, in the same order.

    Raises
    ------
    CertificateError
        Where the certificate is malformed.

    Examples
    --------
    >>> from relusym import check, equal, load
    >>> f, g = load("example:theta1"), load("example:theta2")
    >>> check(equal(f, g).certificate, f, g)
    True
    """
    return verification(certificate, *networks).ok
