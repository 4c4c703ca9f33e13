"""Every docstring example of the installed package runs."""

import doctest
import importlib
import pkgutil

import pytest

import relusym

MODULES = sorted(module.name for module in pkgutil.walk_packages(relusym.__path__, "relusym."))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0
