"""What some tests need of the machine, and why they could not run without it."""

import os
import shutil
import sysconfig
from pathlib import Path

import pytest


def no_compiler() -> str:
    """Return why nothing can be compiled here; empty if it can."""
    if os.environ.get("COSCA_BUILD") == "pure":
        return "COSCA_BUILD=pure asks for no compiled core"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl").split()[0]
    if not shutil.which(compiler):
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers are missing"
    return ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests that need a compiler if there is none. Nothing else is ever skipped."""
    if reason := no_compiler():
        for item in items:
            if item.get_closest_marker("needs_compiler"):
                item.add_marker(pytest.mark.skip(reason=reason))
