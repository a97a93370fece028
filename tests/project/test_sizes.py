"""The server stays in pieces that can be read: no class and no function grows too large."""

import ast
from collections.abc import Iterator
from pathlib import Path

import cosca.server

MOST_METHODS = 25
MOST_LINES = 40
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def nodes() -> Iterator[tuple[str, ast.AST]]:
    """Yield everything in the server's sources, with the name of its file."""
    for path in Path(cosca.server.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield path.name, node


def test_no_class_of_the_server_has_too_many_methods() -> None:
    counts = {
        f"{file}: {node.name}": sum(isinstance(each, FUNCTIONS) for each in node.body)
        for file, node in nodes()
        if isinstance(node, ast.ClassDef)
    }
    assert {name: count for name, count in counts.items() if count > MOST_METHODS} == {}


def test_no_function_of_the_server_is_too_long() -> None:
    lengths = {
        f"{file}: {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for file, node in nodes()
        if isinstance(node, FUNCTIONS)
    }
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
