"""Exact computer algebra for ReLU networks.

Everything public is importable from here and loaded on first use, so that ``import relusym`` itself stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relusym.errors import CertificateError as CertificateError
    from relusym.errors import ConditionError as ConditionError
    from relusym.errors import DomainError as DomainError
    from relusym.errors import FieldError as FieldError
    from relusym.errors import FormatError as FormatError
    from relusym.errors import MissingExtra as MissingExtra
    from relusym.errors import RelusymError as RelusymError
    from relusym.errors import ShapeError as ShapeError
    from relusym.errors import Undecided as Undecided
    from relusym.limits import Limits as Limits
    from relusym.parameters.network import Network as Network
    from relusym.verdict import Decision as Decision

__version__ = "0.1.0"

_HOMES = {
    "relusym.errors": (
        "CertificateError",
        "ConditionError",
        "DomainError",
        "FieldError",
        "FormatError",
        "MissingExtra",
        "RelusymError",
        "ShapeError",
        "Undecided",
    ),
    "relusym.limits": ("Limits",),
    "relusym.verdict": ("Decision",),
    "relusym.parameters.network": ("Network",),
    "relusym.io": ("load", "save"),
    "relusym.decision.equality": ("equal", "Equality"),
    "relusym.decision.max_difference": ("max_difference", "MaxDifference"),
    "relusym.decision.similarity": ("similar",),
    "relusym.decision.compression": ("compress", "compression", "Compression"),
    "relusym.decision.alignment": ("alignment", "Alignment"),
    "relusym.decision.certificates": ("check",),
    "relusym.parameters.symmetry": ("Symmetry",),
    "relusym.shallow.stabilizer": ("stabilizer", "Stabilizer"),
    "relusym.shallow.fibre": ("fibre", "Fibre"),
    "relusym.shallow.flips": ("flip",),
    "relusym.shallow.genericity": ("is_generic",),
    "relusym.shallow.width": ("min_width", "width_of", "Width"),
    "relusym.shallow.hierarchy": ("hierarchy", "Hierarchy"),
    "relusym.shallow.correspondence": ("symmetry_between",),
    "relusym.shallow.digest": ("digest",),
    "relusym.decision.deduplication": ("dedupe",),
    "relusym.decision.pairs": ("equal_pairs",),
    "relusym.shallow.ridge_form": ("ridge_form", "RidgeForm"),
    "relusym.shallow.minimal_form": ("minimal_form", "zero_factor_rank", "reduce"),
    "relusym.shallow.operations": ("ominus", "project"),
    "relusym.shallow.dependence": ("semi_dependent", "dependent"),
    "relusym.shallow.equivalence": ("equivalent",),
    "relusym.symbolic.locus": ("nongeneric_locus", "v_a", "v_dep"),
    "relusym.symbolic.expressions": ("simplify",),
    "relusym.decision.identities": ("prove_equal",),
    "relusym.polyhedral.complex": ("complex_of", "common_refinement", "PolyhedralComplex"),
    "relusym.polyhedral.dependency": ("dependency_graph", "depth_lower_bound", "generic_depth_lower_bound"),
    "relusym.polyhedral.functional_dimension": ("functional_dimension",),
    "relusym.polyhedral.genericity": ("genericity",),
    "relusym.polyhedral.identifiability": ("identify",),
    "relusym.polyhedral.weights": ("same_breakpoints",),
    "relusym.polyhedral.regions": ("iterate_regions", "count_regions", "cell_at", "random_region"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'relusym' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
