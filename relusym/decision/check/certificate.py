"""The shape of a certificate: typed access to its keys, so that every kind reads them in the same words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.network import Network
from relusym.decision.check.numbers import ONE, Field, Number, Row, negative, total

FORMAT = "relusym-certificate"
VERSION = 1


class Side(NamedTuple):
    """One coordinate of a box: its ends, None where it is infinite, and whether they are equal."""

    low: Number | None
    high: Number | None
    fixed: bool


Box: TypeAlias = "list[Side]"


class Pair(NamedTuple):
    """What a kind looks at: the certificate, the field it computes in, and the two networks it is about."""

    certificate: Mapping[str, object]
    field: Field
    networks: tuple[Network, Network]

    def items(self, key: str) -> list[object]:
        """Return the list under a key."""
        return as_list(self.certificate.get(key), f"'{key}'")

    def row(self, key: str, length: int) -> Row:
        """Return the numbers under a key."""
        return as_row(self.certificate.get(key), self.field, f"'{key}'", length)

    @property
    def scale(self) -> Number:
        """The positive number c for which the claim is about c * f and g; 1 where none is given."""
        text = self.certificate.get("scale")
        if text is None:
            return ONE
        scale = as_number(text, self.field, "'scale'")
        if self.field.sign(scale) <= 0:
            raise Unproved(f"the scale {shown(text)} is not positive")
        return scale

    @property
    def times(self) -> str:
        """What a reason says about the scale, if one is given."""
        scale = self.certificate.get("scale")
        return "" if scale is None else f", the first network times {shown(scale)}"

    @property
    def box(self) -> Box | None:
        """The box that the claim is about, proved not to be empty; None for all of R^m, and for a polyhedron.

        A proof of equality that does not look at inequalities is one for all of R^m.
        """
        domain = self.certificate.get("domain")
        if domain is None or self.inequalities is not None:
            return None
        sides = as_list(domain, "'domain'")
        inputs = self.networks[0].inputs
        if len(sides) != inputs:
            raise Unproved(f"the domain has {len(sides)} coordinates, the networks have {inputs} inputs")
        return [self._side(side, index) for index, side in enumerate(sides)]

    @property
    def inequalities(self) -> list[tuple[Row, Number]] | None:
        """The rows and bounds, row . x <= bound, of a domain that is a polyhedron; None for any other."""
        domain = self.certificate.get("domain")
        if not isinstance(domain, (list, tuple)) or not domain or not all(map(_is_inequality, domain)):
            return None
        inputs = self.networks[0].inputs
        return [
            (
                as_row(row, self.field, f"'domain', inequality {index}", inputs),
                as_number(bound, self.field, f"'domain', inequality {index}"),
            )
            for index, (row, bound) in enumerate(domain)
        ]

    def _side(self, side: object, index: int) -> Side:
        place = f"'domain', coordinate {index}"
        ends = as_list(side, place)
        if len(ends) != 2:
            malformed(place, "[low, high] is accepted, null for an infinite end")
        low, high = (None if end is None else as_number(end, self.field, place) for end in ends)
        if low is None or high is None:
            return Side(low, high, fixed=False)
        length = self.field.sign(total([high, negative(low)]))
        if length < 0:
            raise Unproved(f"the domain is empty: coordinate {index} has its low end above its high end")
        return Side(low, high, fixed=length == 0)

    def refuse(self, *keys: str) -> None:
        """Refuse keys that would change the claim and that a kind does not look at."""
        for key in keys:
            if self.certificate.get(key) is not None:
                malformed(f"'{key}'", f"a certificate of kind {shown(self.certificate.get('kind'))} takes none")


def _is_inequality(item: object) -> bool:
    return isinstance(item, (list, tuple)) and len(item) == 2 and isinstance(item[0], (list, tuple))


def as_list(value: object, place: str) -> list[object]:
    """Return a JSON array as a list."""
    if not isinstance(value, (list, tuple)):
        malformed(place, f"a list is accepted, not {shown(value)}")
    return list(value)


def as_index(value: object, length: int, place: str) -> int:
    """Return an integer from 0 to ``length - 1``."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < length:
        malformed(place, f"an index from 0 to {length - 1} is accepted, not {shown(value)}")
    return value


def as_number(value: object, field: Field, place: str) -> Number:
    """Return a number of a certificate: a text or an integer, never a float."""
    if not isinstance(value, (str, int)):
        malformed(place, f"the text of a number is accepted, not {shown(value)}")
    return field.read_at(value, place)


def as_row(value: object, field: Field, place: str, length: int) -> Row:
    """Return a list of numbers of a certificate; a length that does not fit the networks proves nothing."""
    entries = as_list(value, place)
    if len(entries) != length:
        raise Unproved(f"{place} has {len(entries)} entries, the networks ask for {length}")
    return [as_number(entry, field, f"{place}, entry {index}") for index, entry in enumerate(entries)]
