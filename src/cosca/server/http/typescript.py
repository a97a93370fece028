"""Print the types of all messages as TypeScript, for `web/src/wire.ts`."""

import json
from typing import Any, Final

import msgspec

from cosca.server import wire
from cosca.server.domain import chat, commands, opening
from cosca.server.http.openapi import types_of
from cosca.server.http.routes import ENDPOINTS

MODULES: Final = (wire, commands, chat, opening)
UNIONS: Final = {"AnyCommand": commands.AnyCommand, "AnyMessage": wire.AnyMessage}
CONSTANTS: Final = {
    "PROTOCOL": wire.PROTOCOL,
    "NAME_LENGTH": commands.NAME,
    "CHAT_LENGTH": commands.CHAT,
}
HEAD: Final = "// Made by `python -m cosca.server.http.typescript` from src/cosca/server/wire.py.\n"
SIMPLE: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def typescript() -> str:
    """Return all types that a client needs, in alphabetical order."""
    unions, parts = msgspec.json.schema_components([*UNIONS.values(), *types_of(ENDPOINTS)])
    constants = [f"export const {name} = {value};" for name, value in CONSTANTS.items()]
    structs = [_struct(name, parts[name]) for name in sorted(parts)]
    either = [
        f"export type {name} = {_type(schema)};"
        for name, schema in zip(UNIONS, unions, strict=False)
    ]
    return "\n\n".join([HEAD + "\n" + "\n".join(constants), *structs, *either]) + "\n"


def _struct(name: str, schema: dict[str, Any]) -> str:
    comment = f"/** {schema['description']} */\n"
    if schema["type"] == "array":
        cells = ", ".join(_type(part) for part in schema["prefixItems"])
        return f"{comment}export type {name} = [{cells}];"
    lines = [
        f"    {key}{'?' if _may_be_missing(name, key, schema) else ''}: {_type(part)};"
        for key, part in schema["properties"].items()
    ]
    return comment + "\n".join([f"export interface {name} {{", *lines, "}"])


def _may_be_missing(name: str, key: str, schema: dict[str, Any]) -> bool:
    """Return whether a field may be missing: in requests with a default, or where we omit it."""
    config = _struct_type(name).__struct_config__
    saves = config.omit_defaults or config.forbid_unknown_fields
    return bool(saves and key not in schema["required"])


def _struct_type(name: str) -> Any:
    """Find the struct of that name in the modules that define messages."""
    return next(getattr(module, name) for module in MODULES if hasattr(module, name))


def _type(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of a schema, without the bounds of numbers and texts."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        return f"{_bracketed(_type(schema['items']))}[]"
    if kind == "object":
        return f"{{ [key: string]: {_type(schema.get('additionalProperties', {}))} }}"
    if isinstance(kind, list):
        return " | ".join(SIMPLE[each] for each in kind)
    return SIMPLE[kind] if kind else "unknown"


def _bracketed(text: str) -> str:
    return f"({text})" if "|" in text else text


if __name__ == "__main__":
    print(typescript(), end="")
