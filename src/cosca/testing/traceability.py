"""Traceability: from a rule to the code that implements it and the tests that prove it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cosca
from cosca.core.game import Game
from cosca.words import RULES, sentences

ID = r"(?:[A-Z]+-[A-Z]?\d+[a-z]?|[A-Z]\d+)"
"""Matches `V-6`, `V-M1`, `V-S3f`, `SK-6` for another game, or `E1` for an example."""
_RULE = re.compile(rf"^- \*\*({ID})\*\* (.+)$", re.MULTILINE)
_CITED = re.compile(rf"\b({ID})\b")
_TABLE = re.compile(rf"^\s*(?:(\w+): Final|Option\(\"(\w+)\").*#.*?\b{ID}\b")

TESTS = Path(cosca.__file__).parents[2] / "tests"
"""Exists in a source tree, not in an installed package."""


@dataclass(slots=True)
class Rule:
    """One rule of a game, with the functions and tests that cite it."""

    id: str
    text: str
    functions: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def folder(game: Game[Any, Any]) -> Path:
    """Return the folder of a game's sources."""
    return Path(cosca.__file__).parent / "games" / game.name


def rules_of(game: Game[Any, Any]) -> dict[str, Rule]:
    """Return all rules of a game by id, with functions and tests."""
    text = sentences()[f"{game.name}.{RULES}"]
    rules = {id: Rule(id, sentence) for id, sentence in _RULE.findall(text)}
    for id, function in cited_in_code(game):
        if id in rules:
            rules[id].functions.append(function)
    for id, test in cited_in_tests(game):
        if id in rules:
            rules[id].tests.append(test)
    return rules


def rule_ids(game: Game[Any, Any]) -> frozenset[str]:
    """Return the ids of all rules of a game."""
    return frozenset(id for id, _ in _RULE.findall(sentences()[f"{game.name}.{RULES}"]))


def cited_in_code(game: Game[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield rule ids cited in docstrings of functions and beside tables of pieces."""
    for path in sorted(folder(game).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                for id in _CITED.findall(ast.get_docstring(node) or ""):
                    yield id, f"{path.stem}.{node.name}"
        for line in source.splitlines():
            if table := _TABLE.match(line):
                for id in _CITED.findall(line.partition("#")[2]):
                    yield id, f"{path.stem}.{table[1] or table[2]}"


def rules_of_events(game: Game[Any, Any]) -> dict[str, list[str]]:
    """Return, for each kind of event, the rules cited by the function that makes it."""
    found: dict[str, list[str]] = {}
    tree = ast.parse((folder(game) / "events.py").read_text(encoding="utf-8"))
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        ids = _CITED.findall(ast.get_docstring(function) or "")
        for node in ast.walk(function):
            key = node.value if isinstance(node, ast.Constant) else None
            if isinstance(key, str) and f"{game.name}.{key}" in sentences():
                found[key] = list(dict.fromkeys([*found.get(key, []), *ids]))
    return found


def cited_in_tests(game: Game[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield rule ids that tests are marked with: `@rule("V-6")`."""
    for path in sorted((TESTS / "games" / game.name).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for id in _marked(node):
                    yield id, node.name


def _marked(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).split(".")[-1] == "rule":
            for id in mark.args:
                yield ast.literal_eval(id)
