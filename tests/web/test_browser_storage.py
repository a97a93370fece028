"""The documentation for hosts lists everything that browsers keep, and nothing else."""

import re
from pathlib import Path

TOP = Path(__file__).parents[2]


def test_every_key_in_local_storage_is_documented() -> None:
    sources = [*(TOP / "web/src").rglob("*.ts"), *(TOP / "web/src").rglob("*.svelte")]
    code = "".join(path.read_text("utf-8") for path in sources)
    used = re.findall(r"\b(?:read|write)\((?:\"|`)([a-z]+)(\.\$\{)?", code)
    used += re.findall(r"const (?!PREFIX)[A-Z]+ = \"([a-z]+)(\.)\";", code)  # a prefix
    names = {f"cosca.{key}" + (".CODE" if of_table else "") for key, of_table in used}
    assert len(names) > 5
    page = (TOP / "docs/hosting.md").read_text("utf-8")
    (section,) = re.findall(r"## What browsers keep\n(.*?)\n## ", page, re.DOTALL)
    assert set(re.findall(r"`(cosca\.[a-zA-Z.]+)`", section)) == names
