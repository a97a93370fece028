"""Compile the core where possible. The rest of the packaging is in pyproject.toml.

Every module with a .pxd beside it (and every .pyx) is compiled, so a new game is compiled without
being listed. It is all or nothing: a compiled class cannot call overrides of an interpreted one.

    COSCA_BUILD=pure   do not compile, and remove what was compiled before
    COSCA_SANITIZE=1   abort at an index out of bounds, a bad shift or an integer overflow
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
    "annotation_typing": False,  # types come from the .pxd; `int` in the .py means Python's int
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "cpow": True,  # powers and roots are real numbers, never complex ones
}
FAST = ["-O3", "-g0"]
# Python is built with -fwrapv, which makes overflow legal and hides it from the sanitizer.
CAREFUL = ["-O1", "-g0", "-fno-wrapv", "-fno-sanitize-recover=all"]
CAREFUL += ["-fsanitize=bounds,shift,signed-integer-overflow"]
TRAP = ["-fsanitize-undefined-trap-on-error"]  # aborts without a message, but needs no libubsan


def sources() -> list[Path]:
    beside = [path.with_suffix(".py") for path in SOURCES.rglob("*.pxd")]
    return sorted([*SOURCES.rglob("*.pyx"), *(path for path in beside if path.exists())])


def extension(source: Path) -> Extension:
    name = ".".join(source.relative_to(SOURCES).with_suffix("").parts)
    return Extension(name, [str(source)])


def missing() -> str:
    """Return why the core cannot be compiled, or an empty string."""
    if os.environ.get("COSCA_BUILD") == "pure":
        return "COSCA_BUILD=pure is set"
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
            self.translate()  # an error of Cython is a bug in our sources: never hide it
            remove_compiled(home, keep=[ext.name for ext in self.extensions])
            try:
                super().run()
            except Exception as error:  # distutils raises many kinds, also FileNotFoundError
                print(error)
                reason = "the C compiler failed"
        if reason and sanitize:
            raise SystemExit(f"COSCA_SANITIZE=1 needs a compiled core, but {reason}.")
        if reason:
            self.extensions = []
            remove_compiled(home, keep=[])
            print(f"Cosca runs as plain Python, more slowly: {reason}.")

    def translate(self) -> None:
        """Translate Python to C in the folder for temporary files."""
        from Cython import __version__
        from Cython.Build import cythonize

        home = Path(self.build_temp, f"cython-{__version__}")  # C code of two versions does not mix
        recipe = (
            Path("setup.py").stat().st_mtime
        )  # after a change of flags or directives rebuild everything
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
    """Remove old compiled modules: Python would prefer them to their .py."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    kept = {home / (name.replace(".", "/") + suffix) for name in keep}
    for path in home.glob(f"cosca/**/*{suffix}"):
        if path not in kept:
            path.unlink()


setup(ext_modules=[extension(path) for path in sources()], cmdclass={"build_ext": BuildCore})
