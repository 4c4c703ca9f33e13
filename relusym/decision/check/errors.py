"""What ends a verification early, and how values are quoted in its messages."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn


class MalformedCertificate(ValueError):
    """A certificate, or a network given with it, has no meaning: nothing can be checked."""


class Unproved(Exception):
    """The certificate has a meaning but does not prove its claim; the message is the reason, one line."""


def malformed(place: str, problem: str) -> NoReturn:
    """Raise :class:`MalformedCertificate` for what is wrong at ``place``."""
    raise MalformedCertificate(f"{place}: {problem}")


def shown(value: object) -> str:
    """Return ``value`` in at most a few words, whatever it is: nested a million deep, or of a million digits.

    Examples
    --------
    >>> shown("sqrt(2)"), shown(3), shown([[[]]]), shown(10**9999)
    ("'sqrt(2)'", '3', 'a list', 'an integer of about 10000 digits')
    """
    if isinstance(value, str):
        return ascii(value if len(value) <= 60 else f"{value[:57]}...")
    if value is None or isinstance(value, (bool, float)):
        return repr(value)
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, Fraction):
        return f"{_integer(value.numerator)}/{_integer(value.denominator)}".removesuffix("/1")
    return f"a {type(value).__name__}"


def _integer(value: int) -> str:
    bits = value.bit_length()
    return str(value) if bits <= 256 else f"an integer of about {bits * 30103 // 100000 + 1} digits"
