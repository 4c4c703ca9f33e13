"""The door to the checker that stands alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relusym.decision.check import MalformedCertificate, Verification, verify
from relusym.errors import CertificateError
from relusym.parameters.certificate import certificate
from relusym.parameters.network import Network, require_network

__all__ = ["certificate", "check", "plain_network", "verification"]


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
    for network in networks:
        require_network(network, "check")
    try:
        return verify(certificate, [plain_network(network) for network in networks])
    except MalformedCertificate as error:
        raise CertificateError(f"the certificate cannot be checked: {error}") from None


def check(certificate: Mapping[str, Any], *networks: Network) -> bool:
    """Return whether a certificate proves its claim about these networks.

    The checker uses Python's standard library alone and shares no code with what made the certificate. What is claimed
    stands in the certificate: its "claim" holds on its "domain" (null: all of R^m) and for its "scale", if it has one.

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
