"""Write a software bill of materials of the pinned packages, as CycloneDX 1.6 in JSON.

The same lock files give the same file, byte for byte: it has no date, and its serial number is a
hash.
"""

import json
import re
import uuid
from pathlib import Path
from typing import Any

from requirements.locks import ROOT_NAME, Package, locked


def write(root: Path, file: Path) -> int:
    """Write the bill of materials to a file; return the number of packages."""
    packages = locked(root)
    file.write_text(json.dumps(bill(root, packages), indent=2) + "\n", encoding="utf-8")
    return len(packages)


def bill(root: Path, packages: list[Package]) -> dict[str, Any]:
    """Return the bill of materials for these packages."""
    version = re.search(r'__version__ = "(.+)"', (root / "src/cosca/__init__.py").read_text())
    assert version is not None
    made: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": ROOT_NAME,
                "name": ROOT_NAME,
                "version": version[1],
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [_component(package) for package in packages],
        "dependencies": _dependencies(packages),
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made, sort_keys=True))
    return {"serialNumber": f"urn:uuid:{number}", **made}


def _component(package: Package) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
        "scope": "required" if package.is_shipped else "excluded",
        "hashes": [{"alg": name, "content": digest} for name, digest in package.hashes],
        "properties": [{"name": "cosca:lock", "value": file} for file in package.files],
    }
    return component | ({"licenses": [{"expression": package.licence}]} if package.licence else {})


def _dependencies(packages: list[Package]) -> list[dict[str, Any]]:
    needs: dict[str, list[str]] = {ROOT_NAME: [], **{package.purl: [] for package in packages}}
    for package in packages:
        for parent in package.needed_by:
            needs[parent].append(package.purl)
    return [{"ref": ref, "dependsOn": sorted(needed)} for ref, needed in needs.items()]
