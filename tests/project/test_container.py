"""The container file: everything in it is pinned, it has a health check and no privileges.

Whether an engine builds it is tried by hand: there is none where tests run.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "Containerfile").read_text(encoding="utf-8")


def steps(word: str) -> list[str]:
    """The steps of one kind, each on one line."""
    lines = RECIPE.replace("\\\n", " ").splitlines()
    return [line.removeprefix(word).strip() for line in lines if line.startswith(f"{word} ")]


def test_every_image_is_named_by_its_digest() -> None:
    (base,) = (step for step in steps("ARG") if step.startswith("BASE="))
    assert re.fullmatch(r"BASE=python:3\.11\.\d+-slim-\w+@sha256:[0-9a-f]{64}", base)
    assert {step.split()[0] for step in steps("FROM")} == {"${BASE}"}


def test_whatever_pip_brings_is_locked() -> None:
    commands = [part.strip() for step in steps("RUN") for part in step.split("&&")]
    brought = [command for command in commands if re.search(r"\bpip (install|wheel)\b", command)]
    assert len(brought) == 4
    for command in brought:
        from_lock = "--require-hashes" in command and "--requirement requirements/" in command
        own = "--no-index" in command or "--no-build-isolation" in command
        assert "--no-deps" in command and from_lock != own, command


def test_it_is_checked_and_runs_without_rights() -> None:
    order = [line.split()[0] for line in RECIPE.splitlines() if re.match(r"[A-Z]+ ", line)]
    assert steps("USER") == ["cosca"]
    assert order.index("USER") > len(order) - order[::-1].index("FROM") - 1, "in what is run"
    assert order.index("ENTRYPOINT") > order.index("USER")
    assert "/readyz" in steps("HEALTHCHECK")[0]
