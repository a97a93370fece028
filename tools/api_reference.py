"""Write docs/api.md, the reference of what `from cosca import …` offers: `./run api`.

The page is made from the sources, not from the running objects: compiled classes do not keep their
signatures, and no object keeps the docstring of an attribute.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "api.md"
SURFACE: Final = "cosca"
"""The package whose `__all__` is described."""

INTRODUCTION: Final = """\
# API reference

This page describes every name that `from cosca import …` offers. Everything else may change in any
release. `./run api` writes it from the docstrings: change those, not this page.
"""

GROUPS: Final = {
    "Games and house rules": ("find", "GAMES", "Game", "Option", "Settings"),
    "Playing": ("Table", "Dice", "SealedDice", "Move", "Event", "Refused", "say"),
    "States and positions": ("State", "Position", "Seat", "Action", "CHANCE", "SPECTATOR"),
    "Bots": ("Bot", "find_bot", "roster", "Budget", "SearchBot", "advise", "Advice", "win_chances"),
    "Records": (
        "read_record",
        "verify",
        "Record",
        "UnreadableRecord",
        "InvalidRecord",
        "Scribe",
        "replay_record",
        "Replay",
    ),
    "About this installation": ("__version__", "is_compiled"),
}
"""The headings of the page, each with its names in the order in which a reader needs them."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = Function | ast.ClassDef | ast.Assign | ast.AnnAssign


class Undescribed(Exception):
    """The page cannot be written; the text says what is missing."""


def page() -> str:
    """Return the text of the page."""
    places = public_names()
    listed = [name for names in GROUPS.values() for name in names]
    if sorted(listed) != sorted(places):
        different = ", ".join(sorted(set(listed) ^ set(places))) or "a name is listed twice"
        raise Undescribed(f"GROUPS and cosca.__all__ do not name the same: {different}.")
    parts = [INTRODUCTION]
    for heading, names in GROUPS.items():
        parts.append(f"## {heading}\n")
        parts += [_entry(name, places[name]) for name in names]
    return "\n".join(parts)


def public_names() -> dict[str, str]:
    """Return each public name with the module that defines it."""
    body = _tree(SURFACE).body
    (listed,) = (
        ast.literal_eval(node.value)
        for node in body
        if isinstance(node, ast.Assign) and _names(node) == ["__all__"]
    )
    imported = {
        alias.name: str(node.module)
        for branch in body
        if isinstance(branch, ast.If)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return {name: imported.get(name, SURFACE) for name in listed}


# --- Reading sources ------------------------------------------------------------------------------


def _tree(module: str) -> ast.Module:
    path = ROOT / "src" / Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    _show_numbers(tree)
    return tree


def _show_numbers(tree: ast.Module) -> None:
    """Put the number itself where a default is a constant of the module, as `= SIMULATIONS`."""
    numbers = {
        name: node.value
        for name, node, _ in _definitions(tree.body)
        if isinstance(node, ast.AnnAssign) and node.value and _is_number(node.value)
    }
    for arguments in (node for node in ast.walk(tree) if isinstance(node, ast.arguments)):
        arguments.defaults = [
            numbers.get(default.id, default) if isinstance(default, ast.Name) else default
            for default in arguments.defaults
        ]


def _names(node: ast.stmt) -> list[str]:
    """Return the names that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    return [ast.unparse(target).removeprefix("self.") for target in targets]


def _definitions(body: Sequence[ast.stmt]) -> Iterator[tuple[str, Definition, str]]:
    """Yield what a body defines: its name, the definition and its docstring."""
    for place, node in enumerate(body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node, ast.get_docstring(node) or ""
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            after = body[place + 1] if place + 1 < len(body) else node
            yield _names(node)[0], node, _text(after)


def _text(node: ast.stmt) -> str:
    """Return the string that a statement consists of, or nothing."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        if isinstance(node.value.value, str):
            return inspect.cleandoc(node.value.value)
    return ""


# --- Writing --------------------------------------------------------------------------------------


def _entry(name: str, module: str) -> str:
    """Return the part of the page about one public name."""
    for found, node, text in _definitions(_tree(module).body):
        if found == name:
            if not text:
                raise Undescribed(f"{module}.{name} has no docstring.")
            _check_parameters(node, text, f"{module}.{name}")
            lines = [f"### {name}", "", "```python", *_signature(node), "```", "", text, ""]
            if isinstance(node, ast.ClassDef) and (members := _members(node, f"{module}.{name}")):
                lines += [*members, ""]
            return "\n".join([*lines, f"Defined in `{module}`.", ""])
    raise Undescribed(f"{module} does not define {name}.")


def _check_parameters(node: Definition, text: str, owner: str) -> None:
    """Refuse a function or a class whose docstring does not mention every parameter."""
    called = _constructor(node) if isinstance(node, ast.ClassDef) else node
    if not isinstance(called, Function):
        return
    listed = [*called.args.posonlyargs, *called.args.args, *called.args.kwonlyargs]
    for parameter in listed:
        if parameter.arg != "self" and not re.search(rf"\b{parameter.arg}\b", text):
            raise Undescribed(f"The docstring of {owner} does not mention {parameter.arg}.")


def _constructor(node: ast.ClassDef) -> Definition | None:
    return next((each for name, each, _ in _definitions(node.body) if name == "__init__"), None)


def _signature(node: Definition) -> list[str]:
    """Return the lines that show how something is called or what it is."""
    if isinstance(node, ast.ClassDef):
        bases = [ast.unparse(base) for base in node.bases]
        shown = [base for base in bases if not base.startswith(("Generic", "NamedTuple"))]
        heading = f"class {node.name}({', '.join(shown)})" if shown else f"class {node.name}"
        made = _constructor(node)
        return [heading, *([_call(node.name, made, None)] if isinstance(made, Function) else [])]
    if isinstance(node, Function):
        return [_call(node.name, node, node.returns)]
    name = _names(node)[0]
    value = node.value
    if value is not None and (_is_alias(node) or _is_number(value)):
        return [f"{name} = {ast.unparse(value)}"]
    return [name]


def _is_alias(node: ast.Assign | ast.AnnAssign) -> bool:
    return isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"


def _is_number(value: ast.expr) -> bool:
    return ast.unparse(value).lstrip("-").isdigit()


def _call(name: str, node: Function, returns: ast.expr | None) -> str:
    arguments = node.args
    first = [*arguments.posonlyargs, *arguments.args][:1]
    if first and first[0].arg in ("self", "cls"):
        arguments.args = [each for each in arguments.args if each is not first[0]]
    answer = f" -> {ast.unparse(returns).strip(chr(39))}" if returns is not None else ""
    return f"{name}({ast.unparse(arguments)}){answer}"


def _members(node: ast.ClassDef, owner: str) -> list[str]:
    """Return a line or more for each public attribute and method of a class."""
    lines: list[str] = []
    for name, member, text in _definitions([*_attributes(node), *node.body]):
        if name.startswith("_") and name != "__call__":
            continue
        if not text and not _is_compiled_field(owner, member):
            raise Undescribed(f"{owner}.{name} has no docstring.")
        described = f": {text}" if text else ""
        item = f"- `{_member(node.name, name, member)}`{described}"
        lines += [line.rstrip() for line in item.replace("\n", "\n  ").splitlines()]
    return lines


def _is_compiled_field(owner: str, member: Definition) -> bool:
    """Whether Cython would refuse a string behind the field: its module has a `.pxd`."""
    module = owner.rpartition(".")[0]
    beside = ROOT / "src" / Path(*module.split(".")).with_suffix(".pxd")
    return isinstance(member, ast.AnnAssign) and beside.exists()


def _attributes(node: ast.ClassDef) -> list[ast.stmt]:
    """Return what `__init__` sets and describes, with the descriptions."""
    made = _constructor(node)
    body = made.body if isinstance(made, Function) else []
    kept: list[ast.stmt] = []
    for assigned, text in pairwise(body):
        if isinstance(assigned, ast.Assign | ast.AnnAssign) and _text(text):
            kept += [assigned, text]
    return kept


def _member(owner: str, name: str, member: Definition) -> str:
    """Return how a method is called, or what an attribute is."""
    if isinstance(member, Function):
        decorators = [ast.unparse(each) for each in member.decorator_list]
        if "property" in decorators and member.returns is not None:
            return f"{name}: {ast.unparse(member.returns)}"
        shown = f"{owner}.{name}" if "classmethod" in decorators else name
        return _call(shown, member, member.returns)
    if isinstance(member, ast.AnnAssign):
        default = f" = {ast.unparse(member.value)}" if member.value and member.simple else ""
        return f"{name}: {ast.unparse(member.annotation)}{default}"
    return name


def main() -> int:
    """Write the page."""
    try:
        PAGE.write_text(page(), encoding="utf-8")
    except Undescribed as error:
        print(error, file=sys.stderr)
        return 2
    print(f"Wrote {PAGE.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
