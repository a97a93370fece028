"""The public surface: what `from cosca import …` offers, and the page about it."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

import cosca
from tests.processes import run
from tools import api_reference
from tools.api_reference import PAGE, Undescribed, page, public_names

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_run_api_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "./run api writes it again"


def test_every_name_comes_from_the_module_that_type_checkers_see() -> None:
    for name, module in public_names().items():
        if module == "cosca":
            assert name in vars(cosca)
        else:
            assert cosca._MODULES[name] == module
            assert getattr(cosca, name) is getattr(import_module(module), name)
    assert set(cosca._MODULES) <= set(cosca.__all__) <= set(dir(cosca))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Tabel'"):
        getattr(cosca, "Tabel")  # noqa: B009  # written out, mypy would refuse it


def test_import_cosca_alone_loads_nothing_else_of_ours() -> None:
    program = "import cosca, sys; print([n for n in sys.modules if n.startswith('cosca.')])"
    assert run([sys.executable, "-c", program]).stdout == "[]\n"


def test_star_import_brings_every_name() -> None:
    program = "from cosca import *; import cosca; print(set(cosca.__all__) <= set(globals()))"
    assert run([sys.executable, "-c", program]).stdout == "True\n"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def find(name):\n    return name\n", r"cosca\.catalog\.find has no docstring"),
        ('def find(name):\n    """Finds."""\n', "does not mention name"),
        ('class find:\n    """Finds."""\n    def __init__(self, deep): ...', "not mention deep"),
        ('class find:\n    """Finds."""\n    def go(self): ...', r"find\.go has no docstring"),
        ('class find:\n    """Finds."""\n    size: int', r"find\.size has no docstring"),
    ],
)
def test_what_is_not_described_is_refused(
    source: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_package(tmp_path, source)
    monkeypatch.setattr(api_reference, "ROOT", tmp_path)
    monkeypatch.setattr(api_reference, "GROUPS", {"Games": ("find",)})
    with pytest.raises(Undescribed, match=reason):
        page()


def test_a_name_that_stands_under_no_heading_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_reference, "GROUPS", {"Games": ("find",)})
    with pytest.raises(Undescribed, match="Table"):
        page()


def test_attributes_defaults_and_classmethods_are_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = '''
MANY: Final = 12
class find:
    """Finds a name, also `deep` down."""
    limit: int = 3
    """At most so many.

    None is nothing.
    """
    def __init__(self, name: str, *, deep: bool = False) -> None:
        self.name = name
        """What to find."""
        self._hidden = 1
        """Not on the page."""
    @classmethod
    def of(cls, text: str, most: int = MANY) -> "find":
        """Read it."""
    @property
    def size(self) -> int:
        """How many."""
    def _inner(self) -> None: ...
'''
    small_package(tmp_path, source)
    monkeypatch.setattr(api_reference, "ROOT", tmp_path)
    monkeypatch.setattr(api_reference, "GROUPS", {"Games": ("find",)})
    assert (
        page().partition("## Games\n\n")[2]
        == """### find

```python
class find
find(name: str, *, deep: bool=False)
```

Finds a name, also `deep` down.

- `name`: What to find.
- `limit: int = 3`: At most so many.

  None is nothing.
- `find.of(text: str, most: int=12) -> find`: Read it.
- `size: int`: How many.

Defined in `cosca.catalog`.
"""
    )


def small_package(root: Path, catalog: str) -> None:
    """Write a package that offers the one name `find`."""
    home = root / "src" / "cosca"
    home.mkdir(parents=True)
    (home / "catalog.py").write_text(catalog)
    (home / "__init__.py").write_text(
        '__all__ = ["find"]\nif TYPE_CHECKING:\n    from cosca.catalog import find\n'
    )
