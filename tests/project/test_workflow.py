"""The workflow on GitHub: what it runs, on which Pythons, with which rights; and the templates."""

import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.processes import run

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".github/workflows/ci.yml"
TEMPLATES = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.md"))


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    """The workflow as GitHub reads it; YAML takes the key `on` for True."""
    read: dict[Any, Any] = msgspec.yaml.decode(FILE.read_bytes())
    return read


@pytest.fixture(scope="module")
def job(workflow: dict[Any, Any]) -> dict[str, Any]:
    """Its only job."""
    (job,) = workflow["jobs"].values()
    return dict(job)


def test_it_runs_on_every_python_that_the_package_names(job: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == listed
    assert project["requires-python"] == f">={listed[0]}"


def test_it_runs_what_must_hold_before_a_change_goes_in(job: dict[str, Any]) -> None:
    assert job["steps"][-1]["run"] == ".ci/run"
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_both_builds_are_chosen_by_the_variable_that_setup_py_reads(job: dict[str, Any]) -> None:
    assert job["strategy"]["matrix"]["build"] == ["compiled", "pure"]
    assert job["env"] == {"COSCA_BUILD": "${{ matrix.build }}"}
    assert 'os.environ.get("COSCA_BUILD") == "pure"' in (ROOT / "setup.py").read_text()
    asked = [sys.executable, "-m", "cosca.cli", "--version"]
    assert "(pure)" in run(asked, env={**os.environ, "COSCA_PURE": "1"}).stdout
    assert re.search(r"\((compiled|pure)\)", run(asked).stdout)
    assert "--version" in job["steps"][-2]["run"] and "($COSCA_BUILD)" in job["steps"][-2]["run"]


def test_it_may_read_and_nothing_else(workflow: dict[Any, Any], job: dict[str, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert "permissions" not in job
    assert set(workflow[True]) == {"push", "pull_request"}, "never pull_request_target"
    checkout = next(step for step in job["steps"] if "checkout" in step.get("uses", ""))
    assert checkout["with"]["persist-credentials"] is False


def test_every_action_is_pinned_by_its_commit() -> None:
    used = re.findall(r"uses: (.*)", FILE.read_text(encoding="utf-8"))
    assert used
    for action in used:
        assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_a_template_says_what_it_is_for(template: Path) -> None:
    _, front, body = template.read_text(encoding="utf-8").split("---\n", 2)
    assert set(msgspec.yaml.decode(front)) == {"name", "about", "labels"}
    assert body.strip()


def test_there_are_templates_for_issues_and_pull_requests() -> None:
    assert [template.stem for template in TEMPLATES] == ["bug", "idea", "rule"]
    changes = (ROOT / ".github/pull_request_template.md").read_text(encoding="utf-8")
    assert "./run check" in changes and "./run test" in changes
