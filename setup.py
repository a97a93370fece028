"""Compiles the core where that is possible; what Cosca is made of stands in pyproject.toml.

A module is compiled if it has a .pxd beside it (or is a .pyx), so a new game is compiled by being
there.  It is all or nothing: a compiled class would not hear the methods of one that is not.

    COSCA_BUILD=pure   do not compile, and remove what was compiled before
    COSCA_SANITIZE=1   stop at an index out of bounds, a bad shift or an integer overflow
"""

import os
import shutil
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = Path("src")
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # the types stand in the .pxd; `int` in the .py stays Python's
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "cpow": True,  # a root or a power of e is a number, never a complex one
}
FAST = ["-O3", "-g0"]
# Python itself is built with -fwrapv, which makes overflow legal and so hides it from the check.
CAREFUL = ["-O1", "-g0", "-fno-wrapv", "-fno-sanitize-recover=all"]
CAREFUL += ["-fsanitize=bounds,shift,signed-integer-overflow"]
TRAP = ["-fsanitize-undefined-trap-on-error"]  # stops without a word, but needs no libubsan


def sources() -> list[Path]:
    beside = [path.with_suffix(".py") for path in SOURCES.rglob("*.pxd")]
    return sorted([*SOURCES.rglob("*.pyx"), *(path for path in beside if path.exists())])


def extension(source: Path) -> Extension:
    name = ".".join(source.relative_to(SOURCES).with_suffix("").parts)
    return Extension(name, [str(source)])


def missing() -> str:
    """Say what keeps the core from being compiled, or nothing."""
    if os.environ.get("COSCA_BUILD") == "pure":
        return "COSCA_BUILD=pure asks for it"
    try:
        import Cython.Build  # noqa: F401
    except ImportError:
        return "Cython is not installed"
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC")
    if compiler and not shutil.which(compiler.split()[0]):
        return "there is no C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers are missing (on Debian: apt install python3-dev)"
    return ""


class BuildCore(build_ext):
    def run(self) -> None:
        home = SOURCES if self.inplace else Path(self.build_lib)
        sanitize = os.environ.get("COSCA_SANITIZE") == "1"
        reason = missing()
        if not reason:
            self.translate()  # what Cython refuses is a mistake in our sources: never hidden
            remove_compiled(home, keep=[ext.name for ext in self.extensions])
            try:
                super().run()
            except Exception as error:  # distutils has many; a missing cc is FileNotFoundError
                print(error)
                reason = "the C compiler failed"
        if reason and sanitize:
            raise SystemExit(f"COSCA_SANITIZE=1 needs a compiled core, but {reason}.")
        if reason:
            self.extensions = []
            remove_compiled(home, keep=[])
            print(f"Cosca runs as plain Python, more slowly: {reason}.")

    def translate(self) -> None:
        """Turn Python into C, in the folder for temporary files."""
        from Cython import __version__
        from Cython.Build import cythonize

        home = Path(self.build_temp, f"cython-{__version__}")  # C of two versions does not mix
        recipe = Path("setup.py").stat().st_mtime  # other flags or directives: all of it again
        self.force = self.force or any(path.stat().st_mtime < recipe for path in home.rglob("*.c"))
        translated = cythonize(
            self.extensions,
            build_dir=str(home),
            include_path=[str(SOURCES)],
            compiler_directives=DIRECTIVES,
            force=bool(self.force),
        )
        for old, new in zip(self.extensions, translated, strict=True):
            old.sources, old.depends = new.sources, new.depends

    def build_extensions(self) -> None:
        if self.compiler.compiler_type != "msvc":
            flags = FAST
            if os.environ.get("COSCA_SANITIZE") == "1":
                flags = CAREFUL if can_link(self.compiler, CAREFUL) else CAREFUL + TRAP
            for ext in self.extensions:
                ext.extra_compile_args = ext.extra_link_args = flags
        super().build_extensions()


def can_link(compiler: Any, flags: list[str]) -> bool:
    with tempfile.TemporaryDirectory() as place:
        source = Path(place, "probe.c")
        source.write_text("int probe(int n) { int a[2] = {1, 2}; return a[n] << n; }\n")
        try:
            objects = compiler.compile([str(source)], output_dir=place, extra_postargs=flags)
            compiler.link_shared_object(
                objects, str(source.with_suffix(".so")), extra_postargs=flags
            )
        except Exception:
            return False
    return True


def remove_compiled(home: Path, keep: list[str]) -> None:
    """Remove compiled modules left from earlier: Python would prefer them to their .py."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    kept = {home / (name.replace(".", "/") + suffix) for name in keep}
    for path in home.glob(f"cosca/**/*{suffix}"):
        if path not in kept:
            path.unlink()


setup(ext_modules=[extension(path) for path in sources()], cmdclass={"build_ext": BuildCore})
