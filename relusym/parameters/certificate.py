"""Making certificates.

A certificate is a JSON object: what is claimed, about networks of which widths, on which domain, over which field,
and the data that prove it, with every number as text. Where the numbers are irrational, "field" names one generator
and writes the generator of each network in it, so that the checker needs no algorithm for fields but its own
verification.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relusym.exact.field import Field
from relusym.exact.number_field import NumberField
from relusym.exact.polyhedral_domain import Domain
from relusym.exact.tower import Tower
from relusym.parameters.network import Network

FORMAT = "relusym-certificate"
VERSION = 1


def certificate(
    kind: str, claim: str, networks: Sequence[Network], tower: Tower, domain: Domain | None = None, **proof: Any
) -> dict[str, Any]:
    """Return a certificate of the given kind; ``proof`` is what the kind asks for."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "claim": claim,
        "networks": [{"widths": list(network.widths)} for network in networks],
        "domain": None if domain is None else domain.texts(tower.field),
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
